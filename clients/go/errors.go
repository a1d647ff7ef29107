package arena

import (
	"errors"
	"fmt"
)

// The exit codes of a bot program. 0 is for a goodbye and for SIGTERM.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitUnreachable = 3
	exitInterrupted = 130 // what shells give for Ctrl-C
)

// BotFailed tells that the author's own code failed. The arena has been told.
type BotFailed struct {
	// Text is what failed, where and why.
	Text string
	// Reason is what the code said itself: the value of the panic.
	Reason string
	// Stack are the calls of the author's code that led there, the innermost first.
	Stack string
}

// Error returns the text.
func (err *BotFailed) Error() string { return err.Text }

func (err *BotFailed) exitCode() int       { return exitFailed }
func (err *BotFailed) leaveReason() string { return err.Reason }

// IllegalChoice tells that what Decide returned is not one of the legal moves. Nothing was sent for it.
type IllegalChoice struct {
	// Text says so, and lists the legal moves.
	Text string
}

// Error returns the text.
func (err *IllegalChoice) Error() string { return err.Text }

func (err *IllegalChoice) exitCode() int       { return exitFailed }
func (err *IllegalChoice) leaveReason() string { return err.Text }

// UsageError tells that a setting or a field of the bot is missing or makes no sense.
type UsageError struct{ Text string }

// Error returns the text.
func (err *UsageError) Error() string { return err.Text }

func (err *UsageError) exitCode() int { return exitUsage }

// Refused tells that the arena does not want this session, and that trying again would not help.
type Refused struct{ Text string }

// Error returns the text.
func (err *Refused) Error() string { return err.Text }

func (err *Refused) exitCode() int { return exitUsage }

// Unreachable tells that no arena answers, or that it went away and did not come back in time.
type Unreachable struct{ Text string }

// Error returns the text.
func (err *Unreachable) Error() string { return err.Text }

func (err *Unreachable) exitCode() int { return exitUnreachable }

// failure is an error of the author's code: the arena is told its reason.
type failure interface {
	error
	leaveReason() string
}

// ExitCode returns what a program should exit with after an error of this package: 1 for BotFailed
// and IllegalChoice, 2 for UsageError and Refused, 3 for Unreachable; 0 for nil, 1 for other errors.
func ExitCode(err error) int {
	var coded interface{ exitCode() int }
	switch {
	case err == nil:
		return 0
	case errors.As(err, &coded):
		return coded.exitCode()
	default:
		return exitFailed
	}
}

func usageError(format string, values ...any) error {
	return &UsageError{fmt.Sprintf(format, values...)}
}

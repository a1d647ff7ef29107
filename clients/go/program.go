package arena

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
)

// Run plays with a bot until the arena says goodbye, then ends the program.
//
// It reads ARENA_ADDRESS, ARENA_TOKEN and the other variables; flags of the same names count more.
// The exit code is 0 after a goodbye or SIGTERM, 1 if the bot's own code failed, 2 for bad usage or
// if the arena refused, 3 if it cannot be reached, 130 after Ctrl-C.
func Run(entrant Entrant) { os.Exit(Main(entrant, os.Args[1:])) }

// Main does what Run does with the flags given, none if the program has its own, and returns the
// exit code.
func Main(entrant Entrant, arguments []string) int {
	if slices.Contains(arguments, "--help") || slices.Contains(arguments, "-h") {
		fmt.Print(help(filepath.Base(os.Args[0])))
		return 0
	}
	settings, err := ReadSettings(arguments, os.Getenv)
	code := 0
	if err == nil {
		ctx, stop := withSignals(context.Background())
		err = Play(ctx, entrant, settings)
		if errors.Is(context.Cause(ctx), stopped{syscall.SIGINT}) {
			code = exitInterrupted
		}
		stop()
	}
	if err != nil {
		reportError(err)
		code = ExitCode(err)
	}
	return code
}

// Play plays until the arena says goodbye, or leaves when the context is cancelled; its cause is told
// to the arena. Lines for the author of the bot go to stderr.
//
// It fails with one of the errors of this package if it ended in another way. A Decide that is
// running is not waited for.
func Play(ctx context.Context, entrant Entrant, settings Settings) error {
	bot, err := entrant.AnyGame().checked()
	if err != nil {
		return err
	}
	session, err := newSession(bot, settings, report)
	if err != nil {
		return err
	}
	return session.play(ctx)
}

// stopped is why a session leaves after a signal.
type stopped struct{ signal syscall.Signal }

func (s stopped) Error() string {
	if s.signal == syscall.SIGINT {
		return "stopped by SIGINT"
	}
	return "stopped by SIGTERM"
}

// withSignals returns a context that SIGINT and SIGTERM cancel, and how to stop looking out for them.
func withSignals(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		select {
		case number := <-signals:
			cancel(stopped{number.(syscall.Signal)})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}

// report writes a line for the author of the bot to stderr.
func report(text string) { fmt.Fprintf(os.Stderr, "arena_client: %s\n", text) }

// reportError tells why a program ends, with the stack of the author's code if that has failed.
func reportError(err error) {
	var failed *BotFailed
	if errors.As(err, &failed) && failed.Stack != "" {
		fmt.Fprintf(os.Stderr, "panic: %s\n\n%s\n", failed.Reason, failed.Stack)
	}
	report(err.Error())
}

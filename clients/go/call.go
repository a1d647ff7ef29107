package arena

import (
	"fmt"
	"runtime"
	"strings"
)

// call is one call of the author's code: New, unless it is about a decision or an outcome.
type call struct {
	of       *ongoing
	decision *Decision
	outcome  *Outcome

	index   int     // what Decide chose
	failure failure // why there is no result
}

// run makes the call, which may take as long as it likes: the session's goroutine does not wait for it.
func (c *call) run(newPlayer func(*Match) Player) {
	hasReturned := false
	defer func() {
		switch reason := recover(); {
		case reason != nil:
			c.failure = c.failed(reason, authorStack())
		case !hasReturned:
			c.failure = c.failed("runtime.Goexit was called", "")
		}
	}()
	c.enter(newPlayer)
	hasReturned = true
}

// enter is the last function of this package on the stack of the author's code.
func (c *call) enter(newPlayer func(*Match) Player) {
	switch player := c.of.player; {
	case c.decision != nil:
		index, err := c.decision.IndexOf(player.Decide(c.decision))
		if err != nil {
			c.failure = err.(*IllegalChoice)
		}
		c.index = index
	case c.outcome != nil:
		if ender, ok := player.(Ender); ok {
			ender.Ended(c.outcome)
		}
	default:
		c.of.player = newPlayer(c.of.match)
		if c.of.player == nil {
			c.failure = c.failed("it returned nil", "")
		}
	}
}

func (c *call) failed(reason any, stack string) *BotFailed {
	name := "New"
	if c.decision != nil {
		name = "Decide"
	} else if c.outcome != nil {
		name = "Ended"
	}
	said := strings.ToValidUTF8(fmt.Sprint(reason), "\uFFFD")
	return &BotFailed{
		Text:   fmt.Sprintf("%s() failed in %s: %s", name, c.of.match, said),
		Reason: said,
		Stack:  stack,
	}
}

// isAdapter tells whether a function is one by which the package of a game calls its players.
func isAdapter(function string) bool {
	inner, isOurs := strings.CutPrefix(function, "arena-bots/")
	return isOurs && (strings.Contains(inner, ".player.") || strings.Contains(inner, ".Bot.AnyGame"))
}

const maxDepth = 64 // frames of a stack; of a deeper one the innermost are shown

// authorStack returns the stack of a panic, without what is not the author's: the frames of the
// runtime above, those of this library below. To be called by a deferred function.
func authorStack() string {
	counters := make([]uintptr, maxDepth)
	frames := runtime.CallersFrames(counters[:runtime.Callers(1, counters)])
	var text strings.Builder
	hasPanicked := false
	for {
		frame, more := frames.Next()
		switch {
		case strings.HasSuffix(frame.Function, ".(*call).enter"):
			return text.String()
		case strings.HasPrefix(frame.Function, "runtime."):
			hasPanicked = true
		case hasPanicked && !isAdapter(frame.Function):
			fmt.Fprintf(&text, "%s(...)\n\t%s:%d\n", frame.Function, frame.File, frame.Line)
		}
		if !more {
			return text.String()
		}
	}
}

package arena

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	v1 "arena-bots/v1"
)

var errGone = status.Error(codes.Unavailable, "gone")

// expectToken panics unless a hello resumes with a token; "" for none.
func expectToken(hello *v1.Hello, token string) {
	if string(hello.GetResumeToken()) != token {
		panic("the resume token is " + string(hello.GetResumeToken()))
	}
}

func token(text string) func(*v1.Welcome) {
	return func(welcome *v1.Welcome) { welcome.ResumeToken = []byte(text) }
}

func TestResumingAnswersFromMemory(t *testing.T) {
	var recorder recorder
	played := play(t, recorder.bot(nil),
		func(link *fakeLink) error {
			link.welcome(token("first"))
			link.start("a", "b")
			link.ask("a 1", "b 4")
			link.answers(2)
			return errGone
		},
		func(link *fakeLink) error {
			expectToken(link.welcome(resumed, token("second")), "first")
			link.start("a", "b")
			link.ask("a 1", "b 5")
			link.expect("a 1 1", "b 5 1")
			return nil // an end of the stream without a goodbye is a loss, too
		},
		func(link *fakeLink) error {
			expectToken(link.welcome(resumed), "second")
			return link.finish()
		})
	if want := []string{"a 1", "b 4", "b 5"}; !slices.Equal(recorder.asked, want) {
		t.Errorf("asked %q", recorder.asked)
	}
	if !slices.Equal(recorder.made, []string{"a", "b"}) || played.err != nil {
		t.Errorf("made players of %q, error %v", recorder.made, played.err)
	}
	if played.line("the connection was lost (gone); trying to resume") == "" || played.line("the session was resumed") == "" {
		t.Errorf("lines %q", played.lines)
	}
}

func TestWhatIsThoughtAboutIsAnsweredOverTheNextConnection(t *testing.T) {
	var recorder recorder
	isThinking, isBack := make(chan struct{}), make(chan struct{})
	bot := recorder.bot(func(*Decision) {
		close(isThinking)
		<-isBack
	})
	played := play(t, bot,
		func(link *fakeLink) error {
			link.welcome()
			link.start("a")
			link.ask("a 1")
			<-isThinking
			return errGone
		},
		func(link *fakeLink) error {
			link.welcome(resumed)
			link.start("a")
			link.ask("a 1")
			close(isBack)
			link.expect("a 1 1")
			return link.finish()
		})
	if played.err != nil || len(recorder.asked) != 1 {
		t.Errorf("asked %q, error %v", recorder.asked, played.err)
	}
}

func TestResumingOutlivesARestartOfTheListener(t *testing.T) {
	asked := make(chan struct{})
	lost := make(chan struct{})
	fake := newFakeArena(t,
		func(link *fakeLink) error {
			link.welcome()
			link.start("a")
			link.ask("a 1")
			link.answers(1)
			close(asked)
			<-link.stream.Context().Done()
			return nil
		},
		func(link *fakeLink) error {
			link.welcome(resumed)
			link.ask("a 1")
			link.expect("a 1 1")
			return link.finish()
		})
	var recorder recorder
	bot, _ := recorder.bot(nil).checked()
	session, err := newSession(bot, NewSettings(fake.address), func(line string) {
		if strings.Contains(line, "trying to resume") {
			close(lost)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- session.play(context.Background()) }()
	<-asked
	fake.cut()
	<-lost
	fake.listen()
	if err := <-ended; err != nil || len(recorder.asked) != 1 {
		t.Errorf("asked %q, error %v", recorder.asked, err)
	}
}

func TestAnExpiredSessionBeginsAnew(t *testing.T) {
	var recorder recorder
	played := play(t, recorder.bot(nil),
		func(link *fakeLink) error {
			link.welcome()
			link.start("a")
			return errGone
		},
		func(link *fakeLink) error {
			link.read()
			return status.Error(codes.AlreadyExists, "the arena has not noticed the loss")
		},
		func(link *fakeLink) error {
			link.read()
			return status.Error(codes.NotFound, "the session has expired")
		},
		func(link *fakeLink) error {
			expectToken(link.welcome(), "")
			link.ask("a 1")
			link.start("b")
			link.ask("b 1")
			link.expect("b 1 1")
			return link.finish()
		})
	if played.err != nil || played.line("warning: the session has expired at the arena") == "" {
		t.Errorf("lines %q, error %v", played.lines, played.err)
	}
}

func TestAWelcomeThatDoesNotResumeDropsTheMatches(t *testing.T) {
	var recorder recorder
	played := play(t, recorder.bot(nil),
		func(link *fakeLink) error {
			link.welcome()
			link.start("a")
			link.ask("a 1")
			link.answers(1)
			return errGone
		},
		func(link *fakeLink) error {
			link.welcome()
			link.ask("a 1")
			link.start("a")
			link.ask("a 1")
			link.expect("a 1 1")
			return link.finish()
		})
	if played.err != nil || !slices.Equal(recorder.made, []string{"a", "a"}) {
		t.Errorf("made players of %q, error %v", recorder.made, played.err)
	}
	if played.line("warning: the arena started a new session; the old matches are lost") == "" {
		t.Errorf("lines %q", played.lines)
	}
}

func TestALostArenaIsGivenUp(t *testing.T) {
	scripts := []script{func(link *fakeLink) error {
		link.welcome()
		return errGone
	}}
	for range 20 {
		scripts = append(scripts, func(*fakeLink) error { return status.Error(codes.Unavailable, "still gone") })
	}
	fake := newFakeArena(t, scripts...)
	settings := NewSettings(fake.address)
	settings.ResumeTimeout = 300 * time.Millisecond
	played := playWith(t, first, fake, settings)

	var unreachable *Unreachable
	if !errors.As(played.err, &unreachable) ||
		!strings.Contains(unreachable.Text, "did not come back within 0.3 s (still gone)") {
		t.Errorf("ended with %v", played.err)
	}
}

func TestNoArenaIsReported(t *testing.T) {
	settings := NewSettings("unix:" + filepath.Join(t.TempDir(), "nobody"))
	settings.ConnectTimeout = 200 * time.Millisecond
	err := Play(context.Background(), first, settings)
	var unreachable *Unreachable
	if !errors.As(err, &unreachable) || !strings.HasPrefix(unreachable.Text, "no arena answers at unix:") {
		t.Errorf("ended with %v", err)
	}
}

func TestABotMayStartBeforeTheArena(t *testing.T) {
	fake := newFakeArena(t, func(link *fakeLink) error {
		link.welcome()
		return link.finish()
	})
	fake.cut()
	time.AfterFunc(100*time.Millisecond, fake.listen)
	if played := playWith(t, first, fake, NewSettings(fake.address)); played.err != nil {
		t.Error(played.err)
	}
}

func TestARefusalIsFinal(t *testing.T) {
	for code, want := range map[codes.Code]string{
		codes.Unauthenticated:    "the arena rejected the token: because (set ARENA_TOKEN",
		codes.AlreadyExists:      "the token is in use: because",
		codes.FailedPrecondition: "because (this SDK speaks protocol 1:",
		codes.Unimplemented:      "is not an arena: because",
		codes.InvalidArgument:    "the arena ended the session: because",
	} {
		t.Run(code.String(), func(t *testing.T) {
			played := play(t, first, func(link *fakeLink) error {
				link.read()
				return status.Error(code, "because")
			})
			var refused *Refused
			if !errors.As(played.err, &refused) || !strings.Contains(refused.Text, want) {
				t.Errorf("ended with %v", played.err)
			}
		})
	}
}

func TestASessionIsLeftWhileConnecting(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	fake := newFakeArena(t, func(link *fakeLink) error {
		link.read()
		cancel()
		<-link.stream.Context().Done()
		return nil
	})
	if err := Play(ctx, first, NewSettings(fake.address)); err != nil {
		t.Error(err)
	}
}

func TestASessionIsLeftWhileThinking(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	bot := deciding(func(decision *Decision) Choice {
		cancel(errors.New("enough"))
		<-decision.Context().Done()
		return Index(0)
	})
	fake := newFakeArena(t, func(link *fakeLink) error {
		link.welcome()
		link.start("a")
		link.ask("a 1")
		leave := link.read().GetLeave()
		if leave.GetReason() != "enough" || leave.GetFailed() {
			panic(leave)
		}
		return link.expectEnd()
	})
	if err := Play(ctx, bot, NewSettings(fake.address)); err != nil {
		t.Error(err)
	}
}

package arena

import (
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	v1 "arena-bots/v1"
)

func TestHelloIntroducesTheBot(t *testing.T) {
	bot := first
	bot.Name, bot.Version, bot.Games, bot.MaxMatches = "first", "3", []string{"byzanz"}, 64
	fake := newFakeArena(t, func(link *fakeLink) error {
		link.welcome()
		return link.finish()
	})
	settings := NewSettings(fake.address)
	settings.Token = "secret"
	played := playWith(t, bot, fake, settings)

	want := &v1.Hello{
		Protocol: 1, Token: "secret", Bot: "first", Version: "3", Language: "go",
		Sdk: "arena-go " + Version, Games: []string{"byzanz"}, MaxMatches: 64, BatchesMatches: true,
	}
	if got := played.received[0][0].GetHello(); !proto.Equal(got, want) {
		t.Errorf("hello is %v, not %v", got, want)
	}
	if played.err != nil || played.line("playing as mine at unix:") == "" {
		t.Errorf("ended with %v, lines %q", played.err, played.lines)
	}
	if played.line("secret") != "" {
		t.Error("the token was printed")
	}
}

func TestABatchIsAnsweredInOneMessage(t *testing.T) {
	played := play(t, first, func(link *fakeLink) error {
		link.welcome()
		link.start("a", "b", "c")
		link.ask("a 1", "b 1", "c 1")
		link.expect("a 1 0", "b 1 0", "c 1 0")
		link.ask("b 2")
		link.expect("b 2 0")
		return link.finish()
	})
	if played.err != nil {
		t.Error(played.err)
	}
}

func TestOneObjectPlaysOneMatch(t *testing.T) {
	var recorder recorder
	play(t, recorder.bot(nil), func(link *fakeLink) error {
		link.welcome()
		link.start("a", "b", "a")
		link.ask("a 1", "b 1")
		link.answers(2)
		link.end("b")
		link.end("b")
		link.end("never-heard-of")
		return link.finish()
	})
	if !reflect.DeepEqual(recorder.made, []string{"a", "b"}) {
		t.Errorf("made players of %q", recorder.made)
	}
	if len(recorder.outcomes) != 1 {
		t.Fatalf("%d outcomes were told", len(recorder.outcomes))
	}
	outcome := recorder.outcomes[0]
	if outcome.Match.ID != "b" || outcome.Score() != 9 || outcome.Rank() != 1 || outcome.IsVoid() {
		t.Errorf("the outcome is %+v", outcome)
	}
	if !reflect.DeepEqual(outcome.Forfeits, []Fault{FaultNone, FaultTimeout}) {
		t.Errorf("forfeits are %v", outcome.Forfeits)
	}
}

func TestAFoundAnswerDoesNotWaitForASlowOne(t *testing.T) {
	isSent := make(chan struct{})
	bot := deciding(func(decision *Decision) Choice {
		if decision.Match.ID == "b" {
			<-isSent
		}
		return Index(2)
	})
	played := play(t, bot, func(link *fakeLink) error {
		link.welcome()
		link.start("a", "b", "c")
		link.ask("a 1", "b 1", "c 1")
		link.expect("a 1 2")
		close(isSent)
		link.expect("b 1 2", "c 1 2")
		return link.finish()
	})
	if played.err != nil {
		t.Error(played.err)
	}
}

func TestAMatchThatEndsIsThoughtAboutNoMore(t *testing.T) {
	var recorder recorder
	isThinking := make(chan struct{})
	bot := recorder.bot(func(decision *Decision) {
		if decision.Match.ID == "a" {
			close(isThinking)
			<-decision.Context().Done() // by the end of its match
		}
	})
	played := play(t, bot, func(link *fakeLink) error {
		link.welcome()
		link.start("a", "b", "c")
		link.ask("a 1", "b 1", "c 1")
		<-isThinking
		link.end("b")
		link.end("a")
		link.expect("c 1 1")
		return link.finish()
	})
	if asked := recorder.asked; played.err != nil || !reflect.DeepEqual(asked, []string{"a 1", "c 1"}) {
		t.Errorf("asked %q, error %v", asked, played.err)
	}
	if len(recorder.outcomes) != 2 {
		t.Errorf("%d outcomes were told", len(recorder.outcomes))
	}
}

func TestWhatIsUnknownIsIgnored(t *testing.T) {
	unknown := []byte("\x9a\x06\x03abc") // field 99, of type bytes
	response := &v1.PlayResponse{}
	response.ProtoReflect().SetUnknown(unknown)
	played := play(t, first, func(link *fakeLink) error {
		link.send(response)
		link.welcome(func(welcome *v1.Welcome) { welcome.ProtoReflect().SetUnknown(unknown) })
		link.send(response)
		link.send(&v1.PlayResponse{})
		link.send(&v1.PlayResponse{Message: &v1.PlayResponse_MatchStarted{MatchStarted: started("a", "chess")}})
		rejected := &v1.Rejected{MatchId: "a", DecisionId: 1, Reason: 77}
		link.send(&v1.PlayResponse{Message: &v1.PlayResponse_Rejected{Rejected: rejected}})
		link.ask("nobody 1", "a 1")
		link.expect("a 1 0")
		return link.goodbye(55)
	})
	if played.err != nil {
		t.Error(played.err)
	}
}

func TestARejectionIsAWarning(t *testing.T) {
	played := play(t, first, func(link *fakeLink) error {
		link.welcome()
		rejected := &v1.Rejected{MatchId: "a\x1b[2J", DecisionId: 7, Reason: v1.Rejected_REASON_LATE}
		link.send(&v1.PlayResponse{Message: &v1.PlayResponse_Rejected{Rejected: rejected}})
		return link.finish()
	})
	want := "warning: the arena rejected the answer to decision 7 of match a\uFFFD[2J (late): decide faster"
	if played.err != nil || played.line(want) == "" {
		t.Errorf("lines %q, error %v", played.lines, played.err)
	}
}

func TestMisbehaviourIsARefusal(t *testing.T) {
	played := play(t, first, func(link *fakeLink) error {
		link.welcome()
		return link.goodbye(v1.Goodbye_REASON_MISBEHAVED)
	})
	var refused *Refused
	if !errors.As(played.err, &refused) || !strings.Contains(refused.Text, "that was all") {
		t.Errorf("ended with %v", played.err)
	}
}

func TestStoppingIsANormalEnd(t *testing.T) {
	played := play(t, first, func(link *fakeLink) error {
		link.welcome()
		link.goodbye(v1.Goodbye_REASON_STOPPING)
		return status.Error(codes.Unavailable, "stopping")
	})
	if played.err != nil || played.line("the arena says goodbye: that was all") == "" {
		t.Errorf("lines %q, error %v", played.lines, played.err)
	}
}

func TestAGoodbyeDoesNotWaitForDecide(t *testing.T) {
	released := make(chan struct{})
	defer close(released)
	bot := deciding(func(*Decision) Choice {
		<-released
		return Index(0)
	})
	played := play(t, bot, func(link *fakeLink) error {
		link.welcome()
		link.start("a")
		link.ask("a 1")
		return link.finish()
	})
	if played.err != nil {
		t.Error(played.err)
	}
}

func TestAnIllegalChoiceIsNeverSent(t *testing.T) {
	for name, choice := range map[string]Choice{
		"beyond": Index(3), "negative": Index(-1), "nothing": nil, "no move": Move{},
	} {
		t.Run(name, func(t *testing.T) {
			played := play(t, deciding(func(*Decision) Choice { return choice }), func(link *fakeLink) error {
				link.welcome()
				link.start("a")
				link.ask("a 1")
				return link.expectFailure()
			})
			var illegal *IllegalChoice
			if !errors.As(played.err, &illegal) || !strings.Contains(illegal.Text, "\n  2: bid spice-2 wine-1\n") {
				t.Fatalf("ended with %v", played.err)
			}
			if reason := played.leave().GetReason(); !strings.Contains(reason, "not one of the 3 legal moves") {
				t.Errorf("the arena was told %q", reason)
			}
		})
	}
}

func TestAFailureLeavesTheSession(t *testing.T) {
	fail := func() { panic("so \xff it is\nand more") }
	bots := map[string]Bot{
		"New":    {Name: "test", New: func(*Match) Player { fail(); return nil }},
		"Decide": deciding(func(*Decision) Choice { fail(); return nil }),
		"Ended": {Name: "test", New: func(*Match) Player {
			return testPlayer{first.New(nil).Decide, func(*Outcome) { fail() }}
		}},
	}
	for name, bot := range bots {
		t.Run(name, func(t *testing.T) {
			played := play(t, bot, func(link *fakeLink) error {
				link.welcome()
				link.start("a")
				link.ask("a 1")
				if name == "Ended" {
					link.expect("a 1 0")
					link.end("a")
				}
				return link.expectFailure()
			})
			var failed *BotFailed
			if !errors.As(played.err, &failed) || !strings.HasPrefix(failed.Text, name+"() failed in <byzanz match a") {
				t.Fatalf("ended with %v", played.err)
			}
			if reason := played.leave().GetReason(); reason != "so \uFFFD it is" {
				t.Errorf("the arena was told %q", reason)
			}
			if !strings.Contains(failed.Stack, "TestAFailureLeavesTheSession") || strings.Contains(failed.Stack, "(*call)") {
				t.Errorf("the stack is\n%s", failed.Stack)
			}
		})
	}
}

func TestAPlayerThatIsNoneIsAFailure(t *testing.T) {
	for name, bot := range map[string]Bot{
		"nil":    {Name: "test", New: func(*Match) Player { return nil }},
		"Goexit": {Name: "test", New: func(*Match) Player { runtime.Goexit(); return nil }},
	} {
		t.Run(name, func(t *testing.T) {
			played := play(t, bot, func(link *fakeLink) error {
				link.welcome()
				link.start("a")
				return link.expectFailure()
			})
			if ExitCode(played.err) != 1 {
				t.Errorf("ended with %v", played.err)
			}
		})
	}
}

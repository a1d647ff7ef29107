package arena

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	v1 "arena-bots/v1"
)

func TestNotesAreSentAndCut(t *testing.T) {
	bot := deciding(func(decision *Decision) Choice {
		decision.Note = "ab€"
		return Index(0)
	})
	played := play(t, bot, func(link *fakeLink) error {
		link.welcome(func(welcome *v1.Welcome) { welcome.Limits.MaxNoteBytes = 4 })
		link.start("a")
		link.ask("a 1")
		if note := link.read().GetAnswers().GetAnswers()[0].GetNote(); note != "ab" {
			panic("the note is " + note)
		}
		return link.finish()
	})
	if played.err != nil || played.line("warning: a note of 5 bytes was cut to 4") == "" {
		t.Errorf("lines %q, error %v", played.lines, played.err)
	}
}

func TestLargeBatchesAreSplit(t *testing.T) {
	const limit = 40
	matches := strings.Split("abcdefgh", "")
	played := play(t, first, func(link *fakeLink) error {
		link.welcome(func(welcome *v1.Welcome) { welcome.Limits.MaxMessageBytes = limit })
		link.start(matches...)
		var questions, want []string
		for _, match := range matches {
			questions = append(questions, match+" 1")
			want = append(want, match+" 1 0")
		}
		link.ask(questions...)
		messages := link.answers(len(matches))
		if got := slices.Concat(messages...); len(messages) < 2 || !slices.Equal(got, want) {
			panic(messages)
		}
		return link.finish()
	})
	if played.err != nil {
		t.Error(played.err)
	}
	for _, request := range played.received[0] {
		if request.GetAnswers() != nil && proto.Size(request) > limit {
			t.Errorf("a message has %d bytes", proto.Size(request))
		}
	}
}

func TestWorkersThinkAtOnce(t *testing.T) {
	var meeting sync.WaitGroup
	meeting.Add(3)
	bot := deciding(func(*Decision) Choice {
		meeting.Done()
		meeting.Wait() // for all the others
		return Index(0)
	})
	bot.Workers = 3
	played := play(t, bot, func(link *fakeLink) error {
		link.welcome()
		link.start("a", "b", "c")
		link.ask("a 1", "b 1", "c 1")
		link.answers(3)
		return link.finish()
	})
	if played.err != nil {
		t.Error(played.err)
	}
}

func TestAPlayerIsAskedOneDecisionAtATime(t *testing.T) {
	var busy sync.Mutex
	bot := deciding(func(decision *Decision) Choice {
		if decision.Match.ID == "b" {
			return Index(0)
		}
		if !busy.TryLock() {
			panic("asked twice at once")
		}
		defer busy.Unlock()
		<-decision.Context().Done() // by the end of the session
		return Index(0)
	})
	bot.Workers = 2
	fake := newFakeArena(t, func(link *fakeLink) error {
		link.welcome()
		link.start("a", "b")
		link.ask("a 1", "a 2", "b 1")
		link.expect("b 1 0") // the second worker has passed over a 2
		return link.finish()
	})
	if played := playWith(t, bot, fake, NewSettings(fake.address)); played.err != nil {
		t.Error(played.err)
	}
}

func TestDecisionsAreTakenInTheirOrder(t *testing.T) {
	var recorder recorder
	play(t, recorder.bot(nil), func(link *fakeLink) error {
		link.welcome()
		link.start("a")
		link.ask("a 1")
		link.start("b")
		link.ask("b 1", "a 2")
		link.start("c")
		link.ask("c 1")
		link.answers(4)
		return link.finish()
	})
	if want := []string{"a 1", "b 1", "a 2", "c 1"}; !slices.Equal(recorder.asked, want) {
		t.Errorf("asked %q", recorder.asked)
	}
}

func TestAnArenaThatDoesNotAnswerALeaveIsLeftAnyway(t *testing.T) {
	released := make(chan struct{})
	defer close(released)
	played := play(t, deciding(func(*Decision) Choice { return Index(9) }), func(link *fakeLink) error {
		link.welcome()
		link.start("a")
		link.ask("a 1")
		<-released
		return nil
	})
	var illegal *IllegalChoice
	if !errors.As(played.err, &illegal) {
		t.Errorf("ended with %v", played.err)
	}
}

package arena

import (
	"errors"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	v1 "arena-bots/v1"
)

func TestTextsFromElsewhereAreInert(t *testing.T) {
	for text, want := range map[string]string{
		"plain é €": "plain é €", "a\x1b[2J\n": "a\uFFFD[2J\uFFFD", "\xff": "\uFFFD", "\u202e": "\uFFFD",
	} {
		if got := inert(text); got != want {
			t.Errorf("inert(%q) is %q", text, got)
		}
	}
}

func TestARefusalSaysWhatToDo(t *testing.T) {
	want := "the server at a:5 is not an arena: Unimplemented (check ARENA_ADDRESS)"
	if got := refusalText(codes.Unimplemented, "", "a:5"); got != want {
		t.Error(got)
	}
	if got := refusalText(codes.Unauthenticated, "say {address}", "a:5"); !strings.Contains(got, "say {address}") {
		t.Errorf("what the arena said was changed: %s", got)
	}
}

func TestARejectionSaysWhatTheArenaSays(t *testing.T) {
	rejected := &v1.Rejected{MatchId: "m1", DecisionId: 3, Reason: v1.Rejected_REASON_NOTE_TOO_LONG}
	const head = "warning: the arena rejected the answer to decision 3 of match m1 "
	if got := rejectionText(rejected); got != head+"(note too long): write shorter notes" {
		t.Error(got)
	}
	rejected.Message = "shorter, please"
	if got := rejectionText(rejected); got != head+"(note too long): shorter, please" {
		t.Error(got)
	}
	rejected = &v1.Rejected{MatchId: "m1", DecisionId: 3, Reason: 77}
	if got := rejectionText(rejected); !strings.HasPrefix(got, head+"(77): see") {
		t.Error(got)
	}
}

func TestNotesAreCutBetweenCharacters(t *testing.T) {
	for size, want := range map[int]string{0: "", 1: "a", 2: "a", 3: "a", 4: "a€", 9: "a€"} {
		if got := cut("a€", size); got != want {
			t.Errorf("cut to %d: %q", size, got)
		}
	}
}

func TestReasonsAreOneShortLine(t *testing.T) {
	if got := firstLine(strings.Repeat("é", 2000)+"\nmore", 1000); got != strings.Repeat("é", 1000) {
		t.Errorf("%d bytes", len(got))
	}
}

func TestEveryErrorHasItsExitCode(t *testing.T) {
	for want, errs := range map[int][]error{
		0: {nil},
		1: {&BotFailed{}, &IllegalChoice{}, errors.New("another")},
		2: {&UsageError{}, &Refused{}},
		3: {&Unreachable{}},
	} {
		for _, err := range errs {
			if got := ExitCode(err); got != want {
				t.Errorf("%T: %d", err, got)
			}
		}
	}
}

func TestAWrongBotIsRefused(t *testing.T) {
	for field, change := range map[string]func(*Bot){
		"New":        func(bot *Bot) { bot.New = nil },
		"Name":       func(bot *Bot) { bot.Name = strings.Repeat("é", 65) },
		"no Name":    func(bot *Bot) { bot.Name = "" },
		"Version":    func(bot *Bot) { bot.Version = "1\n" },
		"Games":      func(bot *Bot) { bot.Games = []string{""} },
		"MaxMatches": func(bot *Bot) { bot.MaxMatches = -1 },
		"Workers":    func(bot *Bot) { bot.Workers = -1 },
	} {
		bot := first
		change(&bot)
		_, err := bot.checked()
		if ExitCode(err) != 2 || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	bot := first
	bot.Name = strings.Repeat("é", 64)
	if checked, err := bot.checked(); err != nil || checked.MaxMatches != 16 || checked.Workers != 1 {
		t.Errorf("%+v, error %v", checked, err)
	}
}

package arena

import (
	"strings"
	"testing"

	v1 "arena-bots/v1"
)

// dealWith makes all calls that wait, and returns the answers that are ready.
func dealWith(t *testing.T, players *players, bot Bot) []*v1.Answer {
	t.Helper()
	for call := players.next(); call != nil; call = players.next() {
		players.began(call)
		call.run(bot.New)
		if failure := players.finished(call); failure != nil {
			t.Fatal(failure)
		}
	}
	return players.takeReady()
}

func newTestPlayers(matches ...string) *players {
	players := newPlayers(func(string) {})
	players.connected(&v1.Limits{}, false)
	for _, match := range matches {
		players.start(started(match, "byzanz"))
	}
	return players
}

func TestARepeatedDecisionIsAnsweredFromMemory(t *testing.T) {
	var recorder recorder
	bot, players := recorder.bot(nil), newTestPlayers("a")
	question := []*v1.Decision{auction("a", 1)}
	players.ask(question)
	found := dealWith(t, players, bot)
	players.ask(question)
	players.ask(question) // it is ready already
	again := dealWith(t, players, bot)
	if len(recorder.asked) != 1 || len(found) != 1 || len(again) != 1 || again[0] != found[0] {
		t.Errorf("asked %q, answers %v and %v", recorder.asked, found, again)
	}
	players.ask([]*v1.Decision{auction("a", 2)})
	dealWith(t, players, bot)
	players.ask(question)
	if old := dealWith(t, players, bot); len(old) != 0 || len(recorder.asked) != 2 {
		t.Errorf("an old decision was answered: %v", old)
	}
}

func TestAnAnswerOfALostConnectionIsKept(t *testing.T) {
	players := newTestPlayers("a")
	question := []*v1.Decision{auction("a", 1)}
	players.ask(question)
	players.connected(&v1.Limits{}, true) // before it is decided
	if answers := dealWith(t, players, first); len(answers) != 0 {
		t.Errorf("sent without being asked again: %v", answers)
	}
	players.ask(question)
	if answers := dealWith(t, players, first); len(answers) != 1 {
		t.Errorf("the answers are %v", answers)
	}
}

func TestNothingIsLeftOfAMatchThatHasEnded(t *testing.T) {
	players := newTestPlayers("a", "b")
	players.ask([]*v1.Decision{auction("a", 1), auction("b", 1)})
	players.end(&v1.MatchEnded{MatchId: "a"})
	if players.open != 1 || players.telling != 1 {
		t.Errorf("%d open, %d to be told", players.open, players.telling)
	}
	answers := dealWith(t, players, first)
	if len(answers) != 1 || answers[0].GetMatchId() != "b" || players.open != 0 || players.telling != 0 {
		t.Errorf("%d open, %d to be told, answers %v", players.open, players.telling, answers)
	}
}

func TestANoteIsValidText(t *testing.T) {
	players := newTestPlayers("a")
	players.ask([]*v1.Decision{auction("a", 1)})
	bot := deciding(func(decision *Decision) Choice {
		decision.Note = "so \xff it is"
		return decision.LegalMoves()[2]
	})
	answer := dealWith(t, players, bot)[0]
	if !strings.Contains(answer.GetNote(), "so \uFFFD it is") || answer.GetMoveIndex() != 2 {
		t.Errorf("the answer is %v", answer)
	}
}

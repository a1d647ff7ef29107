// Asks the bot the decisions in samples/, without an arena.
package main

import (
	"os"
	"testing"

	"google.golang.org/protobuf/proto"

	"arena-bots/byzanz"
	v1 "arena-bots/v1"
)

// sample returns a message as the arena sends it.
func sample(t *testing.T, name string) *v1.PlayResponse {
	t.Helper()
	content, err := os.ReadFile("samples/" + name)
	if err != nil {
		t.Fatal(err)
	}
	response := &v1.PlayResponse{}
	if err := proto.Unmarshal(content, response); err != nil {
		t.Fatal(err)
	}
	return response
}

// ask returns the match and the decisions of the samples.
func ask(t *testing.T) (*byzanz.Match, []*v1.Decision) {
	t.Helper()
	match := byzanz.NewMatch(sample(t, "match-started.binpb").GetMatchStarted())
	return match, sample(t, "decisions.binpb").GetDecisions().GetDecisions()
}

// IndexOf fails with an IllegalChoice for anything but a legal move.
func TestEveryChoiceIsLegal(t *testing.T) {
	match, decisions := ask(t)
	bot := newMyBot(match)
	for _, message := range decisions {
		decision := byzanz.NewDecision(match, message)
		if _, err := decision.IndexOf(bot.Decide(decision)); err != nil {
			t.Error(err)
		}
	}
}

// Of two sales in a decision that the test makes up, the one of more points is chosen.
func TestTheBestSaleIsMade(t *testing.T) {
	match, decisions := ask(t)
	message := decisions[0]
	game := message.GetByzanz()
	for _, sale := range []string{"wine-1 wine-1 wine-2", "wood-1 wood-2 wood-4"} {
		move := &v1.ByzanzMove{Type: v1.ByzanzMove_TYPE_SELL}
		for _, card := range byzanz.Cards(sale) {
			move.Cards = append(move.Cards, v1.ByzanzCard(card))
		}
		game.LegalMoves = append(game.LegalMoves, move)
		message.LegalCount++
	}
	if got := newMyBot(match).Decide(byzanz.NewDecision(match, message)).String(); got != "sell wood-1 wood-2 wood-4" {
		t.Error(got)
	}
}

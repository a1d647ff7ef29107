// Asks the bot the decisions in samples/, without an arena.
package main

import (
	"os"
	"testing"

	"google.golang.org/protobuf/proto"

	"arena-bots/schwarzmarkt"
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
func ask(t *testing.T) (*schwarzmarkt.Match, []*v1.Decision) {
	t.Helper()
	match := schwarzmarkt.NewMatch(sample(t, "match-started.binpb").GetMatchStarted())
	return match, sample(t, "decisions.binpb").GetDecisions().GetDecisions()
}

// IndexOf fails with an IllegalChoice for anything but a legal move.
func TestEveryChoiceIsLegal(t *testing.T) {
	match, decisions := ask(t)
	bot := newMyBot(match)
	for _, message := range decisions {
		decision := schwarzmarkt.NewDecision(match, message)
		if _, err := decision.IndexOf(bot.Decide(decision)); err != nil {
			t.Error(err)
		}
	}
}

// Of the trades in a decision, one that the test makes larger is chosen.
func TestTheLargestTradeIsMade(t *testing.T) {
	match, decisions := ask(t)
	message := decisions[0]
	game := message.GetSchwarzmarkt()
	game.LegalMoves = append(game.LegalMoves, &v1.SchwarzmarktMove{
		Type: v1.SchwarzmarktMove_TYPE_TRADE,
		Goods: []v1.SchwarzmarktGood{
			v1.SchwarzmarktGood_SCHWARZMARKT_GOOD_POTATOES,
			v1.SchwarzmarktGood_SCHWARZMARKT_GOOD_BUTTER,
		},
	})
	message.LegalCount++
	if got := newMyBot(match).Decide(schwarzmarkt.NewDecision(match, message)).String(); got != "trade potatoes butter" {
		t.Error(got)
	}
}

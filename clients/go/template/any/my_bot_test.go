// Asks the bot the decisions in samples/, without an arena.
package main

import (
	"os"
	"testing"

	"google.golang.org/protobuf/proto"

	arena "arena-bots"
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

// IndexOf fails with an IllegalChoice for anything but a legal move.
func TestEveryChoiceIsLegal(t *testing.T) {
	match := arena.NewMatch(sample(t, "match-started.binpb").GetMatchStarted())
	bot := newMyBot(match)
	for _, message := range sample(t, "decisions.binpb").GetDecisions().GetDecisions() {
		decision := arena.NewDecision(match, message)
		if _, err := decision.IndexOf(bot.Decide(decision)); err != nil {
			t.Error(err)
		}
	}
}

// The bot. Plays every game.
package main

import arena "arena-bots"

// myBot plays one match: what it keeps belongs to that match.
type myBot struct{ match *arena.Match }

func newMyBot(match *arena.Match) arena.Player { return &myBot{match} }

// Decide returns the index of a legal move: here any, by chance.
func (b *myBot) Decide(decision *arena.Decision) arena.Choice {
	return arena.Index(b.match.RNG.IntN(decision.LegalCount))
}

func main() {
	arena.Run(arena.Bot{Name: "{{name}}", Version: "1", New: newMyBot})
}

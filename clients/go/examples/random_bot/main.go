// Random_bot chooses any legal move. It plays every game.
package main

import arena "arena-bots"

// player knows nothing but how many legal moves there are.
type player struct{ match *arena.Match }

// Decide returns the index of a legal move.
func (p player) Decide(decision *arena.Decision) arena.Choice {
	return arena.Index(p.match.RNG.IntN(decision.LegalCount))
}

func main() {
	arena.Run(arena.Bot{
		Name:       "random",
		Version:    "1",
		MaxMatches: 64,
		New:        func(match *arena.Match) arena.Player { return player{match} },
	})
}

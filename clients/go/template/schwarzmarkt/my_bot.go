// The bot. Plays Schwarzmarkt.
package main

import (
	arena "arena-bots"
	"arena-bots/schwarzmarkt"
)

// myBot plays one match: what it keeps belongs to that match.
type myBot struct{ match *schwarzmarkt.Match }

func newMyBot(match *schwarzmarkt.Match) schwarzmarkt.Player { return &myBot{match} }

// Decide returns a legal move: the trade of most goods, or else any, by chance.
func (b *myBot) Decide(decision *schwarzmarkt.Decision) arena.Choice {
	trades := decision.MovesOf(schwarzmarkt.MoveTrade)
	if len(trades) == 0 {
		moves := decision.LegalMoves()
		return moves[b.match.RNG.IntN(len(moves))]
	}
	best := trades[0]
	for _, trade := range trades {
		if len(trade.Goods) > len(best.Goods) {
			best = trade
		}
	}
	return best
}

func main() {
	arena.Run(schwarzmarkt.Bot{Name: "{{name}}", Version: "1", New: newMyBot})
}

// The bot. Plays Byzanz.
package main

import (
	arena "arena-bots"
	"arena-bots/byzanz"
)

// myBot plays one match: what it keeps belongs to that match.
type myBot struct{ match *byzanz.Match }

func newMyBot(match *byzanz.Match) byzanz.Player { return &myBot{match} }

// Decide returns a legal move: the best sale there is, or else any, by chance.
func (b *myBot) Decide(decision *byzanz.Decision) arena.Choice {
	sales := decision.MovesOf(byzanz.MoveSell)
	if len(sales) == 0 {
		moves := decision.LegalMoves()
		return moves[b.match.RNG.IntN(len(moves))]
	}
	best := sales[0]
	for _, sale := range sales {
		if byzanz.SalePoints(sale.Cards) > byzanz.SalePoints(best.Cards) {
			best = sale
		}
	}
	return best
}

func main() {
	arena.Run(byzanz.Bot{Name: "{{name}}", Version: "1", New: newMyBot})
}

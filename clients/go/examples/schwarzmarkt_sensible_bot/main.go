// Schwarzmarkt_sensible_bot sells all it can at a decent price, and plays the offers that want its
// goods. It lets the price rise slowly: a short step leaves the next seat a price it will not like.
package main

import (
	arena "arena-bots"
	"arena-bots/schwarzmarkt"
)

const decent = 0.25 // of the last price

type player struct{ match *schwarzmarkt.Match }

// Decide returns the move that looks best now.
func (p player) Decide(decision *schwarzmarkt.Decision) arena.Choice {
	seen, moves, material := decision.Observation(), decision.LegalMoves(), p.match.Material
	isDecent := float64(seen.Price) >= decent*float64(material.Prices[material.LastSpace()])
	held := schwarzmarkt.Counts(seen.Goods)
	value := func(move schwarzmarkt.Move) float64 {
		switch {
		case move.Type == schwarzmarkt.MoveTrade && isDecent:
			return float64(len(move.Goods))
		case move.Type == schwarzmarkt.MoveTrade:
			return -100
		case move.Type == schwarzmarkt.MoveStep:
			return -float64(move.Spaces)
		case move.Card != nil && move.Card.IsOffer():
			return float64(schwarzmarkt.Wanted(seen.Goods, move.Card.Demand))
		}
		common := 0 // find what is rare
		for _, good := range move.Goods {
			common += held[good]
		}
		if move.Type == schwarzmarkt.MoveReturn {
			return float64(common)
		}
		return 0.5 - float64(common)
	}
	best, most := moves[0], value(moves[0])
	for _, move := range moves[1:] {
		if found := value(move); found > most {
			best, most = move, found
		}
	}
	return best
}

func main() {
	arena.Run(schwarzmarkt.Bot{
		Name:    "sensible",
		Version: "1",
		New:     func(match *schwarzmarkt.Match) schwarzmarkt.Player { return player{match} },
	})
}

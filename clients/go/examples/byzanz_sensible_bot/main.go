// Byzanz_sensible_bot values a hand by the sales it makes or may make, and does what makes it worth
// most. It looks one move ahead and thinks of nobody else.
package main

import (
	"slices"

	arena "arena-bots"
	"arena-bots/byzanz"
)

var hope = [3]float64{0, 0.3, 0.65} // what an incomplete sale of so many cards is worth, of its best card

// worth returns about how many points a hand will make. Products are rounded before they are added,
// on every processor: float64(...) says so.
func worth(hand []byzanz.Card) float64 {
	total := float64(1.3 * float64(len(byzanz.OfKind(hand, byzanz.KindTrader))))
	for _, group := range byzanz.ByKind(hand) {
		slices.SortFunc(group.Cards, func(a, b byzanz.Card) int { return b.Value() - a.Value() })
		sales, rest := len(group.Cards)/3, len(group.Cards)%3
		next := group.Cards[sales:min(sales+1, len(group.Cards))]
		total += float64(byzanz.Value(group.Cards[:sales])) + float64(hope[rest]*float64(byzanz.Value(next)))
	}
	return total
}

type player struct{}

// Decide returns the move after which points and hand are worth most.
func (player) Decide(decision *byzanz.Decision) arena.Choice {
	seen, moves := decision.Observation(), decision.LegalMoves()
	after := func(move byzanz.Move) float64 {
		var gain []byzanz.Card
		points := 0
		switch move.Type {
		case byzanz.MoveDone:
			return 0
		case byzanz.MovePass:
			gain = seen.Own().Laid
		case byzanz.MoveBid, byzanz.MoveGive:
			gain = seen.Lot
		case byzanz.MoveTake:
			gain = byzanz.OfKind(seen.Market, move.Kind)
		case byzanz.MoveSell:
			points = byzanz.SalePoints(move.Cards)
		}
		return worth(byzanz.Without(slices.Concat(seen.Hand, gain), move.Cards)) + float64(points)
	}
	best, most := moves[0], after(moves[0])
	for _, move := range moves[1:] {
		if value := after(move); value > most {
			best, most = move, value
		}
	}
	return best
}

func main() {
	arena.Run(byzanz.Bot{
		Name:    "sensible",
		Version: "1",
		New:     func(*byzanz.Match) byzanz.Player { return player{} },
	})
}

package byzanz

import (
	"fmt"
	"slices"
	"strings"

	v1 "arena-bots/v1"
)

// Kind is a kind of cards. Traders are a kind on the market (B4.1).
type Kind int

// The kinds.
const (
	KindUnknown Kind = iota
	KindCloth
	KindSpice
	KindWine
	KindWood
	KindGrain
	KindOlives
	KindTrader
)

var kindNames = [...]string{"unknown", "cloth", "spice", "wine", "wood", "grain", "olives", "trader"}

// String returns the name, such as "wine".
func (k Kind) String() string { return kindNames[known(k, KindTrader)] }

// Card is a card, by its number in the protocol; that is the order of cards, too. Groups of cards
// are slices in rising order, equal cards repeated.
type Card int

// Unknown is a card the seat may not see, or one that this version does not know. The others have
// names, see Cards.
const (
	Unknown Card = 0
	Trader  Card = 25
)

const valuesPerKind = 4

// Number is its number in the protocol, from 1; 0 for Unknown.
func (c Card) Number() int { return int(c) }

// Kind is its kind.
func (c Card) Kind() Kind {
	if c <= Unknown || c > Trader {
		return KindUnknown
	}
	return Kind(c-1)/valuesPerKind + 1
}

// Value is 1 to 4 for a good; 0 for a trader.
func (c Card) Value() int {
	if c <= Unknown || c >= Trader {
		return 0
	}
	return int(c-1)%valuesPerKind + 1
}

// Name is its name, such as "cloth-1" or "trader".
func (c Card) Name() string {
	if value := c.Value(); value != 0 {
		return fmt.Sprintf("%s-%d", c.Kind(), value)
	}
	return c.Kind().String()
}

// String returns the name.
func (c Card) String() string { return c.Name() }

// Cards returns cards by their names in one text, such as "wine-1 spice-2 trader". It panics if there
// is no card of a name.
func Cards(names string) []Card {
	var found []Card
	for _, name := range strings.Fields(names) {
		card := Trader
		for card > Unknown && card.Name() != name {
			card--
		}
		if card == Unknown {
			panic(fmt.Sprintf("there is no card %q", name))
		}
		found = append(found, card)
	}
	return found
}

// Value returns the sum of the values of cards: what they make as a bid (B3.5).
func Value(group []Card) int {
	sum := 0
	for _, card := range group {
		sum += card.Value()
	}
	return sum
}

// SalePoints returns what a sale of these cards scores: its best card, 5 for three traders (B5.2).
func SalePoints(group []Card) int {
	best := 0
	for _, card := range group {
		best = max(best, card.Value())
	}
	if best == 0 {
		return 5
	}
	return best
}

// Counts returns how often each card is in groups of cards together.
func Counts(groups ...[]Card) map[Card]int {
	total := map[Card]int{}
	for _, group := range groups {
		for _, card := range group {
			total[card]++
		}
	}
	return total
}

// Without returns a group of cards without some of them; what is not in it is passed over.
func Without(group []Card, taken []Card) []Card {
	left := slices.Clone(group)
	for _, card := range taken {
		for place := len(left) - 1; place >= 0; place-- { // the last of equal ones: the order stays
			if left[place] == card {
				left = slices.Delete(left, place, place+1)
				break
			}
		}
	}
	return left
}

// OfKind returns the cards of one kind.
func OfKind(group []Card, kind Kind) []Card {
	var found []Card
	for _, card := range group {
		if card.Kind() == kind {
			found = append(found, card)
		}
	}
	return found
}

// Group is cards of one kind.
type Group struct {
	Kind  Kind
	Cards []Card
}

// ByKind returns cards by their kinds, in the order in which the kinds are met first, so that a bot
// that goes through them plays the same match the same way again. Unknown cards are left out.
func ByKind(cards []Card) []Group {
	var groups []Group
	for _, card := range cards {
		kind := card.Kind()
		if kind == KindUnknown {
			continue
		}
		place := slices.IndexFunc(groups, func(group Group) bool { return group.Kind == kind })
		if place < 0 {
			place = len(groups)
			groups = append(groups, Group{Kind: kind})
		}
		groups[place].Cards = append(groups[place].Cards, card)
	}
	return groups
}

// cardsOf returns cards of a message. One that this version does not know is like one not seen.
func cardsOf(messages []v1.ByzanzCard) []Card {
	found := make([]Card, len(messages))
	for place, message := range messages {
		found[place] = known(Card(message), Trader)
	}
	return found
}

// known returns a number of an enum; 0, which is unknown, if this version does not know it.
func known[T ~int](number, last T) T {
	if number < 0 || number > last {
		return 0
	}
	return number
}

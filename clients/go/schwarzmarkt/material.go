package schwarzmarkt

import v1 "arena-bots/v1"

// Good is a good. Groups of goods are slices in rising order, equal ones repeated.
type Good int

// The goods. GoodUnknown is one that the seat may not see.
const (
	GoodUnknown Good = iota
	GoodPotatoes
	GoodButter
	GoodSugar
	GoodCoffee
	GoodFlour
)

var goodNames = [...]string{"unknown", "potatoes", "butter", "sugar", "coffee", "flour"}

// String returns the name, such as "potatoes".
func (g Good) String() string { return goodNames[known(g, GoodFlour)] }

// Effect is what a text card does (S5).
type Effect int

// The effects. EffectNone is that of offers.
const (
	EffectNone        Effect = iota
	EffectOldDebt            // draws a good from another hand at random
	EffectNewGoods           // pays for a look into the goods pile and takes one good of it
	EffectScarceGoods        // limits trading in the next exchange round
	EffectForaging           // exchanges goods with the pile
	EffectProtection         // makes another seat pay
	EffectRaid               // keeps a seat from trading in the next exchange round
	EffectSlowTrade          // slows the marker in the next exchange round
)

var effectNames = [...]string{
	"none", "old_debt", "new_goods", "scarce_goods", "foraging", "protection", "raid", "slow_trade",
}

// String returns the name, such as "old_debt".
func (e Effect) String() string { return effectNames[known(e, EffectSlowTrade)] }

// Card is a type of black-market card.
type Card struct {
	// Number is its place in the material.
	Number int
	// Name is its name, such as "offer:potatoes-2,butter-2" or "raid".
	Name string
	// Copies is how many of it there are.
	Copies int
	// Demand are the goods an offer wants. Empty for text cards.
	Demand []Good
	// Effect is what a text card does. EffectNone for offers.
	Effect Effect
}

// IsOffer tells whether it opens an exchange round.
func (c *Card) IsOffer() bool { return len(c.Demand) > 0 }

// String returns the name.
func (c *Card) String() string { return c.Name }

// Material is what is printed: track, black-market cards and goods of this match (S1).
type Material struct {
	// Prices are what a good is paid, by space of the track.
	Prices []int
	// Steps are how far the marker may go, by space.
	Steps []int
	// Cards are the types of black-market cards.
	Cards []*Card
	// Goods are all goods of the deck.
	Goods []Good
}

// NewMaterial returns what a message shows.
func NewMaterial(message *v1.SchwarzmarktMaterial) *Material {
	material := &Material{Goods: goodsOf(message.GetGoods())}
	for _, space := range message.GetTrack() {
		material.Prices = append(material.Prices, int(space.GetPrice()))
		material.Steps = append(material.Steps, int(space.GetSteps()))
	}
	for number, card := range message.GetCards() {
		material.Cards = append(material.Cards, &Card{
			Number: number,
			Name:   card.GetName(),
			Copies: int(card.GetCopies()),
			Demand: goodsOf(card.GetDemand()),
			Effect: known(Effect(card.GetEffect()), EffectSlowTrade),
		})
	}
	return material
}

// LastSpace is the last space of the track.
func (m *Material) LastSpace() int { return len(m.Prices) - 1 }

// card returns a card by its number; one without a name if there is none of that number.
func (m *Material) card(number uint32) *Card {
	if int(number) < len(m.Cards) {
		return m.Cards[number]
	}
	return &Card{Number: int(number), Name: "unknown"}
}

func (m *Material) cards(numbers []uint32) []*Card {
	found := make([]*Card, len(numbers))
	for place, number := range numbers {
		found[place] = m.card(number)
	}
	return found
}

// optionalCard returns a card by its number; nil if none is given.
func (m *Material) optionalCard(number *uint32) *Card {
	if number == nil {
		return nil
	}
	return m.card(*number)
}

// price is what a good is paid on a space; 0 beyond the track.
func (m *Material) price(space int) int {
	if space < len(m.Prices) {
		return m.Prices[space]
	}
	return 0
}

// Wanted returns how many of the goods held a demand wants.
func Wanted(held, demand []Good) int {
	wanted := Counts(demand)
	count := 0
	for _, good := range held {
		if wanted[good] > 0 {
			wanted[good]--
			count++
		}
	}
	return count
}

// Counts returns how often each good is in a group of goods.
func Counts(goods []Good) map[Good]int {
	counts := map[Good]int{}
	for _, good := range goods {
		counts[good]++
	}
	return counts
}

func goodsOf(messages []v1.SchwarzmarktGood) []Good {
	found := make([]Good, len(messages))
	for place, message := range messages {
		found[place] = known(Good(message), GoodFlour)
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

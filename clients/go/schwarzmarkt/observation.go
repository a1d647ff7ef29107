package schwarzmarkt

import (
	"slices"

	v1 "arena-bots/v1"
)

// Phase is what the seat to act decides about.
type Phase int

// The phases.
const (
	PhaseUnknown  Phase = iota
	PhasePlay           // which black-market card to play or to bury (S3.1)
	PhaseFind           // which good to take out of the pile (S5, new_goods)
	PhaseExchange       // trade, step or hold (S4.2)
	PhaseReturn         // which surplus good to give back (S6.1)
	PhaseOver           // the match is over
)

var phaseNames = [...]string{"unknown", "play", "find", "exchange", "return", "over"}

// String returns the name, such as "exchange".
func (p Phase) String() string { return phaseNames[known(p, PhaseOver)] }

// Observation is all that the seat may know. It is complete: no memory is needed.
type Observation struct {
	// Material is what is printed.
	Material *Material
	// Seat is the own seat.
	Seat int
	// Phase is what is decided.
	Phase Phase
	// GameRound is 1 or 2.
	GameRound int
	// Start is the seat that plays, or played last, a black-market card.
	Start int
	// Goods are the own goods.
	Goods []Good
	// Cards are the own black-market cards.
	Cards []*Card
	// Marker is the space of the track where the marker stands, from 0.
	Marker int
	// Price is what a good is paid there.
	Price int
	// Offer is the card being exchanged; nil when no exchange round runs.
	Offer *Card
	// Resolving is the text card that is taking effect; nil when there is none.
	Resolving *Card
	// Demand are the goods still wanted.
	Demand []Good
	// Traded are the goods traded in this exchange round, in the order of trading.
	Traded []Good
	// OpenCards are the text cards about the next or the running exchange round, in order of play.
	OpenCards []OpenCard
	// Seats is what is known about each seat, by seat.
	Seats []Seat
	// GoodsPileSize is how many goods are in the pile.
	GoodsPileSize int
	// BlackMarketPileSize is how many black-market cards are in the pile.
	BlackMarketPileSize int
	// PileKnown are goods known to be in the goods pile, the oldest knowledge first.
	PileKnown []Known
	// SeenCards are the black-market cards shown so far in the match, each type once.
	SeenCards []*Card
	// CardsDealtWith is how many black-market cards were played or buried in this game round.
	CardsDealtWith int
	// IdleRounds is how many exchange rounds in a row went without a trade (S6.4).
	IdleRounds int
	// Message is what it came in.
	Message *v1.SchwarzmarktObservation
}

// OpenCard is a text card that lies open until the next exchange round ends.
type OpenCard struct {
	Card *Card
	// Target is the seat it was played at; arena.NoSeat if it has none.
	Target int
}

// Seat is what is known about a seat.
type Seat struct {
	// Number is which seat, from 0.
	Number int
	// HandSize is how many goods it holds.
	HandSize int
	// Luxury is its wealth: the score.
	Luxury int
	// HasTraded is true if it has traded in this exchange round.
	HasTraded bool
	// Known are goods the observing seat knows to be in this hand, the oldest knowledge first.
	Known []Known
}

// Known are goods that were seen to come to a hidden place.
type Known struct {
	Goods []Good
	// Unseen is how many of them may be gone; 0: all are there.
	Unseen int
}

// NewObservation returns what a message shows.
func NewObservation(message *v1.SchwarzmarktObservation, material *Material) *Observation {
	if message == nil {
		message = &v1.SchwarzmarktObservation{}
	}
	seen := &Observation{
		Material:            material,
		Seat:                int(message.GetSeat()),
		Phase:               known(Phase(message.GetPhase()), PhaseOver),
		GameRound:           int(message.GetGameRound()),
		Start:               int(message.GetStart()),
		Goods:               goodsOf(message.GetGoods()),
		Cards:               material.cards(message.GetCards()),
		Marker:              int(message.GetMarker()),
		Price:               material.price(int(message.GetMarker())),
		Offer:               material.optionalCard(message.Offer),
		Resolving:           material.optionalCard(message.Resolving),
		Demand:              goodsOf(message.GetDemand()),
		Traded:              goodsOf(message.GetTraded()),
		OpenCards:           make([]OpenCard, len(message.GetOpenCards())),
		Seats:               make([]Seat, len(message.GetSeats())),
		GoodsPileSize:       int(message.GetGoodsPileSize()),
		BlackMarketPileSize: int(message.GetBlackMarketPileSize()),
		PileKnown:           knownOf(message.GetPileKnown()),
		SeenCards:           material.cards(message.GetSeenCards()),
		CardsDealtWith:      int(message.GetCardsDealtWith()),
		IdleRounds:          int(message.GetIdleRounds()),
		Message:             message,
	}
	for place, open := range message.GetOpenCards() {
		seen.OpenCards[place] = OpenCard{material.card(open.GetCard()), seatOr(open.Target)}
	}
	for number, seat := range message.GetSeats() {
		seen.Seats[number] = Seat{
			Number:    number,
			HandSize:  int(seat.GetHandSize()),
			Luxury:    int(seat.GetLuxury()),
			HasTraded: seat.GetHasTraded(),
			Known:     knownOf(seat.GetKnown()),
		}
	}
	return seen
}

func knownOf(messages []*v1.SchwarzmarktKnown) []Known {
	found := make([]Known, len(messages))
	for place, message := range messages {
		found[place] = Known{goodsOf(message.GetGoods()), int(message.GetUnseen())}
	}
	return found
}

// Own is the own seat.
func (o *Observation) Own() Seat {
	if o.Seat >= len(o.Seats) {
		return Seat{Number: o.Seat}
	}
	return o.Seats[o.Seat]
}

// Others are the other seats, clockwise from the own one.
func (o *Observation) Others() []Seat {
	if o.Seat >= len(o.Seats) {
		return o.Seats
	}
	return slices.Concat(o.Seats[o.Seat+1:], o.Seats[:o.Seat])
}

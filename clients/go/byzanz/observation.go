package byzanz

import (
	"slices"

	arena "arena-bots"
	v1 "arena-bots/v1"
)

// Phase is what the seat to act decides about.
type Phase int

// The phases.
const (
	PhaseUnknown Phase = iota
	PhaseAuction       // bid or pass (B3.4)
	PhaseGive          // which card of the lot goes to the market (B3.8)
	PhaseTake          // which kind to take from the market (B4.1)
	PhaseLimit         // sell or discard down to seven cards (B6.1)
	PhaseFinal         // last sales (B7.1)
	PhaseOver          // the match is over
)

var phaseNames = [...]string{"unknown", "auction", "give", "take", "limit", "final", "over"}

// String returns the name, such as "auction".
func (p Phase) String() string { return phaseNames[known(p, PhaseOver)] }

// Observation is all that the seat may know. It is complete: no memory is needed.
type Observation struct {
	// Seat is the own seat.
	Seat int
	// Phase is what is decided.
	Phase Phase
	// Round is the number of the round, from 1.
	Round int
	// DeckSize is how many cards are left in the deck.
	DeckSize int
	// Hand is the own hand.
	Hand []Card
	// OwnDiscards are the cards the seat itself discarded face down (B6.2).
	OwnDiscards []Card
	// Lot is what is up for auction, or won and still to be given from.
	Lot []Card
	// Market is what lies on the market.
	Market []Card
	// Offer is the offer card of the running auction; 0 when none runs.
	Offer int
	// Speaker is the seat that spoke first in this auction, or will in the next.
	Speaker int
	// High is the highest bid so far in this auction; 0 when there is none.
	High int
	// Leader is the seat that made it; arena.NoSeat when there is none.
	Leader int
	// FirstPasser is the seat that passed first in this auction; arena.NoSeat when none has.
	FirstPasser int
	// Takes is how many seats have had their turn at the market this round.
	Takes int
	// Seats is what everybody knows about each seat, by seat.
	Seats []Seat
	// Out are the cards publicly out of the game, profit cards not counted.
	Out []Card
	// Message is what it came in.
	Message *v1.ByzanzObservation
}

// Seat is what everybody knows about a seat.
type Seat struct {
	// Number is which seat, from 0.
	Number int
	// HandSize is how many cards it holds.
	HandSize int
	// Points are its points so far.
	Points int
	// Passed is true if it is out of this auction by passing (B3.6).
	Passed bool
	// Offer is the offer card it holds; 0 for none. Whoever holds one is out of the auctions (B3.3).
	Offer int
	// Laid are the cards of its bid in this auction; they are not in its hand.
	Laid []Card
	// Kept are its profit cards (B5.2).
	Kept []Card
	// FaceDown is how many cards it has discarded face down.
	FaceDown int
	// Known are cards publicly known to be in its hand, the oldest knowledge first.
	Known []Known
}

// Known are cards that came into a hand at about the same time.
type Known struct {
	Cards []Card
	// Unseen is how many of them may be gone; 0: all are there.
	Unseen int
}

// NewObservation returns what a message shows.
func NewObservation(message *v1.ByzanzObservation) *Observation {
	if message == nil {
		message = &v1.ByzanzObservation{}
	}
	seen := &Observation{
		Seat:        int(message.GetSeat()),
		Phase:       known(Phase(message.GetPhase()), PhaseOver),
		Round:       int(message.GetRound()),
		DeckSize:    int(message.GetDeckSize()),
		Hand:        cardsOf(message.GetHand()),
		OwnDiscards: cardsOf(message.GetOwnDiscards()),
		Lot:         cardsOf(message.GetLot()),
		Market:      cardsOf(message.GetMarket()),
		Offer:       int(message.GetOffer()),
		Speaker:     int(message.GetSpeaker()),
		High:        int(message.GetHigh()),
		Leader:      seatOr(message.Leader),
		FirstPasser: seatOr(message.FirstPasser),
		Takes:       int(message.GetTakes()),
		Seats:       make([]Seat, len(message.GetSeats())),
		Out:         cardsOf(message.GetOut()),
		Message:     message,
	}
	for number, seat := range message.GetSeats() {
		seen.Seats[number] = seatOf(number, seat)
	}
	return seen
}

func seatOf(number int, message *v1.ByzanzSeat) Seat {
	seat := Seat{
		Number:   number,
		HandSize: int(message.GetHandSize()),
		Points:   int(message.GetPoints()),
		Passed:   message.GetPassed(),
		Offer:    int(message.GetOffer()),
		Laid:     cardsOf(message.GetLaid()),
		Kept:     cardsOf(message.GetKept()),
		FaceDown: int(message.GetFaceDown()),
	}
	for _, known := range message.GetKnown() {
		seat.Known = append(seat.Known, Known{cardsOf(known.GetCards()), int(known.GetUnseen())})
	}
	return seat
}

// seatOr returns a seat; arena.NoSeat if none is given.
func seatOr(seat *uint32) int {
	if seat == nil {
		return arena.NoSeat
	}
	return int(*seat)
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

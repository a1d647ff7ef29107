package schwarzmarkt

import (
	"slices"

	arena "arena-bots"
	v1 "arena-bots/v1"
)

// MoveType is what a move does.
type MoveType int

// The types of moves.
const (
	MoveUnknown MoveType = iota
	MovePlay             // plays a black-market card (S3.1)
	MoveFind             // names the good to take from the pile (S5, new_goods)
	MoveBury             // puts a card under the pile because none can be played (S3.3)
	MoveTrade            // trades goods at the current price (S4.2)
	MoveStep             // moves the marker without trading (S4.2)
	MoveHold             // lets the last chance to trade go (S4.3)
	MoveReturn           // gives a surplus good back (S6.1)
)

var moveTypeNames = [...]string{"unknown", "play", "find", "bury", "trade", "step", "hold", "return"}

// String returns the type as the rules write it, such as "trade".
func (t MoveType) String() string { return moveTypeNames[known(t, MoveReturn)] }

// Move is a legal move. Its text is as in the rules, such as "trade potatoes butter".
type Move struct {
	arena.Move
	// Type is what the move does.
	Type MoveType
	// Card is the black-market card played or buried; nil for all other moves.
	Card *Card
	// Target is the seat a card is played at; arena.NoSeat if it has none.
	Target int
	// Goods are those traded, those laid aside for foraging, the one found or returned.
	Goods []Good
	// Spaces is how far the marker goes. 0 unless it is a step.
	Spaces int
	// Message is what it came in.
	Message *v1.SchwarzmarktMove
}

// Decision is a decision of Schwarzmarkt. Everything is computed when it is first looked at.
type Decision struct {
	*arena.Decision
	// Match is the match it belongs to.
	Match *Match

	moves       []Move
	observation *Observation
}

// NewDecision returns the decision that a message asks for.
func NewDecision(match *Match, message *v1.Decision) *Decision {
	return &Decision{Decision: arena.NewDecision(match.Match, message), Match: match}
}

// LegalMoves are all legal moves: cards as in the material; trades, then steps or hold.
func (d *Decision) LegalMoves() []Move {
	if d.moves == nil {
		messages := d.Message.GetSchwarzmarkt().GetLegalMoves()
		d.moves = make([]Move, len(messages))
		for index, message := range messages {
			d.moves[index] = Move{
				Move:    d.MoveAt(index),
				Type:    known(MoveType(message.GetType()), MoveReturn),
				Card:    d.Match.Material.optionalCard(message.Card),
				Target:  seatOr(message.Target),
				Goods:   goodsOf(message.GetGoods()),
				Spaces:  int(message.GetSpaces()),
				Message: message,
			}
		}
	}
	return d.moves
}

// MovesOf returns the legal moves of some types, in their order.
func (d *Decision) MovesOf(types ...MoveType) []Move {
	var found []Move
	for _, move := range d.LegalMoves() {
		if slices.Contains(types, move.Type) {
			found = append(found, move)
		}
	}
	return found
}

// Observation is all the seat may know now.
func (d *Decision) Observation() *Observation {
	if d.observation == nil {
		d.observation = NewObservation(d.Message.GetSchwarzmarkt().GetObservation(), d.Match.Material)
	}
	return d.observation
}

// Events are what happened since the seat's last decision, oldest first.
func (d *Decision) Events() []*v1.SchwarzmarktEvent { return d.Message.GetSchwarzmarkt().GetEvents() }

// seatOr returns a seat; arena.NoSeat if none is given.
func seatOr(seat *uint32) int {
	if seat == nil {
		return arena.NoSeat
	}
	return int(*seat)
}

package byzanz

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
	MovePass             // leaves the auction (B3.6)
	MoveBid              // adds cards to the own bid (B3.5)
	MoveGive             // puts a card of the lot on the market (B3.8)
	MoveTake             // takes all cards of a kind from the market (B4.1)
	MoveSell             // sells three cards (B5)
	MoveDiscard          // puts a card out of the game face down (B6)
	MoveDone             // ends the own final sales (B7.1)
)

var moveTypeNames = [...]string{"unknown", "pass", "bid", "give", "take", "sell", "discard", "done"}

// String returns the type as the rules write it, such as "bid".
func (t MoveType) String() string { return moveTypeNames[known(t, MoveDone)] }

// Move is a legal move. Its text is as in the rules, such as "bid spice-2 wine-1".
type Move struct {
	arena.Move
	// Type is what the move does.
	Type MoveType
	// Cards are those added by a bid, the three of a sale, the one given or discarded.
	Cards []Card
	// Kind is the kind taken from the market. KindUnknown for all other moves.
	Kind Kind
	// Message is what it came in.
	Message *v1.ByzanzMove
}

// Value is the sum of the values of the cards: what a bid adds.
func (m Move) Value() int { return Value(m.Cards) }

// Decision is a decision of Byzanz. Everything is computed when it is first looked at.
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

// LegalMoves are all legal moves: those of the decision first, bids rising in value, then sales.
func (d *Decision) LegalMoves() []Move {
	if d.moves == nil {
		messages := d.Message.GetByzanz().GetLegalMoves()
		d.moves = make([]Move, len(messages))
		for index, message := range messages {
			d.moves[index] = Move{
				Move:    d.MoveAt(index),
				Type:    known(MoveType(message.GetType()), MoveDone),
				Cards:   cardsOf(message.GetCards()),
				Kind:    known(Kind(message.GetKind()), KindTrader),
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
		d.observation = NewObservation(d.Message.GetByzanz().GetObservation())
	}
	return d.observation
}

// Events are what happened since the seat's last decision, oldest first.
func (d *Decision) Events() []*v1.ByzanzEvent { return d.Message.GetByzanz().GetEvents() }

// RoundsLeft is how many rounds follow after this one; 0 in the last.
func (d *Decision) RoundsLeft() int {
	return d.Match.Material.Rounds - d.Observation().Round
}

package arena

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/anypb"

	v1 "arena-bots/v1"
)

const maxListed = 40 // legal moves named in a refusal; a reader wants no more

// Decision is a question to a seat. Everything but the note is to be read only.
type Decision struct {
	// Match is the match it belongs to.
	Match *Match
	// ID is the number of the question within the match, from 1, rising.
	ID int
	// LegalCount is how many legal moves there are, at least 2. Costs less than LegalMoves.
	LegalCount int
	// Note is yours to set: a text that is kept beside the move in the replay.
	Note string
	// Message is what it came in.
	Message *v1.Decision

	ctx   context.Context
	moves []Move
}

// NewDecision returns the decision that a message asks for.
func NewDecision(match *Match, message *v1.Decision) *Decision {
	return newDecision(context.Background(), match, message)
}

func newDecision(ctx context.Context, match *Match, message *v1.Decision) *Decision {
	return &Decision{
		Match:      match,
		ID:         int(message.GetDecisionId()),
		LegalCount: int(message.GetLegalCount()),
		Message:    message,
		ctx:        ctx,
	}
}

// Context is cancelled when the answer is wanted no more: the match has ended, or the session.
// Bots that think long should look at it.
func (d *Decision) Context() context.Context { return d.ctx }

// LegalMoves are all moves the seat may make, each once, in the game's fixed order.
func (d *Decision) LegalMoves() []Move {
	if d.moves == nil {
		d.moves = make([]Move, d.LegalCount)
		for index := range d.moves {
			d.moves[index] = Move{index, d}
		}
	}
	return d.moves
}

// MoveAt returns one of the legal moves, by its place. For the packages of games.
func (d *Decision) MoveAt(index int) Move { return Move{index, d} }

// Observation is where a match stands, for games from plug-in packages; nil otherwise. Decisions of
// the packages byzanz and schwarzmarkt have their own.
func (d *Decision) Observation() *anypb.Any { return d.Message.GetOther() }

// Faults are the misbehaviours of seats since this seat's last decision, its own among them.
func (d *Decision) Faults() []SeatFault { return seatFaults(d.Message.GetFaults()) }

// MoveTime is what this decision may take before the bank is touched; false: there is no limit.
func (d *Decision) MoveTime() (time.Duration, bool) {
	return limit(d.Message.GetMoveTime())
}

// Bank is what is left of it; false: there is no limit.
func (d *Decision) Bank() (time.Duration, bool) { return limit(d.Message.GetBank()) }

// IndexOf returns the place of a choice among the legal moves.
//
// It fails with an IllegalChoice if it is neither a legal move nor the place of one. A move that was
// kept from an earlier decision counts if it is legal again.
func (d *Decision) IndexOf(choice Choice) (int, error) {
	if choice != nil {
		if index, ok := choice.indexIn(d); ok {
			return index, nil
		}
	}
	return 0, &IllegalChoice{d.refusal(choice)}
}

func (d *Decision) refusal(choice Choice) string {
	count := d.LegalCount
	var text strings.Builder
	returned := "nil"
	switch choice := choice.(type) {
	case nil:
	case Index:
		returned = choice.String()
	default:
		returned = fmt.Sprintf("<%v>", choice)
	}
	fmt.Fprintf(&text, "decide() returned %s, which is not one of the %d legal moves:\n", returned, count)
	for index := range min(count, maxListed) {
		fmt.Fprintf(&text, "  %d: %s\n", index, d.MoveAt(index))
	}
	if count > maxListed {
		fmt.Fprintf(&text, "  ... and %d more\n", count-maxListed)
	}
	fmt.Fprintf(&text, "(decision %d of %s; return a legal move or its index)", d.ID, d.Match)
	return text.String()
}

// Choice is what Decide returns: an Index, or a Move of this package or of a game's.
type Choice interface {
	fmt.Stringer
	// indexIn returns its place among the legal moves of a decision; false if it is none of them.
	indexIn(decision *Decision) (int, bool)
}

// Index is a choice by the place of a legal move, from 0.
type Index int

// String returns the number.
func (i Index) String() string { return strconv.Itoa(int(i)) }

func (i Index) indexIn(decision *Decision) (int, bool) {
	return int(i), 0 <= i && int(i) < decision.LegalCount
}

// Move is one legal move of one decision. The packages of games have moves that say more.
type Move struct {
	index    int
	decision *Decision
}

// Index is its place among the legal moves.
func (m Move) Index() int { return m.index }

// Text is the move as the rules write it; for an unknown game its index.
func (m Move) Text() string {
	if m.decision == nil {
		return strconv.Itoa(m.index)
	}
	return moveText(m.decision, m.index)
}

// String returns the text.
func (m Move) String() string { return m.Text() }

func (m Move) indexIn(decision *Decision) (int, bool) {
	if m.decision == decision {
		return Index(m.index).indexIn(decision)
	}
	if m.decision == nil {
		return 0, false
	}
	text := m.Text()
	for _, legal := range decision.LegalMoves() {
		if legal.Text() == text {
			return legal.index, true
		}
	}
	return 0, false
}

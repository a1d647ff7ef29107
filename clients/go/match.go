package arena

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "arena-bots/v1"
)

// NoSeat is where a seat would be if there were one.
const NoSeat = -1

// Fault is one way for a seat to misbehave. A default move was made for it.
type Fault int32

// The faults. A later version of the arena may know others.
const (
	FaultNone           = Fault(v1.Fault_FAULT_UNSPECIFIED)
	FaultTimeout        = Fault(v1.Fault_FAULT_TIMEOUT)
	FaultIllegalMove    = Fault(v1.Fault_FAULT_ILLEGAL_MOVE)
	FaultProtocolError  = Fault(v1.Fault_FAULT_PROTOCOL_ERROR)
	FaultFlood          = Fault(v1.Fault_FAULT_FLOOD)
	FaultCrash          = Fault(v1.Fault_FAULT_CRASH)
	FaultOutOfMemory    = Fault(v1.Fault_FAULT_OUT_OF_MEMORY)
	FaultDisconnect     = Fault(v1.Fault_FAULT_DISCONNECT)
	FaultNoStart        = Fault(v1.Fault_FAULT_NO_START)
	FaultOutOfProcesses = Fault(v1.Fault_FAULT_OUT_OF_PROCESSES)
	FaultOutOfDisk      = Fault(v1.Fault_FAULT_OUT_OF_DISK)
)

// String returns the fault as replays write it, such as "illegal_move".
func (f Fault) String() string {
	if f == FaultNone {
		return "none"
	}
	return enumText(v1.Fault_name, int32(f), "FAULT_", "_")
}

// SeatFault is a misbehaviour of a seat.
type SeatFault struct {
	Seat  int
	Fault Fault
	// Forfeited is true if the seat has lost its right to choose: default moves from here on.
	Forfeited bool
}

// SeatInfo tells who sits in a seat; both are empty where names are hidden.
type SeatInfo struct{ Bot, Version string }

// Match is one match, as one seat of it knows it from the start.
type Match struct {
	// ID names the match.
	ID string
	// Game is the name of the game, such as "byzanz".
	Game string
	// Seat is the bot's own seat, from 0, clockwise.
	Seat int
	// Seats are all who play, by seat.
	Seats []SeatInfo
	// MaxFaults is with how many faults a seat forfeits.
	MaxFaults int
	// RNG is the randomness of this seat in this match. A bot that draws from nothing else plays the
	// same match the same way again.
	RNG *rand.Rand
	// Message is what it came in.
	Message *v1.MatchStarted
}

// NewMatch returns the match that a message tells of.
func NewMatch(message *v1.MatchStarted) *Match {
	match := &Match{
		ID:        message.GetMatchId(),
		Game:      message.GetGame(),
		Seat:      int(message.GetSeat()),
		Seats:     make([]SeatInfo, len(message.GetSeats())),
		MaxFaults: int(message.GetTimeControl().GetMaxFaults()),
		RNG:       rand.New(rand.NewChaCha8(seed(message.GetBotSeed()))),
		Message:   message,
	}
	for number, seat := range message.GetSeats() {
		match.Seats[number] = SeatInfo{seat.GetBot(), seat.GetVersion()}
	}
	return match
}

// Options are the game options that differ from the default; read from JSON with each call.
func (m *Match) Options() map[string]any {
	options := map[string]any{}
	if json.Unmarshal([]byte(m.Message.GetOptionsJson()), &options) != nil {
		return map[string]any{}
	}
	return options
}

// MoveTime is free for every decision; false: there is no limit.
func (m *Match) MoveTime() (time.Duration, bool) {
	return limit(m.Message.GetTimeControl().GetMoveTime())
}

// Bank is a reserve for the whole match, for decisions that take longer; false: there is no limit.
func (m *Match) Bank() (time.Duration, bool) {
	return limit(m.Message.GetTimeControl().GetBank())
}

// Material is what is settled before the first move, for games from plug-in packages; nil otherwise.
// Matches of the packages byzanz and schwarzmarkt have their own.
func (m *Match) Material() *anypb.Any { return m.Message.GetOther() }

// String returns the match in a few words.
func (m *Match) String() string {
	return fmt.Sprintf("<%s match %s, seat %d of %d>", m.Game, m.ID, m.Seat, len(m.Seats))
}

// Outcome is how a match ended.
type Outcome struct {
	// Match is which match.
	Match *Match
	// Scores are the points by seat. Empty if the match is void.
	Scores []int
	// Ranks are the ranks by seat, 1 is best, equal seats share one. Empty if the match is void.
	Ranks []int
	// Forfeits tell by seat by which fault it forfeited; FaultNone for one that played to the end.
	Forfeits []Fault
	// VoidReason is why the match does not count. Empty if it does.
	VoidReason string
	// Message is what it came in, with the last events.
	Message *v1.MatchEnded
}

// NewOutcome returns the outcome that a message tells of.
func NewOutcome(match *Match, message *v1.MatchEnded) *Outcome {
	return &Outcome{
		Match:      match,
		Scores:     integers[int](message.GetScores()),
		Ranks:      integers[int](message.GetRanks()),
		Forfeits:   integers[Fault](message.GetForfeits()),
		VoidReason: message.GetVoidReason(),
		Message:    message,
	}
}

// IsVoid tells whether the match does not count, because the arena could not finish it.
func (o *Outcome) IsVoid() bool { return o.VoidReason != "" }

// Score is the bot's own points. 0 if the match is void.
func (o *Outcome) Score() int { return at(o.Scores, o.Match.Seat) }

// Rank is the bot's own rank, 1 is best. 0 if the match is void.
func (o *Outcome) Rank() int { return at(o.Ranks, o.Match.Seat) }

// Faults are the misbehaviours of seats since the last decision.
func (o *Outcome) Faults() []SeatFault { return seatFaults(o.Message.GetFaults()) }

// seed returns 32 bytes that depend on all of a seed, whatever its length.
func seed(content []byte) [32]byte {
	if len(content) == 32 {
		return [32]byte(content)
	}
	return sha256.Sum256(content)
}

func limit(duration *durationpb.Duration) (time.Duration, bool) {
	return duration.AsDuration(), duration != nil
}

func seatFaults(messages []*v1.SeatFault) []SeatFault {
	faults := make([]SeatFault, len(messages))
	for place, fault := range messages {
		faults[place] = SeatFault{int(fault.GetSeat()), Fault(fault.GetFault()), fault.GetForfeited()}
	}
	return faults
}

func integers[To, From ~int | ~int32 | ~uint32](numbers []From) []To {
	found := make([]To, len(numbers))
	for place, number := range numbers {
		found[place] = To(number)
	}
	return found
}

// at returns an element of a list; what would be 0 if the list is too short.
func at[T any](list []T, place int) (found T) {
	if 0 <= place && place < len(list) {
		found = list[place]
	}
	return found
}

// enumText returns an enum's value in words: without its prefix, small, with a separator between.
func enumText(names map[int32]string, number int32, prefix, separator string) string {
	name, isKnown := names[number]
	if !isKnown || number == 0 {
		return "unknown"
	}
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, prefix)), "_", separator)
}

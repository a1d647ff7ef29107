package arena

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "arena-bots/v1"
)

func TestAMatchTellsHowItStarts(t *testing.T) {
	match := NewMatch(started("m", "byzanz"))
	if match.ID != "m" || match.Game != "byzanz" || match.Seat != 1 || match.MaxFaults != 3 {
		t.Errorf("the match is %+v", match)
	}
	if want := []SeatInfo{{"other", "2"}, {"mine", ""}}; !reflect.DeepEqual(match.Seats, want) {
		t.Errorf("seats are %v", match.Seats)
	}
	if got := match.Options(); !reflect.DeepEqual(got, map[string]any{"deck": "uneven"}) {
		t.Errorf("options are %v", got)
	}
	moveTime, isLimited := match.MoveTime()
	if bank, _ := match.Bank(); moveTime != 500*time.Millisecond || bank != 10*time.Second || !isLimited {
		t.Errorf("time control is %v and %v", moveTime, bank)
	}
	if got := match.String(); got != "<byzanz match m, seat 1 of 2>" {
		t.Error(got)
	}
}

func TestAnEmptyMatchDoesNoHarm(t *testing.T) {
	match := NewMatch(&v1.MatchStarted{OptionsJson: "nonsense"})
	if _, isLimited := match.MoveTime(); isLimited || len(match.Options()) != 0 || match.Material() != nil {
		t.Errorf("the match is %+v", match)
	}
	outcome := NewOutcome(match, &v1.MatchEnded{VoidReason: "power cut", Forfeits: []v1.Fault{77}})
	if !outcome.IsVoid() || outcome.Score() != 0 || outcome.Rank() != 0 || outcome.Forfeits[0].String() != "unknown" {
		t.Errorf("the outcome is %+v", outcome)
	}
}

func TestRandomnessRepeats(t *testing.T) {
	draw := func(seed []byte) uint64 {
		message := started("m", "byzanz")
		message.BotSeed = seed
		return NewMatch(message).RNG.Uint64()
	}
	seed := started("m", "byzanz").BotSeed
	if draw(seed) != draw(seed) || draw(seed) == draw(append([]byte{1}, seed...)) || draw(nil) == draw([]byte{1}) {
		t.Error("the numbers do not depend on all of the seed")
	}
	if got := draw(seed); got != 597156759996744206 { // on every machine
		t.Errorf("the first number is %d", got)
	}
}

func TestAnUnknownGameCanBePlayedByIndex(t *testing.T) {
	message := &v1.Decision{MatchId: "m", DecisionId: 2, LegalCount: 3, Bank: durationpb.New(1)}
	decision := NewDecision(NewMatch(started("m", "chess")), message)
	moves := decision.LegalMoves()
	if len(moves) != 3 || moves[2].Text() != "2" {
		t.Errorf("moves are %v", moves)
	}
	if index, err := decision.IndexOf(moves[2]); index != 2 || err != nil {
		t.Errorf("index %d, error %v", index, err)
	}
	_, isLimited := decision.MoveTime()
	if bank, _ := decision.Bank(); isLimited || bank != time.Nanosecond {
		t.Errorf("bank is %v", bank)
	}
}

func TestAMoveKeptFromAnEarlierDecisionCountsIfItIsLegal(t *testing.T) {
	match := NewMatch(started("m", "byzanz"))
	before := NewDecision(match, auction("m", 1)).LegalMoves()
	message := auction("m", 2)
	game := message.GetByzanz()
	game.LegalMoves = append(game.LegalMoves[:1:1], game.LegalMoves[2])
	message.LegalCount = 2
	now := NewDecision(match, message)
	if index, err := now.IndexOf(before[2]); index != 1 || err != nil {
		t.Errorf("index %d, error %v", index, err)
	}
	if _, err := now.IndexOf(before[1]); err == nil || !strings.Contains(err.Error(), "returned <bid wine-1>, which") {
		t.Errorf("error %v", err)
	}
}

func TestARefusalListsTheLegalMoves(t *testing.T) {
	decision := NewDecision(NewMatch(started("m1", "byzanz")), auction("m1", 3))
	_, err := decision.IndexOf(Index(7))
	want := `decide() returned 7, which is not one of the 3 legal moves:
  0: pass
  1: bid wine-1
  2: bid spice-2 wine-1
(decision 3 of <byzanz match m1, seat 1 of 2>; return a legal move or its index)`
	if err == nil || err.Error() != want {
		t.Errorf("the refusal is\n%v", err)
	}
	decision.LegalCount = 100
	_, err = decision.IndexOf(nil)
	if err == nil || !strings.Contains(err.Error(), "\n  39: 39\n  ... and 60 more\n") {
		t.Errorf("the refusal is\n%v", err)
	}
}

func TestFaultsAreTold(t *testing.T) {
	message := auction("m", 1)
	message.Faults = []*v1.SeatFault{{Seat: 2, Fault: v1.Fault_FAULT_ILLEGAL_MOVE, Forfeited: true}}
	faults := NewDecision(NewMatch(started("m", "byzanz")), message).Faults()
	if !reflect.DeepEqual(faults, []SeatFault{{2, FaultIllegalMove, true}}) || faults[0].Fault.String() != "illegal_move" {
		t.Errorf("faults are %v", faults)
	}
}

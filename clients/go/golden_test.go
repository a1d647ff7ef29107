package arena_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"arena-bots/byzanz"
	"arena-bots/schwarzmarkt"
	v1 "arena-bots/v1"
)

const golden = "../conformance/golden"

// readGolden returns a message of the arena, in its binary form and decoded.
func readGolden(t *testing.T, name string) ([]byte, *v1.PlayResponse) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(golden, name+".binpb"))
	if err != nil {
		t.Fatal(err)
	}
	response := &v1.PlayResponse{}
	if err := proto.Unmarshal(content, response); err != nil {
		t.Fatal(err)
	}
	return content, response
}

func TestGoldenMessagesAreTheSameInBothForms(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(golden, "*.binpb"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden messages: %v", err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".binpb")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(golden, name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			var message, other proto.Message = &v1.PlayResponse{}, &v1.PlayResponse{}
			if protojson.Unmarshal(text, other) != nil { // then it is one of a bot
				message, other = &v1.PlayRequest{}, &v1.PlayRequest{}
				if err := protojson.Unmarshal(text, other); err != nil {
					t.Fatal(err)
				}
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := proto.Unmarshal(content, message); err != nil || !proto.Equal(message, other) {
				t.Errorf("binary %v\nJSON %v\nerror %v", message, other, err)
			}
			again, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
			if err != nil || !bytes.Equal(again, content) {
				t.Errorf("written again it is another one; error %v", err)
			}
		})
	}
}

func TestGoldenDecisionsOfByzanzAreShown(t *testing.T) {
	_, start := readGolden(t, "byzanz-match-started")
	_, asked := readGolden(t, "byzanz-decisions")
	match := byzanz.NewMatch(start.GetMatchStarted())
	for _, message := range asked.GetDecisions().GetDecisions() {
		decision := byzanz.NewDecision(match, message)
		if len(decision.LegalMoves()) != decision.LegalCount || decision.Observation().Phase == byzanz.PhaseUnknown {
			t.Errorf("decision %d has %d legal moves", decision.ID, len(decision.LegalMoves()))
		}
		for _, move := range decision.LegalMoves() {
			if strings.Contains(move.Text(), "unknown") || move.Type == byzanz.MoveUnknown {
				t.Errorf("move %d reads %q", move.Index(), move)
			}
		}
	}
}

func TestGoldenDecisionsOfSchwarzmarktAreShown(t *testing.T) {
	_, start := readGolden(t, "schwarzmarkt-match-started")
	_, asked := readGolden(t, "schwarzmarkt-decisions")
	match := schwarzmarkt.NewMatch(start.GetMatchStarted())
	for _, message := range asked.GetDecisions().GetDecisions() {
		decision := schwarzmarkt.NewDecision(match, message)
		seen := decision.Observation()
		if len(decision.LegalMoves()) != decision.LegalCount || seen.Phase == schwarzmarkt.PhaseUnknown || seen.Price == 0 {
			t.Errorf("decision %d has %d legal moves", decision.ID, len(decision.LegalMoves()))
		}
		for _, move := range decision.LegalMoves() {
			if strings.Contains(move.Text(), "unknown") || move.Type == schwarzmarkt.MoveUnknown {
				t.Errorf("move %d reads %q", move.Index(), move)
			}
		}
	}
}

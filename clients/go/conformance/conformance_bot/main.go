// Conformance_bot plays as CONFORMANCE says, for the tests of clients/conformance: see
// clients/README.md.
package main

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	arena "arena-bots"
)

const mistake = "the author's mistake"

var (
	behaviour = os.Getenv("CONFORMANCE")
	delay     = time.Duration(number("CONFORMANCE_DELAY_MS", 1000)) * time.Millisecond
)

// number returns the number in a variable of the environment, or another if it is not set.
func number(variable string, otherwise int) int {
	text := cmp.Or(os.Getenv(variable), strconv.Itoa(otherwise))
	found, err := strconv.Atoi(text)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s must be a number, not %q\n", variable, text)
		os.Exit(2)
	}
	return found
}

// player is one object a match, as of every bot.
type player struct {
	match *arena.Match
	asked int
}

func newPlayer(match *arena.Match) arena.Player {
	if behaviour == "fail_on_start" {
		panic(mistake)
	}
	return &player{match: match}
}

// Decide does what the scenario wants to see.
func (p *player) Decide(decision *arena.Decision) arena.Choice {
	p.asked++
	switch behaviour {
	case "last":
		moves := decision.LegalMoves()
		last := moves[len(moves)-1]
		decision.Note = last.Text()
		return last
	case "illegal":
		return arena.Index(decision.LegalCount)
	case "fail":
		panic(mistake)
	case "slow":
		fmt.Println("deciding", p.match.ID, decision.ID)
		time.Sleep(delay)
		fmt.Println("decided", p.match.ID, decision.ID)
	case "count":
		decision.Note = strconv.Itoa(p.asked)
	case "seed":
		decision.Note = hex.EncodeToString(p.match.Message.GetBotSeed())
	case "note":
		decision.Note = strings.Repeat("é", 2000)
	}
	return arena.Index(0)
}

// Ended tells that it was told.
func (p *player) Ended(outcome *arena.Outcome) {
	switch {
	case behaviour == "fail_on_end":
		panic(mistake)
	case outcome.IsVoid():
		fmt.Println("ended", p.match.ID, "void")
	default:
		fmt.Println("ended", p.match.ID, "rank", outcome.Rank(), "score", outcome.Score())
	}
}

func main() {
	arena.Run(arena.Bot{
		Name:       "conformance",
		Version:    "1",
		Games:      strings.Fields(os.Getenv("CONFORMANCE_GAMES")),
		MaxMatches: number("CONFORMANCE_MAX_MATCHES", 8),
		Workers:    number("CONFORMANCE_WORKERS", 1),
		New:        newPlayer,
	})
}

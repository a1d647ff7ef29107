package arena

import (
	"fmt"
	"sync"
)

// testPlayer is a player made of functions.
type testPlayer struct {
	decide func(*Decision) Choice
	ended  func(*Outcome)
}

func (p testPlayer) Decide(decision *Decision) Choice { return p.decide(decision) }

func (p testPlayer) Ended(outcome *Outcome) {
	if p.ended != nil {
		p.ended(outcome)
	}
}

// deciding returns a bot that decides by a function.
func deciding(decide func(*Decision) Choice) Bot {
	return Bot{Name: "test", New: func(*Match) Player { return testPlayer{decide: decide} }}
}

// first chooses the first legal move.
var first = deciding(func(*Decision) Choice { return Index(0) })

// recorder notes what its players are asked and told.
type recorder struct {
	mutex    sync.Mutex
	made     []string
	asked    []string
	outcomes []*Outcome
}

// bot returns one that notes, does what before says, and chooses the move with index 1.
func (r *recorder) bot(before func(*Decision)) Bot {
	return Bot{Name: "recorder", New: func(match *Match) Player {
		r.note(&r.made, match.ID)
		return testPlayer{
			decide: func(decision *Decision) Choice {
				r.note(&r.asked, fmt.Sprint(decision.Match.ID, " ", decision.ID))
				if before != nil {
					before(decision)
				}
				return Index(1)
			},
			ended: func(outcome *Outcome) {
				r.mutex.Lock()
				defer r.mutex.Unlock()
				r.outcomes = append(r.outcomes, outcome)
			},
		}
	}}
}

func (r *recorder) note(list *[]string, text string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	*list = append(*list, text)
}

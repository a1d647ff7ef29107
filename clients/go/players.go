package arena

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	v1 "arena-bots/v1"
)

// ongoing is a match that runs: its player, and the last decision that was asked.
type ongoing struct {
	match   *Match
	player  Player // nil until New has been called
	ctx     context.Context
	cancel  context.CancelFunc
	asked   uint32     // the id of the last decision; ids rise
	answer  *v1.Answer // the answer to it, once there is one
	link    int        // the connection it was asked over last
	open    int        // how many of its decisions wait or are thought about
	isOver  bool       // nothing is wanted of its player any more but to be told the outcome
	isEnded bool       // there is one
	isBusy  bool       // its player is being called
}

// players are the matches of a session, what their players were asked and what they answered. They
// know nothing of the network, and call no player: they say which call is next and take its result.
type players struct {
	warn         func(text string)
	matches      map[string]*ongoing
	waiting      []*call // in the order they came
	ready        []*v1.Answer
	open         int // decisions that wait or are thought about
	telling      int // players that have still to be told how their match ended
	link         int
	maxNoteBytes int
}

func newPlayers(warn func(text string)) *players {
	return &players{warn: warn, matches: map[string]*ongoing{}}
}

// connected notes that a new connection has been welcomed. Unless it resumes, all matches are lost.
func (p *players) connected(limits *v1.Limits, resumed bool) {
	p.link++
	p.maxNoteBytes = int(limits.GetMaxNoteBytes())
	p.ready = nil // what is still open will be asked again
	if !resumed {
		p.drop()
	}
}

// drop forgets all matches that run. Players of those that have ended will still be told.
func (p *players) drop() {
	for _, of := range p.matches {
		p.retire(of)
	}
	p.waiting = slices.DeleteFunc(p.waiting, func(call *call) bool { return !call.of.isEnded })
}

// retire takes a match out of the game: its decisions are not started, its answers not sent.
func (p *players) retire(of *ongoing) {
	delete(p.matches, of.match.ID)
	of.isOver = true
	of.cancel()
	p.open -= of.open
	p.waiting = slices.DeleteFunc(p.waiting, func(call *call) bool {
		return call.of == of && call.decision != nil
	})
	p.ready = slices.DeleteFunc(p.ready, func(answer *v1.Answer) bool {
		return answer.GetMatchId() == of.match.ID
	})
}

// start makes the player of a match; one that is known already goes on.
func (p *players) start(message *v1.MatchStarted) {
	if p.matches[message.GetMatchId()] != nil {
		return
	}
	of := &ongoing{match: NewMatch(message)}
	of.ctx, of.cancel = context.WithCancel(context.Background())
	p.matches[of.match.ID] = of
	p.waiting = append(p.waiting, &call{of: of})
}

// ask queues decisions. One that was asked before is never decided twice.
func (p *players) ask(decisions []*v1.Decision) {
	for _, message := range decisions {
		of := p.matches[message.GetMatchId()]
		if of == nil {
			continue // its match has ended in the meantime
		}
		of.link = p.link
		switch id := message.GetDecisionId(); {
		case id > of.asked:
			of.asked = id
			of.answer = nil
			of.open++
			p.open++
			decision := newDecision(of.ctx, of.match, message)
			p.waiting = append(p.waiting, &call{of: of, decision: decision})
		case id == of.asked && of.answer != nil && !slices.Contains(p.ready, of.answer):
			p.ready = append(p.ready, of.answer) // it got lost with the last connection
		}
	}
}

// end drops a match; its player is told.
func (p *players) end(message *v1.MatchEnded) {
	of := p.matches[message.GetMatchId()]
	if of == nil {
		return
	}
	p.retire(of)
	of.isEnded = true
	p.telling++
	p.waiting = append(p.waiting, &call{of: of, outcome: NewOutcome(of.match, message)})
}

// next returns the first call that can be made now; nil if there is none.
func (p *players) next() *call {
	for _, call := range p.waiting {
		if !call.of.isBusy {
			return call
		}
	}
	return nil
}

// began notes that the call that is next is being made.
func (p *players) began(begun *call) {
	begun.of.isBusy = true
	place := slices.Index(p.waiting, begun)
	p.waiting = slices.Delete(p.waiting, place, place+1)
}

// finished takes the result of a call; it returns why the author's code failed, if it did.
func (p *players) finished(call *call) failure {
	of := call.of
	of.isBusy = false
	if call.failure != nil {
		return call.failure
	}
	if call.outcome != nil {
		p.telling--
	}
	if call.decision != nil && !of.isOver {
		of.open--
		p.open--
		p.answer(call)
	}
	return nil
}

func (p *players) answer(call *call) {
	of, message := call.of, call.decision.Message
	answer := &v1.Answer{
		MatchId:    message.GetMatchId(),
		DecisionId: message.GetDecisionId(),
		MoveIndex:  proto.Uint32(uint32(call.index)),
		Note:       p.note(call.decision.Note),
	}
	if of.asked == answer.DecisionId {
		of.answer = answer
	}
	// One asked over a lost connection is kept only: it will be asked again over the new one.
	if of.link == p.link {
		p.ready = append(p.ready, answer)
	}
}

func (p *players) note(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	size := p.maxNoteBytes
	if size > 0 && len(text) > size {
		p.warn(fmt.Sprintf("warning: a note of %d bytes was cut to %d", len(text), size))
		text = cut(text, size)
	}
	return text
}

// takeReady returns the answers found since the last call.
func (p *players) takeReady() []*v1.Answer {
	ready := p.ready
	p.ready = nil
	return ready
}

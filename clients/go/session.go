package arena

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	v1 "arena-bots/v1"
)

// Version is the version of this library.
const Version = "0.1.0"

const (
	protocol   = 1
	flushDelay = 50 * time.Millisecond // answers that are found wait no longer for others of their batch
	grace      = 2 * time.Second       // for the arena to end the stream after a leave or a goodbye
	firstPause = 50 * time.Millisecond // between attempts, doubling
	lastPause  = time.Second
	maxReason  = 1000 // characters of a leave, by the protocol
)

// isTransient tells by which statuses a connection is lost rather than refused. OK, without a
// goodbye, means that something in between closed the stream.
var isTransient = map[codes.Code]bool{
	codes.Aborted: true, codes.Canceled: true, codes.DataLoss: true, codes.DeadlineExceeded: true,
	codes.Internal: true, codes.OK: true, codes.Unavailable: true, codes.Unknown: true,
}

// state is where a session stands.
//
//	connecting --welcome--> playing --goodbye, stop, failure--> leaving --end of stream--> ended
//	                         |   ^
//	      connection is lost |   | welcome with resumed
//	                         v   |
//	                       resuming
//
// connecting and resuming give up after their timeout and when the arena refuses. A session that has
// expired at the arena goes from resuming back to connecting, its matches are lost.
type state int

const (
	connecting state = iota
	playing
	resuming
	leaving
	ended
)

// session is one session with an arena, over as many connections as it takes. All of it belongs to
// the goroutine of play; connections and workers talk to that by channels.
type session struct {
	bot      Bot
	settings Settings
	report   func(text string)
	dialer   *dialer

	state   state
	players *players
	link    *connection       // nil between attempts
	unsent  []*v1.PlayRequest // what its writer has not taken yet
	events  chan event
	calls   chan *call // to workers
	results chan *call // from workers
	over    chan struct{}

	deadline        time.Time     // for connecting or resuming
	pause           time.Duration // before the next attempt
	resumeToken     []byte
	maxMessageBytes int
	err             error

	flush, retry, impatience <-chan time.Time // timers; nil while they do not run
}

// newSession fails with a UsageError if the settings cannot be used.
func newSession(bot Bot, settings Settings, report func(text string)) (*session, error) {
	dialer, err := newDialer(settings)
	if err != nil {
		return nil, err
	}
	return &session{
		bot: bot, settings: settings, report: report, dialer: dialer,
		players: newPlayers(report),
		events:  make(chan event),
		calls:   make(chan *call),
		results: make(chan *call),
		over:    make(chan struct{}),
		pause:   firstPause,
	}, nil
}

// play plays until the arena says goodbye or the context is cancelled. To be called once.
func (s *session) play(ctx context.Context) error {
	defer close(s.over)
	for range s.bot.Workers {
		go s.work()
	}
	s.deadline = time.Now().Add(s.settings.ConnectTimeout)
	s.dial()
	stop := ctx.Done()
	for s.state != ended {
		next, calls := s.nextCall()
		first, outgoing := s.nextRequest()
		select {
		case event := <-s.events:
			s.takeIn(event)
		case calls <- next:
			s.players.began(next)
		case done := <-s.results:
			s.takeResult(done)
		case outgoing <- first:
			s.unsent = s.unsent[1:]
		case <-s.flush:
			s.send()
		case <-s.retry:
			s.dial()
		case <-s.impatience:
			s.state = ended
		case <-stop:
			stop = nil
			s.leave(&v1.Leave{Reason: firstLine(context.Cause(ctx).Error(), maxReason)})
		}
		s.settle()
	}
	s.players.drop()
	if s.link != nil {
		s.link.close()
	}
	return s.err
}

// work makes calls of the author's code until the session is over.
func (s *session) work() {
	for {
		select {
		case call := <-s.calls:
			s.run(call)
		case <-s.over:
			return
		}
	}
}

// run makes a call and hands its result over, even if the call ends this goroutine.
func (s *session) run(call *call) {
	defer func() {
		select {
		case s.results <- call:
		case <-s.over:
		}
	}()
	call.run(s.bot.New)
}

// nextCall returns the next call and where to put it; nowhere if there is none.
func (s *session) nextCall() (*call, chan<- *call) {
	if next := s.players.next(); next != nil {
		return next, s.calls
	}
	return nil, nil
}

// nextRequest returns the next message to send and where to put it; nowhere if there is none.
func (s *session) nextRequest() (*v1.PlayRequest, chan<- *v1.PlayRequest) {
	if s.link != nil && len(s.unsent) > 0 {
		return s.unsent[0], s.link.outgoing
	}
	return nil, nil
}

// settle does what follows from what has just happened: answers are sent if no more can be
// expected, else soon; a session that leaves ends when the stream has, and all players were told.
func (s *session) settle() {
	if len(s.players.ready) > 0 && s.state == playing {
		if s.players.open == 0 {
			s.send()
		} else if s.flush == nil {
			s.flush = time.After(flushDelay)
		}
	}
	_, hasFailed := s.err.(failure)
	if s.state == leaving && s.link == nil && (hasFailed || s.players.telling == 0) {
		s.state = ended
	}
}

// dial makes the next attempt to connect.
func (s *session) dial() {
	s.retry = nil
	s.unsent = nil
	bot := s.bot
	hello := &v1.Hello{
		Protocol:       protocol,
		Token:          s.settings.Token,
		Bot:            bot.Name,
		Version:        bot.Version,
		Language:       "go",
		Sdk:            "arena-go " + Version,
		Games:          bot.Games,
		MaxMatches:     uint32(bot.MaxMatches),
		BatchesMatches: true,
		ResumeToken:    s.resumeToken,
	}
	s.link = s.dialer.dial(
		&v1.PlayRequest{Message: &v1.PlayRequest_Hello{Hello: hello}},
		func(event event) {
			select {
			case s.events <- event:
			case <-s.over:
			}
		})
}

// takeIn notes what a connection tells. What this version does not know is ignored.
func (s *session) takeIn(event event) {
	if event.from != s.link {
		return
	}
	if event.message == nil {
		s.link = nil
		if s.state != leaving {
			s.lose(status.Convert(event.err))
		}
		return
	}
	switch message := event.message.GetMessage().(type) {
	case *v1.PlayResponse_Welcome:
		if s.state == connecting || s.state == resuming {
			s.greet(message.Welcome)
		}
	default:
		if s.state == playing {
			s.listen(event.message)
		}
	}
}

func (s *session) greet(welcome *v1.Welcome) {
	switch {
	case len(s.resumeToken) > 0 && !welcome.GetResumed():
		s.report("warning: the arena started a new session; the old matches are lost")
	case s.state == resuming:
		s.report("the session was resumed")
	default:
		s.report(fmt.Sprintf("playing as %s at %s (arena %s)",
			inert(welcome.GetBot()), s.settings.Address, inert(welcome.GetArena())))
	}
	s.resumeToken = welcome.GetResumeToken()
	s.maxMessageBytes = int(welcome.GetLimits().GetMaxMessageBytes())
	s.pause = firstPause
	s.players.connected(welcome.GetLimits(), welcome.GetResumed())
	s.state = playing
}

func (s *session) listen(response *v1.PlayResponse) {
	switch message := response.GetMessage().(type) {
	case *v1.PlayResponse_MatchStarted:
		s.players.start(message.MatchStarted)
	case *v1.PlayResponse_Decisions:
		for _, ended := range message.Decisions.GetMatchEnded() {
			s.players.end(ended)
		}
		for _, started := range message.Decisions.GetMatchStarted() {
			s.players.start(started)
		}
		s.players.ask(message.Decisions.GetDecisions())
	case *v1.PlayResponse_MatchEnded:
		s.players.end(message.MatchEnded)
	case *v1.PlayResponse_Rejected:
		s.report(rejectionText(message.Rejected))
	case *v1.PlayResponse_Goodbye:
		said := inert(message.Goodbye.GetMessage())
		s.report("the arena says goodbye: " + said)
		if message.Goodbye.GetReason() == v1.Goodbye_REASON_MISBEHAVED {
			s.err = &Refused{"the arena ended the session: " + said}
		}
		s.leave(nil)
	}
}

// takeResult notes how a call of the author's code went. If it failed the session is left.
func (s *session) takeResult(done *call) {
	failure := s.players.finished(done)
	if failure == nil || s.err != nil {
		return
	}
	s.err = failure
	s.players.waiting = nil
	s.leave(&v1.Leave{Reason: firstLine(failure.leaveReason(), maxReason), Failed: true})
}

// leave begins to leave; without a message if the arena has said goodbye itself.
func (s *session) leave(message *v1.Leave) {
	if s.state == leaving {
		return
	}
	wasPlaying := s.state == playing
	s.state = leaving
	s.players.drop()
	s.flush, s.retry = nil, nil
	s.impatience = time.After(grace)
	if !wasPlaying {
		if s.link != nil {
			s.link.close()
			s.link = nil
		}
		return
	}
	if message != nil {
		request := &v1.PlayRequest{Message: &v1.PlayRequest_Leave{Leave: message}}
		s.unsent = append(s.unsent, request)
	}
	s.unsent = append(s.unsent, nil)
}

// lose notes the end of a connection: the next attempt follows soon, if there should be one.
func (s *session) lose(why *status.Status) {
	details := inert(why.Message())
	if details == "" {
		details = "the stream was closed"
	}
	s.flush = nil
	// Before the welcome: the arena has no room now. Later: the bot went too far.
	isFull := why.Code() == codes.ResourceExhausted && s.state != playing
	if s.state == playing {
		s.state = resuming
		s.deadline = time.Now().Add(s.settings.ResumeTimeout)
		s.report(fmt.Sprintf("the connection was lost (%s); trying to resume", details))
	}
	isResuming := len(s.resumeToken) > 0
	if isResuming && why.Code() == codes.NotFound {
		s.report("warning: the session has expired at the arena; its matches are lost")
		s.resumeToken = nil
		s.players.drop()
		s.state = connecting
		s.dial()
		return
	}
	// An arena that has not noticed the loss itself takes the old connection for another bot.
	isOwn := isResuming && why.Code() == codes.AlreadyExists
	pause := time.Duration((0.5 + rand.Float64()/2) * float64(s.pause)) // not all bots at once
	isOver := time.Now().Add(pause).After(s.deadline)
	switch {
	case !isTransient[why.Code()] && !isOwn && (!isFull || isOver):
		s.end(&Refused{refusalText(why.Code(), why.Message(), s.settings.Address)})
	case isOver:
		s.end(&Unreachable{s.unreachable(details)})
	default:
		s.retry = time.After(pause)
		s.pause = min(2*s.pause, lastPause)
	}
}

func (s *session) end(err error) {
	s.state = ended
	s.err = err
}

func (s *session) unreachable(details string) string {
	address := s.settings.Address
	if s.state == resuming {
		return fmt.Sprintf("the arena at %s went away and did not come back within %g s (%s)",
			address, s.settings.ResumeTimeout.Seconds(), details)
	}
	return fmt.Sprintf("no arena answers at %s (%s): %s", address, details, silenceHint(details, s.settings))
}

// send sends the answers that are ready.
func (s *session) send() {
	s.flush = nil
	if answers := s.players.takeReady(); len(answers) > 0 {
		s.unsent = append(s.unsent, requests(answers, s.maxMessageBytes)...)
	}
}

// requests returns one message with all answers, or several if it would be too large.
func requests(answers []*v1.Answer, maxBytes int) []*v1.PlayRequest {
	request := &v1.PlayRequest{Message: &v1.PlayRequest_Answers{Answers: &v1.Answers{Answers: answers}}}
	if maxBytes == 0 || len(answers) == 1 || proto.Size(request) <= maxBytes {
		return []*v1.PlayRequest{request}
	}
	half := len(answers) / 2
	return append(requests(answers[:half], maxBytes), requests(answers[half:], maxBytes)...)
}

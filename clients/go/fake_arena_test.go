package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	v1 "arena-bots/v1"
)

const patience = 15 * time.Second // a session that takes longer fails its test

// script serves one connection; what it returns is the status of the stream. It may panic with what
// is wrong, which fails the test.
type script func(link *fakeLink) error

// fakeArena serves scripts, one a connection, in order.
type fakeArena struct {
	v1.UnimplementedPlayServiceServer
	t       testing.TB
	address string

	mutex    sync.Mutex
	scripts  []script
	received [][]*v1.PlayRequest
	server   *grpc.Server
}

// newFakeArena listens on a unix socket until the test is over.
func newFakeArena(t testing.TB, scripts ...script) *fakeArena {
	directory, err := os.MkdirTemp("", "arena") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(directory) })
	fake := &fakeArena{t: t, address: "unix:" + filepath.Join(directory, "arena"), scripts: scripts}
	fake.listen()
	t.Cleanup(fake.cut)
	return fake
}

func (f *fakeArena) listen() {
	listener, err := net.Listen("unix", strings.TrimPrefix(f.address, "unix:"))
	if err != nil {
		f.t.Fatal(err)
	}
	f.serve(listener, nil)
}

func (f *fakeArena) serve(listener net.Listener, secrecy credentials.TransportCredentials) {
	f.server = grpc.NewServer(grpc.Creds(secrecy))
	v1.RegisterPlayServiceServer(f.server, f)
	server := f.server
	go server.Serve(listener)
}

// cut ends all connections and stops listening.
func (f *fakeArena) cut() { f.server.Stop() }

// Play serves one connection.
func (f *fakeArena) Play(stream grpc.BidiStreamingServer[v1.PlayRequest, v1.PlayResponse]) (err error) {
	f.mutex.Lock()
	number := len(f.received)
	f.received = append(f.received, nil)
	f.mutex.Unlock()
	defer func() {
		if problem := recover(); problem != nil {
			f.t.Errorf("connection %d: %v", number+1, problem)
			err = errors.New("the script failed")
		}
	}()
	if number >= len(f.scripts) {
		panic("one connection more than scripts")
	}
	return f.scripts[number](&fakeLink{stream, func(request *v1.PlayRequest) {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		f.received[number] = append(f.received[number], request)
	}})
}

// fakeLink is one connection from a bot, as the arena has it.
type fakeLink struct {
	stream grpc.BidiStreamingServer[v1.PlayRequest, v1.PlayResponse]
	record func(*v1.PlayRequest)
}

// read returns the next message of the bot; nil when it has closed its side.
func (l *fakeLink) read() *v1.PlayRequest {
	request, err := l.stream.Recv()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		panic(fmt.Sprintf("the bot broke the connection: %v", err))
	}
	l.record(request)
	return request
}

// answers reads answers, and nothing else, until there are so many: "match decision index", by
// message.
func (l *fakeLink) answers(count int) (messages [][]string) {
	for found := 0; found < count; {
		answers := l.read().GetAnswers().GetAnswers()
		if len(answers) == 0 {
			panic("the bot sent something else than answers")
		}
		var message []string
		for _, answer := range answers {
			if answer.MoveIndex == nil {
				panic("an answer without an index")
			}
			message = append(message, fmt.Sprint(answer.MatchId, " ", answer.DecisionId, " ", *answer.MoveIndex))
		}
		messages = append(messages, message)
		found += len(message)
	}
	return messages
}

// expect panics unless the next message has these answers, in this order.
func (l *fakeLink) expect(answers ...string) {
	got := l.answers(1)[0]
	if strings.Join(got, ", ") != strings.Join(answers, ", ") {
		panic(fmt.Sprintf("got %q, not %q", got, answers))
	}
}

// expectEnd panics unless the bot has closed its side.
func (l *fakeLink) expectEnd() error {
	if request := l.read(); request != nil {
		panic(fmt.Sprintf("the bot sent %v instead of closing its side", request))
	}
	return nil
}

// expectFailure panics unless the bot leaves because it has failed.
func (l *fakeLink) expectFailure() error {
	if leave := l.read().GetLeave(); !leave.GetFailed() {
		panic("the bot did not leave as failed")
	}
	return l.expectEnd()
}

func (l *fakeLink) send(response *v1.PlayResponse) {
	if err := l.stream.Send(response); err != nil {
		panic(err)
	}
}

// welcome reads the hello, welcomes the bot and returns the hello.
func (l *fakeLink) welcome(changes ...func(*v1.Welcome)) *v1.Hello {
	hello := l.read().GetHello()
	welcome := &v1.Welcome{
		Session: "s1", ResumeToken: []byte("r1"), Arena: "0.1.0", Bot: "mine", Limits: &v1.Limits{},
	}
	for _, change := range changes {
		change(welcome)
	}
	l.send(&v1.PlayResponse{Message: &v1.PlayResponse_Welcome{Welcome: welcome}})
	return hello
}

func resumed(welcome *v1.Welcome) { welcome.Resumed = true }

func (l *fakeLink) start(matches ...string) {
	for _, match := range matches {
		l.send(&v1.PlayResponse{Message: &v1.PlayResponse_MatchStarted{MatchStarted: started(match, "byzanz")}})
	}
}

// ask asks decisions in one message: "match decision".
func (l *fakeLink) ask(questions ...string) {
	var decisions []*v1.Decision
	for _, question := range questions {
		var match string
		var id uint32
		if _, err := fmt.Sscan(question, &match, &id); err != nil {
			panic(err)
		}
		decisions = append(decisions, auction(match, id))
	}
	l.send(&v1.PlayResponse{Message: &v1.PlayResponse_Decisions{Decisions: &v1.Decisions{Decisions: decisions}}})
}

func (l *fakeLink) end(match string) {
	l.send(&v1.PlayResponse{Message: &v1.PlayResponse_MatchEnded{MatchEnded: &v1.MatchEnded{
		MatchId: match, Scores: []int32{3, 9}, Ranks: []uint32{2, 1},
		Forfeits: []v1.Fault{v1.Fault_FAULT_UNSPECIFIED, v1.Fault_FAULT_TIMEOUT},
	}}})
}

// goodbye says goodbye and waits until the bot has closed its side.
func (l *fakeLink) goodbye(reason v1.Goodbye_Reason) error {
	goodbye := &v1.Goodbye{Reason: reason, Message: "that was all"}
	l.send(&v1.PlayResponse{Message: &v1.PlayResponse_Goodbye{Goodbye: goodbye}})
	return l.expectEnd()
}

func (l *fakeLink) finish() error { return l.goodbye(v1.Goodbye_REASON_FINISHED) }

// started returns the start of a match with the bot in seat 1 of 2.
func started(match, game string) *v1.MatchStarted {
	seed := make([]byte, 32)
	seed[0] = 7
	return &v1.MatchStarted{
		MatchId: match, Game: game, OptionsJson: `{"deck":"uneven"}`, Seat: 1,
		Seats: []*v1.SeatInfo{{Bot: "other", Version: "2"}, {Bot: "mine"}},
		TimeControl: &v1.TimeControl{
			MoveTime: durationpb.New(500 * time.Millisecond), Bank: durationpb.New(10 * time.Second), MaxFaults: 3,
		},
		BotSeed: seed,
	}
}

// auction returns a decision of Byzanz with three legal moves: pass and two bids.
func auction(match string, id uint32) *v1.Decision {
	hand := []v1.ByzanzCard{v1.ByzanzCard_BYZANZ_CARD_SPICE_2, v1.ByzanzCard_BYZANZ_CARD_WINE_1}
	return &v1.Decision{
		MatchId: match, DecisionId: id, LegalCount: 3, Bank: durationpb.New(7 * time.Second),
		Game: &v1.Decision_Byzanz{Byzanz: &v1.ByzanzDecision{
			Observation: &v1.ByzanzObservation{
				Seat: proto.Uint32(1), Hand: hand, Seats: []*v1.ByzanzSeat{{}, {}},
			},
			LegalMoves: []*v1.ByzanzMove{
				{Type: v1.ByzanzMove_TYPE_PASS},
				{Type: v1.ByzanzMove_TYPE_BID, Cards: hand[1:]},
				{Type: v1.ByzanzMove_TYPE_BID, Cards: hand},
			},
		}},
	}
}

// played is how a session went.
type played struct {
	received [][]*v1.PlayRequest
	lines    []string
	err      error
}

// leave returns the last message of the bot, if it is a leave.
func (p played) leave() *v1.Leave {
	last := p.received[len(p.received)-1]
	return last[len(last)-1].GetLeave()
}

// line returns the first line for the author that has a text in it.
func (p played) line(text string) string {
	for _, line := range p.lines {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}

// play lets a bot play against scripts, and returns how it went.
func play(t *testing.T, bot Bot, scripts ...script) played {
	fake := newFakeArena(t, scripts...)
	return playWith(t, bot, fake, NewSettings(fake.address))
}

func playWith(t *testing.T, bot Bot, fake *fakeArena, settings Settings) played {
	t.Helper()
	var result played
	bot, err := bot.checked()
	if err != nil {
		t.Fatal(err)
	}
	session, err := newSession(bot, settings, func(line string) { result.lines = append(result.lines, line) })
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	result.err = session.play(ctx)
	if ctx.Err() != nil {
		t.Fatal("the session did not end")
	}
	fake.mutex.Lock()
	defer fake.mutex.Unlock()
	result.received = fake.received
	if len(result.received) < len(fake.scripts) && result.err == nil {
		t.Error("a script was not used")
	}
	return result
}

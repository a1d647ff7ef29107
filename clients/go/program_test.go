package arena

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// programs are what this test binary is if ARENA_TEST_PROGRAM says so.
var programs = map[string]Bot{
	"first": first,
	"panics": deciding(func(*Decision) Choice {
		var table map[string]int
		table["here"] = 1
		return nil
	}),
	"busy": deciding(func(*Decision) Choice {
		fmt.Println("thinking")
		for {
			time.Sleep(time.Hour)
		}
	}),
	"nameless": {New: first.New},
}

func TestMain(m *testing.M) {
	if program, isOne := programs[os.Getenv("ARENA_TEST_PROGRAM")]; isOne {
		Run(program)
	}
	os.Exit(m.Run())
}

// launched is a program that runs.
type launched struct {
	*exec.Cmd
	stdout io.Reader
	stderr bytes.Buffer // to be looked at when it has ended
}

func launch(t *testing.T, program string, environment []string, flags ...string) *launched {
	t.Helper()
	launched := &launched{Cmd: exec.Command(os.Args[0], flags...)}
	launched.Env = append(environment, "ARENA_TEST_PROGRAM="+program)
	launched.Stderr = &launched.stderr
	stdout, err := launched.StdoutPipe()
	if err == nil {
		err = launched.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	launched.stdout = stdout
	timer := time.AfterFunc(patience, func() { launched.Process.Kill() })
	t.Cleanup(func() { timer.Stop() })
	return launched
}

// wait waits for a program; it returns its exit code and stderr.
func (l *launched) wait() (int, string) {
	l.Wait()
	return l.ProcessState.ExitCode(), l.stderr.String()
}

// runProgram runs a program to its end; it returns the exit code and stderr.
func runProgram(t *testing.T, program string, environment []string, flags ...string) (int, string) {
	t.Helper()
	return launch(t, program, environment, flags...).wait()
}

// short plays one decision and says goodbye.
func short(link *fakeLink) error {
	link.welcome()
	link.start("a")
	link.ask("a 1")
	link.answers(1)
	link.end("a")
	return link.finish()
}

func TestAProgramEndsWithTheSession(t *testing.T) {
	fake := newFakeArena(t, short)
	code, errors := runProgram(t, "first", nil, "--address", fake.address)
	want := "arena_client: playing as mine at " + fake.address + " (arena 0.1.0)\n" +
		"arena_client: the arena says goodbye: that was all\n"
	if code != 0 || errors != want {
		t.Errorf("exit code %d, stderr\n%s", code, errors)
	}
}

func TestAPanicIsShownWithItsStack(t *testing.T) {
	fake := newFakeArena(t, func(link *fakeLink) error {
		link.welcome()
		link.start("a")
		link.ask("a 1")
		return link.expectFailure()
	})
	code, errors := runProgram(t, "panics", []string{"ARENA_ADDRESS=" + fake.address})
	if code != 1 || !strings.Contains(errors, "panic: assignment to entry in nil map\n") ||
		!strings.Contains(errors, "program_test.go:") ||
		!strings.Contains(errors, "arena_client: Decide() failed in <byzanz match a, seat 1 of 2>: assignment") {
		t.Errorf("exit code %d, stderr\n%s", code, errors)
	}
	if strings.Contains(errors, "call.go") || strings.Contains(errors, "runtime") {
		t.Errorf("the stack has more than the author's frames:\n%s", errors)
	}
}

func TestAProgramEndsWithTheCodeOfItsError(t *testing.T) {
	refusing := newFakeArena(t, func(link *fakeLink) error {
		link.read()
		return status.Error(codes.Unauthenticated, "unknown token")
	})
	for name, run := range map[string]struct {
		program     string
		environment []string
		code        int
		want        string
	}{
		"refused": {
			"first", []string{"ARENA_ADDRESS=" + refusing.address, "ARENA_TOKEN=hidden"},
			2, "arena_client: the arena rejected the token: unknown token (set ARENA_TOKEN",
		},
		"no address": {"first", nil, 2, "arena_client: no address: set ARENA_ADDRESS"},
		"no name":    {"nameless", []string{"ARENA_ADDRESS=unix:/nowhere"}, 2, "arena_client: the bot has no Name"},
		"no arena": {
			"first", []string{"ARENA_ADDRESS=unix:/nowhere", "ARENA_CONNECT_TIMEOUT=0.2"},
			3, "arena_client: no arena answers at unix:/nowhere (",
		},
	} {
		t.Run(name, func(t *testing.T) {
			code, errors := runProgram(t, run.program, run.environment)
			if code != run.code || !strings.HasPrefix(errors, run.want) || strings.Contains(errors, "hidden") {
				t.Errorf("exit code %d, stderr\n%s", code, errors)
			}
		})
	}
}

func TestHelpIsNoError(t *testing.T) {
	if code, errors := runProgram(t, "first", nil, "--help"); code != 0 || errors != "" {
		t.Errorf("exit code %d, stderr\n%s", code, errors)
	}
}

func TestASignalLeavesCleanly(t *testing.T) {
	for signal, code := range map[syscall.Signal]int{syscall.SIGTERM: 0, syscall.SIGINT: 130} {
		for _, program := range []string{"first", "busy"} {
			t.Run(program+" "+signal.String(), func(t *testing.T) {
				isAnswered := make(chan struct{})
				fake := newFakeArena(t, func(link *fakeLink) error {
					link.welcome()
					link.start("a")
					link.ask("a 1")
					if program == "first" {
						link.answers(1)
						close(isAnswered)
					}
					leave := link.read().GetLeave()
					if leave.GetFailed() || !strings.HasPrefix(leave.GetReason(), "stopped by SIG") {
						panic(leave)
					}
					return link.expectEnd()
				})
				launched := launch(t, program, []string{"ARENA_ADDRESS=" + fake.address})
				if program == "busy" {
					bufio.NewReader(launched.stdout).ReadString('\n')
				} else {
					<-isAnswered
				}
				launched.Process.Signal(signal)
				if got, errors := launched.wait(); got != code {
					t.Errorf("exit code %d, stderr\n%s", got, errors)
				}
			})
		}
	}
}

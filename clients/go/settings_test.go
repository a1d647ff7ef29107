package arena

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// read reads settings from flags and an environment.
func read(environment map[string]string, flags ...string) (Settings, error) {
	return ReadSettings(flags, func(variable string) string { return environment[variable] })
}

func TestEverySettingIsRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pem")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := read(map[string]string{
		"ARENA_ADDRESS": "arena.example:50051", "ARENA_TOKEN": "t",
		"ARENA_CA_FILE": file, "ARENA_CERT_FILE": file, "ARENA_KEY_FILE": file,
		"ARENA_CONNECT_TIMEOUT": "0", "ARENA_RESUME_TIMEOUT": "2.5",
	})
	want := Settings{
		Address: "arena.example:50051", Token: "t", TLS: true,
		CAFile: file, CertFile: file, KeyFile: file, ResumeTimeout: 2500 * time.Millisecond,
	}
	if err != nil || got != want {
		t.Errorf("read %+v, error %v", got, err)
	}
}

func TestFlagsCountMoreThanTheEnvironment(t *testing.T) {
	environment := map[string]string{"ARENA_ADDRESS": "localhost:1", "ARENA_TOKEN": "variable"}
	got, err := read(environment, "--token", "flag", "--address=[::1]:5", "--tls", "--resume-timeout", "1e300")
	if err != nil || got.Token != "flag" || got.Address != "[::1]:5" || !got.TLS || got.ResumeTimeout <= 0 {
		t.Errorf("read %+v, error %v", got, err)
	}
	if got.ConnectTimeout != 5*time.Second {
		t.Errorf("the default is %v", got.ConnectTimeout)
	}
}

func TestATokenIsNotPrinted(t *testing.T) {
	settings := Settings{Address: "a:5", Token: "hidden"}
	for _, text := range []string{fmt.Sprint(settings), fmt.Sprintf("%+v", settings), fmt.Sprintf("%#v", settings)} {
		if strings.Contains(text, "hidden") {
			t.Errorf("it is in %s", text)
		}
	}
}

func TestWrongSettingsAreRefused(t *testing.T) {
	for _, wrong := range []struct{ variable, text string }{
		{"ARENA_ADDRESS", ""},
		{"ARENA_ADDRESS", "http://localhost:5"},
		{"ARENA_ADDRESS", "localhost"},
		{"ARENA_ADDRESS", "localhost:99999"},
		{"ARENA_ADDRESS", "localhost:0"},
		{"ARENA_ADDRESS", "unix:"},
		{"ARENA_TOKEN", "broken\n"},
		{"ARENA_TOKEN", "\xff"},
		{"ARENA_TLS", "maybe"},
		{"ARENA_CA_FILE", "/nowhere/ca.pem"},
		{"ARENA_CERT_FILE", os.TempDir()},
		{"ARENA_CONNECT_TIMEOUT", "soon"},
		{"ARENA_CONNECT_TIMEOUT", "-1"},
		{"ARENA_RESUME_TIMEOUT", "nan"},
		{"ARENA_RESUME_TIMEOUT", "inf"},
	} {
		environment := map[string]string{"ARENA_ADDRESS": "localhost:5"}
		environment[wrong.variable] = wrong.text
		_, err := read(environment)
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(usage.Text, wrong.variable) {
			t.Errorf("%s=%q: %v", wrong.variable, wrong.text, err)
		}
	}
}

func TestACertificateNeedsItsKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cert")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := read(map[string]string{"ARENA_ADDRESS": "a:5", "ARENA_CERT_FILE": file})
	if err == nil || !strings.Contains(err.Error(), "ARENA_KEY_FILE") {
		t.Error(err)
	}
}

func TestWrongFlagsAreNamed(t *testing.T) {
	for _, arguments := range [][]string{{"--nope"}, {"nope"}, {"-address", "a:5"}, {"--address"}, {"--tls=1"}, {"--"}} {
		_, err := read(map[string]string{"ARENA_ADDRESS": "a:5"}, arguments...)
		name, _, _ := strings.Cut(arguments[0], "=")
		if ExitCode(err) != 2 || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: %v", arguments, err)
		}
	}
}

func TestHelpTellsOfEveryFlagAndVariable(t *testing.T) {
	text := help("bot")
	for _, flag := range flags {
		if !strings.Contains(text, "--"+flag.name+" ") || !strings.Contains(text, variable(flag.name)) {
			t.Errorf("--%s is missing in\n%s", flag.name, text)
		}
	}
}

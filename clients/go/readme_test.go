package arena_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheBotOfTheReadmeIsWhole(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(text), "```go\n")
	code, _, isThere := strings.Cut(code, "```")
	if !isThere {
		t.Fatal("there is none")
	}
	program := filepath.Join(t.TempDir(), "my_bot.go")
	if err := os.WriteFile(program, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	// As the SDK was built: all that it imports has been compiled.
	if output, err := exec.Command("go", "vet", "-trimpath", program).CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, output)
	}
}

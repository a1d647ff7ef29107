package arena_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// copyTree copies the files of a directory; {{name}} becomes the name of a bot.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		place, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, place)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, bytes.ReplaceAll(content, []byte("{{name}}"), []byte("my-bot")), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// project is where projects are made, one after the other: what the go tool has compiled for one is
// good for the next.
const project = "build/project"

// makeProject makes a project as arena init does.
func makeProject(t *testing.T, variant, game string) {
	t.Helper()
	if err := os.RemoveAll(project); err != nil {
		t.Fatal(err)
	}
	copyTree(t, "template/common", project)
	copyTree(t, filepath.Join("template", variant), project)
	description, err := os.ReadFile("sdk.toml")
	if err != nil {
		t.Fatal(err)
	}
	_, library, _ := strings.Cut(string(description), "\n[library]")
	for _, found := range regexp.MustCompile(`(?m)^    "(.+)",$`).FindAllStringSubmatch(library, -1) {
		copyTree(t, found[1], filepath.Join(project, "sdk", found[1]))
	}
	for _, sample := range []string{"match-started.binpb", "decisions.binpb"} {
		copyTree(t, filepath.Join(golden, game+"-"+sample), filepath.Join(project, "samples", sample))
	}
}

// goTool runs the go tool in the project.
func goTool(t *testing.T, arguments ...string) {
	t.Helper()
	command := exec.Command("go", arguments...)
	command.Dir = project
	command.Env = append(os.Environ(), "GOFLAGS=-trimpath") // as the SDK was built: gRPC is there
	if output, err := command.CombinedOutput(); err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(arguments, " "), err, output)
	}
}

func TestAProjectOfEachKindPassesItsTests(t *testing.T) {
	for variant, game := range map[string]string{
		"any": "byzanz", "byzanz": "byzanz", "schwarzmarkt": "schwarzmarkt",
	} {
		t.Run(variant, func(t *testing.T) {
			makeProject(t, variant, game)
			goTool(t, "test", "./...")
		})
	}
}

func TestTheBotOfTheReadmeIsWhole(t *testing.T) {
	makeProject(t, "byzanz", "byzanz")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(text), "```go\n")
	code, _, isThere := strings.Cut(code, "```")
	if !isThere {
		t.Fatal("there is none")
	}
	os.Remove(filepath.Join(project, "my_bot_test.go"))
	if err := os.WriteFile(filepath.Join(project, "my_bot.go"), []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	goTool(t, "vet", ".")
}

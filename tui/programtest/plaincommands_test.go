package programtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// onlyOnTheScreen are the society commands that plain mode does not have, and
// why.
var onlyOnTheScreen = map[string]string{
	"ChooseModel": "models are chosen in a list that shows their state",
	"DropWaiting": "the text goes back into the composer, which plain mode does not have",
	"EditRole":    "a prompt needs an editor",
	"MakeRole":    "a prompt needs an editor",
}

var answerMethod = regexp.MustCompile(`(?m)^func \((?:\w+ )?(\w+)\) answer\(`)

// societyCommands returns the commands to the society.
func societyCommands(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, s := range product(t) {
		if s.dir == "runtime/society" {
			text, err := os.ReadFile(filepath.Join(root, s.path))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range answerMethod.FindAllStringSubmatch(string(text), -1) {
				names = append(names, m[1])
			}
		}
	}
	if len(names) < 10 {
		t.Fatalf("the commands to the society are only %q", names)
	}
	return names
}

// A society command that the screen gives by itself, and not through the
// packages that plain mode has too, needs a reason.
func TestPlainModeHasTheSocietyCommandsOfTheScreen(t *testing.T) {
	t.Parallel()
	known := societyCommands(t)
	screen, both := map[string]position{}, map[string]bool{}
	for _, s := range product(t) {
		shared := slices.Contains([]string{"tui/action", "tui/agentcommand", "tui/plain"}, s.dir)
		if !shared && s.dir != "tui" && s.dir != "tui/page" && !strings.HasPrefix(s.dir, "tui/feature/") {
			continue
		}
		for _, x := range s.selectors {
			switch {
			case x.of != "society" || !slices.Contains(known, x.name):
			case shared:
				both[x.name] = true
			default:
				screen[x.name] = x.at
			}
		}
	}
	for name, at := range screen {
		if !both[name] && onlyOnTheScreen[name] == "" {
			t.Errorf("%s: plain mode does not have society.%s", at, name)
		}
	}
	for name := range onlyOnTheScreen {
		if _, used := screen[name]; !used || both[name] {
			t.Errorf("society.%s is not only on the screen", name)
		}
	}
}

package programtest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var update = flag.Bool("update", false, "write the picture of the screen in README.md")

// README shows the screen with a society at work, as the program drew it: -update
// takes the picture anew.
func TestREADMEShowsTheScreen(t *testing.T) {
	const (
		begin         = "<!-- picture: go test ./tui/programtest -run README -update -->\n```text\n"
		end           = "```"
		width, height = 110, 32
	)
	path := filepath.Join(root, "README.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	picture, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("README.md has no place for the picture after %q", begin)
	}
	if *update {
		picture = strings.Join(takePicture(t, width, height), "\n") + "\n"
		if err := os.WriteFile(path, []byte(before+begin+picture+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rows := strings.Split(strings.TrimSuffix(picture, "\n"), "\n")
	if len(rows) != height {
		t.Errorf("the picture has %d rows, want %d", len(rows), height)
	}
	for _, row := range rows {
		if ansi.StringWidth(row) > width {
			t.Errorf("wider than the screen: %s", row)
		}
	}
	if !shows(rows, "├── ", "analyst-1") || !stands(rows, "to: root") || !stands(rows, "offline demo model") {
		t.Errorf("no society is at work in\n%s", picture)
	}
}

// takePicture shows the society when its agents are at work and root waits.
func takePicture(t *testing.T, width, height int) []string {
	t.Helper()
	h := newHome(t, "[model]", slow)
	x := h.open(width, height).opened()
	x.press("2")
	x.sees("has to cook or clean.")
	x.press("enter")
	return x.until("all at work", func(rows []string) bool {
		return shows(rows, "◌", "root") && shows(rows, "├── ", "analyst-1") && shows(rows, "└── ", "checker-1") && stands(rows, "Meanwhile you can")
	})
}

package programtest

import (
	"bytes"
	"encoding/xml"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"society-tui/tui/screentest"
)

var update = flag.Bool("update", false, "take the pictures of the screen anew")

// README shows the built program's screen at three sizes with a working
// society, and what an agent asks; -update takes the pictures anew.
func TestREADMEShowsTheScreen(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	atWork := []string{"Still at work", "to: root"}
	for name, picture := range map[string]struct {
		width, height int
		take          func(t *testing.T, width, height int) []byte
		stand         []string
	}{
		"wide": {160, 45, takePicture, atWork}, "normal": {100, 30, takePicture, atWork}, "small": {60, 20, takePicture, atWork},
		"review": {100, 30, takeReview, []string{"Auditor (auditor-1)", "+# Review of the folder", "Allow once"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			width, height := picture.width, picture.height
			file := "tui/pictures/" + name + ".svg"
			if !bytes.Contains(readme, []byte("("+file+")")) {
				t.Errorf("README.md does not show %s", file)
			}
			path := filepath.Join(root, file)
			if *update {
				if err := os.WriteFile(path, picture.take(t, width, height), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			taken, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			rows := written(t, bytes.ReplaceAll(taken, []byte("\u00a0"), []byte(" "))) // it keeps several blanks
			if len(rows) < height/2 || len(rows) > height {
				t.Errorf("%d rows have letters, of %d", len(rows), height)
			}
			for _, row := range rows {
				if ansi.StringWidthWc(row) > width {
					t.Errorf("wider than the screen: %s", row)
				}
			}
			for _, text := range picture.stand {
				if !stands(rows, text) {
					t.Errorf("there is no %q in\n%s", text, strings.Join(rows, "\n"))
				}
			}
			if (name == "wide" || name == "normal") && !shows(rows, "├── ", "Planner") {
				t.Errorf("no society is at work in\n%s", strings.Join(rows, "\n"))
			}
		})
	}
}

// README is an introduction; longer texts are in tui/docs.
func TestREADMEIsShortAndItsLinksExist(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"README.md", "tui/README.md", "runtime/README.md"} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); file == "README.md" && n > 220 {
			t.Errorf("README.md has %d lines", n)
		}
		for _, m := range regexp.MustCompile("\\]\\(([^)#]+)\\)|`((?:llm|runtime|storage|themes|tui)/[\\w/.]+)`").FindAllStringSubmatch(string(text), -1) {
			path := filepath.Join(root, filepath.Dir(file), m[1])
			if m[2] != "" {
				path = filepath.Join(root, m[2])
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s names what is not there: %v", file, err)
			}
		}
	}
}

// takePicture draws the society when its agents are working and root waits.
func takePicture(t *testing.T, width, height int) []byte {
	t.Helper()
	h := newHome(t, "[model]", slow)
	h.env = append(h.env, "COLORTERM=truecolor")
	x := h.open(width, height).opened()
	x.example(1)
	x.sees("400 euros")
	x.press("enter")
	if width >= 140 {
		x.press("alt+3")
		x.sees("Inspector ·")
		x.press("alt+2", "esc")
	}
	x.until("all at work", func(rows []string) bool {
		agents := width < 80 || shows(rows, "├── ", "Planner") && shows(rows, "└── ", "Reviewer")
		return agents && stands(rows, "◌ waiting for ") && stands(rows, "Still at work: ")
	})
	return x.screen.Picture()
}

// takeReview draws the first request of the agents that review a folder.
func takeReview(t *testing.T, width, height int) []byte {
	t.Helper()
	h := newHome(t)
	h.env = append(h.env, "COLORTERM=truecolor")
	h.write("work/main.go", "package main\n\n// TODO: mend it\nfunc main() {\n}\n")
	x := h.open(width, height, "--template", "review", "--workspace", h.path("work"), "--mode", "ask").opened()
	x.example(1)
	x.sees("Review this folder")
	x.press("enter")
	x.sees("alt+a shows it")
	x.press("alt+a")
	x.sees("Allow once", "+# Review of the folder")
	return x.screen.Picture()
}

// written returns the rows of text in a picture, each letter in its column.
func written(t *testing.T, picture []byte) []string {
	t.Helper()
	var svg struct {
		Runs []struct {
			X    float64 `xml:"x,attr"`
			Y    int     `xml:"y,attr"`
			Text string  `xml:",chardata"`
		} `xml:"g>text"`
	}
	if err := xml.Unmarshal(picture, &svg); err != nil {
		t.Fatalf("no picture: %v", err)
	}
	var rows []string
	last := -1
	for _, run := range svg.Runs { // from the top, and from the left
		if run.Y != last {
			rows, last = append(rows, ""), run.Y
		}
		row := &rows[len(rows)-1]
		column := int(math.Round(run.X / screentest.CellWidth))
		*row += strings.Repeat(" ", max(column-ansi.StringWidthWc(*row), 0)) + run.Text
	}
	return rows
}

package dialog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/tui/cells"
)

func searchable() Dialog {
	return Dialog{
		Kind: "help", Title: "Keys", Wide: true,
		Buttons: []Button{{Label: "Close", Keys: []string{"f1", "?"}}},
		Search:  &Search{Nothing: "no line holds that"},
		Body: []Line{
			{Tone: Strong, Text: "Composer"},
			{Key: "enter", Text: "send"},
			{Key: "ctrl+j shift+enter", Text: "new line"},
			{},
			{Tone: Strong, Text: "Agents"},
			{Key: "i", Text: "interrupt"},
			{Key: "alt+4 … alt+6", Text: "open a pinned one", Also: "alt+5"},
			{Key: "T", Text: "terminate"},
			{},
			{Tone: Strong, Text: "Mouse"},
			{Key: "click", Text: "select"},
		},
	}
}

func seen(s *Stack, width, height int) string {
	rows, _, _ := s.Rows(width, height)
	return ansi.Strip(strings.Join(rows, "\n"))
}

// write types a text that is no key of the dialog.
func write(s *Stack, text string) {
	if text != "" {
		press(s, noon, strings.Split(text, "")...)
	}
}

// A text that matches nothing may be meant for somebody else: enter leaves it in view.
func TestEnterBehindASearchWithoutAMatchStays(t *testing.T) {
	t.Parallel()
	s := english()
	s.Open(searchable(), noon)
	if said := seen(s, 100, 30); !strings.Contains(said, "enter = Close") {
		t.Errorf("before a search is drawn\n%s", said)
	}
	write(s, "quick")
	if got := press(s, noon, "enter"); got != nil || !s.Shown() {
		t.Errorf("enter leads to %+v", got)
	}
	if said := seen(s, 100, 30); !strings.Contains(said, "quick") || !strings.Contains(said, "no line holds that") || !strings.Contains(said, "No match") || strings.Contains(said, "enter = Close") {
		t.Errorf("behind enter is drawn\n%s", said)
	}
	press(s, noon, "esc")
	if got := press(s, noon, "enter"); got == nil || s.Shown() {
		t.Errorf("without a search enter leads to %+v", got)
	}
}

func TestSearchKeepsMatchesBelowTheirHeadings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"NEW":       {"Composer, new line", "send Agents Mouse"},
		"agents":    {"Agents, interrupt, open a pinned one, terminate", "Composer Mouse"},
		"alt+5":     {"Agents, open a pinned one", "interrupt"},
		"t agents":  {"Agents, interrupt, open a pinned one, terminate", "send"},
		"terminate": {"Agents, terminate, 1/6", "interrupt"},
		"quick":     {"no line holds that, 0/6", "Agents"},
	} {
		s := english()
		s.Open(searchable(), noon)
		s.Rows(100, 30)
		write(s, text)
		got := seen(s, 100, 30)
		for _, w := range strings.Split(want[0], ", ") {
			if !strings.Contains(got, w) {
				t.Errorf("%q does not leave %q:\n%s", text, w, got)
			}
		}
		for _, w := range strings.Fields(want[1]) {
			if strings.Contains(got, w) {
				t.Errorf("%q leaves %q:\n%s", text, w, got)
			}
		}
	}
}

func TestEscShowsAllAgainBeforeItCloses(t *testing.T) {
	t.Parallel()
	s := english()
	s.Open(searchable(), noon)
	seen(s, 100, 10)
	s.Scroll(4)
	before := seen(s, 100, 10)
	if !strings.Contains(before, "Agents") || strings.Contains(before, "Composer") {
		t.Errorf("it is not scrolled to the agents:\n%s", before)
	}
	write(s, "q") // q is text here, though it closes lists
	if got := seen(s, 100, 10); !strings.Contains(got, "› q ") || !strings.Contains(got, "no line holds that") {
		t.Errorf("q is not searched for:\n%s", got)
	}
	write(s, "?") // so is the closing key, once something is typed
	if got := seen(s, 100, 10); !strings.Contains(got, "› q? ") {
		t.Errorf("the key that closes it is not searched for:\n%s", got)
	}
	if got := press(s, noon, "esc"); got != nil || seen(s, 100, 10) != before {
		t.Errorf("esc leads to %v and\n%s", got, seen(s, 100, 10))
	}
	write(s, " ")
	if got := press(s, noon, "?"); got == nil || s.Shown() {
		t.Errorf("Press(?) without a search = %v, Shown() = %v, want an answer and false", got, s.Shown())
	}
	s.Open(searchable(), noon)
	if got := press(s, noon, "a", "?", "backspace", "esc", "esc"); got == nil || s.Shown() {
		t.Errorf("second esc = %v, Shown() = %v, want an answer and false", got, s.Shown())
	}
}

func TestSearchFindsTextThatTheBodyDoesNotShow(t *testing.T) {
	t.Parallel()
	d := searchable()
	d.Search.In, d.Body = d.Body, Text("the first page")
	s := english()
	s.Open(d, noon)
	write(s, "pinned")
	if got := seen(s, 100, 30); !strings.Contains(got, "open a pinned one") || !strings.Contains(got, "1/6") || strings.Contains(got, "first page") {
		t.Errorf("drawn is\n%s", got)
	}
	press(s, noon, "esc")
	if got := seen(s, 100, 30); !strings.Contains(got, "the first page") {
		t.Errorf("the page is not there again:\n%s", got)
	}
}

func TestPastedTextIsSearchedFor(t *testing.T) {
	t.Parallel()
	s := english()
	s.Open(searchable(), noon)
	s.Paste("pinned")
	rows, _, _ := s.Rows(100, 30)
	if x, y, ok := s.Cursor(rows); !ok || y != 1 || x != cells.ByCodePoint.Width("│ › pinned") {
		t.Errorf("the cursor is at %d,%d, %v", x, y, ok)
	}
	if got := seen(s, 100, 30); !strings.Contains(got, "1/6") {
		t.Errorf("drawn is\n%s", got)
	}
}

// Property: whatever is typed and deleted, the frame and the columns stay in
// place, and esc shows all lines again.
func TestNothingMovesDuringASearch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(24, 160).Draw(t, "width"), rapid.IntRange(8, 40).Draw(t, "height")
		s := english()
		d := searchable()
		s.Open(d, noon)
		before := seen(s, width, height)
		for range rapid.IntRange(0, 3).Draw(t, "scrolled") {
			press(s, noon, "pgdown")
		}
		was := seen(s, width, height)
		text := rapid.StringMatching(`[a-e+5] ?[a-z]{0,3}`).Draw(t, "text")
		for i := range text {
			write(s, text[i:i+1])
			now := seen(s, width, height)
			if strings.Count(now, "\n") != strings.Count(before, "\n") {
				t.Fatalf("the frame changes its height from\n%s\nto\n%s", before, now)
			}
			for _, l := range d.Body {
				if l.Key == "" || !strings.Contains(now, l.Text) || !strings.Contains(before, l.Text) {
					continue
				}
				if a, b := columnOf(before, l.Text), columnOf(now, l.Text); a != b {
					t.Fatalf("%q goes from column %s to %s", l.Text, a, b)
				}
			}
		}
		if press(s, noon, "esc"); seen(s, width, height) != was {
			t.Fatalf("before was\n%s\nafter it is\n%s", was, seen(s, width, height))
		}
	})
}

// Property: a search fits any size, with the cursor inside.
func TestASearchFitsAnyScreen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := english()
		s.Open(searchable(), noon)
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			write(s, rapid.SampledFrom([]string{"", "e", "zz"}).Draw(t, "text"))
			width, height := rapid.IntRange(1, 130).Draw(t, "width"), rapid.IntRange(1, 20).Draw(t, "height")
			rows, x, y := s.Rows(width, height)
			atX, atY, shown := s.Cursor(rows)
			switch {
			case len(rows) == 0 && !shown:
			case x < 0 || y < 0 || y+len(rows) > height || x+cells.ByCodePoint.Width(rows[0]) > width:
				t.Fatalf("%d rows at %d,%d of %dx%d", len(rows), x, y, width, height)
			case shown && (atX >= cells.ByCodePoint.Width(rows[0]) || atY >= len(rows)):
				t.Fatalf("the cursor is at %d,%d of\n%s", atX, atY, strings.Join(rows, "\n"))
			}
		}
	})
}

func columnOf(shown, text string) string {
	for _, row := range strings.Split(shown, "\n") {
		if before, _, ok := strings.Cut(row, text); ok {
			return fmt.Sprint(cells.ByCodePoint.Width(before))
		}
	}
	return ""
}

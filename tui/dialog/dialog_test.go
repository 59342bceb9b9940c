package dialog

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/themes"
	"society-tui/tui/cells/cellstest"
	"society-tui/tui/highlight"
	"society-tui/tui/symbols"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func english() *Stack {
	return New(themes.Auto(color.Black), i18n.Printer{}, symbols.Set{})
}

// terminate is a dialog that names each agent; many is one that needs a number.
func terminate() Dialog {
	return Dialog{
		Kind: "terminate", Title: "Terminate research-lead?",
		Body: []Line{
			{Text: "Ends 5 agents and deletes their conversations. Cannot be undone."},
			{Agents: []Agent{{symbols.Thinking, "research-lead"}, {symbols.Thinking, "web-1"}, {symbols.Tool, "web-2"}, {symbols.Asks, "web-3"}, {symbols.Reported, "校对员-4"}}},
			{Text: "Lost: 1 running tool call, 2 waiting messages. Your inbox stays.", Tone: Warning},
		},
		Buttons: []Button{{Label: "Cancel"}, {Label: "Terminate 5", Keys: []string{"y"}, Grave: true}},
	}
}

func many() Dialog {
	d := terminate()
	d.Title, d.Number = "Terminate reviewers?", 213
	d.Body = Text("Ends 213 agents.")
	d.Buttons[1].Label = "Terminate 213"
	return d
}

func help() Dialog {
	d := Dialog{Kind: "help", Title: "Keys", Wide: true, Buttons: []Button{{Label: "Close"}}}
	for _, place := range []string{"Anywhere", "Agents", "Composer"} {
		d.Body = append(d.Body, Line{Text: place, Tone: Strong})
		for i := range 12 {
			d.Body = append(d.Body, Line{Key: fmt.Sprintf("ctrl+%c", 'a'+i), Text: "what it does, said in a sentence that may be too long for a narrow screen"})
		}
		d.Body = append(d.Body, Line{})
	}
	return d
}

// refresh updates the top dialog by f.
func refresh(s *Stack, f func(Dialog) (Dialog, bool)) {
	d := s.top()
	d.Again = func() (Dialog, bool) { return f(d.Dialog) }
	s.Refresh()
}

// choice returns the verb of the button that was taken.
func choice(d *Decided) string {
	verb, _, _ := strings.Cut(d.Label, " ")
	return strings.ToLower(verb)
}

func press(s *Stack, at time.Time, keys ...string) *Decided {
	codes := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
		"tab": {Code: tea.KeyTab}, "backspace": {Code: tea.KeyBackspace}, "end": {Code: tea.KeyEnd}, "pgdown": {Code: tea.KeyPgDown}, "pgup": {Code: tea.KeyPgUp},
		"ctrl+c": {Code: 'c', Mod: tea.ModCtrl},
	}
	for _, k := range keys {
		msg, ok := codes[k]
		if !ok {
			msg = tea.KeyPressMsg{Code: rune(k[0]), Text: k}
		}
		if cmd := s.Press(msg, at); cmd != nil {
			d := cmd().(Decided)
			return &d
		}
	}
	return nil
}

func TestDialogsMatchTheirGoldens(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]Dialog{"terminate": terminate(), "many": many(), "help": help()} {
		for _, size := range [][2]int{{160, 45}, {100, 30}, {60, 20}, {30, 8}} {
			for suffix, s := range map[string]*Stack{
				"":       english(),
				"-zh":    New(themes.Auto(color.White), i18n.Printer{Lang: protocol.Chinese}, symbols.Set{}),
				"-ascii": New(themes.Plain(), i18n.Printer{ASCII: true}, symbols.Set{ASCII: true}),
			} {
				s.Open(d, noon)
				if d.Number != 0 {
					press(s, noon, "2", "1")
				}
				rows, x, y := s.Rows(size[0], size[1])
				w := ansi.StringWidthWc(rows[0])
				if x < 0 || y < 0 || x+w > size[0] || y+len(rows) > size[1] {
					t.Errorf("%s of %dx%d at %d,%d does not fit %v", name, w, len(rows), x, y, size)
				}
				cellstest.Golden(t, fmt.Sprintf("%s-%dx%d%s", name, size[0], size[1], suffix), rows, w)
				if suffix == "-ascii" {
					cellstest.Colourless(t, rows)
				}
			}
		}
	}
}

func TestEnterTakesTheSafeAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"enter"}, "cancel"},
		{[]string{"esc"}, "cancel"},
		{[]string{"right", "esc"}, "cancel"},
		{[]string{"x", "space", "right", "enter"}, "terminate"},
		{[]string{"left", "enter"}, "terminate"},
		{[]string{"tab", "tab", "enter"}, "cancel"},
		{[]string{"y"}, "terminate"},
	} {
		s := english()
		s.Open(terminate(), noon)
		got := press(s, noon, c.keys...)
		if got == nil || choice(got) != c.want || s.Shown() {
			t.Errorf("%v leads to %+v, want %s", c.keys, got, c.want)
		}
	}
}

// A dialog may select another answer; esc takes the safe one all the same.
func TestEnterTakesTheSelectedAnswer(t *testing.T) {
	t.Parallel()
	d := Dialog{Buttons: []Button{{Label: "Close"}, {Label: "Test"}, {Label: "Edit"}}, Selected: 1}
	field := d
	field.Line = &Field{Label: "Name:", Most: 9}
	last := field
	last.Selected = 0
	for _, c := range []struct {
		dialog Dialog
		key    string
		want   string
	}{{d, "enter", "test"}, {d, "esc", "close"}, {field, "enter", "test"}, {field, "esc", "close"}, {last, "enter", "edit"}} {
		s := english()
		s.Open(c.dialog, noon)
		if got := press(s, noon, c.key); got == nil || choice(got) != c.want {
			t.Errorf("%s with button %d selected, a field: %t, leads to %+v, want %s", c.key, c.dialog.Selected, c.dialog.Line != nil, got, c.want)
		}
	}
}

func TestGraveButtonNeedsTheNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keys []string
		want string // "" for no answer
	}{
		{[]string{"y"}, ""},
		{[]string{"right", "enter"}, ""},
		{[]string{"enter"}, "cancel"},
		{[]string{"2", "1", "enter"}, ""}, // mistyped: no answer
		{[]string{"2", "1", "3", "4", "enter"}, ""},
		{[]string{"2", "1", "enter", "3", "enter"}, "terminate"},
		{[]string{"2", "1", "enter", "esc"}, "cancel"},
		{[]string{"2", "1", "enter", "right", "left", "enter"}, "cancel"},
		{[]string{"2", "1", "right", "enter"}, ""},
		{[]string{"2", "1", "3", "enter"}, "terminate"},
		{[]string{"2", "1", "4", "backspace", "3", "y"}, "terminate"},
		{[]string{"2", "1", "3", "esc"}, "cancel"},
	} {
		s := english()
		s.Open(many(), noon)
		got := press(s, noon, c.keys...)
		if c.want == "" && got != nil || c.want != "" && (got == nil || choice(got) != c.want) {
			t.Errorf("%v leads to %+v, want %q", c.keys, got, c.want)
		}
	}
	s := english()
	s.Open(many(), noon)
	press(s, noon, "2", "1")
	rows, _, _ := s.Rows(100, 30)
	x, y, ok := s.Cursor(rows)
	if row := []rune(ansi.Strip(rows[y])); !ok || string(row[x-2:x]) != "21" {
		t.Errorf("the cursor is at %d,%d of %q", x, y, string(row))
	}
}

func TestWrongNumberIsShownUntilItIsEdited(t *testing.T) {
	t.Parallel()
	for _, width := range []int{100, 30} {
		s := english()
		s.Open(many(), noon)
		said := func() bool {
			rows, _, _ := s.Rows(width, 30)
			return strings.Contains(ansi.Strip(strings.Join(rows, "\n")), "21 is not 213")
		}
		press(s, noon, "2", "1")
		if said() {
			t.Error("it is said before enter")
		}
		if press(s, noon, "enter"); !said() {
			t.Errorf("it is not said at width %d", width)
		}
		if press(s, noon, "3"); said() {
			t.Error("it is said of the right number")
		}
	}
}

func TestRefreshUpdatesAnOpenDialogAndKeepsInput(t *testing.T) {
	t.Parallel()
	s := english()
	s.Open(many(), noon)
	press(s, noon, "2", "1", "3")
	grown := many()
	grown.Number, grown.Buttons[1].Label = 214, "Terminate 214"
	refresh(s, func(Dialog) (Dialog, bool) { return grown, true })
	rows, _, _ := s.Rows(100, 30)
	if all := ansi.Strip(strings.Join(rows, "\n")); !strings.Contains(all, "Terminate 214") || !strings.Contains(all, "confirm: 213") {
		t.Errorf("it shows\n%s", all)
	}
	if got := press(s, noon, "y", "enter"); got != nil {
		t.Errorf("the number of before leads to %+v", got)
	}
	if got := press(s, noon, "backspace", "4", "enter"); got == nil || choice(got) != "terminate" {
		t.Errorf("the number of now leads to %+v", got)
	}

	s.Open(many(), noon)
	press(s, noon, "2", "1", "3", "left", "right")
	refresh(s, func(Dialog) (Dialog, bool) { return grown, true })
	if got := press(s, noon, "enter"); got == nil || choice(got) != "cancel" {
		t.Errorf("the button that waits for its number again leads to %+v", got)
	}

	s.Open(terminate(), noon)
	press(s, noon, "right")
	refresh(s, func(d Dialog) (Dialog, bool) { return d, true })
	if got := press(s, noon, "enter"); got == nil || choice(got) != "terminate" {
		t.Errorf("the chosen button leads to %+v", got)
	}
	s.Open(terminate(), noon)
	refresh(s, func(d Dialog) (Dialog, bool) { return d, false })
	if s.Shown() {
		t.Error("Shown() = true after Refresh closed the dialog, want false")
	}
}

func TestADialogDoesNotShrinkWhileItIsRead(t *testing.T) {
	t.Parallel()
	s := english()
	s.Open(terminate(), noon)
	before, _, y := s.Rows(100, 30)
	less := terminate()
	less.Body = less.Body[:2]
	refresh(s, func(Dialog) (Dialog, bool) { return less, true })
	if after, _, at := s.Rows(100, 30); len(after) != len(before) || at != y {
		t.Errorf("it had %d rows at %d and has %d at %d", len(before), y, len(after), at)
	}
	fresh := english()
	fresh.Open(less, noon)
	want, _, _ := fresh.Rows(90, 30)
	s.Rows(60, 30)
	if after, _, _ := s.Rows(90, 30); len(after) != len(want) {
		t.Errorf("at another width it has %d rows, want %d", len(after), len(want))
	}
}

func TestDialogThatOpensByItselfIgnoresKeysAtFirst(t *testing.T) {
	t.Parallel()
	s := english()
	d := terminate()
	d.Unasked = true
	s.Open(d, noon)
	if press(s, noon.Add(399*time.Millisecond), "y", "enter", "esc") != nil || !s.Shown() {
		t.Error("an unasked dialog acts on keys within its grace, want it to ignore them")
	}
	s.Rows(100, 30)
	if s.Click(50, s.top().buttonRow, noon) != nil {
		t.Error("Click() != nil within the grace of an unasked dialog, want nil")
	}
	if press(s, noon.Add(998*time.Millisecond), "y") != nil {
		t.Error("Press(y) != nil right behind letters within the grace, want it to ignore the rest of that text")
	}
	if press(s, noon.Add(1700*time.Millisecond), "y") == nil {
		t.Error("Press(y) = nil after a pause, want an answer")
	}
	s.Open(d, noon)
	if press(s, noon.Add(400*time.Millisecond), "y") == nil {
		t.Error("Press(y) = nil after the grace, want an answer")
	}
	s.Open(terminate(), noon)
	if press(s, noon, "y") == nil {
		t.Error("Press(y) = nil on a dialog that was asked for, want an answer at once")
	}
}

func TestDialogsStack(t *testing.T) {
	t.Parallel()
	s := english()
	s.Open(help(), noon)
	s.Open(terminate(), noon)
	s.Open(terminate(), noon)
	if s.Top() != "terminate" {
		t.Errorf("on top is %q", s.Top())
	}
	press(s, noon, "esc")
	if s.Top() != "help" {
		t.Errorf("beneath is %q", s.Top())
	}
	s.Open(terminate(), noon)
	s.Close("help")
	if press(s, noon, "esc"); s.Shown() {
		t.Errorf("%q is left", s.Top())
	}
	if rows, _, _ := s.Rows(100, 30); rows != nil || s.Press(tea.KeyPressMsg{Code: tea.KeyEnter}, noon) != nil {
		t.Error("an empty stack draws rows or answers a key, want neither")
	}
}

func TestALongBodyScrollsToItsEnd(t *testing.T) {
	t.Parallel()
	s := english()
	s.Open(help(), noon)
	said := map[string]bool{}
	s.Rows(60, 20)
	for range 20 {
		rows, _, _ := s.Rows(60, 20)
		for _, row := range rows {
			said[ansi.Strip(row)] = true
		}
		press(s, noon, "pgdown")
	}
	all := 0
	for row := range said {
		if strings.Contains(row, "ctrl+") {
			all++
		}
	}
	if all < 12 {
		t.Errorf("%d keys are to be seen", all)
	}
	last, _, _ := s.Rows(60, 20)
	press(s, noon, "pgdown", "end")
	if again, _, _ := s.Rows(60, 20); again[3] != last[3] {
		t.Errorf("row 3 after scrolling past the end = %q, want %q", again[3], last[3])
	}
}

func TestAButtonIsClicked(t *testing.T) {
	t.Parallel()
	s := english()
	s.Open(terminate(), noon)
	rows, _, _ := s.Rows(100, 30)
	for y, row := range rows {
		plain := ansi.Strip(row)
		at := strings.Index(plain, "[ Terminate 5 ]")
		if at < 0 {
			continue
		}
		x := ansi.StringWidthWc(plain[:at])
		if s.Click(x-1, y, noon) != nil || s.Click(x, y-1, noon) != nil {
			t.Error("Click() beside the button != nil, want nil")
		}
		cmd := s.Click(x, y, noon)
		if cmd == nil || cmd().(Decided).Label != "Terminate 5" {
			t.Error("Click() on the button does not send Decided of that button")
		}
		return
	}
	t.Fatal("there is no button")
}

func TestAnySizeHoldsADialog(t *testing.T) {
	t.Parallel()
	for _, d := range []Dialog{terminate(), many(), help(), searchable()} {
		s := english()
		s.Open(d, noon)
		for w := 120; w >= 0; w -= 3 {
			for h := 40; h >= 0; h -= 2 {
				rows, x, y := s.Rows(w, h)
				cx, cy, typing := s.Cursor(rows)
				if len(rows) == 0 {
					if typing {
						t.Fatalf("at %dx%d the cursor is at %d,%d of nothing", w, h, cx, cy)
					}
					continue
				}
				wide := ansi.StringWidthWc(rows[0])
				if typing && (cx < 0 || cy < 0 || cx >= wide || cy >= len(rows)) {
					t.Fatalf("at %dx%d the cursor is at %d,%d of %dx%d", w, h, cx, cy, wide, len(rows))
				}
				cellstest.Widths(t, rows, wide)
				if x < 0 || y < 0 || x+wide > w || y+len(rows) > h {
					t.Fatalf("%dx%d at %d,%d is more than %dx%d", wide, len(rows), x, y, w, h)
				}
				if plain := ansi.Strip(strings.Join(rows, "")); wide >= 24 && !strings.Contains(plain, "[ C") && !strings.Contains(plain, "[C") {
					t.Fatalf("at %dx%d there is no button:\n%s", w, h, ansi.Strip(strings.Join(rows, "\n")))
				}
			}
		}
	}
}

// Parts that stand out change neither the text nor its rows, wherever a row ends.
func TestSpansLeaveTheTextAsItIs(t *testing.T) {
	t.Parallel()
	s := english()
	text := "+x := \"短 say\" // wíde 🧑\u200d🚀 and more"
	line := func(spans ...highlight.Span) *Line { return &Line{Text: text, Exact: true, Tone: Good, Spans: spans} }
	comment := strings.Index(text, "//")
	for width := 1; width < 50; width++ {
		bare := s.layExact(line(), width)
		marked := s.layExact(line(highlight.Span{From: 1, To: 2, Is: highlight.Keyword}, highlight.Span{From: 6, To: comment - 1, Is: highlight.Literal}, highlight.Span{From: comment, To: len(text), Is: highlight.Comment}), width)
		cellstest.Widths(t, marked, width)
		for i := range bare {
			if got := ansi.Strip(marked[i]); got != ansi.Strip(bare[i]) {
				t.Errorf("in %d cells row %d is %q, want %q", width, i, got, ansi.Strip(bare[i]))
			}
		}
		if width > 2 && slices.Equal(bare, marked) {
			t.Errorf("in %d cells nothing stands out", width)
		}
	}
}

func TestADialogIsAsWideAsItsKeys(t *testing.T) {
	t.Parallel()
	s := english()
	s.Open(Dialog{
		Kind: "stopped", Title: "root is stopped", Body: Text("It reads nothing until it is resumed."),
		Buttons: []Button{{Label: "Keep the text"}, {Label: "Leave it there", Keys: []string{"l"}}, {Label: "Resume and send", Keys: []string{"y"}}},
	}, noon)
	widths := map[int]bool{}
	for range 3 {
		rows, _, _ := s.Rows(160, 45)
		widths[ansi.StringWidthWc(rows[0])] = true
		keys := ansi.Strip(rows[len(rows)-2])
		if strings.Contains(keys, "…") || !strings.Contains(keys, "esc cancel") {
			t.Errorf("the keys are %q", keys)
		}
		press(s, noon, "right")
	}
	if len(widths) != 1 {
		t.Errorf("the widths are %v", widths)
	}
	rows, _, _ := s.Rows(60, 20)
	if got := ansi.Strip(strings.Join(rows, "\n")); strings.Contains(got, "…") || !strings.Contains(got, "esc cancel") {
		t.Errorf("where it is narrow it is\n%s", got)
	}
}

func TestKeysAreNeverCut(t *testing.T) {
	t.Parallel()
	s := english()
	s.Open(Dialog{Title: "Keys", Wide: true, Buttons: []Button{{Label: "Close"}}, Body: []Line{
		{Key: "shift+enter alt+enter ctrl+j ctrl+o alt+n", Text: "begins a new line"},
	}}, noon)
	for _, width := range []int{160, 60} {
		rows, _, _ := s.Rows(width, 20)
		if got := ansi.Strip(strings.Join(rows, "\n")); !strings.Contains(got, "alt+n") || strings.Contains(got, "…") {
			t.Errorf("at %d it is\n%s", width, got)
		}
	}
}

// The usage of a command takes what the texts beside it leave, and breaks in no word.
func TestUsagesBreakBetweenWords(t *testing.T) {
	t.Parallel()
	s := english()
	const usage = "/approvals [once|task|agent|role|subtree|society]"
	s.Open(Dialog{Title: "Commands", Wide: true, Buttons: []Button{{Label: "Close"}}, Body: []Line{{Key: usage, Text: "What agents ask"}}}, noon)
	rows, _, _ := s.Rows(160, 20)
	if got := ansi.Strip(strings.Join(rows, "\n")); !strings.Contains(got, usage) {
		t.Errorf("at 160 it is\n%s", got)
	}
	rows, _, _ = s.Rows(60, 20)
	if got := ansi.Strip(strings.Join(rows, "\n")); !strings.Contains(got, "subtree| ") || !strings.Contains(got, "│ society]") {
		t.Errorf("at 60 it is\n%s", got)
	}
}

// The screen may be drawn thirty times a second behind a dialog.
func TestALongBodyIsWrappedOnceForManyFrames(t *testing.T) {
	of := func(lines int) float64 {
		s, d := english(), terminate()
		d.Body = nil
		for range lines {
			d.Body = append(d.Body, Line{Text: strings.Repeat("what is to be read, ", 10)})
		}
		s.Open(d, noon)
		return testing.AllocsPerRun(20, func() { // AllocsPerRun draws once before it counts
			refresh(s, func(d Dialog) (Dialog, bool) { return d, true })
			s.Rows(100, 30)
		})
	}
	if few, many := of(100), of(3000); many > few+5 {
		t.Errorf("a frame takes %.0f allocations with a body of 3000 lines, and %.0f with 100", many, few)
	}
}

func TestBodyIsLaidOutAgainWhenTextOrThemeChanges(t *testing.T) {
	t.Parallel()
	s := english()
	s.Open(terminate(), noon)
	drawn := func() string { // drawn returns the body without the frame.
		row := strings.Join(first(s.Rows(100, 30)), "\n")
		row = row[:strings.Index(row, "Ends 5")]
		return row[strings.LastIndex(row, "\x1b["):]
	}
	before := drawn()
	s.SetTheme(themes.Auto(color.White), symbols.Set{})
	if drawn() == before {
		t.Errorf("in another theme the body is drawn with %q still", before)
	}
	refresh(s, func(d Dialog) (Dialog, bool) {
		d.Body = Text("Ends nobody.")
		return d, true
	})
	if got := seen(s, 100, 30); !strings.Contains(got, "Ends nobody.") || strings.Contains(got, "Ends 5") {
		t.Errorf("it says\n%s", got)
	}
}

func first(rows []string, _, _ int) []string { return rows }

// Unusable text makes a question deaf for a pause; other keys, and the digits
// of a requested number, always work.
func TestOnlyLettersAreDeafBehindText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dialog Dialog
		keys   []string
		after  time.Duration
		then   string
		want   string // "" for no answer
	}{
		{terminate(), []string{"T"}, 0, "y", ""},
		{terminate(), []string{" ", "k"}, 0, "y", ""}, // nothing to scroll
		{terminate(), []string{"T"}, Pause - 1, "y", ""},
		{terminate(), []string{"T"}, Pause, "y", "terminate"},
		{terminate(), []string{"T"}, 0, "enter", "cancel"},
		{terminate(), []string{"T", "right"}, 0, "enter", "terminate"},
		{terminate(), []string{"right", "T"}, 0, "enter", ""},
		{terminate(), []string{"right", "T"}, Pause, "enter", "terminate"},
		{many(), []string{"2", "1", "x", "3"}, Pause, "enter", "terminate"},
		{many(), []string{"2", "1", "3", "x"}, 0, "y", ""},
	} {
		s := english()
		s.Open(c.dialog, noon)
		s.Rows(100, 30)
		if got := press(s, noon, c.keys...); got != nil {
			t.Errorf("%v leads to %+v", c.keys, got)
		}
		got := press(s, noon.Add(c.after), c.then)
		if c.want == "" && got != nil || c.want != "" && (got == nil || choice(got) != c.want) {
			t.Errorf("%s, %s behind %v, leads to %+v, want %q", c.then, c.after, c.keys, got, c.want)
		}
	}
	s := english()
	s.Open(many(), noon)
	press(s, noon, "T")
	rows, _, _ := s.Rows(100, 30)
	if said := ansi.Strip(strings.Join(rows, "\n")); !s.Deaf() || !strings.Contains(said, "then press 0-9 or esc") {
		t.Errorf("behind text is drawn\n%s", said)
	}
	s = english()
	scrolled := terminate()
	scrolled.Body = help().Body
	s.Open(scrolled, noon)
	s.Rows(100, 20)
	if got := press(s, noon, "j", "y"); got == nil || choice(got) != "terminate" {
		t.Errorf("y behind a j that scrolls leads to %+v", got)
	}
}

// A key that answers nothing is told from one that came too soon, until the next key.
func TestAKeyThatAnswersNothingIsNamed(t *testing.T) {
	t.Parallel()
	s := english()
	s.Open(Dialog{Title: "web-1 asks", Report: true, Buttons: []Button{{Label: "Later"}, {Label: "Allow once", Keys: []string{"o"}}, {Label: "Deny", Keys: []string{"d"}}}}, noon)
	rows, _, _ := s.Rows(100, 30)
	press(s, noon, "y")
	s.Listen(noon.Add(10 * Pause))
	shown, _, _ := s.Rows(100, 30)
	if said := ansi.Strip(strings.Join(shown, "\n")); len(shown) != len(rows) || !strings.Contains(said, "│ Not y: o Allow once · d Deny") {
		t.Errorf("behind y is drawn\n%s", said)
	}
	press(s, noon.Add(10*Pause), "x", "o")
	if said := seen(s, 100, 30); strings.Contains(said, "Not ") || !strings.Contains(said, "Too soon: ") {
		t.Errorf("behind o right after x is drawn\n%s", said)
	}
	press(s, noon.Add(20*Pause), "right")
	if said := seen(s, 100, 30); strings.Contains(said, "Not ") || strings.Contains(said, "Too soon: ") {
		t.Errorf("behind an arrow is drawn\n%s", said)
	}
}

// The keys of the answers come first also where all keys fit in one row.
func TestKeysOfDialogsOfOneKindHaveOneOrder(t *testing.T) {
	t.Parallel()
	for _, more := range []int{0, 4} {
		s := english()
		d := Dialog{Title: "web-1 asks", Report: true, Buttons: []Button{{Label: "Later"}, {Label: "Allow", Keys: []string{"o"}}, {Label: "Deny", Keys: []string{"d"}}}}
		for i := range more {
			d.Buttons = append(d.Buttons, Button{Label: strings.Repeat("wide", 5), Keys: []string{string(rune('p' + i))}})
		}
		s.Open(d, noon)
		rows, _, _ := s.Rows(100, 30)
		if text := ansi.Strip(strings.Join(rows, "")); strings.Index(text, "o Allow") > strings.Index(text, "enter = Later") {
			t.Errorf("enter comes before the answers:\n%s", ansi.Strip(strings.Join(rows, "\n")))
		}
	}
}

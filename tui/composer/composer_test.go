package composer

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/cells/cellstest"
	"society-tui/tui/symbols"
)

// view returns the drawn rows as one text.
func view(r *Model, width, height int) string { return strings.Join(r.Rows(width, height), "\n") }

func english() *Model {
	r := New(themes.Auto(color.Black), i18n.Printer{}, symbols.Set{})
	r.Focus(true)
	return r
}

func press(r *Model, keys ...tea.KeyPressMsg) {
	for _, k := range keys {
		r.Update(k)
	}
}

var (
	left      = tea.KeyPressMsg{Code: tea.KeyLeft}
	right     = tea.KeyPressMsg{Code: tea.KeyRight}
	home      = tea.KeyPressMsg{Code: tea.KeyHome}
	backspace = tea.KeyPressMsg{Code: tea.KeyBackspace}
	remove    = tea.KeyPressMsg{Code: tea.KeyDelete}
)

func ctrl(c rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: c, Mod: tea.ModCtrl} }

func sent(t *testing.T, r *Model) Submitted {
	t.Helper()
	cmd := r.Enter()
	if cmd == nil {
		t.Fatal("Enter() = nil, want a Submitted")
	}
	return cmd().(Submitted)
}

func TestComposerMatchesItsGoldens(t *testing.T) {
	t.Parallel()
	write := func(r *Model) {
		r.Show(Recipient{Agent: "web-3", Name: "web-3", Asks: true, Waiting: 1})
		r.Type("Please also list the page numbers\nand use British spelling. 第七章用第二版 👩‍🚀 and a tab\there")
	}
	for name, draw := range map[string]func(*Model){
		"written":  write,
		"empty":    func(r *Model) { r.FirstRun(true) },
		"inbox":    func(r *Model) { r.Show(Recipient{Agent: society.User}); r.Type("hello") },
		"pasted":   func(r *Model) { r.Type("see "); r.Type(strings.Repeat("a line\n", 30_000)); r.Type(" and answer") },
		"searched": func(r *Model) { r.Type("the old text"); r.Enter(); r.Type("old"); r.Search() },
	} {
		for _, size := range [][2]int{{160, 5}, {100, 5}, {60, 4}, {30, 2}, {20, 1}} {
			for suffix, r := range map[string]*Model{
				"":       english(),
				"-zh":    New(themes.Auto(color.White), i18n.Printer{Lang: protocol.Chinese}, symbols.Set{}),
				"-ascii": New(themes.Plain(), i18n.Printer{ASCII: true}, symbols.Set{ASCII: true}),
			} {
				draw(r)
				rows := r.Rows(size[0], size[1])
				if len(rows) != size[1] {
					t.Errorf("%s at %v has %d rows", name, size, len(rows))
				}
				cellstest.Golden(t, fmt.Sprintf("%s-%dx%d%s", name, size[0], size[1], suffix), rows, size[0])
				if suffix == "-ascii" {
					cellstest.Colourless(t, rows)
				}
			}
		}
	}
}

func TestEnterSendsOnceAndMakesALineBehindABackslash(t *testing.T) {
	t.Parallel()
	r := english()
	if r.Enter() != nil {
		t.Error("Enter() != nil without text, want nil")
	}
	r.Type(" \n ")
	if r.Enter() != nil {
		t.Error("Enter() != nil for blanks, want nil")
	}
	r.Clear()
	r.Type(`one\`)
	if r.Enter() != nil {
		t.Error("Enter() != nil after a backslash, want nil")
	}
	r.Type("two")
	r.Newline()
	r.Type(`three\four`)
	if got := sent(t, r); got != (Submitted{To: society.Root, Text: "one\ntwo\nthree\\four"}) {
		t.Errorf("sent %+v", got)
	}
	if !r.Empty() || r.Enter() != nil {
		t.Errorf("after Enter the text is %q, want none to send again", r.Text())
	}
}

func TestWritingToTheInboxIsWritingToRoot(t *testing.T) {
	t.Parallel()
	r := english()
	r.Show(Recipient{Agent: society.User, Name: "you"})
	r.Type("hello")
	if top := ansi.Strip(r.Rows(100, 5)[0]); !strings.Contains(top, "to: root (messages to yourself go to root)") {
		t.Errorf("the border says %q", top)
	}
	if got := sent(t, r); got.To != society.Root {
		t.Errorf("sent to %s", got.To)
	}
}

func TestEachRecipientKeepsItsDraftAcrossRestarts(t *testing.T) {
	t.Parallel()
	r := english()
	r.Type("to root")
	r.Show(Recipient{Agent: "web-1", Name: "web-1"})
	r.Type("to web-1")
	r.Show(Recipient{Agent: society.Root, Name: "root"})
	if r.Text() != "to root" {
		t.Errorf("root's draft is %q", r.Text())
	}
	again := english()
	for _, agent := range r.Changed() {
		kept, err := r.Export(agent)
		if err != nil {
			t.Fatal(err)
		}
		text, err := TextOf(kept)
		if again.Replace(agent, text); err != nil {
			t.Fatal(err)
		}
	}
	if r.Changed() != nil {
		t.Error("second Changed() != nil, want nil")
	}
	again.Show(Recipient{Agent: "web-1", Name: "web-1"})
	if again.Text() != "to web-1" {
		t.Errorf("web-1's draft is %q", again.Text())
	}
	sent(t, again)
	if kept, err := again.Export("web-1"); kept != nil || err != nil {
		t.Errorf("after sending %q is kept, %v", kept, err)
	}
	if _, err := TextOf([]byte("{")); err == nil {
		t.Error("Import({) = nil, want an error")
	}
}

func TestRefusedTextComesBackBeforeNewerText(t *testing.T) {
	t.Parallel()
	r := english()
	r.Show(Recipient{Agent: "web-1", Name: "web-1"})
	r.Type("first")
	got := sent(t, r)
	r.Type("second")
	r.Show(Recipient{Agent: "web-2", Name: "web-2"})
	r.Restore(got.To, got.Text)
	if !r.Empty() {
		t.Errorf("draft of another recipient = %q, want none", r.Text())
	}
	r.Show(Recipient{Agent: "web-1", Name: "web-1"})
	if r.Text() != "first\nsecond" {
		t.Errorf("the draft is %q", r.Text())
	}
}

func TestLargePasteIsOneBlockAndSentWhole(t *testing.T) {
	t.Parallel()
	r := english()
	big := strings.Repeat("a line of seventy bytes or so, to be pasted many times over again\n", 30_000)
	r.Type("see: ")
	r.Update(tea.PasteMsg{Content: strings.ReplaceAll(big, "\n", "\r")})
	r.Type(" thanks")
	if got := ansi.Strip(view(r, 100, 5)); !strings.Contains(got, "see: [pasted 2.0 MB, 30,000 lines: attached as a file] thanks") {
		t.Errorf("it is shown as\n%s", got)
	}
	one := english()
	one.Update(tea.PasteMsg{Content: strings.Repeat("x", 150_000)})
	if got := ansi.Strip(view(one, 100, 5)); !strings.Contains(got, "[pasted 150.0 kB, 1 line: attached as a file]") {
		t.Errorf("one line is shown as\n%s", got)
	}
	if r.Text() != "see: "+big+" thanks" {
		t.Errorf("Text() has %d bytes, want %d", len(r.Text()), len("see: "+big+" thanks"))
	}
	press(r, home)
	for range 6 {
		press(r, right)
	}
	press(r, backspace)
	if r.Text() != "see:  thanks" {
		t.Errorf("the block does not go as one: %d bytes", len(r.Text()))
	}
	r.Bring()
	r.Clear()
	r.Type(big)
	if got := sent(t, r); got.Text != big {
		t.Errorf("sent %d bytes, want %d", len(got.Text), len(big))
	}
	r.Up()
	if r.Text() != big {
		t.Errorf("history has %d bytes, want %d", len(r.Text()), len(big))
	}
}

func TestSmallPasteIsTextAndSendsNothing(t *testing.T) {
	t.Parallel()
	r := english()
	if cmd := r.Update(tea.PasteMsg{Content: "one\r\ntwo\rthree\n"}); cmd != nil {
		t.Error("Update(paste) != nil, want nil")
	}
	if r.Text() != "one\ntwo\nthree\n" {
		t.Errorf("the text is %q", r.Text())
	}
}

func TestKeysEditGraphemeClusters(t *testing.T) {
	t.Parallel()
	for _, step := range []struct {
		write string
		keys  []tea.KeyPressMsg
		want  string
	}{
		{"a👩‍🚀b", []tea.KeyPressMsg{left, backspace}, "ab"},
		{"ae\u0301", []tea.KeyPressMsg{backspace}, "a"},
		{"第七章", []tea.KeyPressMsg{left, left, remove}, "第章"},
		{"one two  three", []tea.KeyPressMsg{ctrl('w'), ctrl('w')}, "one "},
		{"one two", []tea.KeyPressMsg{ctrl('a'), {Code: 'd', Mod: tea.ModAlt}}, " two"},
		{"one\ntwo", []tea.KeyPressMsg{home, backspace}, "onetwo"},
		{"one\ntwo", []tea.KeyPressMsg{home, left, remove}, "onetwo"},
		{"one\ntwo", []tea.KeyPressMsg{home, left, left, ctrl('k')}, "on\ntwo"},
		{"one two", []tea.KeyPressMsg{{Code: tea.KeyLeft, Mod: tea.ModCtrl}, ctrl('u')}, "two"},
		{"a", []tea.KeyPressMsg{left, left, backspace, {Code: 'x', Text: "x"}, right, right, remove}, "xa"},
		{"", []tea.KeyPressMsg{{Code: tea.KeyEnd, Text: "end"}}, "end"},
	} {
		r := english()
		r.Type(step.write)
		press(r, step.keys...)
		if r.Text() != step.want {
			t.Errorf("%q became %q, want %q", step.write, r.Text(), step.want)
		}
	}
}

func TestHostilePasteReachesTheRecipientAndNotTheTerminal(t *testing.T) {
	t.Parallel()
	r := english()
	hostile := "a\x1b]52;c;eA==\x07b\u202ec\x00\u200bd"
	r.Update(tea.PasteMsg{Content: hostile})
	rows := r.Rows(60, 5)
	cellstest.Widths(t, rows, 60)
	for _, bad := range []string{"\x1b]", "\x07", "\u202e", "\x00", "\u200b"} {
		if strings.Contains(strings.Join(rows, ""), bad) {
			t.Errorf("%q reaches the terminal", bad)
		}
	}
	if r.Text() != hostile {
		t.Errorf("the text became %q", r.Text())
	}
}

func TestCursorIsBehindTypedText(t *testing.T) {
	t.Parallel()
	for _, step := range []struct {
		write string
		x, y  int
	}{
		{"", 2, 1},
		{"abc", 5, 1},
		{"第七章", 8, 1},
		{"e\u0301👩‍🚀", 7, 1}, // the terminal adds up the cells of the parts
		{"one\ntwo", 5, 2},
		{strings.Repeat("x", 16), 18, 1},
		{strings.Repeat("x", 18), 3, 2},
		{"thirteen cells wide", 6, 2},
		{strings.Repeat("一", 9), 4, 2},
		{"1\n2\n3\n4\n5\n6", 3, 4},
	} {
		r := english()
		r.Type(step.write)
		if x, y := r.Cursor(20, 5); x != step.x || y != step.y {
			t.Errorf("behind %q it is at %d,%d, want %d,%d", step.write, x, y, step.x, step.y)
		}
	}
}

func TestRowsOfATextBeginWithAWholeCharacter(t *testing.T) {
	t.Parallel()
	const family = "👨\u200d👩\u200d👧\u200d👦"
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"word", " ", "第", "👍🏽", family, "🇩🇪"}), 1, 20).Draw(t, "text"), "")
		width := rapid.IntRange(8, 30).Draw(t, "width")
		for _, m := range []cells.Measure{cells.ByCodePoint, cells.ByCluster} {
			r := New(themes.Plain(), i18n.Printer{}, symbols.Set{Measure: m})
			r.Type(text)
			whole := map[int]bool{}
			for at := 0; at < len(text); at += len(cluster(text[at:])) {
				whole[at] = true
			}
			for _, at := range r.draft.rows(0, width) {
				if !whole[at] {
					t.Fatalf("%q in %d cells by %d is broken at %d", text, width, m, at)
				}
			}
		}
	})
}

func TestTextIsWrappedAndNeverChanged(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := english()
		width := rapid.IntRange(1, 40).Draw(t, "width")
		height := rapid.IntRange(1, 7).Draw(t, "height")
		chars := rapid.SampledFrom([]string{"a", " ", "\n", "第", "é", "e\u0301", "👩‍🚀", "\t", "word", "\x1b[31m", "ب", "🇩🇪"})
		want := ""
		keys := []func(){
			func() {
				press(r, left)
			},
			func() {
				press(r, right)
			},
			r.Up, r.Down,
		}
		for _, c := range rapid.SliceOfN(chars, 0, 60).Draw(t, "chars") {
			r.Type(c)
			want += c
		}
		if r.Text() != want {
			t.Fatalf("%q became %q", want, r.Text())
		}
		for _, k := range rapid.SliceOfN(rapid.IntRange(0, len(keys)-1), 0, 20).Draw(t, "keys") {
			keys[k]()
			d := r.draft
			if d.text.row >= len(d.text.lines) || d.text.col > len(d.text.line().s) || d.text.col < 0 {
				t.Fatalf("the cursor is at %d,%d", d.text.row, d.text.col)
			}
			x, y := r.Cursor(width, height)
			if x < 0 || x > max(width, 1) || y < 0 || y >= height {
				t.Fatalf("at %dx%d the cursor is drawn at %d,%d", width, height, x, y)
			}
		}
		if r.Text() != want {
			t.Fatalf("moving changed %q to %q", want, r.Text())
		}
		rows := r.Rows(width, height)
		if len(rows) != height {
			t.Fatalf("%d rows, want %d", len(rows), height)
		}
		for _, row := range rows {
			if ansi.StringWidthWc(row) != width {
				t.Fatalf("row %q is not %d cells wide", row, width)
			}
		}
	})
}

func BenchmarkKeyInALargeText(b *testing.B) {
	r := english()
	r.Type(strings.Repeat("some words in a line of text that is wrapped 第七章\n", 1500))
	r.Rows(100, 5)
	b.ReportAllocs()
	for b.Loop() {
		press(r, tea.KeyPressMsg{Code: 'x', Text: "x"})
		r.Rows(100, 5)
		press(r, backspace)
		r.Rows(100, 5)
	}
}

func BenchmarkKeyInALongLine(b *testing.B) {
	r := english()
	r.Type(strings.Repeat("some words in a line ", 4000))
	b.ReportAllocs()
	for b.Loop() {
		press(r, tea.KeyPressMsg{Code: 'x', Text: "x"})
		r.Rows(100, 5)
		press(r, backspace)
	}
}

func TestLongTextShowsHiddenRows(t *testing.T) {
	t.Parallel()
	r := english()
	r.Type("one\ntwo\nthree\nfour\nfive")
	rule := func(width, height int) string { return ansi.Strip(r.Rows(width, height)[0]) }
	if got := rule(100, 4); !strings.Contains(got, "↑ 2 more") || strings.Contains(got, "↓") {
		t.Errorf("at the end the rule is %s", got)
	}
	for range 3 {
		r.Up()
	}
	if got := rule(100, 4); !strings.Contains(got, "↑ 1 more") || !strings.Contains(got, "↓ 1 more") {
		t.Errorf("in the middle the rule is %s", got)
	}
	r.Up()
	if got := rule(100, 4); strings.Contains(got, "↑") || !strings.Contains(got, "↓ 2 more") {
		t.Errorf("at the beginning the rule is %s", got)
	}
	if got := rule(40, 2); !strings.Contains(got, "↓ 4 more") {
		t.Errorf("in one row the rule is %s", got)
	}
	if got := rule(100, 8); strings.Contains(got, "more") {
		t.Errorf("where all is seen the rule is %s", got)
	}
}

func TestALongPasteIsAFileOfTheTextWhereverThatGoes(t *testing.T) {
	t.Parallel()
	lines := strings.Repeat("line\n", 1000)
	bytes := strings.Repeat("x", 64<<10+1)
	for _, paste := range []string{lines, bytes, strings.Repeat("第七章\r\n", 1000)} {
		r := english()
		r.Type("see: ")
		r.Update(tea.PasteMsg{Content: paste})
		r.Type(" and @a.go")
		kept, err := r.Export(society.Root)
		if err != nil {
			t.Fatal(err)
		}
		said, files := r.Pastes(sent(t, r).Text)
		clean := strings.ReplaceAll(paste, "\r\n", "\n")
		if said != "see: [pasted-1.txt] and @a.go" || len(files) != 1 || files[0] != (Pasted{"pasted-1.txt", clean}) {
			t.Fatalf("it goes as %.80q with %d files", said, len(files))
		}
		shows := func(when string, r *Model) {
			t.Helper()
			if got := ansi.Strip(view(r, 100, 5)); !strings.Contains(got, "see: [pasted ") || !strings.Contains(got, "attached as a file] and @a.go") {
				t.Errorf("%s it is shown as\n%s", when, got)
			}
		}
		r.Restore(society.Root, r.WrittenAs(said))
		shows("withdrawn", r)
		r.Clear()
		r.Restore(society.Root, "see: "+clean+" and @a.go")
		shows("refused", r)
		r.Clear()
		r.Up()
		shows("from the history", r)
		again := english()
		again.Learn(kept)
		text, err := TextOf(kept)
		if err != nil {
			t.Fatal(err)
		}
		again.Replace(society.Root, text)
		shows("after a restart", again)
		if said, files := again.Pastes(again.Text()); said != "see: [pasted-1.txt] and @a.go" || len(files) != 1 || files[0].Text != clean {
			t.Errorf("after a restart it goes as %.80q with %d files", said, len(files))
		}
	}
	r := english()
	r.Update(tea.PasteMsg{Content: lines[:len(lines)-5]})
	if said, files := r.Pastes(r.Text()); len(files) != 0 || said != r.Text() {
		t.Errorf("999 lines are %d files", len(files))
	}
	r.Learn([]byte(`{"text":"abc","pasted":[[-1,2],[1,9],[2,0]]}`)) // damaged
	if len(r.pasted) != 0 {
		t.Errorf("learnt %q", r.pasted)
	}
}

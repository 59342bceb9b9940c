package conversation_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/runtime"
	stored "society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/cells/cellstest"
	"society-tui/tui/conversation"
)

// SCREEN.md checks 19 and 20.
func TestNothingMovesWhileThePersonIsElsewhere(t *testing.T) {
	t.Parallel()
	sh := many(40)
	r := opened(plainly(), sh)
	r.Rows(80, 24)
	r.Up()
	if r.Following() {
		t.Fatal("a line up does not end following")
	}
	r.PageUp()
	before := r.Rows(80, 24)
	draft := runtime.Draft{Agent: society.Root, Step: 9, Last: now}
	for i := range 10000 {
		draft.Text += fmt.Sprintf("word%d ", i)
		if i%40 == 0 {
			draft.Text += "\n\n"
		}
		if i%100 == 0 {
			r.Stream(society.Root, draft, true)
			rows := r.Rows(80, 24)
			if !slices.Equal(rows[1:22], before[1:22]) {
				t.Fatalf("the rows were\n%s\nand are\n%s", text(before), text(rows))
			}
		}
	}
	sh.say(r, stored.Entry{Kind: stored.Answer, From: "root", Text: draft.Text})
	r.Stream(society.Root, runtime.Draft{}, false)
	rows := r.Rows(80, 24)
	if !slices.Equal(rows[1:22], before[1:22]) {
		t.Error("the stored answer moves the rows")
	}
	shows(t, rows, "new lines · end to follow")
	r.Follow()
	shows(t, r.Rows(80, 24), "word9999", "following")
}

func TestAFinishedAnswerIsNeitherMissingNorDoubled(t *testing.T) {
	t.Parallel()
	sh := many(4)
	r := opened(plainly(), sh)
	draft := answering()
	r.Stream(society.Root, draft, true)
	shows(t, r.Rows(80, 40), "Next I will ask")

	// The answer is stored, then the draft goes, then the page comes.
	sh.entries = append(sh.entries, stored.Entry{Slot: sh.next(), Kind: stored.Answer, From: "root", Text: draft.Text, At: at(4, 4)})
	r.Changed(society.Root, sh.next()-1)
	r.Stream(society.Root, runtime.Draft{}, false)
	if n := strings.Count(text(r.Rows(80, 40)), "Next I will ask"); n != 1 {
		t.Errorf("before the page it is shown %d times", n)
	}
	sh.feed(r)
	if n := strings.Count(text(r.Rows(80, 40)), "Next I will ask"); n != 1 {
		t.Errorf("after the page it is shown %d times", n)
	}
	hides(t, r.Rows(80, 40), "streaming")

	// A draft that comes to nothing goes at once.
	r.Stream(society.Root, runtime.Draft{Agent: society.Root, Step: 5, Text: "never mind"}, true)
	r.Stream(society.Root, runtime.Draft{}, false)
	hides(t, r.Rows(80, 40), "never mind")
}

func TestAnotherAttemptBeginsAnew(t *testing.T) {
	t.Parallel()
	r := opened(plainly(), many(2))
	d := runtime.Draft{Agent: society.Root, Step: 5, Text: "first attempt", Last: now}
	r.Stream(society.Root, d, true)
	d.Attempt, d.Text = 1, "second"
	r.Stream(society.Root, d, true)
	rows := r.Rows(80, 30)
	shows(t, rows, "second")
	hides(t, rows, "first attempt")
	d.Last = now.Add(-20 * time.Second)
	r.Stream(society.Root, d, true)
	shows(t, r.Rows(80, 30), "no data for 20s")
	d.Text, d.Tool, d.Last = "", "send_message", now
	d.Step++
	r.Stream(society.Root, d, true)
	shows(t, r.Rows(80, 30), "writes a call: send_message")
}

// SCREEN.md check 21.
func TestFoldsAndPlaceSurviveLeavingAndARestart(t *testing.T) {
	t.Parallel()
	sh := everything()
	r := opened(plainly(), sh)
	r.Focus(true)
	r.Top()
	for range 40 {
		if strings.Contains(under(r), "▸ web_fetch") {
			break
		}
		r.Down()
		r.Rows(90, 16)
	}
	r.Toggle()
	want := r.Rows(90, 16)
	shows(t, want, "▾ web_fetch", "the page does not exist")

	r.Show("web-3", "web-3")
	r.Rows(90, 16)
	r.Show(society.Root, "root · planner")
	r.Row(root())
	sh.feed(r)
	if got := r.Rows(90, 16); !slices.Equal(got, want) {
		t.Errorf("after leaving it is\n%s\nit was\n%s", text(got), text(want))
	}

	kept, err := r.Export()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := r.Export(); !bytes.Equal(kept, again) {
		t.Errorf("the same view is written as %s and as %s", kept, again)
	}
	for _, drawnFirst := range []bool{true, false} {
		fresh := newRoom(plainly())
		fresh.Focus(true)
		if err := fresh.Import(kept); err != nil {
			t.Fatal(err)
		}
		fresh.Show(society.Root, "root · planner")
		fresh.Row(root())
		if drawnFirst {
			fresh.Rows(90, 16)
		}
		sh.feed(fresh)
		if got := fresh.Rows(90, 16); !slices.Equal(got, want) {
			t.Errorf("after a restart it is\n%s\nit was\n%s", text(got), text(want))
		}
		if again, _ := fresh.Export(); !bytes.Equal(kept, again) {
			t.Errorf("it was kept as %s and is as %s", kept, again)
		}
	}
	if err := newRoom(plainly()).Import([]byte("{")); err == nil {
		t.Error("a broken view is taken")
	}
}

// under returns the row under the cursor.
func under(r *conversation.Room) string {
	for _, row := range r.Rows(90, 16) {
		if strings.Contains(row, "›") {
			return ansi.Strip(row)
		}
	}
	return ""
}

func TestAConversationIsReadFromItsEnd(t *testing.T) {
	t.Parallel()
	sh := many(3000)
	r := opened(plainly(), sh)
	if len(sh.asked) != 1 || sh.asked[0] != (conversation.Need{Agent: society.Root, From: 2600}) {
		t.Fatalf("at first it read %v", sh.asked)
	}
	shows(t, r.Rows(80, 24), "answer number 2999")
	r.Top()
	before := r.Rows(80, 24)
	shows(t, before, "question number 2600")
	sh.feed(r)
	if last := sh.asked[len(sh.asked)-1]; last != (conversation.Need{Agent: society.Root, From: 2400, Upto: 2600}) {
		t.Fatalf("at the top it read %v", last)
	}
	if after := r.Rows(80, 24); !slices.Equal(after[2:23], before[2:23]) {
		t.Errorf("older messages moved\n%s\nto\n%s", text(before), text(after))
	}
	for range 100 {
		r.PageUp()
		r.Rows(80, 24)
		sh.feed(r)
	}
	for range 400 {
		r.Top()
		r.Rows(80, 24)
		sh.feed(r)
	}
	shows(t, r.Rows(80, 24), "question number 0")
	r.Follow()
	sh.say(r, stored.Entry{Kind: stored.Answer, From: "root", Text: "and on"})
	sh.asked = nil
	r.Top()
	sh.feed(r)
	if len(sh.asked) == 0 {
		t.Error("what was scrolled back to is still in memory")
	}
}

func TestWhatIsReadIsAskedForOnce(t *testing.T) {
	t.Parallel()
	sh := many(10)
	r := newRoom(plainly())
	r.Show(society.Root, "root · planner")
	r.Row(root())
	need, ok := r.Need()
	if _, again := r.Need(); !ok || again {
		t.Fatal("it is asked for twice")
	}
	r.Changed(society.Root, 4) // while it is on its way
	page := sh.page(need)
	page.Entries = page.Entries[:5]
	r.Extend(need, page)
	if need, ok = r.Need(); !ok || need.From != 4 || need.Upto != 0 {
		t.Fatalf("the change is asked for with %v", need)
	}
	r.Extend(need, sh.page(need))
	shows(t, r.Rows(80, 60), "answer number 9")
	if need, ok := r.Need(); ok {
		t.Errorf("it needs %v for nothing", need)
	}
	r.Extend(conversation.Need{Agent: "unknown"}, runtime.Page{})
	r.Forget(society.Root)
	if _, ok := r.Need(); ok {
		t.Error("it needs something of an agent that is gone")
	}
	cellstest.Widths(t, r.Rows(50, 10), 50)
}

// SCREEN.md check 25.
func TestAHugeResultIsCutUntilAskedFor(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("x", 49) + "\n"
	sh := &shelf{entries: []stored.Entry{
		{Slot: 0, Kind: stored.Answer, From: "root", Calls: []stored.Call{call("a", "read_file", `{"path":"big.log"}`)}},
		result(1, "a", stored.OK, strings.Repeat(line, 5<<20/len(line)), time.Second),
	}}
	r := opened(plainly(), sh)
	row := root()
	row.State = society.Idle
	r.Row(row)
	r.Rows(80, 24)
	r.Toggle()
	r.Rows(80, 24)
	r.Follow()
	shows(t, r.Rows(80, 24), "+104,657 lines")
	began := time.Now()
	r.Toggle()
	hides(t, r.Rows(80, 24), "+104,657 lines")
	for range 50 {
		r.PageDown()
		r.Rows(80, 24)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("showing it whole took %v", took)
	}
	r.Follow()
	shows(t, r.Rows(80, 24), strings.Repeat("x", 49))
	r.Toggle()
	shows(t, r.Rows(80, 24), "▸ read_file")
}

func TestAHugeMessageIsCutUntilAskedFor(t *testing.T) {
	t.Parallel()
	sh := &shelf{entries: []stored.Entry{{Slot: 0, Kind: stored.Answer, From: "root", Text: strings.Repeat("word ", 2<<20/5)}}}
	r := opened(plainly(), sh)
	row := root()
	row.State = society.Idle
	r.Row(row)
	shows(t, r.Rows(80, 24), "+1.8 MB")
	r.Toggle()
	r.Follow()
	hides(t, r.Rows(80, 24), "+1.8 MB")
}

// SCREEN.md check 26, RELIABILITY.md hostile cases 1, 2 and 5.
func TestHostileTextNeitherCommandsNorMisaligns(t *testing.T) {
	t.Parallel()
	parts := []string{
		"\x1b]52;c;aGk=\x07", "\x1b[2J", "\x1b[6n", "\x1bP1$r\x1b\\", "\x1bc", "\u009b31m", "\x1b]0;", "\u202e", "\u2066", "\U000e0041",
		"\r", "\n", "\t", "\b", "e" + strings.Repeat("\u0301", 50), "👩\u200d🚀", "第七章", "مرحبا", "\u200b", "**", "`", "| a |\n|---|\n", "word ", "```\n", "> ", "\xff",
	}
	rapid.Check(t, func(t *rapid.T) {
		hostile := func(name string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, name), "")
		}
		sh := &shelf{
			entries: []stored.Entry{
				{Slot: 0, Kind: stored.Inbound, From: "user", To: "root", Body: hostile("body")},
				{Slot: 1, Kind: stored.Inbound, From: hostile("from"), To: hostile("to"), Type: hostile("type"), Body: hostile("message")},
				{
					Slot: 2, Kind: stored.Answer, Text: hostile("text"), Reasoning: hostile("thought"), Cause: hostile("cause"),
					Calls: []stored.Call{{ID: "a", Name: hostile("tool"), Arguments: hostile("arguments"), Problem: hostile("problem")}, call("b", "x", `{"to":"`+strings.NewReplacer("\n", "", "\\", "", "\"", "", "\x1b", `\u001b`, "\r", "", "\t", "", "\b", "", "\a", "").Replace(hostile("to"))+`"}`)},
				},
				result(3, "a", stored.OK, hostile("result"), time.Second),
				{Slot: 4, Kind: stored.Notice, Text: hostile("notice"), Cause: hostile("class")},
				{Slot: 5, Kind: stored.Aborted, Cause: hostile("why"), Tokens: 3},
				{Slot: 6, Kind: stored.Summary, Text: hostile("summary")},
			},
			waiting: []runtime.Waiting{{Seq: 1, From: "web-3", Body: hostile("waiting")}},
		}
		r := opened(plainly(), sh)
		r.Stream(society.Root, runtime.Draft{Agent: society.Root, Text: hostile("draft"), Thought: hostile("thinking"), Tool: hostile("calling")}, true)
		width := rapid.IntRange(1, 100).Draw(t, "width")
		for range 3 {
			r.CycleDetail()
			for _, row := range r.Rows(width, 200) {
				if w := ansi.StringWidth(row); w != width {
					t.Fatalf("%q is %d cells, want %d", row, w, width)
				}
				for _, c := range ansi.Strip(row) {
					if unicode.IsControl(c) || c == 0x202e || c == 0x2066 {
						t.Fatalf("%q holds %U", row, c)
					}
				}
				for rest := row; ; {
					_, after, found := strings.Cut(rest, "\x1b")
					if !found {
						break
					}
					if end := strings.IndexFunc(after, unicode.IsLetter); end < 0 || after[end] != 'm' || strings.Trim(after[:end], "[0123456789;") != "" {
						t.Fatalf("%q holds a sequence that sets no style", row)
					}
					rest = after
				}
			}
		}
	})
}

// SCREEN.md check 3.
func TestAnySizeAndAnyOrderOfMovesIsDrawn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sh := everything()
		if rapid.Bool().Draw(t, "many") {
			sh = many(rapid.IntRange(0, 700).Draw(t, "n"))
		}
		r := opened(plainly(), sh)
		r.Focus(true)
		draft := answering()
		w, h := 80, 24
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			moves := []func(){
				r.Up, r.Down, r.PageUp, r.PageDown, r.HalfUp, r.HalfDown, r.Top, r.Follow, r.Toggle, r.PrevMessage, r.NextMessage,
				func() { r.CycleDetail() },
				func() { r.Scroll(rapid.IntRange(-9, 9).Draw(t, "wheel")) },
				func() {
					r.Click(rapid.IntRange(0, w).Draw(t, "x"), rapid.IntRange(0, h).Draw(t, "y"), w)
				},
				func() { w, h = rapid.IntRange(0, 120).Draw(t, "w"), rapid.IntRange(0, 60).Draw(t, "h") },
				func() { sh.say(r, stored.Entry{Kind: stored.Answer, From: "root", Text: "more\nand more"}) },
				func() { draft.Text += " words\n\n- and"; r.Stream(society.Root, draft, true) },
				func() { r.Stream(society.Root, runtime.Draft{}, false) },
				func() { r.Open(rapid.Bool().Draw(t, "open")) },
				func() { r.Show("web-3", "web-3"); r.Rows(w, h); r.Show(society.Root, "root · planner"); r.Row(root()) },
				func() { r.CopyText(); r.CopyCode() },
			}
			moves[rapid.IntRange(0, len(moves)-1).Draw(t, "move")]()
			sh.feed(r)
			rows := r.Rows(w, h)
			if w > 0 && len(rows) != h {
				t.Fatalf("%d rows at %dx%d", len(rows), w, h)
			}
			for _, row := range rows {
				if got := ansi.StringWidth(row); got != w {
					t.Fatalf("%q is %d cells, want %d", row, got, w)
				}
			}
			if again := r.Rows(w, h); !slices.Equal(rows, again) {
				t.Fatalf("drawn twice it is\n%s\nand\n%s", text(rows), text(again))
			}
		}
		r.Follow()
		want := opened(plainly(), sh)
		want.Focus(true)
		w, h = 80, 24
		r.Open(false)
		got := r.Rows(w, h)
		if !strings.Contains(text(got), "following") && len(sh.entries) > 0 {
			t.Fatalf("it does not follow:\n%s", text(got))
		}
		want.Rows(w, h)
	})
}

func TestWhatIsCopiedIsWhatWasSaid(t *testing.T) {
	t.Parallel()
	sh := everything()
	sh.waiting = nil
	r := opened(plainly(), sh)
	row := root()
	row.State = society.Idle
	r.Row(row)
	r.Rows(90, 40)
	if got := r.CopyText(); got != "One table it is:\n\n```\na | b\n```" {
		t.Errorf("copied %q", got)
	}
	if got := r.CopyCode(); got != "a | b\n" {
		t.Errorf("copied the code %q", got)
	}
	if got, ok := r.LastAnswer(society.Root); !ok || !strings.HasPrefix(got, "One table") {
		t.Errorf("the last answer is %q", got)
	}
	r.PrevMessage()
	r.Rows(90, 40)
	if got := r.CopyText(); got != "go on" {
		t.Errorf("copied %q", got)
	}
	r.PrevMessage()
	r.Rows(90, 40)
	if got := r.CopyText(); !strings.HasPrefix(got, "Review the 12 chapters") {
		t.Errorf("copied %q", got)
	}
	r.NextMessage()
	r.NextMessage()
	if !r.Following() {
		t.Error("behind the last message it does not follow")
	}
}

func TestAClickOnASignUnfolds(t *testing.T) {
	t.Parallel()
	r := opened(plainly(), everything())
	rows := r.Rows(90, 70)
	y := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "▸ web_fetch") })
	r.Click(50, y, 90)
	hides(t, r.Rows(90, 70), "404 Not Found")
	r.Click(4, y, 90)
	shows(t, r.Rows(90, 70), "▾ web_fetch", "404 Not Found")
	r.Click(4, y, 90)
	hides(t, r.Rows(90, 70), "404 Not Found")
}

// The hot paths, for reading: SCREEN.md 6.
func BenchmarkStreamFrame(b *testing.B) {
	sh := many(400)
	r := opened(coloured(), sh)
	d := runtime.Draft{Agent: society.Root, Step: 1, Last: now}
	var whole strings.Builder
	whole.WriteString(strings.Repeat("a paragraph of an answer that goes on for a while and then some\n\n", 500))
	for b.Loop() {
		whole.WriteString("word ")
		if whole.Len()%70 == 0 {
			whole.WriteString("\n")
		}
		d.Text = whole.String()
		r.Stream(society.Root, d, true)
		r.Rows(112, 40)
	}
}

func BenchmarkScrollLine(b *testing.B) {
	r := opened(coloured(), many(400))
	up := true
	for i := 0; b.Loop(); i++ {
		if i%200 == 0 {
			up = !up
		}
		if up {
			r.Up()
		} else {
			r.Down()
		}
		r.Rows(112, 40)
	}
}

func BenchmarkOpen(b *testing.B) {
	sh := many(400)
	for b.Loop() {
		r := opened(coloured(), sh)
		r.Rows(112, 40)
	}
}

func BenchmarkResize(b *testing.B) {
	r := opened(coloured(), many(400))
	for i := 0; b.Loop(); i++ {
		r.Rows(80+i%40, 40)
	}
}

func BenchmarkOpenWithAFiveMegabyteResult(b *testing.B) {
	line := strings.Repeat("x", 49) + "\n"
	sh := &shelf{entries: []stored.Entry{
		{Slot: 0, Kind: stored.Answer, From: "root", Calls: []stored.Call{call("a", "read_file", `{"path":"big.log"}`)}},
		result(1, "a", stored.OK, strings.Repeat(line, 5<<20/len(line)), time.Second),
	}}
	row := root()
	row.State = society.Idle
	open := func() *conversation.Room {
		r := opened(coloured(), sh)
		r.Row(row)
		r.Rows(112, 40)
		return r
	}
	b.Run("folded", func(b *testing.B) {
		for b.Loop() {
			open()
		}
	})
	b.Run("unfolded", func(b *testing.B) {
		for b.Loop() {
			r := open()
			r.Toggle()
			r.Rows(112, 40)
		}
	})
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			r := open()
			r.CycleDetail()
			r.Rows(112, 40)
		}
	})
	r := open()
	r.CycleDetail()
	r.Rows(112, 40)
	b.Run("page of the whole", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if i%100 == 0 {
				r.Follow()
			}
			r.PageUp()
			r.Rows(112, 40)
		}
	})
}

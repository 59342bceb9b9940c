package transcript_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/runtime/api"
	stored "society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/cells/cellstest"
	"society-tui/tui/transcript"
)

func TestVisibleRowsStayWhileScrolledBack(t *testing.T) {
	t.Parallel()
	sh := many(40)
	r := opened(plainly(), sh)
	r.Rows(80, 24)
	r.Up()
	if r.Following() {
		t.Fatal("Following() = true after Up, want false")
	}
	r.PageUp()
	before := r.Rows(80, 24)
	draft := api.Draft{Agent: society.Root, Step: 9, Last: now}
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
	r.Stream(society.Root, api.Draft{}, false)
	rows := r.Rows(80, 24)
	if !slices.Equal(rows[1:22], before[1:22]) {
		t.Errorf("rows after the stored answer =\n%s\nwant\n%s", strings.Join(rows[1:22], "\n"), strings.Join(before[1:22], "\n"))
	}
	shows(t, rows, "new lines · end to follow")
	if last := len(rows) - 1; !r.IsBadge(last) || r.IsBadge(last-1) {
		t.Error("the row of the badge, which a click follows, is not the last")
	}
	r.Follow()
	shows(t, r.Rows(80, 24), "word9999", "following")
}

func TestFinishedAnswerIsShownExactlyOnce(t *testing.T) {
	t.Parallel()
	sh := many(4)
	r := opened(plainly(), sh)
	draft := answering()
	r.Stream(society.Root, draft, true)
	shows(t, r.Rows(80, 40), "Next I will ask")

	// The answer is stored, then the draft goes, then the page comes.
	sh.entries = append(sh.entries, stored.Entry{Slot: sh.next(), Kind: stored.Answer, From: "root", Text: draft.Text, At: at(4, 4)})
	r.Changed(society.Root, sh.next()-1)
	r.Stream(society.Root, api.Draft{}, false)
	if n := strings.Count(text(r.Rows(80, 40)), "Next I will ask"); n != 1 {
		t.Errorf("before the page it is shown %d times", n)
	}
	sh.feed(r)
	if n := strings.Count(text(r.Rows(80, 40)), "Next I will ask"); n != 1 {
		t.Errorf("after the page it is shown %d times", n)
	}
	hides(t, r.Rows(80, 40), "streaming")

	// A draft that produces no answer is removed at once.
	r.Stream(society.Root, api.Draft{Agent: society.Root, Step: 5, Text: "never mind"}, true)
	r.Stream(society.Root, api.Draft{}, false)
	hides(t, r.Rows(80, 40), "never mind")
}

func TestAnotherAttemptBeginsAnew(t *testing.T) {
	t.Parallel()
	r := opened(plainly(), many(2))
	d := api.Draft{Agent: society.Root, Step: 5, Text: "first attempt", Last: now}
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
	shows(t, r.Rows(80, 30), "writing a call: send_message")
}

func TestFoldsAndPositionSurviveARestart(t *testing.T) {
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
		t.Error("Import({) = nil, want an error")
	}
}

// under returns the text of the row under the cursor.
func under(r *transcript.Model) string {
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
	if len(sh.asked) != 1 || sh.asked[0] != (transcript.PageRequest{Agent: society.Root, From: 2600}) {
		t.Fatalf("at first it read %v", sh.asked)
	}
	shows(t, r.Rows(80, 24), "answer number 2999")
	for len(sh.asked) == 1 {
		r.PageUp()
		before := r.Rows(80, 24)
		sh.feed(r)
		if after := r.Rows(80, 24); !slices.Equal(after[2:23], before[2:23]) {
			t.Fatalf("older messages moved\n%s\nto\n%s", text(before), text(after))
		}
	}
	if last := sh.asked[len(sh.asked)-1]; last != (transcript.PageRequest{Agent: society.Root, From: 2400, Upto: 2600}) {
		t.Fatalf("near the top it read %v", last)
	}
	r.Top()
	sh.feed(r)
	shows(t, r.Rows(80, 24), "question number 0")
	r.Follow()
	sh.say(r, stored.Entry{Kind: stored.Answer, From: "root", Text: "and on"})
	sh.asked = nil
	r.Top()
	sh.feed(r)
	if len(sh.asked) == 0 {
		t.Error("no page was requested on return: old entries were not trimmed")
	}
}

func TestEachPageIsRequestedOnce(t *testing.T) {
	t.Parallel()
	sh := many(10)
	r := newRoom(plainly())
	r.Show(society.Root, "root · planner")
	r.Row(root())
	need, ok := r.PageRequest()
	if _, again := r.PageRequest(); !ok || again {
		t.Fatalf("PageRequest: ok = %v, again = %v, want true, then false", ok, again)
	}
	r.Changed(society.Root, 4) // while it is being read
	page := sh.page(need)
	page.Entries = page.Entries[:5]
	r.Extend(need, page)
	if need, ok = r.PageRequest(); !ok || need.From != 4 || need.Upto != 0 {
		t.Fatalf("the change is asked for with %v", need)
	}
	r.Extend(need, sh.page(need))
	shows(t, r.Rows(80, 60), "answer number 9")
	if need, ok := r.PageRequest(); ok {
		t.Errorf("it needs %v for nothing", need)
	}
	r.Extend(transcript.PageRequest{Agent: "unknown"}, api.Entries{})
	r.Forget(society.Root)
	if _, ok := r.PageRequest(); ok {
		t.Error("PageRequest for a forgotten agent, want none")
	}
	cellstest.Widths(t, r.Rows(50, 10), 50)
}

func TestAnyMovesAtAnySizeAreDrawn(t *testing.T) {
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
				func() { r.Stream(society.Root, api.Draft{}, false) },
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
				if got := ansi.StringWidthWc(row); got != w {
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
		got := r.Rows(w, h)
		if !strings.Contains(text(got), "following") && len(sh.entries) > 0 {
			t.Fatalf("it does not follow:\n%s", text(got))
		}
		want.Rows(w, h)
	})
}

// The marked rows are what would be copied, wherever the cursor is, also on the
// row with the agent's current state. Without focus nothing is marked.
func TestRowsThatWouldBeCopiedAreMarked(t *testing.T) {
	t.Parallel()
	ascii := plainly()
	ascii.set.ASCII = true
	for marks, s := range map[string]style{"›▏": plainly(), ">:": ascii} {
		r := opened(s, many(40))
		marked := func() string {
			var said []string
			for _, row := range r.Rows(90, 14)[1:13] {
				cut := []rune(ansi.Strip(row))
				if strings.ContainsRune(marks, cut[0]) {
					said = append(said, strings.Trim(string(cut[1:]), "▌| "))
				}
			}
			return strings.Join(said, "\n")
		}
		if said := marked(); said != "" {
			t.Errorf("without the keys is marked %q", said)
		}
		r.Focus(true)
		for range 30 {
			said := marked()
			if words := strings.Split(r.CopyText(), "\n"); !strings.Contains(said, words[len(words)-1]) || strings.Count(said, "number") > 1 {
				t.Fatalf("copied is %q, marked %q in\n%s", r.CopyText(), said, text(r.Rows(90, 14)))
			}
			r.Up()
		}
	}
}

func TestCopiedTextIsTheMessage(t *testing.T) {
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
		t.Error("Following() = false after the last message, want true")
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

package composer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
)

func TestClearedTextComesBack(t *testing.T) {
	t.Parallel()
	r := english()
	if r.Clear() {
		t.Error("Clear() = true for an empty composer, want false")
	}
	r.Type("precious")
	r.Clear()
	if !r.Empty() {
		t.Errorf("Text() = %q after Clear, want none", r.Text())
	}
	r.Type("new ")
	r.Bring()
	if r.Text() != "new precious" {
		t.Errorf("the text is %q", r.Text())
	}
	r.Clear()
	r.Up()
	r.Up()
	if r.Text() != "precious" {
		t.Errorf("the history gives %q", r.Text())
	}
	press(r, ctrl('u'))
	r.Bring()
	if r.Text() != "precious" {
		t.Errorf("what was cut comes back as %q", r.Text())
	}
}

// Clearing a text of the history leaves an empty composer, and brings back what the user wrote.
func TestClearingATextOfTheHistoryClearsTheDraftToo(t *testing.T) {
	t.Parallel()
	for name, visit := range map[string]func(*Model){
		"ctrl+r": func(r *Model) { r.Search(); r.EndSearch() },
		"up":     (*Model).Up,
	} {
		r := english()
		r.Type("plan the trip")
		sent(t, r)
		r.Type("plan")
		visit(r)
		if !r.Clear() || !r.Empty() || r.Unsent() != 0 {
			t.Errorf("%s: after Clear() the text is %q and there are %d drafts, want none", name, r.Text(), r.Unsent())
		}
		r.Bring()
		if r.Text() != "plan" {
			t.Errorf("%s: Bring() gives %q, want the draft", name, r.Text())
		}
		r.Clear()
		r.Up()
		visit(r)
		press(r, ctrl('e'))
		r.Type(" again")
		shown := r.Text()
		r.Clear()
		r.Up()
		if r.Text() != shown {
			t.Errorf("%s: of an edited text of the history is left %q, want %q", name, r.Text(), shown)
		}
	}
}

func TestHistoryNeverOverwritesAnUnsentDraft(t *testing.T) {
	t.Parallel()
	r := english()
	for _, s := range []string{"one", "two", "two", "three"} {
		r.Type(s)
		sent(t, r)
	}
	r.Type("draft")
	var seen []string
	for range 5 {
		r.Up()
		seen = append(seen, r.Text())
	}
	if got := strings.Join(seen, " "); got != "three two one one one" {
		t.Errorf("up shows %s", got)
	}
	r.Type("!")
	r.Down()
	r.Up()
	if r.Text() != "one!" {
		t.Errorf("the changed entry became %q", r.Text())
	}
	for range 5 {
		r.Down()
	}
	if r.Text() != "draft" {
		t.Errorf("down leads to %q", r.Text())
	}
	r.Up()
	if got := sent(t, r); got.Text != "three" || r.Text() != "draft" {
		t.Errorf("sent %q, left is %q", got.Text, r.Text())
	}
	kept, err := r.ExportHistory()
	if err != nil {
		t.Fatal(err)
	}
	again := english()
	if err := again.ImportHistory(kept); err != nil {
		t.Fatal(err)
	}
	again.Up()
	if again.Text() != "three" {
		t.Errorf("after a restart up shows %q", again.Text())
	}
}

func TestSearchGoesThroughTheHistory(t *testing.T) {
	t.Parallel()
	r := english()
	for _, s := range []string{"check chapter 1", "write prose", "Check chapter 2"} {
		r.Type(s)
		sent(t, r)
	}
	r.Type("check")
	for _, want := range []string{"Check chapter 2", "check chapter 1"} {
		if !r.Search() || r.Text() != want {
			t.Errorf("found %q, want %q", r.Text(), want)
		}
	}
	if r.Search() || r.Text() != "check chapter 1" {
		t.Errorf("past the oldest there is %q", r.Text())
	}
	r.Down()
	r.Down()
	r.Down()
	if r.Text() != "check" {
		t.Errorf("back leads to %q", r.Text())
	}
}

func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	var h history
	for i := range 1000 {
		h.add(written{Text: strings.Repeat("x", 10_000) + fmt.Sprint(i)})
	}
	if h.bytes > historyBytes || len(h.entries) > historyMost || len(h.entries) < 100 {
		t.Errorf("%d entries of %d bytes", len(h.entries), h.bytes)
	}
	h.add(written{Text: strings.Repeat("y", 2*historyBytes)})
	if len(h.entries) != 1 || h.next() != 1001 {
		t.Errorf("a huge text leaves %d entries up to %d", len(h.entries), h.next())
	}
}

// Texts to a removed agent are forgotten, wherever they are in the history.
func TestHistoryForgetsTextsToRemovedAgents(t *testing.T) {
	t.Parallel()
	r := english()
	write := func(to society.AgentID, texts ...string) {
		r.Show(Recipient{Agent: to, Name: string(to)})
		for _, s := range texts {
			r.Type(s)
			sent(t, r)
		}
	}
	write(society.Root, "one", "@web-1 a secret by name")
	write("web-1", "a secret", "another secret")
	write("web-2", "two")
	write("web-1", "the last secret")
	r.Forget("web-1")
	r.Show(Recipient{Agent: society.Root, Name: "root"})
	r.Type("draft")
	var seen []string
	for range 3 {
		r.Up()
		seen = append(seen, r.Text())
	}
	for range 3 {
		r.Down()
		seen = append(seen, r.Text())
	}
	if got := strings.Join(seen, " "); got != "two one one two draft draft" {
		t.Errorf("up and down show %s", got)
	}
	press(r, ctrl('u'))
	r.Type("secret")
	if r.Search() {
		t.Errorf("the search finds %q", r.Text())
	}
	kept, err := r.ExportHistory()
	if err != nil || strings.Contains(string(kept), "a secret") || strings.Contains(string(kept), "last") {
		t.Errorf("kept is %s, %v", kept, err)
	}

	again := english()
	if err := again.ImportHistory(kept); err != nil {
		t.Fatal(err)
	}
	again.ForgetOthers(func(id society.AgentID) bool { return id != "web-2" })
	again.Up()
	if again.Text() != "one" {
		t.Errorf("of who is there is left %q", again.Text())
	}
}

// The stored form without recipients is read.
func TestAnOldHistoryIsRead(t *testing.T) {
	t.Parallel()
	r := english()
	if err := r.ImportHistory([]byte(`["one","two"]`)); err != nil {
		t.Fatal(err)
	}
	r.ForgetOthers(func(society.AgentID) bool { return false })
	r.Up()
	if r.Text() != "two" {
		t.Errorf("up shows %q", r.Text())
	}
	kept, err := r.ExportHistory()
	if want := `[{"text":"one"},{"text":"two"}]`; err != nil || string(kept) != want {
		t.Errorf("kept is %s, %v", kept, err)
	}
}

// A search is narrowed by typing, as in a shell, and widened by backspace; what no entry has is a
// text of its own.
func TestTypingNarrowsASearch(t *testing.T) {
	t.Parallel()
	r := english()
	for _, s := range []string{"count the boats", "write a poem", "count the trains"} {
		r.Type(s)
		r.Enter()
	}
	press := func(keys ...string) {
		for _, k := range keys {
			if k == "backspace" {
				r.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
				continue
			}
			r.Update(tea.KeyPressMsg{Code: []rune(k)[0], Text: k})
		}
	}
	shows := func(want string) {
		t.Helper()
		if got := r.Text(); got != want {
			t.Errorf("the text is %q, want %q", got, want)
		}
	}
	r.Search()
	shows("count the trains")
	press("t", "h", "e", " ")
	shows("count the trains")
	press("b")
	shows("count the boats")
	press("backspace", "backspace", "backspace", "backspace", "backspace", "p")
	shows("write a poem")
	press("q")
	shows("pq")
	press("x")
	shows("pqx")
	r.Clear()
	r.Search()
	r.Up()
	press("!")
	shows("count the trains!")
	r.Clear()

	r.Type("the")
	r.Search()
	press(" ", "b")
	shows("count the boats")
	press("backspace", "backspace", "backspace", "backspace", "backspace", "p", "o")
	shows("write a poem")
	press("x")
	shows("pox")
	r.Clear()
	r.Type("poem")
	r.Search()
	r.EndSearch()
	press("s")
	shows("write a poems")
}

// A text of the history that is emptied is no longer looked at: what is typed then is what is
// searched for, and what is typed after ctrl+r narrows the search.
func TestAnEmptiedTextOfTheHistoryEndsLookingBack(t *testing.T) {
	t.Parallel()
	for name, empty := range map[string]func(*Model){
		"ctrl+u":    func(r *Model) { press(r, ctrl('u')) },
		"backspace": func(r *Model) { press(r, slices.Repeat([]tea.KeyPressMsg{{Code: tea.KeyBackspace}}, 20)...) },
		"Clear":     func(r *Model) { r.Clear() },
	} {
		r := english()
		for _, s := range []string{"a farewell poem", "red book", "blue book"} {
			r.Type(s)
			sent(t, r)
		}
		r.Up()
		r.Up()
		empty(r)
		r.Search()
		press(r, tea.KeyPressMsg{Text: "red"})
		if r.Text() != "red book" {
			t.Errorf("%s: a word after ctrl+r shows %q", name, r.Text())
		}
		empty(r)
		press(r, tea.KeyPressMsg{Text: "farewell"})
		r.Search()
		if r.Text() != "a farewell poem" {
			t.Errorf("%s: a new word and ctrl+r show %q", name, r.Text())
		}
	}
	r := english()
	r.Type("sent")
	sent(t, r)
	r.Type("a draft")
	r.Up()
	press(r, ctrl('u'))
	if !r.Empty() || r.Searching() {
		t.Errorf("the emptied text is %q", r.Text())
	}
	if r.Up(); r.Text() != "a draft" {
		t.Errorf("up shows %q, want the draft", r.Text())
	}
}

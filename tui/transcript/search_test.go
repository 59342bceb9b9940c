package transcript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/api"
	stored "society-tui/runtime/conversation"
	"society-tui/tui/cells"
	"society-tui/tui/transcript"
)

// sift answers all pending page requests and scans of the widget.
func (s *shelf) sift(r *transcript.Model) {
	for range 1000 {
		s.feed(r)
		scan, ok := r.Scan()
		if !ok {
			s.feed(r)
			return
		}
		s.scans++
		r.Found(scan.In(s.page(scan.PageRequest)))
		r.Rows(80, 24)
	}
	panic("the search has no end")
}

func searched(r *transcript.Model, s *shelf, text string) {
	r.BeginSearch()
	r.TypeSearch(text)
	r.Search()
	s.sift(r)
}

// long has one needle at the end of a folded result and another in a page that
// is not loaded; a call and its result are on two pages of a search.
func long() *shelf {
	s := many(1500)
	s.entries[3].Text = "the first **nee" + "dle** of all"
	s.entries[900].Kind, s.entries[900].Body = stored.Answer, ""
	s.entries[900].Text, s.entries[900].Calls = "", []stored.Call{call("far", "read_file", `{"path":"a"}`)}
	s.entries[1100] = result(1100, "far", stored.OK, strings.Repeat("hay\n", 300)+"a needle\n", 0)
	s.entries[1498] = stored.Entry{Slot: 1498, Kind: stored.Answer, At: at(1, 1), From: "root", Calls: []stored.Call{call("near", "read_file", `{"path":"b"}`)}}
	s.entries[1499] = result(1499, "near", stored.OK, "one needle\nhay\nand a Needle", 0)
	return s
}

// A search that begins on live items, behind everything stored, leads back to
// the cursor, or to the end if that item is gone.
func TestSearchLeadsBackToLiveItems(t *testing.T) {
	t.Parallel()
	for _, waiting := range []int{2, 40} { // the window begins with stored text, and with unread messages
		s := many(100)
		s.entries[3].Text = "a needle"
		for i := range waiting {
			s.waiting = append(s.waiting, api.Waiting{Seq: uint64(200 + i), From: "user", At: at(4, 10), Body: fmt.Sprintf("waits %d", i)})
		}
		r := opened(plainly(), s)
		r.Focus(true)
		r.Rows(80, 24)
		r.Up()
		before, copied := text(r.Rows(80, 24)), r.CopyText()
		searched(r, s, "needle")
		hides(t, r.Rows(80, 24), "waits")
		r.EndSearch()
		if after := text(r.Rows(80, 24)); after != before || r.CopyText() != copied {
			t.Errorf("after it %q is picked in\n%s\nand before %q in\n%s", r.CopyText(), after, copied, before)
		}
		searched(r, s, "needle")
		s.waiting = nil
		r.Changed("root", s.next())
		s.feed(r)
		r.EndSearch()
		shows(t, r.Rows(80, 24), "answer number 99")
		if copied := r.CopyText(); !strings.HasPrefix(copied, "answer number 99") {
			t.Errorf("%q is picked of\n%s", copied, text(r.Rows(80, 24)))
		}
	}
}

func TestSearchFindsFoldedAndUnloadedTextAndWraps(t *testing.T) {
	t.Parallel()
	s := long()
	r := opened(plainly(), s)
	before := r.Rows(80, 24)
	hides(t, before, "needle")
	searched(r, s, "needle")
	shows(t, r.Rows(80, 24), "/needle", "1 of 4", "one needle", "and a Needle")
	r.Older()
	s.sift(r)
	shows(t, r.Rows(80, 24), "2 of 4", "one needle")
	r.Older()
	s.sift(r)
	shows(t, r.Rows(80, 24), "3 of 4", "a needle")
	r.Older()
	s.sift(r)
	rows := r.Rows(80, 24)
	shows(t, rows, "4 of 4", "the first needle of all")
	if !slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, "\x1b[1;7mneedle") }) {
		t.Errorf("what was found is not marked: %q", rows)
	}
	r.Older()
	s.sift(r)
	shows(t, r.Rows(80, 24), "1 of 4")
	r.Newer()
	s.sift(r)
	shows(t, r.Rows(80, 24), "4 of 4", "the first needle of all")
	r.EndSearch()
	s.feed(r)
	if after := r.Rows(80, 24); !slices.Equal(after, before) {
		t.Errorf("esc leads to\n%s\nnot back to\n%s", text(after), text(before))
	}
}

func TestEscRestoresPositionAndFolds(t *testing.T) {
	t.Parallel()
	s := long()
	r := opened(plainly(), s)
	for range 3 {
		r.PageUp()
		r.Rows(80, 24)
		s.feed(r)
	}
	before := r.Rows(80, 24)
	kept, _ := r.Export()
	searched(r, s, "needle")
	shows(t, r.Rows(80, 24), "of 4", "a needle")
	if now, _ := r.Export(); string(now) != string(kept) {
		t.Errorf("a search changes what is kept: %s, before %s", now, kept)
	}
	r.EndSearch()
	if after := r.Rows(80, 24); !slices.Equal(after[1:], before[1:]) { // but for the percentage: more is in memory
		t.Errorf("esc leads to\n%s\nnot back to\n%s", text(after), text(before))
	}
}

func TestCapitalsMatchCaseAndChineseMatchesAcrossRows(t *testing.T) {
	t.Parallel()
	s := long()
	s.entries[1496].Kind, s.entries[1496].Body, s.entries[1496].Text = stored.Answer, "", strings.Repeat("字", 36)+"第七章需要来源，共３５人"
	r := opened(plainly(), s)
	for query, want := range map[string]string{"Needle": "1 of 1", "NEEDLE": "No match", "第七章需要": "1 of 1", "共35人": "1 of 1", "FIRST": "No match", "first  needle": "1 of 1"} {
		searched(r, s, query)
		shows(t, r.Rows(80, 24), want)
		r.EndSearch()
	}
}

// A text that is on the screen, but in no entry yet, is not denied.
func TestSearchTellsOfUnreadMessages(t *testing.T) {
	t.Parallel()
	s := long()
	s.waiting = []api.Waiting{{Seq: 1, From: "user", Body: "use the word zebra"}, {Seq: 2, From: "user", Body: "and\nno other zebra"}, {Seq: 3, From: "user", Body: "a horse"}}
	r := opened(plainly(), s)
	for query, want := range map[string]string{"zebra": "No match · 2 unread messages have it", "horse": "No match · 1 unread message has it", "needle": "1 of 4 "} {
		searched(r, s, query)
		shows(t, r.Rows(80, 24), want)
		r.EndSearch()
	}
	searched(r, s, "horse")
	s.waiting = nil // it was read
	s.feed(r)
	s.say(r, stored.Entry{Kind: stored.Answer, From: "root", Text: "more"})
	s.sift(r)
	if rows := text(r.Rows(80, 24)); strings.Contains(rows, "unread") {
		t.Errorf("a message that was read is still told of:\n%s", rows)
	}
}

func TestSearchFindsNewTextAndKeepsTheCurrentMatch(t *testing.T) {
	t.Parallel()
	s := long()
	r := opened(plainly(), s)
	searched(r, s, "needle")
	s.say(r, stored.Entry{Kind: stored.Answer, From: "root", Text: "one more needle"})
	s.sift(r)
	shows(t, r.Rows(80, 24), "2 of 5")
	r.Newer()
	shows(t, r.Rows(80, 24), "1 of 5", "one more needle")
}

func TestScanOfAnEndedSearchIsIgnored(t *testing.T) {
	t.Parallel()
	s := long()
	r := opened(plainly(), s)
	r.BeginSearch()
	r.TypeSearch("needle")
	r.Search()
	shows(t, r.Rows(80, 24), "searching")
	scan, ok := r.Scan()
	if !ok {
		t.Fatal("Scan: ok = false, want true")
	}
	r.EndSearch()
	before := r.Rows(80, 24)
	r.Found(scan.In(s.page(scan.PageRequest)))
	if after := r.Rows(80, 24); !slices.Equal(after, before) {
		t.Errorf("it shows\n%s", text(after))
	}
}

// Property: for any text, query and size, every row is exactly as wide as the
// widget, holds no foreign control byte, and esc restores the position.
func TestMatchMarksKeepRowWidths(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SampledFrom([]string{"a", "A", " ", "\n", "第", "章", "e\u0301", "👩‍🚀", "\x1b[31m", "\x1b]0;x\a", "\u202e", "**", "`", "| a |\n|---|\n", "\t", "ş", "İ"})
		write := func(label string, n int) string {
			return strings.Join(rapid.SliceOfN(pieces, 0, n).Draw(t, label), "")
		}
		s := &shelf{}
		for i := range 6 {
			e := stored.Entry{Slot: uint64(i), Kind: stored.Answer, From: "root", Text: write("text", 60), Reasoning: write("thought", 20)}
			if i%2 == 0 {
				e.Calls = []stored.Call{call(fmt.Sprint(i), write("tool", 3), write("arguments", 20))}
			} else {
				s.entries = append(s.entries, e)
				e = result(uint64(i), fmt.Sprint(i-1), stored.OK, write("result", 60), 0)
				s.entries[len(s.entries)-1].Slot, e.Slot = uint64(i), uint64(i)
			}
			s.entries = append(s.entries, e)
		}
		for i := range s.entries {
			s.entries[i].Slot = uint64(i)
		}
		r := opened(coloured(), s)
		w, h := rapid.IntRange(1, 90).Draw(t, "width"), rapid.IntRange(1, 30).Draw(t, "height")
		r.Focus(true)
		before := r.Rows(w, h)
		r.BeginSearch()
		r.TypeSearch(write("query", 4))
		check(t, r.Rows(w, h), w)
		r.Search()
		for range 20 {
			if scan, ok := r.Scan(); ok {
				r.Found(scan.In(s.page(scan.PageRequest)))
			}
			s.feed(r)
			r.Older()
			check(t, r.Rows(w, h), w)
		}
		if r.EndSearch() {
			if after := r.Rows(w, h); !slices.Equal(after, before) {
				t.Fatalf("esc leads to\n%s\nnot back to\n%s", text(after), text(before))
			}
		}
	})
}

func check(t *rapid.T, rows []string, width int) {
	for _, row := range rows {
		if cells.ByCodePoint.Width(row) != width {
			t.Fatalf("a row of %d cells has %d: %q", width, cells.ByCodePoint.Width(row), row)
		}
		if strings.ContainsAny(text([]string{row}), "\x1b\a\t\u202e") {
			t.Fatalf("a row holds what a terminal would obey: %q", row)
		}
	}
}

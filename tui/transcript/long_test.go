package transcript_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"society-tui/tui/transcript"
)

// Home leads to the first message of a conversation of any length. The number of pages, each
// of which costs a pass over all that is in memory, grows with its logarithm alone.
func TestHomeLeadsToTheFirstMessage(t *testing.T) {
	t.Parallel()
	pages := func(n int) int {
		sh := many(n)
		r := opened(plainly(), sh)
		sh.asked = nil
		r.Top()
		shows(t, r.Rows(80, 24), "reading older messages", fmt.Sprint("question number ", n-400))
		sh.feed(r)
		rows := r.Rows(80, 24)
		shows(t, rows, "question number 0", "0%")
		hides(t, rows, "reading")
		return len(sh.asked)
	}
	for n, most := range map[int]int{1000: 3, 10_000: 9, 100_000: 15} {
		if asked := pages(n); asked > most {
			t.Errorf("of %d messages it read %d pages, more than %d", n, asked, most)
		}
	}
}

// While home reads on, the rows stand still, and any other key ends it.
func TestAnyOtherMoveEndsReadingHome(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(*transcript.Model){
		"down": (*transcript.Model).Down, "page": (*transcript.Model).PageDown, "end": (*transcript.Model).Follow,
		"message": (*transcript.Model).NextMessage, "fold": (*transcript.Model).Toggle,
		"click": func(r *transcript.Model) { r.Click(9, 6, 80) }, "wheel": func(r *transcript.Model) { r.Scroll(3) },
	} {
		sh := many(5000)
		r := opened(plainly(), sh)
		r.Top()
		before := r.Rows(80, 24)
		need, _ := r.PageRequest()
		r.Extend(need, sh.page(need))
		if after := r.Rows(80, 24); !slices.Equal(after[1:], before[1:]) {
			t.Fatalf("while it reads on, it moves from\n%s\nto\n%s", text(before), text(after))
		}
		move(r)
		before = r.Rows(80, 24)
		sh.asked = nil
		sh.feed(r)
		if after := r.Rows(80, 24); !slices.Equal(after[1:], before[1:]) {
			t.Errorf("after %s, it moves from\n%s\nto\n%s", name, text(before), text(after))
		}
		if len(sh.asked) > 1 {
			t.Errorf("after %s, it reads %v", name, sh.asked)
		}
	}
}

// A page that could not be read ends home too: the title does not say for ever that it reads.
func TestHomeEndsWithAPageThatCannotBeRead(t *testing.T) {
	t.Parallel()
	sh := many(5000)
	r := opened(plainly(), sh)
	r.Top()
	need, _ := r.PageRequest()
	r.Fail(need, "the disk is gone")
	rows := r.Rows(80, 24)
	shows(t, rows, "the disk is gone")
	hides(t, rows, "reading older")
}

// Back at the end, what was read on the way is dropped, and so is a page that comes later.
func TestTheEndDropsWhatWasReadOnTheWay(t *testing.T) {
	t.Parallel()
	sh := many(5000)
	r := opened(plainly(), sh)
	r.Top()
	for range 4 {
		need, _ := r.PageRequest()
		r.Extend(need, sh.page(need))
	}
	late, _ := r.PageRequest()
	r.Follow()
	r.Extend(late, sh.page(late))
	sh.feed(r)
	sh.asked = nil
	r.Top()
	shows(t, r.Rows(80, 24), "question number 4600")
	sh.feed(r)
	if first := sh.asked[0]; first.Upto != 4600 {
		t.Errorf("it reads on with %v", first)
	}
	shows(t, r.Rows(80, 24), "question number 0")
}

// The only match in a long conversation is far from its end, where the search begins.
func TestSearchLeadsToAFarMatchFromTheEnd(t *testing.T) {
	t.Parallel()
	sh := many(100_000)
	r := opened(plainly(), sh)
	sh.asked = nil
	searched(r, sh, "number 50000")
	shows(t, r.Rows(80, 24), "question number 50000", "1 of 1")
	if len(sh.asked) > 0 {
		t.Errorf("although it was searched, it is read again: %v", sh.asked)
	}
	if sh.scans > 60 {
		t.Errorf("it searched in %d parts", sh.scans)
	}
	r.EndSearch()
	sh.feed(r)
	shows(t, r.Rows(80, 24), "answer number 99999")
}

// What a search brings into the conversation continues what was there, also when the user goes
// on to the next match while older entries are being searched.
func TestASearchLeavesNoGap(t *testing.T) {
	t.Parallel()
	sh := many(4000)
	sh.entries[3000].Body, sh.entries[100].Body = "question number 3000, a needle", "question number 100, a needle"
	r := opened(plainly(), sh)
	r.BeginSearch()
	r.TypeSearch("needle")
	r.Search()
	for !strings.Contains(text(r.Rows(80, 24)), "1 of 1") {
		scan, _ := r.Scan()
		r.Found(scan.In(sh.page(scan.PageRequest)))
	}
	r.Older() // before it is found
	for scan, ok := r.Scan(); ok; scan, ok = r.Scan() {
		r.Found(scan.In(sh.page(scan.PageRequest)))
	}
	sh.feed(r)
	shows(t, r.Rows(80, 24), "2 of 2", "question number 100")
	seen := map[string]bool{}
	for !r.Following() {
		for _, n := range regexp.MustCompile(`number \d+`).FindAllString(text(r.Rows(80, 24)), -1) {
			seen[n] = true
		}
		r.HalfDown()
	}
	for n := 100; n < 3990; n++ {
		if !seen[fmt.Sprint("number ", n)] {
			t.Fatalf("below the match, number %d is missing", n)
		}
	}
}

package scroll

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A stack is a list of items of the given heights.
type stack struct {
	heights []int
	asked   int
}

func (s *stack) Len() int { return len(s.heights) }

func (s *stack) Height(i int) int {
	s.asked++
	return s.heights[i]
}

// shown returns the window with one "item.row" per row.
func shown(l *List, rows int) []string {
	var out []string
	parts, badge := l.Window(rows)
	for _, p := range parts {
		for row := p.From; row < p.Upto; row++ {
			out = append(out, fmt.Sprintf("%d.%d", p.Item, row))
		}
	}
	if badge {
		out = append(out, "badge")
	}
	return out
}

func want(t *testing.T, l *List, rows int, place string, expected ...string) {
	t.Helper()
	if got := shown(l, rows); !slices.Equal(got, expected) {
		t.Errorf("the window shows %v, want %v", got, expected)
	}
	if at, _ := l.Cursor(); fmt.Sprintf("%d.%d", at.Item, at.Row) != place {
		t.Errorf("the cursor is at %v, want %s", at, place)
	}
}

func TestFollowingStaysAtTheEndUntilScrolledUp(t *testing.T) {
	t.Parallel()
	s := &stack{heights: []int{2, 2, 1}}
	l := New(s)
	want(t, l, 3, "2.0", "1.0", "1.1", "2.0")
	s.heights[2] = 3
	l.Changed(2)
	want(t, l, 3, "2.2", "2.0", "2.1", "2.2")
	l.Up(1)
	want(t, l, 3, "2.1", "2.0", "2.1", "2.2")
	s.heights[2] = 5
	l.Changed(2)
	s.heights = append(s.heights, 4)
	want(t, l, 3, "2.1", "2.0", "2.1", "badge")
	if n := l.Fresh(); n != 6 {
		t.Errorf("%d rows are fresh, want 6", n)
	}
	l.Follow()
	want(t, l, 3, "3.3", "3.1", "3.2", "3.3")
	if n := l.Fresh(); n != 0 || !l.Following() {
		t.Errorf("following, %d rows are fresh", n)
	}
}

// A click at the end selects a row, and new rows are still followed.
func TestAPickedRowDoesNotEndFollowing(t *testing.T) {
	t.Parallel()
	s := &stack{heights: []int{1, 1, 1, 1}}
	l := New(s)
	want(t, l, 3, "3.0", "1.0", "2.0", "3.0")
	l.Pick(Place{2, 0})
	s.heights = append(s.heights, 1)
	want(t, l, 3, "2.0", "2.0", "3.0", "4.0")
	s.heights = append(s.heights, 1)
	want(t, l, 3, "5.0", "3.0", "4.0", "5.0") // it has left the window
	l.Pick(Place{4, 0})
	if l.Down(1); !l.Following() {
		t.Error("a move down to the last row ends following")
	}
}

func TestDownBelowTheLastRowFollowsAgain(t *testing.T) {
	t.Parallel()
	l := New(&stack{heights: []int{5}})
	want(t, l, 3, "0.4", "0.2", "0.3", "0.4")
	l.Up(2)
	want(t, l, 3, "0.2", "0.2", "0.3", "0.4")
	l.Down(2)
	if l.Following() {
		t.Error("Following() = true on the last row, want false")
	}
	l.Down(1)
	if !l.Following() {
		t.Error("Following() = false below the last row, want true")
	}
}

func TestPagesMoveTheWindowAndEndAtBothEnds(t *testing.T) {
	t.Parallel()
	s := &stack{heights: []int{4, 4, 4}}
	l := New(s)
	want(t, l, 4, "2.3", "2.0", "2.1", "2.2", "2.3")
	l.Page(-4)
	want(t, l, 4, "1.2", "1.0", "1.1", "1.2", "badge")
	l.Page(-40)
	want(t, l, 4, "0.0", "0.0", "0.1", "0.2", "badge")
	l.Page(4)
	want(t, l, 4, "1.0", "1.0", "1.1", "1.2", "badge")
	l.Page(40)
	if !l.Following() {
		t.Error("Following() = false after a page past the end, want true")
	}
	l.Scroll(-1)
	want(t, l, 4, "2.1", "1.3", "2.0", "2.1", "badge")
	l.Scroll(1)
	if !l.Following() {
		t.Error("Following() = false after the wheel at the end, want true")
	}
}

func TestVisibleRowsStayWhenOlderItemsArrive(t *testing.T) {
	t.Parallel()
	s := &stack{heights: []int{3, 3, 3}}
	l := New(s)
	l.Window(4)
	l.Page(-3)
	want(t, l, 4, "1.1", "0.2", "1.0", "1.1", "badge")
	s.heights = append([]int{7, 7}, s.heights...)
	l.Prepended(2)
	want(t, l, 4, "3.1", "2.2", "3.0", "3.1", "badge")
	s.heights = s.heights[2:]
	l.Dropped(2)
	want(t, l, 4, "1.1", "0.2", "1.0", "1.1", "badge")
}

func TestReflowKeepsTheFirstVisibleRow(t *testing.T) {
	t.Parallel()
	s := &stack{heights: []int{10, 10, 10}}
	l := New(s)
	l.Window(5)
	l.To(1)
	l.Window(5)
	l.Scroll(6) // the window begins inside item 1
	if top := l.Top(); top.Item != 1 || top.Row != 5 {
		t.Fatalf("the window begins at %v", top)
	}
	for i := range s.heights {
		s.heights[i] *= 2
	}
	l.Reflow()
	l.Window(5)
	if top := l.Top(); top.Item != 1 || top.Row != 10 {
		t.Errorf("the window begins at %v, want the middle of item 1", top)
	}
}

func TestAnItemThatGrowsAtItsBeginningDoesNotMove(t *testing.T) {
	t.Parallel()
	s := &stack{heights: []int{9, 9}}
	l := New(s)
	l.Window(4)
	l.Page(-6)
	want(t, l, 4, "1.1", "0.8", "1.0", "1.1", "badge")
	s.heights[0] = 11
	l.Pushed(0, 2)
	want(t, l, 4, "1.1", "0.10", "1.0", "1.1", "badge")
	s.heights[0] = 1
	l.Pushed(0, -10)
	want(t, l, 4, "1.1", "0.0", "1.0", "1.1", "badge")
}

func TestUnfoldedItemIsShownFromItsBeginning(t *testing.T) {
	t.Parallel()
	s := &stack{heights: []int{3, 1, 9}}
	l := New(s)
	l.Window(5)
	l.First()
	want(t, l, 5, "0.0", "0.0", "0.1", "0.2", "1.0", "badge")
	l.Point(Place{1, 0})
	s.heights[1] = 3
	l.Changed(1)
	l.Reveal(1, 0)
	want(t, l, 5, "1.0", "0.2", "1.0", "1.1", "1.2", "badge")
	s.heights[1] = 30
	l.Changed(1)
	l.Reveal(1, 0)
	want(t, l, 5, "1.0", "1.0", "1.1", "1.2", "1.3", "badge")
}

func TestHiddenItemsAreNowhere(t *testing.T) {
	t.Parallel()
	s := &stack{heights: []int{1, 0, 0, 1, 0}}
	l := New(s)
	want(t, l, 5, "3.0", "0.0", "3.0")
	l.Up(1)
	want(t, l, 5, "0.0", "0.0", "3.0")
	l.To(2)
	want(t, l, 5, "0.0", "0.0", "3.0")
	empty := New(&stack{heights: []int{0, 0}})
	if got := shown(empty, 3); len(got) != 0 {
		t.Errorf("shows %v", got)
	}
	empty.Up(1)
	empty.Down(1)
	empty.Page(-3)
	empty.First()
	if got := shown(empty, 3); len(got) != 0 {
		t.Errorf("shows %v", got)
	}
}

// Property: the window is a contiguous part of the list, as long as possible,
// and contains the cursor; changes outside of the window do not move it.
func TestTheWindowIsAlwaysAStretchOfTheList(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		heights := rapid.SliceOfN(rapid.IntRange(0, 6), 0, 20)
		s := &stack{heights: heights.Draw(t, "heights")}
		l := New(s)
		rows := rapid.IntRange(1, 12).Draw(t, "rows")
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			n := rapid.IntRange(0, 15).Draw(t, "n")
			act := rapid.IntRange(0, 13).Draw(t, "act")
			before := shown(l, rows)
			following := l.Following()
			switch act {
			case 0:
				l.Up(n)
			case 1:
				l.Down(n)
			case 2:
				l.Scroll(-n)
			case 3:
				l.Scroll(n)
			case 4:
				l.Page(-n)
			case 5:
				l.Page(n)
			case 6:
				l.First()
			case 7:
				l.Follow()
			case 8:
				l.To(n)
			case 9:
				if len(s.heights) > 0 {
					i := n % len(s.heights)
					s.heights[i] = rapid.IntRange(0, 9).Draw(t, "height")
					l.Changed(i)
				}
			case 10, 11:
				more := heights.Draw(t, "more")
				if act == 10 {
					s.heights = append(s.heights, more...)
					if !following && len(before) == rows && slices.Index(before, "badge") > 0 && !slices.Equal(shown(l, rows), before) {
						t.Fatalf("new rows at the end changed %v to %v", before, shown(l, rows))
					}
					break
				}
				s.heights = append(slices.Clone(more), s.heights...)
				l.Prepended(len(more))
			case 12:
				n = min(n, len(s.heights))
				s.heights = s.heights[n:]
				l.Dropped(n)
			case 13:
				rows = rapid.IntRange(1, 12).Draw(t, "rows")
				l.Reflow()
			}
			checkWindow(t, s, l, rows)
		}
	})
}

func checkWindow(t *rapid.T, s *stack, l *List, rows int) {
	var all []string
	for i, h := range s.heights {
		for row := range h {
			all = append(all, fmt.Sprintf("%d.%d", i, row))
		}
	}
	got := shown(l, rows)
	badge := len(got) > 0 && got[len(got)-1] == "badge"
	if badge && rows > 1 && len(got) > rows {
		t.Fatalf("%v has more than %d rows", got, rows)
	}
	if badge {
		got = got[:len(got)-1]
	}
	if len(all) == 0 {
		if len(got) > 0 {
			t.Fatalf("an empty list shows %v", got)
		}
		return
	}
	start := slices.Index(all, got[0])
	if start < 0 || start+len(got) > len(all) || !slices.Equal(all[start:start+len(got)], got) {
		t.Fatalf("%v is no stretch of %v", got, all)
	}
	atEnd := start+len(got) == len(all)
	if l.Following() && !atEnd {
		t.Fatalf("it follows and shows %v of %v", got, all)
	}
	if badge == atEnd {
		t.Fatalf("badge is %v and the end is seen: %v", badge, atEnd)
	}
	if !badge && len(got) < min(rows, len(all)) {
		t.Fatalf("%v leaves rows empty, of %v", got, all)
	}
	at, _ := l.Cursor()
	if !slices.Contains(got, fmt.Sprintf("%d.%d", at.Item, at.Row)) {
		t.Fatalf("the cursor %v is not in %v", at, got)
	}
	if p, ok := l.At(0); !ok || fmt.Sprintf("%d.%d", p.Item, p.Row) != got[0] {
		t.Fatalf("the first row is %v, want %s", p, got[0])
	}
	if percent := l.Percent(0); percent < 0 || percent > 100 || atEnd != (percent == 100) || !atEnd && (start == 0) != (percent == 0) {
		t.Fatalf("%d%% with %v of %v", percent, got, all)
	}
	if percent := l.Percent(7); !atEnd && (percent < 1 || percent > 99) {
		t.Fatalf("%d%% with %v of %v and 7 items before", percent, got, all)
	}
}

func TestFrameAsksOnlyForVisibleHeights(t *testing.T) {
	t.Parallel()
	s := &stack{heights: slices.Repeat([]int{3}, 10000)}
	l := New(s)
	l.Window(45)
	if s.asked > 20 {
		t.Errorf("the first frame asked for %d heights", s.asked)
	}
	l.To(5000)
	l.Window(45)
	l.Page(-45)
	l.Window(45)
	if s.asked > 80 {
		t.Errorf("a jump and a page asked for %d heights", s.asked)
	}
}

func BenchmarkScroll10000Items(b *testing.B) {
	s := &stack{heights: slices.Repeat([]int{3}, 10000)}
	l := New(s)
	l.Window(45)
	b.Run("line", func(b *testing.B) {
		for b.Loop() {
			l.Up(1)
			l.Window(45)
		}
	})
	l.Follow()
	b.Run("page", func(b *testing.B) {
		for b.Loop() {
			l.Page(-45)
			l.Window(45)
		}
	})
	l.Follow()
	b.Run("follow", func(b *testing.B) {
		for b.Loop() {
			l.Changed(9999)
			l.Window(45)
		}
	})
	b.Run("reflow", func(b *testing.B) {
		for b.Loop() {
			l.Reflow()
			l.Window(45)
		}
	})
}

// Package scroll shows a window of rows on a list of items of different
// heights. It asks only for heights of items that it shows or passes, so that
// the cost of a frame does not depend on the length of the list.
//
// The window is anchored by its first row, so the list can grow at either end
// without moving visible rows. While it follows, it is anchored by the last
// row.
package scroll

// Items are the content of a List. Heights are cached until the List is told of
// a change.
type Items interface {
	Len() int
	// Height returns the rows of item i; 0 hides it.
	Height(i int) int
}

// A Place is a row of an item.
type Place struct{ Item, Row int }

func (p Place) before(q Place) bool {
	return p.Item < q.Item || p.Item == q.Item && p.Row < q.Row
}

// A Part is the visible rows of an item, [From, Upto).
type Part struct{ Item, From, Upto int }

// A List is a window on Items with a cursor. It begins following.
type List struct {
	items   Items
	heights []int // -1 is unknown
	whole   int   // rows of the window
	rows    int   // without the badge's row
	top     Place // the first visible row
	cursor  Place
	free    bool // not following
	picked  bool // it follows with the cursor on a row of the user's choice, until that leaves the window
	// seen is where the list ended when following stopped, for Fresh.
	seen  Place
	parts []Part
}

// New returns a List on items.
func New(items Items) *List {
	return &List{items: items}
}

// height returns the height of item i.
func (l *List) height(i int) int {
	for len(l.heights) < l.items.Len() {
		l.heights = append(l.heights, -1)
	}
	if l.heights[i] < 0 {
		l.heights[i] = max(l.items.Height(i), 0)
	}
	return l.heights[i]
}

// Changed tells that the height of item i may have changed.
func (l *List) Changed(i int) {
	if i >= 0 && i < len(l.heights) {
		l.heights[i] = -1
	}
}

// Pushed tells that n rows were inserted before the rows of item i, or removed
// if n is negative.
func (l *List) Pushed(i, n int) {
	l.Changed(i)
	for _, p := range []*Place{&l.top, &l.cursor, &l.seen} {
		if p.Item == i {
			p.Row = max(p.Row+n, 0)
		}
	}
}

// Cut tells that the items from n on were removed. New ones may take their
// places.
func (l *List) Cut(n int) {
	if n < len(l.heights) {
		l.heights = l.heights[:max(n, 0)]
	}
}

// Prepended tells that n items were inserted at the beginning.
func (l *List) Prepended(n int) {
	fresh := make([]int, n, n+len(l.heights))
	for i := range fresh {
		fresh[i] = -1
	}
	l.heights = append(fresh, l.heights...)
	l.top.Item += n
	l.cursor.Item += n
	l.seen.Item += n
}

// Dropped tells that the first n items were removed.
func (l *List) Dropped(n int) {
	l.heights = l.heights[min(n, len(l.heights)):]
	for _, p := range []*Place{&l.top, &l.cursor, &l.seen} {
		if p.Item -= n; p.Item < 0 {
			*p = Place{}
		}
	}
}

// Reflow tells that all heights may have changed, as after a resize. The first
// visible row stays at the same part of its item.
func (l *List) Reflow() {
	old := make(map[int]int, 3)
	for _, p := range []Place{l.top, l.cursor, l.seen} {
		if p.Item < len(l.heights) && l.heights[p.Item] > 0 {
			old[p.Item] = l.heights[p.Item]
		}
	}
	l.heights = l.heights[:0]
	for _, p := range []*Place{&l.top, &l.cursor, &l.seen} {
		was, ok := old[p.Item]
		if !ok || p.Item >= l.items.Len() || p.Row >= was {
			continue
		}
		h := l.height(p.Item)
		if p == &l.seen { // an end, not a beginning
			p.Row = (p.Row+1)*h/was - 1
		} else {
			p.Row = p.Row * h / was
		}
	}
}

// Following reports whether the window stays at the end as the list grows.
func (l *List) Following() bool { return !l.free }

// Follow moves to the end and stays there.
func (l *List) Follow() { l.free, l.picked = false, false }

// Picked reports whether the cursor is on a row of the user's choice.
func (l *List) Picked() bool { return l.free || l.picked }

// Cursor returns the row under the cursor; ok is false if there is no row.
func (l *List) Cursor() (at Place, ok bool) {
	if l.hold(); !l.Picked() {
		return l.last()
	}
	return l.cursor, l.items.Len() > 0
}

// Top returns the first visible row.
func (l *List) Top() Place {
	l.hold()
	return l.top
}

// Restore restores window and cursor.
func (l *List) Restore(top, cursor Place) {
	l.free = true
	l.top, l.cursor = top, cursor
	l.seen, _ = l.last()
}

// last returns the last row of the list.
func (l *List) last() (Place, bool) {
	for i := l.items.Len() - 1; i >= 0; i-- {
		if h := l.height(i); h > 0 {
			return Place{i, h - 1}, true
		}
	}
	return Place{}, false
}

// down returns the place n rows below p, and the distance, which is less at the
// end.
func (l *List) down(p Place, n int) (Place, int) {
	moved := 0
	at := p
	for i, row := p.Item, p.Row; i < l.items.Len(); i, row = i+1, 0 {
		h := l.height(i)
		if row >= h {
			continue
		}
		if i != p.Item { // onto its first row
			if moved == n {
				break
			}
			moved++
		}
		step := min(n-moved, h-1-row)
		moved += step
		at = Place{i, row + step}
	}
	return at, moved
}

// up returns the place n rows above p, and the distance, which is less at the
// beginning.
func (l *List) up(p Place, n int) (Place, int) {
	moved := min(n, p.Row)
	at := Place{p.Item, p.Row - moved}
	for i := p.Item - 1; i >= 0 && moved < n; i-- {
		h := l.height(i)
		if h == 0 {
			continue
		}
		step := min(n-moved, h)
		moved += step
		at = Place{i, h - step}
	}
	return at, moved
}

// mend moves a place to a valid one after a change.
func (l *List) mend(p Place) Place {
	n := l.items.Len()
	if p.Item >= n {
		at, _ := l.last()
		return at
	}
	if p.Item < 0 {
		p = Place{}
	}
	if h := l.height(p.Item); h > 0 {
		return Place{p.Item, min(max(p.Row, 0), h-1)}
	}
	for i := p.Item - 1; i >= 0; i-- {
		if h := l.height(i); h > 0 {
			return Place{i, h - 1}
		}
	}
	for i := p.Item + 1; i < n; i++ {
		if l.height(i) > 0 {
			return Place{i, 0}
		}
	}
	return Place{}
}

// hold computes the first visible row while it follows.
func (l *List) hold() {
	if l.free {
		return
	}
	end, ok := l.last()
	if !ok {
		l.top, l.cursor = Place{}, Place{}
		return
	}
	l.rows = l.whole
	l.top, _ = l.up(end, l.rows-1)
	l.cursor = l.mend(l.cursor)
	if !l.picked || l.cursor == end || l.cursor.before(l.top) {
		l.cursor, l.picked = end, false
	}
}

// release ends following at the present position.
func (l *List) release() {
	if l.free {
		return
	}
	l.hold()
	l.free, l.picked = true, false
	l.seen, _ = l.last()
}

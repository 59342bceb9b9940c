package scroll

// Window returns the visible parts in order. If the list continues below and
// does not follow, badge is true and the last row is free for it. The result is
// valid until the next call.
func (l *List) Window(rows int) (parts []Part, badge bool) {
	l.parts = l.parts[:0]
	l.whole = max(rows, 0)
	l.rows = l.whole
	if l.rows == 0 || l.items.Len() == 0 {
		return nil, false
	}
	if !l.free {
		l.hold()
	} else {
		badge = l.fill()
	}
	left := l.rows
	for i, row := l.top.Item, l.top.Row; i < l.items.Len() && left > 0; i, row = i+1, 0 {
		h := l.height(i)
		if row >= h {
			continue
		}
		n := min(h-row, left)
		l.parts = append(l.parts, Part{i, row, row + n})
		left -= n
	}
	return l.parts, badge
}

// fill moves the window up if the list is too short to fill it, keeps the
// cursor inside, and reports whether the list continues below.
func (l *List) fill() (more bool) {
	l.top, l.cursor = l.mend(l.top), l.mend(l.cursor)
	bottom, below := l.down(l.top, l.rows-1)
	if below < l.rows-1 {
		l.top, _ = l.up(l.top, l.rows-1-below)
	} else if _, one := l.down(bottom, 1); one > 0 {
		more = true
		if l.rows > 1 {
			l.rows--
		}
	}
	l.clamp()
	return more
}

// clamp moves the cursor to the nearest visible row.
func (l *List) clamp() {
	if l.cursor.before(l.top) {
		l.cursor = l.top
		return
	}
	if bottom, _ := l.down(l.top, l.rows-1); bottom.before(l.cursor) {
		l.cursor = bottom
	}
}

// reveal scrolls as little as possible to show the cursor.
func (l *List) reveal() {
	if l.cursor.before(l.top) {
		l.top = l.cursor
		return
	}
	if bottom, _ := l.down(l.top, l.rows-1); bottom.before(l.cursor) {
		l.top, _ = l.up(l.cursor, l.rows-1)
	}
}

// Up moves the cursor n rows up, and ends following.
func (l *List) Up(n int) {
	l.release()
	l.cursor, _ = l.up(l.mend(l.cursor), n)
	l.reveal()
}

// Down moves the cursor n rows down. Below the last row it begins to follow.
func (l *List) Down(n int) {
	if !l.Picked() {
		return
	}
	at, moved := l.down(l.mend(l.cursor), n)
	if moved == 0 {
		l.Follow()
		return
	}
	l.cursor = at
	l.reveal()
}

// Scroll moves the window by n rows, up if n is negative. The cursor stays
// while it is visible. Below the end it begins to follow.
func (l *List) Scroll(n int) {
	if n < 0 {
		l.release()
		l.top, _ = l.up(l.mend(l.top), -n)
		l.clamp()
		return
	}
	if !l.free {
		return
	}
	l.top, _ = l.down(l.mend(l.top), n)
	if _, below := l.down(l.top, l.whole); below < l.whole {
		l.Follow()
		return
	}
	l.clamp()
}

// Page moves window and cursor by n rows, up if n is negative.
func (l *List) Page(n int) {
	if n < 0 {
		l.release()
		top, moved := l.up(l.mend(l.top), -n)
		l.cursor, _ = l.up(l.mend(l.cursor), -n)
		if moved == 0 {
			l.cursor = top
		}
		l.top = top
		l.clamp()
		return
	}
	if !l.free {
		l.Follow()
		return
	}
	l.cursor, _ = l.down(l.mend(l.cursor), n)
	l.Scroll(n)
}

// First moves to the first row.
func (l *List) First() {
	l.release()
	l.top = l.mend(Place{})
	l.cursor = l.top
}

// To moves the cursor to the first row of item i and shows it in the upper part
// of the window.
func (l *List) To(i int) { l.Put(Place{i, 0}) }

// Put moves the cursor to a row and shows it in the upper part of the window.
func (l *List) Put(p Place) {
	l.release()
	l.cursor = l.mend(p)
	l.top, _ = l.up(l.cursor, min(l.rows/4, 3))
}

// Reveal scrolls down to show the end of item i, but not past its row from.
func (l *List) Reveal(i, from int) {
	l.release()
	last := Place{i, l.height(i) - 1}
	// If the list continues below, the badge takes a row.
	if bottom, _ := l.down(l.top, l.whole-2); !bottom.before(last) {
		return
	}
	l.top, _ = l.up(last, l.whole-2)
	if first := (Place{i, from}); first.before(l.top) {
		l.top = first
	}
	l.clamp()
}

// At returns the place in row y of the window, as of the last Window.
func (l *List) At(y int) (Place, bool) {
	for _, p := range l.parts {
		if n := p.Upto - p.From; y >= n {
			y -= n
			continue
		}
		return Place{p.Item, p.From + y}, y >= 0
	}
	return Place{}, false
}

// Point moves the cursor to a visible place.
func (l *List) Point(p Place) {
	l.release()
	l.cursor = p
	l.clamp()
}

// Pick moves the cursor to a visible place as Point does, but goes on following.
func (l *List) Pick(p Place) {
	if l.free {
		l.Point(p)
		return
	}
	l.cursor, l.picked = p, true
	l.hold()
}

// Fresh returns how many rows were added at the end since following ended, 0
// while it follows.
func (l *List) Fresh() int {
	if !l.free {
		return 0
	}
	n := 0
	for i := max(l.seen.Item, 0); i < l.items.Len(); i++ {
		n += l.height(i)
		if i == l.seen.Item {
			n -= l.seen.Row + 1
		}
	}
	return max(n, 0)
}

// Above reports whether there are at least n rows above the window.
func (l *List) Above(n int) bool {
	l.hold()
	_, moved := l.up(l.mend(l.top), n)
	return moved >= n
}

// Percent returns how much of what is outside of the window is above it: 0 at the beginning, 100
// at the end. It counts by items, because not all heights are known; before is how many there
// are before the first one here.
func (l *List) Percent(before int) int {
	n := l.items.Len()
	if !l.free || n == 0 {
		return 100
	}
	top := l.mend(l.top)
	bottom, _ := l.down(top, l.rows-1)
	if end, _ := l.last(); bottom == end {
		return 100
	}
	if _, above := l.up(top, 1); above == 0 && before == 0 {
		return 0
	}
	const item = 1000 // parts
	above := (before+top.Item)*item + top.Row*item/max(l.height(top.Item), 1)
	below := (n-bottom.Item)*item - (bottom.Row+1)*item/max(l.height(bottom.Item), 1)
	return min(max(above*100/max(above+below, 1), 1), 99)
}

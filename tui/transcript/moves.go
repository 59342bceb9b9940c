package transcript

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/markdown"
	"society-tui/tui/scroll"
)

// move applies f to the list of the open conversation, if there is one.
func (r *Model) move(f func(l *scroll.List)) {
	if r.open != nil {
		r.open.home = false
		f(r.open.list)
	}
}

// Up moves the cursor a row up. It ends following.
func (r *Model) Up() { r.move(func(l *scroll.List) { l.Up(1) }) }

// Down moves the cursor a row down; below the last one it begins to follow.
func (r *Model) Down() { r.move(func(l *scroll.List) { l.Down(1) }) }

// PageUp moves up by a window less a row.
func (r *Model) PageUp() { r.move(func(l *scroll.List) { l.Page(-max(r.height-1, 1)) }) }

// PageDown moves down by a window less a row; at the end it begins to follow.
func (r *Model) PageDown() { r.move(func(l *scroll.List) { l.Page(max(r.height-1, 1)) }) }

// HalfUp moves up by half a window.
func (r *Model) HalfUp() { r.move(func(l *scroll.List) { l.Page(-max(r.height/2, 1)) }) }

// HalfDown moves down by half a window; at the end it begins to follow.
func (r *Model) HalfDown() { r.move(func(l *scroll.List) { l.Page(max(r.height/2, 1)) }) }

// Top moves to the first row of the conversation. While older entries are read, that is the
// first in memory; any other move ends the reading.
func (r *Model) Top() {
	r.move((*scroll.List).First)
	if t := r.open; t != nil {
		t.home = t.from > t.first
	}
}

// Follow moves to the end and stays there while the conversation grows.
func (r *Model) Follow() { r.move((*scroll.List).Follow) }

// Following reports whether the end is in view and stays there. While a saved
// scroll position is still being read, it is not.
func (r *Model) Following() bool {
	return r.open != nil && r.open.list.Following() && (r.open.pending == nil || !r.open.pending.Hold)
}

// Scroll moves the window by n rows, up if n is negative, as a wheel does.
func (r *Model) Scroll(n int) { r.move(func(l *scroll.List) { l.Scroll(n) }) }

// PrevMessage moves to the user's message before the cursor, or to any message
// if the user wrote none.
func (r *Model) PrevMessage() { r.toMessage(-1) }

// NextMessage moves to the next such message; after the last one it follows.
func (r *Model) NextMessage() { r.toMessage(1) }

func (r *Model) toMessage(by int) {
	if r.open == nil {
		return
	}
	t := r.open
	t.home = false
	mine := false
	for _, it := range t.items {
		mine = mine || it.mine
	}
	i, _ := t.current()
	for i += by; i >= 0 && i < len(t.items); i += by {
		if it := t.items[i]; it.mine || !mine && it.head != nil {
			t.list.To(i)
			t.list.Point(scroll.Place{Item: i, Row: it.firstRow()})
			return
		}
	}
	if by > 0 {
		t.list.Follow()
	}
}

// firstRow returns the item's first row that is not blank.
func (it *item) firstRow() int {
	if it.gap {
		return 1
	}
	return 0
}

// markRow returns the row with the fold sign, or -1 if the item has none.
func (it *item) markRow() int {
	row := it.firstRow()
	switch it.id.part {
	case draftThoughtPart:
		return max(len(it.top)-1, row) // its head may be missing
	case thoughtPart, callPart:
		if it.call != nil && it.fold != folded && it.detail != Full && !it.faded && it.call.letter() != nil {
			return -1 // it is shown as a message
		}
		if it.head != nil {
			row++
		}
		return row
	case asidePart:
		return row
	case eventPart:
		if it.foldsFirst() {
			return row
		}
	}
	return -1
}

// Toggle unfolds the item under the cursor, or folds it if all of it is
// visible. An item that is partly hidden is unfolded completely.
func (r *Model) Toggle() {
	if r.open == nil {
		return
	}
	t := r.open
	i, it := t.current()
	if it == nil || it.id.part == standingPart || it.id.part == repliesPart || it.id.part == draftTextPart ||
		it.id.part == eventPart && !it.foldsFirst() {
		return
	}
	t.home = false
	was := t.foldOf(it)
	next := unfolded
	switch {
	case it.id.part == asidePart:
		if t.toggleAside(it); !t.shows(&it.entry) {
			next = folded
		}
		i = max(indexOf(t.stored, it.id), 0)
		it = t.items[i]
	case was == unfolded && it.more:
		next = whole
	case was != folded:
		next = folded
	}
	if it.id.part != asidePart {
		t.folds[foldKey{it.id, r.detail}] = next
	}
	t.list.Changed(i)
	if next != folded && t.list.Following() && it.call != nil && it.running(r) {
		return // its output goes on at the end
	}
	row := max(it.markRow(), it.firstRow())
	top := t.list.Top()
	if t.list.Following() && next != folded || top.Item == i && top.Row > row {
		t.list.To(i)
	}
	t.list.Point(scroll.Place{Item: i, Row: row})
	if next != folded {
		t.list.Reveal(i, row)
	}
}

// CycleDetail switches to the next level of detail: calls only, short, full.
func (r *Model) CycleDetail() Detail {
	r.detail = map[Detail]Detail{Calls: Short, Short: Full, Full: Calls}[r.detail]
	for _, t := range r.threads {
		if t.known {
			t.rebuild() // each level has its own folds
		}
		t.list.Reflow()
	}
	return r.detail
}

// Click moves the cursor to row y. On a fold sign it also folds or unfolds the
// item, and returns true.
func (r *Model) Click(x, y, _ int) (folded bool) {
	if r.open == nil {
		return false
	}
	y-- // the title
	at, ok := r.open.list.At(y)
	if !ok || at.Item >= len(r.open.items) {
		return false
	}
	r.open.home = false
	it := r.open.items[at.Item]
	if it.markRow() == at.Row && x < 6 || it.hidesBehind(r, at.Row) {
		r.open.list.Point(at)
		r.Toggle()
		return true
	}
	r.open.list.Pick(at)
	return false
}

// hidesBehind reports whether a row stands for hidden ones, as "+8 lines" does.
func (it *item) hidesBehind(r *Model, row int) bool {
	return it.more && strings.HasPrefix(strings.TrimLeft(ansi.Strip(it.row(r, row)), " │▌▏›|:>"), "+")
}

// CopyText returns the text of the item at the cursor: a message, a thought, or
// a call's arguments and result.
func (r *Model) CopyText() string {
	if r.open == nil {
		return ""
	}
	_, it := r.open.picked()
	if it == nil {
		return ""
	}
	return it.said()
}

func (it *item) said() string {
	switch {
	case it.stream != nil:
		return it.stream.Text()
	case it.call == nil:
		return it.withFields()
	}
	c := it.call
	if said := c.letter(); said != nil {
		return said.text
	}
	if !c.args.clean {
		c.args = foreign{raw: c.arguments()}
	}
	text := c.args.text()
	if c.result == nil {
		return text
	}
	if !c.text.clean {
		c.text = foreign{raw: strings.TrimRight(c.result.text, "\n")}
	}
	return strings.TrimLeft(text+"\n\n"+c.text.text(), "\n")
}

// Dropped returns the user's message that a stop of the open agent dropped
// last; ok is false if there is none, or if a newer one is unread.
func (r *Model) Dropped() (text string, ok bool) {
	t := r.open
	if t == nil || slices.ContainsFunc(t.waiting, func(m api.Waiting) bool { return m.From == society.User }) {
		return "", false
	}
	for _, e := range slices.Backward(t.entries) {
		if e.Kind == conversation.Dropped {
			return e.Body, true
		}
	}
	return "", false
}

// CopyCode returns the code block under the cursor, else the last one of that
// message, else the last one above it.
func (r *Model) CopyCode() string {
	if r.open == nil {
		return ""
	}
	t := r.open
	at, it := t.current()
	if it == nil {
		return ""
	}
	if place, ok := t.list.Cursor(); ok {
		if row := place.Row - len(it.top); row >= 0 && row < len(it.rows) && it.rows[row].Block > 0 {
			if code := markdown.Code(it.said()); it.rows[row].Block <= len(code) {
				return code[it.rows[row].Block-1]
			}
		}
	}
	for ; at >= 0; at-- {
		if it := t.items[at]; it.call == nil {
			if code := markdown.Code(it.said()); len(code) > 0 {
				return code[len(code)-1]
			}
		}
	}
	return ""
}

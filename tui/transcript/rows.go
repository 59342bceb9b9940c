package transcript

import (
	"strings"

	"society-tui/runtime/society"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// Rows draws the conversation as height rows of exactly width cells.
func (r *Model) Rows(width, height int) []string {
	if width <= 0 || height <= 0 {
		return nil
	}
	r.moving = false
	body := r.body(width, height-1) // the title tells the position that it finds
	rows := append(make([]string, 0, height), r.frame.Title(width, r.title, r.note(width), r.focus))
	return append(rows, body...)
}

// note names the level of detail and the position in the conversation; beside a
// long title only the position.
func (r *Model) note(width int) string {
	if r.open == nil || len(r.open.stored)+len(r.open.waiting)+r.open.draft.items() == 0 {
		return ""
	}
	where := r.text(textFollowing)
	switch {
	case r.open.home:
		where = r.text(textReadingOlder)
	case !r.open.list.Following():
		where = symbols.Count(r.open.list.Percent(int(r.open.from-min(r.open.first, r.open.from)))) + "%"
	}
	const edges = 4
	if note := r.Detail() + r.dot() + where; r.set.Width(r.title)+r.set.Width(note)+edges <= width {
		return note
	}
	return where
}

// NamesAt reports whether column x of the first row names the level of detail, or the position.
func (r *Model) NamesAt(x, width int) (detail, position bool) {
	note := r.note(width)
	from := width - 1 - r.set.Width(note)
	if x < from || x >= width-1 {
		return false, false
	}
	detail = strings.HasPrefix(note, r.Detail()+r.dot()) && x < from+r.set.Width(r.Detail())
	return detail, !detail
}

// Detail returns the word for the level of detail.
func (r *Model) Detail() string {
	switch r.detail {
	case Full:
		return r.text(textFull)
	case Calls:
		return r.text(textCalls)
	}
	return r.text(textShort)
}

// body draws the visible part of the conversation.
func (r *Model) body(width, height int) []string {
	rows := make([]string, 0, max(height, 0))
	t := r.open
	if width != r.width {
		r.sel.Clear()
		r.width = width
		for _, other := range r.threads {
			other.list.Reflow()
		}
	}
	below := ""
	if r.search != nil && height > 1 {
		height--
		below = r.set.Fit(r.searchRow(width), width, "")
	}
	r.height = height
	if t != nil {
		for i := len(t.stored); i < len(t.items); i++ {
			t.list.Changed(i)
		}
		for _, i := range t.running { // their times
			t.stored[i].laid = false
			t.list.Changed(i)
		}
		r.checkSelection(t)
		rows = r.window(t, rows, height)
	}
	empty := cells.Blank(width)
	if len(rows) == 0 && height > 0 {
		rows = append(rows, r.set.Fit(" "+r.nothing(), width, r.set.Tail()))
	}
	for len(rows) < height {
		rows = append(rows, empty)
	}
	if t != nil && t.failed != "" && len(t.items) > 0 && height > 1 {
		said := r.styles.danger.Draw(r.set.Fit(" "+r.text(textFailed)+t.failed, width, r.set.Tail()))
		rows[height-1] = said
	}
	if below != "" {
		rows = append(rows, below)
	}
	return rows
}

// window draws the visible part of the thread.
func (r *Model) window(t *thread, rows []string, height int) []string {
	parts, badge := t.list.Window(height)
	r.badge = 0
	cursor, held := t.list.Cursor()
	held = held && r.focus
	picked, _ := t.picked()
	for _, p := range parts {
		it := t.items[p.Item]
		it.lay(r, t, r.width)
		var found map[int][]span
		if r.Searching() {
			found = it.marks(r, r.search.query, p.From, p.Upto)
		}
		for i := p.From; i < p.Upto; i++ {
			before := " "
			switch {
			case held && p.Item == cursor.Item && i == cursor.Row:
				before = r.cursorMark()
			case held && p.Item == picked && i >= it.firstRow():
				before = r.pickedMark()
			}
			text := it.row(r, i)
			if spans := found[i]; len(spans) > 0 {
				text = r.marked(text, spans, r.styles.match)
			}
			text = before + r.sel.Draw(r.set.Measure, text, p.Item, i)
			left := r.width - r.set.Width(text)
			if left < 0 { // too narrow for text
				text, left = r.set.Fit(text, r.width, ""), 0
			}
			rows = append(rows, text+cells.Blank(left))
		}
	}
	if !badge || len(rows) >= height && height > 1 {
		return rows
	}
	said := r.below(t)
	pad := max((r.width-r.set.Width(said))/2, 0)
	row := cells.Blank(pad) + said
	row += cells.Blank(r.width - pad - r.set.Width(said))
	if len(rows) == height {
		rows = rows[:height-1]
	}
	rows = append(rows, row)
	r.badge = len(rows)
	return rows
}

// IsBadge reports whether a row is the one that counts what is below the window.
func (r *Model) IsBadge(y int) bool { return r.open != nil && r.badge > 0 && y == r.badge }

// cursorMark stands before the row of the cursor.
func (r *Model) cursorMark() string { return r.styles.accent.Draw(r.sign("›", ">")) }

// pickedMark stands before the other rows of the item at the cursor, because
// the whole item is copied, visible or not.
func (r *Model) pickedMark() string { return r.styles.accent.Draw(r.sign("▏", ":")) }

// below is the badge that counts what arrived since the user scrolled away from
// the end.
func (r *Model) below(t *thread) string {
	n := t.list.Fresh()
	said := r.text(textBelow)
	style := r.styles.muted
	if n > 0 {
		said, style = r.lines(n, textNewLines), r.styles.badge
	}
	said = " " + r.sign("↓", "v") + " " + said + r.dot() + r.text(textToFollow) + " "
	return style.Draw(r.set.Cut(said, r.width, r.set.Tail()))
}

// nothing explains why the conversation is empty.
func (r *Model) nothing() string {
	t := r.open
	switch {
	case t == nil:
		return ""
	case t.failed != "":
		return r.styles.danger.Draw(r.text(textFailed) + t.failed)
	case !t.known:
		return r.styles.subtle.Draw(r.text(textReading))
	case t.agent == society.User:
		return r.styles.subtle.Draw(r.text(textNoInbox))
	}
	return r.styles.subtle.Draw(r.text(textEmpty))
}

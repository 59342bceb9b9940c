package tree

import (
	"strings"

	"society-tui/tui/cells"
	"society-tui/tui/replica"
	"society-tui/tui/symbols"
)

// Rows draws the tree: height rows of exactly width cells.
func (m *Model) Rows(width, height int) []string {
	if width <= 0 || height <= 0 {
		return nil
	}
	m.layout()
	m.animating = false
	m.fitRows(height - 1)
	m.fitNeeds(height - 1)
	rows := make([]string, 0, height)
	title, note := m.title(width)
	rows = append(rows, m.frame.Title(width, title, note, m.focus))
	rows = append(rows, m.drawNeeds(width)...)
	return append(rows, m.body(width, height-len(rows))...)
}

// Thumb returns the rows of the scroll bar's thumb beside the rows last drawn.
func (m *Model) Thumb() (first, end int) {
	first, end = cells.Thumb(m.top, m.height, m.rowCount())
	above := 1 + m.block.rows
	return first + above, end + above
}

// Cursor returns the position of the terminal's cursor while a filter is typed:
// behind its last character in the title.
func (m *Model) Cursor(width int) (x, y int, ok bool) {
	if !m.filter.editing {
		return 0, 0, false
	}
	title, _ := m.title(width)
	return min(1+m.set.Width(title), width-1), 0, true
}

// title is the text in the first row. Of a long filter it shows the end, where
// the user types.
func (m *Model) title(width int) (title, note string) {
	if n := len(m.marked); n > 0 {
		defer func() {
			marked := m.text(textMarked, n)
			if m.set.Width(title+marked+note)+edges+2 <= width && note != "" {
				marked += "  " + note
			}
			note = marked
		}()
	}
	n := symbols.Count(m.society.Len())
	if m.filter.editing || m.filter.text != "" {
		note = m.matching() + "/" + n
		return "/" + m.end(m.filter.text, width-edges-m.set.Width(note)), note
	}
	if m.filter.Show != replica.All {
		n = m.matching() + "/" + n
	}
	title, note = m.text(textTitle)+" "+n, m.keys.show+":"+m.showing()
	if m.society.Order() == replica.BySpawn {
		return title, note
	}
	if sorted := m.keys.order + ":" + m.ordering(); m.set.Width(title+note+sorted)+edges <= width {
		return title, note + "  " + sorted
	} else if m.filter.Show == replica.All { // only the less common setting is shown
		return title, sorted
	}
	return title, note
}

// KeyAt returns the key of the filter or order that the first row names at column x, or "".
func (m *Model) KeyAt(x, width int) string {
	_, note := m.title(width)
	return m.frame.KeyAt(width, note, x)
}

// edges is the width of the first row without title and note.
const edges = 4

// end returns s or, if it is wider than w, its end behind an ellipsis.
func (m *Model) end(s string, w int) string {
	if m.set.Width(s) <= w || w < 4 {
		return s
	}
	return m.set.Tail() + m.set.End(s, w-1)
}

// matching counts the agents that match, without ancestors shown for context.
func (m *Model) matching() string {
	if !m.filter.IsActive() {
		return symbols.Count(m.society.Len())
	}
	n := 0
	for _, l := range m.lines {
		if l.agent != nil && m.filter.Matches(l.agent, m.now) {
			n++
		}
	}
	return symbols.Count(n)
}

// body draws the visible lines, and leaves a row for a remark if the tree is
// empty.
func (m *Model) body(width, height int) []string {
	m.height = height
	m.scrollToCursor()
	m.checkSelection(width)
	rows := make([]string, 0, max(height, 0))
	for i := range height {
		at := m.top + i
		if at < m.rowCount() {
			rows = append(rows, m.selection.Draw(m.set.Measure, m.row(at, width), 0, at))
			continue
		}
		rows = append(rows, m.remark(at-m.rowCount(), width))
	}
	return rows
}

// scrollToCursor fills the rows and, unless the user has scrolled away, keeps
// the selected line visible.
func (m *Model) scrollToCursor() {
	if !m.free && m.height > 0 {
		m.top = min(m.top, m.rowOf(m.cursor))
		m.top = max(m.top, m.rowOf(m.cursor+1)-m.height)
	}
	last := max(m.rowCount()-m.height, 0)
	m.top = max(min(m.top, last+m.block.over), 0)
	m.block.over = max(m.top-last, 0)
}

// remark is row n below the tree; the first ones explain why the tree is empty.
func (m *Model) remark(n, width int) string {
	const indent = 2
	text := ""
	if rows := m.set.Wrap(m.whyEmpty(), max(width-indent, 1)); n < len(rows) {
		text = rows[n]
	}
	return m.styles.note.Draw(m.set.Fit("  "+text, width, m.set.Tail()))
}

// whyEmpty explains why there is no agent, or returns "".
func (m *Model) whyEmpty() string {
	switch {
	case !m.society.IsKnown():
	case m.society.Len() == 0:
		return m.text(textEmpty)
	case len(m.lines) > 1:
	case m.IsNarrowed():
		return m.text(textNoneShown, strings.TrimSpace(m.showing()+" "+m.filter.text), m.keys.show)
	case m.filter.IsActive():
		return m.text(textNoMatch, strings.TrimSpace(m.filter.text))
	}
	return ""
}

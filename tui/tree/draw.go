package tree

import (
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
	rows := make([]string, 0, height)
	title, note := m.title(width)
	if m.open {
		rows = append(rows, m.frame.Rule(width, title, note, m.focus))
		return append(rows, m.body(width, height-1, "", "")...)
	}
	if height < 3 || width < 4 {
		return append(rows, m.body(width, height, "", "")...)
	}
	rows = append(rows, m.frame.Top(width, title, note, m.focus))
	rows = append(rows, m.body(width-2, height-2, m.frame.Side(m.focus, false), m.frame.Side(m.focus, true))...)
	return append(rows, m.frame.Bottom(width, m.markCount(), m.focus))
}

// Cursor returns the position of the terminal's cursor while a filter is typed:
// behind its last character in the upper edge.
func (m *Model) Cursor(width int) (x, y int, ok bool) {
	if !m.filter.editing {
		return 0, 0, false
	}
	title, _ := m.title(width)
	return min(2+m.set.Width(title), width-2), 0, true
}

// title is the text in the upper edge. Of a long filter it shows the end, where
// the user types.
func (m *Model) title(width int) (title, note string) {
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

// edges is the width of the upper edge without its title.
const edges = 10

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

func (m *Model) markCount() string {
	if len(m.marked) == 0 {
		return ""
	}
	return m.text(textMarked, len(m.marked))
}

// body draws the visible lines, between sides, and leaves a row for a remark if
// the tree is empty.
func (m *Model) body(width, height int, side, thumb string) []string {
	m.height = height
	m.scrollToCursor()
	m.checkSelection(width)
	rows := make([]string, 0, max(height, 0))
	first, end := cells.Thumb(m.top, height, len(m.lines))
	for i := range height {
		right := side
		if i >= first && i < end {
			right = thumb
		}
		at := m.top + i
		if at < len(m.lines) {
			rows = append(rows, side+m.selection.Draw(m.set.Measure, m.line(at, width), 0, at)+right)
			continue
		}
		rows = append(rows, side+m.remark(at-len(m.lines), width)+right)
	}
	return rows
}

// scrollToCursor fills the rows and, unless the user has scrolled away, keeps
// the selected line visible.
func (m *Model) scrollToCursor() {
	if !m.free && m.height > 0 {
		m.top = min(m.top, m.cursor)
		m.top = max(m.top, m.cursor-m.height+1)
	}
	m.top = max(min(m.top, len(m.lines)-m.height), 0)
}

// remark is row n below the tree; row 0 explains why the tree is empty.
func (m *Model) remark(n, width int) string {
	text := ""
	switch {
	case n != 0, !m.society.IsKnown():
	case m.society.Len() == 0:
		text = m.text(textEmpty)
	case m.filter.IsActive() && len(m.lines) == 1:
		text = m.text(textNoMatch)
	}
	return m.styles.note.Draw(m.set.Fit("  "+text, width, m.set.Tail()))
}

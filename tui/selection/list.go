package selection

import "society-tui/tui/cells"

// Rows returns the selected text of a pane that is one list of rows, or "".
func (s *Selection) Rows(m cells.Measure, count int, row func(at int) string) string {
	if !s.on {
		return ""
	}
	first, last := s.Ends()
	var rows []Line
	for at := first.Row; at <= min(last.Row, count-1); at++ {
		rows = append(rows, Line{Text: row(at), Row: at})
	}
	return s.Text(m, rows)
}

// Inside reports whether row y of a framed pane holds text: 0 if it does, -1
// above and 1 below. height is the number of text rows.
func Inside(y, height int) int {
	switch {
	case y < 1:
		return -1
	case y > height:
		return 1
	}
	return 0
}

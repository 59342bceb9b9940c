package cli

import (
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/tui/cells"
	"society-tui/tui/sanitize"
)

// columns aligns rows by the width of their cells in a terminal: a Chinese
// character takes two.
func columns(rows [][]string) string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], cells.ByCodePoint.Width(cell))
		}
	}
	var text strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + cells.Blank(widths[i]-cells.ByCodePoint.Width(cell)+2)
		}
		text.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return text.String()
}

// heading returns the headings of a table.
func (c *console) heading(columns []i18n.Text) []string {
	head := make([]string, len(columns))
	for i, column := range columns {
		head[i] = c.text(column)
	}
	return head
}

// lineCells is how wide the last column of a table may be.
const lineCells = 60

// shortLine returns the beginning of a text in one line.
func shortLine(text string) string { return sanitize.Line(text, lineCells) }

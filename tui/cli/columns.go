package cli

import (
	"strings"

	"society-tui/tui/cells"
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

package markdown

import "strings"

// Spoken returns text without Markdown signs, for screen readers: a line for
// each paragraph, and each cell of a table after its column's head.
func Spoken(text string) string {
	const noWidth = 1 << 20 // the terminal breaks lines itself
	rows := Render(text, noWidth, &Look{bullets: [3]string{"-", "-", "-"}, lists: true})
	lines := make([]string, len(rows))
	for i := range rows {
		lines[i] = strings.TrimRight(rows[i].Text, " ")
	}
	return strings.Join(lines, "\n")
}

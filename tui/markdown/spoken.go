package markdown

import "strings"

// Spoken returns text without the signs of Markdown, for who listens: its paragraphs a
// line each, and the cells of a table each behind the head of its column.
func Spoken(text string) string {
	const noWidth = 1 << 20 // a terminal breaks lines itself
	rows := Render(text, noWidth, &Look{bullets: [3]string{"-", "-", "-"}, lists: true})
	lines := make([]string, len(rows))
	for i := range rows {
		lines[i] = strings.TrimRight(rows[i].Text, " ")
	}
	return strings.Join(lines, "\n")
}

package diff

import (
	"strings"

	"society-tui/tui/dialog"
	"society-tui/tui/difflines"
	"society-tui/tui/highlight"
)

// linesOf returns the lines of the clean diff of a file, with the code in them told apart.
func linesOf(file, diff string) []dialog.Line {
	lines := dialog.Diff(diff)
	language := highlight.OfFile(file)
	if kinds := difflines.Kinds(diff); language != nil && kinds != nil {
		for _, own := range []difflines.Kind{difflines.Removed, difflines.Added} { // Same is last as it is in the new file
			markSide(lines, kinds, own, language)
		}
	}
	return lines
}

// markSide marks the code in the lines of one of the two files, a hunk at a time: a string
// or comment may go over lines.
func markSide(lines []dialog.Line, kinds []difflines.Kind, own difflines.Kind, language *highlight.Language) {
	var hunk []*dialog.Line
	for i := range lines {
		switch kinds[i] {
		case own, difflines.Same:
			if !strings.HasPrefix(lines[i].Text, `\`) { // no newline at the end of the file
				hunk = append(hunk, &lines[i])
			}
		case difflines.Hunk, difflines.File, difflines.Text:
			mark(hunk, language)
			hunk = nil
		}
	}
	mark(hunk, language)
}

// mark sets the spans of lines that stand behind each other in a file, each behind its sign.
func mark(lines []*dialog.Line, language *highlight.Language) {
	code := make([]string, len(lines))
	for i, l := range lines {
		code[i] = bare(l.Text)
	}
	for i, spans := range language.Spans(code) {
		sign := len(lines[i].Text) - len(code[i])
		for j := range spans {
			spans[j].From, spans[j].To = spans[j].From+sign, spans[j].To+sign
		}
		lines[i].Spans = spans
	}
}

// bare is a line of a diff without its sign.
func bare(line string) string {
	if line == "" {
		return ""
	}
	return line[1:]
}

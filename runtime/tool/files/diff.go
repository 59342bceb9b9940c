package files

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"society-tui/runtime/protocol"
)

// contextLines is how many unchanged lines surround a change in a diff.
const contextLines = 3

// unified returns the difference of two texts, "" for none.
func unified(name, before, after string) string {
	diff, err := udiff.ToUnified("a/"+oneLine(name), "b/"+oneLine(name), before, edits(before, after), contextLines)
	if err != nil { // the edits are those of these texts
		return ""
	}
	return diff
}

// counted returns how many lines a diff adds and removes.
func counted(diff string) (added, removed int) {
	head := true
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "@@"):
			head = false
		case head:
		case line[0] == '+':
			added++
		case line[0] == '-':
			removed++
		}
	}
	return added, removed
}

// bounded returns whole lines of a text, of so many bytes at most, and a line with the number
// of those left out.
func bounded(s string, most int, lang protocol.Lang) string {
	if len(s) <= most {
		return s
	}
	end := strings.LastIndexByte(s[:most-100], '\n') + 1
	return strings.ToValidUTF8(s[:end], "") + textLinesMore.With(strings.Count(s[end:], "\n")).In(lang) + "\n"
}

// splitLines returns the lines of a text without their ends.
func splitLines(s string) []string {
	s = strings.TrimPrefix(s, bom)
	if s == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

const (
	bom         = "\ufeff"
	longestLine = 2000 // characters of a line that a model is shown
)

// cutLine returns a line of valid text without what is too long for it.
func cutLine(line string, most int) string {
	line = strings.ToValidUTF8(line, "\ufffd")
	if len(line) <= most || utf8.RuneCountInString(line) <= most {
		return line
	}
	n := 0
	for i := range line {
		if n == most {
			return line[:i] + " …"
		}
		n++
	}
	return line
}

// binary returns the type of a content that is not text, "" for text.
func binary(content []byte) string {
	head := content[:min(len(content), 8000)]
	if strings.IndexByte(string(head), 0) < 0 {
		return ""
	}
	return http.DetectContentType(head)
}

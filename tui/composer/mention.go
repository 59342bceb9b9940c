package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mention returns what begins with an @ after a blank, or at the beginning of a line, and
// ends at the cursor; "" if there is nothing such. A quoted one may have blanks.
func (r *Model) Mention() string {
	t := r.draft.text
	line := t.line().s[:t.col]
	from := strings.LastIndexFunc(line, unicode.IsSpace) + 1
	if quoted := strings.LastIndex(line, `@"`); quoted >= 0 && !strings.Contains(line[quoted+2:], `"`) {
		from = quoted
	}
	if !afterBlank(line[:from]) || !strings.HasPrefix(line[from:], "@") {
		return ""
	}
	return line[from:]
}

// Word returns the word, or its part, that ends at the cursor.
func (r *Model) Word() string {
	line := r.draft.text.line().s[:r.draft.text.col]
	return line[strings.LastIndexFunc(line, unicode.IsSpace)+1:]
}

func afterBlank(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(line)
	return line == "" || unicode.IsSpace(last)
}

// AfterBlank reports whether a word begins at the cursor.
func (r *Model) AfterBlank() bool { return afterBlank(r.draft.text.line().s[:r.draft.text.col]) }

// Complete replaces the Mention at the cursor.
func (r *Model) Complete(text string) {
	t := r.draft.text
	at := t.col - len(r.Mention())
	line := t.line().s
	t.set(line[:at]+text+line[t.col:], at+len(text))
	r.touch()
}

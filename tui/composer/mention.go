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
	if strings.ContainsFunc(line, isBlock) {
		line = line[strings.LastIndexFunc(line, isBlock)+utf8.RuneLen(firstBlock):]
	}
	from := strings.LastIndexFunc(line, unicode.IsSpace) + 1
	if quoted := strings.LastIndex(line, `@"`); quoted >= 0 && !strings.Contains(line[quoted+2:], `"`) {
		from = quoted
	}
	if before, _ := utf8.DecodeLastRuneInString(line[:from]); from > 0 && !unicode.IsSpace(before) || !strings.HasPrefix(line[from:], "@") {
		return ""
	}
	return line[from:]
}

// Complete replaces the Mention at the cursor.
func (r *Model) Complete(text string) {
	t := r.draft.text
	at := t.col - len(r.Mention())
	line := t.line().s
	t.set(line[:at]+text+line[t.col:], at+len(text))
	r.touch()
}

package tables

import (
	"strconv"
	"time"
	"unicode/utf8"

	"society-tui/runtime/society"
)

// A Letter is a message to an agent as it is stored: header, the sender's body,
// and the text that the model is given.
type Letter struct {
	society.Mail
	Body string `json:"body"`
	Text string `json:"text"`
}

// appendTo writes the letter out as package json would. Most commits are made of
// letters, and to look at each of their fields through reflection would take longer
// than the store takes for them (PERFORMANCE.md 8).
func (l *Letter) appendTo(b []byte) []byte {
	b = strconv.AppendUint(append(b, `{"seq":`...), l.Seq, 10)
	b = appendText(b, `,"id":`, string(l.ID))
	b = appendText(b, `,"from":`, string(l.From))
	b = appendUnless(b, `,"role":`, l.Role)
	b = appendUnless(b, `,"type":`, string(l.Type))
	b = appendUnless(b, `,"task":`, string(l.Task))
	if l.Reply {
		b = append(b, `,"reply":true`...)
	}
	b = appendNumber(b, `,"size":`, l.Size)
	b = appendNumber(b, `,"weight":`, l.Weight)
	b = appendTime(b, `,"at":`, l.At)
	b = appendTexts(b, `,"quick":`, l.Quick)
	b = appendUnless(b, `,"line":`, l.Line)
	b = appendText(b, `,"body":`, l.Body)
	return append(appendText(b, `,"text":`, l.Text), '}')
}

func appendUnless(b []byte, name, s string) []byte {
	if s == "" {
		return b
	}
	return appendText(b, name, s)
}

func appendNumber[N ~int | ~int64](b []byte, name string, n N) []byte {
	if n == 0 {
		return b
	}
	return strconv.AppendInt(append(b, name...), int64(n), 10)
}

// appendTime writes the times that a society has; one outside the years 0 to 9999
// could not be read again.
func appendTime(b []byte, name string, at time.Time) []byte {
	b = append(append(b, name...), '"')
	return append(at.AppendFormat(b, time.RFC3339Nano), '"')
}

// appendText writes a string in the form that package json gives it where nothing
// is to stand in HTML.
func appendText(b []byte, name, s string) []byte {
	b = append(append(b, name...), '"')
	from := 0 // of what goes as it is
	for i := 0; i < len(s); {
		escaped, size := "", 1
		if c := s[i]; c < utf8.RuneSelf {
			escaped = escapeOf(c)
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size == 1:
				escaped = `\ufffd`
			case r == '\u2028':
				escaped = `\u2028`
			case r == '\u2029':
				escaped = `\u2029`
			}
		}
		if escaped != "" {
			b = append(append(b, s[from:i]...), escaped...)
			from = i + size
		}
		i += size
	}
	return append(append(b, s[from:]...), '"')
}

// escapeOf is what stands for an ASCII character, "" for itself.
func escapeOf(c byte) string {
	if c >= ' ' && c != '"' && c != '\\' {
		return ""
	}
	switch c {
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	const hex = "0123456789abcdef"
	return `\u00` + string(hex[c>>4]) + string(hex[c&15])
}

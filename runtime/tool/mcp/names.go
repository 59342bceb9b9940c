package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestName is how long the names of tools may be at endpoints.
const longestName = 64

// toolName returns the name by which agents call a tool of a server, "" if its own name has no
// letter or digit. One that is too long, or has characters that endpoints refuse, is cut or
// replaced and ends with a hash of its own name, so that two of them stay apart.
func toolName(server, own string) string {
	named, fit := false, true
	name := GroupPrefix + server + "_" + strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			named = true
			return r
		case r == '_', r == '-':
			return r
		}
		fit = false
		named = named || unicode.IsLetter(r) || unicode.IsDigit(r)
		return '_'
	}, own)
	switch {
	case !named:
		return ""
	case fit && len(name) <= longestName:
		return name
	}
	sum := sha256.Sum256([]byte(own))
	tail := "_" + hex.EncodeToString(sum[:4])
	return name[:min(len(name), longestName-len(tail))] + tail
}

// clean returns a text of a server without what is not seen, and of at most so many bytes:
// control characters move cursors, and formatting ones hide text or turn it round.
func clean(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case r == utf8.RuneError, unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), r == '\u2028', r == '\u2029', isInvisible(r):
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "\r\n", "\n"))
	text = strings.TrimSpace(text)
	if len(text) > most {
		const more = " …"
		text = strings.ToValidUTF8(text[:max(0, most-len(more))], "") + more
	}
	return text
}

// isInvisible reports whether a character selects a variant of another: such characters can
// carry a hidden text.
func isInvisible(r rune) bool {
	return '\uFE00' <= r && r <= '\uFE0F' || 0xE0100 <= r && r <= 0xE01EF
}

// line returns a text of a server on one line.
func line(text string, most int) string {
	return clean(strings.Join(strings.Fields(clean(text, 4*most)), " "), most)
}

package chatapi

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions here walk over JSON as it comes, without copying it: a chunk is
// read twice for each token a model writes, and endpoints send what
// encoding/json would refuse. They take any bytes and never recurse.

// value is the text of one JSON value, without space around it.
type value []byte

// skip returns the end of the value that begins at text[at]; ok is false if it
// is cut short or there is none.
func skip(text []byte, at int) (end int, ok bool) {
	depth := 0
	for at < len(text) {
		switch c := text[at]; c {
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		case '"':
			if at, ok = skipString(text, at); !ok {
				return at, false
			}
		case ' ', '\t', '\n', '\r', ',', ':':
			if depth == 0 {
				return at, false
			}
			at++
			continue
		default:
			from := at
			for at < len(text) && !isDelimiter(text[at]) {
				at++
			}
			if depth == 0 && !isScalar(text[from:at]) {
				return at, false
			}
		}
		if depth <= 0 {
			return at, depth == 0
		}
	}
	return at, false
}

func isDelimiter(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r', ',', ':', '"', '[', ']', '{', '}':
		return true
	}
	return false
}

func isScalar(text []byte) bool {
	switch string(text) {
	case "true", "false", "null":
		return true
	}
	return len(text) > 0 && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'))
}

// skipString returns the end of the string whose quote is text[at].
func skipString(text []byte, at int) (end int, ok bool) {
	for at++; at < len(text); at++ {
		switch text[at] {
		case '"':
			return at + 1, true
		case '\\':
			at++
		}
	}
	return len(text), false
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') {
		at++
	}
	return at
}

// first returns the value that text begins with, and what follows it.
func first(text []byte) (v value, rest []byte, ok bool) {
	at := skipSpace(text, 0)
	end, ok := skip(text, at)
	if !ok {
		return nil, text, false
	}
	return value(text[at:end]), text[skipSpace(text, end):], true
}

// members walks over the members of an object or the elements of an array.
type members struct {
	text   []byte
	at     int
	keyed  bool
	broken bool // set when the walk ended because the text is no JSON
}

// members of anything that is neither object nor array are none.
func (v value) members() members {
	if len(v) < 2 || (v[0] != '{' && v[0] != '[') {
		return members{}
	}
	return members{text: v[1 : len(v)-1], keyed: v[0] == '{'}
}

// next returns the next value and, in an object, its key. The key is nil in an
// array.
func (m *members) next() (key []byte, v value, more bool) {
	m.at = skipSpace(m.text, m.at)
	if m.at >= len(m.text) {
		return nil, nil, false
	}
	if m.keyed {
		end, ok := 0, false
		if m.text[m.at] == '"' {
			end, ok = skipString(m.text, m.at)
		}
		if !ok {
			return nil, nil, m.stop()
		}
		key = m.text[m.at+1 : end-1]
		if bytes.IndexByte(key, '\\') >= 0 {
			key = []byte(value(m.text[m.at:end]).str())
		}
		m.at = skipSpace(m.text, end)
		if m.at >= len(m.text) || m.text[m.at] != ':' {
			return nil, nil, m.stop()
		}
		m.at = skipSpace(m.text, m.at+1)
	}
	end, ok := skip(m.text, m.at)
	if !ok {
		return nil, nil, m.stop()
	}
	v = value(m.text[m.at:end])
	m.at = skipSpace(m.text, end)
	if m.at < len(m.text) {
		if m.text[m.at] != ',' {
			return nil, nil, m.stop()
		}
		m.at++
	}
	return key, v, true
}

func (m *members) stop() bool {
	m.broken = true
	m.at = len(m.text)
	return false
}

func (v value) isNull() bool   { return len(v) == 0 || string(v) == "null" }
func (v value) isString() bool { return len(v) >= 2 && v[0] == '"' }
func (v value) isObject() bool { return len(v) >= 2 && v[0] == '{' }
func (v value) isArray() bool  { return len(v) >= 2 && v[0] == '[' }

// member returns the first member of an object with that key.
func (v value) member(name string) value {
	m := v.members()
	for key, member, more := m.next(); more; key, member, more = m.next() {
		if m.keyed && string(key) == name {
			return member
		}
	}
	return nil
}

// str is the text of a string, and of anything else what it says, except for
// null, which says nothing.
func (v value) str() string {
	if !v.isString() {
		if v.isNull() {
			return ""
		}
		return strings.ToValidUTF8(string(v), "\ufffd")
	}
	inner := v[1 : len(v)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	return unescape(inner)
}

// unescape reads the inside of a JSON string. What cannot be read becomes
// U+FFFD, or stays as it is.
func unescape(inner []byte) string {
	out := make([]byte, 0, len(inner))
	for i := 0; i < len(inner); {
		c := inner[i]
		if c != '\\' {
			r, n := utf8.DecodeRune(inner[i:])
			out = utf8.AppendRune(out, r)
			i += n
			continue
		}
		if i+1 >= len(inner) {
			return string(utf8.AppendRune(out, utf8.RuneError))
		}
		i += 2
		switch e := inner[i-1]; e {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case '"', '\\', '/':
			out = append(out, e)
		case 'u':
			r, n := hexRune(inner[i:])
			out = utf8.AppendRune(out, r)
			i += n
		default:
			out = append(out, '\\', e)
		}
	}
	return strings.ToValidUTF8(string(out), "\ufffd")
}

// hexRune reads the digits after \u, and the second half of a surrogate pair if
// there is one, and returns how much it read.
func hexRune(text []byte) (rune, int) {
	unit, ok := hexUnit(text)
	if !ok {
		return utf8.RuneError, 0
	}
	if !utf16.IsSurrogate(unit) {
		return unit, 4
	}
	if len(text) >= 10 && text[4] == '\\' && text[5] == 'u' {
		if low, ok := hexUnit(text[6:]); ok {
			if r := utf16.DecodeRune(unit, low); r != utf8.RuneError {
				return r, 10
			}
		}
	}
	return utf8.RuneError, 4
}

func hexUnit(text []byte) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[:4]), 16, 32)
	return rune(n), err == nil
}

// number reads a number, also one written as a string. ok is false for what is
// none, and for what is beyond all sense.
func (v value) number() (n float64, ok bool) {
	text := string(v)
	if v.isString() {
		text = strings.TrimSpace(v.str())
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && !math.IsNaN(n) && math.Abs(n) <= 1e15
}

// isObject reports whether text is a JSON object and nothing else, by the strict
// rules.
func isObject(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) >= 2 && text[0] == '{' && json.Valid(text)
}

// isSound reports whether v is a string that needs no repair to be JSON; bytes
// that are no UTF-8 are let pass.
func (v value) isSound() bool {
	for i := 1; i < len(v)-1; i++ {
		switch c := v[i]; {
		case c < ' ':
			return false
		case c == '\\':
			i++
			switch v[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if _, ok := hexUnit(v[i+1 : len(v)-1]); !ok {
					return false
				}
				i += 4
			default:
				return false
			}
		}
	}
	return true
}

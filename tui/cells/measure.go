package cells

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// A Measure is how a terminal counts the cells of text. Text must be measured
// as terminal and renderer do, or the rest of its row is displaced. The zero
// value suits an unknown terminal.
type Measure uint8

const (
	// ByCodePoint adds up the code points of a character, as most terminals do: a
	// family of four emoji takes eight cells.
	ByCodePoint Measure = iota
	// ByCluster counts a grapheme cluster as at most two cells, as terminals do
	// that confirm mode 2027.
	ByCluster
)

func (m Measure) method() ansi.Method {
	if m == ByCluster {
		return ansi.GraphemeWidth
	}
	return ansi.WcWidth
}

// Width returns the width of s. Escape sequences have none.
func (m Measure) Width(s string) int {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return m.method().StringWidth(s)
		}
	}
	return len(s)
}

// First returns the first grapheme cluster of s, and its width. s holds no
// escape sequences.
func (m Measure) First(s string) (cluster string, cells int) {
	if s == "" {
		return "", 0
	}
	if s[0] >= ' ' && s[0] <= '~' && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return s[:1], 1
	}
	return ansi.FirstGraphemeCluster(s, m.method())
}

// FirstWithin is First for a row of w cells. If the cluster is wider, it
// returns as many of its code points as fit, but at least one.
func (m Measure) FirstWithin(s string, w int) (part string, cells int) {
	part, cells = m.First(s)
	if cells <= w || m == ByCluster {
		return part, cells
	}
	end, used := 0, 0
	for end < len(part) {
		_, size := utf8.DecodeRuneInString(part[end:])
		more := m.Width(part[end : end+size])
		if used > 0 && used+more > w {
			break
		}
		used += more
		end += size
	}
	return part[:end], used
}

// next is First for a text that may begin with an escape sequence.
func (m Measure) next(s string) (part string, cells int) {
	if s[0] >= ' ' && s[0] <= '~' {
		return m.First(s)
	}
	part, cells, _, _ = m.method().DecodeSequenceInString(s, ansi.NormalState, nil)
	return part, cells
}

// Cut returns s if it fits into w cells, else as much as fits before tail. If
// tail does not fit, either, it is left out. Escape sequences are kept, and no
// character is split.
func (m Measure) Cut(s string, w int, tail string) string {
	if w <= 0 {
		return ""
	}
	if m.Width(s) <= w {
		return s
	}
	if room := w - m.Width(tail); room > 0 {
		w = room
	} else {
		tail = ""
	}
	kept, rest := m.split(s, w)
	return kept + tail + escapes(rest)
}

// CutWords returns s, which has no escape sequences, if it fits into w cells, else as many whole
// words as fit before tail. Chinese is cut anywhere, and so is a word that is longer than half of w
// or of which more than longestLoss cells fit.
func (m Measure) CutWords(s string, w int, tail string) string {
	short := m.Cut(s, w, tail)
	if short == s || w <= m.Width(tail) {
		return short
	}
	kept := strings.TrimSuffix(short, tail)
	next, _ := utf8.DecodeRuneInString(s[len(kept):])
	last, _ := utf8.DecodeLastRuneInString(kept)
	if apart(next) || apart(last) {
		return kept + tail
	}
	words := kept[:max(strings.LastIndexFunc(kept, apart), 0)]
	if c, size := utf8.DecodeRuneInString(kept[len(words):]); words != "" && c != ' ' {
		words = kept[:len(words)+size]
	}
	if m.Width(words) >= max(w/2, w-longestLoss) {
		kept = words
	}
	return kept + tail
}

// longestLoss is how many cells stay blank at most so that no word is cut.
const longestLoss = 16

// apart reports whether a line may be cut beside c: a blank, or Chinese with its punctuation.
func apart(c rune) bool {
	return c == ' ' || unicode.Is(unicode.Han, c) || c >= 0x3000 && c < 0x3040 || c >= 0xff00 && c < 0xff61
}

// split splits s after the characters that fit into w cells.
func (m Measure) split(s string, w int) (kept, rest string) {
	used := 0
	for at := 0; at < len(s); {
		part, cells := m.next(s[at:])
		if used += cells; used > w {
			return s[:at], s[at:]
		}
		at += len(part)
	}
	return s, ""
}

// End returns the end of s that fits into w cells. s holds no escape sequences.
func (m Measure) End(s string, w int) string {
	for over := m.Width(s) - w; over > 0 && s != ""; {
		c, cells := m.First(s)
		s, over = s[len(c):], over-cells
	}
	return s
}

// escapes returns the escape sequences of s without the text between them.
func escapes(s string) string {
	var b strings.Builder
	for s != "" {
		at := strings.IndexByte(s, ansi.ESC)
		if at < 0 {
			break
		}
		seq, _, n, _ := ansi.DecodeSequenceWc(s[at:], ansi.NormalState, nil)
		b.WriteString(seq)
		s = s[at+n:]
	}
	return b.String()
}

// Drop returns s without its first n cells. Escape sequences are kept. A
// character that is split becomes blanks.
func (m Measure) Drop(s string, n int) string {
	if n <= 0 {
		return s
	}
	kept, rest := m.split(s, n)
	lead, used := escapes(kept), m.Width(kept)
	if used < n && rest != "" {
		part, cells := m.next(rest)
		return lead + Blank(used+cells-n) + rest[len(part):]
	}
	return lead + rest
}

// Slice returns cells [from, upto) of s, as Drop and Cut leave them.
func (m Measure) Slice(s string, from, upto int) string {
	return m.Cut(m.Drop(s, from), upto-from, "")
}

// Fit returns s cut or padded to exactly w cells.
func (m Measure) Fit(s string, w int, tail string) string {
	s = m.Cut(s, w, tail)
	return s + Blank(w-m.Width(s))
}

// FitRight returns s cut or padded at its left to exactly w cells.
func (m Measure) FitRight(s string, w int, tail string) string {
	s = m.Cut(s, w, tail)
	return Blank(w-m.Width(s)) + s
}

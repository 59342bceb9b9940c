package sanitize

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"society-tui/tui/cells"
)

// A writer receives text without control sequences and removes what would break
// or falsify the layout: heaped marks, endless lines, invisible characters.
type writer struct {
	out     strings.Builder
	limit   int  // longest line in bytes; 0 means lineLimit
	begun   bool // it has received something
	line    int  // bytes in the line
	col     int  // cells in the line, for tabs
	base    rune // the character that marks and joiners apply to; 0 at the start of a line
	marks   int  // on base
	joins   int  // emoji joined so far
	waiting rune // a joiner, written only if the next character can be joined
}

// take returns the text written since the last call.
func (w *writer) take() string {
	s := w.out.String()
	w.out.Reset()
	return s
}

// end resolves a waiting joiner.
func (w *writer) end() {
	if w.waiting != 0 {
		w.settle(0)
	}
}

// ascii writes the prefix of s that is printable ASCII and newlines, and
// returns its length.
func (w *writer) ascii(s string) int {
	if w.waiting != 0 {
		return 0
	}
	n, line, col := 0, w.line, w.col
	for n < len(s) {
		if b := s[n]; b >= ' ' && b <= '~' {
			if line == w.most() {
				break
			}
			line++
			col++
		} else {
			// The newline may belong to a carriage return.
			break
		}
		n++
	}
	if n == 0 {
		return 0
	}
	w.out.WriteString(s[:n])
	w.begun, w.line, w.col = true, line, col
	w.base, w.marks, w.joins = rune(s[n-1]), 0, 0
	return n
}

func (w *writer) most() int {
	if w.limit > 0 {
		return w.limit
	}
	return lineLimit
}

// write handles a character that is no control character but the newline.
func (w *writer) write(r rune) {
	if w.waiting != 0 {
		w.settle(r)
	}
	if r >= 0x4e00 && r <= 0x9fff { // most of Chinese skips the tables below
		w.begun = true
		w.put(r)
		w.base, w.marks, w.joins = r, 0, 0
		return
	}
	first := !w.begun
	w.begun = true
	switch {
	case r == '\n' || r == '\u2028' || r == '\u2029':
		w.newline()
	case r == '\u00ad': // a soft hyphen is invisible
	case r == '\ufeff' && first: // a byte order mark
	case r == zwj || r == zwnj:
		w.waiting = r
	case unicode.Is(unicode.M, r) || isModifier(r):
		w.mark(r)
	case invisible(r):
		w.show(r)
	default:
		if w.base != zwj {
			w.joins = 0
		}
		w.put(r)
		w.base, w.marks = r, 0
	}
}

// settle decides about the waiting joiner, given the next character.
func (w *writer) settle(next rune) {
	joiner := w.waiting
	w.waiting = 0
	switch {
	case joiner == zwj && pictograph(w.base) && pictograph(next) && w.joins+1 < joinLimit:
		w.joins++
	case cursive(w.base) && cursive(next):
		w.joins = 0
	default:
		w.show(joiner)
		return
	}
	if w.line+utf8.RuneLen(joiner)+utf8.RuneLen(next) > w.most() {
		w.newline() // joiners do not cross lines
		return
	}
	w.put(joiner)
	w.base = zwj
}

// mark writes a combining mark, up to the limit for its character.
func (w *writer) mark(r rune) {
	if w.marks == markLimit {
		return
	}
	if w.line+utf8.RuneLen(r) > w.most() {
		w.newline()
	}
	if w.base == 0 {
		// Otherwise it would combine with whatever is drawn to the left.
		w.put('◌')
		w.base, w.marks = '◌', 0
	}
	w.put(r)
	w.marks++
}

// show writes the number of an invisible code point.
func (w *writer) show(r rune) {
	for _, c := range fmt.Sprintf("<U+%04X>", r) {
		w.put(c)
	}
	w.base, w.marks, w.joins = '>', 0, 0
}

// tab writes spaces up to the next tab stop.
func (w *writer) tab() {
	if w.waiting != 0 {
		w.settle('\t')
	}
	w.begun = true
	for more := true; more; more = w.col%tabStop != 0 {
		w.put(' ')
	}
	w.base, w.marks, w.joins = ' ', 0, 0
}

func (w *writer) newline() {
	w.out.WriteByte('\n')
	w.line, w.col = 0, 0
	w.base, w.marks, w.joins = 0, 0, 0
}

// put writes r, on a new line if the current one is full.
func (w *writer) put(r rune) {
	size := utf8.RuneLen(r)
	if w.line+size > w.most() {
		w.newline()
	}
	w.out.WriteRune(r)
	w.line += size
	if r < utf8.RuneSelf {
		w.col++
	} else {
		w.col += cells.ByCodePoint.Width(string(r))
	}
}

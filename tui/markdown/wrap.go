package markdown

import (
	"strings"
	"unicode/utf8"

	"society-tui/tui/cells"
)

// A piece is bytes lo to hi of span n.
type piece struct{ n, lo, hi int }

// A wrapper fills rows with words.
type wrapper struct {
	look  *Look
	spans []span
	width int // of the text without leads
	emit  func(row string, cells int, gap string, soft bool)
	soft  bool   // the next row continues the line of this one
	gap   string // the text between the two

	line, blanks, word   []piece // the row, and what follows it
	lineW, blankW, wordW int
	glue                 bool // no break is allowed before the next character
}

// wrap lays out spans in rows of at most width cells, broken between words if
// possible, and calls emit with each row and the gap before it if it continues
// a line. There is at least one row. Chinese, Japanese and Korean break between
// any two characters, but no row begins with a closing sign or ends with an
// opening one.
func wrap(look *Look, spans []span, width int, emit func(row string, cells int, gap string, soft bool)) {
	w := wrapper{look: look, spans: spans, width: max(width, 1), emit: emit, glue: true}
	for n := range spans {
		w.take(n)
	}
	w.flush()
	w.end()
}

func (w *wrapper) take(n int) {
	text := w.spans[n].text
	for at := 0; at < len(text); {
		if size := asciiWord(text[at:]); size > 0 {
			if !w.glue && !closer(rune(text[at])) {
				w.flush()
			}
			w.glue = true
			w.word = push(w.word, n, at, at+size)
			w.wordW += size
			at += size
			continue
		}
		if text[at] == ' ' {
			w.flush()
			w.blanks = push(w.blanks, n, at, at+1)
			w.blankW++
			w.glue = true
			at++
			continue
		}
		cluster, wide := w.look.cells.First(text[at:])
		w.cluster(cluster, wide, n, at)
		at += len(cluster)
	}
}

// cluster handles one character that may not be ASCII.
func (w *wrapper) cluster(c string, wide, n, at int) {
	r, _ := utf8.DecodeRuneInString(c)
	breaks := cells.CanBreak(c, wide)
	if !closer(r) && (!w.glue || breaks && !w.endsOpen()) {
		w.flush()
	}
	w.word = push(w.word, n, at, at+len(c))
	w.wordW += wide
	w.glue = !breaks || opener(r)
}

// endsOpen reports whether the word ends with an opening sign, which may not
// end a row.
func (w *wrapper) endsOpen() bool {
	if len(w.word) == 0 {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(w.text(w.word[len(w.word)-1]))
	return opener(r)
}

func (w *wrapper) text(p piece) string { return w.spans[p.n].text[p.lo:p.hi] }

// push appends a piece, merged with the last one if it continues it.
func push(list []piece, n, lo, hi int) []piece {
	if last := len(list) - 1; last >= 0 && list[last].n == n && list[last].hi == lo {
		list[last].hi = hi
		return list
	}
	return append(list, piece{n, lo, hi})
}

// flush ends the word: it goes into this row if it fits, else into the next.
func (w *wrapper) flush() {
	if len(w.word) == 0 {
		return
	}
	if w.lineW > 0 && w.lineW+w.blankW+w.wordW > w.width {
		w.end()
	} else {
		w.move(w.blanks)
		w.lineW += w.blankW
		w.blanks, w.blankW = w.blanks[:0], 0
	}
	if w.lineW+w.wordW > w.width {
		w.split()
	} else {
		w.move(w.word)
		w.lineW += w.wordW
	}
	w.word, w.wordW = w.word[:0], 0
}

// move appends pieces to the row.
func (w *wrapper) move(pieces []piece) {
	for _, p := range pieces {
		w.line = push(w.line, p.n, p.lo, p.hi)
	}
}

// split breaks a word that is longer than a row.
func (w *wrapper) split() {
	if w.lineW > w.width {
		w.end() // leading blanks that do not fit
	}
	for _, p := range w.word {
		for at := p.lo; at < p.hi; {
			cluster, wide := w.look.cells.FirstWithin(w.spans[p.n].text[at:p.hi], w.width)
			size := len(cluster)
			n, lo, hi := p.n, at, at+size
			if wide > w.width {
				// Too wide for any row.
				w.spans = append(w.spans[:len(w.spans):len(w.spans)], span{"?", w.spans[p.n].ink})
				n, lo, hi, wide = len(w.spans)-1, 0, 1, 1
			}
			if w.lineW+wide > w.width {
				w.end()
			}
			w.line = push(w.line, n, lo, hi)
			w.lineW += wide
			at += size
		}
	}
}

// end emits the row without trailing blanks.
func (w *wrapper) end() {
	if w.lineW > w.width {
		w.line, w.lineW = w.line[:0], 0 // only blanks
	}
	var b strings.Builder
	for _, p := range w.line {
		b.WriteString(w.look.styles[w.spans[p.n].ink].Draw(w.text(p)))
	}
	w.emit(b.String(), w.lineW, w.gap, w.soft)
	w.soft, w.gap = true, strings.Repeat(" ", w.blankW)
	w.line, w.lineW = w.line[:0], 0
	w.blanks, w.blankW = w.blanks[:0], 0
}

// widthOf returns the width of spans in one row.
func (l *Look) widthOf(spans []span) int {
	w := 0
	for _, s := range spans {
		w += l.cells.Width(s.text)
	}
	return w
}

// asciiWord returns how many bytes of s are printable ASCII without blanks,
// excluding one that a combining mark follows.
func asciiWord(s string) int {
	n := 0
	for n < len(s) && s[n] > ' ' && s[n] < 0x7f {
		n++
	}
	if n > 0 && n < len(s) && s[n] >= 0x80 {
		n--
	}
	return n
}

// closer reports whether a row may not begin with r.
func closer(r rune) bool {
	return strings.ContainsRune("，。、；：？！）】」』》〉〕｝］”’…—～·%‰℃々ー"+",.;:?!)]}", r)
}

// opener reports whether a row may not end with r.
func opener(r rune) bool {
	return strings.ContainsRune("（【「『《〈〔｛［“‘"+"([{", r)
}

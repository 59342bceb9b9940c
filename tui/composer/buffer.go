package composer

import (
	"strings"
	"unicode/utf8"

	"society-tui/tui/cells"
	"society-tui/tui/sanitize"
)

// text is a text being edited: lines, and a cursor between grapheme clusters.
//
// It replaces the textarea of bubbles, which counts runes, so that the cursor
// is misplaced behind an emoji, and cuts a paste at 10,000 lines.
type text struct {
	lines []line
	row   int // the cursor's line
	col   int // bytes of it before the cursor
	goal  int // the cell that up and down aim for, or -1 for the cursor's
}

// A line caches its last wrapping.
type line struct {
	s      string
	width  int           // width of that wrapping, 0 for none
	cells  cells.Measure // measure of that wrapping
	starts []int         // the bytes at which rows begin
}

func newText(s string) *text {
	t := &text{goal: -1}
	for l := range strings.SplitSeq(s, "\n") {
		t.lines = append(t.lines, line{s: l})
	}
	t.end()
	return t
}

// String returns the text, with blocks as the runes that represent them.
func (t *text) String() string {
	if len(t.lines) == 1 {
		return t.lines[0].s
	}
	var b strings.Builder
	for i := range t.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(t.lines[i].s)
	}
	return b.String()
}

func (t *text) empty() bool { return len(t.lines) == 1 && t.lines[0].s == "" }

// size returns the bytes of the text without blocks.
func (t *text) size() int {
	n := len(t.lines) - 1
	for i := range t.lines {
		n += len(t.lines[i].s)
	}
	return n
}

// cluster returns the first grapheme cluster of s, or the first block.
func cluster(s string) string {
	if r, size := utf8.DecodeRuneInString(s); isBlock(r) {
		return s[:size]
	}
	c, _ := cells.ByCodePoint.First(s)
	for i, r := range c {
		if i > 0 && isBlock(r) {
			return c[:i]
		}
	}
	return c
}

// shown returns how a character is drawn. Invisible and control characters
// become a visible mark, so that nothing can hide in a paste.
func shown(c string) string {
	if len(c) == 1 && c[0] >= ' ' && c[0] <= '~' {
		return c
	}
	if c == "\t" {
		return "    "
	}
	if clean := sanitize.Text(c); clean != "" && clean != "\n" {
		return clean
	}
	return "\ufffd"
}

func (t *text) line() *line { return &t.lines[t.row] }

// set replaces the cursor's line.
func (t *text) set(s string, col int) {
	t.lines[t.row] = line{s: s}
	t.col, t.goal = col, -1
}

// insert writes s at the cursor and moves it behind s.
func (t *text) insert(s string) {
	l := t.line().s
	before, after := l[:t.col], l[t.col:]
	first, rest, more := strings.Cut(s, "\n")
	if !more {
		t.set(before+first+after, len(before)+len(first))
		return
	}
	parts := strings.Split(rest, "\n")
	added := make([]line, len(parts))
	for i, p := range parts {
		added[i] = line{s: p}
	}
	last := &added[len(added)-1]
	col := len(last.s)
	last.s += after
	t.lines[t.row] = line{s: before + first}
	t.lines = append(t.lines[:t.row+1], append(added, t.lines[t.row+1:]...)...)
	t.row += len(added)
	t.col, t.goal = col, -1
}

// before returns the character left of the cursor on its line.
func (t *text) before() string {
	l := t.line().s[:t.col]
	last := ""
	// Clusters can only be found from their beginning. A long line is read from a
	// safe place: after the last blank well before the cursor.
	from := 0
	if t.col > 4096 {
		if at := strings.LastIndexByte(l[:t.col-1024], ' '); at > 0 {
			from = at
		}
	}
	for rest := l[from:]; rest != ""; {
		last = cluster(rest)
		rest = rest[len(last):]
	}
	return last
}

func (t *text) after() string { return cluster(t.line().s[t.col:]) }

// backspace deletes the character left of the cursor.
func (t *text) backspace() {
	if t.col > 0 {
		c := t.before()
		l := t.line().s
		t.set(l[:t.col-len(c)]+l[t.col:], t.col-len(c))
		return
	}
	if t.row > 0 {
		t.row--
		t.join()
	}
}

// join appends the next line to the cursor's.
func (t *text) join() {
	l := t.line().s
	joined := l + t.lines[t.row+1].s
	t.lines = append(t.lines[:t.row+1], t.lines[t.row+2:]...)
	t.set(joined, len(l))
}

// remove deletes the character right of the cursor.
func (t *text) remove() {
	if c := t.after(); c != "" {
		l := t.line().s
		t.set(l[:t.col]+l[t.col+len(c):], t.col)
	} else if t.row < len(t.lines)-1 {
		t.join()
	}
}

func (t *text) left() {
	t.goal = -1
	if t.col > 0 {
		t.col -= len(t.before())
	} else if t.row > 0 {
		t.row--
		t.col = len(t.line().s)
	}
}

func (t *text) right() {
	t.goal = -1
	if c := t.after(); c != "" {
		t.col += len(c)
	} else if t.row < len(t.lines)-1 {
		t.row++
		t.col = 0
	}
}

func (t *text) lineStart() { t.col, t.goal = 0, -1 }
func (t *text) lineEnd()   { t.col, t.goal = len(t.line().s), -1 }
func (t *text) start()     { t.row, t.col, t.goal = 0, 0, -1 }

func (t *text) end() {
	t.row = len(t.lines) - 1
	t.lineEnd()
}

func blank(c string) bool { return c == " " || c == "\t" || c == "\u3000" }

// wordLeft moves to the beginning of the word at or before the cursor.
func (t *text) wordLeft() {
	t.left()
	for t.col > 0 && blank(t.before()) {
		t.left()
	}
	for t.col > 0 && !blank(t.before()) {
		t.left()
	}
}

// wordRight moves behind the word at or after the cursor.
func (t *text) wordRight() {
	t.right()
	for c := t.after(); c != "" && blank(c); c = t.after() {
		t.right()
	}
	for c := t.after(); c != "" && !blank(c); c = t.after() {
		t.right()
	}
}

// take removes and returns the text between the cursor and where move leads.
func (t *text) take(move func()) string {
	row, col := t.row, t.col
	move()
	fromRow, fromCol, toRow, toCol := t.row, t.col, row, col
	if toRow < fromRow || toRow == fromRow && toCol < fromCol {
		fromRow, fromCol, toRow, toCol = toRow, toCol, fromRow, fromCol
	}
	var b strings.Builder
	for i := fromRow; i <= toRow; i++ {
		l := t.lines[i].s
		from, to := 0, len(l)
		if i == fromRow {
			from = fromCol
		} else {
			b.WriteByte('\n')
		}
		if i == toRow {
			to = toCol
		}
		b.WriteString(l[from:to])
	}
	rest := t.lines[toRow].s[toCol:]
	t.lines = append(t.lines[:fromRow+1], t.lines[toRow+1:]...)
	t.row = fromRow
	t.set(t.lines[fromRow].s[:fromCol]+rest, fromCol)
	return b.String()
}

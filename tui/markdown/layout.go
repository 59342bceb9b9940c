package markdown

import (
	"strings"
)

// A layout reads a text line by line, with the state that the next line depends
// on: open fence, lists and table.
type layout struct {
	look  *Look
	width int
	rows  []Row
	// code, if set, receives the lines inside fenced blocks with their newlines.
	code func(block int, line string)

	gap      bool // blank lines since the last row
	gapQuote int  // quote depth of those lines
	quote    int  // quote depth of the text
	items    []item
	bullet   *lead // printed before the next row: a bullet whose text follows
	fence    fence
	chunk    *chunk // of the open fence, nil if its language is unknown
	verbatim bool   // the last line was indented code
	table    *table
	maybe    string // a table head if the next line confirms it
	part     part   // how the rest of an overlong line continues
}

// A part is how the rest of a long line is laid out.
type part uint8

const (
	aLine part = iota
	ofText
	ofHeading
	ofCode
)

// fork returns a layout that continues from here without changing l, except for
// memory behind the rows of l.
func (l *layout) fork() layout {
	f := *l
	f.chunk = l.chunk.fork()
	f.items = l.items[:len(l.items):len(l.items)]
	if l.table != nil {
		t := *l.table
		t.body = t.body[:len(t.body):len(t.body)]
		f.table = &t
	}
	return f
}

// finish lays out lines that waited for a next one.
func (l *layout) finish() {
	if l.maybe != "" {
		text := l.maybe
		l.maybe = ""
		l.text(inline(text, l.tone()))
	}
	if l.table != nil {
		t := l.table
		l.table = nil
		t.end(l)
	}
}

// take lays out the next line, or a piece of an overlong one; whole is set for
// the last piece.
func (l *layout) take(line string, whole bool) {
	switch l.part {
	case ofCode:
		l.codeRows(line, whole)
	case ofText:
		l.text(inline(line, l.tone()))
	case ofHeading:
		l.text(inline(line, headingTone))
	default:
		l.line(line, whole)
		return
	}
	if whole {
		l.part = aLine
	}
}

// line dispatches on how a line begins.
func (l *layout) line(line string, whole bool) {
	line = strings.TrimRight(line, " ")
	depth, inside := l.unquote(line)
	if depth != l.quote {
		l.finish()
		l.fence.run, l.items, l.verbatim, l.quote = 0, nil, false, depth
	}
	switch {
	case l.fence.run > 0:
		if l.fence.closedBy(inside) {
			l.fence.run = 0
			l.chunk.close()
		} else {
			l.codeLine(inside, whole)
		}
	case strings.TrimSpace(inside) == "":
		l.finish()
		l.gap, l.gapQuote = true, l.quote
	case !whole:
		l.finish()
		l.block(inside, false)
		if l.part == aLine {
			l.part = ofText
		}
	case l.table != nil && isRow(inside):
		l.table.add(l, inside)
	case l.maybe != "" && l.tableBegins(inside):
	default:
		l.finish()
		l.block(inside, true)
	}
}

// unquote returns the quote depth of a line, and the line without the quote
// signs. Inside a fence only the signs of its own quote count.
func (l *layout) unquote(line string) (depth int, inside string) {
	most := len(line)
	if l.fence.run > 0 {
		most = l.quote
	}
	for depth < most {
		text := strings.TrimLeft(line, " ")
		if len(line)-len(text) > 3 || !strings.HasPrefix(text, ">") {
			break
		}
		depth++
		line = strings.TrimPrefix(text[1:], " ")
	}
	return depth, line
}

// block lays out a line that begins a block or continues a paragraph.
func (l *layout) block(line string, whole bool) {
	text := strings.TrimLeft(line, " ")
	column := len(line) - len(text)
	rule := isRule(text)
	mark, rest := bulletOf(text)
	starts := rule || mark != "" || heading(text) > 0 || fenceOf(text).run > 0
	after := l.gap || len(l.rows) == 0
	if starts || after {
		// A continuation line need not be indented like its item.
		l.leaveItems(column)
	}
	if l.isVerbatim(column, after, starts) {
		l.codeRows(line[l.content()+4:], whole)
		if !whole {
			l.part = ofCode
		}
		l.verbatim = true
		return
	}
	l.verbatim = false
	for mark != "" && !rule {
		l.enterItem(column, mark, len(text)-len(rest))
		column += len(text) - len(rest)
		text = rest
		rule = isRule(text)
		mark, rest = bulletOf(text)
	}
	switch {
	case text == "":
		l.emit(Row{})
	case rule:
		l.rule()
	case fenceOf(text).run > 0:
		l.openFence(text, column)
	case heading(text) > 0:
		l.heading(text, whole)
	case whole && len(l.items) == 0 && isRow(text):
		l.maybe = text
	default:
		l.text(inline(text, l.tone()))
	}
}

// tone returns the tone of ordinary text at this place.
func (l *layout) tone() ink {
	if l.quote > 0 {
		return quoteTone
	}
	return plainTone
}

// text lays out spans as rows.
func (l *layout) text(spans []span) {
	wrap(l.look, spans, l.width-l.lead().cells, func(row string, w int, gap string, soft bool) {
		l.emit(Row{Text: row, Cells: w, Soft: soft, Gap: gap})
	})
}

// emit adds a row behind its lead, after an empty one if the text has blank
// lines there.
func (l *layout) emit(r Row) {
	if l.gap && len(l.rows) > 0 {
		bars := l.bars(min(l.gapQuote, l.quote))
		l.rows = append(l.rows, Row{Text: bars.text, Cells: bars.cells})
	}
	l.gap = false
	before := l.lead()
	if l.bullet != nil {
		before = *l.bullet
		l.bullet = nil
	}
	r.Text, r.Cells = before.text+r.Text, before.cells+r.Cells
	if r.code != nil {
		r.code.before = before.text + r.code.before
	}
	if r.Soft {
		r.Lead = before.cells
	}
	l.rows = append(l.rows, r)
}

// rule draws a horizontal line.
func (l *layout) rule() {
	room := max(l.width-l.lead().cells, 1)
	l.emit(Row{Text: l.look.styles[markTone].Draw(strings.Repeat(l.look.rule, room)), Cells: room})
}

// isRule reports whether a line consists of three or more of one sign.
func isRule(s string) bool {
	var sign byte
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ':
		case c != '-' && c != '*' && c != '_', sign != 0 && c != sign:
			return false
		default:
			sign = c
			n++
		}
	}
	return n >= 3
}

// heading returns the level of a heading, or 0.
func heading(text string) int {
	n := 0
	for n < len(text) && text[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n < len(text) && text[n] != ' ' {
		return 0
	}
	return n
}

func (l *layout) heading(text string, whole bool) {
	level := heading(text)
	words := strings.TrimRight(strings.TrimRight(strings.Trim(text[level:], " "), "#"), " ")
	if words == "" {
		words = text // signs without text
	}
	if l.bullet == nil {
		l.gap, l.gapQuote = true, l.quote
	}
	l.text(inline(words, headingTone))
	if !whole {
		l.part = ofHeading
	}
}

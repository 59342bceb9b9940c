package markdown

import (
	"strings"
)

// A layout takes a text line by line and keeps what the next line's meaning
// depends on: the fence, the lists, the table that it may go on with.
type layout struct {
	look  *Look
	width int
	rows  []Row
	// code, if set, is told the lines inside fenced blocks with their newlines.
	code func(block int, line string)

	gap      bool // blank lines were read since the last row
	gapQuote int  // how many quotes deep they were
	quote    int  // how many quotes deep the text is
	items    []item
	bullet   *lead // stands before the next row: a bullet whose text comes now
	fence    fence
	verbatim bool // the last line was code by its indent
	table    *table
	maybe    string // a line that is the head of a table if the next one says so
	part     part   // what the rest of a line is that is longer than a piece
}

// A part says what the rest of a long line is.
type part uint8

const (
	aLine part = iota
	ofText
	ofHeading
	ofCode
)

// fork returns a layout that goes on from here and leaves l as it is, but for
// what is in memory behind the rows that l has.
func (l *layout) fork() layout {
	f := *l
	f.items = l.items[:len(l.items):len(l.items)]
	if l.table != nil {
		t := *l.table
		t.body = t.body[:len(t.body):len(t.body)]
		f.table = &t
	}
	return f
}

// finish lays out what still waited for another line.
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

// take lays out the next line, or a piece of one that is too long; whole says
// whether the line ends with it.
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

// line reads the beginning of a line for what it is.
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

// unquote returns how many quotes deep a line is, and the line without their
// signs. Inside a fence only the signs of the quote that it stands in count.
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

// block lays out a line that begins something or goes on with a paragraph.
func (l *layout) block(line string, whole bool) {
	text := strings.TrimLeft(line, " ")
	column := len(line) - len(text)
	rule := isRule(text)
	mark, rest := bulletOf(text)
	starts := rule || mark != "" || heading(text) > 0 || fenceOf(text).run > 0
	after := l.gap || len(l.rows) == 0
	if starts || after {
		// A line that only goes on need not be indented as its item is.
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

// tone returns the tone of ordinary text where the layout stands.
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

// emit adds a row behind what stands before it here, and an empty one before
// that if the text has blank lines there.
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
	if r.Soft {
		r.Lead = before.cells
	}
	l.rows = append(l.rows, r)
}

// rule draws a line across the text.
func (l *layout) rule() {
	room := max(l.width-l.lead().cells, 1)
	l.emit(Row{Text: l.look.pens[markTone].Draw(strings.Repeat(l.look.rule, room)), Cells: room})
}

// isRule reports whether a line is three or more of one sign and nothing else.
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

// heading returns the level of the heading that text is, 0 if it is none.
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
		words = text // signs that head nothing
	}
	if l.bullet == nil {
		l.gap, l.gapQuote = true, l.quote
	}
	l.text(inline(words, headingTone))
	if !whole {
		l.part = ofHeading
	}
}

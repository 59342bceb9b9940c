package transcript

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/text/width"

	"society-tui/themes"
	"society-tui/tui/sanitize"
)

// A query is a text to find in the drawn rows. Case counts only if it has a
// capital letter, and full width never; a blank matches any number of blanks, and the end of a row.
type query struct {
	runes []rune
	exact bool
}

func newQuery(text string) query {
	q := query{runes: []rune(strings.Join(strings.Fields(text), " "))}
	q.exact = slices.ContainsFunc(q.runes, unicode.IsUpper)
	return q
}

// A line is the text of one row of an item, without its prefix.
type line struct {
	row  int
	text string
	lead int  // cells before the text
	hard bool // it continues inside a word of the row before
}

// A stretch is a part of a line, in bytes.
type stretch struct{ line, from, upto int }

// each calls f with every match, in order. Matches do not overlap; one that
// spans rows has a stretch in each.
func (q *query) each(lines []line, f func(at []stretch)) {
	if len(q.runes) == 0 {
		return
	}
	for i, from := 0, 0; i < len(lines); {
		if from >= len(lines[i].text) {
			i, from = i+1, 0
			continue
		}
		if at := q.at(lines, i, from); at != nil {
			f(at)
			last := at[len(at)-1]
			i, from = last.line, last.upto
			continue
		}
		_, n := utf8.DecodeRuneInString(lines[i].text[from:])
		from += n
	}
}

// at returns the match that begins at a byte of a line, or nil.
func (q *query) at(lines []line, i, from int) []stretch {
	if c, _ := utf8.DecodeRuneInString(lines[i].text[from:]); !q.same(c, q.runes[0]) {
		return nil // fast path
	}
	var at []stretch
	pos, last := from, rune(0)
	for n := 0; n < len(q.runes); {
		text := lines[i].text
		if pos >= len(text) {
			at = append(at, stretch{i, from, pos})
			blank := q.runes[n] == ' '
			if i++; i == len(lines) || !joins(lines[i-1], lines[i], last, blank) {
				return nil
			}
			pos = len(lines[i].text) - len(strings.TrimLeft(lines[i].text, " "))
			if from = pos; blank && !lines[i].hard {
				n++
			}
			continue
		}
		c, size := utf8.DecodeRuneInString(text[pos:])
		switch {
		case q.runes[n] == ' ' && narrow(c) == ' ':
			pos = len(text) - len(strings.TrimLeft(text[pos:], " \u3000"))
		case q.same(c, q.runes[n]):
			pos += size
		default:
			return nil
		}
		last = c
		n++
	}
	return append(at, stretch{i, from, pos})
}

func (q *query) same(c, wanted rune) bool {
	c, wanted = narrow(c), narrow(wanted)
	return c == wanted || !q.exact && unicode.ToLower(c) == unicode.ToLower(wanted)
}

// narrow returns a character without its width: 3 for ３.
func narrow(c rune) rune {
	const blank, first = 0x3000, 0xff00 // others have none
	if c == blank || c >= first {
		return cmp.Or(width.LookupRune(c).Folded(), c)
	}
	return c
}

// joins reports whether a text that ends a line with last can continue on the
// next. A row breaks at a blank, except in a script without blanks and inside a
// word that is longer than a row.
func joins(before, after line, last rune, blank bool) bool {
	const wide = 0x1100 // the first script whose characters take two cells
	text := strings.TrimLeft(after.text, " ")
	if text == "" || after.row != before.row+1 {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text)
	return blank || after.hard || last >= wide || next >= wide || !strings.Contains(strings.TrimLeft(before.text, " "), " ")
}

// lines returns rows [from, upto) of a laid out item, limited to text that
// others wrote.
func (it *item) lines(r *Model, from, upto int) []line {
	lines := make([]line, 0, max(upto-from, 0))
	add := func(row int, text string, lead int, hard bool) {
		if row >= from && row < upto {
			lines = append(lines, line{row, text, lead, hard})
		}
	}
	const foldSign = 4 // cells before the name of a call
	mark := it.markRow()
	letter := it.asLetter(r) != nil
	for i, top := range it.top {
		switch {
		case it.id.part == callPart && i == mark && !letter:
			add(i, sanitize.Line(it.call.Name, toolCells), foldSign, false)
		case it.id.part == eventPart && i >= it.firstRow() && !it.foldsFirst():
			add(i, strings.TrimRight(ansi.Strip(top), " "), 0, false)
		}
	}
	at := len(it.top)
	lead := r.set.Width(it.before(r))
	for i := max(from-at, 0); i < min(upto-at, len(it.rows)); i++ {
		add(at+i, strings.TrimRight(ansi.Strip(it.rows[i].Text), " "), lead, false)
	}
	at += len(it.rows)
	for b := range it.blocks {
		block := &it.blocks[b]
		lead := r.set.Width(block.lead)
		for i := max(from-at, 0); i < min(upto-at, len(block.cuts)); i++ {
			c := block.cuts[i]
			add(at+i, block.text[c.from:c.upto], lead, i > 0 && block.cuts[i-1].upto == c.from)
		}
		at += len(block.cuts)
	}
	return lines
}

// places returns the rows of a laid out item at which matches begin.
func (it *item) places(r *Model, q *query) []int {
	var rows []int
	lines := it.lines(r, 0, it.height())
	q.each(lines, func(at []stretch) { rows = append(rows, lines[at[0].line].row) })
	return rows
}

// A span is a part of a row, in cells.
type span struct{ from, upto int }

// marks returns the parts of rows [from, upto) that match the query.
func (it *item) marks(r *Model, q *query, from, upto int) map[int][]span {
	around := len(q.runes)*2/max(r.width, 1) + 1 // matches may begin that many rows before
	lines := it.lines(r, max(from-around, 0), upto+around)
	var marks map[int][]span
	q.each(lines, func(at []stretch) {
		for _, s := range at {
			l := &lines[s.line]
			if marks == nil {
				marks = make(map[int][]span)
			}
			marks[l.row] = append(marks[l.row], span{l.lead + r.set.Width(l.text[:s.from]), l.lead + r.set.Width(l.text[:s.upto])})
		}
	})
	return marks
}

// marked draws parts of a styled row in style. The width stays the same.
func (r *Model) marked(row string, spans []span, style themes.Pen) string {
	width := r.set.Width(row)
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(r.set.Slice(row, at, s.from))
		b.WriteString(style.Draw(ansi.Strip(r.set.Slice(row, s.from, s.upto))))
		at = s.upto
	}
	b.WriteString(r.set.Slice(row, at, width))
	if drawn := b.String(); r.set.Width(drawn) == width {
		return drawn
	}
	return row // it would split a wide character
}

package markdown

import (
	"slices"
	"strings"
)

const (
	// tableLimit is how many rows determine the widths of the columns. Later rows
	// are laid out as they arrive, so that the cost of a frame is bounded.
	tableLimit = 100
	// columnLimit is the most columns of a table.
	columnLimit = 40
	// columnLeast is the smallest width of a column.
	columnLeast = 5
)

// A table collects rows until the widths of its columns are known.
type table struct {
	head   []string
	sides  []side
	body   [][]string
	widths []int // nil until they are fixed
	list   bool  // too many columns for the width: each row is a list
}

// A side is the alignment of a column.
type side uint8

const (
	left side = iota
	middle
	right
)

// tableBegins reports whether rule makes the line before it the head of a
// table, and begins the table.
func (l *layout) tableBegins(rule string) bool {
	head, sides := splitRow(l.maybe), splitRow(rule)
	if len(head) != len(sides) || len(head) > columnLimit {
		return false
	}
	t := &table{head: head}
	for _, s := range sides {
		dashes := strings.TrimSuffix(strings.TrimPrefix(s, ":"), ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return false
		}
		begins, ends := s[0] == ':', s[len(s)-1] == ':'
		switch {
		case begins && ends:
			t.sides = append(t.sides, middle)
		case ends:
			t.sides = append(t.sides, right)
		default:
			t.sides = append(t.sides, left)
		}
	}
	l.table, l.maybe = t, ""
	return true
}

// isRow reports whether a line can be a row of a table.
func isRow(line string) bool { return strings.IndexByte(line, '|') >= 0 }

// splitRow returns the cells of a row. A pipe after a backslash is text.
func splitRow(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var cells []string
	var cell strings.Builder
	ended := false
	for i := 0; i < len(line); i++ {
		ended = false
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
		case line[i] == '|':
			cells = append(cells, strings.TrimSpace(cell.String()))
			cell.Reset()
			ended = true
		default:
			cell.WriteByte(line[i])
		}
	}
	if !ended {
		cells = append(cells, strings.TrimSpace(cell.String()))
	}
	return cells
}

// add adds a row; missing cells are empty, excess ones are dropped.
func (t *table) add(l *layout, line string) {
	row := splitRow(line)
	if len(row) > len(t.head) {
		row = row[:len(t.head)]
	}
	for len(row) < len(t.head) {
		row = append(row, "")
	}
	if t.widths != nil {
		t.row(l, row, l.tone())
		return
	}
	t.body = append(t.body, row)
	if len(t.body) == tableLimit {
		t.settle(l)
	}
}

// end lays out the collected rows.
func (t *table) end(l *layout) {
	if t.widths == nil {
		t.settle(l)
	}
}

// settle fixes the widths by the rows so far and lays them out.
func (t *table) settle(l *layout) {
	t.widths = make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.body...) {
		for i, text := range row {
			t.widths[i] = max(t.widths[i], l.look.widthOf(inline(text, plainTone)), 1)
		}
	}
	room := l.width - l.lead().cells - 3*(len(t.head)-1)
	t.list = l.look.lists || !narrow(t.widths, room)
	if !t.list {
		t.row(l, t.head, headingTone)
		t.rule(l)
	}
	for _, row := range t.body {
		t.row(l, row, l.tone())
	}
	t.body = nil
}

// narrow shrinks the widest columns until all fit into room, and reports
// whether they do.
func narrow(widths []int, room int) bool {
	sum := 0
	for _, w := range widths {
		sum += w
	}
	for sum > room {
		widest := slices.Max(widths)
		if widest <= columnLeast {
			return false
		}
		next, count := columnLeast, 0
		for _, w := range widths {
			if w == widest {
				count++
			} else {
				next = max(next, w)
			}
		}
		// All of the widest shrink to the next widest, or by the excess.
		down := min(widest-next, (sum-room+count-1)/count)
		down = max(down, 1)
		for i, w := range widths {
			if w == widest && sum > room {
				take := min(down, sum-room)
				widths[i] -= take
				sum -= take
			}
		}
	}
	return true
}

// rule draws the line below the head.
func (t *table) rule(l *layout) {
	var b strings.Builder
	total := 0
	for i, w := range t.widths {
		if i > 0 {
			b.WriteString(l.look.rule + l.look.cross + l.look.rule)
			total += 3
		}
		b.WriteString(strings.Repeat(l.look.rule, w))
		total += w
	}
	l.emit(Row{Text: l.look.styles[markTone].Draw(b.String()), Cells: total})
}

// row draws one row, as high as its highest cell.
func (t *table) row(l *layout, row []string, tone ink) {
	if t.list {
		t.asList(l, row, tone)
		return
	}
	columns := make([][]Row, len(row))
	high := 1
	for i, text := range row {
		wrap(l.look, inline(text, tone), t.widths[i], func(part string, w int, _ string, _ bool) {
			columns[i] = append(columns[i], Row{Text: part, Cells: w})
		})
		high = max(high, len(columns[i]))
	}
	between := " " + l.look.styles[markTone].Draw(l.look.column) + " "
	for y := range high {
		var b strings.Builder
		total := 0
		for i := range columns {
			if i > 0 {
				b.WriteString(between)
				total += 3
			}
			var part Row
			if y < len(columns[i]) {
				part = columns[i][y]
			}
			before := 0
			switch t.sides[i] {
			case right:
				before = t.widths[i] - part.Cells
			case middle:
				before = (t.widths[i] - part.Cells) / 2
			}
			b.WriteString(indent(before).text)
			b.WriteString(part.Text)
			b.WriteString(indent(t.widths[i] - before - part.Cells).text)
			total += t.widths[i]
		}
		l.emit(Row{Text: b.String(), Cells: total})
	}
}

// asList draws a row as lines of a head and a cell.
func (t *table) asList(l *layout, row []string, tone ink) {
	l.gap, l.gapQuote = true, l.quote
	for i, text := range row {
		if text == "" {
			continue
		}
		var spans []span
		if t.head[i] != "" {
			spans = append(inline(t.head[i], headingTone), span{": ", markTone})
		}
		l.text(append(spans, inline(text, tone)...))
	}
}

package markdown

import "strings"

// A fence is an open code block. With run 0 there is none.
type fence struct {
	sign   byte
	run    int
	indent int // removed from the lines inside
	block  int // number of the latest block, open or not
}

// fenceOf returns the fence that text opens, or a zero one.
func fenceOf(text string) fence {
	if !strings.HasPrefix(text, "```") && !strings.HasPrefix(text, "~~~") {
		return fence{}
	}
	run := runOf(text, 0)
	if text[0] == '`' && strings.IndexByte(text[run:], '`') >= 0 {
		return fence{}
	}
	return fence{sign: text[0], run: run}
}

// closedBy reports whether line ends the block.
func (f fence) closedBy(line string) bool {
	text := strings.TrimLeft(line, " ")
	if len(line)-len(text) > f.indent+3 || text == "" || text[0] != f.sign {
		return false
	}
	run := runOf(text, 0)
	return run >= f.run && run == len(text)
}

// openFence begins a block, with its language above it.
func (l *layout) openFence(text string, column int) {
	block := l.fence.block + 1
	l.fence = fenceOf(text)
	l.fence.indent, l.fence.block = column, block
	if l.code != nil {
		l.code(block, "")
	}
	name, _, _ := strings.Cut(strings.TrimSpace(text[l.fence.run:]), " ")
	l.chunk = newChunk(l.look, name)
	if name == "" && l.bullet == nil {
		return
	}
	label := l.look.cells.Cut(l.look.corner+" "+name, max(l.width-l.lead().cells, 1), "")
	l.emit(Row{Text: l.look.styles[markTone].Draw(label), Cells: l.look.cells.Width(label), Block: block})
}

// codeLine lays out a line inside a fence.
func (l *layout) codeLine(line string, whole bool) {
	cut := 0
	for cut < l.fence.indent && cut < len(line) && line[cut] == ' ' {
		cut++
	}
	l.codeRows(line[cut:], whole)
	if !whole {
		l.part = ofCode
	}
}

// codeRows lays out code verbatim, broken only where a row is full.
func (l *layout) codeRows(line string, whole bool) {
	block := 0
	if l.fence.run > 0 {
		block = l.fence.block
	}
	if l.code != nil && block > 0 {
		end := ""
		if whole {
			end = "\n"
		}
		l.code(block, line+end)
		return
	}
	edge := lead{l.look.styles[markTone].Draw(l.look.edge) + " ", 2}
	room := l.width - l.lead().cells - edge.cells
	if room < 4 {
		edge, room = lead{}, max(l.width-l.lead().cells, 1)
	}
	var written *chunk
	if block > 0 {
		l.chunk = l.chunk.add(line)
		written = l.chunk
	}
	at := 0
	l.look.cells.Hard(line, room, func(part string, w int) {
		row := Row{
			Text:  edge.text + l.look.styles[code].Draw(part),
			Cells: edge.cells + w,
			Block: block,
		}
		if written != nil && strings.HasPrefix(line[at:], part) {
			row.code = &codeRow{look: l.look, chunk: written, line: len(written.lines) - 1, from: at, to: at + len(part), before: edge.text}
		}
		at = min(at+len(part), len(line))
		l.emit(row)
	})
}

// isVerbatim reports whether a line is indented code: four blanks deeper than
// text, after a blank line or other indented code.
func (l *layout) isVerbatim(column int, after, starts bool) bool {
	if len(l.items) > 0 && starts {
		return false // a list nested deeper than needed
	}
	return column >= l.content()+4 && (after || l.verbatim)
}

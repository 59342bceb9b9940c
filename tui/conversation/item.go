package conversation

import (
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/cells"
	"society-tui/tui/markdown"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// A part says which part of an entry an item shows. The values are kept with the
// person's folds: they are added to, never changed.
type part uint8

const (
	messagePart part = iota
	thoughtPart
	callPart
	eventPart   // a failure, an abort, a summary
	waitingPart // a message that is not read yet; the slot is its sequence number
	draftThoughtPart
	draftTextPart
	standingPart // what the agent does now
	repliesPart
)

// An itemID names an item of a conversation for good.
type itemID struct {
	slot uint64
	part part
	n    int // which of several, as the calls of an answer
}

// foreign is text that others wrote. It is cleaned when it is first used, so
// that what stays folded costs nothing.
type foreign struct {
	raw   string
	clean bool
}

func (f *foreign) text() string {
	if !f.clean {
		f.raw, f.clean = sanitize.Text(f.raw), true
	}
	return f.raw
}

// An item is what is laid out, folded and copied as one.
type item struct {
	id    itemID
	entry conversation.Entry // what it was made of, to see whether that changed
	gap   bool               // a blank row is before it
	head  *head              // nil if what is before it is of the same message

	text   foreign
	more   bool // some of it is left out
	plain  bool // not Markdown
	bar    bool // the message came to the agent
	mine   bool // from the person
	faded  bool // it does not count any more
	call   *call
	live   func(width int) []string // draws what goes on now, at each frame
	stream *markdown.Stream         // the text of an answer that is being written

	// What follows is as it was last laid out.
	laid    bool
	width   int
	fold    fold
	withGap bool
	top     []string
	rows    []markdown.Row
	tail    []string
	blocks  []block
	indent  int
}

// A fold says how much of an item is shown.
type fold uint8

const (
	folded   fold = iota
	unfolded      // but for what is very long
	whole
)

type foldKey struct {
	id     itemID
	detail Detail
}

// Limits of what is shown of an unfolded item, until it is asked for as a whole.
const (
	resultLines = 200
	textBytes   = 256 << 10
)

// foldOf returns how an item is folded: as the person wants it, else as its kind
// is at this level of detail.
func (t *thread) foldOf(it *item) fold {
	detail := t.room.detail
	if f, ok := t.folds[foldKey{it.id, detail}]; ok {
		return f
	}
	switch {
	case detail == Full:
		return whole
	case it.id.part == thoughtPart || it.id.part == callPart || it.id.part == draftThoughtPart || it.foldsFirst():
		return folded
	case detail == Calls && it.id.part == messagePart:
		return folded
	}
	return unfolded
}

// foldsFirst says whether the item is folded until it is asked for, as a summary
// is.
func (it *item) foldsFirst() bool {
	return it.id.part == eventPart && it.entry.Kind == conversation.Summary
}

// lay lays the item out, if that was not done for this width, and returns how
// many rows it has.
func (it *item) lay(r *Room, t *thread, width int) int {
	if it.live != nil {
		return it.layLive(t, textWidth(width))
	}
	f := t.foldOf(it)
	if !it.laid || it.width != width || it.fold != f || it.withGap != it.gap {
		it.laid, it.width, it.fold, it.withGap = true, width, f, it.gap
		it.top, it.rows, it.tail, it.blocks, it.indent, it.more = nil, nil, nil, nil, 0, false
		it.layout(r, textWidth(width))
	}
	return it.height()
}

// layLive lays out what changes by itself: it is drawn anew for each frame.
func (it *item) layLive(t *thread, width int) int {
	it.top = it.top[:0]
	if it.gap {
		it.top = append(it.top, "")
	}
	said := it.live(width)
	if len(said) == 0 && it.stream == nil {
		it.top = it.top[:0]
	}
	it.top = append(it.top, said...)
	it.rows = nil
	if it.stream != nil && (it.id.part != draftThoughtPart || t.foldOf(it) != folded) {
		it.rows = it.stream.Rows(max(width-it.indent, 1))
	}
	return it.height()
}

func (it *item) height() int {
	n := len(it.top) + len(it.rows) + len(it.tail)
	for i := range it.blocks {
		n += len(it.blocks[i].cuts)
	}
	return n
}

// row returns row i as text that is at most as wide as the item was laid out.
func (it *item) row(r *Room, i int) string {
	if i < len(it.top) {
		return it.top[i]
	}
	i -= len(it.top)
	if i < len(it.rows) {
		return it.before(r) + it.rows[i].Text
	}
	i -= len(it.rows)
	for b := range it.blocks {
		if n := len(it.blocks[b].cuts); i >= n {
			i -= n
			continue
		}
		return it.blocks[b].row(i)
	}
	if i < len(it.tail) {
		return it.tail[i]
	}
	return ""
}

// before returns what stands before the rows of the text.
func (it *item) before(r *Room) string {
	switch {
	case it.bar && it.mine:
		return r.pens.user.Draw(r.bar()) + " "
	case it.bar:
		return r.pens.agentBar.Draw(r.bar()) + " "
	}
	return cells.Blank(it.indent)
}

func (r *Room) bar() string {
	if r.set.ASCII {
		return "|"
	}
	return "▌"
}

// textWidth is the width of what is written: without the column of the cursor's
// mark and a spare one at the right edge.
func textWidth(width int) int { return max(width-2, 1) }

// layout lays the item out in rows of at most width cells.
func (it *item) layout(r *Room, width int) {
	if it.gap {
		it.top = append(it.top, "")
	}
	if it.head != nil {
		it.top = append(it.top, it.head.draw(r, width))
	}
	switch it.id.part {
	case messagePart, waitingPart:
		it.layText(r, width)
	case thoughtPart:
		it.layThought(r, width)
	case callPart:
		it.layCall(r, width)
	case eventPart:
		it.layEvent(r, width)
	}
}

// layText lays a message out: the person's as they wrote it, others' as Markdown.
func (it *item) layText(r *Room, width int) {
	text := it.text.text()
	if strings.TrimSpace(text) == "" {
		if it.head != nil {
			it.rows = []markdown.Row{line(r.pens.subtle, r.words.NoText, width)}
		}
		return
	}
	indent := 0
	if it.bar {
		indent = 2
	}
	if it.fold == folded {
		it.layFirst(r, text, width-indent)
		return
	}
	cut := 0
	if it.fold != whole && len(text) > textBytes {
		cut = lineStart(text, textBytes)
		text, cut = text[:cut], len(text)-cut
	}
	look := r.full
	if it.faded {
		look = r.quiet
	}
	if it.plain {
		it.rows = markdown.Plain(text, width-indent, look)
	} else {
		it.rows = markdown.Render(text, width-indent, look)
	}
	if len(it.entry.Quick) > 0 && !it.bar {
		it.tail = append(it.tail, r.replyRows(it.entry.Quick, width)...)
	}
	if cut > 0 {
		it.more = true
		it.tail = append(it.tail, r.pens.subtle.Draw(put(r.words.MoreText, symbols.Bytes(cut))))
	}
}

// layFirst shows the first row of a message and how much there is behind it.
func (it *item) layFirst(r *Room, text string, width int) {
	first, rest, more := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	row := cells.Cut(first, width, r.set.Tail())
	if more && strings.TrimSpace(rest) != "" {
		n := " " + r.lines(strings.Count(strings.TrimRight(rest, "\n"), "\n")+1, r.words.MoreLines)
		row = r.pens.text.Draw(cells.Cut(first, width-cells.Width(n), r.set.Tail())) + r.pens.subtle.Draw(n)
	} else {
		row = r.pens.text.Draw(row)
	}
	it.rows = []markdown.Row{{Text: row, Cells: cells.Width(row)}}
}

// layThought shows what a model thought, or in a row how long it is.
func (it *item) layThought(r *Room, width int) {
	text := strings.TrimSpace(it.text.text())
	n := r.lines(strings.Count(text, "\n")+1, r.words.Lines)
	it.top = append(it.top, r.sides(
		"  "+r.pens.subtle.Draw(r.marker(it.fold))+" "+r.pens.muted.Draw(r.words.Thought+"  "+n),
		"", width))
	if it.fold == folded {
		return
	}
	it.indent = 4
	it.rows = markdown.Render(text, max(width-it.indent, 1), r.quiet)
}

// marker is the sign of what can be unfolded, or folded again.
func (r *Room) marker(f fold) string {
	switch {
	case r.set.ASCII && f == folded:
		return ">"
	case r.set.ASCII:
		return "v"
	case f == folded:
		return "▸"
	}
	return "▾"
}

// party returns how a name is drawn: the person's differs from agents'.
func (r *Room) party(id society.AgentID) string {
	if id == society.User {
		return r.pens.user.Draw(r.name(id))
	}
	return r.pens.agent.Draw(r.name(id))
}

// lineStart returns where the line begins that holds byte at, if that is not too
// far back, else where a character does.
func lineStart(text string, at int) int {
	if i := strings.LastIndexByte(text[:at], '\n'); i > at/2 {
		return i + 1
	}
	for at > 0 && text[at]&0xc0 == 0x80 {
		at--
	}
	return at
}

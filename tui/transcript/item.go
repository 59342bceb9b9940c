package transcript

import (
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/cells"
	"society-tui/tui/markdown"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// A part names the part of an entry that an item shows. The values are stored
// with the user's folds, so new ones are only appended.
type part uint8

const (
	messagePart part = iota
	thoughtPart
	callPart
	eventPart   // a failure, an abort, a summary
	waitingPart // an unread message; the slot is its sequence number
	draftThoughtPart
	draftTextPart
	standingPart // the current state of the agent
	repliesPart
	asidePart // a row for entries that were set aside; the slot is that of the first
)

// An itemID identifies an item of a conversation permanently.
type itemID struct {
	slot uint64
	part part
	n    int // index among items of the same part, such as the calls of an answer
}

// foreign is text that others wrote. It is cleaned on first use, so that folded
// text costs nothing.
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

// An item is laid out, folded and copied as one.
type item struct {
	id    itemID
	entry conversation.Entry // its source, to detect changes
	gap   bool               // a blank row precedes it
	head  *head              // nil if it continues the message before it

	text   foreign
	fields []field // valid once parted is set
	parted bool
	more   bool // something is hidden
	plain  bool // not Markdown
	bar    bool // a message to the agent
	mine   bool // from the user
	faded  bool // superseded
	aside  bool // set aside
	call   *call
	live   func(width int) []string // drawn for each frame
	stream *markdown.Stream         // the text of a streaming answer

	// The fields below are the last layout.
	laid    bool
	width   int
	fold    fold
	detail  Detail
	withGap bool
	top     []string
	rows    []markdown.Row
	tail    []string
	blocks  []block
	indent  int
}

// A fold is how much of an item is shown.
type fold uint8

const (
	folded   fold = iota
	unfolded      // up to the limits for long text
	whole
)

type foldKey struct {
	id     itemID
	detail Detail
}

// Limits for an unfolded item, until it is unfolded completely.
const (
	resultLines = 200
	textBytes   = 256 << 10
	// Of what the user wrote, six rows with its head if it has more than ownWhole: the first
	// ownRows and the last, which often asks what to do with the rest. Of a longer text than
	// ownBytes no more is laid out than that may need.
	ownRows  = 3
	ownWhole = 10
	ownBytes = 16 << 10
)

// foldOf returns the fold of an item: the user's choice, or the default of its
// kind at this level of detail.
func (t *thread) foldOf(it *item) fold {
	detail := t.model.detail
	if f, ok := t.folds[foldKey{it.id, detail}]; ok {
		return f
	}
	switch {
	case detail == Full:
		return whole
	case detail == Short && it.id.part == callPart && !it.faded && it.call.letter() != nil:
		return unfolded
	case it.id.part == thoughtPart || it.id.part == callPart || it.id.part == draftThoughtPart || it.foldsFirst():
		return folded
	case detail == Calls && it.id.part == messagePart:
		return folded
	}
	return unfolded
}

// foldsFirst reports whether the item starts folded, as summaries and the
// merged results of branches do.
func (it *item) foldsFirst() bool {
	return it.id.part == eventPart && (it.entry.Kind == conversation.Summary || it.entry.Kind == conversation.Merged)
}

// lay lays out the item unless that was done for this width, and returns its
// number of rows.
func (it *item) lay(r *Model, t *thread, width int) int {
	if it.live != nil {
		return it.layLive(t, textWidth(width))
	}
	f := t.foldOf(it)
	if !it.laid || it.width != width || it.fold != f || it.detail != r.detail || it.withGap != it.gap {
		it.laid, it.width, it.fold, it.detail, it.withGap = true, width, f, r.detail, it.gap
		it.top, it.rows, it.tail, it.blocks, it.indent, it.more = nil, nil, nil, nil, 0, false
		it.layout(r, t, textWidth(width))
	}
	return it.height()
}

// layLive lays out an item that changes by itself and is drawn for each frame.
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

// row returns row i, at most as wide as the layout.
func (it *item) row(r *Model, i int) string {
	if i < len(it.top) {
		return it.top[i]
	}
	i -= len(it.top)
	if i < len(it.rows) {
		return it.before(r) + it.rows[i].Drawn()
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

// before returns the prefix of the text's rows.
func (it *item) before(r *Model) string {
	switch {
	case it.bar && it.mine:
		return r.styles.user.Draw(r.bar()) + " "
	case it.bar:
		return r.styles.agentBar.Draw(r.bar()) + " "
	}
	return cells.Blank(it.indent)
}

func (r *Model) bar() string {
	if r.set.ASCII {
		return "|"
	}
	return "▌"
}

// textWidth is the width left for text: one column holds the cursor's mark, one
// at the right edge stays blank.
func textWidth(width int) int { return max(width-2, 1) }

// layout lays the item out in rows of at most width cells.
func (it *item) layout(r *Model, t *thread, width int) {
	if it.gap {
		it.top = append(it.top, "")
	}
	if said := it.asLetter(r); said != nil {
		it.layLetter(r, said, width)
		return
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
	case asidePart:
		it.layAside(r, t, width)
	}
}

// layText lays out a message.
func (it *item) layText(r *Model, width int) {
	it.parts(r)
	text := it.text.text()
	if strings.TrimSpace(text) == "" && len(it.fields) == 0 {
		if it.head != nil {
			it.rows = []markdown.Row{r.oneLine(r.styles.subtle, r.text(textNoText), width)}
		}
		return
	}
	indent := 0
	if it.bar {
		indent = 2
	}
	it.layWords(r, text, width-indent)
	it.layFields(r, width-indent)
	if it.fold == folded {
		it.onlyFirst(r, width-indent)
		return
	}
	if len(it.entry.Quick) > 0 && !it.bar {
		it.tail = append(it.tail, r.replyRows(it.entry.Quick, width)...)
	}
}

// layWords lays out the text of a message: the user's verbatim, others' as
// Markdown.
func (it *item) layWords(r *Model, text string, width int) {
	if strings.TrimSpace(text) == "" {
		return
	}
	cut, most := 0, textBytes
	own := it.mine && it.fold != whole
	last := ""
	if own {
		most = ownBytes
	}
	if it.fold != whole && len(text) > most {
		cut = lineStart(text, most)
		if own {
			last = lastLine(text)
		}
		text, cut = text[:cut], len(text)-cut
	}
	look := r.full
	if it.faded || it.aside {
		look = r.quiet
	}
	if it.plain {
		it.rows = markdown.Plain(text, width, look)
	} else {
		it.rows = markdown.Render(text, width, look)
	}
	if own && (len(it.rows) > ownWhole || cut > 0) {
		it.onlyEnds(r, width, last, cut, len(text)+cut)
		return
	}
	if cut > 0 {
		it.more = true
		it.rows = append(it.rows, r.oneLine(r.styles.subtle, r.text(textMoreText, symbols.Bytes(cut)), width))
	}
}

// onlyEnds cuts a laid out message of size bytes to its first rows and the last one, with how
// much is between. If not all of it is laid out, last has its last line.
func (it *item) onlyEnds(r *Model, width int, last string, cut, size int) {
	it.more = true
	rows := it.rows
	end, hidden := rows[len(rows)-1], len(rows)-ownRows-1
	more := r.lines(hidden, textMoreLines)
	if cut > 0 {
		said := markdown.Plain(last, width, r.full)
		end, more = said[len(said)-1], r.text(textMoreText, symbols.Bytes(size))
	}
	n := min(ownRows, len(rows))
	it.rows = append(rows[:n:n], r.oneLine(r.styles.subtle, more, width), end)
}

// lastLine returns the end of the last line of a text that is not blank.
func lastLine(text string) string {
	text = strings.TrimRight(text, " \t\n")
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return line[lineStart(line, max(len(line)-ownBytes, 0)):]
}

// onlyFirst cuts a laid out message to its first row and appends the number of
// hidden rows.
func (it *item) onlyFirst(r *Model, width int) {
	it.more = false
	left := len(it.rows) - 1
	if left < 1 {
		return
	}
	first := it.rows[0]
	n := " " + r.lines(left, textMoreLines)
	text := r.set.Cut(first.Text, width-r.set.Width(n), r.set.Tail()) + r.styles.subtle.Draw(n)
	it.rows = []markdown.Row{{Text: text, Cells: r.set.Width(text), Block: first.Block}}
}

// layThought lays out a thought, or one row with its length if it is folded.
func (it *item) layThought(r *Model, width int) {
	text := strings.TrimSpace(it.text.text())
	it.indent = thoughtIndent
	it.rows = markdown.Render(text, max(width-it.indent, 1), r.quiet)
	n := r.lines(len(it.rows), textLines)
	it.top = append(it.top, r.sides(
		"  "+r.styles.subtle.Draw(r.marker(it.fold))+" "+r.styles.muted.Draw(r.text(textThought)+"  "+n),
		"", width))
	if it.fold == folded {
		it.rows = nil
	}
}

// thoughtIndent is the indentation of thoughts.
const thoughtIndent = 4

// marker is the sign for folded or unfolded.
func (r *Model) marker(f fold) string {
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

// party draws a name, the user's in another style than agents'.
func (r *Model) party(id society.AgentID) string {
	if id == society.User {
		return r.styles.user.Draw(r.name(id))
	}
	return r.styles.agent.Draw(r.name(id))
}

// lineStart returns the start of the line that holds byte at, or of a character
// if the line begins too far back.
func lineStart(text string, at int) int {
	if i := strings.LastIndexByte(text[:at], '\n'); i > at/2 {
		return i + 1
	}
	for at > 0 && text[at]&0xc0 == 0x80 {
		at--
	}
	return at
}

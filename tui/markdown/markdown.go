// Package markdown draws the Markdown that models write as rows of a terminal,
// also while the text streams: a Stream lays out finished lines once, and
// always shows what Render makes of the text so far.
//
// The text must have passed the sanitizer. A newline ends a row, as users mean
// it in messages. Links are shown as text and address, never as a terminal's
// hyperlink, which could hide where it leads.
package markdown

import "strings"

// A Row is one row of a drawn text.
type Row struct {
	// Text is styled and ends in the default style; its width is Cells.
	Text  string
	Cells int
	// Block is the number of the row's code block, counted from 1, or 0.
	Block int
	// Soft is set when the row continues the line of the row before, which was
	// broken at Gap. Lead is the width of its prefix.
	Soft bool
	Gap  string
	Lead int
	code *codeRow // of code in a known language
}

// Drawn returns the text with the parts of its code told apart. They are found when a row is
// first drawn, so that the rows that nobody sees cost nothing.
func (r *Row) Drawn() string {
	if r.code == nil {
		return r.Text
	}
	return r.code.draw()
}

// Render lays out text in rows of at most width cells. A width below 1 counts
// as 1.
func Render(text string, width int, look *Look) []Row {
	s := NewStream(look)
	s.Append(text)
	return s.Rows(width)
}

// pieceLimit is how many bytes of a line are laid out at once. A longer line
// continues in rows of its own, so that a frame costs the same however long the
// line is.
const pieceLimit = 8 << 10

// A Stream is a text that grows at its end.
type Stream struct {
	look  *Look
	text  strings.Builder
	width int
	// fed is how much of the text is laid out for good, in the first done rows; the
	// others are a fork's layout of the rest.
	fed    int
	done   int
	rows   []Row
	layout layout
	fresh  bool // rows show all of text at width
	// writing is set while the text grows.
	writing bool
}

// NewStream returns an empty Stream.
func NewStream(look *Look) *Stream {
	return &Stream{look: look}
}

// Append adds text at the end.
func (s *Stream) Append(text string) {
	if text != "" {
		s.text.WriteString(text)
		s.fresh = false
	}
}

// Text returns the whole text.
func (s *Stream) Text() string { return s.text.String() }

// Rows returns the text in rows of at most width cells, valid until the next
// method call. The cost is that of the text appended since the last call,
// unless the width changed.
func (s *Stream) Rows(width int) []Row {
	width = max(width, 1)
	if width != s.width {
		s.width, s.fed, s.done, s.fresh = width, 0, 0, false
		s.layout = layout{look: s.look, width: width}
	}
	if s.fresh {
		return s.rows
	}
	s.fresh = true
	text := s.text.String()
	s.layout.rows = s.rows[:s.done]
	for {
		line, n, whole := nextPiece(text[s.fed:])
		if n == 0 {
			break
		}
		s.fed += n
		s.layout.take(line, whole)
	}
	s.rows = s.layout.rows
	s.done = len(s.rows)

	rest := s.layout.fork()
	if s.fed < len(text) {
		last := text[s.fed:]
		if s.writing && rest.fence.run == 0 {
			last = closed(last)
		}
		rest.take(last, true)
	}
	rest.finish()
	s.rows = rest.rows
	return s.rows
}

// nextPiece returns the first line of text or, if whole is false, a piece of an
// overlong one, and its bytes with the newline. n is 0 if the line is
// incomplete. The pieces depend on the text alone, so that a text in parts is
// cut like the whole text.
func nextPiece(text string) (piece string, n int, whole bool) {
	head := text[:min(len(text), pieceLimit)]
	if i := strings.IndexByte(head, '\n'); i >= 0 {
		return head[:i], i + 1, true
	}
	if len(text) < pieceLimit {
		return "", 0, false
	}
	cut := strings.LastIndexByte(head, ' ') + 1
	if cut < pieceLimit/2 {
		cut = pieceLimit
		for cut > pieceLimit-4 && head[cut-1]&0xc0 == 0x80 {
			cut--
		}
		if head[cut-1] >= 0xc0 {
			cut-- // keep a character whole that may continue behind the cut
		}
	}
	return head[:cut], cut, false
}

// Code returns the contents of the fenced code blocks of text, in order.
func Code(text string) []string {
	var blocks []string
	l := layout{look: &Look{}, width: 1 << 20, code: func(block int, line string) {
		for len(blocks) < block {
			blocks = append(blocks, "")
		}
		blocks[block-1] += line
	}}
	for len(text) > 0 {
		line, n, whole := nextPiece(text)
		if n == 0 {
			line, n, whole = text, len(text), true
		}
		text = text[n:]
		l.take(line, whole)
		l.rows = l.rows[:0]
	}
	return blocks
}

// Plain lays out text verbatim, without reading it as Markdown, in rows of at
// most width cells.
func Plain(text string, width int, look *Look) []Row {
	var rows []Row
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		wrap(look, []span{{strings.TrimRight(line, " "), plainTone}}, width, func(row string, w int, gap string, soft bool) {
			rows = append(rows, Row{Text: row, Cells: w, Soft: soft, Gap: gap})
		})
	}
	return rows
}

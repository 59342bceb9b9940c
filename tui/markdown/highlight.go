package markdown

import (
	"slices"
	"strings"

	"society-tui/tui/highlight"
)

// chunkLines is how many lines of code are read at once. It bounds what a frame costs, however
// long a block is.
const chunkLines = 16

// chunkBytes is how long lines may be that are read at once: minified code is left plain.
const chunkBytes = 8 << 10

// A chunk is some lines of a code block. It is read together with the chunks around it, where a
// comment may begin or end.
type chunk struct {
	language      *highlight.Language
	before, after *chunk
	lines         []string
	spans         [][]highlight.Span // of its lines, when
	read          int                // that many lines were read
	closed        bool               // no line follows
}

// newChunk returns the first chunk of a block, nil if its language is unknown or not shown.
func newChunk(look *Look, name string) *chunk {
	if !look.highlights || name == "" {
		return nil
	}
	language := highlight.Named(strings.ToLower(name))
	if language == nil {
		return nil
	}
	return &chunk{language: language}
}

// add adds a line, and returns the chunk that it is in.
func (c *chunk) add(line string) *chunk {
	if c == nil {
		return nil
	}
	if len(c.lines) == chunkLines {
		c.after = &chunk{language: c.language, before: c}
		c = c.after
	}
	c.lines = append(c.lines, line)
	return c
}

// close notes that the block has ended.
func (c *chunk) close() {
	if c != nil {
		c.closed = true
	}
}

// fork returns a chunk that goes on without changing c.
func (c *chunk) fork() *chunk {
	if c == nil {
		return nil
	}
	f := *c
	f.lines = f.lines[:len(f.lines):len(f.lines)]
	return &f
}

// isDone reports whether the chunk gets no more lines.
func (c *chunk) isDone() bool { return c != nil && (c.closed || len(c.lines) == chunkLines) }

// of returns the spans of a line. While the chunk is written it is read alone: that is done anew
// for each of its lines.
func (c *chunk) of(line int) []highlight.Span {
	var before, after []string
	if c.before != nil && c.isDone() {
		before = c.before.lines
	}
	if c.after.isDone() {
		after = c.after.lines
	}
	if all := len(before) + len(c.lines) + len(after); c.read != all {
		c.spans, c.read = make([][]highlight.Span, len(c.lines)), all
		if lines := slices.Concat(before, c.lines, after); bytesOf(lines) <= chunkBytes {
			copy(c.spans, c.language.Spans(lines)[len(before):])
		}
	}
	return c.spans[line]
}

func bytesOf(lines []string) (n int) {
	for _, line := range lines {
		n += len(line)
	}
	return n
}

// A codeRow is a part of a line of code.
type codeRow struct {
	look     *Look
	chunk    *chunk
	line     int
	from, to int    // in bytes of the line
	before   string // drawn before it
}

func (r *codeRow) draw() string {
	line := r.chunk.lines[r.line]
	var b strings.Builder
	b.WriteString(r.before)
	at := r.from
	write := func(to int, draw func(string) string) {
		if to = min(to, r.to); to > at {
			b.WriteString(draw(line[at:to]))
			at = to
		}
	}
	for _, s := range r.chunk.of(r.line) {
		write(s.From, r.look.plainCode.Draw)
		if at >= s.From {
			write(s.To, r.look.code[s.Is].Draw)
		}
	}
	write(len(line), r.look.plainCode.Draw)
	return b.String()
}

package composer

import (
	"fmt"
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/tui/symbols"
)

// largeBytes is from where on the size of a text is said.
const largeBytes = 10_000

// roomy is how much of its window, in percent, a model can spare for one text: with
// more its context would be full (spec/decisions.md 26).
const roomy = 80

// large says how large a text is, and before it is sent what would come of that: that
// it would be refused, that the recipient's model has no room for it, or that a model
// reads a part of it. Where it does not fit, brief stands in its place. Nothing is
// said of a text that is not large.
func (r *Room) large() (said, brief string) {
	n := r.draft.bytes()
	if n < largeBytes && !r.crowds(n) {
		return "", ""
	}
	w, size := r.words, symbols.Bytes(n)
	if r.to.Most > 0 && n > r.to.Most {
		return fmt.Sprintf(w.TooLarge, size, symbols.Bytes(r.to.Most)), size + "!"
	}
	begin := r.draft.begin(conversation.LongText + 1)
	read := conversation.Shown(begin)
	if tokens := conversation.Estimate(begin[:read]); r.to.Window > 0 && tokens > r.to.Window*roomy/100 {
		return fmt.Sprintf(w.NoRoom, symbols.Tokens(tokens), symbols.Tokens(r.to.Window)), size + "!"
	}
	switch {
	case read < n:
		return fmt.Sprintf(w.ReadIn, size, symbols.Bytes(read)), size + "!"
	case n < largeBytes:
		return "", ""
	}
	return size, size
}

// aside is the size of a large text where there is no edge to say more in.
func (r *Room) aside(width int) string {
	const ample = 40 // cells, so that the text keeps most of them
	if _, brief := r.large(); brief != "" && width >= ample {
		return fmt.Sprintf(r.words.Aside, brief)
	}
	return ""
}

// crowds says whether so many bytes may be too much for the window: a token has
// a byte at least.
func (r *Room) crowds(bytes int) bool { return r.to.Window > 0 && bytes > r.to.Window*roomy/100 }

// bytes returns the size of the text, its blocks with it.
func (d *draft) bytes() int {
	n := d.text.size()
	if len(d.blocks) == 0 {
		return n
	}
	for i := range d.text.lines {
		for _, c := range d.text.lines[i].s {
			if isBlock(c) {
				n += len(d.blocks[c]) - len(string(c))
			}
		}
	}
	return n
}

// begin returns the first bytes of the text, its blocks with it: so many, or all.
func (d *draft) begin(most int) string {
	var b strings.Builder
	for i := range d.text.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, c := range d.text.lines[i].s {
			if !isBlock(c) {
				b.WriteRune(c)
			} else if s := d.blocks[c]; len(s) > most-b.Len() {
				b.WriteString(s[:max(most-b.Len(), 0)])
			} else {
				b.WriteString(s)
			}
			if b.Len() >= most {
				return b.String()
			}
		}
	}
	return b.String()
}

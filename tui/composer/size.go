package composer

import (
	"society-tui/runtime/conversation"
	"society-tui/tui/symbols"
)

// largeBytes is from where on the size of a text is said.
const largeBytes = 10_000

// large says how large a text is, and before it is sent what would come of that: that
// it would be refused, or that the recipient's model is sent a part of it. Where it does not
// fit, brief stands in its place. Nothing is said of a text that is neither large nor sent
// in part.
func (r *Model) large() (said, brief string) {
	n := r.draft.bytes()
	size := symbols.Bytes(n)
	switch {
	case r.to.Most > 0 && n > r.to.Most:
		return r.text(textTooLarge, size, symbols.Bytes(r.to.Most)), size + "!"
	case n > conversation.BudgetsFor(r.to.Window).Message.Whole:
		return r.text(textInParts, size), size
	case n < largeBytes:
		return "", ""
	}
	return size, size
}

// aside is the size of a large text where there is no edge to say more in.
func (r *Model) aside(width int) string {
	const ample = 40 // cells, so that the text keeps most of them
	if _, brief := r.large(); brief != "" && width >= ample {
		return r.text(textAside, brief)
	}
	return ""
}

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

package composer

import (
	"society-tui/runtime/conversation"
	"society-tui/tui/symbols"
)

// largeBytes is the size from which it is shown.
const largeBytes = 10_000

// large returns the size of a text, and a warning if it would be refused or
// sent in part; brief replaces said where it does not fit. For other texts both
// are "".
func (r *Model) large() (said, brief string) {
	n, files, largest := r.draft.bytes()
	size := symbols.Bytes(n)
	switch {
	case r.to.Most > 0 && largest > r.to.Most:
		size = symbols.Bytes(largest)
		return r.text(textTooLarge, size, symbols.Bytes(r.to.Most)), size + "!"
	case r.to.Most > 0 && n > r.to.Most:
		return r.text(textTooLarge, size, symbols.Bytes(r.to.Most)), size + "!"
	case n > conversation.BudgetsFor(r.to.Window).Message.Whole:
		return r.text(textInParts, size), size
	case files > 0:
		size = symbols.Bytes(files)
		return r.text(textAsFiles, size), size
	case n < largeBytes:
		return "", ""
	}
	return size, size
}

// aside is the size of a large text in a composer without edges.
func (r *Model) aside(width int) string {
	const ample = 40 // cells; the text keeps the rest
	if _, brief := r.large(); brief != "" && width >= ample {
		return r.text(symbols.TextAside, brief)
	}
	return ""
}

// bytes returns the size of the text with its blocks, and apart from it that of those that
// are sent as files, and of the largest of them.
func (d *draft) bytes() (n, files, largest int) {
	n = d.text.size()
	if len(d.blocks) == 0 {
		return n, 0, 0
	}
	for i := range d.text.lines {
		for _, c := range d.text.lines[i].s {
			if !isBlock(c) {
				continue
			}
			n -= len(string(c))
			if size := len(d.blocks[c]); d.pasted.has(d.blocks[c]) {
				files, largest = files+size, max(largest, size)
			} else {
				n += size
			}
		}
	}
	return n, files, largest
}

package composer

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"society-tui/tui/symbols"
)

// A paste beyond these limits becomes one block, because wrapping it would
// delay every key.
const (
	foldBytes = 100 << 10
	foldLines = 2000
)

// A block is represented by one rune of a private plane.
const (
	firstBlock = '\U0010f000'
	lastBlock  = '\U0010fffd'
)

func isBlock(r rune) bool { return r >= firstBlock && r <= lastBlock }

// tidy normalizes newlines and drops runes that represent blocks. Everything
// else is kept.
func tidy(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	return strings.Map(func(r rune) rune {
		if isBlock(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// insert writes s at the cursor: each paste that is sent as a file as a block, and the rest
// as one if it is large.
func (d *draft) insert(s string) {
	for {
		at, found := d.pasted.first(s)
		if at < 0 {
			break
		}
		d.insertText(s[:at])
		d.insertBlock(found)
		s = s[at+len(found):]
	}
	d.insertText(s)
}

func (d *draft) insertText(s string) {
	if len(s)+d.text.size() <= foldBytes && strings.Count(s, "\n")+len(d.text.lines) <= foldLines {
		d.text.insert(s)
		return
	}
	d.insertBlock(s)
}

func (d *draft) insertBlock(s string) {
	for r := firstBlock; r <= lastBlock; r++ {
		if _, used := d.blocks[r]; !used {
			if d.blocks == nil {
				d.blocks = make(map[rune]string)
			}
			d.blocks[r] = s
			d.text.insert(string(r))
			return
		}
	}
	d.text.insert(s) // all runes for blocks are in use: slow, but nothing is lost
}

// label is the text drawn for a block.
func (d *draft) label(r rune) string {
	s, ok := d.blocks[r]
	if !ok {
		return "\ufffd"
	}
	lines := strings.Count(s, "\n")
	if !strings.HasSuffix(s, "\n") {
		lines++
	}
	form := textPasted
	if d.pasted.has(s) {
		form = textPastedFile
	}
	return d.printer.N(form, lines, symbols.Bytes(len(s)), symbols.Count(lines))
}

// whole returns s with its blocks expanded.
func (d *draft) whole(s string) string {
	if len(d.blocks) == 0 || !strings.ContainsFunc(s, isBlock) {
		return s
	}
	pairs := make([]string, 0, 2*len(d.blocks))
	for _, r := range slices.Sorted(maps.Keys(d.blocks)) {
		pairs = append(pairs, string(r), d.blocks[r])
	}
	return strings.NewReplacer(pairs...).Replace(s)
}

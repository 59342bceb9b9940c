package composer

import (
	"math"
	"strings"
)

// The history is bounded in entries and in bytes; the oldest go first.
const (
	historyMost  = 200
	historyBytes = 1 << 20
)

// history is what was sent or cleared, oldest first. Entries are known by a
// number that stays when older ones go.
type history struct {
	entries []string
	first   int // the number of entries[0]
	bytes   int
}

func (h *history) add(s string) {
	if n := len(h.entries); n > 0 && h.entries[n-1] == s {
		return
	}
	h.entries = append(h.entries, s)
	h.bytes += len(s)
	// The newest stays however large it is.
	for len(h.entries) > 1 && (len(h.entries) > historyMost || h.bytes > historyBytes) {
		h.bytes -= len(h.entries[0])
		h.entries = h.entries[1:]
		h.first++
	}
}

func (h *history) next() int { return h.first + len(h.entries) }

func (h *history) entry(number int) (string, bool) {
	if i := number - h.first; i >= 0 && i < len(h.entries) {
		return h.entries[i], true
	}
	return "", false
}

// older returns the number of the newest entry before number that holds needle
// in any case.
func (h *history) older(number int, needle string) (int, bool) {
	needle = strings.ToLower(needle)
	for i := min(number, h.next()) - 1; i >= h.first; i-- {
		if strings.Contains(strings.ToLower(h.entries[i-h.first]), needle) {
			return i, true
		}
	}
	return 0, false
}

// ownText is where a draft stands when it shows no entry of the history: a number
// that no entry, and no step from one, has.
const ownText = math.MinInt

// visit shows an entry of the history, or the draft's own text. What was there
// is kept as it is, changes to it too, until the draft is sent.
func (d *draft) visit(h *history, number int) bool {
	entry, ok := h.entry(number)
	if !ok && number != ownText {
		return false
	}
	if d.aside == nil {
		d.aside = make(map[int]*text)
	}
	d.aside[d.entry] = d.text
	kept := d.aside[number]
	delete(d.aside, number)
	if kept == nil {
		kept = newText("")
		d.text = kept
		d.insert(entry)
	}
	d.text, d.entry = kept, number
	return true
}

// own returns the text that the draft began with, wherever it is in the history.
func (d *draft) own() *text {
	if d.entry == ownText {
		return d.text
	}
	return d.aside[ownText]
}

// finish ends the visit of the history and returns to the draft's own text, or
// to nothing if that is what was used.
func (d *draft) finish() {
	if d.entry != ownText {
		d.text = d.aside[ownText]
	} else {
		d.text = newText("")
	}
	d.entry, d.aside, d.needle = ownText, nil, ""
	if !strings.ContainsFunc(d.text.String(), isBlock) {
		d.blocks = nil
	}
}

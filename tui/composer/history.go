package composer

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"society-tui/runtime/society"
)

// Limits of the history in entries and bytes; the oldest are dropped first.
const (
	historyMost  = 200
	historyBytes = 1 << 20
)

// history holds sent and cleared texts, oldest first. An entry keeps its number
// when others are dropped.
type history struct {
	entries []written
	first   int // number of entries[0]
	bytes   int
}

// A written is a text and its recipient; without text it is forgotten. Fields
// may be added, never renamed.
type written struct {
	Text string          `json:"text"`
	To   society.AgentID `json:"to,omitempty"`
}

// UnmarshalJSON also reads the old form without recipient: a plain string.
func (w *written) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &w.Text) == nil {
		return nil
	}
	type fields written
	return json.Unmarshal(raw, (*fields)(w))
}

func (h *history) add(w written) {
	if n := len(h.entries); n > 0 && h.entries[n-1] == w {
		return
	}
	h.entries = append(h.entries, w)
	h.bytes += len(w.Text)
	// The newest is kept however large it is.
	for len(h.entries) > 1 && (len(h.entries) > historyMost || h.bytes > historyBytes) {
		h.bytes -= len(h.entries[0].Text)
		h.entries = h.entries[1:]
		h.first++
	}
}

// find returns the number of an entry, or nothingBeside.
func (h *history) find(w written) int {
	if i := slices.Index(h.entries, w); i >= 0 {
		return h.first + i
	}
	return nothingBeside
}

// replace puts w in place of an entry, or adds it if that is gone. It returns its number.
func (h *history) replace(number int, w written) int {
	if _, ok := h.entry(number); !ok {
		h.add(w)
		return h.next() - 1
	}
	i := number - h.first
	h.bytes += len(w.Text) - len(h.entries[i].Text)
	h.entries[i] = w
	return number
}

// drop forgets an entry, if it is there.
func (h *history) drop(number int) {
	if _, ok := h.entry(number); ok {
		h.replace(number, written{})
	}
}

// forget drops the texts to an agent.
func (h *history) forget(agent society.AgentID) {
	for i, w := range h.entries {
		if w.To == agent || slices.Index(strings.Fields(w.Text), "@"+string(agent)) == 0 {
			h.bytes -= len(w.Text)
			h.entries[i] = written{}
		}
	}
}

// remembered returns the entries that are not forgotten.
func (h *history) remembered() []written {
	return slices.DeleteFunc(slices.Clone(h.entries), func(w written) bool { return w.Text == "" })
}

func (h *history) next() int { return h.first + len(h.entries) }

// entry returns a text; ok is false if it was forgotten or dropped.
func (h *history) entry(number int) (text string, ok bool) {
	if i := number - h.first; i >= 0 && i < len(h.entries) {
		return h.entries[i].Text, h.entries[i].Text != ""
	}
	return "", false
}

// newer returns the number of the next entry; ok is false if there is none.
func (h *history) newer(number int) (newer int, ok bool) {
	for i := max(number+1, h.first); i < h.next(); i++ {
		if _, ok := h.entry(i); ok {
			return i, true
		}
	}
	return 0, false
}

// older returns the number of the newest entry before number that contains
// needle, ignoring case.
func (h *history) older(number int, needle string) (int, bool) {
	needle = strings.ToLower(needle)
	for i := min(number, h.next()) - 1; i >= h.first; i-- {
		if text, ok := h.entry(i); ok && strings.Contains(strings.ToLower(text), needle) {
			return i, true
		}
	}
	return 0, false
}

// nothingBeside is no number of an entry.
const nothingBeside = -1

// ownText is the position of a draft that shows no entry of the history, far
// from any number of an entry.
const ownText = math.MinInt

// visit shows an entry of the history, or the draft's own text. The hidden text
// keeps its edits until the draft is sent.
func (d *draft) visit(h *history, number int) bool {
	entry, ok := h.entry(number)
	if !ok && number != ownText {
		return false
	}
	if d.aside == nil {
		d.aside = make(map[int]*text)
	}
	d.aside[d.entry] = d.text
	aside := d.aside[number]
	delete(d.aside, number)
	if aside == nil {
		aside = newText("")
		d.text = aside
		d.insert(entry)
	}
	d.text, d.entry = aside, number
	return true
}

// own returns the draft's own text, wherever it is in the history.
func (d *draft) own() *text {
	if d.entry == ownText {
		return d.text
	}
	return d.aside[ownText]
}

// finish returns from the history to the draft's own text, or to an empty one
// if that text was sent.
func (d *draft) finish() {
	if d.entry != ownText {
		d.text = d.aside[ownText]
	} else {
		d.text = newText("")
	}
	d.entry, d.aside, d.needle, d.narrows = ownText, nil, "", false
	if !strings.ContainsFunc(d.text.String(), isBlock) {
		d.blocks = nil
	}
}

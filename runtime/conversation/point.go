package conversation

import (
	"slices"
	"time"
)

// A Point is a conversation as it was before one of its messages was taken.
type Point struct {
	Slot  uint64 // of the message
	First uint64 // lowest slot that could be in context
	Load         // estimated
	// LastTodo are the arguments of the last call of the tool that was asked for and that
	// succeeded before, "" for none.
	LastTodo string
	// Entries counts what a rewind to it would set aside.
	Entries int
	// Message, Body and Attached are those of the message, Taken is when it was read.
	Message  string
	Taken    time.Time
	Body     string
	Attached []Attachment
}

// PointOf returns the Point before a message from a sender that was not set aside, or before
// the last one if message is "". The entries are all of a conversation, in slot order; todo
// is the name of the tool whose last call is wanted. ok is false if there is no such message.
func PointOf(entries []Entry, sender, message, todo string, b Budgets) (p Point, ok bool) {
	at := -1
	for i := range entries {
		e := &entries[i]
		if e.IsMessageOf(sender) && (message == "" || e.MessageID == message) {
			at = i
		}
	}
	if at < 0 {
		return Point{}, false
	}
	e := &entries[at]
	p = before(entries[:at], todo, b)
	p.Slot, p.Message, p.Taken, p.Body, p.Attached = e.Slot, e.MessageID, e.At, e.Body, e.Attached
	for i := range entries[at:] {
		if entries[at+i].SetAside.IsZero() {
			p.Entries++
		}
	}
	return p, true
}

// IsMessageOf reports whether it is a message from a sender that was not set aside.
func (e *Entry) IsMessageOf(sender string) bool {
	return e.Kind == Inbound && e.From == sender && e.SetAside.IsZero()
}

// before returns what of these entries a model sees in the trunk.
func before(entries []Entry, todo string, b Budgets) (p Point) {
	entries = slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return !e.SetAside.IsZero() })
	p.LastTodo = lastCall(entries, todo)
	entries = Seen(entries, nil)
	for i := range entries {
		if s := entries[i].Compression; entries[i].Kind == Summary && s != nil {
			p.First = upto(entries[:i], p.First, s.Entries)
		}
	}
	entries = entries[slot(entries, p.First):]
	for _, u := range group(entries) {
		p.Count += u.size()
		p.Since += u.weight(b)
	}
	return p
}

// upto returns the slot up to which a compression has taken so many entries away, of those
// that began at first.
func upto(entries []Entry, first uint64, gone int) uint64 {
	for _, u := range group(entries[slot(entries, first):]) {
		switch {
		case u.head.Kind == Summary:
		case gone <= 0:
			return u.head.Slot
		default:
			gone -= u.size()
			first = u.end()
		}
	}
	return first
}

// slot returns the index of the first entry in that slot or behind it.
func slot(entries []Entry, at uint64) int {
	i, _ := slices.BinarySearchFunc(entries, at, func(e Entry, at uint64) int {
		switch {
		case e.Slot < at:
			return -1
		case e.Slot > at:
			return 1
		}
		return 0
	})
	return i
}

// lastCall returns the arguments of the last successful call of a tool.
func lastCall(entries []Entry, tool string) string {
	done := map[string]bool{}
	for i := range slices.Backward(entries) {
		e := &entries[i]
		if e.Kind == Result && e.Outcome == OK {
			done[e.CallID] = true
		}
		if e.Kind != Answer {
			continue
		}
		for _, c := range e.Calls {
			if c.Name == tool && done[c.ID] {
				return c.Arguments
			}
		}
	}
	return ""
}

package runtime

import (
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
)

// ringSize bounds the timeline, in memory and in the store.
const ringSize = 1000

// A ring keeps the newest lines of the timeline.
type ring struct {
	lines    []society.TimelineLine
	last     uint64
	recalled uint64 // the last one from before this start
	kept     uint64 // the last one that is in the store
}

// unkept returns the lines to be stored when more come: those of an outage, then more.
func (t *ring) unkept(more []society.TimelineLine) (records []tables.TimelineRecord) {
	lines, seq := t.after(t.kept)
	for _, l := range slices.Concat(lines, more) {
		seq++
		if l.Quotes {
			l.Text = ""
		}
		records = append(records, tables.TimelineRecord{Seq: seq, At: l.At, Agent: l.Agent, Kind: l.Kind, Text: l.Text})
	}
	return records
}

// recall loads the stored timeline.
func (t *ring) recall(records []tables.TimelineRecord) {
	for _, l := range records {
		if l.Seq != t.last+1 { // what an outage has left out
			t.lines, t.last = nil, l.Seq-1
		}
		t.add(society.TimelineLine{At: l.At, Agent: l.Agent, Kind: l.Kind, Text: l.Text})
	}
	t.kept, t.recalled = t.last, t.last
}

func (t *ring) add(l society.TimelineLine) {
	t.last++
	if len(t.lines) == ringSize {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
	t.lines = append(t.lines, l)
}

// after returns the lines after seq, or after the first that is left.
func (t *ring) after(seq uint64) ([]society.TimelineLine, uint64) {
	first := t.last - uint64(len(t.lines))
	seq = max(seq, first)
	return t.lines[seq-first:], seq
}

// since returns the lines after seq, and how many of them are gone already.
func (t *ring) since(seq uint64) (events []api.TimelineEvent, missed int) {
	lines, from := t.after(seq)
	for i, l := range lines {
		n := from + 1 + uint64(i)
		events = append(events, api.TimelineEvent{Seq: n, At: l.At, Agent: l.Agent, Kind: l.Kind, Text: l.Text, Before: n <= t.recalled})
	}
	return events, int(from - seq)
}

// linesOf returns the lines of the timeline for what has happened.
func linesOf(events []society.Event) (lines []society.TimelineLine) {
	for _, e := range events {
		if e, ok := e.(society.Shows); ok {
			lines = append(lines, e.Lines()...)
		}
	}
	return lines
}

package runtime

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
)

// ringSize bounds the timeline, in memory and in the store.
const ringSize = 1000

// A ring keeps the newest lines of the timeline.
type ring struct {
	lines []api.TimelineEvent
	last  uint64
	kept  uint64 // the last one that is in the store
}

// unkept are the lines to be stored when more come: those of an outage, then more.
func (t *ring) unkept(more []api.TimelineEvent) []tables.TimelineRecord {
	lines, _ := t.since(t.kept)
	for i := range more {
		more[i].Seq = t.last + 1 + uint64(i)
	}
	var kept []tables.TimelineRecord
	for _, e := range append(lines, more...) {
		h := tables.TimelineRecord{Seq: e.Seq, At: e.At, Agent: e.Agent, Kind: e.Kind, Text: e.Text}
		if e.Kind == "failed" || e.Kind == "retry" {
			h.Text = "" // an endpoint's words, which may quote what was said
		}
		kept = append(kept, h)
	}
	return kept
}

// recall loads the stored timeline.
func (t *ring) recall(lines []tables.TimelineRecord) {
	for _, h := range lines {
		if h.Seq != t.last+1 { // what an outage has left out
			t.lines, t.last = nil, h.Seq-1
		}
		t.add(api.TimelineEvent{At: h.At, Agent: h.Agent, Kind: h.Kind, Text: h.Text, Before: true})
	}
	t.kept = t.last
}

func (t *ring) add(e api.TimelineEvent) {
	t.last++
	e.Seq = t.last
	if len(t.lines) == ringSize {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
	t.lines = append(t.lines, e)
}

// since returns the lines after seq, and how many of them are gone already.
func (t *ring) since(seq uint64) (lines []api.TimelineEvent, missed int) {
	first := t.last - uint64(len(t.lines))
	if seq < first {
		missed, seq = int(first-seq), first
	}
	return append([]api.TimelineEvent(nil), t.lines[seq-first:]...), missed
}

// linesOf are the lines of the timeline for what has happened: ids and kinds, never
// bodies.
func linesOf(events []society.Event) []api.TimelineEvent {
	var lines []api.TimelineEvent
	for _, e := range events {
		lines = appendLines(lines, e)
	}
	return lines
}

func appendLines(lines []api.TimelineEvent, e society.Event) []api.TimelineEvent {
	line := func(at time.Time, id society.AgentID, kind, format string, args ...any) {
		lines = append(lines, api.TimelineEvent{At: at, Agent: id, Kind: kind, Text: fmt.Sprintf(format, args...)})
	}
	switch e := e.(type) {
	case society.AgentMade:
		line(e.Agent.Created, e.Agent.ID, "spawned", "by %s", e.Agent.Parent)
	case society.MessageToUser:
		kind := "told you"
		if e.Asks {
			kind = "asks"
		}
		if !e.Note {
			line(e.Mail.At, e.Mail.From, kind, "%s", e.Mail.Type)
		}
	case society.RetrySet:
		line(e.At, e.Agent, "retry", "%d in %s: %s", e.Attempt, e.Until.Sub(e.At).Round(time.Second), e.Cause)
	case society.TurnFailed:
		line(e.At, e.Agent, "failed", "%s", e.Text)
	case society.DelayedDropped:
		held := perSender(e.List)
		for _, by := range slices.Sorted(maps.Keys(held)) {
			if e.Why != "" {
				line(e.At, by, "undelivered", "%s", e.Why)
			} else {
				line(e.At, by, "dropped", "%d", held[by])
			}
		}
	case society.Compacted:
		if s := e.Entry.Compression; s != nil {
			line(e.Entry.At, e.Agent, "compressed", "%d entries, %d → %d tokens", s.Entries, s.Before, s.After)
		}
	case society.WorkAborted:
		line(e.At, e.Agent, "interrupted", "")
	case society.PausedNow:
		line(e.At, e.Agent, "paused", "%s", e.Why)
	case society.ResumedNow:
		line(e.At, e.Agent, "resumed", "")
	case society.StopEnded:
		line(e.At, e.Agents[0], "stopped", "%d agents", len(e.Agents))
	case society.DrainBegun:
		line(e.At, e.Agents[0], "draining", "by %s", e.Drain.By)
	case society.TerminationBegun:
		if e.Ending.CallID != "" { // a drain has finished
			line(e.At, e.Agents[0], "drained", "ended %d, cut off %d", len(e.Agents), e.Ending.CutOff)
		}
	case society.Erased:
		for _, t := range e.Tombs {
			line(t.TerminatedAt, t.ID, "terminated", "by %s", t.TerminatedBy)
		}
	}
	return lines
}

// perSender counts kept messages by who keeps them.
func perSender(list []society.DelayedRef) map[society.AgentID]int {
	n := map[society.AgentID]int{}
	for _, h := range list {
		n[h.By]++
	}
	return n
}

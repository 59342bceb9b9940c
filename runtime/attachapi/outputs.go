package attachapi

import (
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// outputs are what a screen was told of the output of running calls, of the agents that it
// watches and that have any.
type outputs struct {
	society api.Society
	told    map[society.AgentID][]told
}

// told is how far the output of a call was told.
type told struct {
	call  string
	step  uint64
	begun time.Time
	upto  int64 // bytes
	bytes int64 // that there were
}

func newOutputs(s api.Society) outputs {
	return outputs{society: s, told: map[society.AgentID][]told{}}
}

// of returns what has changed of the output of an agent; false for nothing.
func (o *outputs) of(id society.AgentID) (out Output, changed bool) {
	before := o.told[id]
	now := o.society.Outputs(id)
	out.Agent, changed = id, len(now) != len(before)
	next := make([]told, 0, len(now))
	for i := range now {
		c := now[i]
		t := told{call: c.Call, step: c.Step, begun: c.Begun, upto: c.Start + int64(len(c.Text)), bytes: c.Bytes}
		if was, ok := find(before, &t); ok && was.upto >= c.Start {
			changed = changed || was != t
			c.Text, c.Start = c.Text[was.upto-c.Start:], was.upto
		} else {
			changed = true
		}
		out.Calls, next = append(out.Calls, Written{c, t.upto}), append(next, t)
	}
	if o.told[id] = next; len(next) == 0 {
		delete(o.told, id)
	}
	return out, changed
}

func find(all []told, one *told) (told, bool) {
	for _, t := range all {
		if t.call == one.call && t.step == one.step && t.begun.Equal(one.begun) {
			return t, true
		}
	}
	return told{}, false
}

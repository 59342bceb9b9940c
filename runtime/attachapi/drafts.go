package attachapi

import (
	"slices"
	"time"
	"unicode/utf8"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// pieceBytes is how much of an answer comes with a frame at most.
const pieceBytes = 256 << 10

// drafts are what a screen was told of answers in flight, and of the output of running calls.
type drafts struct {
	society api.Society
	outputs outputs
	told    map[society.AgentID]bool      // that there is one
	watched map[society.AgentID]*watching // whose texts are told
	behind  map[society.AgentID]bool      // of which more is to be told
}

// watching is how far an answer was told.
type watching struct {
	epoch, step uint64
	attempt     int
	begun       time.Time
	upto        Offset
}

func newDrafts(s api.Society) drafts {
	return drafts{society: s, outputs: newOutputs(s), told: map[society.AgentID]bool{}, watched: map[society.AgentID]*watching{}, behind: map[society.AgentID]bool{}}
}

// more reports whether something was left out of the last frame.
func (d *drafts) more() bool { return len(d.behind) > 0 }

// watch lets the texts of other agents be told. Those that were told go on, unless the
// client lacks what was told.
func (d *drafts) watch(w Watched) {
	before, written := d.watched, d.outputs.told
	d.watched, d.outputs.told = map[society.AgentID]*watching{}, map[society.AgentID][]told{}
	for _, id := range w.Agents {
		told := before[id]
		if told == nil || slices.Contains(w.Whole, id) {
			told = &watching{}
			d.behind[id] = true
		} else if w := written[id]; w != nil {
			d.outputs.told[id] = w
		}
		d.watched[id] = told
	}
}

// tell returns what has changed of drafts and outputs. Changes may be nil.
func (d *drafts) tell(c *api.Changes) (told []Draft, written []Output) {
	look := d.behind
	d.behind = map[society.AgentID]bool{}
	if c != nil {
		for _, id := range c.Streaming {
			look[id] = true
		}
		if c.All {
			for i := range c.Rows {
				look[c.Rows[i].ID] = true
			}
			for id := range d.told {
				look[id] = true
			}
			clear(d.outputs.told) // the client forgets those that it is not told of
		}
	}
	for id := range look {
		if w, ok := d.of(id); ok {
			told = append(told, w)
		}
		if d.watched[id] == nil {
			continue
		}
		if o, ok := d.outputs.of(id); ok {
			written = append(written, o)
		}
	}
	return told, written
}

// of returns what has changed of an agent's draft; false for nothing.
func (d *drafts) of(id society.AgentID) (Draft, bool) {
	now, ok := d.society.Draft(id)
	if !ok {
		was := d.told[id]
		delete(d.told, id)
		if d.watched[id] != nil {
			*d.watched[id] = watching{}
		}
		return Draft{Draft: api.Draft{Agent: id}, Gone: true}, was
	}
	d.told[id] = true
	w := d.watched[id]
	if w == nil {
		return Draft{Draft: api.Draft{Agent: id, Bytes: now.Bytes, Aborted: now.Aborted}}, true
	}
	if w.epoch != now.Epoch || w.step != now.Step || w.attempt != now.Attempt || !w.begun.Equal(now.Begun) {
		*w = watching{epoch: now.Epoch, step: now.Step, attempt: now.Attempt, begun: now.Begun}
	}
	told := Draft{Draft: now, From: w.upto}
	told.Text = piece(now.Text, w.upto.Text)
	told.Thought = piece(now.Thought, w.upto.Thought)
	w.upto.Text += len(told.Text)
	w.upto.Thought += len(told.Thought)
	told.Upto = w.upto
	if len(told.Text) >= pieceBytes-utf8.UTFMax || len(told.Thought) >= pieceBytes-utf8.UTFMax {
		d.behind[id] = true
	}
	return told, true
}

// piece returns what comes next of a text that grows, in whole characters.
func piece(text string, from int) string {
	next := text[from:min(len(text), from+pieceBytes)]
	for i := 1; i < utf8.UTFMax && i <= len(next); i++ {
		if end := len(next) - i; utf8.RuneStart(next[end]) {
			if !utf8.FullRuneInString(next[end:]) {
				return next[:end]
			}
			break
		}
	}
	return next
}

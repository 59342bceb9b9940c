package runtime

import (
	"context"
	"strings"
	"sync"
	"time"

	"society-tui/llm"
	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// drafts hold the answers of model calls in flight. Streamed text goes past the
// loop: a worker appends, whoever looks at that agent reads a copy.
type drafts struct {
	mu     sync.Mutex
	drafts map[society.AgentID]*draft
	floor  map[society.AgentID]uint64 // the epoch below which no draft begins
	bytes  int64                      // all that was ever streamed
	wake   func([]society.AgentID)    // notifies the watchers; set once, before any use
}

type draft struct {
	who     []society.AgentID // whose it is, for wake, which comes with every piece
	head    api.Draft         // without the texts
	text    strings.Builder
	thought strings.Builder
}

func newDrafts() *drafts {
	return &drafts{drafts: map[society.AgentID]*draft{}, floor: map[society.AgentID]uint64{}}
}

// expect allows drafts of an epoch again, after an early abort that was not committed.
func (d *drafts) expect(agent society.AgentID, epoch uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.floor[agent] > epoch {
		d.floor[agent] = epoch
	}
}

// begin starts the draft of a piece of work; it takes the place of what the agent
// had before, for example an attempt that failed. ctx is the work's own.
func (d *drafts) begin(ctx context.Context, w society.WorkItem) *draft {
	f := &draft{who: []society.AgentID{w.Agent}, head: api.Draft{
		Agent: w.Agent, Epoch: w.Epoch, Step: w.Step, Attempt: w.Attempt, Begun: time.Now(), Last: time.Now(),
	}}
	if w.Run != nil {
		f.head.Node = w.Run.Node
	}
	d.mu.Lock()
	seen := ctx.Err() == nil && w.Epoch >= d.floor[w.Agent] // else it was cancelled while it read
	if seen {
		d.drafts[w.Agent] = f
	}
	d.mu.Unlock()
	if seen {
		d.wake(f.who)
	}
	return f
}

// add appends a piece of the answer; after an abort it comes too late.
func (d *drafts) add(f *draft, c llm.Chunk) {
	d.mu.Lock()
	if f.head.Aborted {
		d.mu.Unlock()
		return
	}
	f.text.WriteString(c.Text)
	f.thought.WriteString(c.Reasoning)
	f.head.Bytes += len(c.Text) + len(c.Reasoning)
	d.bytes += int64(len(c.Text) + len(c.Reasoning))
	if c.CallName != "" {
		f.head.Tool = c.CallName
	}
	f.head.Last = time.Now()
	d.mu.Unlock()
	d.wake(f.who)
}

// drop removes the draft of a piece of work; called when its row is on disk, or
// when it counts no more.
func (d *drafts) drop(w society.WorkItem) {
	d.mu.Lock()
	f := d.drafts[w.Agent]
	gone := f != nil && f.head.Epoch == w.Epoch && f.head.Step == w.Step && !f.head.Aborted
	if gone {
		delete(d.drafts, w.Agent)
	}
	d.mu.Unlock()
	if gone {
		d.wake(f.who)
	}
}

// forget removes all that is known of an agent that is gone.
func (d *drafts) forget(agent society.AgentID) {
	d.finish(agent, 0)
	d.mu.Lock()
	delete(d.floor, agent)
	d.mu.Unlock()
}

// finish removes the draft of a step whose answer is a row by now, or what was
// aborted before it; of branches side by side another's stays. Step 0 is any.
func (d *drafts) finish(agent society.AgentID, step uint64) {
	d.mu.Lock()
	f := d.drafts[agent]
	gone := f != nil && (step == 0 || f.head.Step == step || f.head.Aborted)
	if gone {
		delete(d.drafts, agent)
	}
	d.mu.Unlock()
	if gone {
		d.wake(f.who)
	}
}

// An abortion ends what runs for an agent by raising its epoch.
type abortion struct {
	agent society.AgentID
	epoch uint64
}

// abort marks drafts as cut short; empty ones are removed. Work of an epoch
// before the present one begins no draft any more.
func (d *drafts) abort(all ...abortion) {
	had := make([]society.AgentID, 0, len(all))
	d.mu.Lock()
	for _, a := range all {
		d.floor[a.agent] = a.epoch
		if f := d.drafts[a.agent]; f != nil {
			had = append(had, a.agent)
			if f.head.Aborted = true; f.head.Bytes == 0 {
				delete(d.drafts, a.agent)
			}
		}
	}
	d.mu.Unlock()
	d.wake(had)
}

// weigh fills in how much of the answers had come that an abort has cut short,
// in the epoch before.
func (d *drafts) weigh(aborted []society.AbortedAnswer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, a := range aborted {
		if f := d.drafts[a.Agent]; f != nil && f.head.Epoch+1 == d.floor[a.Agent] {
			aborted[i].Partial = f.head.Bytes
		}
	}
}

// streamed returns how many bytes of answers have come since the start.
func (d *drafts) streamed() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.bytes
}

// size returns how many bytes of an answer have come.
func (d *drafts) size(agent society.AgentID) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.drafts[agent]; f != nil && !f.head.Aborted {
		return f.head.Bytes
	}
	return 0
}

// Draft returns the answer that an agent is giving, as far as it has come, or the
// one that was cut short until its next turn. ok is false if there is none. It
// may be called from any goroutine.
func (r *Runtime) Draft(agent society.AgentID) (api.Draft, bool) {
	d := r.drafts
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.drafts[agent]
	if f == nil {
		return api.Draft{}, false
	}
	head := f.head
	head.Text, head.Thought = f.text.String(), f.thought.String()
	return head, true
}

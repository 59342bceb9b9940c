package execute

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"society-tui/runtime/graph"
)

// saved is a checkpoint as it is encoded, after a version byte: fields are added,
// never renamed or reused.
type saved struct {
	ID      string            `json:"id"`
	Began   time.Time         `json:"began"`
	At      time.Time         `json:"at"`
	Run     []byte            `json:"run"`
	History []graph.Message   `json:"history,omitempty"`
	Said    map[int]savedSaid `json:"said"`
	Waiting []graph.Message   `json:"waiting,omitempty"`
	Calls   []ToolCall        `json:"calls,omitempty"`
}

// savedSaid is what was added in a branch; earlier messages are its parent's.
type savedSaid struct {
	Before   int             `json:"before,omitempty"`
	Messages []graph.Message `json:"messages,omitempty"`
}

// version stands before every checkpoint.
const version = 1

// checkpoint encodes all that Continue needs. The caller holds mu.
func (x *Execution) checkpoint() []byte {
	s := saved{
		ID: x.config.ID, Began: x.began, At: time.Now(), Run: x.run.Encode(),
		History: x.history, Said: map[int]savedSaid{}, Waiting: x.waiting, Calls: x.calls,
	}
	for id, b := range x.contexts {
		s.Said[id] = savedSaid{b.before, b.messages[b.before:]}
	}
	body, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings, numbers and times
	}
	return append([]byte{version}, body...)
}

// Continue goes on from a checkpoint that Config.Save was given, in this program
// or another: with what had not ended, and with nothing that had. A node that was
// being executed begins anew, as a further iteration. The time between does not
// count towards the timeout. A paused run stays so until Resume. The errors are
// those of graph.Load and Start.
func Continue(ctx context.Context, g *graph.Graph, c Config, checkpoint []byte, send func(graph.Chunk)) (*Execution, error) {
	if len(checkpoint) == 0 {
		return nil, fmt.Errorf("%w: it is empty", graph.ErrDamaged)
	}
	if checkpoint[0] > version {
		return nil, fmt.Errorf("%w: %d", graph.ErrNewer, checkpoint[0])
	}
	var s saved
	if err := json.Unmarshal(checkpoint[1:], &s); err != nil {
		return nil, fmt.Errorf("%w: %v", graph.ErrDamaged, err)
	}
	run, err := graph.Load(g, s.Run)
	if err != nil {
		return nil, err
	}
	if c.ID == "" {
		c.ID = s.ID
	}
	x, err := newExecution(ctx, g, c, run)
	if err != nil {
		return nil, err
	}
	x.history, x.waiting, x.calls, x.send = s.History, s.Waiting, s.Calls, send
	if err := x.restore(s); err != nil {
		return nil, err
	}
	now := x.began
	x.began = s.Began
	if !run.Status.Over() {
		if !run.Deadline.IsZero() {
			run.Deadline = run.Deadline.Add(now.Sub(s.At))
		}
		paused := run.Paused
		_ = run.Interrupt(now) // it is not over
		if !paused {
			_ = run.Resume(now)
		}
	}
	go x.mind()
	return x, nil
}

// restore puts together what was said in each branch: what its parent had said
// when it was taken, and what it added.
func (x *Execution) restore(s saved) error {
	x.contexts[0] = &branch{messages: s.Said[0].Messages}
	for _, t := range x.run.Branches {
		said, there := s.Said[t.ID]
		if t.ID == 0 || !there {
			continue
		}
		parent := x.context(t.Parent).messages // it stands before its branches
		if said.Before != len(parent) {
			return fmt.Errorf("%w: branch %d began after %d messages, there are %d", graph.ErrDamaged, t.ID, said.Before, len(parent))
		}
		x.contexts[t.ID] = &branch{messages: append(whole(parent), said.Messages...), before: said.Before}
	}
	return nil
}

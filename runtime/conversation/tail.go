package conversation

import "slices"

// A Tail is what a running society keeps of a conversation in memory: which slots it has,
// and the answer whose calls are being run. It is part of the
// agent's stored record: fields are added, never renamed. The zero Tail is the
// tail of an empty conversation.
//
// Slots are handed out in order and never twice. An answer with n calls gets
// n+1 of them, so that results land directly behind it in whatever order they
// come, and what arrives meanwhile stands behind them.
type Tail struct {
	Next  uint64 `json:"next,omitempty"`  // the next slot to hand out
	Group *Group `json:"group,omitempty"` // the first open answer, nil for none
	First uint64 `json:"first,omitempty"` // lowest slot that can still be in context
	Load
	// Scale is the endpoint's counts in thousandths of our estimates; 0: not known.
	Scale int `json:"scale,omitempty"`
}

// A Load is how much a model sees of a conversation; part of the agent's stored
// record. What is said in a branch of its graph, only the Load of that branch
// counts: it begins as that of what the branch was taken from.
type Load struct {
	// Count counts the entries in context.
	Count int `json:"count,omitempty"`
	// Tokens is the size of the context when it was last counted or estimated as a whole,
	// Since the estimate of what was added since; Size adds them up. Measured is set when
	// Tokens is the endpoint's count.
	Tokens   int  `json:"tokens,omitempty"`
	Since    int  `json:"since,omitempty"`
	Measured bool `json:"measured,omitempty"`
}

// A Group is an answer with calls that do not all have a result.
type Group struct {
	Slot  uint64     `json:"slot"`
	Calls []OpenCall `json:"calls"`
	// Weight is the answer's share of Since.
	Weight int `json:"weight,omitempty"`
	// Branch is the number of the branch that gave the answer, 0 for the trunk, and
	// Beside are the open answers of branches that run side by side with it, in the
	// order of their slots.
	Branch int     `json:"branch,omitempty"`
	Beside []Group `json:"beside,omitempty"`
}

// An OpenCall is one call of an open answer. The result of the i-th call stands
// in slot Group.Slot+1+i.
type OpenCall struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	Done bool   `json:"done,omitempty"`
}

// Append hands out the slot for one more entry in context, behind all that is
// reserved for the open answer.
func (t *Tail) Append() uint64 {
	t.Count++
	return t.Aside()
}

// Aside hands out the slot for an entry that no model sees: a Notice, an
// Aborted answer, a Dropped message. It does not count.
func (t *Tail) Aside() uint64 {
	slot := t.Next
	t.Next++
	return slot
}

// Open hands out the slots for an answer that was given in a branch, 0 for the trunk,
// with these calls, and returns the answer's. Without calls it is Append. Only of
// branches that run side by side several answers may be open.
func (t *Tail) Open(branch int, calls []Call) uint64 {
	slot := t.Append()
	if len(calls) == 0 {
		return slot
	}
	t.Next += uint64(len(calls))
	g := Group{Slot: slot, Branch: branch, Calls: make([]OpenCall, len(calls))}
	for i, c := range calls {
		g.Calls[i] = OpenCall{ID: c.ID, Name: c.Name}
	}
	t.setOpen(append(t.Opened(), g))
	return slot
}

// Opened returns the open answers in the order of their slots.
func (t *Tail) Opened() []Group {
	if t.Group == nil {
		return nil
	}
	first := *t.Group
	first.Beside = nil
	return append([]Group{first}, t.Group.Beside...)
}

// setOpen sets the open answers. A copy of the Tail does not change.
func (t *Tail) setOpen(groups []Group) {
	if t.Group = nil; len(groups) == 0 {
		return
	}
	first := groups[0]
	if first.Beside = nil; len(groups) > 1 {
		first.Beside = groups[1:]
	}
	t.Group = &first
}

// Result marks the call as answered and returns the slot of its result. ok is
// false if no open answer waits for that call. The last result closes the
// answer.
func (t *Tail) Result(callID string) (slot uint64, ok bool) {
	open := t.Opened()
	for i := range open {
		if slot, ok = open[i].awaits(callID); !ok {
			continue
		}
		t.Count++
		if open[i].mark(slot); open[i].complete() {
			open = slices.Delete(open, i, i+1)
		}
		t.setOpen(open)
		return slot, true
	}
	return 0, false
}

// awaits returns the slot for the result of a call that has none yet.
func (g *Group) awaits(callID string) (slot uint64, ok bool) {
	for i, c := range g.Calls {
		if c.ID == callID && !c.Done {
			return g.Slot + 1 + uint64(i), true
		}
	}
	return 0, false
}

// mark records that the call of that slot has its result.
func (g *Group) mark(slot uint64) {
	g.Calls = slices.Clone(g.Calls)
	g.Calls[slot-g.Slot-1].Done = true
}

func (g *Group) complete() bool {
	return !slices.ContainsFunc(g.Calls, func(c OpenCall) bool { return !c.Done })
}

// Settled returns the slot from which on something may still be written: all entries before
// it stay as they are. It is that of the first open answer, or the next one.
func (t *Tail) Settled() uint64 {
	if t.Group != nil {
		return t.Group.Slot
	}
	return t.Next
}

// Drop drops the open answer and returns its slot, so that the entry there can be kept as
// Superseded. ok is false, and nothing changes, if no answer is open or any of its calls
// has a result: what was executed is never dropped. Its slots are not handed out again. Branches that
// run side by side take no messages, so that nothing of theirs is ever dropped.
func (t *Tail) Drop() (slot uint64, ok bool) {
	if t.Group == nil {
		return 0, false
	}
	for _, c := range t.Group.Calls {
		if c.Done {
			return 0, false
		}
	}
	slot = t.Group.Slot
	t.Since -= t.Group.Weight
	t.Group = nil
	t.Count--
	return slot, true
}

package transcript

import "society-tui/runtime/society"

// Picked identifies the stored item under the cursor.
type Picked struct {
	Agent society.AgentID // society.User for the inbox
	// Slot is the slot of its entry, or the sequence number of an unread message.
	Slot    uint64
	Waiting bool
	Call    int // index of the call in its answer, or -1
	// Unended is set for a streaming answer, which is not stored.
	Unended bool
}

// picked returns the item to copy or inspect: the one under the cursor or, on
// the agent's state, the last one above it with text.
func (t *thread) picked() (int, *item) {
	i, it := t.current()
	for ; it != nil && (it.id.part == standingPart || it.id.part == repliesPart); it = t.items[i] {
		if i--; i < 0 {
			return -1, nil
		}
	}
	return i, it
}

// Picked returns the item at the cursor.
func (r *Model) Picked() (p Picked, ok bool) {
	if r.open == nil {
		return p, false
	}
	_, it := r.open.picked()
	if it == nil {
		return p, false
	}
	p = Picked{Agent: r.open.agent, Slot: it.id.slot, Waiting: it.id.part == waitingPart, Call: -1}
	switch it.id.part {
	case callPart:
		p.Call = it.id.n
	case draftTextPart, draftThoughtPart:
		p.Unended = true
	}
	return p, true
}

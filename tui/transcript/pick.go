package transcript

import "society-tui/runtime/society"

// A Picked item is the one under the cursor, by where it is stored.
type Picked struct {
	Agent society.AgentID // whose conversation it is in; society.User for the inbox
	// Slot is that of its entry; for a Waiting message its sequence number.
	Slot    uint64
	Waiting bool
	Call    int // which of the calls of an answer, -1 for none
	// Unended is set for an answer that is still being written, which is not stored.
	Unended bool
}

// picked returns the item that is copied and looked at: the one under the cursor; of what
// says how the agent stands, the last thing that was said above it.
func (t *thread) picked() (int, *item) {
	i, it := t.current()
	for ; it != nil && (it.id.part == standingPart || it.id.part == repliesPart); it = t.items[i] {
		if i--; i < 0 {
			return -1, nil
		}
	}
	return i, it
}

// Picked returns the item that the cursor picks.
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

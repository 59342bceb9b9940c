package society

import (
	"time"

	"society-tui/runtime/graph"
)

// Rare is the part of an agent's record that most agents have nothing in: they
// share an empty one, so that a hundred thousand who rest take little room
// (PERFORMANCE.md 10). It is never changed in place, but by alter.
type Rare struct {
	Name    string    `json:"name,omitempty"`    // display name
	Error   string    `json:"error,omitempty"`   // how its last turn failed
	Drain   AgentID   `json:"drain,omitempty"`   // root of the subtree that is being drained
	Drained *Drain    `json:"drained,omitempty"` // at that root itself
	Ending  *Ending   `json:"ending,omitempty"`  // while terminating
	Asks    *Question `json:"asks,omitempty"`    // what it asked the person
	Unread  int       `json:"unread,omitempty"`  // messages to the person
	// Planted names the template by which the person made it, "" for one that
	// another agent spawned.
	Planted string      `json:"planted,omitempty"`
	Panics  []time.Time `json:"panics,omitempty"`
	// Ended is what its terminated children had used, with all theirs.
	Ended Usage `json:"ended"`

	// Ran is the last run of a graph that has ended, Branched the number of the
	// last branch of any: what was said in one carries it.
	Ran      *graph.Run `json:"ran,omitempty"`
	Branched int        `json:"branched,omitempty"`

	Later   []Later         `json:"-"` // rows of their own; those due first come first
	inbound map[AgentID]int // who keeps how many messages to it until later
}

// nothing is what all share who have nothing rare. It stays empty: Check holds it.
var nothing Rare

func (r *Rare) empty() bool {
	return r.Name == "" && r.Error == "" && r.Drain == "" && r.Drained == nil && r.Ending == nil && r.Asks == nil &&
		r.Unread == 0 && r.Planted == "" && len(r.Panics) == 0 && r.Ended == (Usage{}) && r.Ran == nil && r.Branched == 0 &&
		len(r.Later) == 0 && len(r.inbound) == 0
}

// alter changes something rare of an agent. What others hold of it stays as it was.
func (a *Agent) alter(change func(*Rare)) {
	var r Rare
	if a.Rare != nil {
		r = *a.Rare
	}
	change(&r)
	if a.Rare = &r; r.empty() {
		a.Rare = &nothing
	}
}

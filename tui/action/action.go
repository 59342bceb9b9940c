// Package action holds what a person can order their agents: how it is written, what
// it would cost, and in words what came of it. It asks nobody anything itself; who
// gives the orders, and where the words go, is the screen's matter.
package action

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/words"
)

// A Verb is what is done to agents.
type Verb uint8

// The verbs.
const (
	Interrupt Verb = iota
	Pause
	Stop
	Resume
	Retry
	Terminate
)

// A Tree is the agents as the person sees them. What it returns is clean.
type Tree interface {
	Row(id society.AgentID) (api.Row, bool)
	Name(id society.AgentID) string
	// Path returns the agents from root down to id, both with it.
	Path(id society.AgentID) []society.AgentID
	// Subtree returns id and all agents below it.
	Subtree(id society.AgentID) []society.AgentID
}

// A Desk is where orders are written. All of it is required; it is used by the one
// goroutine that its Tree belongs to.
type Desk struct {
	Tree    Tree
	Notices words.Notices
	App     words.App
	Dot     string // between two things that are told in one line
	// Draft returns the answer that an agent is writing, if there is one.
	Draft func(society.AgentID) (api.Draft, bool)
}

// An Order is a verb for agents, to be given to each of them.
type Order struct {
	Verb   Verb
	Agents []society.AgentID
	// Doing says what is going on until all have answered.
	Doing string
	// Do asks the society for one of them, and may wait. What it returns is to be
	// called by the goroutine of the Desk.
	Do func(context.Context, api.Society, society.AgentID) func() Done
	// Came says what came of those that were carried out.
	Came func(well []Done) Notice
	// Ended reports, after Came, whether the order has ended an agent; nil: it ends
	// none.
	Ended func(society.AgentID) bool
	// Holds says whether that is so still, and if it is not, what is instead. nil: it
	// stays true.
	Holds func() (still bool, now Notice)
}

// A Done order is one that the society has answered.
type Done struct {
	Agent society.AgentID
	Err   error
}

// Names lists what agents are called.
func (d *Desk) Names(ids []society.AgentID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = d.Tree.Name(id)
	}
	return strings.Join(names, d.App.Comma)
}

// Here leaves out the agents that are gone.
func (d *Desk) Here(ids []society.AgentID) []society.AgentID {
	return slices.DeleteFunc(slices.Clone(ids), func(id society.AgentID) bool {
		_, here := d.Tree.Row(id)
		return !here
	})
}

// Tops leaves out the agents that stand below others of ids: a verb for those
// takes them along.
func (d *Desk) Tops(ids []society.AgentID) []society.AgentID {
	var tops []society.AgentID
	for _, id := range ids {
		path := d.Tree.Path(id)
		above := path[:max(len(path)-1, 0)]
		if !slices.ContainsFunc(above, func(p society.AgentID) bool { return slices.Contains(ids, p) }) {
			tops = append(tops, id)
		}
	}
	return tops
}

// Refused says why a verb is refused for agents before anybody is asked; the empty
// notice if it is not.
func (d *Desk) Refused(v Verb, ids []society.AgentID) Notice {
	n := d.Notices
	switch {
	case len(ids) == 0:
		return Notice{Warned, n.NoTarget, ""}
	case slices.Contains(ids, society.User):
		return Notice{Warned, n.UserIsYou, ""}
	case v == Terminate && slices.Contains(ids, society.Root):
		return Notice{Warned, n.RootStays, n.HintStopFirst}
	case len(d.Here(ids)) == 0:
		return d.Gone(ids)
	}
	return Notice{}
}

// Gone says that agents are there no more.
func (d *Desk) Gone(ids []society.AgentID) Notice {
	return Notice{Warned, fmt.Sprintf(OfThem(ids, d.Notices.AlreadyGone, d.Notices.AllGone), d.Names(ids)), ""}
}

// OfThem is the sentence that speaks of so many agents.
func OfThem(ids []society.AgentID, one, several string) string {
	if len(ids) == 1 {
		return one
	}
	return several
}

// Halted says whether an agent takes nothing from its queue until it is resumed.
func Halted(row *api.Row) bool {
	return row.State == society.Stopped || row.State == society.Stopping || row.Paused != ""
}

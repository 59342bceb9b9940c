// Package action turns what the user asks of agents into actions: what to confirm
// and what it would cost, what goes on, and in words what came of it. Nothing happens
// until an Action is run. The screen and the line mode share it.
package action

import (
	"context"
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/replica"
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

// A Builder makes actions and their texts. All of it is required; the goroutine of its
// Society uses it.
type Builder struct {
	Client  api.Society      // carries actions out; asked for drafts before, which it returns at once
	Society *replica.Society // what is known of it
	Printer i18n.Printer
	Dot     string // between two sentences in one line
}

// An Action is a verb for agents, ready to be run for each of them.
type Action struct {
	Verb   Verb
	Agents []society.AgentID
	// Progress says what goes on until all have answered.
	Progress string
	// Do asks the society for one of them, and may wait. What it returns is to be
	// called by the goroutine of the Builder.
	Do func(context.Context, society.AgentID) func() Outcome
	// Summarize returns the notice about those that were carried out.
	Summarize func(well []Outcome) Notice
	// Ended reports, after Summarize, whether the action has ended an agent; nil: it
	// ends none.
	Ended func(society.AgentID) bool
	// Holds reports whether the summary is still true, and else what is true instead.
	// It is nil if the summary stays true.
	Holds func() (still bool, now Notice)
}

// An Outcome is what the society answered for one agent.
type Outcome struct {
	Agent society.AgentID
	Err   error
}

// Names lists what agents are called.
func (b *Builder) Names(ids []society.AgentID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = b.Society.Name(id)
	}
	return b.Printer.List(names)
}

// Present leaves out the agents that have ended.
func (b *Builder) Present(ids []society.AgentID) []society.AgentID {
	return slices.DeleteFunc(slices.Clone(ids), func(id society.AgentID) bool { return b.Society.Agent(id) == nil })
}

// withoutDescendants leaves out the agents below others of ids: a verb for those
// includes them.
func (b *Builder) withoutDescendants(ids []society.AgentID) []society.AgentID {
	var upper []society.AgentID
	for _, id := range ids {
		path := b.Society.Path(id)
		above := path[:max(len(path)-1, 0)]
		if !slices.ContainsFunc(above, func(p society.AgentID) bool { return slices.Contains(ids, p) }) {
			upper = append(upper, id)
		}
	}
	return upper
}

// Refused returns why a verb is refused for agents before the society is asked; the
// empty notice if it is not.
func (b *Builder) Refused(v Verb, ids []society.AgentID) Notice {
	switch {
	case len(ids) == 0:
		return Notice{Warned, b.text(textNoTarget), ""}
	case slices.Contains(ids, society.User):
		return Notice{Warned, b.text(textUserIsYou), ""}
	case v == Terminate && slices.Contains(ids, society.Root):
		return Notice{Warned, b.text(textRootStays), b.text(textHintStopFirst)}
	case len(b.Present(ids)) == 0:
		return b.Gone(ids)
	}
	return Notice{}
}

// Gone says that agents have ended.
func (b *Builder) Gone(ids []society.AgentID) Notice {
	return Notice{Warned, b.ofAgents(textAlreadyGone, ids), ""}
}

// WasStopped says that agents are stopped already.
func (b *Builder) WasStopped(ids []society.AgentID) Notice {
	return Notice{Warned, b.ofAgents(textWasStopped, ids), b.text(TextHintResume)}
}

func (b *Builder) text(t i18n.Text, args ...any) string { return b.Printer.T(t, args...) }

// ofAgents prints a text about agents by their names.
func (b *Builder) ofAgents(t i18n.Plural, ids []society.AgentID) string {
	return b.Printer.N(t, len(ids), b.Names(ids))
}

// IsHalted reports whether an agent takes nothing from its mailbox until it is resumed.
func IsHalted(row *api.Row) bool {
	return row.State == society.Stopped || row.State == society.Stopping || row.Paused != ""
}

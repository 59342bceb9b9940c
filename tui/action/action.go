// Package action turns what the user asks of agents into actions: the question
// to confirm, its cost, the progress and the outcome, in words. Nothing happens
// until an Action is run. The screen and plain mode share it.
package action

import (
	"context"
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/replica"
)

// A Verb is a command for agents.
type Verb uint8

const (
	Interrupt Verb = iota
	Pause
	Stop
	Resume
	Retry
	Terminate
)

// A Builder makes actions and their texts. All fields are required; it belongs
// to the goroutine of its Society.
type Builder struct {
	Client  api.Society // carries actions out; its drafts return at once
	Society *replica.Society
	Printer i18n.Printer
	Dot     string // separates sentences in one line
}

// An Action is a verb for agents, ready to be run for each of them.
type Action struct {
	Verb   Verb
	Agents []society.AgentID
	// Progress describes the running action until all agents have answered.
	Progress string
	// Do runs the action for one agent, and may wait. The Builder's goroutine must
	// call what it returns.
	Do func(context.Context, society.AgentID) func() Outcome
	// Summarize returns the notice about the successful outcomes.
	Summarize func(well []Outcome) Notice
	// Ended reports, after Summarize, whether the action ended an agent; nil if it
	// ends none.
	Ended func(society.AgentID) bool
	// Holds reports whether the summary is still true, or returns the one that is.
	// It is nil if the summary stays true.
	Holds func() (still bool, now Notice)
}

// An Outcome is the society's answer for one agent.
type Outcome struct {
	Agent society.AgentID
	Err   error
}

// Names lists the names of agents.
func (b *Builder) Names(ids []society.AgentID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = b.Society.Name(id)
	}
	return b.Printer.List(names)
}

// Present drops the agents that have ended.
func (b *Builder) Present(ids []society.AgentID) []society.AgentID {
	return slices.DeleteFunc(slices.Clone(ids), func(id society.AgentID) bool { return b.Society.Agent(id) == nil })
}

// withoutDescendants drops agents below others of ids, because a verb for those
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

// Refused explains why a verb is refused before the society is asked, or
// returns an empty notice.
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

// Gone reports that agents have ended.
func (b *Builder) Gone(ids []society.AgentID) Notice {
	return Notice{Warned, b.ofAgents(textAlreadyGone, ids), ""}
}

// WasStopped reports that agents are stopped already.
func (b *Builder) WasStopped(ids []society.AgentID) Notice {
	return Notice{Warned, b.ofAgents(textWasStopped, ids), b.text(TextHintResume)}
}

func (b *Builder) text(t i18n.Text, args ...any) string { return b.Printer.T(t, args...) }

// ofAgents prints a text about agents by name.
func (b *Builder) ofAgents(t i18n.Plural, ids []society.AgentID) string {
	return b.Printer.N(t, len(ids), b.Names(ids))
}

// IsHalted reports whether an agent reads nothing from its mailbox until it is
// resumed.
func IsHalted(row *api.Row) bool {
	return row.State == society.Stopped || row.State == society.Stopping || row.Paused != ""
}

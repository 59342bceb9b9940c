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
	Other Verb = iota // an action that is none of these
	Interrupt
	Pause
	Stop
	Resume
	Retry
	Terminate
	Compress
	Fork
)

// A Builder makes actions and their texts. It belongs to the goroutine of its
// Society.
type Builder struct {
	Client  api.Society // carries actions out; its drafts return at once
	Society *replica.Society
	Printer i18n.Printer
	Dot     string // separates sentences in one line
	// WriteExport and WriteBackup write a new file. An error that wraps
	// fs.ErrExist means that it exists. Either is nil if it is not possible.
	WriteExport func(ctx context.Context, what Export) (Exported, error)
	WriteBackup func(ctx context.Context, file string) (string, error)
	// WriteFile writes a file and returns its path, as WriteExport does. It is nil if
	// it is not possible. Any goroutine may call it.
	WriteFile func(SavedFile) (string, error)
	// Look is set for a screen that only looks.
	Look bool
	// Workspace is where agents work on files.
	Workspace Workspace

	terminated bool // an agent was terminated from here: the user may look for it with /undo
}

// An Action is a command to the society, ready to be run for each of its
// agents.
type Action struct {
	Verb   Verb
	Agents []society.AgentID // root for the whole society
	// Refused explains why there is nothing to run. Then the rest is not set.
	Refused Notice
	// Chosen are the present ones of the agents that the user chose: Agents, and
	// those below them.
	Chosen []society.AgentID
	// For makes the action of a verb anew, for these agents; nil for Other.
	For func([]society.AgentID) Action
	// Cost is what the action would discard.
	Cost Cost
	// Text is what the user wrote for the agent. It is kept if the action fails.
	Text string
	// Progress describes the running action until all agents have answered.
	Progress string
	// Do runs the action for one agent, and may wait. The Builder's goroutine must
	// call what it returns.
	Do func(context.Context, society.AgentID) func() Outcome
	// Summarize returns the notice about the successful outcomes, Explain the one
	// about another.
	Summarize func(well []Outcome) Notice
	Explain   func(Outcome) Notice
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

// refusedVerb explains why a verb is refused before the society is asked, or
// returns an empty notice.
func (b *Builder) refusedVerb(v Verb, ids []society.AgentID) Notice {
	switch {
	case len(ids) == 0:
		return Notice{Warned, b.text(textNoTarget), ""}
	case slices.Contains(ids, society.User):
		return Notice{Warned, b.text(TextUserIsYou), ""}
	case v == Terminate && slices.Contains(ids, society.Root):
		return Notice{Warned, b.text(textRootStays), b.insteadOfTerminating(ids)}
	case len(b.Present(ids)) == 0:
		return b.Gone(ids)
	case v == Retry:
		return b.nothingFailed(b.Present(ids))
	}
	return Notice{}
}

// insteadOfTerminating suggests a verb that has an effect on agents, or none.
func (b *Builder) insteadOfTerminating(ids []society.AgentID) string {
	switch {
	case b.Blocked(Stop, ids) == "":
		return b.text(TextHintStopFirst)
	case b.Blocked(Resume, ids) == "":
		return b.text(TextHintResume)
	}
	return ""
}

// Gone reports that agents have ended.
func (b *Builder) Gone(ids []society.AgentID) Notice {
	return Notice{Warned, b.ofAgents(textAlreadyGone, ids), ""}
}

// WasStopped reports that agents are stopped already.
func (b *Builder) WasStopped(ids []society.AgentID) Notice {
	return Notice{Warned, b.ofAgents(TextWasStopped, ids), b.text(TextHintResume)}
}

func (b *Builder) text(t i18n.Text, args ...any) string { return b.Printer.T(t, args...) }

// ofAgents prints a text about agents by name.
func (b *Builder) ofAgents(t i18n.Plural, ids []society.AgentID) string {
	return b.Printer.N(t, len(ids), b.Names(ids))
}

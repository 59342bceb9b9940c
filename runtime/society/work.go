package society

import (
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
)

// WorkKind says what a piece of work is.
type WorkKind string

// The kinds of work.
const (
	Think    WorkKind = "think"    // ask the model
	Act      WorkKind = "act"      // run a tool
	Wait     WorkKind = "wait"     // for a point in time
	Compress WorkKind = "compress" // take the oldest part out of a full context
	Judge    WorkKind = "judge"    // ask the model about a condition of the agent's graph
	Join     WorkKind = "join"     // put together what branches of the graph came to
)

// A Step is a piece of work that is open: begun, or to be begun.
type Step struct {
	N    uint64   `json:"n"`
	Kind WorkKind `json:"kind"`
	// Call is the id of the call that an Act runs.
	Call string `json:"call,omitempty"`
	// Writes marks an Act that is never run again in silence.
	Writes bool `json:"writes,omitempty"`
	// Until is when a Wait ends.
	Until time.Time `json:"until,omitzero"`
	// Plain marks a Compress, or the Wait before it, that asks no model for a
	// summary.
	Plain bool `json:"plain,omitempty"`
	// Squeezes marks the Wait before a Compress that is tried again; Squeezed marks
	// work whose context was just compressed, and the Wait before it.
	Squeezes bool `json:"squeezes,omitempty"`
	Squeezed bool `json:"squeezed,omitempty"`
	// Held marks an Act that was opened by a program that was leaving: it has
	// not begun.
	Held bool `json:"held,omitempty"`
	// Drain marks the Wait for the bound of a drain, Post that for the first
	// message to be sent later.
	Drain bool `json:"drain,omitempty"`
	Post  bool `json:"post,omitempty"`
	// Run marks the Wait before a node of the graph is executed again, Due that
	// for the time of a node or of the whole run to be up.
	Run bool `json:"run,omitempty"`
	Due bool `json:"due,omitempty"`
	// Work is the step of the run of the graph that it serves, 0 in the plain one.
	Work uint64 `json:"work,omitempty"`
	// Attempt counts the retries made of it before.
	Attempt int `json:"attempt,omitempty"`
}

// Work is what is to be running for an agent. Its result comes back in a command
// that carries it, and counts only while the agent expects it.
type Work struct {
	Agent AgentID
	Epoch uint64
	Step  uint64
	Kind  WorkKind
	// Call is set for an Act, with the arguments that the model wrote.
	Call conversation.Call
	Task TaskID
	// Until is set for a Wait.
	Until time.Time
	// Attempt counts the retries made of a Think or a Compress.
	Attempt int
	// Plain is set for a Compress that asks no model for a summary.
	Plain bool
	// Squeezed is set for a Think whose context was just compressed.
	Squeezed bool
	// Run is what the run of the graph waits for with it, nil in the plain graph.
	Run *graph.Work
}

// OwedBy returns the work that is to be running for the agent: what to start
// after a change, and again after a restart.
func (s *State) OwedBy(id AgentID) []Work {
	a := s.agents[id]
	if a == nil || a.Status == Terminating {
		return nil
	}
	var owed []Work
	for _, step := range a.Open {
		w := Work{Agent: id, Epoch: a.Epoch, Step: step.N, Kind: step.Kind, Until: step.Until, Plain: step.Plain, Attempt: step.Attempt, Squeezed: step.Squeezed}
		if a.Turn != nil {
			w.Task = a.Turn.Task
			for _, c := range a.Turn.Calls {
				if step.Kind == Act && c.ID == step.Call {
					w.Call = c
				}
			}
			w.Run = a.Turn.at(step.Work)
		}
		owed = append(owed, w)
	}
	return owed
}

// Owed is OwedBy over all agents, in the order of their creation: for the start
// and for tests.
func (s *State) Owed() []Work {
	var owed []Work
	for _, id := range s.Agents() {
		owed = append(owed, s.OwedBy(id)...)
	}
	return owed
}

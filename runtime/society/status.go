package society

import "slices"

import "strings"

// Status is the stage of an agent's life (S001). Agent.Paused and Agent.Drain are marks
// beside it.
type Status string

// The six states of S001.
const (
	Idle        Status = "idle"
	WaitingLLM  Status = "waiting_llm"
	Processing  Status = "processing"
	Stopping    Status = "stopping"
	Stopped     Status = "stopped"
	Terminating Status = "terminating"
)

// Statuses returns all six.
func Statuses() []Status {
	return []Status{Idle, WaitingLLM, Processing, Stopping, Stopped, Terminating}
}

// Known reports whether it is one of the six.
func (s Status) Known() bool { return slices.Contains(Statuses(), s) }

// Active reports whether the agent is in a turn: what arrives now is an interruption.
func (s Status) Active() bool { return s == WaitingLLM || s == Processing }

// Ended reports whether the agent neither works nor accepts messages.
func (s Status) Ended() bool { return s == Stopping || s == Stopped || s == Terminating }

// Pause is why an agent reads no messages until the user resumes it or writes to it. The
// empty Pause is none.
type Pause string

// The reasons to pause.
const (
	Interrupted  Pause = "interrupted"   // the user cut its call short
	AskedToPause Pause = "asked"         // the program was started or left with "pause all"
	Quarantined  Pause = "quarantined"   // three panics within a minute
	MessageGuard Pause = "message_guard" // too many messages in a task without the user
	// OverBudget is on while a budget of the agent is spent. Neither a message nor a resumption
	// ends it: the user raises the budget.
	OverBudget Pause = "budget"
)

// RestsBecause returns why an agent does nothing, for the log.
func (s *State) RestsBecause(id AgentID) string {
	a := s.agents[id]
	switch {
	case a == nil:
		return "it has ended"
	case a.Status != Idle:
		return string(a.Status)
	case a.Paused != "":
		return "paused: " + string(a.Paused)
	case a.Turn != nil && a.Error != "":
		return "its turn failed"
	case a.Turn != nil && a.Turn.Suspended:
		return "its turn was interrupted"
	case len(a.Asked) > 0:
		waits := make([]string, len(a.Asked))
		for i, on := range a.Asked {
			waits[i] = string(on)
		}
		return "waits for " + strings.Join(waits, ", ")
	}
	return "nothing to do"
}

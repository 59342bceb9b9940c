package society

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

// Known reports whether it is one of the six.
func (s Status) Known() bool {
	switch s {
	case Idle, WaitingLLM, Processing, Stopping, Stopped, Terminating:
		return true
	}
	return false
}

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
)

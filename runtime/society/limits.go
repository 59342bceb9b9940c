package society

import "time"

// Limits contain runaways. All of them can be set; a refusal names the one that
// was reached.
type Limits struct {
	Agents          int           // live agents, root included
	Depth           int           // of the tree; root is at 0
	Children        int           // of one agent
	SpawnsPerMinute int           // of the whole society
	ToolRounds      int           // answers with tool calls in one turn
	CallsPerAnswer  int           // of one answer; the rest is answered "limit"
	RepeatsWarned   int           // same call with the same arguments in one turn: warned
	RepeatsEnded    int           // … and the turn ended
	TaskMessages    int           // between agents in one task without the user
	Queue           int           // messages waiting for one agent
	MessageBytes    int           // of one message, answer or tool result
	Retries         int           // of one model call
	LongestWait     time.Duration // a longer Retry-After ends the turn
	DrainTime       time.Duration // of terminate_agent
	DrainMessages   int           // taken by the subtree while it drains
	ContextMessages int           // beyond it the agent is warned
	KeepRecent      int           // compress_context's default
	PanicsPerMinute int           // the panic that quarantines an agent
	Task            Amount        // what a task may spend, over all its agents
	Day             Amount        // what a day may, over all agents and tasks
}

// DefaultLimits returns the limits that apply without settings.
func DefaultLimits() Limits {
	return Limits{
		Agents: 200, Depth: 6, Children: 20, SpawnsPerMinute: 30,
		ToolRounds: 30, CallsPerAnswer: 50, RepeatsWarned: 3, RepeatsEnded: 5,
		TaskMessages: 200, Queue: 1000, MessageBytes: 16 << 20,
		Retries: 3, LongestWait: 10 * time.Minute,
		DrainTime: 30 * time.Second, DrainMessages: 100,
		ContextMessages: 50, KeepRecent: 10, PanicsPerMinute: 3,
	}
}

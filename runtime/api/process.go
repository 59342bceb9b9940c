package api

import (
	"context"
	"errors"
	"time"

	"society-tui/runtime/society"
)

// ErrNoProcess is returned for a background process that has ended.
var ErrNoProcess = errors.New("there is no such process any more")

// A Process is a command that an agent has started and that runs beside its turns.
type Process struct {
	ID      string // of the agent's, as its tools know it
	Command string // as the model wrote it
	Since   time.Time
	Outside bool // it runs outside the sandbox
}

// Processes are the background processes of agents. All methods may be called from any
// goroutine.
type Processes interface {
	// Running returns those of an agent, the oldest first. It returns at once.
	Running(agent society.AgentID) []Process
	// End ends all of these agents and returns when they and all that they have started are
	// gone, or ctx's error. Agents without any are none of an error. It is called when no
	// call of the agents runs any more; they may start others when they are resumed.
	End(ctx context.Context, agents ...society.AgentID) error
	// EndOne ends one, with all that it has started, and returns when it is gone. The error
	// is ErrNoProcess if there is none, or ctx's.
	EndOne(ctx context.Context, agent society.AgentID, id string) error
	// Notify sets what is called after a process of an agent has begun or ended. It is set
	// once, before anything runs, and f returns at once.
	Notify(f func(agent society.AgentID))
}

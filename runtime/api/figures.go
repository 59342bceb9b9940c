package api

import (
	"time"

	"society-tui/runtime/society"
)

// Figures are what a society is and what it has spent, including all that is gone.
type Figures struct {
	Made, Ended int    // agents
	Messages    uint64 // that anybody sent; a delayed one when its time has come
	// Roles are those that any agent has had, in the order in which they were made;
	// a role that the society no longer has stands behind them.
	Roles []RoleFigures
	// Spent are the sums by day, task and model: all but what was spent before they
	// were kept.
	Spent []Spent
	// Tasks maps each task to what it was begun with.
	Tasks map[society.TaskID]TaskFigures
}

// TaskFigures are when a task was begun, and the beginning of the message that
// began it: "" if that is not there any more.
type TaskFigures struct {
	Begun time.Time
	Text  string
}

// RoleFigures are what the agents of a role have spent.
type RoleFigures struct {
	Role        society.RoleID
	Name        string
	Made, Ended int
	Usage       society.Usage
}

// Spent is what the calls of one day, task and model came to. A task of "" is one
// that is not known, a model of "" one that did not say who it was: a summary, a
// judgement, a retry.
type Spent struct {
	Day   string // of the clock of the machine that wrote it, 2006-01-02
	Task  society.TaskID
	Model string

	Calls   int // that were answered
	Retries int
	Took    time.Duration // all calls together
	Usage   society.Usage
}

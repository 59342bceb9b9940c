package api

import (
	"time"

	"society-tui/runtime/society"
)

// Figures are the statistics of a society, ended agents included.
type Figures struct {
	Made, Ended int    // agents
	Messages    uint64 // that anybody sent; a delayed one when its time has come
	// Roles are the roles that agents have had, in order of creation; those that no
	// longer exist come last.
	Roles []RoleFigures
	// Spent are the sums by day, task and model: all but what was spent before they
	// were kept.
	Spent []Spent
	// Tasks maps each task to what it was begun with.
	Tasks map[society.TaskID]TaskFigures
}

// TaskFigures hold when a task began, and the beginning of its first message: "" if that
// is gone.
type TaskFigures struct {
	Begun time.Time
	Text  string
}

// RoleFigures hold what the agents of a role have used.
type RoleFigures struct {
	Role        society.RoleID
	Name        string
	Made, Ended int
	Usage       society.Usage
}

// Spent is the sum over the calls of one day, task and model. Task is "" if it is
// unknown; Model is "" for retries, which do not name theirs, and for summaries and judgements
// of old versions.
type Spent struct {
	Day   string // of the clock of the machine that wrote it, 2006-01-02
	Task  society.TaskID
	Model string

	Calls   int // that were answered
	Retries int
	Took    time.Duration // all calls together
	Usage   society.Usage
}

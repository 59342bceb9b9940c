package api

import (
	"time"

	"society-tui/runtime/society"
)

// A Task is a request of the user, with how far it has come.
type Task struct {
	ID    society.TaskID
	Begun time.Time
	Text  string // the beginning of its first message, "" if that is gone
	State society.TaskState
	// Unanswered is set if what the user asked last was dropped, by a stop, a rewind or an end.
	Unanswered bool
	Agents     []society.AgentID // those alive that worked on it last
	Usage      society.Usage
}

// A Cursor is how far a client has read what is on disk.
type Cursor struct {
	Timeline uint64 // number of a line
	Inbox    uint64 // number of a message to the user
}

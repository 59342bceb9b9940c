package api

import (
	"errors"

	"society-tui/runtime/changes"
	"society-tui/runtime/society"
)

// ErrNoFileChange is returned for a change of a file that is not kept.
var ErrNoFileChange = errors.New("there is no such change; changes are kept for 30 days")

// A FileChange is what a call of a tool, or an undo, did to a file.
type FileChange struct {
	society.FileChange
	// Kept is set if the content before it is kept, Undone is the number of the undo that
	// has taken it back, 0 for none.
	Kept   bool
	Undone uint64
	// Protected is set if its path is protected: a command can change it without being asked.
	Protected bool
}

// A FileChangesQuery chooses changes of files. What is empty does not matter.
type FileChangesQuery struct {
	From  uint64 // the first number
	Agent society.AgentID
	Task  society.TaskID
	Call  string
	Path  string
	Most  int // how many, 0 for all
}

// An UndoRequest asks for changes of files to be taken back. If List is set nothing is done.
type UndoRequest struct {
	Changes []uint64
	List    bool
}

// An UndoResult is what an undo did, or would do.
type UndoResult struct {
	Steps []changes.Step
	// Call is what the changes that the undo has made have as their call, so that they can
	// be undone together; "" if it made none.
	Call string
}

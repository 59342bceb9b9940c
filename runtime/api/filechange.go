package api

import (
	"errors"
	"slices"

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

// ToUndo returns the numbers of changes that are not taken back. Undos are among them only if
// the list has nothing else, or the program made them and no change of an agent is left: to
// take both back would put back what was undone.
func ToUndo(list []FileChange) (numbers []uint64) {
	undos := !slices.ContainsFunc(list, func(c FileChange) bool { return len(c.Undoes) == 0 })
	var others []uint64
	for i := range list {
		switch c := &list[i]; {
		case c.Undone != 0:
		case len(c.Undoes) == 0:
			numbers = append(numbers, c.N)
		case undos || c.Tool == society.PutBackTool:
			others = append(others, c.N)
		}
	}
	if len(numbers) == 0 {
		return others
	}
	return numbers
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

package society

import (
	"maps"
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/tool"
)

// A FileChange is what a call of a tool, or an undo of the user's, did to one file of a
// workspace, and a stored record: fields are added, never renamed. It outlives its agent.
type FileChange struct {
	N     uint64    `json:"n"` // grows in the order of changes
	At    time.Time `json:"at"`
	Agent AgentID   `json:"agent"` // User for an undo
	Task  TaskID    `json:"task,omitempty"`
	Call  string    `json:"call,omitempty"` // its id, "" for an undo
	Tool  string    `json:"tool,omitempty"`

	Dir    string `json:"dir,omitempty"` // the workspace, "worktree:" and its name, or "" for that of the task
	Path   string `json:"path"`          // in it, with slashes
	Before string `json:"before"`        // hashes of the content (SHA-256, hex), "" for no file
	After  string `json:"after"`
	Mode   uint32 `json:"mode,omitempty"` // permissions before
	// Added and Removed count lines of text. Diff is a unified diff, "" where there is none
	// or the file is gone.
	Added   int    `json:"added,omitempty"`
	Removed int    `json:"removed,omitempty"`
	Diff    string `json:"diff,omitempty"`

	// Unknown is set if the program ended during the call: whether the file was changed is
	// not known, nor is After.
	Unknown bool `json:"unknown,omitempty"`
	// Undoes are the changes that an undo has taken back.
	Undoes []uint64 `json:"undoes,omitempty"`
}

// KeepFileChanges records changes that come with no result of a call: those of a call that
// was cut short after it had changed files, and those of an undo. Of says whose they are.
type KeepFileChanges struct {
	Of    FileChange
	Files []tool.Change
	// Undoes are, for each of the files, the changes that were taken back; nil for none.
	Undoes [][]uint64
}

// FileChangesOf returns the command that records what a call did to files although its
// result counts no more, and false if it did nothing.
func FileChangesOf(cmd Command) (KeepFileChanges, bool) {
	c, ok := cmd.(ToolDone)
	return KeepFileChanges{Of: c.Work.fileChange(), Files: c.Files}, ok && len(c.Files) > 0
}

// fileChange is a change that the work makes, without the file.
func (w Act) fileChange() FileChange {
	return FileChange{Agent: w.Agent, Task: w.Task, Call: w.Call.ID, Tool: w.Call.Name}
}

// FilesChanged records changes of files.
type FilesChanged struct {
	Changes []FileChange
	Old     [][]byte // the content before each, nil where there was none or it is not kept
}

func (e FilesChanged) apply(s *State) {
	s.count().FileChanges = e.Changes[len(e.Changes)-1].N
	for _, c := range e.Changes {
		if c.Tool != PutBackTool && len(c.Undoes) > 0 {
			s.askAgain(c.Task) // who takes a change back is asked before it is made again
		}
	}
}

// filesChanged records what was done to files.
func (d *decision) filesChanged(of FileChange, files []tool.Change, undoes ...[]uint64) {
	if len(files) == 0 {
		return
	}
	var e FilesChanged
	for i, f := range files {
		c := of
		c.N, c.At = d.fileNumber(), d.at
		c.Dir, c.Path, c.Before, c.After, c.Mode = f.Dir, f.Path, f.Before, f.After, f.Mode
		c.Added, c.Removed, c.Diff = f.Added, f.Removed, f.Diff
		if i < len(undoes) {
			c.Undoes = undoes[i]
		}
		e.Changes, e.Old = append(e.Changes, c), append(e.Old, f.Old)
		if f.PutBack {
			e.Changes, e.Old = append(e.Changes, d.putBack(c)), append(e.Old, f.New)
		}
	}
	d.add(e)
}

// PutBackTool is what a change has in place of a tool that put back what a call must not
// change. It is an undo of that change, and so the user keeps the change by undoing it.
const PutBackTool = "put_back"

func (d *decision) putBack(of FileChange) FileChange {
	return FileChange{
		N: d.fileNumber(), At: d.at, Agent: User, Task: of.Task, Call: "put-back-" + of.Call, Tool: PutBackTool,
		Dir: of.Dir, Path: of.Path, Before: of.After, After: of.Before, Mode: of.Mode, Added: of.Removed, Removed: of.Added, Undoes: []uint64{of.N},
	}
}

// filesUnknown records which files a call may have changed when the program ended: those
// that its plan named.
func (d *decision) filesUnknown(a *Agent, call conversation.Call, step Step) {
	if step.Hashes == nil || d.s.approvals.classes[call.Name] != tool.ClassEdit {
		return
	}
	var e FilesChanged
	for _, path := range slices.Sorted(maps.Keys(*step.Hashes)) {
		e.Changes = append(e.Changes, FileChange{
			N: d.fileNumber(), At: d.at, Agent: a.ID, Task: a.Turn.Task, Call: call.ID, Tool: call.Name,
			Dir: step.Dir, Path: path, Before: (*step.Hashes)[path], Unknown: true,
		})
		e.Old = append(e.Old, nil)
	}
	if len(e.Changes) > 0 {
		d.add(e)
	}
}

// fileNumber gives a change its number.
func (d *decision) fileNumber() uint64 {
	d.fileChanges++
	return d.s.counters.FileChanges + d.fileChanges
}

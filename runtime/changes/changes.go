// Package changes decides what an undo of changes of files does. A file is restored only if
// it is as the change left it: what was done to it since, by whomever, is never lost. It is
// pure: who carries a plan out looks at the files, and writes them.
package changes

import (
	"cmp"
	"slices"

	"society-tui/runtime/society"
)

// A File is a file of a workspace.
type File struct {
	Dir  string         `json:"dir,omitempty"`  // the workspace, "" for that of the task
	Task society.TaskID `json:"task,omitempty"` // "" where the workspace is one of all tasks
	Path string         `json:"path"`
}

// FileOf returns the file that was changed.
func FileOf(c *society.FileChange) File {
	if c.Dir != "" {
		return File{Dir: c.Dir, Path: c.Path}
	}
	return File{Task: c.Task, Path: c.Path}
}

// An Outcome is what an undo does to a file.
type Outcome string

// The outcomes.
const (
	Restore Outcome = "restore" // its old content
	Remove  Outcome = "remove"  // it was made by the change
	Skip    Outcome = "skip"
)

// A Reason is why a file is skipped.
type Reason string

// The reasons.
const (
	ChangedSince  Reason = "changed_since"
	AlreadyUndone Reason = "already_undone"
	AsBefore      Reason = "as_before"      // it is as it was
	NotKept       Reason = "not_kept"       // the old content, which was too large or is too old
	UnknownEffect Reason = "unknown_effect" // the program ended during the call
	Elsewhere     Reason = "elsewhere"      // the change was made in another workspace than the society has now
	Unreadable    Reason = "unreadable"     // Detail has why
	WithSource    Reason = "with_source"    // it was moved, and cannot be moved back
)

// A Step is what an undo does to one file.
type Step struct {
	File
	// Changes are those of the step, the newest first.
	Changes []uint64 `json:"changes"`
	Outcome Outcome  `json:"outcome"`
	Why     Reason   `json:"why,omitempty"`
	Detail  string   `json:"detail,omitempty"`
	// By is who changed the file since, "" if it was no agent of the society.
	By society.AgentID `json:"by,omitempty"`
	// From is the hash that the file has. To is the change before which the file was as it
	// will be.
	From string `json:"from,omitempty"`
	To   uint64 `json:"to,omitempty"`
}

// A Change is a change of a file, and whether the content before it is kept.
type Change struct {
	society.FileChange
	Kept bool
}

// A State is how a file is now: its hash, "" if it is not there, or why it cannot be told.
type State struct {
	Hash   string
	Why    Reason
	Detail string
}

// Undone returns the changes that are taken back, each with the number of the undo: an undo
// that was itself undone does not count.
func Undone(all []Change) map[uint64]uint64 {
	undone := map[uint64]uint64{}
	for _, c := range slices.Backward(all) {
		if undone[c.N] != 0 {
			continue
		}
		for _, n := range c.Undoes {
			undone[n] = c.N
		}
	}
	return undone
}

// Plan returns what an undo of some changes does. All are all changes of their files, the
// oldest first, now is how the files are. Steps are in the order of the files' newest change,
// and of one file that which restores it comes first.
func Plan(chosen []uint64, all []Change, now map[File]State) []Step {
	p := plan{undone: Undone(all), chosen: map[uint64]bool{}, taken: map[uint64]bool{}, now: now}
	for _, n := range chosen {
		p.chosen[n] = true
	}
	byFile := map[File][]Change{}
	var files []File
	for _, c := range slices.Backward(all) {
		file := FileOf(&c.FileChange)
		if _, known := byFile[file]; !known && p.chosen[c.N] {
			files = append(files, file)
			byFile[file] = nil
		}
	}
	for _, c := range all {
		if file := FileOf(&c.FileChange); slices.Contains(files, file) {
			byFile[file] = append(byFile[file], c)
		}
	}
	for _, file := range files {
		p.file(file, byFile[file])
	}
	p.keepMoved(all)
	return p.steps
}

type plan struct {
	undone map[uint64]uint64
	chosen map[uint64]bool
	taken  map[uint64]bool
	now    map[File]State
	steps  []Step
}

// file plans the undo of the chosen changes of one file, the newest first: each must have
// left the file as it then is.
func (p *plan) file(file File, list []Change) {
	state := p.now[file]
	back := Step{File: file, Outcome: Restore, From: state.Hash}
	var skipped []Step
	hash := state.Hash
	for _, c := range slices.Backward(list) {
		if !p.chosen[c.N] {
			continue
		}
		why, by := p.refuses(&c, hash, list, state)
		if why != "" {
			skipped = appendSkipped(skipped, Step{File: file, Changes: []uint64{c.N}, Outcome: Skip, Why: why, By: by, Detail: state.Detail})
			continue
		}
		hash, back.To = c.Before, c.N
		back.Changes = append(back.Changes, c.N)
		p.taken[c.N] = true
	}
	switch {
	case len(back.Changes) == 0:
	case hash == state.Hash:
		back.Outcome, back.Why = Skip, AsBefore
		p.steps = append(p.steps, back)
	default:
		if hash == "" {
			back.Outcome = Remove
		}
		p.steps = append(p.steps, back)
	}
	p.steps = append(p.steps, skipped...)
}

// refuses returns why a change is not taken back, "" if it is, and who has changed the file
// since.
func (p *plan) refuses(c *Change, hash string, list []Change, state State) (Reason, society.AgentID) {
	switch {
	case p.undone[c.N] != 0:
		return AlreadyUndone, ""
	case c.Unknown:
		return UnknownEffect, ""
	case state.Why != "":
		return state.Why, ""
	case c.After != hash:
		return ChangedSince, p.since(c, list, state)
	case c.Before != "" && !c.Kept:
		return NotKept, ""
	}
	return "", ""
}

// since returns who has changed a file after a change, "" if the last was no agent. An undo
// is no change of the user's: it only takes back what another did.
func (p *plan) since(c *Change, list []Change, state State) society.AgentID {
	if last := list[len(list)-1]; !last.Unknown && last.After != state.Hash {
		return ""
	}
	for _, later := range slices.Backward(list) {
		if later.N > c.N && !p.taken[later.N] && p.undone[later.N] == 0 && len(later.Undoes) == 0 {
			return later.Agent
		}
	}
	return ""
}

// appendSkipped joins changes that are skipped for one reason.
func appendSkipped(steps []Step, s Step) []Step {
	if n := len(steps) - 1; n >= 0 && steps[n].Why == s.Why && steps[n].By == s.By {
		steps[n].Changes = append(steps[n].Changes, s.Changes...)
		return steps
	}
	return append(steps, s)
}

// keepMoved skips the removal of a file that was moved to its place and cannot be put back:
// it would be nowhere.
func (p *plan) keepMoved(all []Change) {
	for i := range p.steps {
		s := &p.steps[i]
		if s.Outcome != Remove {
			continue
		}
		at, _ := slices.BinarySearchFunc(all, s.To, func(c Change, n uint64) int { return cmp.Compare(c.N, n) })
		to := &all[at]
		lost := slices.ContainsFunc(all, func(from Change) bool {
			return from.Call == to.Call && from.Agent == to.Agent && from.N != to.N && from.After == "" && from.Before == to.After &&
				p.chosen[from.N] && !p.taken[from.N]
		})
		if lost {
			s.Outcome, s.Why = Skip, WithSource
		}
	}
}

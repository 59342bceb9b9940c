package workspace

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
	"weak"
)

// A Set has the workspaces of a society: one folder for all, or one for each task.
type Set struct {
	dir  string // of all, "" for one for each task
	base string // where those of tasks are made
	// worktree returns the folder of an agent's git worktree, nil if there are none.
	worktree func(name string) (dir string, err error)

	mu   sync.Mutex
	open map[string]weak.Pointer[Folder]
	// recent keeps the folders open that were used last, with what agents have seen in them.
	// Another is closed when nobody uses it any more: a session may have tasks without end.
	recent []*Folder
}

// recentMost is how many folders stay open that nobody uses.
const recentMost = 64

// Shared returns a Set whose only workspace is the folder dir.
func Shared(dir string) *Set { return &Set{dir: dir, open: map[string]weak.Pointer[Folder]{}} }

// PerTask returns a Set with a workspace for each task, made in the folder base when it
// is first needed.
func PerTask(base string) *Set { return &Set{base: base, open: map[string]weak.Pointer[Folder]{}} }

// Has reports whether a task has its workspace already.
func (s *Set) Has(task string) bool {
	if s.dir != "" {
		return true
	}
	if task == "" || !filepath.IsLocal(task) || filepath.Base(task) != task {
		return false
	}
	info, err := os.Stat(filepath.Join(s.base, task))
	return err == nil && info.IsDir()
}

// WithWorktrees lets agents that have a git worktree work in it. dir returns its folder, or
// why it is not there.
func (s *Set) WithWorktrees(dir func(name string) (string, error)) *Set {
	s.worktree = dir
	return s
}

// Close closes the folder of a worktree that is about to be removed.
func (s *Set) Close(worktree string) {
	if s.worktree == nil {
		return
	}
	dir, err := s.worktree(worktree)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.open[dir].Value(); f != nil {
		closeAll(f.root)
		s.recent = slices.DeleteFunc(s.recent, func(r *Folder) bool { return r == f })
	}
	delete(s.open, dir)
}

// Dir returns the folder of all tasks, "" if each has its own.
func (s *Set) Dir() string { return s.dir }

// WorktreePrefix stands before the name of a worktree in what Name returns: its folder may be
// moved.
const WorktreePrefix = "worktree:"

// Name returns what records call the workspace of an agent, "" for that of its task.
func (s *Set) Name(worktree string) string {
	if worktree != "" {
		return WorktreePrefix + worktree
	}
	return s.dir
}

// Of returns the workspace of an agent: its git worktree, else that of the task at hand.
func (s *Set) Of(task, worktree string) (*Folder, error) {
	dir, err := s.dir, error(nil)
	if worktree != "" {
		if s.worktree == nil {
			return nil, fmt.Errorf("there is no worktree %q", worktree)
		}
		if dir, err = s.worktree(worktree); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if dir == "" {
		if task == "" || !filepath.IsLocal(task) || filepath.Base(task) != task {
			return nil, fmt.Errorf("there is no workspace for the task %q", task)
		}
		dir = filepath.Join(s.base, task)
	}
	if f := s.open[dir].Value(); f != nil {
		s.keep(f)
		return f, nil
	}
	if s.dir == "" && worktree == "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the workspace: %w", err)
		}
	}
	f, err := Open(dir)
	if err == nil {
		s.open[dir] = weak.Make(f)
		s.keep(f)
	}
	return f, err
}

// Unsee is Unsee of every workspace.
func (s *Set) Unsee(agent string, since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.open {
		if f := p.Value(); f != nil {
			f.Unsee(agent, since)
		}
	}
}

// keep notes that a folder is used.
func (s *Set) keep(f *Folder) {
	s.recent = append(slices.DeleteFunc(s.recent, func(r *Folder) bool { return r == f }), f)
	if len(s.recent) > recentMost {
		s.recent = slices.Delete(s.recent, 0, 1)
		maps.DeleteFunc(s.open, func(_ string, p weak.Pointer[Folder]) bool { return p.Value() == nil })
	}
}

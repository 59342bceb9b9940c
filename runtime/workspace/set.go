package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// A Set has the workspaces of a society: one folder for all, or one for each task.
type Set struct {
	dir  string // of all, "" for one for each task
	base string // where those of tasks are made
	// worktree returns the folder of an agent's git worktree, nil if there are none.
	worktree func(name string) (dir string, err error)

	mu   sync.Mutex
	open map[string]*Folder
}

// Shared returns a Set whose only workspace is the folder dir.
func Shared(dir string) *Set { return &Set{dir: dir, open: map[string]*Folder{}} }

// PerTask returns a Set with a workspace for each task, made in the folder base when it
// is first needed.
func PerTask(base string) *Set { return &Set{base: base, open: map[string]*Folder{}} }

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
	if f := s.open[dir]; f != nil {
		closeAll(f.root)
		delete(s.open, dir)
	}
}

// Dir returns the folder of all tasks, "" if each has its own.
func (s *Set) Dir() string { return s.dir }

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
	if f := s.open[dir]; f != nil {
		return f, nil
	}
	if s.dir == "" && worktree == "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the workspace: %w", err)
		}
	}
	f, err := Open(dir)
	if err == nil {
		s.open[dir] = f
	}
	return f, err
}

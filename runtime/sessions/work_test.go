package sessions

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/session"
	"society-tui/runtime/society"
	"society-tui/runtime/worktree"
	"society-tui/storage/boltdb"
)

func TestTheWorkspacesOfASessionGoWithIt(t *testing.T) {
	t.Parallel()
	f := Folder{Path: t.TempDir()}
	store, err := boltdb.Open(session.File(f.Path, "one"))
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	file := func(name string) string { return filepath.Join(session.Work(f.Path, name), "task", "a.go") }
	if err := os.MkdirAll(filepath.Dir(file("one")), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file("one"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(session.Workspace(f.Path, "one"), []byte("/site\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Rename("one", "two"); err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{file("two"), session.Workspace(f.Path, "two")} {
		if _, err := os.Stat(kept); err != nil {
			t.Errorf("after the new name: %v", err)
		}
	}
	if err := f.Delete("two"); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(f.Path); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// The worktrees of agents go with their session, and the repository forgets them; branches
// with commits stay.
func TestWorktreesGoWithTheirSession(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	data, repo := t.TempDir(), t.TempDir()
	git := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=u", "-c", "user.email=u@example.org"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git(repo, "init", "-q")
	git(repo, "commit", "-qm", "first", "--allow-empty")
	store, err := boltdb.Open(session.File(data, "old"))
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	trees := worktree.In(session.Worktrees(data, "old"), "old", repo)
	for _, agent := range []society.AgentID{"a-1", "a-2", "a-3"} {
		name, err := trees.Make(t.Context(), "a")
		if err == nil {
			err = trees.Give(t.Context(), name, agent)
		}
		dir, err2 := trees.Dir(name)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		if agent == "a-2" {
			git(dir, "commit", "-qm", "work", "--allow-empty")
		}
		if agent == "a-3" {
			if err := os.WriteFile(filepath.Join(dir, "new"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	f := Folder{Path: data}
	if err := f.Rename("old", "new"); err != nil {
		t.Fatal(err)
	}
	if moved, err := os.ReadDir(session.Worktrees(data, "new")); err != nil || len(moved) != 6 {
		t.Fatalf("after a new name there are %v, %v", moved, err)
	}
	if lost, err := f.Uncommitted(t.Context(), "new"); err != nil || !slices.Equal(lost, []society.AgentID{"a-3"}) {
		t.Errorf("only %v would lose work, %v, want a-3", lost, err)
	}
	if err := f.Delete("new"); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(data); len(left) > 0 {
		t.Errorf("in the folder are %v", left)
	}
	if known := git(repo, "worktree", "list", "--porcelain"); strings.Count(known, "worktree ") != 1 {
		t.Errorf("git knows\n%s", known)
	}
	if branches := git(repo, "for-each-ref", "--format=%(refname:short)", "refs/heads/society"); strings.TrimSpace(branches) != "society/old/a-2" {
		t.Errorf("the branches are %s", branches)
	}
}

package worktree_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/runtime/worktree"
)

// git runs git as a user would, with a name of theirs.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=u", "-c", "user.email=u@example.org"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func read(path string) string {
	data, _ := os.ReadFile(path)
	return string(data)
}

// repository is one with a commit.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	write(t, filepath.Join(dir, "a.go"), "package a\n")
	write(t, filepath.Join(dir, "sub/b.go"), "package b\n")
	write(t, filepath.Join(dir, ".gitignore"), ".env\nout/\n")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-qm", "first")
	return dir
}

// trees returns what git knows of worktrees and branches besides those of the user.
func trees(t *testing.T, repo string) (worktrees int, branches []string) {
	t.Helper()
	return strings.Count(git(t, repo, "worktree", "list", "--porcelain"), "worktree ") - 1,
		strings.Fields(git(t, repo, "for-each-ref", "--format=%(refname:short)", "refs/heads/society"))
}

func nothingLeft(t *testing.T, repo, folder string) {
	t.Helper()
	n, branches := trees(t, repo)
	entries, _ := os.ReadDir(folder)
	if n != 0 || len(branches) != 0 || len(entries) != 0 {
		t.Errorf("there are %d worktrees, the branches %v, and in the folder %v", n, branches, entries)
	}
}

func TestWhyNoWorktreeCanBeMadeIsToldWithWhatToDo(t *testing.T) {
	t.Parallel()
	repo := repository(t)
	empty := t.TempDir()
	git(t, empty, "init", "-q")
	for dir, want := range map[string]string{
		repo: "", filepath.Join(repo, "sub"): "",
		t.TempDir(): "git init", empty: "no commit", filepath.Join(repo, ".git"): "not in the work tree",
	} {
		err := worktree.Check(t.Context(), dir)
		switch {
		case want == "" && err != nil:
			t.Errorf("Check(%s) = %v", dir, err)
		case want != "" && (err == nil || !strings.Contains(i18n.Error("en", err), want)):
			t.Errorf("Check(%s) = %v, want what has %q", dir, err, want)
		}
	}
}

func TestWithoutGitItIsSaid(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if err := worktree.Check(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "Install git") {
		t.Errorf("Check = %v", err)
	}
}

func TestAnUnchangedWorktreeGoesWithItsAgent(t *testing.T) {
	t.Parallel()
	repo, folder := repository(t), filepath.Join(t.TempDir(), "s.worktrees")
	write(t, filepath.Join(repo, ".worktreeinclude"), ".env\n*.key\n")
	write(t, filepath.Join(repo, ".env"), "A=1")
	write(t, filepath.Join(repo, "new.key"), "not ignored, so not copied")
	write(t, filepath.Join(repo, ".git/hooks/post-checkout"), "#!/bin/sh\ntouch "+repo+"/hooked\n")
	if err := os.Chmod(filepath.Join(repo, ".git/hooks/post-checkout"), 0o755); err != nil {
		t.Fatal(err)
	}
	f := worktree.In(folder, "s", filepath.Join(repo, "sub"))
	name, err := f.Make(t.Context(), "coder")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := f.Dir(name)
	if err != nil || read(filepath.Join(dir, "b.go")) != "package b\n" || read(filepath.Join(dir, "../.env")) != "A=1" {
		t.Errorf("the agent's folder is %s, %v", dir, err)
	}
	for _, path := range []string{filepath.Join(dir, "../new.key"), filepath.Join(repo, "hooked")} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("there is %s", path)
		}
	}
	if err := f.Give(t.Context(), name, "coder-1"); err != nil {
		t.Fatal(err)
	}
	if _, branches := trees(t, repo); !slices.Equal(branches, []string{"society/s/coder-1"}) {
		t.Errorf("the branches are %v", branches)
	}
	if kept, err := f.End(t.Context(), name); kept || err != nil {
		t.Errorf("End = %v, %v", kept, err)
	}
	nothingLeft(t, repo, folder)
	if _, err := f.Dir(name); err == nil {
		t.Error("an agent still has its folder")
	}
}

func TestWhatWasChangedStaysUntilItIsDropped(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(t *testing.T, dir string){
		"a file":         func(t *testing.T, dir string) { write(t, filepath.Join(dir, "a.go"), "package c\n") },
		"an untracked":   func(t *testing.T, dir string) { write(t, filepath.Join(dir, "new file.go"), "new") },
		"an ignored":     func(t *testing.T, dir string) { write(t, filepath.Join(dir, "out/x"), "new") },
		"a copied":       func(t *testing.T, dir string) { write(t, filepath.Join(dir, ".env"), "A=2") },
		"a deleted":      func(t *testing.T, dir string) { _ = os.Remove(filepath.Join(dir, "a.go")) },
		"only committed": func(t *testing.T, dir string) { git(t, dir, "commit", "-qm", "x", "--allow-empty") },
		"on other branch": func(t *testing.T, dir string) {
			git(t, dir, "checkout", "-qb", "mine")
			write(t, filepath.Join(dir, "y"), "y")
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			repo, folder := repository(t), filepath.Join(t.TempDir(), "s.worktrees")
			write(t, filepath.Join(repo, ".worktreeinclude"), ".env\n")
			write(t, filepath.Join(repo, ".env"), "A=1")
			f := worktree.In(folder, "s", repo)
			name, err := f.Make(t.Context(), "coder")
			if err != nil {
				t.Fatal(err)
			}
			dir, _ := f.Dir(name)
			change(t, dir)
			if kept, err := f.End(t.Context(), name); !kept || err != nil {
				t.Fatalf("End = %v, %v", kept, err)
			}
			if err := worktree.In(folder, "s", repo).Settle(t.Context(), nil); err != nil { // at the next start
				t.Fatal(err)
			}
			list, err := f.List(t.Context(), nil)
			if err != nil || len(list) != 1 || list[0].Files+list[0].Ignored+list[0].Commits == 0 || list[0].Problem != "" {
				t.Fatalf("List = %+v, %v", list, err)
			}
			if err := f.Drop(t.Context(), name); err != nil {
				t.Fatal(err)
			}
			nothingLeft(t, repo, folder)
			if what == "on other branch" && !strings.Contains(git(t, repo, "branch"), "mine") {
				t.Error("a branch that is not ours was deleted")
			}
		})
	}
}

func TestTheCommandsAndThePatchBringTheChangesIntoTheRepository(t *testing.T) {
	t.Parallel()
	repo := repository(t)
	f := worktree.In(filepath.Join(t.TempDir(), "it's", "s.worktrees"), "s", repo)
	if err := os.MkdirAll(filepath.Dir(filepath.Dir(repo)), 0o755); err != nil {
		t.Fatal(err)
	}
	name, err := f.Make(t.Context(), "coder")
	if err != nil {
		t.Fatal(err)
	}
	dir, _ := f.Dir(name)
	write(t, filepath.Join(dir, "a.go"), "package changed\n")
	write(t, filepath.Join(dir, "new.bin"), "\x00\x01new")
	patch, err := f.Patch(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if out := git(t, dir, "status", "--porcelain"); !strings.Contains(out, "?? new.bin") {
		t.Errorf("making a patch has changed the worktree: %s", out)
	}
	other := filepath.Join(t.TempDir(), "clone")
	git(t, repo, "clone", "-q", repo, other)
	write(t, filepath.Join(other, "p.patch"), string(patch))
	git(t, other, "apply", "p.patch")
	list, err := f.List(t.Context(), map[string]society.AgentID{name: "coder-1"})
	if err != nil || len(list) != 1 || list[0].Files != 2 || !list[0].Live || list[0].Agent != "coder-1" {
		t.Fatalf("List = %+v, %v", list, err)
	}
	git(t, repo, "config", "user.name", "u")
	git(t, repo, "config", "user.email", "u@example.org")
	if out, err := exec.Command("sh", "-c", list[0].Merge).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", list[0].Merge, err, out)
	}
	for _, in := range []string{other, repo} {
		if read(filepath.Join(in, "a.go")) != "package changed\n" || read(filepath.Join(in, "new.bin")) != "\x00\x01new" {
			t.Errorf("%s does not have the changes", in)
		}
	}
}

func TestAStartAfterACrashLeavesWhatAgentsHaveAndNothingElse(t *testing.T) {
	t.Parallel()
	repo, folder := repository(t), filepath.Join(t.TempDir(), "s.worktrees")
	f := worktree.In(folder, "s", repo)
	names := make([]string, 4)
	for i := range names {
		var err error
		if names[i], err = f.Make(t.Context(), "coder"); err != nil {
			t.Fatal(err)
		}
	}
	// The second has no agent; the third was cut short while git filled it, the fourth
	// before git began.
	halfMade := func(name string) {
		path := filepath.Join(folder, name+".json")
		write(t, path, strings.Replace(read(path), `"ready":true`, `"ready":false`, 1))
	}
	halfMade(names[2])
	if err := os.Remove(filepath.Join(folder, names[2], ".git")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(repo, ".git/worktrees", names[2], "locked"), "initializing")
	halfMade(names[3])
	git(t, repo, "worktree", "remove", "--force", filepath.Join(folder, names[3]))
	git(t, repo, "branch", "-D", "society/s/"+names[3])

	if err := worktree.In(folder, "s", repo).Settle(t.Context(), map[string]society.AgentID{names[0]: "coder-1"}); err != nil {
		t.Fatal(err)
	}
	n, branches := trees(t, repo)
	if list, _ := f.List(t.Context(), nil); n != 1 || !slices.Equal(branches, []string{"society/s/coder-1"}) || len(list) != 1 || list[0].Agent != "coder-1" {
		t.Errorf("git knows %d worktrees and the branches %v; the list is %+v", n, branches, list)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Errorf("in the folder are %v, %v", entries, err)
	}
}

func TestAFolderThatWasMovedIsFoundByGitAgain(t *testing.T) {
	t.Parallel()
	repo, at := repository(t), t.TempDir()
	f := worktree.In(filepath.Join(at, "old.worktrees"), "old", repo)
	name, err := f.Make(t.Context(), "coder")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(at, "old.worktrees"), filepath.Join(at, "new.worktrees")); err != nil {
		t.Fatal(err)
	}
	live := map[string]society.AgentID{name: "coder-1"}
	f = worktree.In(filepath.Join(at, "new.worktrees"), "new", repo)
	if err := f.Settle(t.Context(), live); err != nil {
		t.Fatal(err)
	}
	if list := git(t, repo, "worktree", "list"); !strings.Contains(list, "new.worktrees") {
		t.Errorf("git worktree list: %s", list)
	}
	dir, err := f.Dir(name)
	if err != nil || git(t, dir, "status", "--porcelain") != "" {
		t.Errorf("in %s, %v: %s", dir, err, git(t, dir, "status", "--porcelain"))
	}
	if err := f.RemoveAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	nothingLeft(t, repo, filepath.Join(at, "new.worktrees"))
}

func TestAWorktreeThatCannotBeMadeLeavesNothing(t *testing.T) {
	t.Parallel()
	repo, folder := repository(t), filepath.Join(t.TempDir(), "s.worktrees")
	git(t, repo, "branch", "society") // no branch can be below it
	f := worktree.In(folder, "s", repo)
	if name, err := f.Make(t.Context(), "coder"); err == nil || !strings.Contains(err.Error(), "society") {
		t.Errorf("Make = %q, %v", name, err)
	}
	git(t, repo, "branch", "-D", "society")
	nothingLeft(t, repo, folder)
	for _, name := range []string{"../x", "a\x00", "", ".", strings.Repeat("long", 1000)} {
		if err := f.Drop(t.Context(), name); !errors.Is(err, api.ErrNoWorktree) {
			t.Errorf("Drop(%.20q) = %v", name, err)
		}
	}
}

// An agent can write the configuration of a repository that it makes within its worktree, and
// git would run the filters of that.
func TestNothingOfARepositoryWithinAWorktreeIsRun(t *testing.T) {
	t.Parallel()
	ran := filepath.Join(t.TempDir(), "ran")
	f := worktree.In(filepath.Join(t.TempDir(), "s.worktrees"), "s", repository(t))
	name, err := f.Make(t.Context(), "coder")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Give(t.Context(), name, "coder-1"); err != nil {
		t.Fatal(err)
	}
	dir, err := f.Dir(name)
	if err != nil {
		t.Fatal(err)
	}
	within := filepath.Join(dir, "within")
	git(t, dir, "init", "-q", "within")
	write(t, filepath.Join(within, "f"), "one\n")
	write(t, filepath.Join(within, ".gitattributes"), "f filter=own\n")
	git(t, within, "add", "-A")
	git(t, within, "commit", "-qm", "first")
	git(t, within, "config", "filter.own.clean", "touch '"+ran+"'; cat")
	git(t, dir, "add", "within")
	write(t, filepath.Join(within, "f"), "two\n")
	if err := os.Remove(ran); err == nil {
		t.Fatal("git add of the user has run it already")
	}
	patch, err := f.Patch(t.Context(), name)
	if err != nil || !strings.Contains(string(patch), "Subproject commit") {
		t.Errorf("the patch is %q, %v", patch, err)
	}
	kept, err := f.End(t.Context(), name)
	if err != nil || !kept {
		t.Errorf("End = %t, %v: what was made in the worktree is gone", kept, err)
	}
	if _, err := os.Lstat(ran); err == nil {
		t.Error("a filter of the repository within was run")
	}
}

package shell_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/tool"
	"society-tui/runtime/tool/shell"
	"society-tui/runtime/workspace"
)

func paths(changes []tool.Change) (names []string) {
	for _, c := range changes {
		names = append(names, c.Path)
	}
	return names
}

// After a command what it has changed is listed, with the old content where an agent had read
// it, and with nothing that was not changed.
func TestChangesOfACommandAreListed(t *testing.T) {
	b := newBench(t)
	b.write("known.txt", "one\ntwo\n")
	b.write("unread.txt", "three\n")
	b.write("gone.txt", "four\n")
	b.write("same.txt", "five\n")
	b.write(".gitignore", "ignored\n")
	in, err := b.set.Of("t1", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"known.txt", "gone.txt"} {
		file, err := in.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		in.See("coder-1", name, file.Content, file.Hash)
	}
	r := b.bash("sed -i s/two/2/ known.txt; echo 3 > unread.txt; rm gone.txt; touch same.txt; echo new > sub.txt; echo x > ignored; mkdir -p a/b; echo y > a/b/c")
	want(t, r.Text, "[changed: a/b/c, gone.txt, known.txt, sub.txt, unread.txt]")
	if got := paths(r.Changes); !slices.Equal(got, []string{"a/b/c", "gone.txt", "known.txt", "sub.txt", "unread.txt"}) {
		t.Fatalf("the changes are %v", got)
	}
	hash := func(s string) string { return workspace.Hash([]byte(s)) }
	for i, c := range []struct{ before, after, old string }{
		{"", hash("y\n"), ""},
		{hash("four\n"), "", "four\n"},
		{hash("one\ntwo\n"), hash("one\n2\n"), "one\ntwo\n"},
		{"", hash("new\n"), ""},
		{hash("three\n"), hash("3\n"), ""}, // nobody had read it
	} {
		got := r.Changes[i]
		if got.Before != c.before || got.After != c.after || string(got.Old) != c.old || got.Dir != b.dir || got.PutBack {
			t.Errorf("%s changed as %+v", got.Path, got)
		}
	}
	if c := r.Changes[2]; c.Added != 1 || c.Removed != 1 || !strings.Contains(c.Diff, "-two\n+2\n") {
		t.Errorf("the diff is %q, +%d -%d", c.Diff, c.Added, c.Removed)
	}
	if hash, ok := in.Seen("coder-1", "known.txt"); !ok || hash != r.Changes[2].After {
		t.Error("its own change of a file that it had read does not count as read")
	}
	if r := b.bash("cat known.txt > /dev/null"); len(r.Changes) > 0 || strings.Contains(r.Text, "changed:") {
		t.Errorf("a command that changes nothing has changed %v", paths(r.Changes))
	}
}

// A protected file that a command has changed is named as such, and can be undone though nobody had
// read it.
func TestAChangeOfAProtectedFileIsNamedAndCanBeUndone(t *testing.T) {
	b := newBench(t)
	b.write(".github/workflows/ci.yml", "old\n")
	for range 2 { // also if it was seen before
		r := b.bash("echo new > .github/workflows/ci.yml; echo x >> a.txt")
		want(t, r.Text, "[protected: .github/workflows/ci.yml.")
		if c := r.Changes[0]; c.Path != ".github/workflows/ci.yml" || string(c.Old) != "old\n" || string(r.Changes[1].Old) != "" {
			t.Errorf("recorded is %+v", r.Changes)
		}
		want(t, b.bash("echo old > .github/workflows/ci.yml").Text, "[protected: ")
	}
}

// What another agent writes while a command runs is not listed as the command's.
func TestAnotherAgentsEditIsNotTheCommands(t *testing.T) {
	b := newBench(t)
	in, err := b.set.Of("t1", "")
	if err != nil {
		t.Fatal(err)
	}
	b.by.Output = func([]byte) {
		err := in.Write(t.Context(), "theirs.txt", []byte("theirs\n"), 0)
		in.See("other-1", "theirs.txt", []byte("theirs\n"), workspace.Hash([]byte("theirs\n")))
		in.Changed("other-1", "theirs.txt")
		b.write("go", "")
		if err != nil {
			t.Error(err)
		}
	}
	r := b.bash("echo begun; while ! test -e go; do sleep 0.05; done; rm go; echo mine > mine.txt")
	if got := paths(r.Changes); !slices.Equal(got, []string{"mine.txt"}) {
		t.Errorf("the changes are %v", got)
	}
}

func TestAWorkspaceOfTooManyFilesIsNotListed(t *testing.T) {
	b := newBench(t)
	r := b.bash("mkdir d; cd d; seq 1 20100 | xargs touch; echo x > ../a")
	if len(r.Changes) > 0 {
		t.Errorf("%d changes are listed", len(r.Changes))
	}
	want(t, r.Text, "too many files")
}

// git runs git outside of the sandbox.
func (b *bench) git(args ...string) string {
	b.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", b.dir, "-c", "user.name=a", "-c", "user.email=a@example.test"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return string(out)
}

// repository is a bench with a repository of git, in the sandbox.
func repository(t *testing.T, change ...func(*shell.Config)) *bench {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	b := confined(t, change...)
	b.git("init", "-q", "-b", "main")
	b.write("a.txt", "a\n")
	b.git("add", ".")
	b.git("commit", "-qm", "begin")
	return b
}

// tree returns all hooks and configuration below .git, with their modes.
func (b *bench) tree() string {
	b.t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(filepath.Join(b.dir, ".git"), func(path string, e fs.DirEntry, err error) error {
		name, _ := filepath.Rel(b.dir, path)
		if err != nil || e.IsDir() || !strings.Contains(name, "hooks") && !strings.Contains(name, "config") && e.Name() != "commondir" {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(&all, "%s %s %.8s %v\n", name, info.Mode(), workspace.Hash(content), err)
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return all.String()
}

// Whatever a command in the sandbox does to hooks and configuration of git is put back, kept
// aside, told, and recorded so that the user can keep it.
func TestHooksAndConfigurationOfGitArePutBack(t *testing.T) {
	for name, command := range map[string]string{
		"a new hook":         "printf '#!/bin/sh\\necho hooked' > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout",
		"a changed hook":     "echo changed > .git/hooks/pre-commit.sample",
		"a hook that goes":   "rm .git/hooks/*",
		"a folder of hooks":  "rm -r .git/hooks",
		"hooks as a link":    "mkdir h; echo evil > h/post-checkout; rm -r .git/hooks; ln -s ../h .git/hooks",
		"configuration":      "git config core.fsmonitor ./evil.sh",
		"configuration gone": "rm .git/config",
		"a link for it":      "cp .git/config mine; rm .git/config; ln -s ../mine .git/config",
		"a folder for it":    "rm .git/config; mkdir .git/config",
		"of a worktree":      "echo '[core]' > .git/config.worktree",
		"a common folder":    "mkdir -p evil/objects evil/refs; echo ../evil > .git/commondir",
		"a redirection":      "git status > .git/hooks/x",
	} {
		t.Run(name, func(t *testing.T) {
			b := repository(t)
			before := b.tree()
			r := b.bash(command)
			if after := b.tree(); after != before {
				t.Errorf("left is\n%s\nwant\n%s", after, before)
			}
			want(t, r.Text, "was put back", b.data)
			aside, err := filepath.Glob(filepath.Join(b.data, "changed-*"))
			if err != nil || len(aside) != 1 {
				t.Errorf("aside are %v, %v", aside, err)
			}
			b.git("status")
		})
	}
}

// What was put back is recorded with both contents.
func TestWhatWasPutBackIsRecordedWithBothContents(t *testing.T) {
	b := repository(t)
	was := b.content(".git/config")
	r := b.bash("git config user.name evil; git config --get user.name; echo mine > b.txt")
	want(t, r.Text, "\nevil\n")
	i := slices.IndexFunc(r.Changes, func(c tool.Change) bool { return c.PutBack })
	if i < 0 || r.Changes[i].Path != ".git/config" || string(r.Changes[i].Old) != was || !strings.Contains(string(r.Changes[i].New), "evil") {
		t.Fatalf("recorded is %+v", r.Changes)
	}
	if !slices.Contains(paths(r.Changes), "b.txt") {
		t.Errorf("the other change is not listed: %v", paths(r.Changes))
	}
}

// Ordinary work with git is left as it is.
func TestOrdinaryWorkWithGitStays(t *testing.T) {
	b := repository(t)
	r := b.bash("echo b > b.txt && git add . && git -c user.name=a -c user.email=a@example.test commit -qm second && git branch other && git log --oneline | wc -l")
	want(t, r.Text, "exit code 0", "\n2\n")
	if strings.Contains(r.Text, "put back") {
		t.Error(r.Text)
	}
	if got := b.git("log", "--format=%s"); got != "second\nbegin\n" {
		t.Errorf("the log is %q", got)
	}
}

// A repository that a command has made keeps its ordinary configuration, and nothing that git
// would run.
func TestANewRepositoryKeepsItsOrdinaryConfiguration(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	b := confined(t)
	if r := b.bash("git init -q -b main && git config user.name a"); strings.Contains(r.Text, "put back") || r.Failed {
		t.Errorf("git init ended as %s", r.Text)
	}
	b.git("status")
	b = &bench{t: t, dir: t.TempDir(), data: b.data, by: b.by}
	b.set = workspace.Shared(b.dir)
	b.shell = shell.New(shell.Config{Workspaces: b.set, Scratch: filepath.Join(b.data, "scratch"), Aside: b.data, AlsoRead: func() []string { return nil }, Sandbox: probed})
	want(t, b.bash("git init -q -b main && git config core.fsmonitor ./evil.sh && echo x > .git/hooks/post-checkout").Text, "was put back", ".git/config", ".git/hooks/post-checkout")
	for _, name := range []string{".git/config", ".git/hooks/post-checkout"} {
		if _, err := os.Lstat(filepath.Join(b.dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there: %v", name, err)
		}
	}
}

// What the user has allowed through a tool for files while a command runs stays.
func TestAnAllowedEditOfAHookStaysWhileACommandRuns(t *testing.T) {
	b := repository(t)
	in, err := b.set.Of("t1", "")
	if err != nil {
		t.Fatal(err)
	}
	content := []byte("#!/bin/sh\nexit 0\n")
	b.by.Output = func([]byte) {
		if err := in.Write(t.Context(), ".git/hooks/pre-push", content, 0o755); err != nil {
			t.Error(err)
		}
		in.Edited(".git/hooks/pre-push", workspace.Hash(content))
		b.write("go", "")
	}
	r := b.bash("echo begun; while ! test -e go; do sleep 0.05; done")
	if got := b.content(".git/hooks/pre-push"); got != string(content) || strings.Contains(r.Text, "put back") {
		t.Errorf("the hook is %q after %s", got, r.Text)
	}
}

// A background command is looked at while it runs.
func TestABackgroundCommandChangesNoHook(t *testing.T) {
	b := repository(t)
	id := b.background("echo evil > .git/hooks/post-checkout; echo done; sleep 1000")
	hook := filepath.Join(b.dir, ".git/hooks/post-checkout")
	b.call(t.Context(), shell.BashOutput, object{"id": id, "wait": 60})
	b.eventually("the end of the hook", func() bool { _, err := os.Stat(hook); return err != nil })
	r := b.call(t.Context(), shell.BashKill, object{"id": id})
	want(t, r.Text, "was put back", "post-checkout")
	if len(r.Changes) != 1 || !r.Changes[0].PutBack || string(r.Changes[0].New) != "evil\n" {
		t.Errorf("recorded is %+v", r.Changes)
	}
}

// Outside the sandbox the user has said yes to all that a command does.
func TestOutsideTheSandboxNothingIsPutBack(t *testing.T) {
	b := repository(t)
	r := b.call(t.Context(), shell.Bash, object{"command": "git config user.name b", "outside": true})
	if got := b.git("config", "--local", "user.name"); got != "b\n" || strings.Contains(r.Text, "put back") {
		t.Errorf("user.name is %q after %s", got, r.Text)
	}
}

// In a git worktree of its own an agent commits, and cannot reach hooks and configuration of the
// repository.
func TestAnAgentCommitsInItsWorktree(t *testing.T) {
	var tree string
	b := repository(t, func(c *shell.Config) {
		c.Workspaces.WithWorktrees(func(string) (string, error) { return filepath.Join(tree, "sub"), nil })
		repo := c.Workspaces.Dir()
		c.Repository = func(string) (string, error) { return filepath.Join(repo, ".git"), nil }
	})
	tree = filepath.Join(t.TempDir(), "tree")
	b.git("worktree", "add", "-q", "-b", "theirs", tree)
	if err := os.Mkdir(filepath.Join(tree, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := b.tree()
	b.by.Worktree = "theirs"
	r := b.bash("echo b > b.txt && git add . && git -c user.name=a -c user.email=a@example.test commit -qm second; echo evil > " + filepath.Join(b.dir, ".git/hooks/post-checkout") + "; echo evil > " + filepath.Join(b.dir, "a.txt"))
	want(t, r.Text, "was put back", "post-checkout", "blocked_by_sandbox")
	if got := b.git("log", "--format=%s", "theirs"); got != "second\nbegin\n" {
		t.Errorf("the log of its branch is %q after %s", got, r.Text)
	}
	if after := b.tree(); after != before || b.content("a.txt") != "a\n" {
		t.Errorf("left is\n%s\nwant\n%s", after, before)
	}
	if i := slices.IndexFunc(r.Changes, func(c tool.Change) bool { return c.Path == "b.txt" }); i < 0 || r.Changes[i].Dir != "worktree:theirs" {
		t.Errorf("the changes are %+v", r.Changes)
	}
}

// What a command in the sandbox writes into its home folder does not lead one outside of it.
func TestAHomeWrittenInTheSandboxIsNotThatOfACommandOutside(t *testing.T) {
	b := repository(t)
	b.bash("git config --global alias.st '!echo evil'; git config --global core.pager 'echo evil'")
	r := b.call(t.Context(), shell.Bash, object{"command": "git config --global --list; git st", "outside": true})
	if strings.Contains(r.Text, "echo evil") || strings.Contains(r.Text, "\nevil") {
		t.Errorf("outside there is %s", r.Text)
	}
}

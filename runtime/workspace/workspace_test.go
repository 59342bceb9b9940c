//go:build linux || darwin

package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"society-tui/runtime/workspace"
)

func folder(t testing.TB) (*workspace.Folder, string) {
	t.Helper()
	dir := t.TempDir()
	f, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f, dir
}

func put(t testing.TB, path, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func has(t testing.TB, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s has %q (%v), want %q", path, got, err, want)
	}
}

func refused(t testing.TB, what string, want workspace.Code, err error) {
	t.Helper()
	if workspace.CodeOf(err) != want {
		t.Errorf("%s: %v, want %s", what, err, want)
	}
}

func TestNothingOutsideIsReached(t *testing.T) {
	t.Parallel()
	f, dir := folder(t)
	ctx := context.Background()
	outside := t.TempDir()
	put(t, filepath.Join(outside, "secret"), "secret")
	put(t, filepath.Join(dir, "in/a"), "a")
	for name, target := range map[string]string{
		"out": outside, "file": filepath.Join(outside, "secret"), "up": "../..", "dangling": filepath.Join(outside, "new"), "inside": "in", "in/b": "a",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"out/secret", "file", "up/x", "dangling", "inside/a", "in/b"} {
		_, err := f.Read(name)
		refused(t, "read "+name, workspace.IsLink, err)
		refused(t, "write "+name, workspace.IsLink, f.Write(ctx, name, []byte("x"), 0))
		if name != "in/b" && name != "file" && name != "dangling" { // a link itself may go
			refused(t, "remove "+name, workspace.IsLink, f.Remove(ctx, name))
		}
		_, err = f.Stat(name)
		refused(t, "stat "+name, workspace.IsLink, err)
	}
	_, err := f.Read("out/secret")
	if e, ok := errors.AsType[*workspace.Error](err); !ok || e.Detail != outside {
		t.Errorf("%v does not say where the link leads", err)
	}
	refused(t, "move into a link", workspace.IsLink, f.Move(ctx, "in/a", "out/a"))
	for _, name := range []string{"../x", "/etc/x", "a/../../x", "a/../../../etc/passwd"} {
		_, err := workspace.Clean(name)
		refused(t, name, workspace.Outside, err)
		_, err = f.Read(name)
		refused(t, "read "+name, workspace.Outside, err)
		refused(t, "write "+name, workspace.Outside, f.Write(ctx, name, []byte("x"), 0))
	}
	has(t, filepath.Join(outside, "secret"), "secret")
	if left, err := os.ReadDir(outside); err != nil || len(left) != 1 {
		t.Errorf("outside are %v, %v", left, err)
	}
	var met []string
	if err := f.Walk(ctx, ".", false, func(e workspace.Entry) error { met = append(met, e.Name); return nil }); err != nil || fmt.Sprint(met) != "[in in/a]" {
		t.Errorf("a walk meets %v, %v", met, err)
	}
}

// A folder or file that becomes a link while it is written is not followed.
func TestALinkThatIsSwappedInWhileAFileIsWrittenIsNotFollowed(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"write", "rename"} {
		f, dir := folder(t)
		outside := t.TempDir()
		put(t, filepath.Join(outside, "a"), "secret")
		put(t, filepath.Join(dir, "in/a"), "old")
		f.Before(func(step, _ string) error {
			if step != at {
				return nil
			}
			return errors.Join(os.Rename(filepath.Join(dir, "in"), filepath.Join(dir, "was")), os.Symlink(outside, filepath.Join(dir, "in")))
		})
		_ = f.Write(context.Background(), "in/a", []byte("new"), 0) // it may fail or write into the folder that was there
		has(t, filepath.Join(outside, "a"), "secret")
		f.Before(func(step, _ string) error {
			if step != at {
				return nil
			}
			return errors.Join(os.Remove(filepath.Join(dir, "was/a")), os.Symlink(filepath.Join(outside, "a"), filepath.Join(dir, "was/a")))
		})
		err := f.Write(context.Background(), "was/a", []byte("new"), 0)
		refused(t, "a file that became a link before "+at, workspace.IsLink, err)
		has(t, filepath.Join(outside, "a"), "secret")
	}
}

func TestOnlyRegularFilesAreReadAndWritten(t *testing.T) {
	t.Parallel()
	f, dir := folder(t)
	ctx := context.Background()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := f.Read("pipe")
		refused(t, "read a FIFO", workspace.NotRegular, err)
		refused(t, "write a FIFO", workspace.NotRegular, f.Write(ctx, "pipe", nil, 0))
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("a FIFO is waited for")
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	refused(t, "write a folder", workspace.IsFolder, f.Write(ctx, "sub", nil, 0))
	refused(t, "write the root", workspace.IsFolder, f.Write(ctx, ".", nil, 0))
	refused(t, "remove the root", workspace.IsFolder, f.Remove(ctx, "."))
	refused(t, "move the root", workspace.IsFolder, f.Move(ctx, ".", "x"))
}

func TestNamesThatNoSystemCanHoldAreRefused(t *testing.T) {
	t.Parallel()
	f, dir := folder(t)
	ctx := context.Background()
	put(t, filepath.Join(dir, "Read.me"), "x")
	for name, want := range map[string]workspace.Code{
		"read.me": workspace.CaseTwin, "CON": workspace.BadName, "con.txt": workspace.BadName, "sub/lpt1.log": workspace.BadName, "a\nb": workspace.BadName,
	} {
		refused(t, name, want, f.Write(ctx, name, []byte("x"), 0))
	}
	for _, name := range []string{"a\x00b", strings.Repeat("x", 300)} {
		_, err := workspace.Clean(name)
		refused(t, "a bad name", workspace.BadName, err)
	}
	if err := f.Write(ctx, "Read.me", []byte("y"), 0); err != nil {
		t.Error(err)
	}
}

// A disk that is full, at whichever step, leaves the old content or the new.
func TestAWriteThatFailsLeavesTheOldContentOrTheNew(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"write", "rename"} {
		f, dir := folder(t)
		put(t, filepath.Join(dir, "a"), "old")
		f.Before(func(step, _ string) error {
			if step == at {
				return syscall.ENOSPC
			}
			return nil
		})
		err := f.Write(context.Background(), "a", []byte("new"), 0)
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", at, err)
		}
		has(t, filepath.Join(dir, "a"), "old")
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%s: %v are left", at, left)
		}
		ctx, cancel := context.WithCancel(context.Background())
		f.Before(func(step, _ string) error {
			if step == at {
				cancel()
			}
			return nil
		})
		if err := f.Write(ctx, "a", []byte("new"), 0); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", at, err)
		}
		has(t, filepath.Join(dir, "a"), "old")
	}
}

// writes is set in the child that TestAKillLeavesTheOldContentOrTheNew kills.
const writes = "WORKSPACE_TEST_WRITES"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writes); dir != "" {
		f, err := workspace.Open(dir)
		for i := 0; err == nil; i++ {
			err = f.Write(context.Background(), "a", []byte(strings.Repeat(fmt.Sprintln(i), 20_000)), 0)
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func TestAKillLeavesTheOldContentOrTheNew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	put(t, path, "0\n")
	kills := 3
	if os.Getenv("SOCIETY_LONG") != "" {
		kills = 100
	}
	for i := range kills {
		child, err := os.StartProcess(os.Args[0], os.Args[:1], &os.ProcAttr{Env: append(os.Environ(), writes+"="+dir), Files: []*os.File{nil, nil, os.Stderr}})
		if err != nil {
			t.Fatal(err)
		}
		before, err := os.Stat(path)
		for now := before; err == nil && os.SameFile(before, now); now, err = os.Stat(path) { // until it has written once
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(i%7) * time.Millisecond)
		if err := child.Kill(); err != nil {
			t.Fatal(err)
		}
		_, _ = child.Wait()
		content, err := os.ReadFile(path)
		line, _, _ := strings.Cut(string(content), "\n")
		if err != nil || string(content) != strings.Repeat(line+"\n", 20_000) {
			t.Fatalf("after kill %d the file has %d bytes, of %q (%v)", i, len(content), line, err)
		}
	}
}

func TestProtectedPaths(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		".git/config": true, "sub/.GIT/hooks/pre-commit": true, ".git": true, "git~1/config": true, ".git./x": true, ".git ::$DATA": true,
		".github/workflows/ci.yml": true, ".vscode/tasks.json": true, ".idea/x": true, "AGENTS.md": true, "a/claude.MD": true, ".mcp.json": true,
		".husky/pre-commit": true, "hooks/pre-commit": true, ".gitlab-ci.yml": true, ".envrc": true, ".gitattributes": true,
		"a.go": false, "git/config": false, ".github/ISSUE.md": false, "agents.go": false, "src/hooks.ts": false, ".gitignore": false,
	} {
		if got := workspace.Protected(name); got != want {
			t.Errorf("Protected(%q) = %t", name, got)
		}
	}
}

func TestALockHoldsWhatIsAboveAndBelow(t *testing.T) {
	t.Parallel()
	f, _ := folder(t)
	free, err := f.Lock(context.Background(), "a/b")
	if err != nil {
		t.Fatal(err)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for name, want := range map[string]bool{"a/b": false, "A/B": false, "a": false, "a/b/c": false, "a/bc": true, "c": true} {
		release, err := f.Lock(done, name)
		if (err == nil) != want {
			t.Errorf("lock %s: %v", name, err)
		}
		if err == nil {
			release()
		}
	}
	waits := make(chan error)
	go func() {
		release, err := f.Lock(context.Background(), "a")
		if err == nil {
			release()
		}
		waits <- err
	}()
	free()
	if err := <-waits; err != nil {
		t.Error(err)
	}
}

func TestEachTaskHasAWorkspaceOfItsOwn(t *testing.T) {
	t.Parallel()
	base := filepath.Join(t.TempDir(), "society.work")
	s := workspace.PerTask(base)
	one, err := s.Of("one", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := one.Write(context.Background(), "a", []byte("a"), 0); err != nil {
		t.Fatal(err)
	}
	two, err := s.Of("two", "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = two.Read("a")
	refused(t, "the file of another task", workspace.NotFound, err)
	if again, err := s.Of("one", ""); again != one || err != nil {
		t.Errorf("the workspace of a task is opened twice: %v", err)
	}
	for _, task := range []string{"", "..", "a/b", "../one", "/"} {
		if _, err := s.Of(task, ""); err == nil {
			t.Errorf("the task %q has a workspace", task)
		}
	}
	if info, err := os.Stat(base); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others can look into %s: %v, %v", base, info.Mode(), err)
	}
}

func TestFindPutsFirstWhatBeginsSoAndLeavesOutWhatIsIgnored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"plan.md", "src/plan_test.go", "src/Plan.go", "docs/deep/plan.txt", "old/my-plan.md", "a.go", "build/plan.o", ".git/plan"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("build/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for like, want := range map[string]string{
		"plan":   "plan.md src/Plan.go src/plan_test.go docs/deep/plan.txt old/my-plan.md",
		"src/pl": "src/Plan.go src/plan_test.go", "nothing": "", "../plan": "plan.md src/Plan.go src/plan_test.go docs/deep/plan.txt old/my-plan.md",
	} {
		list, err := f.Find(t.Context(), like, 10)
		var names []string
		for _, is := range list {
			names = append(names, is.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != want {
			t.Errorf("Find(%q) = %q, %v, want %q", like, got, err, want)
		}
	}
	if list, err := f.Find(t.Context(), "", 3); err != nil || len(list) != 3 || list[0] != (workspace.Found{".gitignore", 7}) {
		t.Errorf("Find of three = %+v, %v", list, err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Find(done, "", 3); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled Find returns %v", err)
	}
}

// A folder that somebody uses is the same for all, with its locks, however many others there
// were since; one that nobody uses is let go.
func TestFoldersOfManyTasksAreClosedWhenNobodyUsesThem(t *testing.T) {
	t.Parallel()
	set := workspace.PerTask(t.TempDir())
	of := func(task string) *workspace.Folder {
		f, err := set.Of(task, "")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	used := of("used")
	const tasks = 500
	left := make(chan struct{}, tasks)
	for i := range tasks {
		runtime.AddCleanup(of(fmt.Sprintf("task-%d", i)), func(struct{}) { left <- struct{}{} }, struct{}{})
	}
	for range tasks / 2 { // waits for the collector
		runtime.GC()
		<-left
	}
	if of("used") != used {
		t.Error("a folder in use was opened a second time")
	}
	if again := of("task-0"); again != of("task-0") {
		t.Error("a folder was opened a second time")
	}
	runtime.KeepAlive(used)
}

package shell_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"society-tui/runtime/sandbox"
	"society-tui/runtime/tool/shell"
	"society-tui/runtime/workspace"
)

// further returns a bench whose workspace is a folder of the repository of another.
func further(t *testing.T, b *bench) *bench {
	t.Helper()
	b.write("part/b.txt", "b\n")
	b.git("add", ".")
	b.git("commit", "-qm", "part")
	in := &bench{t: t, dir: filepath.Join(b.dir, "part"), data: b.data, by: b.by}
	in.set = workspace.Shared(in.dir)
	in.shell = shell.New(shell.Config{
		Workspaces: in.set, Scratch: filepath.Join(b.data, "scratch"), Aside: b.data,
		AlsoRead: func() []string { return nil }, Sandbox: probed,
	})
	return in
}

func TestGitReadsTheRepositoryAboveTheWorkspaceAndDoesNotWriteIt(t *testing.T) {
	b := repository(t)
	in := further(t, b)
	in.write("b.txt", "changed\n")
	r := in.bash("git status --short . && git diff . && git log --oneline | wc -l")
	want(t, r.Text, "exit code 0", "M b.txt", "+changed", "\n2\n")
	head := b.git("rev-parse", "HEAD")
	r = in.bash("git -c user.name=a -c user.email=a@example.test commit -qam third")
	want(t, r.Text, "blocked_by_sandbox", "folder above the workspace", "outside true")
	in.bash("echo x > ../.git/hooks/post-checkout; git config core.fsmonitor evil")
	if _, err := os.Lstat(filepath.Join(b.dir, ".git/hooks/post-checkout")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a hook: %v", err)
	}
	if now := b.git("rev-parse", "HEAD"); now != head || strings.Contains(b.content(".git/config"), "evil") {
		t.Errorf("the repository was written: %s, %s", now, b.content(".git/config"))
	}
}

func TestARepositoryAboveTheWorkspaceWithACredentialIsNotShown(t *testing.T) {
	for name, setting := range map[string][2]string{
		"in a remote": {"remote.origin.url", "https://canary-4711@example.test/a.git"},
		"in a header": {"http.extraHeader", "Authorization: Basic canary-4711"},
	} {
		t.Run(name, func(t *testing.T) {
			b := repository(t)
			in := further(t, b)
			b.git("config", setting[0], setting[1])
			for _, command := range []string{"git status", "cat ../.git/config"} {
				r := in.bash(command)
				if !r.Failed || strings.Contains(r.Text, "canary") {
					t.Errorf("%s: %s", command, r.Text)
				}
			}
			want(t, in.bash("git status").Text, "credential", "outside true")
		})
	}
}

func TestARepositoryInTheWorkspaceIsGuardedLikeItsOwn(t *testing.T) {
	b := repository(t)
	b.git("init", "-q", "deps/other")
	before := b.content("deps/other/.git/config")
	r := b.bash("cd deps/other && git config core.fsmonitor ./evil.sh && echo x > .git/hooks/post-checkout")
	want(t, r.Text, "was put back", "deps/other/.git/config", "deps/other/.git/hooks/post-checkout")
	if now := b.content("deps/other/.git/config"); now != before {
		t.Errorf("the configuration is %s", now)
	}
	if _, err := os.Lstat(filepath.Join(b.dir, "deps/other/.git/hooks/post-checkout")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a hook: %v", err)
	}
}

// The folders of the program are not seen, whatever else may be read; those of commands in them
// can be used.
func TestAHiddenFolderIsNotSeenButForWhatCommandsHaveInIt(t *testing.T) {
	b := confined(t, func(c *shell.Config) {
		above := filepath.Dir(c.Aside)
		c.Hide, c.AlsoRead = []string{c.Aside}, func() []string { return []string{above} }
	})
	if !probed().Confined.Files {
		t.Skip("nothing can be hidden in a folder here")
	}
	if err := os.WriteFile(filepath.Join(b.data, "session.token"), []byte("canary-4711"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := b.bash("cat " + b.data + "/session.token"); !r.Failed || strings.Contains(r.Text, "canary") {
		t.Errorf("the hidden file was read: %s", r.Text)
	}
	want(t, b.bash("echo kept > $HOME/a && echo kept > $TMPDIR/b && cat $HOME/a").Text, "exit code 0", "kept")
	want(t, b.bash("cat $HOME/a $TMPDIR/b").Text, "exit code 0", "kept\nkept")
}

func TestReasonsAreSaidInBothLanguages(t *testing.T) {
	t.Parallel()
	for _, r := range []sandbox.Reason{
		{Landlock: 3},
		{Act: sandbox.ActWrite},
		{Act: sandbox.ActRead},
		{Act: sandbox.ActMode},
		{Act: sandbox.ActNetwork},
		{Act: sandbox.ActLocal},
		{Act: sandbox.ActUnix},
		{Act: sandbox.ActSocket},
		{Act: sandbox.ActEnviron},
		{Act: sandbox.ActTrace},
		{Act: sandbox.ActSignal},
		{Err: sandbox.ErrUnavailable},
		{Err: errors.New("too old")},
	} {
		said := shell.Reason(r)
		if said.EN == "" || said.EN == said.ZH || strings.HasSuffix(said.EN, ": ") || strings.HasSuffix(said.ZH, "：") {
			t.Errorf("%v is said as %+v", r, said)
		}
	}
}

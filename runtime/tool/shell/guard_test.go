package shell_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"society-tui/runtime/tool/shell"
	"society-tui/runtime/workspace"
)

// evil is a part of a command: it makes a file a hook that would run.
func evil(name string) string {
	return "printf '#!/bin/sh\\necho evil\\n' > " + name + "; chmod +x " + name
}

// Commands that run at once are compared with the state before the first of them, so that none
// keeps what another has planted. The result of each names the files restored while it ran.
func TestCommandsAtOnceKeepNoHookOfEachOther(t *testing.T) {
	b := repository(t)
	before := b.tree()
	id := b.background("while true; do " + evil(".git/hooks/pre-commit") + "; touch planted; done")
	b.eventually("the hook", func() bool { return b.content("planted") == "" })
	r := b.bash("cat .git/hooks/pre-commit; sleep 1.2")
	want(t, b.call(t.Context(), shell.BashKill, object{"id": id}).Text, "was put back", ".git/hooks/pre-commit")
	want(t, r.Text, ".git/hooks/pre-commit")
	if after := b.tree(); after != before {
		t.Errorf("left is\n%s\nwant\n%s", after, before)
	}
	if r := b.bash("true"); strings.Contains(r.Text, "put back") {
		t.Error(r.Text)
	}
}

// However many files a command makes, and wherever, no hook and no configuration of its stays.
func TestAFloodOfFilesHidesNoHook(t *testing.T) {
	for name, command := range map[string]string{
		"hooks":                "seq 1 4000 | sed s,^,.git/hooks/x, | xargs touch; " + evil(".git/hooks/pre-commit"),
		"a folder moved there": "mkdir h; seq 1 8000 | sed s,^,h/x, | xargs touch; " + evil("h/pre-commit") + "; mv .git/hooks old; mv h .git/hooks",
		"the folder of git":    evil(".git/hooks/pre-commit") + "; mkdir .git/new; seq 1 9000 | sed s,^,.git/config, | xargs touch",
		"large hooks":          "for i in 1 2 3 4 5 6; do truncate -s 15M .git/hooks/$i; done; " + evil(".git/hooks/pre-commit"),
		"unreadable hooks":     evil(".git/hooks/pre-commit") + "; chmod 111 .git/hooks/pre-commit; chmod 111 .git/hooks",
		"unwritable":           evil(".git/hooks/pre-commit") + "; git config core.pager evil; chmod 555 .git/hooks .git",
		"a pipe":               evil(".git/hooks/pre-commit") + "; rm .git/config; mkfifo .git/config",
	} {
		t.Run(name, func(t *testing.T) {
			b := repository(t)
			before := b.tree()
			r := b.bash(command)
			want(t, r.Text, "was put back", ".git/")
			if strings.Contains(r.Text, "could not be") {
				t.Error(r.Text)
			}
			if name != "the folder of git" { // which leaves its configN, that git reads nothing of
				if after := b.tree(); after != before {
					t.Errorf("left is\n%.2000s\nwant\n%s", after, before)
				}
			}
			aside, err := filepath.Glob(filepath.Join(b.data, "changed-*/.git/hooks*/pre-commit"))
			unwritten := strings.Contains(r.Text, "pre-commit: No such file") // the flood was just being moved away
			if err != nil || len(aside) == 0 && !unwritten {
				t.Errorf("aside is no hook: %v, %s", err, r.Text)
			}
			if _, err := os.Lstat(filepath.Join(b.dir, ".git/hooks/pre-commit")); err == nil {
				t.Error("the hook is there")
			}
			b.git("status")
		})
	}
}

// Submodules stay when the folder that git keeps for them is flooded.
func TestAFloodLeavesSubmodules(t *testing.T) {
	b := repository(t)
	for _, name := range []string{"a", "b/c"} {
		b.git("init", "-q", "--bare", ".git/modules/"+name)
	}
	before := b.tree()
	r := b.bash("seq 1 5100 | sed s,^,.git/modules/, | xargs mkdir; echo x > .git/modules/a/config")
	if after := b.tree(); after != before {
		t.Errorf("left is\n%.2000s\nwant\n%s\nafter %s", after, before, r.Text)
	}
	for _, name := range []string{"a", "b/c"} {
		b.git("--git-dir="+filepath.Join(b.dir, ".git/modules", name), "count-objects")
	}
}

// Repositories further down are guarded as that of the workspace, and one that a command makes
// keeps nothing that git would run.
func TestRepositoriesFurtherDownAreGuarded(t *testing.T) {
	for name, c := range map[string]struct{ before, command, gone string }{
		"a hook of one":          {"sub", evil("sub/.git/hooks/pre-commit"), "sub/.git/hooks/pre-commit"},
		"in an ignored folder":   {"node_modules/x", evil("node_modules/x/.git/hooks/pre-commit"), "node_modules/x/.git/hooks/pre-commit"},
		"a filter of a new one":  {"", "git init -q new; git -C new config filter.x.clean ./evil.sh", "new/.git/config"},
		"an alias of a new one":  {"", "git init -q new; git -C new config alias.st '!evil'", "new/.git/config"},
		"an address that runs":   {"", "git init -q new; git -C new remote add origin 'ext::sh -c evil'", "new/.git/config"},
		"a hook of a new one":    {"", "git init -q new; " + evil("new/.git/hooks/pre-commit"), "new/.git/hooks/pre-commit"},
		"a bare one":             {"", "git init -q --bare new; git -C new config core.fsmonitor ./evil.sh", "new/config"},
		"the workspace as a one": {"", "mkdir objects refs; cp .git/HEAD .; echo '[core] fsmonitor=./evil.sh' > config", "config"},
		"a file that leads":      {"", "mkdir new; git init -q --bare x; echo gitdir: ../x > new/.git", "new/.git"},
		"a link that leads":      {"", "mkdir new; git init -q --bare x; ln -s ../x new/.git", "new/.git"},
	} {
		t.Run(name, func(t *testing.T) {
			b := repository(t)
			b.write(".gitignore", "node_modules\n")
			if c.before != "" {
				b.git("init", "-q", c.before)
			}
			want(t, b.bash(c.command).Text, "was put back", c.gone)
			if _, err := os.Lstat(filepath.Join(b.dir, c.gone)); err == nil {
				t.Errorf("%s is there: %s", c.gone, b.content(c.gone))
			}
		})
	}
}

// What git and who clones and commits writes stays in a new repository further down.
func TestAnOrdinaryNewRepositoryFurtherDownStays(t *testing.T) {
	b := repository(t)
	r := b.bash("git init -q -b main new && cd new && git config user.name a && git config user.email a@example.test && git remote add origin https://example.test/x.git && git config branch.main.remote origin && git config branch.main.merge refs/heads/main && git commit -q --allow-empty -m begin")
	if strings.Contains(r.Text, "put back") || r.Failed {
		t.Error(r.Text)
	}
	want(t, b.content("new/.git/config"), "https://example.test/x.git")
	if r := b.bash("rm -rf new"); strings.Contains(r.Text, "put back") {
		t.Errorf("to delete it is told as %s", r.Text)
	}
}

// Where the configuration of git leads in the workspace is guarded as its own folders are.
func TestWhatTheConfigurationLeadsToIsGuarded(t *testing.T) {
	for name, c := range map[string]struct{ key, value, file string }{
		"hooks":              {"core.hooksPath", ".husky", ".husky/pre-commit"},
		"hooks that lead on": {"core.hooksPath", ".husky/_", ".husky/pre-commit"},
		"an included file":   {"include.path", "../shared.config", "shared.config"},
	} {
		t.Run(name, func(t *testing.T) {
			b := repository(t)
			b.write(c.file, "[user]\n")
			b.git("config", c.key, c.value)
			want(t, b.bash("echo evil > "+c.file).Text, "was put back", c.file)
			if got := b.content(c.file); got != "[user]\n" {
				t.Errorf("it is %q", got)
			}
		})
	}
}

// Where not all of a workspace could be looked at, the result says so.
func TestAWorkspaceThatIsTooLargeToBeSearchedIsTold(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("it takes 50,000 files: set SOCIETY_LONG to run it")
	}
	b := repository(t)
	r := b.bash("mkdir d; cd d; seq 1 50100 | xargs touch")
	want(t, r.Text, "too many files for all git repositories")
}

// What a command plants is not taken for an edit because its agent has edited the file before, and
// has read it since.
func TestAHookThatItsAgentHasReadIsNoEdit(t *testing.T) {
	b := repository(t)
	in, err := b.set.Of("t1", "")
	if err != nil {
		t.Fatal(err)
	}
	const hook = ".git/hooks/pre-commit"
	b.write(hook, "good\n")
	in.Changed("coder-1", hook)
	in.Edited(hook, workspace.Hash([]byte("good\n")))
	b.by.Output = func([]byte) {
		in.See("coder-1", hook, []byte("evil\n"), workspace.Hash([]byte("evil\n")))
		b.write("go", "")
	}
	want(t, b.bash("echo evil > "+hook+"; echo begun; while ! test -e go; do sleep 0.05; done").Text, "was put back")
	if got := b.content(hook); got != "good\n" {
		t.Errorf("the hook is %q", got)
	}
}

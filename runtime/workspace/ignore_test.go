//go:build linux || darwin

package workspace_test

import (
	"context"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/workspace"
)

// A walk leaves out what git leaves out, by git's own word.
func TestAWalkLeavesOutWhatGitIgnores(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("this needs git")
	}
	rules := []string{
		"*.log", "a", "/a", "b/", "*", "!*.go", "!a/", "*/", "b/*.go", "/b/**", "**/c", "a/**/c", "**/b/", "[ab]", "?", "*.g[o]", "!/c", `\a`, "a ", "# a", "", "c.go", "*.{go,log}", "!b/c", "a.*",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	some := func() string {
		var lines []string
		for range 1 + rng.IntN(4) {
			lines = append(lines, rules[rng.IntN(len(rules))])
		}
		return strings.Join(lines, "\n") + "\n"
	}
	for range 20 {
		f, dir := folder(t)
		names := []string{"a", "b", "c", "a.go", "c.log", "c.go"}
		for _, below := range []string{"", "a.d/", "b.d/", "d/b/", "d/c/a.d/", "e/b/c/"} {
			for _, name := range names {
				put(t, filepath.Join(dir, below, name), "x")
			}
		}
		top, deep := some(), some()
		put(t, filepath.Join(dir, ".gitignore"), top)
		put(t, filepath.Join(dir, "d/.gitignore"), deep)
		run := exec.Command(git, "-c", "core.excludesFile=", "init", "-q", dir)
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("git init: %v: %s", err, out)
		}
		run = exec.Command(git, "-c", "core.excludesFile=", "-C", dir, "ls-files", "-o", "--exclude-standard")
		out, err := run.Output()
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Fields(string(out))
		var got []string
		err = f.Walk(context.Background(), ".", false, func(e workspace.Entry) error {
			if !e.Info.IsDir() {
				got = append(got, e.Name)
			}
			return nil
		})
		slices.Sort(got)
		slices.Sort(want)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("with %q, and %q in d, a walk meets\n%q, %v, git has\n%q", top, deep, got, err, want)
		}
	}
}

package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Case 19: an edit of what another agent has changed is refused and made again, so that
// none is lost.
func TestTwoAgentsEditOneFileAndNoEditIsLost(t *testing.T) {
	t.Parallel()
	each := 50
	if os.Getenv("SOCIETY_LONG") != "" {
		each = 500
	}
	var lines strings.Builder
	for i := range 2 * each {
		fmt.Fprintf(&lines, "line %d open\n", i)
	}
	b := newBench(t, map[string]string{"a": lines.String()})
	stale := [2]int{}
	var agents sync.WaitGroup
	for agent := range 2 {
		agents.Go(func() {
			by := b.by()
			by.Agent = fmt.Sprint("agent-", agent)
			for i := range each {
				a := args{"path": "a", "old_string": fmt.Sprintf("line %d open\n", 2*i+agent), "new_string": fmt.Sprintf("line %d done\n", 2*i+agent)}
				for {
					r, err := b.tools[Edit].Call(context.Background(), by, a.raw())
					if err != nil {
						t.Error(err)
						return
					}
					if !r.Failed {
						break
					}
					var f failure
					if json.Unmarshal([]byte(r.Text), &f) != nil || f.Code != "stale" && f.Code != "not_read" {
						t.Errorf("edit %d of %s: %s", i, by.Agent, r.Text)
						return
					}
					stale[agent]++
				}
			}
		})
	}
	agents.Wait()
	b.is("a", strings.ReplaceAll(lines.String(), "open", "done"))
	t.Logf("%d edits, %d of them were made again", 2*each, stale[0]+stale[1])
}

// median runs f some times and returns how long it took, as a rule.
func median(times int, f func(i int)) time.Duration {
	var took []time.Duration
	for i := range times {
		begun := time.Now()
		f(i)
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	return took[times/2]
}

func figure(t *testing.T, what string, took, most time.Duration) {
	t.Helper()
	t.Logf("%s: %s (at most %s)", what, took, most)
	if took > most {
		t.Errorf("%s took %s, at most %s", what, took, most)
	}
}

func long(t *testing.T) {
	t.Helper()
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("set SOCIETY_LONG=1 to measure")
	}
}

func TestFiguresOfDiffsAndEdits(t *testing.T) {
	long(t)
	var before, after strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&before, "line %d of the file, with some text\n", i)
		if i%50 != 7 {
			fmt.Fprintf(&after, "line %d of the file, with some text\n", i)
		} else {
			fmt.Fprintf(&after, "another line %d\nand one more\n", i)
		}
	}
	old := before.String()
	for what, now := range map[string]string{"800 added": after.String(), "all of them other": strings.ReplaceAll(old, "line", "row")} {
		figure(t, "diff of 20,000 lines, "+what, median(5, func(int) { unified("a", old, now) }), 100*time.Millisecond)
	}
	b := newBench(t, map[string]string{"a": old[:20_000]})
	b.ok(Read, args{"path": "a"})
	edits := median(200, func(i int) {
		a := args{"path": "a", "old_string": fmt.Sprintf("line %d of", i), "new_string": fmt.Sprintf("row %d of", i)}
		if _, err := b.plan(Edit, a); err != nil {
			t.Fatal(err)
		}
		b.ok(Edit, a)
	})
	content := []byte(old[:20_000])
	syncs := median(200, func(i int) { // the same steps on the disk, and nothing else
		f, err := os.Create(filepath.Join(b.dir, "new"))
		if err == nil {
			_, err = f.Write(content)
			err = errors.Join(err, f.Sync(), f.Close(), os.Rename(filepath.Join(b.dir, "new"), filepath.Join(b.dir, "b")))
		}
		if d, openErr := os.Open(b.dir); openErr == nil {
			err = errors.Join(err, d.Sync(), d.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("an edit with its plan: %s, of which the disk: %s", edits, syncs)
	figure(t, "an edit beside its sync", edits-syncs, 2*time.Millisecond)
}

func TestFigureOfGrepIn50000Files(t *testing.T) {
	long(t)
	b := newBench(t, map[string]string{".gitignore": strings.Repeat("*.out\nbuilt\n/here/*.tmp\n", 30)})
	var content strings.Builder
	for i := range 55 {
		fmt.Fprintf(&content, "line %d of the file, with some text\n", i)
	}
	for i := range 50_000 {
		b.put(fmt.Sprintf("%d/%d", i/500, i), content.String())
	}
	for _, a := range []args{{"pattern": "nothing like it"}, {"pattern": `row \d+ of$`}, {"pattern": "(?i)Nothing.*it"}, {"pattern": "line 19 of", "mode": "count"}} {
		figure(t, fmt.Sprintf("grep of 50,000 files for %v", a), median(3, func(int) { b.ok(Grep, a) }), 2*time.Second)
	}
	// Without a text that it must hold, each file is matched.
	figure(t, "grep of 50,000 files for four digits", median(3, func(int) { b.ok(Grep, args{"pattern": `\d\d\d\d`}) }), grepTime)
}

// The sources of Go are searched, at most three times as slowly as by a program that is
// made for it.
func TestFigureOfGrepBesideOtherPrograms(t *testing.T) {
	long(t)
	said, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip(err)
	}
	sources := strings.TrimSpace(string(said))
	b := newBench(t, nil)
	n := 0
	err = filepath.WalkDir(sources, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !strings.HasSuffix(path, ".go") || n == 10_000 {
			return err
		}
		n++
		content, err := os.ReadFile(path)
		b.put(strings.TrimPrefix(path, sources), string(content))
		return err
	})
	if err != nil || n < 10_000 {
		t.Skipf("there are %d files, %v", n, err)
	}
	run := func(name string, args ...string) {
		c := exec.Command(name, args...)
		c.Dir = b.dir
		_ = c.Run() // finding nothing is a failure to it
	}
	run("git", "init", "-q")
	run("git", "add", "-A")
	for _, pattern := range []string{"nothing like it at all", "zebra.*quux"} {
		ours := median(7, func(int) { b.ok(Grep, args{"pattern": pattern}) })
		for _, other := range [][]string{{"rg", "-n", pattern}, {"git", "grep", "-n", pattern}} {
			if _, err := exec.LookPath(other[0]); err == nil {
				theirs := median(7, func(int) { run(other[0], other[1:]...) })
				t.Logf("%q: %s takes %s, grep %.1f times as long", pattern, other[0], theirs, float64(ours)/float64(theirs))
				figure(t, fmt.Sprintf("grep of 10,000 files for %q", pattern), ours, 3*theirs)
			}
		}
	}
}

package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Case 19: an edit of what another agent has changed is refused and made again, so that
// none is lost.
func TestTwoAgentsEditOneFileAndNoEditIsLost(t *testing.T) {
	t.Parallel()
	each := 100
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

func TestFiguresOfFiles(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("set SOCIETY_LONG=1 to measure")
	}
	var before, after strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&before, "line %d of the file, with some text\n", i)
		if i%50 != 7 {
			fmt.Fprintf(&after, "line %d of the file, with some text\n", i)
		} else {
			fmt.Fprintf(&after, "another line %d\nand one more\n", i)
		}
	}
	begun := time.Now()
	diff := unified("a", before.String(), after.String())
	added, removed := counted(diff)
	t.Logf("diff of 20,000 lines, +%d −%d: %s", added, removed, time.Since(begun))
	begun = time.Now()
	added, removed = counted(unified("a", before.String(), strings.ReplaceAll(before.String(), "line", "row")))
	t.Logf("diff of 20,000 lines, all of them other, +%d −%d: %s", added, removed, time.Since(begun))
	b := newBench(t, nil)
	for i := range 50_000 {
		dir := filepath.Join(b.dir, fmt.Sprint(i/500))
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(before.String()[:2000]), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range []args{{"pattern": "nothing like it"}, {"pattern": `row \d+ of$`}, {"pattern": "line 19 of", "mode": "count"}} {
		begun = time.Now()
		b.ok(Grep, a)
		t.Logf("grep of 50,000 files for %v: %s", a, time.Since(begun))
	}
}

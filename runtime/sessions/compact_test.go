package sessions_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

const canary = "the canary sings at midnight"

// ended is a society in which an agent was terminated that a canary was told.
func ended(t *testing.T) *place {
	t.Helper()
	p := crowd(t, 30)
	p.do(society.Send{To: "worker-1", Text: canary})
	p.terminate("worker-1")
	return p
}

func (p *place) terminate(id society.AgentID) {
	p.t.Helper()
	below := append([]society.AgentID{}, p.s.Subtree(id)...)
	p.do(society.Terminate{Agent: id, By: society.User})
	p.do(society.Halted{Agents: below})
}

// tidied leaves the society: what Tidy returns, with the store closed.
func (p *place) tidied(ctx context.Context) (large string, err error) {
	p.t.Helper()
	large, err = sessions.Opened{Store: p.store}.Tidy(ctx)
	if closed := p.store.Close(); closed != nil {
		p.t.Fatal(closed)
	}
	return large, err
}

// reopen opens the store again.
func (p *place) reopen() {
	p.t.Helper()
	store, err := boltdb.Open(p.path)
	if err != nil {
		p.t.Fatal(err)
	}
	p.store = store
}

func TestTidyRemovesBytesOfTerminatedAgents(t *testing.T) {
	t.Parallel()
	p := ended(t)
	if large, err := p.tidied(t.Context()); large != "" || err != nil {
		t.Fatalf("%q, %v", large, err)
	}
	if inFile(t, p.path, canary) {
		t.Error("the file holds what the terminated was told")
	}
	if err := sessions.Check(p.path); err != nil {
		t.Error(err)
	}
}

// stat is which file it is, with all that is in it.
func content(t *testing.T, path string) (os.FileInfo, []byte) {
	t.Helper()
	stat, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return stat, all
}

// Where nothing was terminated since, leaving writes nothing anew.
func TestTidyCompactsOnlyAfterATermination(t *testing.T) {
	t.Parallel()
	p := crowd(t, 30)
	leave := func(what string, compacts bool) {
		t.Helper()
		before, _ := content(t, p.path)
		if _, err := p.tidied(t.Context()); err != nil {
			t.Fatal(err)
		}
		if after, _ := content(t, p.path); os.SameFile(before, after) == compacts {
			t.Errorf("%s: compacted is %t", what, !compacts)
		}
		p.reopen()
	}
	leave("nobody was ever terminated", false)
	p.terminate("worker-1")
	leave("after a termination", true)
	leave("at once again", false)
	p.do(society.Send{To: society.Root, Text: "hello"})
	leave("after ordinary work", false)
	p.terminate("worker-2")
	p.terminate("worker-3")
	leave("after two more", true)
	p.terminate("worker-4")
	if err := p.store.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := sessions.Compact(p.path); err != nil {
		t.Fatal(err)
	}
	p.reopen()
	leave("after compact by hand", false)
}

// A program that dies, or has no time, before its file is compacted does so the next time.
func TestPendingCompactionIsRemembered(t *testing.T) {
	t.Parallel()
	for name, dies := range map[string]func(p *place){
		"it is not done": func(p *place) {
			if err := p.store.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"there is no time": func(p *place) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, before := content(t, p.path)
			if _, err := p.tidied(ctx); !errors.Is(err, context.Canceled) {
				t.Fatalf("given up with %v", err)
			}
			if _, after := content(t, p.path); !bytes.Equal(before, after) && len(after) < len(before) {
				t.Errorf("the file has %d bytes of %d", len(after), len(before))
			}
		},
	} {
		p := ended(t)
		dies(p)
		if !inFile(t, p.path, canary) {
			t.Fatalf("%s: the canary is gone already: this shows nothing", name)
		}
		p.reopen()
		if _, err := p.tidied(t.Context()); err != nil {
			t.Fatal(err)
		}
		if inFile(t, p.path, canary) {
			t.Errorf("%s: the file still holds what the terminated was told", name)
		}
	}
}

// Of a store from before this was remembered it is not known: one with terminations is
// compacted once.
func TestOldFileWithTerminationsIsCompactedOnce(t *testing.T) {
	t.Parallel()
	p := ended(t)
	if _, err := p.tidied(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.reopen()
	bucket, key, _ := tables.Clean()
	if err := p.store.Update(func(tx storage.Tx) error { return tx.Delete(bucket, key) }); err != nil {
		t.Fatal(err)
	}
	for _, compacts := range []bool{true, false} {
		before, _ := content(t, p.path)
		if _, err := p.tidied(t.Context()); err != nil {
			t.Fatal(err)
		}
		if after, _ := content(t, p.path); os.SameFile(before, after) == compacts {
			t.Errorf("compacted is %t", !compacts)
		}
		p.reopen()
	}
}

func TestTidyLeavesALargeFile(t *testing.T) {
	t.Parallel()
	p := ended(t)
	for i := range 9 {
		err := p.store.Update(func(tx storage.Tx) error {
			for k := range 8 {
				if err := tx.Put("view", fmt.Appendf(nil, "large-%d-%d", i, k), append([]byte{1}, bytes.Repeat([]byte("x"), storage.MaxValue-1)...)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	before, _ := content(t, p.path)
	large, err := p.tidied(t.Context())
	after, _ := content(t, p.path)
	if err != nil || !os.SameFile(before, after) || after.Size() <= sessions.MaxTidy || large != fmt.Sprintf("%d MiB", after.Size()>>20) {
		t.Errorf("a file of %d bytes: %q, %v", after.Size(), large, err)
	}
}

package repair_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/archive"
	"society-tui/runtime/archive/archivetest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/repair"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// rebuilt rebuilds the society in a store, and returns what was lost.
func rebuilt(t archivetest.TB, store storage.Store) (storage.Store, []error) {
	t.Helper()
	again := memdb.New()
	var lost []error
	err := store.View(func(tx storage.Tx) error {
		content, more, err := repair.Rebuild(tx, protocol.English)
		if err != nil {
			return err
		}
		lost = more
		return archive.Import(again, content)
	})
	if err != nil {
		t.Fatalf("not taken in: %v\nlost: %v", err, lost)
	}
	return again, lost
}

// Of a store whose records are sound nothing is lost: every conversation, message and
// contact is there, at rest.
func TestRebuildKeepsEveryReadableRecord(t *testing.T) {
	t.Parallel()
	p := archivetest.Lively(t, 30)
	again, lost := rebuilt(t, p.Store)
	if len(lost) > 0 {
		t.Errorf("lost: %v", lost)
	}
	rows := func(store storage.Store) (list []string) {
		if err := store.View(func(tx storage.Tx) error {
			return tables.Rows(tx, func(r tables.Row) error {
				if r.Table != "agents" && r.Table != "counters" { // they rest now
					list = append(list, r.String()+string(r.Record))
				}
				return nil
			}, nil)
		}); err != nil {
			t.Fatal(err)
		}
		return list
	}
	if got, want := strings.Join(rows(again), "\n"), strings.Join(rows(p.Store), "\n"); got != want {
		t.Errorf("the rows are\n%s\nwant\n%s", got, want)
	}
}

// A message that a stop has dropped is read as far as the queue goes: it must not make
// the stopped agent an idle one that takes it.
func TestRebuildKeepsAStoppedAgentStopped(t *testing.T) {
	t.Parallel()
	p := archivetest.New(t, 2)
	p.Do(society.Send{To: society.Root, Text: "begin"})
	p.Do(society.Send{To: society.Root, Text: "and this"}) // waits, and is dropped
	p.Do(society.Stop{Agent: society.Root})
	p.Do(society.Halted{Agents: p.State.Agents()})
	again, lost := rebuilt(t, p.Store)
	if len(lost) > 0 {
		t.Errorf("lost: %v", lost)
	}
	if err := again.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		if err != nil {
			return err
		}
		if got := society.Load(society.DefaultLimits(), records).Agent(society.Root); got.Status != society.Stopped || len(got.Mailbox) > 0 {
			t.Errorf("root is %s with %d messages, want stopped with none", got.Status, len(got.Mailbox))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// Whatever rows are gone or garbled, the rest makes a society that holds every
// invariant, in which all conversations that are left can be read, and the losses of
// texts are named.
func TestRebuildMakesASocietyOfAnyRemains(t *testing.T) {
	t.Parallel()
	p := archivetest.Lively(t, 15)
	var keys [][2]string
	if err := p.Store.View(func(tx storage.Tx) error {
		for _, bucket := range []string{"counters", "agents", "roles", "tasks", "tombs", "mail", "later", "said", "contacts", "briefs", "inbox", "spent", "chunks"} {
			for key := range tx.Range(bucket, nil, nil) {
				keys = append(keys, [2]string{bucket, string(key)})
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	whole := archivetest.Written(t, p.Store, func(w io.Writer, tx storage.Tx) error { return archive.WriteJSON(w, tx, archive.Options{}) })
	rapid.Check(t, func(t *rapid.T) {
		store := archivetest.Imported(t, archive.FromJSON(strings.NewReader(whole)))
		victims := rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 1, 60, rapid.ID).Draw(t, "victims")
		gone := map[string]bool{}
		if err := store.Update(func(tx storage.Tx) error {
			for _, v := range victims {
				gone[v[0]+v[1]] = true
				switch rapid.IntRange(0, 2).Draw(t, "how") {
				case 0:
					if err := tx.Delete(v[0], []byte(v[1])); err != nil {
						return err
					}
				case 1:
					if err := tx.Put(v[0], []byte(v[1]), []byte{1, 0, '{', 0xff}); err != nil {
						return err
					}
				default:
					if err := tx.Put(v[0], []byte(v[1]), []byte("\x01\x00{}")); err != nil {
						return err
					}
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		again, lost := rebuilt(t, store)
		if err := again.View(func(tx storage.Tx) error {
			records, err := tables.Load(tx)
			if err != nil {
				return err
			}
			s := society.Load(society.DefaultLimits(), records)
			for _, id := range s.Agents() {
				if s.Agent(id).Turn != nil || s.Agent(id).Status.Active() {
					return fmt.Errorf("%s is at work", id)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for _, v := range victims {
			if v[0] == "agents" && len(lost) == 0 {
				t.Fatalf("%q was lost without a word", v)
			}
		}
		checkWaiting(t, p.Store, again, gone)
	})
}

// checkWaiting checks that each message that waited and is not among the lost waits
// still.
func checkWaiting(t archivetest.TB, before, after storage.Store, gone map[string]bool) {
	t.Helper()
	if err := before.View(func(old storage.Tx) error {
		return after.View(func(tx storage.Tx) error {
			letters, err := tables.WaitingFor(old, "worker-2")
			if err != nil {
				return err
			}
			for _, l := range letters {
				key := fmt.Sprintf("mailworker-2\x00%s", big(l.Seq))
				if gone[key] {
					continue
				}
				now, err := tables.WaitingFor(tx, "worker-2")
				if err != nil {
					return err
				}
				found := false
				for _, n := range now {
					found = found || n.Seq == l.Seq && n.Body == l.Body
				}
				if !found {
					return fmt.Errorf("message %d to worker-2 does not wait any more", l.Seq)
				}
			}
			return nil
		})
	}); err != nil {
		t.Fatal(err)
	}
}

func big(n uint64) string {
	return string([]byte{byte(n >> 56), byte(n >> 48), byte(n >> 40), byte(n >> 32), byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
}

func TestRebuildRefusesAnEmptyStore(t *testing.T) {
	t.Parallel()
	if err := memdb.New().View(func(tx storage.Tx) error {
		_, _, err := repair.Rebuild(tx, protocol.English)
		return err
	}); err == nil {
		t.Error("a society was made of nothing")
	}
}

// The children of a completely lost agent move below root, and the report mentions it.
func TestRebuildGivesOrphansToRoot(t *testing.T) {
	t.Parallel()
	p := archivetest.Lively(t, 60)
	var child, parent society.AgentID
	for _, id := range p.State.Agents() {
		if a := p.State.Agent(id); a.Depth == 2 {
			child, parent = id, a.Parent
		}
	}
	if err := p.Store.Update(func(tx storage.Tx) error {
		var keys [][2]string
		for _, bucket := range []string{"agents", "mail", "said"} {
			for key := range tx.Range(bucket, []byte(parent), []byte(parent+"\x01")) {
				keys = append(keys, [2]string{bucket, string(key)})
			}
		}
		for _, k := range keys {
			if err := tx.Delete(k[0], []byte(k[1])); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	again, lost := rebuilt(t, p.Store)
	if err := again.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		s := society.Load(society.DefaultLimits(), records)
		if s.Agent(parent) != nil || s.Agent(child) == nil || s.Agent(child).Parent != society.Root {
			t.Errorf("%s is a child of %+v", child, s.Agent(child))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(lost); !strings.Contains(text, fmt.Sprintf("whose child %s was", child)) {
		t.Errorf("it is not said: %s", text)
	}
}

// What was set aside stays so where the record of its agent is lost: its model is sent none
// of it.
func TestRebuildKeepsWhatWasSetAside(t *testing.T) {
	t.Parallel()
	p := archivetest.New(t, 4)
	p.Do(society.Answered{Work: p.Thinks("worker-2"), Text: "at rest"})
	for _, text := range []string{"one", "two"} {
		p.Do(society.Send{To: "worker-2", Text: text})
		p.Do(society.Answered{Work: p.Thinks("worker-2"), Text: "answer to " + text})
	}
	p.Rewind("worker-2")
	before := p.State.Agent("worker-2").Tail.Count
	if err := p.Store.Update(func(tx storage.Tx) error { return tx.Put("agents", []byte("worker-2"), []byte("\x01\x00torn")) }); err != nil {
		t.Fatal(err)
	}
	again, _ := rebuilt(t, p.Store)
	var entries []conversation.Entry
	var records society.Records
	if err := again.View(func(tx storage.Tx) (err error) {
		if records, err = tables.Load(tx); err == nil {
			entries, err = tables.Entries(tx, "worker-2", 0, 0)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	aside := 0
	for _, e := range entries {
		if !e.SetAside.IsZero() {
			aside++
		}
	}
	if aside != 2 {
		t.Errorf("%d entries are set aside, want 2", aside)
	}
	for _, a := range records.Agents {
		if a.ID == "worker-2" && a.Tail.Count != before {
			t.Errorf("its context has %d entries, want %d", a.Tail.Count, before)
		}
	}
}

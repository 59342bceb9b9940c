package sessions_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
	"society-tui/runtime/society/societytest"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// A place is a society with its file.
type place struct {
	t     *testing.T
	path  string
	s     *society.State
	store *boltdb.Store
	at    time.Time
}

func crowd(t *testing.T, agents int) *place {
	t.Helper()
	s, events, err := societytest.Crowd(agents)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "society.db")
	store, err := boltdb.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, path: path, s: s, store: store, at: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	t.Cleanup(p.close)
	p.record(events)
	return p
}

func (p *place) close() {
	if err := p.store.Close(); err != nil {
		p.t.Error(err)
	}
}

func (p *place) record(events []society.Event) {
	p.t.Helper()
	err := p.store.Update(func(tx storage.Tx) error { return tables.Record(tx, p.s, events, p.s.TakeChanged()) })
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) do(cmd society.Command) {
	p.t.Helper()
	p.at = p.at.Add(time.Second)
	events, _, err := p.s.Advance(p.at, cmd)
	if err != nil {
		p.t.Fatalf("%T: %v", cmd, err)
	}
	p.record(events)
}

// work lets an agent answer what it is asked, and its tools return.
func (p *place) work(id society.AgentID, text string, calls ...conversation.Call) {
	p.t.Helper()
	for _, w := range p.s.OwedBy(id) {
		if w.Kind() == society.ThinkStep {
			p.do(society.Answered{Work: w.(society.Think), Text: text, Calls: calls})
		}
	}
	for _, w := range p.s.OwedBy(id) {
		if w.Kind() == society.ActStep {
			p.do(society.ToolDone{Work: w.(society.Act), Text: text, Outcome: conversation.OK})
		}
	}
}

// P15 of a termination, to the byte: after a termination and the deletion that follows it, no
// page that is in use holds a private word of the ended, and after compact the whole
// file does not.
func TestS001P15NoByteOfTheErasedIsLeftInTheFile(t *testing.T) {
	t.Parallel()
	p := crowd(t, 60)
	const words = "xyzzy" // begins every private word, and nothing else
	word := func(of string, n int) string { return fmt.Sprintf("%s-%s-%d-", words, of, n) }
	dead := append([]society.AgentID{}, p.s.Subtree("worker-1")...)
	for _, id := range dead {
		for i := range 4 {
			large := strings.Repeat(" ", 1+i*200_000) // the last ones are kept in parts
			p.do(society.Send{To: id, Text: word("told", i) + large + word("told", i)})
			p.work(id, word("said", i)+large, conversation.Call{ID: fmt.Sprint("call-", i), Name: "write", Arguments: `{"x":"` + word("wrote", i) + `"}`})
		}
		if i := p.s.Agent(id); i == nil {
			t.Fatalf("%s is gone", id)
		}
	}
	p.do(society.Rename{Agent: "worker-1", Name: words})
	if !inFile(t, p.path, words) {
		t.Fatal("the words are not in the file while they should be: this test shows nothing")
	}
	p.do(society.Terminate{Agent: "worker-1", By: society.User})
	p.do(society.Halted{Agents: dead})
	for left := true; left; {
		if err := p.store.Update(func(tx storage.Tx) (err error) {
			left, err = tables.Sweep(tx, 50)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.store.Close(); err != nil {
		t.Fatal(err)
	}

	lost, err := boltdb.Salvage(p.path, func(bucket string, key, value []byte) {
		if bytes.Contains(key, []byte(words)) || bytes.Contains(value, []byte(words)) {
			t.Errorf("%s %q still holds a word", bucket, key)
		}
		for _, id := range dead {
			if bytes.HasPrefix(key, append([]byte(id), 0)) {
				t.Errorf("%s still has %q", bucket, key)
			}
		}
	})
	if err != nil || len(lost) > 0 {
		t.Fatal(err, lost)
	}
	if !inFile(t, p.path, words) {
		t.Log("bbolt had cleared the free pages: compact has nothing to show here")
	}
	before := sizeOf(t, p.path)
	if _, _, err := sessions.Compact(p.path); err != nil {
		t.Fatal(err)
	}
	if inFile(t, p.path, words) {
		t.Error("the compacted file still holds a word of the erased")
	}
	if after := sizeOf(t, p.path); after > before/4 {
		t.Errorf("the file had %d bytes and has %d", before, after)
	}
	if err := sessions.Check(p.path); err != nil {
		t.Error(err)
	}
}

// Compact ends a deletion that was under way when the program ended.
func TestCompactFinishesAnInterruptedDeletion(t *testing.T) {
	t.Parallel()
	p := crowd(t, 30)
	p.do(society.Send{To: "worker-1", Text: "xyzzy"})
	dead := append([]society.AgentID{}, p.s.Subtree("worker-1")...)
	p.do(society.Terminate{Agent: "worker-1", By: society.User})
	p.do(society.Halted{Agents: dead})
	if err := p.store.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := sessions.Compact(p.path); err != nil {
		t.Fatal(err)
	}
	if inFile(t, p.path, "xyzzy") {
		t.Error("a word of the erased is left")
	}
}

// The draft to an agent goes with it, and what is kept as nothing is not kept.
func TestTheDraftToATerminatedAgentGoesWithIt(t *testing.T) {
	t.Parallel()
	p := crowd(t, 30)
	keep := func(name, value string) {
		t.Helper()
		if err := p.store.Update(func(tx storage.Tx) error { return tables.Keep(tx, name, []byte(value)) }); err != nil {
			t.Fatal(err)
		}
	}
	keep(tables.DraftPrefix+"worker-1", "half a sentence")
	keep(tables.DraftPrefix+"worker-2", "another")
	p.terminate("worker-1")
	if err := p.store.Update(func(tx storage.Tx) error {
		_, err := tables.Sweep(tx, 10_000)
		return errors.Join(err, tables.Keep(tx, "nothing", nil))
	}); err != nil {
		t.Fatal(err)
	}
	var names []string
	if err := p.store.View(func(tx storage.Tx) error {
		for name := range tx.Range("view", nil, nil) {
			names = append(names, string(name))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(names, []string{tables.DraftPrefix + "worker-2"}) {
		t.Errorf("kept are %q", names)
	}
}

func inFile(t *testing.T, path, word string) bool {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(content, []byte(word))
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	stat, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return stat.Size()
}

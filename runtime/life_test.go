package runtime_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/society/societytest"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// A long life makes and ends agents who are written to and answer, by the rules, into
// a file. After it, as in the middle, the file is in proportion to what is still in
// it, and what a start reads and keeps to who is still there and who was: neither
// hangs on how much was said. It sees 5,000 messages and 100 agents; 1,000,000 and
// 10,000 with SOCIETY_LONG=1, which takes some minutes. It runs alone, as it looks at the
// heap.
func TestALongLifeStaysInProportion(t *testing.T) {
	const generation = 20
	generations, talks := 5, 24
	if os.Getenv("SOCIETY_LONG") != "" {
		generations, talks = 500, 50
	}
	store, err := boltdb.Open(filepath.Join(t.TempDir(), "society.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	l := &longLife{t: t, store: store, s: society.New(societytest.Limits(generation + 1)), at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	l.do(society.Found{Lang: protocol.English, Role: "organiser", Prompt: "Organise."})
	begun := time.Now()
	for n := range generations {
		l.generation(n, generation, talks)
		if n+1 == generations/5 || n+1 == generations {
			l.looks(time.Since(begun))
		}
	}
	if want := generations * generation; l.ended != want || l.messages < 2*want*talks {
		t.Fatalf("%d messages and %d agents who have ended, of %d", l.messages, l.ended, want)
	}
}

type longLife struct {
	t               *testing.T
	store           *boltdb.Store
	s               *society.State
	at              time.Time
	events          []society.Event
	messages, ended int
}

// do carries a command out. Hundreds of events go with one commit.
func (l *longLife) do(cmd society.Command) []society.Event {
	l.t.Helper()
	events, _, err := l.s.Advance(l.at, cmd)
	if err != nil {
		l.t.Fatalf("%T: %v", cmd, err)
	}
	for _, e := range events {
		switch e := e.(type) {
		case society.MessageQueued, society.MessageToUser:
			l.messages++
		case society.Erased:
			l.ended += len(e.Tombs)
		}
	}
	if l.events = append(l.events, events...); len(l.events) > 500 {
		l.commit()
	}
	return events
}

// commit writes what has happened, and deletes some of what the ended have left.
func (l *longLife) commit() (left bool) {
	l.t.Helper()
	err := l.store.Update(func(tx storage.Tx) (err error) {
		if err = tables.Record(tx, l.s, l.events, l.s.TakeChanged()); err == nil {
			left, err = tables.Sweep(tx, 2000)
		}
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	l.events = nil
	return left
}

// answers lets an agent answer for as long as its model is to be asked.
func (l *longLife) answers(id society.AgentID, text string, calls ...conversation.Call) (events []society.Event) {
	l.t.Helper()
	for thinks := true; thinks; calls = nil {
		thinks = false
		for _, w := range l.s.OwedBy(id) {
			if w.Kind() == society.ThinkStep {
				thinks = true
				events = append(events, l.do(society.Answered{Work: w.(society.Think), Text: text, Calls: calls, Usage: society.Usage{Input: 100, Output: 20}})...)
			}
		}
	}
	return events
}

// generation makes root spawn agents, to which the user talks, and ends them.
func (l *longLife) generation(n, agents, talks int) {
	l.t.Helper()
	l.at = l.at.Add(time.Minute)
	calls := []conversation.Call{}
	if n == 0 {
		calls = append(calls, conversation.Call{ID: "role", Name: "create_role", Arguments: `{"name":"worker","rolePrompt":"Work."}`})
	}
	for i := range agents {
		calls = append(calls, conversation.Call{ID: fmt.Sprint("spawn-", i), Name: "spawn_agent", Arguments: assignment(i)})
	}
	l.do(society.Send{To: society.Root, Text: "All of you: work."})
	var made []society.AgentID
	for _, e := range l.answers(society.Root, "I get help.", calls...) {
		if e, ok := e.(society.AgentMade); ok {
			made = append(made, e.Agent.ID)
		}
	}
	answer := strings.Repeat("what was found ", 12)
	for _, id := range made {
		l.answers(id, answer)
		for range talks {
			l.do(society.Send{To: id, Text: "And what else is there? " + answer})
			l.answers(id, answer)
		}
	}
	l.answers(society.Root, "They have done it.")
	for _, id := range made {
		for _, e := range l.do(society.Terminate{Agent: id, By: society.User}) {
			if e, ok := e.(society.TerminationBegun); ok {
				l.do(society.Halted{Agents: e.Agents})
			}
		}
	}
}

func assignment(n int) string {
	b, err := json.Marshal(map[string]any{"roleId": "role-worker", "taskBrief": map[string]any{
		"objective": fmt.Sprintf("read part %d", n), "constraints": []string{}, "inputs": "a text", "outputs": "a list", "completion_criteria": "all is listed",
	}})
	if err != nil {
		panic(err) // strings only
	}
	return string(b)
}

// looks holds the file, and what a start reads and keeps, to what there is.
func (l *longLife) looks(took time.Duration) {
	l.t.Helper()
	for l.commit() {
	}
	rows, content := map[string]int{}, 0
	err := l.store.View(func(tx storage.Tx) error {
		return tables.Rows(tx, func(r tables.Row) error {
			rows[r.Table]++
			content += len(r.Record) + len(r.ID) + len(r.Contact) + 8
			return nil
		}, nil)
	})
	if err != nil {
		l.t.Fatal(err)
	}
	size, err := l.store.Size()
	if err != nil {
		l.t.Fatal(err)
	}
	if most := int64(5*content/2 + 32<<20); size > most {
		l.t.Errorf("with %d bytes in it the file has %d, more than %d", content, size, most)
	}
	_, keys, start := l.loads()
	kept := rows["agents"] + rows["contacts"] + rows["tombs"] + rows["roles"] + rows["tasks"]
	if most := kept + 10; keys > most {
		l.t.Errorf("a start reads %d keys, more than the %d of who is there and who was", keys, most)
	}
	before := heap()
	records, _, _ := l.loads()
	s := society.Load(l.s.Limits(), records)
	used := int(heap()) - int(before)
	if most := 2048*kept + 1<<20; used > most {
		l.t.Errorf("a start keeps %d bytes, more than %d for %d rows", used, most, kept)
	}
	if err := society.Check(s); err != nil {
		l.t.Error(err)
	}
	goruntime.KeepAlive(records)
	l.t.Logf("%d messages, %d agents made and ended, after %v: %d MiB in the file of %d MiB; a start reads %d keys in %v and keeps %d KiB; rows %v",
		l.messages, l.ended, took.Round(time.Second), content>>20, size>>20, keys, start.Round(time.Millisecond), used>>10, rows)
}

func heap() uint64 {
	var m goruntime.MemStats
	goruntime.GC()
	goruntime.ReadMemStats(&m)
	return m.HeapAlloc
}

func (l *longLife) loads() (r society.Records, keys int, took time.Duration) {
	l.t.Helper()
	begun := time.Now()
	err := l.store.View(func(tx storage.Tx) (err error) {
		counted := counting{Tx: tx, keys: &keys}
		r, err = tables.Load(counted)
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return r, keys, time.Since(begun)
}

// A counting transaction counts the keys that are read.
type counting struct {
	storage.Tx
	keys *int
}

func (c counting) Get(bucket string, key []byte) ([]byte, error) {
	*c.keys++
	return c.Tx.Get(bucket, key)
}

func (c counting) Range(bucket string, from, to []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func([]byte, []byte) bool) {
		for key, value := range c.Tx.Range(bucket, from, to) {
			if *c.keys++; !yield(key, value) {
				return
			}
		}
	}
}

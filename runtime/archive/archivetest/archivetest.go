// Package archivetest leads societies in stores, to be written out and read in again. It
// is for tests alone.
package archivetest

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/archive"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
	"society-tui/runtime/society/societytest"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// TB is the common part of testing.TB and rapid.T.
type TB interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// A Society is one that is led, with the store that it is recorded in.
type Society struct {
	TB    TB
	State *society.State
	Store storage.Store
	At    time.Time
}

// New returns a society of that many agents, all of which think.
func New(t TB, agents int) *Society {
	t.Helper()
	s, events, err := societytest.Crowd(agents)
	if err != nil {
		t.Fatal(err)
	}
	s.SetGroups(map[string]tool.Group{"write": tool.Read}) // every role has it
	p := &Society{TB: t, State: s, Store: memdb.New(), At: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	p.record(events)
	return p
}

// Continue returns the society that a store holds, led on from a time.
func Continue(t TB, store storage.Store, at time.Time) *Society {
	t.Helper()
	return &Society{TB: t, State: Load(t, store), Store: store, At: at}
}

func (p *Society) record(events []society.Event) {
	p.TB.Helper()
	err := p.Store.Update(func(tx storage.Tx) error { return tables.Record(tx, p.State, events, p.State.TakeChanged()) })
	if err != nil {
		p.TB.Fatal(err)
	}
}

// Do carries out what must not be refused, and returns its reply.
func (p *Society) Do(cmd society.Command) any {
	p.TB.Helper()
	p.At = p.At.Add(time.Second)
	events, reply, err := p.State.Advance(p.At, cmd)
	if err != nil {
		p.TB.Fatalf("%T: %v", cmd, err)
	}
	p.record(events)
	return reply
}

// Thinks returns the model call that an agent is owed.
func (p *Society) Thinks(id society.AgentID) society.Think {
	p.TB.Helper()
	for _, w := range p.State.OwedBy(id) {
		if think, ok := w.(society.Think); ok {
			return think
		}
	}
	p.TB.Fatalf("%s does not think", id)
	return society.Think{}
}

// End terminates an agent for the user, whose work has ended at once.
func (p *Society) End(id society.AgentID) {
	p.TB.Helper()
	p.Do(society.Terminate{Agent: id, By: society.User})
	p.Do(society.Halted{Agents: []society.AgentID{id}})
}

// Spawns lets root, which is at rest, make an agent, and returns its id.
func (p *Society) Spawns(role society.RoleID) society.AgentID {
	p.TB.Helper()
	before := p.State.Agents()
	p.Do(society.Send{To: society.Root, Text: "go"})
	p.Do(society.Answered{Work: p.Thinks(society.Root), Calls: []conversation.Call{{ID: "new", Name: "spawn_agent", Arguments: `{"roleId":"` + string(role) +
		`","taskBrief":{"objective":"x","constraints":[],"inputs":"a","outputs":"b","completion_criteria":"c"}}`}}})
	for _, id := range p.State.Agents() {
		if !slices.Contains(before, id) {
			return id
		}
	}
	p.TB.Fatal("no agent was made")
	return ""
}

// Lively returns a society in which all that is stored of agents is there: answers with
// calls, waiting and later messages, a stopped one, an ended one, a paused one,
// edited roles, the user's inbox, texts of all kinds, and of the run of a graph one
// that has ended and one whose branches are open.
func Lively(t TB, agents int) *Society {
	p := New(t, agents)
	p.Do(society.Send{To: "worker-2", Text: "waits: " + Hostile})
	p.Do(society.Answered{Work: p.Thinks("worker-3"), Text: Hostile, Calls: []conversation.Call{
		{ID: "c1", Name: "write", Arguments: `{"text":"` + "```" + `"}`},
		{ID: "c2", Name: "send_message", Arguments: `{"to":"worker-2","payload":"later","delayMs":60000}`},
	}})
	for _, w := range p.State.OwedBy("worker-3") {
		if act, ok := w.(society.Act); ok {
			p.Do(society.ToolDone{Work: act, Text: "result " + Hostile, Outcome: conversation.OK})
		}
	}
	p.Do(society.Send{To: "worker-5", Text: "never read"})
	p.Do(society.Stop{Agent: "worker-5"})
	p.Do(society.Interrupt{Agent: "worker-6"})
	p.Do(society.Answered{Work: p.Thinks("worker-7"), Text: "done\u009b\u202e"})
	p.End("worker-8")
	p.Do(society.EditRole{Role: "role-worker", Prompt: "Work well."})
	p.State.SetGraphs([]graph.Definition{Judging})
	p.Do(society.ChooseGraph{Role: "role-worker", Graph: Judging.Name})
	for n := range 2 {
		p.Do(society.Send{To: "worker-7", Text: fmt.Sprint("judge ", n)})
		for owed := p.State.OwedBy("worker-7"); len(owed) > 0; owed = p.State.OwedBy("worker-7") {
			if n == 1 && owed[0].Item().Run.Node == "law" {
				break // the other branch has ended
			}
			p.Walk(owed[0])
		}
	}
	return p
}

// Judging is a graph with conditions and branches.
var Judging = graph.Definition{
	Name:  "judging",
	Nodes: []graph.Node{{Key: "draft"}, {Key: "facts"}, {Key: "law"}, {Key: "weigh"}, {Key: "again"}},
	Edges: []graph.Edge{{From: "facts", To: "weigh"}, {From: "law", To: "weigh"}, {From: "weigh", To: "again", Question: "Is it to be weighed again?"}},
	FanOuts: []graph.FanOut{{
		From: "draft", Join: "weigh", Merge: graph.MergeAppend,
		Branches: []graph.Branch{{To: "facts"}, {To: "law", Question: "Is the law concerned?"}},
	}},
	Entries: []string{"draft"}, EndNodes: []string{"again"},
}

// Walk ends a piece of work of a graph: whatever is asked is answered with yes.
func (p *Society) Walk(w society.Work) {
	p.TB.Helper()
	switch w := w.(type) {
	case society.Judge:
		p.Do(society.Judged{Work: w, Verdict: graph.Yes, Why: "so it is " + Hostile})
	case society.Join:
		p.Do(society.Joined{Work: w, Text: "what the branches came to " + Hostile})
	case society.Think:
		p.Do(society.Answered{Work: w, Text: "said in " + w.Run.Node, Usage: society.Usage{Input: 5, Output: 3}})
	}
}

// Hostile is a text that tries to end what it stands in.
const Hostile = "a\n```\n~~~~\n````text\n## not a heading\n> \x00\x1b]0;t\x07\r\nb\rc\u2028d\u009b31m\u202e</script>\U000e0041 \"\\"

// Written returns what write makes of a store.
func Written(t TB, store storage.Store, write func(w io.Writer, tx storage.Tx) error) string {
	t.Helper()
	var b strings.Builder
	if err := store.View(func(tx storage.Tx) error { return write(&b, tx) }); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Imported returns a store with what content holds.
func Imported(t TB, content archive.Content) storage.Store {
	t.Helper()
	store := memdb.New()
	if err := archive.Import(store, content); err != nil {
		t.Fatal(err)
	}
	return store
}

// Describe writes a whole state down, so that two can be compared.
func Describe(t TB, store storage.Store) string {
	t.Helper()
	var b strings.Builder
	err := store.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		if err != nil {
			return err
		}
		s := society.Load(society.DefaultLimits(), records)
		for _, id := range s.Agents() {
			entries, err := tables.Entries(tx, id, 0, 0)
			if err != nil {
				return err
			}
			brief, err := tables.Brief(tx, id)
			if err != nil {
				return err
			}
			a := s.Agent(id)
			for _, v := range []any{a, a.Mailbox, a.Later, a.Contacts, a.Children(), entries, brief, s.Task(a.Task)} {
				raw, err := json.Marshal(v)
				if err != nil {
					return err
				}
				fmt.Fprintf(&b, "%s\n", raw)
			}
		}
		var inbox []tables.Received
		err = tables.EachReceived(tx, 0, func(r *tables.Received) bool { inbox = append(inbox, *r); return true })
		if err != nil {
			return err
		}
		spent, err := tables.AllSpent(tx)
		if err != nil {
			return err
		}
		for _, v := range []any{inbox, s.Contacts(society.User), s.Numbers(), s.Roles(), s.Owed(), records.Tombs, spent} {
			raw, err := json.Marshal(v)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%s\n", raw)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Dump writes down every key of a store.
func Dump(t TB, store storage.Store) string {
	t.Helper()
	var b strings.Builder
	err := store.View(func(tx storage.Tx) error {
		for _, bucket := range []string{"counters", "agents", "roles", "tasks", "tombs", "mail", "later", "said", "contacts", "briefs", "inbox", "timeline", "erase", "view", "chunks"} {
			for key, value := range tx.Range(bucket, nil, nil) {
				fmt.Fprintf(&b, "%s %q %q\n", bucket, key, value)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Load returns the state of the society that a store holds.
func Load(t TB, store storage.Store) *society.State {
	t.Helper()
	var s *society.State
	if err := store.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		s = society.Load(society.DefaultLimits(), records)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return s
}

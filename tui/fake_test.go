package tui_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
)

// A fakeSociety answers commands at once as the rules would (fakerules_test.go).
type fakeSociety struct {
	*apitest.Society
	waiting map[society.AgentID][]api.Waiting
	added   map[string]int
	runs    map[society.AgentID]*graph.Run // by agent; the graph is that of the row
	order   uint64
	seq     uint64

	keeps, pages int              // number of writes and of pages read
	entries      int              // number of entries read
	fails        map[string]error // of methods, by name
	late         time.Duration    // duration of reading stored values
	stuck        bool             // the next write blocks until its context is done
	refuse       func(society.Command) error
	// alter, if set, changes the reply to a command.
	alter func(society.Reply) society.Reply
	// slow, if set, delays Do until it is closed.
	slow chan struct{}
}

func newFake() *fakeSociety {
	f := &fakeSociety{Society: apitest.New(), waiting: make(map[society.AgentID][]api.Waiting), fails: make(map[string]error)}
	f.Call, f.Answer = f.before, f.answer
	f.Pending.Model, f.Pending.Health = "demo", map[string]string{"demo": "ok"}
	f.spawn(society.Root, society.User, "planner")
	return f
}

// before delays and fails methods.
func (f *fakeSociety) before(ctx context.Context, method string) error {
	f.Mu.Lock()
	slow, stuck, err := f.slow, f.stuck && method == "Keep", f.fails[method]
	switch {
	case stuck:
		f.stuck = false
	case method == "Keep" && err == nil:
		f.keeps++
	case method == "Entries":
		f.pages++
	}
	f.Mu.Unlock()
	switch {
	case method == "Kept":
		time.Sleep(f.late)
	case method == "Do" && slow != nil:
		select {
		case <-slow:
		case <-ctx.Done():
			return ctx.Err()
		}
	case stuck:
		<-ctx.Done()
		return ctx.Err()
	}
	return err
}

// fail makes a method fail, or succeed again with nil.
func (f *fakeSociety) fail(method string, err error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.fails[method] = err
}

func (f *fakeSociety) spawn(id, parent society.AgentID, role string) {
	f.Mu.Lock()
	depth := 0
	if p := f.Rows[parent]; p != nil {
		depth = p.Depth + 1
	}
	f.order++
	row := api.Row{
		ID: id, Parent: parent, RoleID: society.RoleID(role), Role: role, Depth: depth, Order: f.order,
		Created: time.Now(), State: society.Idle, Since: time.Now(), MaxRounds: 30,
	}
	f.Mu.Unlock()
	f.Put(row)
}

// set changes an agent's row.
func (f *fakeSociety) set(id society.AgentID, change func(*api.Row)) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	row := f.Rows[id]
	before := *row
	change(row)
	if row.State != before.State || row.Asks != before.Asks || row.Error != before.Error {
		row.Since = time.Now()
	}
	f.Touch(id)
}

// stream sets an agent's draft.
func (f *fakeSociety) stream(id society.AgentID, text string) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Drafts[id] = api.Draft{Agent: id, Step: 1, Begun: time.Now(), Last: time.Now(), Text: text, Bytes: len(text)}
	f.Pending.Streaming = append(f.Pending.Streaming, id)
	f.Touch()
}

// finish turns the draft into an entry.
func (f *fakeSociety) finish(id society.AgentID) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	text := f.Drafts[id].Text
	delete(f.Drafts, id)
	f.Pending.Streaming = append(f.Pending.Streaming, id)
	f.Rows[id].State = society.Idle
	f.Append(id, conversation.Entry{Kind: conversation.Answer, Text: text, From: string(id)})
}

// all returns all commands.
func (f *fakeSociety) all() []society.Command {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return slices.Clone(f.Did)
}

// commands returns all commands except Seen.
func (f *fakeSociety) commands() []society.Command {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	var did []society.Command
	for _, c := range f.Did {
		if _, seen := c.(society.Seen); !seen {
			did = append(did, c)
		}
	}
	return did
}

// hold delays commands until c is closed.
func (f *fakeSociety) hold(c chan struct{}) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.slow = c
}

// refuseAll refuses all commands.
func (f *fakeSociety) refuseAll(err error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.refuse = func(society.Command) error { return err }
}

// count returns the number of writes.
func (f *fakeSociety) count() int {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return f.keeps
}

// value returns what is stored under a key.
func (f *fakeSociety) value(key string) []byte {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return f.Values[key]
}

// restart sends everything anew to the next screen.
func (f *fakeSociety) restart() {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Pending.All = true
	f.Touch()
}

// forget forgets the commands so far.
func (f *fakeSociety) forget() {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Did = nil
}

// Entries adds what waits.
func (f *fakeSociety) Entries(ctx context.Context, agent society.AgentID, from, upto uint64) (api.Entries, error) {
	entries, err := f.Society.Entries(ctx, agent, from, upto)
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.entries += len(entries.Entries)
	entries.Waiting = slices.Clone(f.waiting[agent])
	return entries, err
}

func (*fakeSociety) GraphDefinition(_ context.Context, version graph.Version) (graph.Definition, error) {
	if g := review(); g.Version() == version {
		return g.Definition(), nil
	}
	return graph.Definition{}, api.ErrNoGraph
}

func (f *fakeSociety) Profile(_ context.Context, agent society.AgentID) (api.Profile, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	row := f.Rows[agent]
	switch {
	case f.fails["Profile"] != nil:
		return api.Profile{}, f.fails["Profile"]
	case agent == society.User:
		return api.Profile{Agent: agent, Contacts: []protocol.Contact{
			{ID: "root", Role: "organiser", Source: protocol.System, AddedAt: time.Date(2026, 1, 2, 15, 4, 5, 0, time.Local)},
			{ID: "web-1", Role: "web\x1b[2J", Source: protocol.FirstMessage},
		}}, nil
	case row == nil:
		return api.Profile{}, notFound(agent)
	}
	p := api.Profile{
		Agent: agent, Role: row.Role, System: "You are " + row.Role + ".", Graph: row.Walk.Graph,
		Tools: []api.Tool{{Name: "list_contacts", Purpose: "Say whom you know."}, {Name: "send_message", Purpose: "Send a message.", Writes: true}, {Name: "pay", Purpose: "Pay a bill.", Writes: true, Final: true}},
	}
	if run := f.runs[agent]; run != nil {
		p.Run = run.Clone()
	}
	return p, nil
}

// end terminates an agent as its parent would, without the user.
func (f *fakeSociety) end(t *testing.T, id society.AgentID) {
	t.Helper()
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if _, err := f.terminate(id); err != nil {
		t.Fatal(err)
	}
}

// read returns how many pages were read.
func (f *fakeSociety) read() int {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return f.pages
}

// fakeOf returns the society of a test's configuration.
func fakeOf(c *tui.Config) *fakeSociety {
	f, ok := c.Society.(*fakeSociety)
	if !ok {
		panic("the society of this test is no fake")
	}
	return f
}

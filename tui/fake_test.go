package tui_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
)

// A fakeSociety is a society in memory for tests of the screen: it applies
// commands to its rows at once, as the rules would, and records them.
type fakeSociety struct {
	mu         sync.Mutex
	rows       map[society.AgentID]*api.Row
	said       map[society.AgentID][]conversation.Entry
	waiting    map[society.AgentID][]api.Waiting
	drafts     map[society.AgentID]api.Draft
	inbox      []api.InboxMessage
	kept       map[string][]byte
	roles      []api.Role
	added      map[string]int
	runs       map[society.AgentID]*graph.Run // by agent; the graph is that of the row
	did        []society.Command
	keeps      int // number of writes
	pages      int
	figures    api.Figures
	models     []api.Model
	graphs     []api.Graph
	missing    []api.MissingModel
	noPages    error // why reading fails
	noProfiles error
	order      uint64
	seq        uint64

	pending api.Changes
	at      map[society.AgentID]int // index of each row, nil if outdated
	changed chan struct{}           // holds one token while changes are pending
	first   bool

	full   error         // writes fail
	late   time.Duration // duration of reading stored values
	stuck  bool          // the next write blocks until its context is done
	refuse func(society.Command) error
	// alter, if set, changes the reply to a command.
	alter func(society.Reply) society.Reply
	// slow, if set, delays Do until it is closed.
	slow chan struct{}
}

func newFake() *fakeSociety {
	f := &fakeSociety{
		rows:    make(map[society.AgentID]*api.Row),
		said:    make(map[society.AgentID][]conversation.Entry),
		waiting: make(map[society.AgentID][]api.Waiting),
		drafts:  make(map[society.AgentID]api.Draft),
		kept:    make(map[string][]byte),
		changed: make(chan struct{}, 1),
		first:   true,
	}
	f.pending.Model, f.pending.Health = "demo", map[string]string{"demo": "ok"}
	f.spawn(society.Root, society.User, "planner")
	return f
}

// touch marks a change; f.mu must be held.
func (f *fakeSociety) touch() {
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

func (f *fakeSociety) changedRow(id society.AgentID) {
	row := *f.rows[id]
	if f.at == nil {
		f.at = make(map[society.AgentID]int)
		for i := range f.pending.Rows {
			f.at[f.pending.Rows[i].ID] = i
		}
	}
	if at, pends := f.at[id]; pends {
		f.pending.Rows[at] = row
	} else {
		f.at[id] = len(f.pending.Rows)
		f.pending.Rows = append(f.pending.Rows, row)
	}
	f.touch()
}

func (f *fakeSociety) spawn(id, parent society.AgentID, role string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	depth := 0
	if p := f.rows[parent]; p != nil {
		depth = p.Depth + 1
	}
	f.order++
	f.rows[id] = &api.Row{
		ID: id, Parent: parent, RoleID: society.RoleID(role), Role: role, Depth: depth, Order: f.order,
		Created: time.Now(), State: society.Idle, Since: time.Now(), MaxRounds: 30,
	}
	f.changedRow(id)
}

// set changes an agent's row.
func (f *fakeSociety) set(id society.AgentID, change func(*api.Row)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	row := f.rows[id]
	before := *row
	change(row)
	if row.State != before.State || row.Asks != before.Asks || row.Error != before.Error {
		row.Since = time.Now()
	}
	f.changedRow(id)
}

// say appends an entry to an agent's conversation.
func (f *fakeSociety) say(id society.AgentID, e conversation.Entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.append(id, e)
}

func (f *fakeSociety) append(id society.AgentID, e conversation.Entry) {
	e.Slot, e.At = uint64(len(f.said[id])), time.Now()
	f.said[id] = append(f.said[id], e)
	if f.pending.Rewritten == nil {
		f.pending.Rewritten = make(map[society.AgentID]uint64)
	}
	if low, ok := f.pending.Rewritten[id]; !ok || e.Slot < low {
		f.pending.Rewritten[id] = e.Slot
	}
	f.rows[id].Next = e.Slot + 1
	f.changedRow(id)
}

// stream sets an agent's draft.
func (f *fakeSociety) stream(id society.AgentID, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drafts[id] = api.Draft{Agent: id, Step: 1, Begun: time.Now(), Last: time.Now(), Text: text, Bytes: len(text)}
	f.pending.Streaming = append(f.pending.Streaming, id)
	f.touch()
}

// finish turns the draft into an entry.
func (f *fakeSociety) finish(id society.AgentID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := f.drafts[id].Text
	delete(f.drafts, id)
	f.pending.Streaming = append(f.pending.Streaming, id)
	f.rows[id].State = society.Idle
	f.append(id, conversation.Entry{Kind: conversation.Answer, Text: text, From: string(id)})
}

// tell changes the pending Changes besides rows.
func (f *fakeSociety) tell(change func(*api.Changes)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.pending)
	f.touch()
}

// all returns all commands.
func (f *fakeSociety) all() []society.Command {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.did)
}

// commands returns all commands except Seen.
func (f *fakeSociety) commands() []society.Command {
	f.mu.Lock()
	defer f.mu.Unlock()
	var did []society.Command
	for _, c := range f.did {
		if _, seen := c.(society.Seen); !seen {
			did = append(did, c)
		}
	}
	return did
}

// hold delays commands until c is closed.
func (f *fakeSociety) hold(c chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.slow = c
}

// refuseAll refuses all commands.
func (f *fakeSociety) refuseAll(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refuse = func(society.Command) error { return err }
}

// count returns the number of writes.
func (f *fakeSociety) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.keeps
}

// value returns what is stored under a key.
func (f *fakeSociety) value(key string) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kept[key]
}

// failPages makes reading conversations fail.
func (f *fakeSociety) failPages(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.noPages = err
}

// failProfiles makes reading profiles fail, or succeed again with nil.
func (f *fakeSociety) failProfiles(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.noProfiles = err
}

// pageCount returns how many pages were read.
func (f *fakeSociety) pageCount() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pages
}

// failKeeps makes writes fail, or succeed again with nil.
func (f *fakeSociety) failKeeps(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.full = err
}

// restart sends everything anew to the next screen.
func (f *fakeSociety) restart() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.first = true
	f.touch()
}

// forget forgets the commands so far.
func (f *fakeSociety) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.did = nil
}

func (f *fakeSociety) Next(ctx context.Context) (api.Changes, error) {
	select {
	case <-f.changed:
	case <-ctx.Done():
		return api.Changes{}, ctx.Err()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.pending
	if f.first {
		f.first, c.All, c.Rows = false, true, nil
		for _, row := range f.rows {
			c.Rows = append(c.Rows, *row)
		}
	}
	f.at, f.pending = nil, api.Changes{Inbox: c.Inbox, Usage: c.Usage, Unsaved: c.Unsaved, Model: c.Model, Health: c.Health}
	return c, nil
}

func (f *fakeSociety) Models() []api.Model { return f.models }

func (f *fakeSociety) Graphs() []api.Graph { return f.graphs }

func (*fakeSociety) GraphDefinition(_ context.Context, version graph.Version) (graph.Definition, error) {
	if g := review(); g.Version() == version {
		return g.Definition(), nil
	}
	return graph.Definition{}, api.ErrNoGraph
}

func (f *fakeSociety) MissingModels() []api.MissingModel { return f.missing }

func (f *fakeSociety) Entries(_ context.Context, agent society.AgentID, from, upto uint64) (api.Entries, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pages++
	if f.noPages != nil {
		return api.Entries{}, f.noPages
	}
	said := f.said[agent]
	next := uint64(len(said))
	if upto == 0 || upto > next {
		upto = next
	}
	from = min(from, upto)
	return api.Entries{
		Agent: agent, Entries: slices.Clone(said[from:upto]), Next: next,
		Waiting: slices.Clone(f.waiting[agent]),
	}, nil
}

func (f *fakeSociety) Draft(agent society.AgentID) (api.Draft, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	d, ok := f.drafts[agent]
	return d, ok
}

func (f *fakeSociety) Profile(_ context.Context, agent society.AgentID) (api.Profile, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	row := f.rows[agent]
	switch {
	case f.noProfiles != nil:
		return api.Profile{}, f.noProfiles
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

func (f *fakeSociety) Inbox(_ context.Context, from uint64) ([]api.InboxMessage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := slices.IndexFunc(f.inbox, func(m api.InboxMessage) bool { return m.Seq >= from })
	if at < 0 {
		return nil, nil
	}
	return slices.Clone(f.inbox[at:]), nil
}

func (f *fakeSociety) Keep(ctx context.Context, values map[string][]byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stuck {
		f.stuck = false
		f.mu.Unlock()
		<-ctx.Done()
		f.mu.Lock()
		return ctx.Err()
	}
	if f.full != nil {
		return f.full
	}
	f.keeps++
	for key, value := range values {
		f.kept[key] = slices.Clone(value)
	}
	return nil
}

func (f *fakeSociety) Kept(_ context.Context, key string) ([]byte, error) {
	time.Sleep(f.late)
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.kept[key]), nil
}

func (f *fakeSociety) Figures(context.Context) (api.Figures, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.figures, nil
}

func notFound(id society.AgentID) error {
	return &society.Refusal{Code: society.AgentNotFound, Agent: id, Why: protocol.Because(protocol.NoSuchAgent, id)}
}

func (f *fakeSociety) Do(ctx context.Context, cmd society.Command) (society.Reply, error) {
	result, err := f.do(ctx, cmd)
	if f.alter != nil && err == nil {
		result = f.alter(result)
	}
	return result, err
}

func (f *fakeSociety) do(ctx context.Context, cmd society.Command) (society.Reply, error) {
	f.mu.Lock()
	slow := f.slow
	f.mu.Unlock()
	if slow != nil {
		select {
		case <-slow:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.did = append(f.did, cmd)
	if f.refuse != nil {
		if err := f.refuse(cmd); err != nil {
			return nil, err
		}
	}
	switch cmd := cmd.(type) {
	case society.Send:
		return f.send(cmd)
	case society.Interrupt:
		return f.interrupt(cmd)
	case society.Stop:
		return f.stop(cmd.Agent)
	case society.Resume:
		return f.resume(cmd)
	case society.Terminate:
		return f.terminate(cmd.Agent)
	case society.DropWaiting:
		return f.drop(cmd.Agent)
	case society.Seen:
		return society.Done{}, f.seen(cmd)
	case society.PauseAll:
		return society.Done{}, nil
	case society.MakeRole:
		return f.makeRole(cmd)
	case society.EditRole:
		return f.editRole(cmd)
	case society.ChooseModel:
		return f.chooseModel(cmd)
	case society.ChooseGraph:
		return f.chooseGraph(cmd)
	case society.Rename:
		if f.rows[cmd.Agent] == nil {
			return nil, notFound(cmd.Agent)
		}
		f.rows[cmd.Agent].Name = cmd.Name
		f.changedRow(cmd.Agent)
		return society.Done{}, nil
	case society.Spawn:
		return f.spawnFor(cmd)
	case society.PauseAgent:
		return f.pause(cmd)
	case society.AddTeam:
		return f.addTeam(cmd)
	}
	return nil, fmt.Errorf("the fake does not know %T", cmd)
}

func (f *fakeSociety) send(c society.Send) (society.Sent, error) {
	row := f.rows[c.To]
	switch {
	case row == nil:
		return society.Sent{}, notFound(c.To)
	case row.State.Ended() && !c.Resume, row.Draining, row.State == society.Stopping:
		return society.Sent{}, &society.Refusal{Code: society.AgentStopped, Agent: c.To}
	}
	var resumed []society.AgentID
	if c.Resume {
		for _, below := range f.subtree(c.To) {
			if r := f.rows[below]; r.State == society.Stopped {
				r.State, r.Paused = society.Idle, ""
				resumed = append(resumed, below)
				f.changedRow(below)
			}
		}
	}
	if row.State.Active() {
		f.seq++
		f.waiting[c.To] = append(f.waiting[c.To], api.Waiting{Seq: f.seq, From: society.User, At: time.Now(), Body: c.Text})
		row.Waiting++
		f.rewrite(c.To)
	} else {
		row.State, row.Since, row.Error = society.WaitingLLM, time.Now(), ""
		f.append(c.To, conversation.Entry{Kind: conversation.Inbound, From: "user", To: string(c.To), Body: c.Text, Text: c.Text})
	}
	f.changedRow(c.To)
	return society.Sent{Message: "m", Task: "t", Resumed: resumed}, nil
}

// rewrite makes the screen read the end of a conversation again.
func (f *fakeSociety) rewrite(id society.AgentID) {
	if f.pending.Rewritten == nil {
		f.pending.Rewritten = make(map[society.AgentID]uint64)
	}
	if _, ok := f.pending.Rewritten[id]; !ok {
		f.pending.Rewritten[id] = uint64(len(f.said[id]))
	}
	f.touch()
}

func (f *fakeSociety) interrupt(c society.Interrupt) (society.Interruption, error) {
	row := f.rows[c.Agent]
	if row == nil {
		return society.Interruption{}, notFound(c.Agent)
	}
	if row.State.Ended() {
		return society.Interruption{}, &society.Refusal{Code: society.AgentStopped, Agent: c.Agent}
	}
	was := row.State.Active()
	row.State, row.Paused, row.Since = society.Idle, society.Interrupted, time.Now()
	if d, ok := f.drafts[c.Agent]; ok {
		d.Aborted = true
		f.drafts[c.Agent] = d
		f.pending.Streaming = append(f.pending.Streaming, c.Agent)
	}
	if c.Text != "" {
		row.State, row.Paused = society.WaitingLLM, ""
		f.append(c.Agent, conversation.Entry{Kind: conversation.Inbound, From: "user", To: string(c.Agent), Body: c.Text, Text: c.Text})
	}
	f.changedRow(c.Agent)
	return society.Interruption{Was: was, Waiting: row.Waiting}, nil
}

func (f *fakeSociety) subtree(id society.AgentID) []society.AgentID {
	all := []society.AgentID{id}
	for _, kid := range slices.Sorted(maps.Keys(f.rows)) {
		if f.rows[kid].Parent == id {
			all = append(all, f.subtree(kid)...)
		}
	}
	return all
}

func (f *fakeSociety) stop(id society.AgentID) (society.StopResult, error) {
	if f.rows[id] == nil {
		return society.StopResult{}, notFound(id)
	}
	if !slices.ContainsFunc(f.subtree(id), func(below society.AgentID) bool { return !f.rows[below].State.Ended() }) {
		return society.StopResult{OK: true, Reason: "it was stopped"}, nil
	}
	result := society.StopResult{OK: true, Stopped: true}
	for _, below := range f.subtree(id) {
		row := f.rows[below]
		if row.State.Ended() {
			continue
		}
		result.Dropped += row.Waiting
		row.State, row.Waiting, row.Since = society.Stopped, 0, time.Now()
		for _, m := range f.waiting[below] {
			f.append(below, conversation.Entry{Kind: conversation.Dropped, From: string(m.From), To: string(below), Seq: m.Seq, Body: m.Body})
		}
		f.waiting[below] = nil
		delete(f.drafts, below)
		if below != id {
			result.CascadeStopped = append(result.CascadeStopped, below)
		}
		f.changedRow(below)
	}
	return result, nil
}

func (f *fakeSociety) resume(c society.Resume) (society.Resumption, error) {
	if f.rows[c.Agent] == nil {
		return society.Resumption{}, notFound(c.Agent)
	}
	if f.rows[c.Agent].State == society.Stopping {
		return society.Resumption{}, &society.Refusal{Code: society.AgentStopped, Agent: c.Agent}
	}
	var result society.Resumption
	for _, below := range f.subtree(c.Agent) {
		row := f.rows[below]
		if row.State == society.Stopped || row.Paused != "" || row.Error != "" {
			if row.Paused == society.Interrupted || row.Error != "" {
				result.Again = append(result.Again, below)
			}
			row.State, row.Paused, row.Error = society.Idle, "", ""
			result.Agents = append(result.Agents, below)
			f.changedRow(below)
		}
	}
	return result, nil
}

func (f *fakeSociety) pause(c society.PauseAgent) (society.Pausing, error) {
	row := f.rows[c.Agent]
	switch {
	case row == nil:
		return society.Pausing{}, notFound(c.Agent)
	case row.State.Ended():
		return society.Pausing{}, &society.Refusal{Code: society.AgentStopped, Agent: c.Agent}
	}
	was := row.Paused
	if row.Paused == "" {
		row.Paused = society.AskedToPause
		f.changedRow(c.Agent)
	}
	return society.Pausing{Changed: was == "", Busy: row.State.Active()}, nil
}

func (f *fakeSociety) spawnFor(c society.Spawn) (society.Spawned, error) {
	f.order++
	id := society.AgentID(fmt.Sprintf("made-%d", f.order))
	f.rows[id] = &api.Row{
		ID: id, Parent: c.Parent, RoleID: c.Role, Role: string(c.Role), Depth: f.rows[c.Parent].Depth + 1, Order: f.order,
		Created: time.Now(), Since: time.Now(), State: society.Idle, Doing: c.Text,
	}
	made := society.Spawned{Agent: id}
	if c.Text != "" {
		made.Message, made.Task = "m", "t"
		f.rows[id].State = society.WaitingLLM
		f.append(id, conversation.Entry{Kind: conversation.Inbound, From: "user", To: string(id), Body: c.Text, Text: c.Text})
	}
	f.changedRow(id)
	return made, nil
}

func (f *fakeSociety) chooseGraph(c society.ChooseGraph) (society.RoleChange, error) {
	for i := range f.roles {
		r := &f.roles[i]
		if r.ID != c.Role {
			continue
		}
		now := ""
		if r.Graph != nil {
			now = r.Graph.Name
		}
		if r.Graph = nil; c.Graph != "" {
			r.Graph = &graph.Definition{Name: c.Graph}
		}
		return society.RoleChange{Role: c.Role, Changed: now != c.Graph, Agents: r.Agents}, nil
	}
	return society.RoleChange{}, &society.Refusal{Code: society.InvalidArguments, Why: protocol.Because(protocol.UnknownRole, "such")}
}

func (f *fakeSociety) terminate(id society.AgentID) (society.TerminateResult, error) {
	if f.rows[id] == nil {
		return society.TerminateResult{}, notFound(id)
	}
	result := society.TerminateResult{OK: true, Terminated: true, TerminatedAgentID: id}
	for _, below := range f.subtree(id) {
		result.Dropped += f.rows[below].Waiting
		delete(f.rows, below)
		delete(f.said, below)
		f.pending.Gone = append(f.pending.Gone, below)
		f.at, f.pending.Rows = nil, slices.DeleteFunc(f.pending.Rows, func(r api.Row) bool { return r.ID == below })
		if below != id {
			result.CascadeTerminated = append(result.CascadeTerminated, below)
		}
	}
	f.touch()
	return result, nil
}

func (f *fakeSociety) drop(id society.AgentID) (society.Dropped, error) {
	w := f.waiting[id]
	if len(w) == 0 {
		return society.Dropped{}, notFound(id)
	}
	last := w[len(w)-1]
	f.waiting[id] = w[:len(w)-1]
	f.rows[id].Waiting--
	f.rewrite(id)
	f.changedRow(id)
	return society.Dropped{Text: last.Body}, nil
}

func (f *fakeSociety) seen(c society.Seen) error {
	if c.Agent == society.User {
		f.pending.Inbox = 0
		f.touch()
		return nil
	}
	if row := f.rows[c.Agent]; row != nil && (row.Unread > 0 || row.Report) {
		row.Unread, row.Report = 0, false
		f.changedRow(c.Agent)
	}
	return nil
}

// end terminates an agent as its parent would, without the user.
func (f *fakeSociety) end(t *testing.T, id society.AgentID) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.terminate(id); err != nil {
		t.Fatal(err)
	}
}

// read returns how many pages were requested.
func (f *fakeSociety) read() int {
	f.mu.Lock()
	defer f.mu.Unlock()
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

package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// A world is one round: a society of its own with a model behind a wire.
type world struct {
	t    *testing.T
	ctx  context.Context //nolint:containedctx // of the round
	name string
	verb string
	foes []*foe
	base string // what target does when no foe says it
	rng  *rand.Rand
	told func(slog.Record) // hears the whole log; nil for nobody

	server *llmtest.StrictServer
	served int // requests of earlier rounds
	ledger *ledger
	cast   *cast
	gates  gates
	// The round begins with what the founding has left.
	founded, store *storagetest.Recorder
	slow           int // how often others go first during a commit
	disk           *storagetest.Faulty
	fails          int // which commit is the first of two that fail when the disk does

	transport *http.Transport
	model     *chatapi.Model
	r         *runtime.Runtime
	leave     context.CancelFunc
	over      chan error

	end outcome // of the verb
	mu  sync.Mutex
	met map[string]outcome // of the foes that are commands

	crashed int                   // commits that the crash left; 0 without one
	before  *storagetest.Recorder // the store of the first run, if there are two
	reborn  int                   // tick of the second run's start; 0 without one
	found   *society.Agent        // target, as the second run found it; nil: gone
	dir     string                // where agents change files
	inWire  int
	closing []time.Duration
}

// gates hold back what is to come at the moment of the race, and the rest.
type gates struct{ target, tools, peer, lead, slot, rest *gate }

func newGates() gates {
	return gates{newGate(), newGate(), newGate(), newGate(), newGate(), newGate()}
}

func (g gates) openAll() {
	for _, gate := range []*gate{g.target, g.tools, g.peer, g.lead, g.slot, g.rest} {
		gate.open()
	}
}

// An outcome is the result of a command, and the positions of the logs at that time.
type outcome struct {
	reply            any
	err              error
	called, returned time.Time
	tick             int // of the ledger
	writes, commits  int // of the store
	files            string
	served           int // of the server
	probes           map[society.AgentID]error
}

// halts reports whether the command has promised that nothing goes on.
func (o outcome) halts() bool {
	if o.err != nil {
		return false
	}
	switch o.reply.(type) {
	case society.StopResult, society.TerminateResult:
		return true
	}
	return false
}

func (o outcome) abandoned() []society.AgentID {
	switch reply := o.reply.(type) {
	case society.StopResult:
		return reply.Abandoned
	case society.TerminateResult:
		return reply.Abandoned
	}
	return nil
}

// unsaved reports whether the command has acted, but could not be saved.
func (o outcome) unsaved() bool {
	switch reply := o.reply.(type) {
	case society.StopResult:
		return reply.Unsaved
	case society.TerminateResult:
		return reply.Unsaved
	case society.Interruption:
		return reply.Unsaved
	}
	return false
}

func (o outcome) refused() bool {
	return refusedAs(o.err, society.AgentStopped) || refusedAs(o.err, society.AgentNotFound)
}

func (w *world) wrong(format string, args ...any) {
	w.t.Helper()
	w.t.Errorf("%s: %s", w.name, fmt.Sprintf(format, args...))
}

// foundTree plays the founding of the tree that every round begins with.
func foundTree(t *testing.T) *storagetest.Recorder {
	t.Helper()
	return found(t, 5, hiring("lead"), "")
}

// foundSteps is foundTree with turns of target that run through a graph.
func foundSteps(t *testing.T, steps string) *storagetest.Recorder {
	t.Helper()
	return found(t, 5, hiring("lead"), steps)
}

// raceGraphs are those of the machine's test, and one with branches side by side.
func raceGraphs(lang protocol.Lang) []graph.Definition {
	return append(machineGraphs(lang), graph.Definition{
		Name: "beside", Parallel: true,
		Nodes: []graph.Node{{Key: "open"}, {Key: "left"}, {Key: "right"}, {Key: "sum"}},
		Edges: []graph.Edge{{From: "left", To: "sum"}, {From: "right", To: "sum"}},
		FanOuts: []graph.FanOut{
			{From: "open", Join: "sum", Merge: graph.MergeAppend, Branches: []graph.Branch{{To: "left"}, {To: "right"}}},
		},
		Entries: []string{"open"}, EndNodes: []string{"sum"},
	})
}

// slotsOfAll is how many calls of the model may run at once.
const slotsOfAll = 8

// foundCrowd plays the founding of the tree with a crowd beside it, as many as
// there are slots.
func foundCrowd(t *testing.T) *storagetest.Recorder {
	t.Helper()
	calls := hires("lead")
	calls = append(calls, call("create_role", object{"name": "crowd", "rolePrompt": "Work."}))
	for i := range slotsOfAll {
		own := maps.Clone(brief) // else it is the same call again and again
		own["objective"] = fmt.Sprint("look ", i)
		calls = append(calls, call("spawn_agent", object{"roleId": "role-crowd", "taskBrief": own}))
	}
	return found(t, 5+slotsOfAll, llmtest.CallTools(calls...), "")
}

// found plays a founding of so many agents, which root begins; steps is the graph of
// target, "" for none.
func found(t *testing.T, agents int, root llmtest.Answer, steps string) *storagetest.Recorder {
	t.Helper()
	store := storagetest.NewRecorder(memdb.New())
	calls := hires("target", "peer")
	calls[0] = call("create_role", object{"name": "target", "rolePrompt": "Work.", "graph": steps})
	c := newCast().plays("root", root).plays(lead, llmtest.CallTools(calls...)).plays(target, hiring("child"))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w := &world{t: t, ctx: ctx, name: "the founding", store: store, cast: c}
	w.run(llmtest.Func("founding", c.answer))
	if o := w.do(society.Send{To: society.Root, Text: "begin"}); o.err != nil {
		t.Fatal(o.err)
	}
	w.until("all are there", func(rows map[society.AgentID]api.Row) bool { return len(rows) == agents && atRest(rows) })
	w.leave()
	if err := <-w.over; err != nil {
		t.Fatal(err)
	}
	return store
}

// hiring makes one agent of each role.
func hiring(roles ...string) llmtest.Answer { return llmtest.CallTools(hires(roles...)...) }

func hires(roles ...string) []llm.Call {
	var calls []llm.Call
	for _, role := range roles {
		calls = append(calls, call("create_role", object{"name": role, "rolePrompt": "Work."}),
			call("spawn_agent", object{"roleId": "role-" + role, "taskBrief": brief}))
	}
	return calls
}

// copyOf returns a store as it was after the founding and so many commits of a
// round.
func (w *world) copyOf(round *storagetest.Recorder, commits int) *storagetest.Recorder {
	w.t.Helper()
	s := memdb.New()
	err := w.founded.Replay(w.founded.Commits(), s)
	if err == nil && round != nil {
		err = round.Replay(commits, s)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.disk = storagetest.NewFaulty(slowed{s, w.slow})
	return storagetest.NewRecorder(w.disk)
}

// slowed is a store whose commits take a while.
type slowed struct {
	storage.Store
	yields int
}

func (s slowed) Update(do func(storage.Tx) error) error {
	yield(s.yields)
	return s.Store.Update(do)
}

// open starts the society on its store, with a model behind the server.
func (w *world) open() {
	w.t.Helper()
	if w.model == nil {
		w.transport = &http.Transport{}
		model, err := chatapi.New(chatapi.Config{
			BaseURL: w.server.URL, Model: "strict", Client: &http.Client{Transport: &wire{w.ledger, w.transport}},
		})
		if err != nil {
			w.t.Fatal(err)
		}
		w.model = model
	}
	w.run(w.model)
}

func (w *world) run(model llm.Model) {
	w.t.Helper()
	limits := society.DefaultLimits()
	limits.SpawnsPerMinute = 1000
	cfg := runtime.Config{Store: w.store, Model: model, Limits: limits, Check: true, Log: slog.New(&complaints{w: w}), Graphs: raceGraphs}
	if w.ledger != nil {
		cfg.Tools = []tool.Tool{
			&bench{w.ledger, looks, tool.ClassRead, w.gates.tools.c}, &bench{w.ledger, changes, tool.ClassOwn, w.gates.tools.c}, w.pencil(),
		}
		cfg.Approvals.Mode = approval.Edits
	}
	r, err := runtime.Open(cfg)
	if err != nil {
		w.t.Fatalf("%s: %v", w.name, err)
	}
	ctx, cancel := context.WithCancel(w.ctx)
	w.r, w.leave, w.over = r, cancel, make(chan error, 1)
	over := w.over
	go func() {
		over <- r.Run(ctx)
		close(over)
	}()
}

// complaints reads the errors in a log: panics of rules or workers. There must be none
// except those of a failing disk.
type complaints struct {
	slog.Handler
	w *world
}

func (c *complaints) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelError || c.w.told != nil
}

func (c *complaints) Handle(_ context.Context, record slog.Record) error {
	if c.w.told != nil {
		c.w.told(record)
	}
	if record.Level < slog.LevelError || record.Message == "saving failed" && c.w.meets(failingDisk) {
		return nil
	}
	c.w.wrong("the log says: %s", record.Message)
	return nil
}

func (w *world) answer(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	w.ledger.begin(asked, identity(req.System))
	return w.cast.answer(ctx, req)
}

// do carries a command out and notes where the logs are when it has returned.
func (w *world) do(cmd society.Command) outcome {
	o := outcome{called: time.Now()}
	o.reply, o.err = w.r.Do(w.ctx, cmd)
	o.returned = time.Now()
	if w.ledger != nil {
		o.tick, o.writes, o.commits, o.files = w.ledger.now(), len(w.store.Writes()), w.store.Commits(), w.files()
	}
	if w.server != nil {
		o.served = len(w.server.Requests())
	}
	return o
}

func (w *world) note(name string, o outcome) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.met[name] = o
}

// must is do for what has to succeed.
func (w *world) must(cmd society.Command) {
	w.t.Helper()
	if o := w.do(cmd); o.err != nil {
		w.t.Fatalf("%s: %T: %v", w.name, cmd, o.err)
	}
}

// thinks sets an agent to work and returns when the server holds its answer back.
func (w *world) thinks(agent string, until *gate, answer llmtest.Answer) {
	w.t.Helper()
	w.cast.plays(agent, llmtest.When(until.c, answer))
	w.busies(agent, asked)
}

// walks sets target to work, and returns when it was asked as often as it has answers
// to give: the last ones wait.
func (w *world) walks(answers ...llmtest.Answer) {
	w.t.Helper()
	w.cast.plays(target, answers...)
	now := w.ledger.now()
	w.must(society.Send{To: target, Text: "work"})
	if err := w.ledger.awaitAll(w.ctx, asked, target, now, len(answers)); err != nil {
		w.t.Fatalf("%s: %v", w.name, err)
	}
}

// sides sets target to work in two branches side by side, and returns when both were
// asked.
func (w *world) sides(left, right llmtest.Answer) {
	w.t.Helper()
	side := func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		if presentStep.FindStringSubmatch(req.System)[1] == "left" {
			return left(ctx, req)
		}
		return right(ctx, req)
	}
	w.walks(llmtest.Say("two sides"), side, side)
}

// acts sets an agent to work and returns when its tool runs.
func (w *world) acts(agent, which string) {
	w.t.Helper()
	w.cast.plays(agent, llmtest.CallTools(call(which, object{})))
	w.busies(agent, acts)
}

func (w *world) busies(agent, until string) {
	w.t.Helper()
	now := w.ledger.now()
	w.must(society.Send{To: society.AgentID(agent), Text: "work"})
	if err := w.ledger.await(w.ctx, until, agent, now); err != nil {
		w.t.Fatalf("%s: %v", w.name, err)
	}
}

// prepare leads the society to the moment of the race.
func (w *world) prepare(rng *rand.Rand) {
	w.t.Helper()
	own := slices.ContainsFunc(w.foes, func(f *foe) bool { return f.own })
	switch {
	case own:
	case w.base == "thinking":
		w.thinks(target, w.gates.rest, llmtest.Say(answerText))
	case w.base == "in a tool":
		w.acts(target, []string{looks, changes}[rng.IntN(2)])
	case w.base == "waiting to retry":
		w.cast.plays(target, llmtest.Fail(&llm.Error{Class: llm.Overload, Status: 503, Text: "busy"}))
		w.busies(target, asked)
		w.until("it waits to try again", func(rows map[society.AgentID]api.Row) bool { return rows[target].Retry != nil })
	}
	if rng.IntN(2) == 0 {
		w.thinks(child, w.gates.rest, llmtest.Say("from below"))
	}
	for _, f := range w.foes {
		if f.prepare != nil {
			f.prepare(w)
		}
	}
}

// waitsForSlot lets a crowd take all slots that are free, and sets the target to
// work: it waits for one. The first of the crowd ends when its gate is opened.
func (w *world) waitsForSlot() {
	w.t.Helper()
	free := slotsOfAll
	for _, s := range w.requests() {
		free -= countIf(s.Ended.IsZero())
	}
	for i := range free {
		until := w.gates.rest
		if i == 0 {
			until = w.gates.slot
		}
		w.thinks(fmt.Sprint("crowd-", i+1), until, llmtest.Say("from the crowd"))
	}
	w.cast.plays(target, llmtest.When(w.gates.rest.c, llmtest.Say(answerText)))
	w.must(society.Send{To: target, Text: "work"})
	w.until("it waits for a slot", func(rows map[society.AgentID]api.Row) bool { return rows[target].Queued })
}

// thoughtBefore reports whether the target's call was begun when a command returned.
func (w *world) thoughtBefore(o outcome) bool {
	return slices.ContainsFunc(w.ledger.all(), func(e entry) bool {
		return e.agent == target && e.kind == asks && e.begun <= o.tick
	})
}

// breakDisk lets two commits fail, the one and its second try, and then works.
func (w *world) breakDisk() {
	w.disk.FailBefore(w.fails, errFull)
	w.disk.FailBefore(w.fails+1, errFull)
}

// mendDisk returns when all is saved again.
func (w *world) mendDisk() {
	w.t.Helper()
	w.disk.Heal()
	watcher := w.r.Watch()
	defer watcher.Close()
	for {
		if o := w.do(society.Rename{Agent: peer, Name: "equal"}); !refusedAs(o.err, society.StoreUnavailable) {
			return
		}
		if _, err := watcher.Next(w.ctx); err != nil {
			w.t.Fatalf("%s: wait until all is saved: %v", w.name, err)
		}
	}
}

// race lets the verb and its foes go at the same moment; a lag above zero keeps
// the verb back, one below zero the foes.
func (w *world) race(lag int, rng *rand.Rand) {
	start := make(chan struct{})
	var all sync.WaitGroup
	enter := func(lag int, act func()) {
		all.Go(func() {
			<-start
			yield(lag)
			act()
		})
	}
	for i, f := range w.foes {
		own := max(0, -lag)
		if i > 0 {
			own += rng.IntN(200)
		}
		enter(own, func() { f.act(w) })
	}
	enter(max(0, lag), w.endIt)
	close(start)
	all.Wait()
}

// yield lets others go first, so many times.
func yield(times int) {
	for range times {
		goruntime.Gosched()
	}
}

// endIt is the verb, and what is tried right after it has returned.
func (w *world) endIt() {
	var cmd society.Command
	switch w.verb {
	case "stop":
		cmd = society.Stop{Agent: target}
	case "terminate":
		cmd = society.Terminate{Agent: target, By: society.User, Reason: "enough"}
	case "interrupt":
		cmd = society.Interrupt{Agent: target}
	}
	o := w.do(cmd)
	if o.halts() {
		o.probes = map[society.AgentID]error{}
		for _, id := range []society.AgentID{target, child} {
			_, o.probes[id] = w.r.Do(w.ctx, society.Send{To: id, Text: "still there?"})
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end = o
}

// crash takes down how much of the store a crash would leave now. What runs goes
// on until the round is over, and then nobody asks for it.
func (w *world) crash() { w.crashed = w.store.Commits() }

func (w *world) meets(names ...string) bool {
	return slices.ContainsFunc(w.foes, func(f *foe) bool { return slices.Contains(names, f.name) })
}

// settle waits until the server has seen the end of what was ended, then lets
// everything go on that still would, through a restart if there is one.
func (w *world) settle() {
	w.t.Helper()
	for _, o := range w.outcomes() {
		w.closed(o)
	}
	w.gates.openAll()
	if w.meets("leaving", "a crash") {
		w.restart()
	}
	if w.meets(failingDisk) {
		w.mendDisk()
	}
	w.rest()
	w.deny()
	w.must(society.Rename{Agent: lead, Name: "chief"}) // a further batch, and a commit
	w.rest()
}

// outcomes are those of all commands of the round.
func (w *world) outcomes() []outcome {
	all := []outcome{w.end}
	for _, o := range w.met {
		all = append(all, o)
	}
	return all
}

// closed waits until the server has seen the end of every request that was open
// when a command ended it. The gates are still shut, so nothing but a closed
// connection can end those that wait for one.
func (w *world) closed(o outcome) {
	w.t.Helper()
	theirs := ended[string]
	if i, ok := o.reply.(society.Interruption); ok && i.Was {
		theirs = func(agent string) bool { return agent == target }
	} else if !o.halts() {
		return
	}
	running := func() (n int, last time.Time) {
		requests := w.requests()
		entries := w.ledger.all() // after them: each is entered before it is sent
		for _, s := range requests {
			d := entries[s.number]
			switch {
			case !theirs(d.agent) || d.begun > o.tick:
			case s.Ended.IsZero():
				n++
			case s.Ended.After(last):
				last = s.Ended
			}
		}
		return n, last
	}
	err := w.server.Await(w.ctx, func(llmtest.Counts) bool { n, _ := running(); return n == 0 })
	if err != nil {
		w.t.Fatalf("%s: a connection stays open: %v", w.name, err)
	}
	if _, last := running(); last.After(o.called) {
		w.closing = append(w.closing, last.Sub(o.called))
	}
}

// A numbered request is one that the server has seen, with its entry.
type numbered struct {
	llmtest.Served
	nth    int // at the server
	number int
}

// requests are those of the round, as the server has them.
func (w *world) requests() []numbered {
	w.t.Helper()
	var list []numbered
	for i, s := range w.server.Requests()[w.served:] {
		n, err := strconv.Atoi(s.Header.Get(numberHeader))
		if err != nil {
			w.t.Fatalf("%s: a request did not come by the wire: %v", w.name, err)
		}
		list = append(list, numbered{s, w.served + i, n})
	}
	return list
}

// restart ends the run and begins another on what it left: on the same store, or
// on what a crash has left of it.
func (w *world) restart() {
	w.t.Helper()
	w.leave()
	if w.crashed > 0 {
		w.r.Force()
	}
	if err := <-w.over; err != nil {
		w.t.Fatal(err)
	}
	w.before = w.store
	if w.crashed > 0 {
		w.store = w.copyOf(w.before, w.crashed)
	}
	w.found = stored(w.t, w.store)[target]
	w.checkFound()
	w.reborn = w.ledger.now()
	w.open()
}

// checkFound checks that whatever had returned is known after the restart.
func (w *world) checkFound() {
	w.t.Helper()
	for _, o := range w.outcomes() {
		i, interrupt := o.reply.(society.Interruption)
		switch {
		case !w.knows(o) || w.found == nil || w.found.Status.Ended():
		case o.halts():
			w.wrong("%T had returned, and after the restart the agent is %s", o.reply, w.found.Status)
		case interrupt && i.Was && w.found.Paused == "" && !w.meets("the user's message", slotMessage):
			w.wrong("the interrupt had returned, and after the restart the agent is not paused")
		}
	}
}

// knows reports whether what a command did is part of what the second run began with, if
// there is one.
func (w *world) knows(o outcome) bool {
	return o.err == nil && !o.returned.IsZero() && (w.crashed == 0 || o.commits <= w.crashed)
}

func stored(t *testing.T, store storage.Store) map[society.AgentID]*society.Agent {
	t.Helper()
	agents := map[society.AgentID]*society.Agent{}
	err := store.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		for _, a := range records.Agents {
			agents[a.ID] = a
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return agents
}

// until waits for the rows to be as wanted.
func (w *world) until(what string, wanted func(map[society.AgentID]api.Row) bool) {
	w.t.Helper()
	watcher := w.r.Watch()
	defer watcher.Close()
	rows := map[society.AgentID]api.Row{}
	for {
		c, err := watcher.Next(w.ctx)
		if err != nil {
			w.t.Fatalf("%s: wait until %s: %v; %+v", w.name, what, err, rows)
		}
		if c.All {
			clear(rows)
		}
		for _, row := range c.Rows {
			rows[row.ID] = row
		}
		for _, id := range c.Gone {
			delete(rows, id)
		}
		if wanted(rows) {
			return
		}
	}
}

// rest waits until nothing goes on by itself, here and at the server.
func (w *world) rest() {
	w.t.Helper()
	w.until("all are at rest", atRest)
	if err := w.server.Await(w.ctx, func(c llmtest.Counts) bool { return c.Running == 0 }); err != nil {
		w.t.Fatalf("%s: %v", w.name, err)
	}
}

func atRest(rows map[society.AgentID]api.Row) bool {
	for _, row := range rows {
		switch {
		case row.State.Active() && row.Approvals == 0, row.State == society.Stopping, row.Draining:
			return false
		case row.Waiting > 0 && row.Paused == "":
			return false
		}
	}
	return true
}

// wrote returns the place of the first write of the first run, from 1 on, to an
// agent's rows in a bucket that holds one of the texts; 0 if there is none.
func (w *world) wrote(bucket, agent string, texts ...string) int {
	store := w.store
	if w.before != nil {
		store = w.before
	}
	for i, write := range store.Writes() {
		holds := func(text string) bool { return strings.Contains(string(write.Value), text) }
		if write.Bucket == bucket && owner(write) == agent && write.Value != nil && slices.ContainsFunc(texts, holds) {
			return i + 1
		}
	}
	return 0
}

// owner returns the agent of a row, "" for none.
func owner(w storagetest.Write) string {
	switch w.Bucket {
	case "agents", "briefs", "tombs", "erase", "mail", "said", "contacts", "approvals":
		id, _, _ := strings.Cut(w.Key, "\x00")
		return id
	}
	return ""
}

// sender is who sent the message that a row holds, "" if it holds none.
func sender(t *testing.T, w storagetest.Write) string {
	t.Helper()
	if w.Bucket != "mail" && w.Bucket != "inbox" || w.Value == nil {
		return ""
	}
	var m society.Mail
	if err := json.Unmarshal(w.Value[2:], &m); err != nil {
		t.Fatal(err)
	}
	return string(m.From)
}

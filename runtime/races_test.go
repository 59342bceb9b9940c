package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// raceRoundsEnv says how many rounds are raced; README names it.
const raceRoundsEnv = "SOCIETY_RACE_ROUNDS"

func raceRounds(t *testing.T) int {
	t.Helper()
	rounds := 500
	if os.Getenv("SOCIETY_LONG") != "" {
		rounds = 10_000
	}
	if text := os.Getenv(raceRoundsEnv); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("%s: %v", raceRoundsEnv, err)
		}
		rounds = n
	}
	return rounds
}

// Everybody of a round: the verb is for target, which has one below it, a peer
// and a parent that can drain it.
const (
	lead   = "lead-1"
	target = "target-1"
	child  = "child-1"
	peer   = "peer-1"
	kid    = "kid-1" // spawned by target in some rounds
)

// ended says whether a stop or termination of target ends this agent.
func ended[S ~string](agent S) bool {
	return slices.Contains([]string{target, child, kid}, string(agent))
}

// After a stop or a termination has returned, nothing of its agents goes on:
// no request is begun and none is open at either end, no tool runs, no message
// is taken from or for them, nothing is written for them. Each round races a verb
// for an agent in the middle of something against one or two others at the same
// moment, with real connections to a server that refuses what providers refuse
// (S001 P1-P9, P11-P15).
func TestRacesLeaveNothingGoingOnWhenAStopHasReturned(t *testing.T) {
	rounds := raceRounds(t)
	seed := rand.Uint64()
	tally := &tally{scores: map[string]*score{}}
	founded := foundTree(t)
	kinds := 0
	begun := time.Now()
	t.Run("rounds", func(t *testing.T) {
		for _, verb := range []string{"stop", "terminate", "interrupt"} {
			for _, f := range foes() {
				nth := kinds
				kinds++
				t.Run(verb+" against "+f.name, func(t *testing.T) {
					t.Parallel()
					c := contest{
						verb: verb, foe: f, tally: tally, founded: founded,
						rng: rand.New(rand.NewPCG(seed, uint64(nth))), //nolint:gosec // a test's choices
					}
					c.race(t, rounds/33+min(1, max(0, rounds%33-nth)))
				})
			}
		}
	})
	tally.report(t, rounds, seed, time.Since(begun))
}

// Of enough rounds each foe is sometimes first and sometimes not, of thorough ones
// against each verb.
const (
	enough   = 330
	thorough = 3300
)

// A foe is what happens at the same moment as a verb.
type foe struct {
	name string
	// own is set if it takes the target's turn: there can be one such.
	own bool
	// ends is set if it leaves nothing of the running society for a further one.
	ends bool
	// prepare leads the society to where act sets it off; nil for nothing to do.
	prepare func(w *world)
	act     func(w *world)
	// won says, when all is over, whether it came before the verb.
	won func(w *world) bool
}

// What is looked for in the store, and the tools of a round.
const (
	answerText = "this is my answer"
	looks      = "look"
	changes    = "change"
)

func foes() []*foe {
	command := func(name string, ends bool, cmd society.Command, won func(w *world, o outcome) bool) *foe {
		return &foe{
			name: name, ends: ends,
			act: func(w *world) { w.note(name, w.do(cmd)) },
			won: func(w *world) bool { return won(w, w.met[name]) },
		}
	}
	return []*foe{
		{
			name: "the answer", own: true,
			prepare: func(w *world) { w.thinks(target, w.gates.target, llmtest.Say(answerText)) },
			act:     func(w *world) { w.gates.target.open() },
			won:     func(w *world) bool { return w.wrote("said", target, answerText) > 0 },
		},
		ofTool("a tool that reads", looks), ofTool("a tool that writes", changes),
		{
			name: "a spawn", own: true,
			prepare: func(w *world) { w.thinks(target, w.gates.target, hiring("kid")) },
			act:     func(w *world) { w.gates.target.open() },
			won:     func(w *world) bool { return w.wrote("agents", kid, "") > 0 },
		},
		command("the user's message", false, society.Send{To: target, Text: "one more thing"}, (*world).messageFirst),
		{
			name: "a peer's message",
			prepare: func(w *world) {
				w.thinks(peer, w.gates.peer, llmtest.CallTools(call("send_message", object{"to": target, "payload": "psst"})))
			},
			act: func(w *world) { w.gates.peer.open() },
			won: func(w *world) bool {
				return w.messageFirst(outcome{err: errUnless(w.wrote("said", peer, `\"ok\":true`) > 0)})
			},
		},
		command("a second stop", false, society.Stop{Agent: target}, func(w *world, o outcome) bool {
			reply, _ := o.reply.(society.StopResult)
			if first, ok := w.end.reply.(society.StopResult); ok && first.Stopped == reply.Stopped && w.end.err == nil && o.err == nil {
				w.wrong("of two stops %v said stopped", map[bool]string{true: "both", false: "neither"}[reply.Stopped])
			}
			return reply.Stopped && (w.verb != "interrupt" || w.end.refused())
		}),
		command("a termination", false, society.Terminate{Agent: target, By: society.User}, func(w *world, o outcome) bool {
			reply, _ := o.reply.(society.TerminateResult)
			if stop, ok := w.end.reply.(society.StopResult); ok {
				return !stop.Stopped
			}
			return o.err == nil && reply.Terminated && w.end.refused()
		}),
		{
			name: "a drain by the parent",
			prepare: func(w *world) {
				w.thinks(lead, w.gates.lead, llmtest.CallTools(call("terminate_agent", object{"agentId": target})))
			},
			act: func(w *world) { w.gates.lead.open() },
			won: func(w *world) bool {
				drained := w.wrote("agents", target, `"drain":`, `"ending":{"by":"lead-1"`)
				verb := w.wrote("agents", target, `"status":"stopping"`, `"ending":{"by":"user"`, `"paused":"interrupted"`)
				return drained > 0 && (verb == 0 || drained < verb)
			},
		},
		{
			name: "leaving", ends: true,
			act: func(w *world) { w.gates.openAll(); w.leave() },
			won: func(w *world) bool { return errors.Is(w.end.err, runtime.ErrLeaving) },
		},
		{
			name: "a crash", ends: true,
			act: func(w *world) { w.crash() },
			won: func(w *world) bool { return w.end.commits > w.crashed },
		},
	}
}

func ofTool(name, which string) *foe {
	return &foe{
		name: name, own: true,
		prepare: func(w *world) { w.acts(target, which) },
		act:     func(w *world) { w.gates.tools.open() },
		won:     func(w *world) bool { return w.wrote("said", target, made) > 0 },
	}
}

// messageFirst says whether a message came before the verb. After an interrupt it
// is taken too, so there it counts whether the interrupt found it waiting.
func (w *world) messageFirst(o outcome) bool {
	if i, ok := w.end.reply.(society.Interruption); ok {
		return i.Waiting > 0 || w.base == "at rest" && i.Was
	}
	return o.err == nil
}

func errUnless(ok bool) error {
	if ok {
		return nil
	}
	return errors.New("refused")
}

// A contest is all rounds of one verb against one foe.
type contest struct {
	verb    string
	foe     *foe
	tally   *tally
	founded *storagetest.Recorder
	rng     *rand.Rand
}

// race plays so many rounds.
func (c contest) race(t *testing.T, rounds int) {
	var now atomic.Pointer[world]
	var server *llmtest.StrictServer
	for nth := range rounds {
		if nth%25 == 0 { // its record is read often, and grows
			server = llmtest.StartStrict(t, llmtest.Strict{Answer: func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
				return now.Load().answer(ctx, req)
			}})
		}
		c.round(t, nth, server, &now)
		if t.Failed() {
			return
		}
	}
}

func (c contest) round(t *testing.T, nth int, server *llmtest.StrictServer, now *atomic.Pointer[world]) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w := &world{
		t: t, ctx: ctx, verb: c.verb, foes: c.choose(nth), base: c.pick("thinking", "thinking", "in a tool", "at rest", "waiting to retry"),
		server: server, served: len(server.Requests()), ledger: newLedger(), cast: newCast(), gates: newGates(),
		met: map[string]outcome{},
	}
	w.name = fmt.Sprintf("round %d, %s while %s", nth, c.verb, w.base)
	for _, f := range w.foes {
		w.name += " and " + f.name
	}
	now.Store(w)
	w.founded = c.founded
	if c.rng.IntN(2) == 0 {
		w.slow = c.rng.IntN(5000)
	}
	w.store = w.copyOf(nil, 0)
	w.open()
	defer w.quit()
	w.prepare(c.rng)
	score := c.tally.score(c.verb, c.foe)
	lag := score.next(c.rng)
	w.race(lag, c.rng)
	w.settle()
	w.check()
	w.goOn()
	c.tally.add(w)
	score.rounds++
	if first := c.foe.won(w); len(w.foes) == 1 { // a second one can spoil it for both
		score.learn(!first)
	}
}

// choose returns the foe, in every third round with another that can be met in
// the same one.
func (c contest) choose(nth int) []*foe {
	list := []*foe{c.foe}
	if nth%3 < 2 {
		return list
	}
	others := slices.DeleteFunc(foes(), func(f *foe) bool {
		return f.name == c.foe.name || f.own && c.foe.own || f.ends && c.foe.ends
	})
	return append(list, others[c.rng.IntN(len(others))])
}

func (c contest) pick(from ...string) string { return from[c.rng.IntN(len(from))] }

// A world is one round: a society of its own with a model behind a wire.
type world struct {
	t    *testing.T
	ctx  context.Context //nolint:containedctx // of the round
	name string
	verb string
	foes []*foe
	base string // what target does when no foe says it

	server *llmtest.StrictServer
	served int // requests of earlier rounds
	ledger *ledger
	cast   *cast
	gates  gates
	// The round begins with what the founding has left.
	founded, store *storagetest.Recorder
	slow           int // how often others go first during a commit

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
	inWire  int
	closing []time.Duration
}

// gates hold back what is to come at the moment of the race, and the rest.
type gates struct{ target, tools, peer, lead, rest *gate }

func newGates() gates {
	return gates{newGate(), newGate(), newGate(), newGate(), newGate()}
}

func (g gates) openAll() {
	for _, gate := range []*gate{g.target, g.tools, g.peer, g.lead, g.rest} {
		gate.open()
	}
}

// An outcome is what a command came to, and where the logs were when it had.
type outcome struct {
	reply            any
	err              error
	called, returned time.Time
	tick             int // of the ledger
	writes, commits  int // of the store
	served           int // of the server
	probes           map[society.AgentID]error
}

// halts says whether the command has promised that nothing goes on.
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
	store := storagetest.NewRecorder(memdb.New())
	c := newCast().plays("root", hiring("lead")).plays(lead, hiring("target", "peer")).plays(target, hiring("child"))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	w := &world{t: t, ctx: ctx, name: "the founding", store: store, cast: c}
	w.run(llmtest.Func("founding", c.answer))
	if o := w.do(society.Send{To: society.Root, Text: "begin"}); o.err != nil {
		t.Fatal(o.err)
	}
	w.until("all are there", func(rows map[society.AgentID]runtime.Row) bool { return len(rows) == 5 && atRest(rows) })
	w.leave()
	if err := <-w.over; err != nil {
		t.Fatal(err)
	}
	return store
}

// hiring makes one agent of each role.
func hiring(roles ...string) llmtest.Answer {
	var calls []llm.Call
	for _, role := range roles {
		calls = append(calls, call("create_role", object{"name": role, "rolePrompt": "Work."}),
			call("spawn_agent", object{"roleId": "role-" + role, "taskBrief": brief}))
	}
	return llmtest.CallTools(calls...)
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
	return storagetest.NewRecorder(slowed{s, w.slow})
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
	cfg := runtime.Config{Store: w.store, Model: model, Limits: limits, Check: true, Log: slog.New(&complaints{w: w})}
	if w.ledger != nil {
		cfg.Tools = []tool.Tool{
			&bench{w.ledger, looks, tool.Reads, w.gates.tools.c}, &bench{w.ledger, changes, tool.Writes, w.gates.tools.c},
		}
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

// complaints is a log of which only errors are read: a rule or a worker that
// panicked. There are none.
type complaints struct {
	slog.Handler
	w *world
}

func (*complaints) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

func (c *complaints) Handle(_ context.Context, record slog.Record) error {
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
		o.tick, o.writes, o.commits = w.ledger.now(), len(w.store.Writes()), w.store.Commits()
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
		w.until("it waits to try again", func(rows map[society.AgentID]runtime.Row) bool { return rows[target].Retry != nil })
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
	w.rest()
	w.must(society.Send{To: lead, Text: "anything else?"})
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
		entries := w.ledger.all()
		for _, s := range w.requests() {
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

// checkFound holds that whatever had returned is known after the restart.
func (w *world) checkFound() {
	w.t.Helper()
	for _, o := range w.outcomes() {
		i, interrupt := o.reply.(society.Interruption)
		switch {
		case !w.knows(o) || w.found == nil || w.found.Status.Ended():
		case o.halts():
			w.wrong("%T had returned, and after the restart the agent is %s", o.reply, w.found.Status)
		case interrupt && i.Was && w.found.Paused == "" && !w.meets("the user's message"):
			w.wrong("the interrupt had returned, and after the restart the agent is not paused")
		}
	}
}

// knows says whether what a command did is part of what the second run began
// with, if there is one.
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
func (w *world) until(what string, wanted func(map[society.AgentID]runtime.Row) bool) {
	w.t.Helper()
	watcher := w.r.Watch()
	defer watcher.Close()
	rows := map[society.AgentID]runtime.Row{}
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

func atRest(rows map[society.AgentID]runtime.Row) bool {
	for _, row := range rows {
		switch {
		case row.State.Active(), row.State == society.Stopping, row.Draining:
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

// owner is the agent to whom a row belongs, "" for nobody.
func owner(w storagetest.Write) string {
	switch w.Bucket {
	case "agents", "briefs", "tombs", "erase", "mail", "said", "contacts":
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

// check holds what has happened against what the commands had promised.
func (w *world) check() {
	w.t.Helper()
	for _, o := range w.outcomes() {
		switch {
		case o.returned.IsZero(): // not in this round
		case o.halts():
			w.checkEntries(o)
			w.checkServer(o)
			w.checkWrites(o)
			w.checkProbes(o)
		case o.err == nil:
			w.checkInterrupt(o)
		case !o.refused() && !(errors.Is(o.err, runtime.ErrLeaving) && w.meets("leaving")):
			w.wrong("a command came to %v", o.err)
		}
	}
	w.checkEnd()
	if v := w.server.Violations(); len(v) > 0 {
		w.wrong("the server refuses histories: %v", v)
	}
}

// bound is the tick up to which the promise of a command that ends agents holds:
// a crash may have been before it, and left them alive.
func (w *world) bound(o outcome) int {
	if w.reborn > 0 && !w.knows(o) && w.found != nil && !w.found.Status.Ended() {
		return w.reborn
	}
	return w.ledger.now()
}

func (w *world) checkEntries(o outcome) {
	w.t.Helper()
	if left := o.abandoned(); len(left) > 0 {
		w.wrong("work of %v did not end in time", left)
	}
	for _, d := range w.ledger.all() {
		if !ended(d.agent) || d.kind == asked {
			continue
		}
		if d.begun > o.tick && d.begun <= w.bound(o) {
			w.wrong("%s %s after %T has returned", d.agent, d.kind, o.reply)
		}
		if d.begun <= o.tick && (d.over == 0 || d.over > o.tick) {
			w.wrong("%s still %s when %T returns", d.agent, d.kind, o.reply)
		}
	}
}

// checkServer reads the server's own record. A request that had left the client
// and was given up may arrive a moment later; it is over at once.
func (w *world) checkServer(o outcome) {
	w.t.Helper()
	entries := w.ledger.all()
	for _, s := range w.requests() {
		d := entries[s.number]
		switch {
		case !ended(d.agent) || s.nth < o.served || d.begun > w.bound(o):
		case d.begun > o.tick:
			w.wrong("the server was asked by %s after %T has returned", d.agent, o.reply)
		default:
			w.inWire++
		}
		if s.Ended.IsZero() {
			w.wrong("a request of %s is not over", d.agent)
		}
	}
}

// checkWrites holds that nothing is written for those that were ended, nor
// anything that they would have sent. Erasing is no writing; an end that comes
// after the stop has a record of its own.
func (w *world) checkWrites(o outcome) {
	w.t.Helper()
	first := w.store
	if w.before != nil {
		first = w.before
	}
	after := first.Writes()[o.writes:]
	_, stopped := o.reply.(society.StopResult)
	loose := w.meets("a termination", "a drain by the parent") || stopped && w.verb == "terminate"
	if w.crashed > 0 && w.bound(o) > w.reborn {
		after = slices.Concat(after, w.store.Writes())
		loose = loose || !w.knows(o) // the crash left an end half done
	}
	for _, write := range after {
		who := owner(write)
		switch {
		case ended(sender(w.t, write)):
			w.wrong("a message of %s is written to %s after %T has returned", sender(w.t, write), write.Bucket, o.reply)
		case !ended(who) || write.Value == nil:
		case loose && slices.Contains([]string{"agents", "tombs", "erase"}, write.Bucket):
		default:
			w.wrong("%q of %s is written after %T has returned: %q", write.Key, write.Bucket, o.reply, write.Value)
		}
	}
}

func (w *world) checkProbes(o outcome) {
	w.t.Helper()
	for id, err := range o.probes {
		_, gone := o.reply.(society.TerminateResult)
		switch {
		case errors.Is(err, runtime.ErrLeaving) && w.meets("leaving"):
		case refusedAs(err, society.AgentNotFound) && (gone || w.meets("a termination", "a drain by the parent")):
		case refusedAs(err, society.AgentStopped) && !gone:
		default:
			w.wrong("a message to %s after %T came to %v", id, o.reply, err)
		}
	}
}

// checkInterrupt holds that an agent which was interrupted says and does nothing
// more by itself. The work that was cut short is not waited for.
func (w *world) checkInterrupt(o outcome) {
	w.t.Helper()
	reply, ok := o.reply.(society.Interruption)
	if !ok || !reply.Was || w.meets("the user's message") {
		return
	}
	bound := w.ledger.now()
	if w.reborn > 0 && !w.knows(o) {
		bound = w.reborn
	}
	for _, d := range w.ledger.all() {
		if d.agent == target && d.kind == asks && d.begun > o.tick && d.begun <= bound {
			w.wrong("%s asks after the interrupt has returned", d.agent)
		}
	}
	first := w.store
	if w.before != nil {
		first = w.before
	}
	for _, write := range first.Writes()[o.writes:] {
		if write.Bucket == "said" && owner(write) == target && write.Value != nil {
			w.wrong("%q is said after the interrupt has returned: %q", write.Key, write.Value)
		}
	}
}

// checkEnd looks at what is left in the end.
func (w *world) checkEnd() {
	w.t.Helper()
	stops, terminates := 0, 0
	for _, o := range w.outcomes() {
		switch o.reply.(type) {
		case society.StopResult:
			stops += countIf(w.knows(o))
		case society.TerminateResult:
			terminates += countIf(w.knows(o))
		}
	}
	agents := stored(w.t, w.store)
	for id, a := range agents {
		if !ended(id) {
			continue
		}
		if stops > 0 && a.Status != society.Stopped {
			w.wrong("%s is %s", id, a.Status)
		}
	}
	if terminates > 0 {
		w.checkErased()
	}
}

func countIf(is bool) int {
	if is {
		return 1
	}
	return 0
}

// checkErased holds that nothing of them is left but their tombstones.
func (w *world) checkErased() {
	w.t.Helper()
	err := w.store.View(func(tx storage.Tx) error {
		for _, bucket := range []string{"agents", "briefs", "mail", "said", "contacts", "erase"} {
			for key := range tx.Range(bucket, nil, nil) {
				id, contact, _ := strings.Cut(string(key), "\x00")
				if ended(id) || bucket == "contacts" && ended(contact) {
					w.wrong("%s still holds %q", bucket, key)
				}
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// goOn takes the agent up again, if it is there: what it was left with is a
// history that the server accepts.
func (w *world) goOn() {
	w.t.Helper()
	a := stored(w.t, w.store)[target]
	if a == nil {
		return
	}
	w.must(society.Resume{Agent: target})
	w.must(society.Send{To: target, Text: "and now?"})
	w.rest()
	p, err := w.r.Page(w.ctx, target, 0, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	if last := p.Entries[len(p.Entries)-1]; last.Kind != conversation.Answer {
		w.wrong("taken up again it ends with %+v", last)
	}
	if v := w.server.Violations(); len(v) > 0 {
		w.wrong("taken up again: the server refuses histories: %v", v)
	}
}

// quit leaves, and nothing stays: no connection, no unsound record.
func (w *world) quit() {
	w.t.Helper()
	w.gates.openAll()
	w.leave()
	w.r.Force()
	if err := <-w.over; err != nil {
		w.wrong("%v", err)
	}
	w.transport.CloseIdleConnections()
	if err := w.server.Await(w.ctx, func(c llmtest.Counts) bool { return c.Connections == 0 }); err != nil {
		w.wrong("%v", err)
	}
	if err := runtime.Check(w.store); err != nil {
		w.wrong("the store is not sound: %v", err)
	}
}

// A tally counts who came first, and what else was seen.
type tally struct {
	mu      sync.Mutex
	scores  map[string]*score
	order   []string
	inWire  int
	closing []time.Duration
}

// A score is that of one verb against one foe. It keeps back whoever comes first
// too often, so that the rounds lie around the moment at which it turns.
type score struct {
	rounds    int
	verb, foe int // of those without another foe, in which each came first
	lag, step int
	last      bool
}

func (t *tally) score(verb string, f *foe) *score {
	t.mu.Lock()
	defer t.mu.Unlock()
	name := verb + "\t" + f.name
	if t.scores[name] == nil {
		t.scores[name] = &score{step: 64}
		if f.prepare != nil || f.ends { // it has a way to go
			t.scores[name] = &score{lag: 1500, step: 1000}
		}
		t.order = append(t.order, name)
	}
	return t.scores[name]
}

func (s *score) next(rng *rand.Rand) int { return s.lag + rng.IntN(s.step+1) - s.step/2 }

func (s *score) learn(verbFirst bool) {
	if verbFirst {
		s.verb++
	} else {
		s.foe++
	}
	if s.verb+s.foe > 1 && verbFirst != s.last {
		s.step = max(16, s.step/2)
	} else {
		s.step = min(1<<14, s.step*2)
	}
	s.last = verbFirst
	if verbFirst {
		s.lag += s.step
	} else {
		s.lag -= s.step
	}
}

func (t *tally) add(w *world) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.inWire += w.inWire
	t.closing = append(t.closing, w.closing...)
}

// report prints the table. A race that only one side ever wins is none.
func (t *tally) report(test *testing.T, rounds int, seed uint64, took time.Duration) {
	test.Helper()
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "verb\tagainst\trounds\twithout another\tverb first\tagainst first\tlag\t")
	slices.Sort(t.order)
	foes := map[string]*score{}
	for _, name := range t.order {
		s := t.scores[name]
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t\n", name, s.rounds, s.verb+s.foe, s.verb, s.foe, s.lag)
		if rounds < thorough {
			_, name, _ = strings.Cut(name, "\t")
		}
		sum := foes[name]
		if sum == nil {
			sum = &score{}
			foes[name] = sum
		}
		sum.verb, sum.foe = sum.verb+s.verb, sum.foe+s.foe
	}
	for name, s := range foes {
		if rounds >= enough && (s.verb == 0 || s.foe == 0) {
			test.Errorf("%s: only one side ever came first", strings.ReplaceAll(name, "\t", " against "))
		}
	}
	_ = table.Flush()
	slices.Sort(t.closing)
	at := func(share float64) time.Duration {
		if len(t.closing) == 0 {
			return 0
		}
		return t.closing[int(share*float64(len(t.closing)-1))]
	}
	test.Logf("%d rounds in %v, seed %d\n%s", rounds, took.Round(time.Millisecond), seed, b.String())
	test.Logf("verb called to its last connection closed at the server: %d of them, median %v, p99 %v, most %v", len(t.closing), at(.5), at(.99), at(1))
	test.Logf("given up in the wire, seen by the server later: %d", t.inWire)
}

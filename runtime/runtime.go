// Package runtime is the running society: one loop owns the state, records what
// happens before anybody hears of it, and starts the work that the state owes.
// Results of work come back as commands, like everything else.
//
// [Open] reads a society from its store, [Runtime.Run] is the loop, [Runtime.Do] hands it
// a command and returns when the outcome is on disk, and a Watcher tells what changed.
// What may happen is decided in package society, which is pure; what is written, in
// package tables. Workers ask models (think.go), call tools and wait; they touch nothing
// that the loop owns, and are cancelled before the commit of a stop (halt.go). While the
// store does not work, nothing new begins (outage.go). README.md beside this file follows
// one request, SPEC.md says what the rules promise and why.
package runtime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"society-tui/llm"
	"society-tui/llm/limits"
	"society-tui/llm/registry"
	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/artifacts"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/read"
	"society-tui/runtime/tool/todo"
	"society-tui/storage"
)

// Config configures a society. Store is required, and Model or Models.
type Config struct {
	Store storage.Store
	// Models are the models that roles can ask for.
	Models *registry.Registry
	// Model is the only one of a society without Models; Window is its context
	// window in tokens, 0 if it is not known.
	Model  llm.Model
	Window int
	// Lang is the language of a society that is founded now; one that was
	// founded before keeps its own.
	Lang   protocol.Lang
	Limits society.Limits
	// ModelCalls limits the calls at once at each endpoint; 0 means 8.
	ModelCalls int
	// Log gets lifecycle, calls and warnings, never bodies; nil for none.
	Log *slog.Logger
	// Paused starts with all agents paused.
	Paused bool
	// Currency is the sign of the currency of all prices, "" for none.
	Currency string
	// IdleWarning is how long an agent may be idle before the log warns; 0: never.
	IdleWarning time.Duration
	// Tools are the tools that workers run, beside the organisation's.
	Tools []tool.Tool
	// Approvals are what is set of what agents may do without being asked about.
	Approvals society.ApprovalSettings
	// Without are groups of the runtime's own tools that no role can be given.
	Without []tool.Group
	// ReadFile returns the content of a file of the caller's workspace; nil if there are no
	// workspaces.
	ReadFile func(ctx context.Context, by tool.Caller, path string) ([]byte, error)
	// Undoer takes changes of files back; nil if there are no workspaces.
	Undoer *files.Undoer
	// Worktrees are the git worktrees of agents; nil for none. With Isolate each new agent
	// gets one.
	Worktrees api.Worktrees
	Isolate   bool
	// Processes are the background processes of agents; nil for none. Those of an agent end
	// with it: when it is stopped or terminated, and when the society ends.
	Processes api.Processes
	// Sandbox finds out what holds in the commands of agents; nil if no tool runs any. It is
	// called once, by Run, on a goroutine of its own; until then the state is "checking".
	Sandbox func(ctx context.Context) api.Sandbox
	// Files are the workspaces for the user; nil if there are none.
	Files api.Files
	// Servers are the MCP servers, whose tools come and go; nil if there are none.
	Servers Servers
	// ModelWaits reports whether a model is set up and not among Models, because the offline
	// model is the default and answers for all; nil if none waits. It must not block.
	ModelWaits func(name string) bool
	// AskEndpoints asks the endpoints of models what these can do, and has the registry learn
	// it; nil if nobody is asked. It is called by Run, on a goroutine of its own, and with all
	// set whenever the user asks for it; else those that have to look for their key are left out.
	AskEndpoints func(ctx context.Context, models *registry.Registry, all bool) []api.Asked
	// Instructions returns the file in which the workspace says how to work in it, as it is
	// now; nil if there are no workspaces. It is called before each call of a model.
	Instructions func() Instructions
	// Mode is set for the society when it is opened, "" for the one that it has.
	Mode approval.Mode
	// ModeFrom is where the mode of Approvals comes from.
	ModeFrom approval.Source
	// NewFolder is set if the user has not yet said what agents may do in the workspace: a
	// mode that was chosen for another folder and lets them do more than Approvals is then
	// taken away from the society.
	NewFolder bool
	// Addition is appended to the system prompt of every agent.
	Addition string
	// Graphs returns the valid graphs that roles can name, in the language of the agents;
	// nil for none.
	Graphs func(protocol.Lang) []graph.Definition
	// FirstTeam is the team to add before anything runs, in the language of the agents;
	// nil for none. A refusal does not keep the society from opening: see
	// Runtime.FirstTeam.
	FirstTeam func(protocol.Lang) society.AddTeam
	// Observer measures; nil for none.
	Observer Observer
	// Check verifies the whole state after every batch, and what is kept of a
	// conversation whenever it is recalled; for tests.
	Check bool
}

// Bounds of stopping and leaving (SPEC.md, decision 34).
const (
	joinBound = 2 * time.Second // a stop waits for its workers
	// A stop waits so long for programs, which are given a second to leave by themselves.
	processBound = 5 * time.Second
	leaveCalls   = 25 * time.Second // calls in flight when leaving
	leaveCut     = 27 * time.Second // those that were cut off then
	leaveAll     = 55 * time.Second / 2
	forceJoin    = time.Second / 2     // calls in flight when leaving by force
	forceAll     = 3 * time.Second / 2 // and all together, whatever hangs
	gatherFor    = 200 * time.Microsecond
	batchMost    = 256
	sweepRows    = 2000 // of terminated agents, deleted with one commit
)

// ErrStuck is returned by Run when it had to leave the loop behind.
var ErrStuck = errors.New("the disk did not answer: what was not confirmed may not be saved")

// Runtime is a running society. Open makes one; Run must be called once.
type Runtime struct {
	cfg  Config
	log  *slog.Logger
	lang protocol.Lang // set by Open, then only read

	orders chan *pendingCommand
	asks   chan *ask
	always chan struct{} // closed

	models *registry.Registry
	// otherModels wakes keepAsking. Capacity 1: it asks for all.
	otherModels chan struct{}
	drafts      *drafts
	outputs     *outputs
	cache       *conversationCache
	sight       sight
	resting     resting
	overBudget  overBudget

	instructed instructed
	missing    atomic.Pointer[[]api.MissingModel]
	renamed    atomic.Pointer[[]society.RenameModel] // models, since the settings were read

	workers  workers
	watchers watchers
	shutdown shutdown
	opened   opened

	// The fields below belong to the loop.
	state   *society.State
	advance advance
	toolbox toolbox
	queue   queue // carried out next
	commits commits
	totals  totals
	outage  *outage
	late    wakeup
	// midnight is when a day with a budget is over.
	midnight wakeup
	started  bool // by Run
}

// workers holds what runs for agents, and who waits for its end. All fields but limits, idle
// and running belong to the loop.
type workers struct {
	limits *limits.Limits
	// idle are workers without work; its capacity bounds them.
	idle    chan *worker
	running sync.WaitGroup // all goroutines that Run must wait for

	jobs          map[society.AgentID][]*job
	cancelledJobs map[society.AgentID][]*job   // cancelled, and not ended when last looked at
	halting       map[society.AgentID]struct{} // whose workers are being joined
	// joined counts the joins that began; begunAfter is that count when work was last
	// begun.
	joined, begunAfter uint64
	waiters            []*waiter
	compressions       []*compression // for the user
	// acted holds the last step of each agent with which a tool call was begun.
	acted map[society.AgentID]uint64
}

// watchers holds the clients that are told what changes, and the work that waits for a
// model call.
type watchers struct {
	mu           sync.Mutex
	all          map[*Watcher]struct{}
	screens      int
	sandbox      api.Sandbox
	waitsForSlot map[piece]limits.Wait
}

// shutdown holds how the society ends. leaving, leaveBy and closing belong to the loop.
type shutdown struct {
	force chan struct{}
	once  sync.Once
	// overdue is closed when Run must return, whatever hangs.
	overdue chan struct{}
	done    chan struct{} // closed when the loop has ended, or was left behind

	leaving bool
	leaveBy time.Time // when Run returns, whatever still runs; zero before leaving
	closing bool      // nothing more is taken
	last    Summary   // handed over when the loop has ended, then only read
}

// opened holds what Open found and did. It does not change afterwards.
type opened struct {
	team   firstTeam
	report api.StartReport
}

// A toolbox is the tools that there are, and what agents are offered of them. Workers read
// its maps, so they are replaced and never changed.
type toolbox struct {
	tools      map[string]tool.Tool // that workers run
	reader     tool.Tool            // reads what is no text of the runtime's, nil for none
	readSpec   tool.Spec            // of the reader
	specs      []tool.Spec          // all that there are
	configured map[string]tool.Spec // those that workers run
	offers     map[toolSetKey]*toolSet
	classes    map[string]tool.Class
	served     []tool.Tool // those of MCP servers, as they were when the servers last changed
}

// commits holds what one commit leaves for the next.
type commits struct {
	// listening begins to hear orders when a commit takes long, and ends when hushed
	// takes a value.
	listening *time.Timer
	hushed    chan struct{}
	writers   int  // how many orders the last batch had, and had come when it was on disk
	unwritten int  // bytes of the last batch that could not be saved, about
	sweeping  bool // something is left to be deleted
	unswept   bool // it is not known whether an earlier run has left something
}

// totals are the sums and the timeline that are kept beside the state.
type totals struct {
	timeline ring
	usage    society.Usage
	health   map[string]string // of each model, by its name: how its last call went; replaced, never changed
	warned   map[society.AgentID]time.Time
	summary  Summary
	servers  int // grows with each change of the MCP servers
}

// advance is society.State.Advance; a test breaks a rule through it.
type advance func(s *society.State, at time.Time, cmd society.Command) ([]society.Event, society.Reply, error)

// firstTeam is the outcome of Config.FirstTeam.
type firstTeam struct {
	result society.AddTeamResult
	err    error
}

// Summary reports what a run of the program has done.
type Summary struct {
	Processed int // messages that agents took
	Pending   int // messages that wait for agents
	Owed      int // pieces of work that the next start goes on with
	// Unsaved explains why nothing could be saved at the end; "" if everything is.
	Unsaved string
}

// Open loads the society from the store, or founds it, and repairs what a crash has left.
// No work runs before Run.
func Open(cfg Config) (*Runtime, error) {
	if cfg.Store == nil || cfg.Model == nil && cfg.Models == nil {
		return nil, errors.New("a society needs a store and a model")
	}
	if cfg.Models == nil {
		only, err := registry.New(registry.Entry{Name: cfg.Model.Name(), Model: cfg.Model, Window: cfg.Window})
		if err != nil {
			return nil, err
		}
		cfg.Models = only
	}
	cfg.Model, cfg.Window = nil, 0 // from here on only Models is used
	if cfg.ModelCalls <= 0 {
		cfg.ModelCalls = 8
	}
	if cfg.Limits == (society.Limits{}) {
		cfg.Limits = society.DefaultLimits()
	}
	if cfg.Lang == "" {
		cfg.Lang = protocol.English
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Observer == nil {
		cfg.Observer = unobserved{}
	}
	r := &Runtime{
		cfg: cfg, log: cfg.Log,
		orders: make(chan *pendingCommand), asks: make(chan *ask), always: make(chan struct{}),
		models: cfg.Models, otherModels: make(chan struct{}, 1), drafts: newDrafts(), outputs: newOutputs(), cache: newConversationCache(cacheBytes),
		workers: workers{
			limits: limits.New(cfg.ModelCalls), idle: make(chan *worker, idleWorkersMost),
			jobs: map[society.AgentID][]*job{}, cancelledJobs: map[society.AgentID][]*job{},
			halting: map[society.AgentID]struct{}{}, acted: map[society.AgentID]uint64{},
		},
		watchers: watchers{all: map[*Watcher]struct{}{}, waitsForSlot: map[piece]limits.Wait{}},
		shutdown: shutdown{force: make(chan struct{}), overdue: make(chan struct{}), done: make(chan struct{})},
		commits:  commits{hushed: make(chan struct{})},
		totals:   totals{health: map[string]string{}, warned: map[society.AgentID]time.Time{}},
		advance:  (*society.State).Advance,
	}
	close(r.always)
	r.renamed.Store(&[]society.RenameModel{})
	r.drafts.wake, r.outputs.wake = r.streams, r.streams
	if cfg.Sandbox != nil {
		r.watchers.sandbox.State = api.SandboxChecking
	}
	if cfg.Processes != nil {
		cfg.Processes.Notify(func(agent society.AgentID) { r.mark([]society.AgentID{agent}, nil, false) })
	}
	for _, t := range cfg.Tools {
		if t.Spec(cfg.Lang).Name == read.Name {
			r.toolbox.reader = t
		}
	}
	if err := r.load(); err != nil {
		return nil, err
	}
	if err := r.checkRules(); err != nil {
		return nil, err
	}
	r.settleWorktrees()
	if err := r.begin(); err != nil {
		return r, err
	}
	r.findMissing()
	for _, w := range r.MissingModels() {
		r.log.Warn("model, tool or graph missing", "role", w.Role, "graph", w.Graph, "node", w.Node, "model", w.Model, "tool", w.Tool)
	}
	return r, nil
}

// load reads the state from the store.
func (r *Runtime) load() error {
	var records society.Records
	var lines []tables.TimelineRecord
	err := r.cfg.Store.View(func(tx storage.Tx) (err error) {
		if records, err = tables.Load(tx); err == nil && r.totals.timeline.last == 0 {
			lines, err = tables.Timeline(tx)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("load the society: %w", err)
	}
	s := society.Load(r.cfg.Limits, records)
	if err := society.Check(s); err != nil {
		return fmt.Errorf("%w: %w", storage.ErrDamaged, err)
	}
	r.state, r.commits.unswept = s, true
	r.tellWindows()
	r.cache.clear()
	if r.totals.timeline.last == 0 {
		r.totals.timeline.recall(lines)
	}
	if r.shutdown.leaving {
		s.Leave()
	}
	r.describe()
	r.totals.usage = society.Usage{}
	for _, id := range s.Agents() {
		a := s.Agent(id)
		r.totals.usage = r.totals.usage.Plus(a.Usage).Plus(a.Ended)
	}
	return nil
}

// describe works out which tools agents are offered, in the society's language.
func (r *Runtime) describe() {
	lang := r.state.Lang()
	if lang == "" {
		lang = r.cfg.Lang
	}
	more := []tool.Spec{read.Spec(lang)}
	if !slices.Contains(r.cfg.Without, todo.Group) {
		more = append(more, todo.Spec(lang))
	}
	if !slices.Contains(r.cfg.Without, artifacts.Group) {
		more = append(more, artifacts.Specs(lang, r.cfg.ReadFile != nil)...)
	}
	r.toolbox.configured, r.toolbox.tools = map[string]tool.Spec{}, map[string]tool.Tool{}
	for _, t := range slices.Concat(r.cfg.Tools, r.toolbox.served) {
		s := t.Spec(lang)
		if s.Name == read.Name {
			r.toolbox.readSpec = s
			continue
		}
		more = append(more, s)
		r.toolbox.configured[s.Name], r.toolbox.tools[s.Name] = s, t
	}
	served := r.serverGroups()
	r.toolbox.specs = append(org.Specs(lang, org.Offer{Models: r.tellModels(), Graphs: r.tellGraphs(lang), Groups: groupsOf(more, served...)}), more...)
	risks, classes, groups := map[string]tool.Risk{}, map[string]tool.Class{}, map[string]tool.Group{}
	for _, spec := range r.toolbox.specs {
		risks[spec.Name], classes[spec.Name] = spec.Risk(), spec.Class
	}
	for _, spec := range more {
		groups[spec.Name] = spec.In()
	}
	r.toolbox.offers = map[toolSetKey]*toolSet{}
	r.state.SetRisks(risks)
	r.toolbox.classes = classes
	r.state.SetClasses(classes)
	r.state.SetApprovals(r.approvals())
	r.state.SetGroups(groups, served...)
	r.state.SetIsolated(r.isolates())
}

// groupsOf returns the groups of tools, but for reading, which every role has, with those that
// may have no tools now.
func groupsOf(specs []tool.Spec, empty ...tool.Group) []org.Group {
	var groups []org.Group
	for _, s := range specs {
		if s.In() == tool.Read {
			continue
		}
		i := slices.IndexFunc(groups, func(g org.Group) bool { return g.Name == s.In() })
		if i < 0 {
			i = len(groups)
			groups = append(groups, org.Group{Name: s.In()})
		}
		groups[i].Tools = append(groups[i].Tools, s.Name)
	}
	for _, name := range empty {
		if !slices.ContainsFunc(groups, func(g org.Group) bool { return g.Name == name }) {
			groups = append(groups, org.Group{Name: name})
		}
	}
	return groups
}

// begin founds an empty society, or repairs what the last run left.
func (r *Runtime) begin() error {
	var cmd society.Command = society.Restart{Paused: r.cfg.Paused}
	if r.state.Empty() {
		name, prompt := protocol.RootRole(r.cfg.Lang)
		cmd = society.Found{Lang: r.cfg.Lang, Role: name, Prompt: prompt}
	}
	batch := []*pendingCommand{{cmd: cmd, done: make(chan struct{})}}
	var team *pendingCommand
	if r.cfg.FirstTeam != nil {
		lang := r.state.Lang()
		if lang == "" {
			lang = r.cfg.Lang
		}
		team = &pendingCommand{done: make(chan struct{})}
		added := r.cfg.FirstTeam(lang)
		if team.cmd = added; !added.Once || r.state.TeamsOf(added.Template) == 0 {
			team.cmd, team.err = r.withWorktrees(context.Background(), added)
		}
		if team.err == nil {
			batch = append(batch, team)
		}
	}
	if own := r.state.Mode(society.ModeScope{}); r.cfg.NewFolder && approval.Strictest(own, r.cfg.Approvals.Mode) != own {
		batch = append(batch, &pendingCommand{cmd: society.SetMode{}, done: make(chan struct{})})
	}
	if r.cfg.Mode != "" {
		batch = append(batch, &pendingCommand{cmd: society.SetMode{Mode: r.cfg.Mode}, done: make(chan struct{})})
	}
	if r.cfg.Paused {
		batch = append(batch, &pendingCommand{cmd: society.PauseAll{}, done: make(chan struct{})})
	}
	r.carryOut(batch)
	if team != nil {
		r.opened.team.err = team.err
		r.opened.team.result, _ = team.reply.(society.AddTeamResult)
	}
	for _, o := range batch {
		if o.err != nil && o != team {
			return fmt.Errorf("begin the society: %w", o.err)
		}
	}
	if _, again := cmd.(society.Restart); again {
		r.opened.report = r.countAtStart()
	}
	r.describe()
	r.lang = r.state.Lang()
	r.recallBrakes()
	return nil
}

func (r *Runtime) countAtStart() api.StartReport {
	var b api.StartReport
	for _, id := range r.state.Agents() {
		switch a := r.state.Agent(id); {
		case a.Status.Active():
			b.AtWork++
		case a.Status == society.Stopped:
			b.Stopped++
		case a.Paused != "":
			b.Paused++
		}
	}
	return b
}

// StartReport counts the agents that Open has found; none in a society that is
// new.
func (r *Runtime) StartReport() api.StartReport { return r.opened.report }

// FirstTeam returns what Open made of Config.FirstTeam.
func (r *Runtime) FirstTeam() (society.AddTeamResult, error) {
	return r.opened.team.result, r.opened.team.err
}

// Lang is the language that the agents are spoken to in; it never changes.
func (r *Runtime) Lang() protocol.Lang { return r.lang }

// Do carries a command out and returns its reply when all of it is on disk. It
// may be called from any goroutine. Its errors are *society.Refusal,
// ErrLeaving or ctx's: a command whose wait was given up may still be carried
// out.
func (r *Runtime) Do(ctx context.Context, cmd society.Command) (society.Reply, error) {
	return r.give(ctx, nil, cmd)
}

// give submits a command, again if it was stale.
func (r *Runtime) give(ctx context.Context, key *api.RequestKey, cmd society.Command) (society.Reply, error) {
	for try := 1; ; try++ {
		o := &pendingCommand{cmd: cmd, key: key, done: make(chan struct{})}
		if err := r.submit(ctx, o); err != nil {
			return nil, err
		}
		if try == rewindTries || !isStale(cmd, o.err) {
			return o.reply, o.err
		}
	}
}

func (r *Runtime) submit(ctx context.Context, o *pendingCommand) error {
	if o.cmd, o.err = attachable(o.cmd); o.err != nil {
		return o.err
	}
	if o.cmd, o.err = r.withWorktrees(ctx, o.cmd); o.err != nil {
		return o.err
	}
	if o.cmd, o.err = r.withPoint(ctx, o.cmd); o.err != nil {
		return o.err
	}
	o.cmd = r.keyed(o.cmd)
	select {
	case r.orders <- o:
	case <-r.shutdown.done:
		return api.ErrLeaving
	case <-ctx.Done():
		r.removeNow(ctx, worktreesFor(o.cmd))
		return ctx.Err()
	}
	select {
	case <-o.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-r.shutdown.done:
	}
	select {
	case <-o.done:
		return nil
	default:
		return api.ErrLeaving
	}
}

// Force makes Run leave at once instead of waiting for what is in flight. What
// was acknowledged is on disk all the same.
func (r *Runtime) Force() {
	r.shutdown.once.Do(func() {
		close(r.shutdown.force)
		time.AfterFunc(forceAll, func() { close(r.shutdown.overdue) })
	})
}

// Summary returns what this run has done; the zero value if its loop had to be abandoned.
// It may be called after Run has returned.
func (r *Runtime) Summary() Summary {
	<-r.shutdown.done
	return r.shutdown.last
}

// Check reads a whole store and says all that is wrong with it: records that
// cannot be read, and invariants that do not hold.
func Check(store storage.Store) error {
	return store.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		if err != nil {
			return err
		}
		s := society.Load(society.DefaultLimits(), records)
		return errors.Join(society.Check(s), tables.Check(tx, s), tables.Lost(tx))
	})
}

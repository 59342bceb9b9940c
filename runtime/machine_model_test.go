package runtime_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/graph"
	"society-tui/runtime/society"
)

// The model of TestTheProgramDoesWhatItsModelDoes: what SPEC.md, decisions 1–12 and 32
// come to, without goroutines, clock, store, epochs of steps, tasks or debts. It is meant
// to be read beside the rules: a twin is an agent, a tree all agents, a model a tree in a
// program that can leave, crash and lose its store.
//
// Two things it does not know by itself. The ids of messages it is told. And who
// gets the text of a turn's end is a matter of debts, which has tests of its own:
// the model takes the recipients from the program, and holds only that each of
// them accepts messages at that moment, and is answered once.

// A twin is one agent.
type twin struct {
	id, parent society.AgentID
	state      society.Status
	paused     society.Pause
	epoch      uint64

	said    []string // the conversation, a line an entry; "" for a result still to come
	waiting []letter
	strands []*strand // what its turn is in the middle of: of branches side by side one in each

	open    bool // a turn was cut short or has failed: resume takes it up again
	dropped int  // answers in a row that messages of agents have superseded

	drain   society.AgentID // the root of the drain that it lies in
	drained *drain          // its own drain, if it is such a root
	result  string          // terminating: what the call that waits for its end is answered

	graph *graph.Graph // of its role; nil for the plain one
	run   *graph.Run   // of its turn through that, nil before it begins
	rests bool         // a pause has held the turn between two nodes of it

	unheard int // messages that were read before its context was last compressed
}

// A strand is one thing that a turn is in the middle of.
type strand struct {
	step    uint64 // of the run, 0 in the plain graph
	acts    bool   // it has called tools
	calls   []*act // of its open answer
	answer  int    // the line of said where that answer stands
	attempt int    // retries made of the present call
	retry   time.Time
	live    bool // a worker runs for it
	held    bool // its result cannot be saved yet
}

// A letter is a message that an agent was acknowledged to have got.
type letter struct {
	id   society.MessageID
	from society.AgentID
}

// An act is one call of an answer.
type act struct {
	id, tool string
	to       society.AgentID // of send_message and terminate_agent
	body     string          // of send_message

	done  bool
	runs  bool // a worker was told to run it …
	never bool // … by a program that was leaving, and so begins nothing
	begun bool // in this run of the program: it is not begun again
	early bool // begun before the commit of its answer, which failed
	waits bool // terminate_agent: for the end of the drain
}

// A drain is a termination that lets the subtree finish first.
type drain struct {
	by    society.AgentID
	call  string
	until time.Time
	fired bool // it has come to its bound, which cannot be saved yet
}

// A tree is all that a store holds of the agents.
type tree struct {
	twins   []*twin // in the order of their creation
	gone    map[society.AgentID]bool
	spawned int
}

func newTree() tree {
	return tree{
		twins: []*twin{{id: society.Root, parent: society.User, state: society.Idle}},
		gone:  map[society.AgentID]bool{},
	}
}

func (t *tree) clone() tree {
	c := tree{gone: maps.Clone(t.gone), spawned: t.spawned}
	for _, f := range t.twins {
		g := *f
		if f.run != nil {
			g.run = f.run.Clone()
		}
		g.said, g.waiting, g.strands = slices.Clone(f.said), slices.Clone(f.waiting), nil
		for _, s := range f.strands {
			g.strands = append(g.strands, s.clone())
		}
		if f.drained != nil {
			d := *f.drained
			g.drained = &d
		}
		c.twins = append(c.twins, &g)
	}
	return c
}

// at returns a twin, nil if there is none.
func (t *tree) at(id society.AgentID) *twin {
	for _, f := range t.twins {
		if f.id == id {
			return f
		}
	}
	return nil
}

// named is at for a verb: what is being erased is not there any more.
func (t *tree) named(id society.AgentID) (*twin, society.Code) {
	f := t.at(id)
	switch {
	case id == society.User:
		return nil, society.InvalidRecipient
	case f == nil:
		return nil, society.AgentNotFound
	case f.state == society.Terminating:
		return nil, society.AgentStopped
	}
	return f, ""
}

// subtree returns a twin and all below it, level by level.
func (t *tree) subtree(top *twin) []*twin {
	all := []*twin{top}
	for i := 0; i < len(all); i++ {
		for _, f := range t.twins {
			if f.parent == all[i].id {
				all = append(all, f)
			}
		}
	}
	return all
}

func (t *tree) depth(f *twin) int {
	n := 0
	for f = t.at(f.parent); f != nil; f = t.at(f.parent) {
		n++
	}
	return n
}

func (t *tree) below(id, top society.AgentID) bool {
	f := t.at(id)
	return f != nil && (f.parent == top || t.below(f.parent, top))
}

// drainAbove is the drain that a twin lies in, whether it is marked or not.
func (t *tree) drainAbove(f *twin) society.AgentID {
	for ; f != nil; f = t.at(f.parent) {
		if f.drain != "" {
			return f.drain
		}
	}
	return ""
}

func (f *twin) busy() bool { return f.state.Active() }

// unfinished reports whether something of it goes on by itself.
func (f *twin) unfinished() bool {
	return !f.state.Ended() && (f.busy() || f.paused == "" && len(f.waiting) > 0)
}

func (s *strand) clone() *strand {
	c := *s
	c.calls = nil
	for _, a := range s.calls {
		b := *a
		c.calls = append(c.calls, &b)
	}
	return &c
}

// next is the first call without a result, nil if there is none.
func (s *strand) next() *act {
	for _, a := range s.calls {
		if !a.done {
			return a
		}
	}
	return nil
}

func (s *strand) running() *act {
	if a := s.next(); a != nil && a.runs {
		return a
	}
	return nil
}

// close answers a call. The last one closes the answer.
func (f *twin) close(s *strand, a *act, how string) {
	a.done = true
	f.said[s.answer+1+slices.Index(s.calls, a)] = a.id + " " + how
	if s.next() == nil {
		s.calls, f.dropped = nil, 0
	}
}

// abort answers the calls of a twin that is cut short.
func (f *twin) abort() {
	for _, s := range f.strands {
		for a := s.next(); a != nil; a = s.next() {
			if a.runs && !a.never || a.waits {
				f.close(s, a, "aborted")
			} else {
				f.close(s, a, "not_run")
			}
		}
	}
}

// cut ends what runs of a turn, which stays open.
func (f *twin) cut() {
	f.epoch++
	f.fails()
}

// fails ends what runs of a turn that cannot go on by itself.
func (f *twin) fails() {
	f.abort()
	f.state, f.open, f.strands = society.Idle, true, nil
}

// end takes a twin out of all that goes on. It returns how many messages that
// cost.
func (f *twin) end(state society.Status) int {
	n := len(f.waiting)
	*f = twin{id: f.id, parent: f.parent, state: state, epoch: f.epoch + 1, said: f.said, result: f.result, graph: f.graph, unheard: f.unheard}
	return n
}

// Limits that random histories reach. The others are out of the way.
func machineLimits() society.Limits {
	l := society.DefaultLimits()
	l.Agents, l.Depth, l.Children, l.Queue = 9, 3, 4, 4
	for _, far := range []*int{&l.SpawnsPerMinute, &l.ToolRounds, &l.RepeatsWarned, &l.RepeatsEnded, &l.TaskMessages, &l.DrainMessages} {
		*far = 1 << 30
	}
	return l
}

// A model is a tree in a running program.
type model struct {
	tree
	limits  society.Limits
	workers *graph.Graph // of all but root
	now     time.Time
	leaving bool
	broken  bool           // the store takes nothing
	outage  *modelOutage   // … and the program knows
	saving  bool           // verbs are written that the log has told of before
	began   map[string]int // requests by agent and runs of tools by call, in this run of the program

	// posted returns the id of a message that the program has just accepted.
	posted func(from, to society.AgentID, body string) society.MessageID
	// told returns the recipients of the end of the last turn.
	told func(from society.AgentID) []recipient
	// owes reports whether an agent has a turn that can be taken up again.
	owes func(society.AgentID) bool
	// wrong is called with what the program may not do.
	wrong func(format string, args ...any)
}

// A recipient is one of those who get the end of a turn: as an answer, or as a
// report, for example for somebody who does not accept it.
type recipient struct {
	id     society.AgentID
	report bool
}

// A modelOutage is the time in which nothing is saved.
type modelOutage struct {
	saved tree              // what the store holds
	verbs []society.Command // to be written first
	held  []ending
	tick  time.Time // when saving is tried next
}

// An ending is how a piece of work ended.
type ending struct {
	agent society.AgentID
	epoch uint64
	step  uint64 // of the strand
	kind  string // text, calls, verdict, join, retry, fails, tool, timer, drain
	body  string
	calls []*act

	verdict graph.Result
}

// order is a command of the user: what it is answered, or the code of its refusal. While
// nothing is saved only what ends something acts.
func (m *model) order(cmd society.Command) (any, society.Code) {
	if m.broken && m.outage == nil && (endsOnly(cmd) || !m.leaving) {
		m.tries(func(trial *model) { _, _ = trial.carry(cmd) })
	}
	if m.outage != nil && !endsOnly(cmd) {
		return nil, society.StoreUnavailable
	}
	if _, pauses := cmd.(society.PauseAll); m.leaving && !pauses && !endsOnly(cmd) {
		return nil, "leaving"
	}
	reply, code := m.carry(cmd)
	if m.outage != nil && code == "" {
		m.outage.verbs = append(m.outage.verbs, cmd)
		reply = unsaved(reply)
	}
	m.start()
	return reply, code
}

// endsOnly reports whether a command only ends something: it is carried out while nothing
// is saved, and while the program is leaving.
func endsOnly(cmd society.Command) bool {
	switch c := cmd.(type) {
	case society.Interrupt:
		return c.Text == ""
	case society.Stop, society.Terminate:
		return true
	}
	return false
}

func unsaved(reply any) any {
	switch r := reply.(type) {
	case society.Interruption:
		r.Unsaved = true
		return r
	case society.StopResult:
		r.Unsaved = true
		return r
	case society.TerminateResult:
		r.Unsaved = true
		return r
	}
	return reply
}

// tries is the first commit that fails. It is noticed if the command would have
// changed anything, and what was cancelled for it at once stays cancelled.
func (m *model) tries(do func(*model)) {
	trial := &model{tree: m.clone(), limits: m.limits, workers: m.workers, now: m.now, leaving: m.leaving, began: map[string]int{}}
	trial.posted = func(_, _ society.AgentID, _ string) society.MessageID { return "" }
	trial.told = func(society.AgentID) []recipient { return nil }
	trial.owes = func(society.AgentID) bool { return false }
	do(trial)
	if trial.portrait() == m.portrait() {
		return
	}
	for _, f := range m.twins {
		if g := trial.at(f.id); g == nil || g.epoch != f.epoch {
			for _, s := range f.strands {
				s.live = false
			}
		}
	}
	m.outage = &modelOutage{saved: m.clone(), tick: m.now.Add(time.Second)}
}

// carry carries out a command and all that follows.
func (m *model) carry(cmd society.Command) (any, society.Code) {
	reply, code := m.verb(cmd)
	m.settle()
	m.halt()
	return reply, code
}

func (m *model) verb(cmd society.Command) (any, society.Code) {
	switch c := cmd.(type) {
	case society.Send:
		return m.send(c)
	case society.DropWaiting:
		return m.takeBack(c)
	case society.Interrupt:
		return m.interrupt(c)
	case society.Rewind:
		return m.rewind(c)
	case society.Fork:
		return m.fork(c)
	case society.Stop:
		return m.stop(c)
	case society.PauseAgent:
		return m.pauseAgent(c)
	case society.Resume:
		return m.resume(c)
	case society.Terminate:
		return m.terminate(c)
	case society.CompressContext:
		return nil, m.mayCompress(c)
	case society.PauseAll:
		for _, f := range m.twins {
			m.pause(f)
		}
		return society.Done{}, ""
	}
	return nil, ""
}

// refuses returns why a message would be refused, or "".
func (m *model) refuses(from, to society.AgentID) society.Code {
	if to == from {
		return society.InvalidRecipient
	}
	if to == society.User {
		return ""
	}
	f, code := m.named(to)
	switch {
	case code != "":
		return code
	case f.state.Ended(), f.drain != "" && !m.below(from, to):
		return society.AgentStopped
	case len(f.waiting) >= m.limits.Queue:
		return society.MailboxFull
	}
	return ""
}

func (m *model) post(from, to society.AgentID, body string) society.MessageID {
	id := m.posted(from, to, body)
	if f := m.at(to); f != nil {
		f.waiting = append(f.waiting, letter{id, from})
	}
	return id
}

// report delivers the end of a turn to the recipients that the program chose.
func (m *model) report(f *twin, body string) {
	var answered []society.AgentID
	for _, to := range m.told(f.id) {
		if code := m.refuses(f.id, to.id); code != "" || !to.report && slices.Contains(answered, to.id) {
			m.wrong("the text of %s went to %s (%s), before that to %v", f.id, to.id, code, answered)
		}
		if !to.report {
			answered = append(answered, to.id)
		}
		m.post(f.id, to.id, body)
	}
}

func (m *model) send(c society.Send) (any, society.Code) {
	f, code := m.named(c.To)
	if code != "" {
		return nil, code
	}
	resumes := c.Resume && f.state == society.Stopped && m.drainAbove(f) == ""
	if code := m.refuses(society.User, c.To); code != "" && !resumes {
		return nil, code
	}
	sent := society.Sent{}
	if resumes {
		for _, g := range m.subtree(f) {
			if g.state == society.Stopped {
				g.state = society.Idle
				sent.Resumed = append(sent.Resumed, g.id)
			}
		}
	}
	f.paused = ""
	sent.Message = m.post(society.User, c.To, c.Text)
	return sent, ""
}

func (m *model) takeBack(c society.DropWaiting) (any, society.Code) {
	f, code := m.named(c.Agent)
	if code != "" {
		return nil, code
	}
	for i, l := range slices.Backward(f.waiting) {
		if l.from == society.User {
			f.waiting = slices.Delete(f.waiting, i, i+1)
			return l.id, ""
		}
	}
	return nil, society.InvalidArguments
}

func (m *model) interrupt(c society.Interrupt) (any, society.Code) {
	f, code := m.named(c.Agent)
	switch {
	case code != "":
		return nil, code
	case f.state.Ended():
		return nil, society.AgentStopped
	}
	if c.Text != "" {
		if code := m.refuses(society.User, f.id); code != "" {
			return nil, code
		}
	}
	reply := society.Interruption{Was: f.busy(), Waiting: len(f.waiting)}
	if f.busy() {
		f.cut()
		f.paused = society.Interrupted
	}
	if c.Text != "" {
		f.paused = ""
		m.post(society.User, f.id, c.Text)
	}
	return reply, ""
}

// rewind sets a conversation aside. Whom the agent answers no more, and whether it owes
// something since before, only the program knows.
func (m *model) rewind(c society.Rewind) (any, society.Code) {
	f, code := m.named(c.Agent)
	if code != "" {
		return nil, code
	}
	at := slices.Index(f.said, fmt.Sprint(society.User, " ", c.Message))
	switch {
	case f.state == society.Stopping, m.drainAbove(f) != "":
		return nil, society.AgentStopped
	case at < 0:
		return nil, society.InvalidArguments
	}
	reply := society.Rewound{Message: c.Message, Was: f.busy()}
	if f.busy() {
		f.cut()
		f.paused = society.Interrupted
	}
	for i := at; i < len(f.said); i++ {
		if line := f.said[i]; line != "" && !strings.HasPrefix(line, aside) {
			f.said[i] = aside + line
		}
	}
	f.run, f.rests, f.dropped, f.open = nil, false, 0, m.owes(f.id)
	for _, to := range m.told(f.id) {
		if code := m.refuses(f.id, to.id); code != "" || !to.report {
			m.wrong("%s is told of the rewind of %s (%s)", to.id, f.id, code)
		}
		m.post(f.id, to.id, "")
	}
	return reply, ""
}

// fork copies a worker with its conversation, in which no call is open.
func (m *model) fork(c society.Fork) (any, society.Code) {
	f, code := m.named(c.Agent)
	if code != "" {
		return nil, code
	}
	parent := m.at(f.parent)
	if code := m.refuses(society.User, parent.id); code != "" && code != society.MailboxFull {
		return nil, code
	}
	if f.drain != "" {
		return nil, society.AgentStopped
	}
	if m.full(parent) {
		return nil, society.LimitReached
	}
	m.spawned++
	copied := &twin{id: society.AgentID(fmt.Sprint("worker-", m.spawned)), parent: f.parent, state: society.Idle, graph: f.graph, said: slices.Clone(f.said), unheard: f.unheard}
	for _, s := range f.strands {
		for i, a := range s.calls {
			if how := "not_run"; !a.done {
				if a.runs && !a.never || a.waits {
					how = "aborted"
				}
				copied.said[s.answer+1+i] = a.id + " " + how
			}
		}
	}
	m.twins = append(m.twins, copied)
	return society.Forked{Agent: copied.id}, ""
}

// full reports whether an agent can have no further child.
func (m *model) full(f *twin) bool {
	children := 0
	for _, g := range m.twins {
		if g.parent == f.id {
			children++
		}
	}
	return len(m.twins) >= m.limits.Agents || m.depth(f) >= m.limits.Depth || children >= m.limits.Children
}

// aside stands before what was set aside.
const aside = "~"

func (m *model) pause(f *twin) {
	if f.busy() {
		f.cut()
	}
	if f.paused == "" && !f.state.Ended() {
		f.paused = society.AskedToPause
	}
}

func (m *model) stop(c society.Stop) (any, society.Code) {
	top, code := m.named(c.Agent)
	if code != "" {
		return nil, code
	}
	reply := society.StopResult{OK: true}
	for _, f := range m.subtree(top) {
		if f.state.Ended() && (f.state != society.Stopped || f.drain == "") {
			continue
		}
		if !f.state.Ended() { // else it is only in a drain, which the stop replaces
			reply.Stopped = true
			if f != top {
				reply.CascadeStopped = append(reply.CascadeStopped, f.id)
			}
		}
		f.abort()
		m.drainOver(f, "failed agent_stopped")
		reply.Dropped += f.end(society.Stopped)
	}
	if !reply.Stopped {
		reply.Reason = "it is stopped already"
	}
	return reply, ""
}

func (m *model) resume(c society.Resume) (any, society.Code) {
	top, code := m.named(c.Agent)
	if code != "" {
		return nil, code
	}
	all := []*twin{top}
	if !c.Alone {
		all = m.subtree(top)
	}
	reply := society.Resumption{}
	for _, f := range all {
		open := f.state == society.Idle && f.open
		if f.state == society.Terminating || f.paused == "" && f.state != society.Stopped && !open {
			continue
		}
		reply.Agents = append(reply.Agents, f.id)
		if open {
			reply.Again = append(reply.Again, f.id)
		}
		f.paused = ""
		if f.state == society.Stopped {
			f.state, f.drain = society.Idle, m.drainAbove(f)
		}
		switch midway := f.run != nil; {
		case !open, len(f.waiting) > 0 && !midway:
		case len(f.waiting) > 0 && m.reads(f):
			f.take(false)
			f.think()
		default:
			f.think()
		}
	}
	return reply, ""
}

func (m *model) terminate(c society.Terminate) (any, society.Code) {
	if c.Agent == society.Root {
		return nil, society.InvalidRecipient
	}
	top, code := m.named(c.Agent)
	if code != "" {
		return nil, code
	}
	reply := society.TerminateResult{OK: true, Terminated: true, TerminatedAgentID: top.id}
	for _, f := range m.subtree(top) {
		if f != top {
			reply.CascadeTerminated = append(reply.CascadeTerminated, f.id)
		}
		m.drainOver(f, "failed agent_not_found")
		reply.Dropped += f.end(society.Terminating)
	}
	return reply, ""
}

// drainOver answers the call that waits for the end of a twin's drain, if any.
func (m *model) drainOver(f *twin, how string) {
	if f.drained == nil {
		return
	}
	m.answerCall(f.drained.by, f.drained.call, how)
}

func (m *model) answerCall(by society.AgentID, call, how string) {
	f := m.at(by)
	if f == nil {
		return
	}
	for _, s := range f.strands {
		for _, a := range s.calls {
			if a.id == call && !a.done {
				f.close(s, a, how)
			}
		}
	}
}

// settle does what follows by the rules, until all is quiet.
func (m *model) settle() {
	for quiet := false; !quiet; {
		quiet = true
		for _, f := range slices.Clone(m.twins) {
			quiet = !m.follow(f) && quiet
		}
	}
}

// follow does what comes next for one twin, and reports whether there was anything.
func (m *model) follow(f *twin) bool {
	switch {
	case f.busy() && m.goOn(f):
		return true
	case f.state == society.Idle && m.wakes(f):
		if !f.rests || !f.forked() {
			f.take(!f.rests)
		}
		f.think()
		return true
	case f.drained != nil && f.state != society.Terminating && !slices.ContainsFunc(m.subtree(f), (*twin).unfinished):
		m.drainEnds(f, false)
		return true
	}
	return false
}

// reads reports whether a twin takes what waits for it when it next can.
func (m *model) reads(f *twin) bool { return m.wakes(f) && f.atBorder() }

// wakes reports whether what waits is for a twin to read. In a drain children come before
// their parents.
func (m *model) wakes(f *twin) bool {
	return len(f.waiting) > 0 && f.paused == "" &&
		(f.drain == "" || !slices.ContainsFunc(m.subtree(f)[1:], (*twin).unfinished))
}

// take takes what waits into a fresh turn, or into the one that there is.
func (f *twin) take(fresh bool) {
	if fresh {
		f.dropped, f.run = 0, nil
	}
	for _, l := range f.waiting {
		f.said = append(f.said, fmt.Sprint(l.from, " ", l.id))
	}
	f.waiting = nil
}

// think begins all that the turn waits for and that it is not in the middle of.
func (f *twin) think() {
	f.enter()
	f.rests, f.open = false, false
	var strands []*strand
	for _, step := range f.steps() {
		s := f.strand(step)
		if s == nil || s.acts && s.next() == nil { // its round has ended
			s = &strand{step: step}
		}
		strands = append(strands, s)
	}
	f.strands = strands
	f.shows()
}

// strand returns what the turn is in the middle of for a step of its run, nil for nothing.
func (f *twin) strand(step uint64) *strand {
	for _, s := range f.strands {
		if s.step == step {
			return s
		}
	}
	return nil
}

// shows sets the state of a busy twin: it waits for the model while any strand does.
func (f *twin) shows() {
	f.state = society.Processing
	for _, s := range f.strands {
		if !s.acts {
			f.state = society.WaitingLLM
		}
	}
}

// interrupted reports whether what waits comes before the next call. After three answers
// in a row that messages of agents had dropped, those wait.
func (m *model) interrupted(f *twin) bool {
	return m.reads(f) && (f.dropped < 3 || !f.byAgents())
}

func (f *twin) byAgents() bool {
	return !slices.ContainsFunc(f.waiting, func(l letter) bool { return l.from == society.User })
}

// supersede counts an answer that was dropped for what waits.
func (f *twin) supersede() {
	if f.byAgents() {
		f.dropped++
	} else {
		f.dropped = 0
	}
}

// goOn carries the calls of answers on, one call of one of them, and reports whether
// there was something to do.
func (m *model) goOn(f *twin) bool {
	for _, s := range f.strands {
		a := s.next()
		switch {
		case !s.acts || a != nil && (a.runs || a.waits || f.waitsForTurn(s, a)):
			continue
		case a == nil:
			if m.reads(f) {
				f.take(false)
			}
			f.think()
		case m.interrupted(f):
			if !s.calls[0].done { // nothing of the answer was executed: it never was
				f.supersede()
				f.said = f.said[:s.answer]
				s.calls = nil
			} else {
				for a := s.next(); a != nil; a = s.next() {
					f.close(s, a, "skipped")
				}
			}
			f.take(false)
			f.think()
		default:
			m.perform(f, s, a)
		}
		return true
	}
	return false
}

func (m *model) perform(f *twin, s *strand, a *act) {
	switch a.tool {
	case "send_message":
		if code := m.refuses(f.id, a.to); code != "" {
			f.close(s, a, fmt.Sprint("failed ", code))
			return
		}
		f.close(s, a, fmt.Sprint("ok ", m.post(f.id, a.to, a.body)))
	case "create_role":
		f.close(s, a, "ok")
	case "spawn_agent":
		m.spawn(f, s, a)
	case "terminate_agent":
		m.drain(f, s, a)
	default:
		a.runs, a.never = true, m.leaving
	}
}

func (m *model) spawn(f *twin, s *strand, a *act) {
	switch {
	case f.drain != "":
		f.close(s, a, "failed agent_stopped")
	case m.full(f):
		f.close(s, a, "failed limit_reached")
	default:
		m.spawned++
		child := &twin{id: society.AgentID(fmt.Sprint("worker-", m.spawned)), parent: f.id, state: society.Idle, graph: m.workers}
		m.twins = append(m.twins, child)
		m.post(f.id, child.id, "")
		f.close(s, a, fmt.Sprint("ok ", child.id))
	}
}

// drain is terminate_agent: the subtree takes no more from outside, and finishes.
func (m *model) drain(f *twin, s *strand, a *act) {
	child, code := m.named(a.to)
	switch {
	case code != "":
		f.close(s, a, fmt.Sprint("failed ", code))
	case child.parent != f.id:
		f.close(s, a, "failed not_your_child")
	case child.drain != "":
		f.close(s, a, "failed agent_stopped")
	default:
		a.waits = true
		for _, g := range m.subtree(child) {
			if g.drain == "" && (g == child || !g.state.Ended()) {
				g.drain = child.id
			}
		}
		child.drained = &drain{by: f.id, call: a.id, until: m.now.Add(m.limits.DrainTime)}
	}
}

// drainEnds begins the termination behind a drain. What the bound cuts off is
// counted.
func (m *model) drainEnds(top *twin, cut bool) {
	n := 0
	d, cascade := *top.drained, []society.AgentID{}
	for _, f := range m.subtree(top) {
		if cut && f.busy() {
			n++
		}
		if f != top {
			cascade = append(cascade, f.id)
		}
		n += f.end(society.Terminating)
	}
	top.result = fmt.Sprintf("ok %s %v cut off %d", top.id, cascade, n)
	top.drained = &d // whose call is answered
}

// halt erases those that were to end, as soon as nothing of them runs.
func (m *model) halt() {
	for m.erase(func(*twin) bool { return true }) {
		m.settle()
	}
}

// erase removes those of the ones that are to end, and reports whether there were any.
func (m *model) erase(those func(*twin) bool) bool {
	some := false
	for {
		i := slices.IndexFunc(m.twins, func(f *twin) bool { return f.state == society.Terminating && those(f) })
		if i < 0 {
			return some
		}
		some = true
		top := m.twins[i]
		for _, f := range m.subtree(top) {
			m.gone[f.id] = true
		}
		m.twins = slices.DeleteFunc(m.twins, func(f *twin) bool { return m.gone[f.id] })
		m.drainOver(top, top.result)
	}
}

// start begins what is owed and does not run.
func (m *model) start() {
	if m.leaving || m.outage != nil {
		return
	}
	for _, f := range m.twins {
		for _, s := range f.strands {
			a := s.running()
			switch {
			case s.live || s.held || f.joins(s):
			case !s.acts && s.retry.IsZero():
				s.live = true
				m.began[f.asks(s)]++
			case a != nil && a.begun: // it was cancelled for a refused verb
				f.close(s, a, "aborted")
				m.settle()
				m.halt()
				m.start()
				return
			case a != nil:
				if !a.early {
					m.began[a.id]++
				}
				s.live, a.begun, a.early = true, true, false
			}
		}
	}
	m.join()
}

// came is a piece of work that has ended.
func (m *model) came(e ending) {
	f := m.at(e.agent)
	e.epoch = f.epoch
	if e.kind == "drain" {
		f.drained.fired = true
	} else {
		s := f.strand(e.step)
		s.live, s.held = false, true
	}
	if m.broken && m.outage == nil {
		m.tries(func(trial *model) {
			trial.count(e)
			if a := trial.readsEarly(e); a != nil {
				m.began[a.id]++
				a.early = true
			}
		})
	}
	if m.outage != nil {
		m.outage.held = append(m.outage.held, e)
		return
	}
	m.count(e)
	m.halt()
	m.start()
}

// readsEarly returns the call of an answer that begins before the answer is saved, nil if
// none does: the first, if it only reads and is all that its twin owes.
func (m *model) readsEarly(e ending) *act {
	f := m.at(e.agent)
	if m.leaving || e.kind != "calls" || f == nil {
		return nil
	}
	var owes []*strand
	for _, s := range f.strands {
		if !s.acts || s.running() != nil {
			owes = append(owes, s)
		}
	}
	if len(owes) != 1 || owes[0].running() == nil || owes[0].running().id != e.calls[0].id || e.calls[0].tool != "look" {
		return nil
	}
	return e.calls[0]
}

// count carries a result out, if it still counts.
func (m *model) count(e ending) {
	f := m.at(e.agent)
	if f == nil || f.epoch != e.epoch {
		return
	}
	if e.kind == "drain" {
		m.drainEnds(f, true)
		m.settle()
		return
	}
	s := f.strand(e.step)
	if s == nil { // another branch has failed
		return
	}
	s.held = false
	switch e.kind {
	case "text":
		f.said, f.dropped = append(f.said, "answer"), 0
		if !f.comes(s, graph.Result{}) {
			m.onward(f)
			break
		}
		f.state, f.strands = society.Idle, nil
		m.report(f, e.body)
	case "verdict":
		f.comes(s, e.verdict)
		m.onward(f)
	case "join":
		f.comes(s, graph.Result{})
		m.onward(f)
	case "calls":
		m.answered(f, s, e.calls)
	case "retry", "fails":
		m.failed(f, s, e.kind == "retry", e.body)
	case "tool":
		f.close(s, s.running(), "ok")
	case "timer":
		s.retry = time.Time{}
	}
	m.settle()
}

func (m *model) answered(f *twin, s *strand, calls []*act) {
	if m.interrupted(f) {
		f.supersede()
		f.strands = nil
		f.take(false)
		f.think()
		return
	}
	s.acts, s.answer = true, len(f.said)
	f.said = append(f.said, "answer")
	for _, a := range calls {
		b := *a
		s.calls = append(s.calls, &b)
		f.said = append(f.said, "")
	}
	f.shows()
}

func (m *model) failed(f *twin, s *strand, again bool, body string) {
	if again && s.attempt < m.limits.Retries {
		s.retry = m.now.Add(time.Second << s.attempt)
		s.attempt++
		return
	}
	if f.judges(s) { // it counts as no (SPEC.md, decision 29)
		f.comes(s, graph.Result{Failed: "it failed"})
		m.onward(f)
		return
	}
	f.fails()
	m.report(f, body)
}

// advance lets time pass.
func (m *model) advance(to time.Time) {
	for {
		at, fire := m.timer()
		if fire == nil || at.After(to) {
			m.now = to
			return
		}
		if at.After(m.now) {
			m.now = at
		}
		fire()
	}
}

// timer returns what time brings next.
func (m *model) timer() (at time.Time, fire func()) {
	sooner := func(t time.Time, f func()) {
		if fire == nil || t.Before(at) {
			at, fire = t, f
		}
	}
	if m.outage != nil {
		sooner(m.outage.tick, m.trySaving)
	}
	if m.leaving { // the next run of the program waits again
		return at, fire
	}
	for _, f := range m.twins {
		for _, s := range f.strands {
			if !s.retry.IsZero() && !s.held {
				sooner(s.retry, func() { m.came(ending{agent: f.id, step: s.step, kind: "timer"}) })
			}
		}
		if f.drained != nil && !f.drained.fired && f.state != society.Terminating {
			sooner(f.drained.until, func() { m.came(ending{agent: f.id, kind: "drain"}) })
		}
	}
	return at, fire
}

func (m *model) trySaving() {
	if m.broken {
		m.outage.tick = m.outage.tick.Add(time.Second)
		return
	}
	m.save()
}

// save is the end of an outage: the verbs are written first, then what was held.
func (m *model) save() {
	o, memory := m.outage, m.tree
	m.outage, m.tree = nil, o.saved
	for _, f := range m.twins {
		now := memory.at(f.id)
		for _, s := range f.strands {
			s.live, s.held = now != nil && now.strand(s.step) != nil && now.strand(s.step).live, false
		}
		if f.drained != nil {
			f.drained.fired = false
		}
	}
	m.saving = true
	for _, cmd := range o.verbs {
		_, _ = m.carry(cmd)
	}
	m.saving = false
	for _, e := range o.held {
		m.count(e)
	}
	m.halt()
	m.start()
}

// forget is the end of a program that could not save: what it had in memory only
// never was.
func (m *model) forget() {
	if m.outage != nil {
		m.tree = m.outage.saved
	}
	m.outage = nil
}

// left is the end of a program that leaves.
func (m *model) left() {
	if m.outage != nil && !m.broken {
		m.save()
	}
	m.forget()
}

// restart is the beginning of the next run of the program.
func (m *model) restart(paused bool) {
	m.leaving, m.broken, m.began = false, false, map[string]int{}
	m.erase(func(f *twin) bool { return m.drainAbove(f) == "" }) // a drain takes along what ends within
	for _, f := range m.twins {
		for _, s := range f.strands {
			s.live, s.held = false, false
		}
		switch above := m.drainAbove(f); {
		case above != "":
			if p := m.at(f.parent); f.drained != nil && (p == nil || m.drainAbove(p) == "") {
				m.drainEnds(f, true)
			}
		case paused:
			m.pause(f)
		case f.busy():
			f.epoch++
			for _, s := range f.strands {
				if a := s.running(); a != nil && a.tool == "write" && !a.never {
					f.close(s, a, "unknown")
				} else if a != nil {
					a.never, a.begun, a.early = false, false, false
				}
			}
		}
	}
	m.settle()
	m.halt()
	m.start()
}

// portrait says all that a store holds of the tree, for comparing.
func (t *tree) portrait() string {
	var b strings.Builder
	for _, f := range t.twins {
		p := portrait{
			id: f.id, parent: f.parent, state: f.state, paused: f.paused, epoch: f.epoch, drain: f.drain,
			open: f.open,
		}
		for _, s := range f.strands {
			if !s.retry.IsZero() {
				p.retries = append(p.retries, retry{s.step, s.retry})
			}
		}
		slices.SortFunc(p.retries, func(x, y retry) int { return int(x.step) - int(y.step) })
		if f.busy() || f.open {
			p.dropped, p.walked = f.dropped, walked(f.run)
		}
		if f.drained != nil {
			p.until = f.drained.until
		}
		for _, l := range f.waiting {
			p.waiting = append(p.waiting, fmt.Sprint(l.from, " ", l.id))
		}
		p.said = slices.DeleteFunc(slices.Clone(f.said), func(line string) bool { return line == "" })
		b.WriteString(p.String())
	}
	return b.String()
}

// A portrait is what is compared of one agent.
type portrait struct {
	id, parent, drain society.AgentID
	state             society.Status
	paused            society.Pause
	epoch             uint64
	open              bool
	dropped           int
	until             time.Time
	retries           []retry // of its strands, in the order of their steps
	waiting, said     []string
	walked            string
}

// A retry is when a call is made again, for a step of a run.
type retry struct {
	step uint64
	at   time.Time
}

func (p portrait) String() string {
	at := func(t time.Time) string {
		if t.IsZero() {
			return "-"
		}
		return t.UTC().Format("04:05.000000")
	}
	var retries []string
	for _, r := range p.retries {
		retries = append(retries, fmt.Sprint(r.step, " at ", at(r.at)))
	}
	return fmt.Sprintf("%s of %s: %s, paused %q, epoch %d, open %t, dropped %d, retries %v, drain %q until %s\n  waits: %s\n  said: %s\n  walked: %s\n",
		p.id, p.parent, p.state, p.paused, p.epoch, p.open, p.dropped, retries, p.drain, at(p.until),
		strings.Join(p.waiting, ", "), strings.Join(p.said, ", "), p.walked)
}

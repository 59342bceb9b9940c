package society

import (
	"errors"
	"fmt"
	"slices"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
)

// An agent's turn is the run of its role's graph (spec/decisions.md 28): the run
// says which node is executed next, and the rules execute it as they do all else.
// A role without a graph has the plain one, a single node. Of a run through that
// nothing is kept: where it stands follows from the turn.

// plainNode is the one node of the plain graph.
const plainNode = "turn"

func plainGraph() *graph.Graph {
	g, err := graph.New("plain").AddNode(graph.Node{Key: plainNode}).
		SetEntryPoint(plainNode).SetEndPoints([]string{plainNode}).Build()
	if err != nil {
		panic(err) // it is written out above
	}
	return g
}

// setRole keeps a role and its graph. A graph with mistakes is found by Check and
// gives way to the plain one: it was right when the role was made.
func (s *State) setRole(role *Role) {
	s.roles[role.ID] = role
	delete(s.graphs, role.ID)
	if role.Graph == nil {
		return
	}
	if g, err := graph.Compile(*role.Graph, graph.Funcs{}); err == nil {
		s.graphs[role.ID] = g
	}
}

// Graph returns the graph of an agent's role, nil for the plain one.
func (s *State) Graph(a *Agent) *graph.Graph { return s.graphs[a.Role] }

func (s *State) graphOf(a *Agent) *graph.Graph {
	if g := s.graphs[a.Role]; g != nil {
		return g
	}
	return s.plain
}

// attach gives a run that was read from the store its graph. One that is no
// longer possible is forgotten: the turn says so when the program goes on.
func (s *State) attach(a *Agent) {
	if a.Ran != nil && a.Ran.Attach(s.graphOf(a)) != nil {
		a.Ran = nil
	}
	if a.Turn == nil || a.Turn.Run == nil {
		return
	}
	if err := a.Turn.Run.Attach(s.graphOf(a)); err != nil {
		a.Turn.Run, a.Turn.lost = nil, true
	}
}

// Node returns the node that the agent's turn is at, ok is false for one in the
// plain graph and between turns.
func (s *State) Node(a *Agent) (node graph.Node, ok bool) {
	w := a.Turn.atHand()
	if w == nil {
		return node, false
	}
	return s.graphOf(a).Node(w.Node)
}

// node is the key of that node.
func (a *Agent) node() string {
	if w := a.Turn.atHand(); w != nil {
		return w.Node
	}
	return ""
}

// MayUseNow says whether an agent may use a tool where it is: its role was given
// the tool, and the node at hand does not leave it out.
func (s *State) MayUseNow(a *Agent, name string) bool {
	if !s.MayUse(a.ID, name) {
		return false
	}
	node, ok := s.Node(a)
	return !ok || node.Tools == nil || slices.Contains(node.Tools, name)
}

// Branches are the branch that the agent's turn is in and those around it: of
// what was said in branches, what its model sees. It is empty in the trunk.
func (a *Agent) Branches() []int {
	w := a.Turn.atHand()
	if w == nil {
		return nil
	}
	var all []int
	for branch := w.Branch; branch != 0; branch, _ = a.Turn.Run.Parent(branch) {
		all = append(all, branch)
	}
	return all
}

// branch is the one that what the agent says now belongs to.
func (a *Agent) branch() int {
	if all := a.Branches(); len(all) > 0 {
		return all[0]
	}
	return 0
}

// atBorder says whether messages may be taken now without getting between a node
// and what is judged of it, or into a branch (spec/decisions.md 31).
func (a *Agent) atBorder() bool {
	w := a.Turn.atHand()
	return w == nil || w.Kind == graph.Execute && !a.Turn.Run.Forked()
}

// run returns the run of an agent's turn, for this decision to move on: the one
// that is kept, else a new one at the entry of the graph. It fails where the graph
// was changed in the middle of the run.
func (d *decision) run(a *Agent) (*graph.Run, error) {
	run, moved := d.runs[a.ID]
	if !moved && a.Turn != nil && a.Turn.Run != nil {
		run = a.Turn.Run.Clone()
	}
	g := d.s.graphOf(a)
	if run != nil && !run.Status.Over() {
		d.runs[a.ID] = run
		return run, run.Attach(g)
	}
	run, err := graph.NewRun(g, "")
	if err != nil {
		return nil, err
	}
	run.OneByOne, run.Branch = true, a.Branched
	if limit := g.Timeout(); limit > 0 {
		run.Deadline = d.at.Add(limit)
	}
	d.runs[a.ID] = run
	return run, run.Start(d.at)
}

// moved records how far a run has come; of the plain graph there is nothing to
// record.
func (d *decision) moved(a *Agent, run *graph.Run, closes uint64, usage Usage) {
	if d.s.Graph(a) != nil {
		d.add(RunMoved{Agent: a.ID, Run: run.Clone(), Closes: closes, Usage: usage})
	}
}

// An opening says how work of a turn is opened.
type opening struct {
	retry bool // the same once more, after a failure
	again bool // the person let a suspended turn go on
}

// goAhead opens what the run of the turn waits for next: the one place where an
// agent's own work begins.
func (d *decision) goAhead(a *Agent, o opening) {
	run, err := d.run(a)
	if err != nil {
		d.runLost(a, err)
		return
	}
	if o.again && !run.Deadline.IsZero() && a.Since.After(run.Began) { // it did not run meanwhile
		run.Deadline = run.Deadline.Add(d.at.Sub(a.Since))
	}
	run.Expire(d.at)
	if run.Status.Over() && o.again { // its time was up before the person let it go on
		if run, err = d.run(a); err != nil {
			d.runLost(a, err)
			return
		}
	}
	d.moved(a, run, 0, Usage{})
	if run.Status.Over() {
		d.runFailed(a, run)
		return
	}
	switch w := run.Next()[0]; w.Kind {
	case graph.Execute:
		d.add(ThinkOpened{Agent: a.ID, Step: a.Step + 1, At: d.at, Retry: o.retry, Again: o.again})
	case graph.Wait:
		d.add(RunWaits{Agent: a.ID, Step: a.Step + 1, At: d.at, Until: w.Until, Cause: lastFailure(run)})
	case graph.Join:
		d.add(JudgeOpened{Agent: a.ID, Step: a.Step + 1, Kind: Join, At: d.at, Retry: o.retry, Again: o.again})
	default:
		d.add(JudgeOpened{Agent: a.ID, Step: a.Step + 1, Kind: Judge, At: d.at, Retry: o.retry, Again: o.again})
	}
}

func lastFailure(run *graph.Run) string {
	if n := len(run.Path); n > 0 {
		return run.Path[n-1].Why
	}
	return ""
}

// tell tells the run of the turn what came of the work at hand. It returns nil
// where the run cannot go on, and has ended the turn then.
func (d *decision) tell(a *Agent, result graph.Result) *graph.Run {
	run, err := d.run(a)
	if err == nil {
		result.At = d.at
		err = run.Done(run.Next()[0], result)
	}
	if err != nil {
		d.runLost(a, err)
		return nil
	}
	return run
}

// onward goes on after a piece of work of the run has ended, and the run has not.
// Messages are taken between two nodes, and a pause waits for that border
// (spec/decisions.md 30, 31).
func (d *decision) onward(a *Agent, run *graph.Run) {
	if run.Status.Over() {
		d.runFailed(a, run)
		return
	}
	if next := run.Next()[0]; next.Kind == graph.Execute && !run.Forked() {
		if a.Paused != "" {
			d.add(TurnHeld{Agent: a.ID, At: d.at})
			return
		}
		if d.wakes(a) {
			d.take(a)
		}
	}
	d.goAhead(a, opening{})
}

// pauseAgent pauses one agent, which rests when it comes to a border.
func (d *decision) pauseAgent(c PauseAgent) (any, error) {
	a, err := d.agent(c.Agent)
	if err != nil {
		return nil, err
	}
	if a.Status.Ended() {
		return nil, refuse(AgentStopped, a.ID, "%s is stopped: nothing of it runs", a.ID)
	}
	if a.Paused != "" {
		return Pausing{Busy: a.busy()}, nil
	}
	d.add(PausedNow{Agent: a.ID, Why: AskedToPause, At: d.at})
	return Pausing{Changed: true, Busy: a.busy()}, nil
}

// runFailed ends a turn whose run has ended in an error.
func (d *decision) runFailed(a *Agent, run *graph.Run) {
	detail := run.Detail
	if run.Reason == graph.TimedOut {
		detail = fmt.Sprint(d.s.graphOf(a).Timeout())
	}
	d.fail(a, string(run.Reason), d.say(protocol.RunFailed, d.s.graphOf(a).Name(), run.Reason, detail))
}

// runLost ends a turn that cannot go on where it was: its graph is another by now.
func (d *decision) runLost(a *Agent, err error) {
	why := "graph_damaged"
	if errors.Is(err, graph.ErrChanged) {
		why = "graph_changed"
	}
	d.add(RunMoved{Agent: a.ID})
	d.fail(a, why, d.say(protocol.RunLost, d.s.RoleName(a.ID)))
}

// judged goes on with what was judged of a condition. One that could not be judged
// counts as no, with a warning in the path (spec/decisions.md 29).
func (d *decision) judged(a *Agent, c Judged) {
	run := d.tell(a, graph.Result{Verdict: c.Verdict, Choice: c.Choice, Why: c.Why, Failed: c.Failed})
	if run == nil {
		return
	}
	d.moved(a, run, c.Work.Step, c.Usage)
	d.onward(a, run)
}

// joined takes what branches came to into the trunk, where the join reads it.
func (d *decision) joined(a *Agent, c Joined) {
	entry := conversation.Entry{
		Slot: d.tail(a).Append(), Kind: conversation.Merged, At: d.at, From: string(Runtime), To: string(a.ID),
		Text: c.Text, Branch: a.branch(),
	}
	d.add(BranchesMerged{Agent: a.ID, Entry: entry})
	run := d.tell(a, graph.Result{})
	if run == nil {
		return
	}
	d.moved(a, run, c.Work.Step, Usage{})
	d.onward(a, run)
}

// nodeFails lets the run try the node at hand again, if that is left to it.
func (d *decision) nodeFails(a *Agent, c Failed, text string) bool {
	if d.s.Graph(a) == nil || c.Work.Kind != Think {
		return false
	}
	run, err := d.run(a)
	if err != nil {
		return false
	}
	tried := run.Clone()
	if tried.Done(tried.Next()[0], graph.Result{At: d.at, Failed: text}) != nil || tried.Status.Over() {
		return false
	}
	d.runs[a.ID] = tried
	d.moved(a, tried, c.Work.Step, Usage{})
	d.goAhead(a, opening{})
	return true
}

// dueAt keeps the wait for the time of a node or of the whole run to be up. It
// says whether there was something to do.
func (d *decision) dueAt(a *Agent) bool {
	if a.Turn == nil || a.Turn.Run == nil || !a.Status.Active() {
		return false
	}
	due := a.Turn.Run.Due()
	for _, step := range a.Open {
		if step.Due {
			if step.Until.Equal(due) {
				return false
			}
			d.add(DueSet{Agent: a.ID, Closes: step.N, Step: a.Step + 1, Until: due})
			return true
		}
	}
	if due.IsZero() {
		return false
	}
	d.add(DueSet{Agent: a.ID, Step: a.Step + 1, Until: due})
	return true
}

// timeIsUp ends what runs of a node, or of the run, whose time is up.
func (d *decision) timeIsUp(a *Agent, closes uint64) {
	d.add(DueSet{Agent: a.ID, Closes: closes})
	run, err := d.run(a)
	if err != nil {
		d.runLost(a, err)
		return
	}
	before := len(run.Path)
	if run.Expire(d.at); len(run.Path) == before && !run.Status.Over() {
		return
	}
	d.abort(a, 0)
	d.add(Cut{Agent: a.ID, At: d.at})
	d.moved(a, run, 0, Usage{})
	if run.Status.Over() {
		d.runFailed(a, run)
		return
	}
	d.goAhead(a, opening{retry: true})
}

// atHand is what the run of a turn waits for, nil if for nothing.
func (t *Turn) atHand() *graph.Work {
	if t == nil || t.Run == nil {
		return nil
	}
	next := t.Run.Next()
	if len(next) == 0 {
		return nil
	}
	return &next[0]
}

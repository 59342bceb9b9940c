package runtime_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime/graph"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"

	"pgregory.net/rapid"
)

// What graphs add to the model of TestTheProgramDoesWhatItsModelDoes: a turn is a run of
// its role's graph (SPEC.md, decisions 30, 31). The run itself is the one of package
// graph, which has properties of its own; what verbs, messages, failures and restarts
// make of it is said here, and that branches side by side are each in the middle of
// something: they read at any time, and change something in their turn.

// machineGraphs are a loop, a fan-out with a condition and a loop in a branch, that
// with its branches side by side, and the former as a sub-graph in a loop.
func machineGraphs(protocol.Lang) []graph.Definition {
	loop := graph.Definition{
		Name: "loop", MaxIterations: 1000,
		Nodes:   []graph.Node{{Key: "draft"}, {Key: "check"}, {Key: "final"}},
		Edges:   []graph.Edge{{From: "draft", To: "check"}, {From: "check", To: "draft", Question: "is it bad?"}, {From: "check", To: "final"}},
		Entries: []string{"draft"}, EndNodes: []string{"final"},
	}
	fan := graph.Definition{
		Name: "fan", MaxIterations: 1000,
		Nodes: []graph.Node{{Key: "open"}, {Key: "left"}, {Key: "right"}, {Key: "sum"}},
		Edges: []graph.Edge{{From: "left", To: "sum"}, {From: "right", To: "right", Question: "once more?"}, {From: "right", To: "sum"}},
		FanOuts: []graph.FanOut{
			{From: "open", Join: "sum", Merge: graph.MergeAppend, Branches: []graph.Branch{{To: "left"}, {To: "right", Question: "is there another side?"}}},
		},
		Entries: []string{"open"}, EndNodes: []string{"sum"},
	}
	deep := graph.Definition{
		Name: "deep", MaxIterations: 1000, Routing: graph.RouteChoice,
		Nodes: []graph.Node{{Key: "begin"}, {Key: "sides", Graph: &fan}, {Key: "end"}},
		Edges: []graph.Edge{
			{From: "begin", To: "sides"}, {From: "sides", To: "begin", Question: "all anew"}, {From: "sides", To: "end", Question: "done"}, {From: "sides", To: "end"},
		},
		Entries: []string{"begin"}, EndNodes: []string{"end"},
	}
	abreast := fan
	abreast.Name, abreast.Parallel = "abreast", true
	return []graph.Definition{loop, fan, abreast, deep}
}

// anyGraph draws the graph of a role, nil for none.
func anyGraph(t *rapid.T, whose string) *graph.Graph {
	n := rapid.SampledFrom([]int{-1, 0, 1, 2, 2, 3}).Draw(t, whose)
	if n < 0 {
		return nil
	}
	g, err := graph.Compile(machineGraphs("")[n], graph.Funcs{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// graphs gives the roles of a life their graphs.
func (m *machine) graphs() (ofWorkers string) {
	root := m.model.at(society.Root)
	root.graph, m.model.workers = anyGraph(m.t, "graph of root"), anyGraph(m.t, "graph of workers")
	if root.graph != nil {
		if _, err := m.r.Do(m.t.Context(), society.ChooseGraph{Role: "role-root", Graph: root.graph.Name()}); err != nil {
			m.t.Fatal(err)
		}
	}
	if m.model.workers == nil {
		return ""
	}
	return m.model.workers.Name()
}

// steps are those of the run of a twin's turn that are open, 0 alone in the plain graph.
func (f *twin) steps() []uint64 {
	if f.run == nil {
		return []uint64{0}
	}
	var steps []uint64
	for _, w := range f.run.Next() {
		steps = append(steps, w.Step)
	}
	return steps
}

// branches lets branches side by side come to calls.
func (m *machine) branches(t *rapid.T) {
	m.forks(t, m.one(t, func(f *twin) bool { return f.graph != nil && f.graph.Parallel() && f.thinks() }))
}

// forks leads an agent into branches side by side, and some of them to calls.
func (m *machine) forks(t *rapid.T, f *twin) {
	for range 4 {
		m.check(t)
		i := slices.IndexFunc(f.strands, func(s *strand) bool { return s.thinks() && f.judges(s) })
		switch {
		case i >= 0:
			s := f.strands[i]
			m.came(f.asks(s), llmtest.Say("Yes."), ending{agent: f.id, step: s.step, kind: "verdict", verdict: graph.Result{Verdict: graph.Yes}})
		case len(f.strands) == 1 && f.strands[0].thinks():
			s := f.strands[0]
			m.came(f.asks(s), llmtest.Say("well"), ending{agent: f.id, step: s.step, kind: "text", body: "well"})
		}
	}
	for _, s := range slices.Clone(f.strands) {
		m.check(t)
		name := rapid.SampledFrom([]string{"", "look", "write", "write"}).Draw(t, "in a branch")
		if name == "" || !f.sideBySide() || !s.thinks() || f.judges(s) {
			continue
		}
		a, c := m.newAct(name, "")
		m.came(f.asks(s), llmtest.CallTools(c), ending{agent: f.id, step: s.step, kind: "calls", calls: []*act{a}})
	}
}

// work is what the run waits for with a strand, nil in the plain graph.
func (f *twin) work(s *strand) *graph.Work {
	if f.run == nil {
		return nil
	}
	for _, w := range f.run.Next() {
		if w.Step == s.step {
			return &w
		}
	}
	return nil
}

// asks names the requests of a strand, as hands do.
func (f *twin) asks(s *strand) string {
	if w := f.work(s); w != nil {
		return askedAt(string(f.id), path.Base(w.Node))
	}
	return string(f.id)
}

// askedAt names the requests that an agent makes at a node of its graph.
func askedAt(agent, node string) string { return agent + " at " + node }

// judges reports whether a strand waits for a verdict.
func (f *twin) judges(s *strand) bool {
	w := f.work(s)
	return w != nil && (w.Kind == graph.Judge || w.Kind == graph.Choose)
}

func (f *twin) joins(s *strand) bool {
	w := f.work(s)
	return w != nil && w.Kind == graph.Join
}

func (f *twin) forked() bool { return f.run != nil && f.run.Forked() }

func (f *twin) sideBySide() bool { return f.forked() && f.graph.Parallel() }

// waitsForTurn reports whether a call would change something before its branch's turn.
func (f *twin) waitsForTurn(s *strand, a *act) bool {
	return f.sideBySide() && a.tool != "look" && f.run.Next()[0].Step != s.step
}

// atBorder reports whether messages may be taken here.
func (f *twin) atBorder() bool {
	return f.run == nil || f.run.Next()[0].Kind == graph.Execute && !f.forked()
}

// enter begins a run where there is none.
func (f *twin) enter() {
	if f.graph == nil || f.run != nil {
		return
	}
	run, err := graph.NewRun(f.graph, "")
	if err != nil {
		panic(err) // the first entry point is there
	}
	run.OneByOne = !f.graph.Parallel()
	if err := run.Start(time.Time{}); err != nil {
		panic(err)
	}
	f.run = run
}

// comes takes the run of a twin on. It reports whether it has come to its end.
func (f *twin) comes(s *strand, r graph.Result) (over bool) {
	if f.run == nil {
		return true
	}
	if err := f.run.Done(graph.Work{Step: s.step}, r); err != nil {
		panic(err)
	}
	f.strands = slices.DeleteFunc(f.strands, func(other *strand) bool { return other == s })
	if over = f.run.Status == graph.Completed; over {
		f.run = nil
	}
	return over
}

// onward continues a run between two pieces of work: before unbegun nodes a pause takes
// effect, and messages are read if no branch is open.
func (m *model) onward(f *twin) {
	begun := func(w graph.Work) bool { return w.Kind != graph.Execute || f.strand(w.Step) != nil }
	if !slices.ContainsFunc(f.run.Next(), begun) {
		switch {
		case f.paused != "":
			f.state, f.open, f.rests, f.strands = society.Idle, true, true, nil
			return
		case !f.forked() && m.wakes(f):
			f.take(false)
		}
	}
	f.think()
}

// join lets those who wait for a join of their branches come to it: a worker does it
// at once.
func (m *model) join() {
	var joined []ending
	for _, f := range m.twins {
		for _, s := range f.strands {
			if f.joins(s) && !s.live && !s.held {
				s.live = true
				joined = append(joined, ending{agent: f.id, step: s.step, kind: "join"})
			}
		}
	}
	for _, e := range joined {
		m.came(e)
	}
}

func (m *model) pauseAgent(c society.PauseAgent) (any, society.Code) {
	f, code := m.named(c.Agent)
	switch {
	case code != "":
		return nil, code
	case f.state.Ended():
		return nil, society.AgentStopped
	}
	reply := society.Pausing{Changed: f.paused == "", Busy: f.busy()}
	if reply.Changed {
		f.paused = society.AskedToPause
	}
	return reply, ""
}

// walked describes the position of a run, for comparison.
func walked(run *graph.Run) string {
	if run == nil {
		return ""
	}
	var b strings.Builder
	for _, rec := range run.Path {
		fmt.Fprintf(&b, "%s %s %s %s>%s, ", rec.Kind, rec.Node, rec.Outcome, rec.Verdict, rec.To)
	}
	for _, w := range run.Next() {
		fmt.Fprintf(&b, "now %d: %s %s, ", w.Step, w.Kind, w.Node)
	}
	return fmt.Sprintf("%s (%d)", b.String(), run.Iterations)
}

// judges lets a verdict come, in words that are yes, no, a choice or nothing.
func (m *machine) judges(t *rapid.T, f *twin, s *strand) {
	text := rapid.SampledFrom([]string{"Yes, it is.", "No.", "No, not yet.", "1 is best", "2", "It depends.", "", "0: none"}).Draw(t, "verdict")
	var r graph.Result
	if w := f.work(s); w.Kind == graph.Choose {
		r.Verdict, r.Choice, _ = graph.ParseChoice(text, len(w.Choices))
	} else {
		r.Verdict, _ = graph.ParseVerdict(text)
	}
	how := llmtest.Say(text)
	if rapid.IntRange(0, 5).Draw(t, "with calls") == 0 { // it has no tools: they count for nothing
		how = llmtest.CallTools(call("write", object{}))
		r = graph.Result{}
	}
	m.came(f.asks(s), how, ending{agent: f.id, step: s.step, kind: "verdict", verdict: r})
}

func (m *machine) pauses(t *rapid.T) {
	id := m.anybody(t)
	m.reach("pause", id)
	m.do(society.PauseAgent{Agent: id})
}

// inTheMiddle is when each thing that can happen is to have happened: while a node of a
// graph is at work, and within a part of a run, which is a sub-graph, a verdict or a
// branch.
func inTheMiddle() propertytest.Met[string] {
	all := propertytest.Met[string]{}
	for _, what := range []string{"stop", "interrupt", "terminate", "crash", "leave", "failing disk", "resume", "send", "pause"} {
		all[what+" in a node"], all[what+" in a part"] = 1, 1
	}
	for _, what := range []string{"stop", "interrupt", "terminate", "crash", "leave", "failing disk", "send", "pause"} {
		all[what+" at calls of branches"] = 1
	}
	maps.Copy(all, propertytest.Once("compressed", "nothing to compress"))
	maps.Copy(all, propertytest.Once("a branch reads", "a branch changes something", "a branch waits for its turn"))
	return all
}

// reach notes where those agents are in their graphs when something happens to them,
// all of them if none is named.
func (m *machine) reach(what string, ids ...society.AgentID) {
	for _, f := range m.model.twins {
		if f.run == nil || len(ids) > 0 && !slices.Contains(ids, f.id) {
			continue
		}
		where := "node"
		switch {
		case f.rests:
			where = "rest"
		case !f.busy():
			continue
		case f.judges(f.strands[0]):
			where = "verdict"
		case f.forked():
			where = "branch"
		}
		m.met[what+" in a "+where]++
		m.reachCalls(what, f)
		below := strings.Contains(f.run.Next()[0].Node, "/")
		if below {
			m.met[what+" in a sub-graph"]++
		}
		if below || where == "verdict" || where == "branch" {
			m.met[what+" in a part"]++
		}
	}
}

// reachCalls notes which calls a twin is at in branches that run side by side.
func (m *machine) reachCalls(what string, f *twin) {
	if !f.sideBySide() || len(f.strands) < 2 {
		return
	}
	calls := 0
	for _, s := range f.strands {
		a := s.next()
		switch calls++; {
		case a == nil:
			calls--
		case a.runs && a.tool == "look":
			m.met["a branch reads"]++
		case a.runs || a.waits:
			m.met["a branch changes something"]++
		default:
			m.met["a branch waits for its turn"]++
		}
	}
	if calls > 0 {
		m.met[what+" at calls of branches"]++
	}
}

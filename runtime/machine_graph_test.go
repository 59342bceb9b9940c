package runtime_test

import (
	"fmt"
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

// What graphs add to the model of TestTheProgramDoesWhatItsModelDoes: a turn is a
// run of its role's graph (spec/decisions.md 28, 30, 31). The run itself is the one of
// package graph, which has properties of its own; what verbs, messages, failures and
// restarts make of it is said here. Branches run one after another: those side by
// side are raced (TestRaces…) and crashed (TestS004ACrash…).

// machineGraphs are a loop, a fan-out with a condition and a loop in a branch, and
// that as a sub-graph in a loop.
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
	return []graph.Definition{loop, fan, deep}
}

// anyGraph draws the graph of a role, nil for none.
func anyGraph(t *rapid.T, whose string) *graph.Graph {
	n := rapid.IntRange(-1, len(machineGraphs(""))-1).Draw(t, whose)
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

// work is what the run of a twin's turn waits for, nil in the plain graph.
func (f *twin) work() *graph.Work {
	if f.run == nil {
		return nil
	}
	if next := f.run.Next(); len(next) > 0 {
		return &next[0]
	}
	return nil
}

// judges says whether it waits for a verdict.
func (f *twin) judges() bool {
	w := f.work()
	return w != nil && (w.Kind == graph.Judge || w.Kind == graph.Choose)
}

func (f *twin) joins() bool {
	w := f.work()
	return w != nil && w.Kind == graph.Join
}

func (f *twin) forked() bool { return f.run != nil && f.run.Forked() }

// atBorder says whether messages may be taken here.
func (f *twin) atBorder() bool {
	w := f.work()
	return w == nil || w.Kind == graph.Execute && !f.forked()
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
	run.OneByOne = true
	if err := run.Start(time.Time{}); err != nil {
		panic(err)
	}
	f.run = run
}

// comes takes the run of a twin on. It says whether it has come to its end.
func (f *twin) comes(r graph.Result) (over bool) {
	if f.run == nil {
		return true
	}
	if err := f.run.Done(*f.work(), r); err != nil {
		panic(err)
	}
	if over = f.run.Status == graph.Completed; over {
		f.run = nil
	}
	return over
}

// onward goes on between two pieces of work of a run: before a node a pause is
// waited for, and messages are taken if no branch is open.
func (m *model) onward(f *twin) {
	if f.work().Kind == graph.Execute {
		switch {
		case f.paused != "":
			f.state, f.open, f.rests, f.retry = society.Idle, true, true, time.Time{}
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
	var ids []society.AgentID
	for _, f := range m.twins {
		if f.state == society.WaitingLLM && f.joins() && !f.live && !f.held {
			f.live = true
			ids = append(ids, f.id)
		}
	}
	for _, id := range ids {
		m.came(ending{agent: id, kind: "join"})
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

// walked says how far a run is, for comparing.
func walked(run *graph.Run) string {
	if run == nil {
		return ""
	}
	var b strings.Builder
	for _, rec := range run.Path {
		fmt.Fprintf(&b, "%s %s %s %s>%s, ", rec.Kind, rec.Node, rec.Outcome, rec.Verdict, rec.To)
	}
	for _, w := range run.Next() {
		fmt.Fprintf(&b, "now %s %s", w.Kind, w.Node)
	}
	return fmt.Sprintf("%s (%d)", b.String(), run.Iterations)
}

// judges lets a twin's verdict come, in words that are yes, no, a choice or nothing.
func (m *machine) judges(t *rapid.T, f *twin) {
	text := rapid.SampledFrom([]string{"Yes, it is.", "No.", "No, not yet.", "1 is best", "2", "It depends.", "", "0: none"}).Draw(t, "verdict")
	var r graph.Result
	if w := f.work(); w.Kind == graph.Choose {
		r.Verdict, r.Choice, _ = graph.ParseChoice(text, len(w.Choices))
	} else {
		r.Verdict, _ = graph.ParseVerdict(text)
	}
	how := llmtest.Say(text)
	if rapid.IntRange(0, 5).Draw(t, "with calls") == 0 { // it has no tools: they count for nothing
		how = llmtest.CallTools(call("write", object{}))
		r = graph.Result{}
	}
	m.came(string(f.id), how, ending{agent: f.id, kind: "verdict", verdict: r})
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
		case f.judges():
			where = "verdict"
		case f.forked():
			where = "branch"
		}
		m.met[what+" in a "+where]++
		below := strings.Contains(f.work().Node, "/")
		if below {
			m.met[what+" in a sub-graph"]++
		}
		if below || where == "verdict" || where == "branch" {
			m.met[what+" in a part"]++
		}
	}
}

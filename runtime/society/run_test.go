package society

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
)

// library returns the graphs of the tests: with a loop and conditions, with branches, one
// conditional and one with a loop, and with all limits.
func library() []graph.Definition {
	return []graph.Definition{
		{
			Name:    "review",
			Nodes:   []graph.Node{{Key: "draft", Prompt: "Write."}, {Key: "check", Prompt: "Check.", Tools: []string{"look"}}, {Key: "final"}},
			Edges:   []graph.Edge{{From: "draft", To: "check"}, {From: "check", To: "draft", Question: "is it bad?"}, {From: "check", To: "final"}},
			Entries: []string{"draft"}, EndNodes: []string{"final"},
		},
		{
			Name:  "views",
			Nodes: []graph.Node{{Key: "open"}, {Key: "left"}, {Key: "right"}, {Key: "again"}, {Key: "sum"}},
			Edges: []graph.Edge{
				{From: "left", To: "sum"}, {From: "right", To: "again", Question: "once more?"}, {From: "right", To: "sum"}, {From: "again", To: "sum"},
			},
			FanOuts: []graph.FanOut{{
				From: "open", Join: "sum", Merge: graph.MergeLast,
				Branches: []graph.Branch{{To: "left"}, {To: "right", Question: "is there another side?"}},
			}},
			Entries: []string{"open"}, EndNodes: []string{"sum"},
		},
		{
			Name: "side by side", Parallel: true,
			Nodes: []graph.Node{{Key: "open"}, {Key: "left", Retries: 1}, {Key: "right", Timeout: graph.Duration(time.Minute)}, {Key: "again"}, {Key: "sum"}},
			Edges: []graph.Edge{
				{From: "left", To: "sum"}, {From: "right", To: "again", Question: "once more?"}, {From: "right", To: "sum"}, {From: "again", To: "sum"},
			},
			FanOuts: []graph.FanOut{{
				From: "open", Join: "sum", Merge: graph.MergeAppend, Branches: []graph.Branch{{To: "left"}, {To: "right"}},
			}},
			Entries: []string{"open"}, EndNodes: []string{"sum"},
		},
		{
			Name: "limits", MaxIterations: 5, Timeout: graph.Duration(2 * time.Minute), Routing: graph.RouteChoice,
			Nodes: []graph.Node{
				{Key: "try", Retries: 1, RetryWait: graph.Duration(3 * time.Second), Timeout: graph.Duration(20 * time.Second)}, {Key: "other"}, {Key: "end"},
			},
			Edges: []graph.Edge{
				{From: "try", To: "other", Question: "other?"}, {From: "try", To: "end", Question: "end?"}, {From: "other", To: "try"},
			},
			Entries: []string{"try"}, EndNodes: []string{"end"},
		},
	}
}

// regraph gives some role some graph, or none.
func (w *world) regraph(t *rapid.T) {
	role := rapid.SampledFrom(w.s.Roles()).Draw(t, "role")
	name := rapid.SampledFrom(append([]string{""}, w.s.GraphNames()...)).Draw(t, "graph")
	w.must(ChooseGraph{Role: role.ID, Graph: name})
}

// through gives root's role a graph and lets root begin.
func through(t fatal, name string) *world {
	w := newWorld(t, DefaultLimits())
	w.must(ChooseGraph{Role: "role-root", Graph: name})
	w.send(Root, "write it")
	return w
}

func (w *world) at1(node string) {
	w.t.Helper()
	if at := w.agent(Root).AtHand(); at == nil || at.Node != node {
		w.t.Fatalf("root is at %+v, not %q", at, node)
	}
}

func (w *world) judge(v graph.Verdict) {
	w.t.Helper()
	before := w.agent(Root).Usage
	w.must(Judged{Work: w.owed(Root, JudgeStep).(Judge), Verdict: v, Why: "so", Usage: Usage{Input: 4, Output: 1}})
	if got := w.agent(Root).Usage; got != before.Plus(Usage{Input: 4, Output: 1}) {
		w.t.Fatalf("a judge that took 4 and 1 tokens is counted as %+v after %+v", got, before)
	}
}

// judgedWell is a verdict that leads to the end of every graph of the library.
func judgedWell(work Judge) Judged {
	if n := len(work.Run.Choices); n > 0 {
		return Judged{Work: work, Verdict: graph.Yes, Choice: n, Why: "so"}
	}
	return Judged{Work: work, Verdict: graph.No, Why: "so"}
}

// waited ends the wait before root's node is tried again.
func (w *world) waited() {
	w.t.Helper()
	for _, work := range w.s.OwedBy(Root) {
		if w.agent(Root).step(work.Item().Step).waits(RetryNode) {
			w.must(TimerFired{Work: work.(Wait)})
			return
		}
	}
	w.t.Fatalf("root does not wait to try again: %+v", w.agent(Root).Open)
}

// toPerson are the texts that the user was sent.
func (w *world) toPerson() []string {
	var all []string
	for _, d := range w.inbox {
		all = append(all, d.Body)
	}
	return all
}

func path(r *graph.Run) string {
	var all []string
	for _, rec := range r.Path {
		all = append(all, rec.Node)
	}
	return strings.Join(all, " ")
}

// A turn is the run of its role's graph: the answer of its end point is what is sent, the
// others stay in the agent's own view.
func TestS004ATurnRunsThroughTheGraphOfItsRole(t *testing.T) {
	t.Parallel()
	w := through(t, "review")
	w.at1("draft")
	w.says(Root, "a draft")
	w.at1("check")
	w.says(Root, "not good")
	w.is(Root, WaitingLLM)
	w.judge(graph.Yes)
	w.at1("draft")
	w.says(Root, "a better draft")
	w.says(Root, "good")
	w.judge(graph.No)
	w.at1("final")
	w.says(Root, "the text")
	w.is(Root, Idle)
	if got := w.toPerson(); !slices.Equal(got, []string{"the text"}) {
		t.Errorf("the person was sent %q", got)
	}
	ran := w.agent(Root).Ran
	if ran == nil || ran.Status != graph.Completed || path(ran) != "draft check check draft check check final" {
		t.Errorf("kept of the run is %+v", ran)
	}
	var nodes []string
	for _, e := range w.history(Root) {
		if e.Kind == conversation.Answer {
			nodes = append(nodes, e.Node)
		}
	}
	if !slices.Equal(nodes, []string{"draft", "check", "draft", "check", "final"}) {
		t.Errorf("the answers are of %q", nodes)
	}
	if usage := w.agent(Root).Turn; usage != nil {
		t.Errorf("the turn is still %+v", usage)
	}
}

// Branches run one after the other, do not see each other, and the join reads their
// results (SPEC.md, decision 31). No message is read while one is open.
func TestS004BranchesAreJoinedAndTakeNoMessages(t *testing.T) {
	t.Parallel()
	w := through(t, "views")
	w.says(Root, "two sides")
	w.at1("left")
	w.send(Root, "hurry")
	w.says(Root, "left says")
	w.judge(graph.Yes)
	w.at1("right")
	left, right := w.history(Root), w.agent(Root).Branches(w.agent(Root).AtHand())
	for _, e := range conversation.Seen(left, right) {
		if e.Text == "left says" {
			t.Errorf("a branch sees another: %+v", e)
		}
	}
	w.says(Root, "right says")
	w.judge(graph.No)
	join := w.owed(Root, JoinStep)
	if join.Item().Run.Merge != graph.MergeLast || len(join.Item().Run.Branches) != 2 {
		t.Fatalf("joined is %+v", join.Item().Run)
	}
	if n := len(w.agent(Root).Mailbox); n != 1 {
		t.Fatalf("%d messages wait while branches are open", n)
	}
	w.must(Joined{Work: join.(Join), Text: "left and right"})
	w.at1("sum")
	if n := len(w.agent(Root).Mailbox); n != 0 {
		t.Errorf("%d messages wait at the join", n)
	}
	var seen []string
	for _, e := range conversation.Seen(w.history(Root), nil) {
		if e.Kind == conversation.Answer || e.Kind == conversation.Merged {
			seen = append(seen, e.Text)
		}
	}
	if !slices.Equal(seen, []string{"two sides", "left and right"}) {
		t.Errorf("the join sees %q", seen)
	}
	w.says(Root, "both")
	if got := w.toPerson(); !slices.Equal(got, []string{"both"}) {
		t.Errorf("the person was sent %q", got)
	}
}

// A parallel graph runs its branches side by side: the state is waiting_llm while any of
// them waits, a verb acts on all of them, and the join fires once.
func TestS004BranchesRunSideBySideWhereTheGraphSaysSo(t *testing.T) {
	t.Parallel()
	thoughts := func(w *world) map[string]Work {
		all := map[string]Work{}
		for _, work := range w.s.OwedBy(Root) {
			if work.Kind() == ThinkStep {
				all[work.Item().Run.Node] = work
			}
		}
		return all
	}
	w := through(t, "side by side")
	w.says(Root, "two sides")
	both := thoughts(w)
	if len(both) != 2 {
		t.Fatalf("owed are %+v", both)
	}
	w.must(Failed{Work: both["left"], Class: "overload", Text: "busy", Retryable: true})
	if again := thoughts(w); len(again) != 1 || again["right"].Item().Step != both["right"].Item().Step {
		t.Fatalf("owed are %+v", again)
	}
	w.is(Root, WaitingLLM)
	for _, work := range w.s.OwedBy(Root) {
		if s := w.agent(Root).step(work.Item().Step); work.Kind() == WaitStep && !s.waits(NodeDeadline) {
			w.at = maxTime(w.at, untilOf(work))
			w.must(TimerFired{Work: work.(Wait)})
		}
	}
	if left := thoughts(w)["left"]; left.Item().Attempt != 1 {
		t.Fatalf("left is tried again as %+v", left)
	}
	w.must(Interrupt{Agent: Root})
	if owed := w.s.OwedBy(Root); len(owed) != 0 {
		t.Fatalf("after an interrupt are owed %+v", owed)
	}
	w.restart(false)
	w.must(Resume{Agent: Root})
	w.send(Root, "hurry")
	both = thoughts(w)
	w.must(Answered{Work: both["left"].(Think), Text: "left says"})
	w.is(Root, WaitingLLM)
	w.must(Answered{Work: both["right"].(Think), Text: "right says"})
	w.judge(graph.No)
	join := w.owed(Root, JoinStep)
	w.must(Joined{Work: join.(Join), Text: "left and right"})
	w.at1("sum")
	if n := len(w.agent(Root).Mailbox); n != 0 {
		t.Errorf("%d messages wait at the join", n)
	}
	w.says(Root, "both")
	if got := w.toPerson(); !slices.Equal(got, []string{"both"}) {
		t.Errorf("the person was sent %q", got)
	}
}

// Verdict, retry, limits and time: what S004 lists as missing.
func TestS004TheLimitsOfARunEndTheTurnWithWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play func(w *world)
		want string
	}{
		"max_iterations": {func(w *world) {
			for range 2 {
				w.says(Root, "a")
				w.must(Judged{Work: w.owed(Root, JudgeStep).(Judge), Verdict: graph.Yes, Choice: 1})
				w.says(Root, "b")
			}
			w.says(Root, "c")
			w.must(Judged{Work: w.owed(Root, JudgeStep).(Judge), Verdict: graph.Yes, Choice: 1})
		}, "max_iterations"},
		"no_route": {func(w *world) {
			w.says(Root, "a")
			w.must(Judged{Work: w.owed(Root, JudgeStep).(Judge), Verdict: graph.No})
		}, "no_route"},
		"time of the run": {func(w *world) {
			w.says(Root, "a")
			w.at = w.at.Add(3 * time.Minute)
			w.must(TimerFired{Work: w.owed(Root, WaitStep).(Wait)})
		}, "timeout"},
		"time of a node, twice": {func(w *world) {
			w.at = w.at.Add(20 * time.Second)
			w.must(TimerFired{Work: w.owed(Root, WaitStep).(Wait)})
			w.at = w.at.Add(3 * time.Second)
			w.waited()
			w.thinks(Root)
			w.at = w.at.Add(20 * time.Second)
			w.must(TimerFired{Work: w.owed(Root, WaitStep).(Wait)})
		}, "node_failed"},
		"a node that fails twice": {func(w *world) {
			w.must(Failed{Work: w.thinks(Root), Class: "auth", Text: "no"})
			w.at = w.at.Add(3 * time.Second)
			w.waited()
			w.must(Failed{Work: w.thinks(Root), Class: "auth", Text: "no"})
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := through(t, "limits")
			c.play(w)
			a := w.agent(Root)
			if a.Status != Idle || a.Turn == nil || !a.Turn.Suspended || a.Error == "" {
				t.Fatalf("root is %s in %+v, failed with %q", a.Status, a.Turn, a.Error)
			}
			if !strings.Contains(a.Error, c.want) {
				t.Errorf("it failed with %q", a.Error)
			}
			w.must(Resume{Agent: Root})
			w.thinks(Root)
			w.at1("try")
		})
	}
}

// A pause waits for the border of a node, and the run goes on there, with what has come
// meanwhile (SPEC.md, decision 30).
func TestS004APauseWaitsForTheBorderOfANode(t *testing.T) {
	t.Parallel()
	w := through(t, "review")
	w.must(PauseAgent{Agent: Root})
	w.is(Root, WaitingLLM)
	w.says(Root, "a draft")
	w.is(Root, Idle)
	w.restart(false)
	w.is(Root, Idle)
	w.must(Resume{Agent: Root})
	w.at1("check")
	w.must(PauseAgent{Agent: Root})
	w.says(Root, "checked")
	w.judge(graph.No)
	w.is(Root, Idle)
	w.send(Root, "and be short") // writing takes the pause off
	w.at1("final")
	w.thinks(Root)
	if n := len(w.agent(Root).Mailbox); n != 0 {
		t.Errorf("%d messages were not taken at the border", n)
	}
}

// The border before branches that run side by side is one too: none of them begins.
func TestS004APauseHoldsBeforeBranchesSideBySide(t *testing.T) {
	t.Parallel()
	w := through(t, "side by side")
	w.must(PauseAgent{Agent: Root})
	w.says(Root, "two sides")
	w.is(Root, Idle)
	if owed := w.s.OwedBy(Root); len(owed) > 0 {
		t.Errorf("owed is %+v", owed)
	}
	w.must(Resume{Agent: Root})
	var nodes []string
	for _, work := range w.s.OwedBy(Root) {
		if work.Kind() == ThinkStep {
			nodes = append(nodes, work.Item().Run.Node)
		}
	}
	if !slices.Equal(nodes, []string{"left", "right"}) {
		t.Errorf("begun are %v", nodes)
	}
}

// It waits for the border of a node in a branch too, and what has come meanwhile is
// read at the join.
func TestS004APauseWithinABranchTakesNoMessages(t *testing.T) {
	t.Parallel()
	for _, writes := range []bool{false, true} {
		w := through(t, "views")
		w.says(Root, "two sides")
		w.must(PauseAgent{Agent: Root})
		w.says(Root, "left says")
		w.judge(graph.Yes)
		w.is(Root, Idle)
		if writes {
			w.send(Root, "be short")
		} else {
			w.must(Resume{Agent: Root})
		}
		w.at1("right")
		w.thinks(Root)
		if n := len(w.agent(Root).Mailbox); writes != (n == 1) {
			t.Errorf("%d messages wait", n)
		}
		w.says(Root, "right says")
		w.judge(graph.No)
		w.must(Joined{Work: w.owed(Root, JoinStep).(Join), Text: "both"})
		if n := len(w.agent(Root).Mailbox); n != 0 {
			t.Errorf("%d messages wait at the join", n)
		}
	}
	w := through(t, "side by side")
	w.says(Root, "two sides")
	w.must(PauseAgent{Agent: Root})
	both := w.s.OwedBy(Root)
	w.must(Answered{Work: both[0].(Think), Text: "left says"})
	w.is(Root, WaitingLLM)
	if a := w.agent(Root); a.step(both[1].Item().Step) == nil {
		t.Errorf("a pause has cut the other branch short: %+v", a.Open)
	}
}

// A graph that is changed in the middle of a run is noticed, with words, and the
// turn begins anew; prompts and limits may change meanwhile.
func TestS004AChangedGraphIsNoticed(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(w *world){
		"by the person": func(w *world) { w.must(ChooseGraph{Role: "role-root", Graph: "views"}) },
		"in the settings": func(w *world) {
			w.load()
			other := library()
			other[0].Edges[1].Question = "is it good?"
			w.s.SetGraphs(other)
			w.must(Restart{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := through(t, "review")
			w.says(Root, "a draft")
			change(w)
			if w.agent(Root).Status != Idle {
				w.says(Root, "checked")
			}
			if a := w.agent(Root); a.Status != Idle || !strings.Contains(a.Error, "graph of the role") {
				t.Fatalf("root is %s, failed with %q", a.Status, a.Error)
			}
			w.must(Resume{Agent: Root})
			w.at1(w.s.Graph(w.agent(Root)).Entries()[0])
		})
	}
	w := through(t, "review")
	w.says(Root, "a draft")
	w.load()
	other := library()
	other[0].Nodes[1].Prompt, other[0].MaxIterations = "Check twice.", 9
	w.s.SetGraphs(other)
	w.must(Restart{})
	w.at1("check")
	w.says(Root, "checked")
	w.judge(graph.No)
	w.at1("final")
	if node, _ := w.s.Node(w.agent(Root), w.agent(Root).AtHand()); node.Key != "final" {
		t.Errorf("the node is %+v", node)
	}
}

// A crash at any moment repeats no node that has ended.
func TestS004ARestartRepeatsNoNodeThatHasEnded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := through(t, rapid.SampledFrom([]string{"review", "views", "side by side"}).Draw(t, "graph"))
		told := 0
		for range 40 {
			a := w.agent(Root)
			if a.Status == Idle {
				break
			}
			if rapid.IntRange(0, 2).Draw(t, "crash") == 0 {
				before := path(a.Turn.Run)
				w.restart(false)
				if after := path(w.agent(Root).Turn.Run); after != before {
					t.Fatalf("the path was %q and is %q", before, after)
				}
				continue
			}
			owed := slices.DeleteFunc(w.s.OwedBy(Root), func(work Work) bool { return w.agent(Root).step(work.Item().Step).waits(NodeDeadline) })
			work := rapid.SampledFrom(owed).Draw(t, "work")
			switch work.Kind() {
			case ThinkStep:
				told++
				w.must(Answered{Work: work.(Think), Text: "so"})
			case JudgeStep:
				w.judge(rapid.SampledFrom([]graph.Verdict{graph.Yes, graph.No, graph.No}).Draw(t, "verdict"))
			case JoinStep:
				w.must(Joined{Work: work.(Join), Text: "all"})
			}
		}
		a := w.agent(Root)
		run := a.Ran
		if a.Turn != nil {
			run = a.Turn.Run
		}
		executed := 0
		for _, rec := range run.Path {
			if rec.Kind == graph.Execute {
				executed++
			}
		}
		if executed != told {
			t.Fatalf("%d nodes were executed, the model answered %d times: %s", executed, told, path(run))
		}
	})
}

// A call of a tool that the node leaves out is answered, and not run.
func TestS004ANodeHasTheToolsThatItNames(t *testing.T) {
	t.Parallel()
	w := through(t, "review")
	w.says(Root, "a draft")
	call := w.call("write", object{"n": 1})
	w.calling(Root, call)
	if got := w.result(Root, call); got.Outcome != conversation.Failed || !strings.Contains(got.Text, "check") {
		t.Errorf("it is answered %+v", got)
	}
	w.calling(Root, w.call("look", object{"n": 2}))
	w.owed(Root, ActStep)
}

// What was said in a branch of one run is not seen in a branch of a later one: no
// number of a branch is used twice.
func TestS004NoTwoBranchesOfAnAgentHaveTheSameNumber(t *testing.T) {
	t.Parallel()
	w := through(t, "views")
	seen := map[int]bool{}
	for range 3 {
		w.says(Root, "two sides")
		branch := w.agent(Root).Branches(w.agent(Root).AtHand())[0]
		if seen[branch] {
			t.Fatalf("a second branch has the number %d", branch)
		}
		seen[branch] = true
		w.says(Root, "left")
		w.judge(graph.No)
		w.must(Joined{Work: w.owed(Root, JoinStep).(Join), Text: "left"})
		w.says(Root, "both")
		w.is(Root, Idle)
		w.restart(false)
		w.send(Root, "once more")
	}
}

// A turn that began before its role had a graph ends as it began: its answer goes to
// whoever is owed it. The next one runs through the graph.
func TestS004ATurnThatBeganWithoutAGraphEndsWithoutOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "write it")
	w.must(ChooseGraph{Role: "role-root", Graph: "review"})
	w.says(Root, "the text")
	if got := w.toPerson(); !slices.Equal(got, []string{"the text"}) {
		t.Fatalf("the person was sent %q", got)
	}
	w.send(Root, "once more")
	w.at1("draft")
}

// The time of one branch is up: the others that run beside it go on.
func TestS004TheTimeOfOneBranchLeavesTheOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	timed := library()[2]
	timed.Nodes[2].Retries = 1
	w.s.SetGraphs(append(library(), timed))
	w.must(ChooseGraph{Role: "role-root", Graph: timed.Name})
	w.send(Root, "write it")
	w.says(Root, "two sides")
	var left Work
	for _, work := range w.s.OwedBy(Root) {
		if work.Item().Run != nil && work.Item().Run.Node == "left" {
			left = work
		}
	}
	for _, first := range []string{"the time is up", "the other answers"} {
		w := w.clone(t)
		w.at = w.at.Add(time.Minute) // that of the right one
		if first == "the other answers" {
			w.must(Answered{Work: left.(Think), Text: "left says"})
		}
		for _, work := range w.s.OwedBy(Root) {
			if w.agent(Root).step(work.Item().Step).waits(NodeDeadline) {
				w.must(TimerFired{Work: work.(Wait)})
			}
		}
		if first == "the time is up" {
			w.must(Answered{Work: left.(Think), Text: "left says"})
		}
		if open := works(w.agent(Root)); len(open) != 1 {
			t.Errorf("%s first: open is %+v", first, open)
		}
		w.at = w.at.Add(time.Second)
		w.waited()
		if at := w.thinks(Root).Run; at == nil || at.Node != "right" || at.Attempt != 2 {
			t.Errorf("%s first: owed is %+v", first, at)
		}
	}
}

package society

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/propertytest"
)

// threeWays is a graph with three branches that run side by side; the second has a
// time and may be tried again.
func threeWays() graph.Definition {
	return graph.Definition{
		Name: "three ways", Parallel: true,
		Nodes: []graph.Node{
			{Key: "open"}, {Key: "a"}, {Key: "b", Timeout: graph.Duration(time.Minute), Retries: 1, RetryWait: graph.Duration(time.Second)}, {Key: "c"}, {Key: "sum"},
		},
		Edges: []graph.Edge{{From: "a", To: "sum"}, {From: "b", To: "sum"}, {From: "c", To: "sum"}},
		FanOuts: []graph.FanOut{{
			From: "open", Join: "sum", Merge: graph.MergeAppend, Branches: []graph.Branch{{To: "a"}, {To: "b"}, {To: "c"}},
		}},
		Entries: []string{"open"}, EndNodes: []string{"sum"},
	}
}

// inThreeWays is a society whose root has just forked.
func inThreeWays(t fatal) *world {
	return forkedAs(newWorld(t, DefaultLimits()), threeWays())
}

func forkedAs(w *world, g graph.Definition) *world {
	w.t.Helper()
	w.s.SetGraphs(append(library(), g))
	w.must(ChooseGraph{Role: "role-root", Graph: g.Name})
	w.send(Root, "look at it")
	w.says(Root, "three sides")
	return w
}

// in returns what root is doing of a kind at a node of its graph.
func (w *world) in(node string, kind StepKind) Work {
	w.t.Helper()
	work, ok := w.doing(node, kind)
	if !ok {
		w.t.Fatalf("root has no %s at %s, but %+v", kind, node, w.s.OwedBy(Root))
	}
	return work
}

func (w *world) doing(node string, kind StepKind) (Work, bool) {
	for _, work := range w.s.OwedBy(Root) {
		if work.Kind() == kind && work.Item().Run != nil && work.Item().Run.Node == node {
			return work, true
		}
	}
	return nil, false
}

// callsAt answers the thought of a node with calls, and sayAt with a text.
func (w *world) callsAt(node string, calls ...conversation.Call) {
	w.t.Helper()
	w.must(Answered{Work: w.in(node, ThinkStep).(Think), Calls: calls})
}

func (w *world) sayAt(node string) {
	w.t.Helper()
	w.must(Answered{Work: w.in(node, ThinkStep).(Think), Text: node + " says"})
}

// actAt ends the tool that runs at a node.
func (w *world) actAt(node string) {
	w.t.Helper()
	w.must(ToolDone{Work: w.in(node, ActStep).(Act), Text: "done", Outcome: conversation.OK})
}

// still checks that a call has neither begun nor been answered.
func (w *world) still(call conversation.Call) {
	w.t.Helper()
	for _, work := range w.s.OwedBy(Root) {
		if callOf(work).ID == call.ID {
			w.t.Fatalf("%s runs", call.Name)
		}
	}
	for _, e := range w.said[Root] {
		if e.CallID == call.ID {
			w.t.Fatalf("%s is answered %q", call.Name, e.Text)
		}
	}
}

// A branch that runs beside others may call tools. Those that only read run at once,
// each branch is asked again for itself, and sees its own results alone.
func TestBranchesSideBySideReadAtTheSameTime(t *testing.T) {
	t.Parallel()
	w := inThreeWays(t)
	for _, name := range []string{"look", "write", "send_message"} {
		if work := w.in("c", ThinkStep); !w.s.MayUseAt(w.agent(Root), work.Item().Run, name) {
			t.Errorf("%s is not offered in a branch", name)
		}
	}
	inA, inB := w.call("look", object{"n": 1}), w.call("look", object{"n": 2})
	w.callsAt("a", inA)
	w.callsAt("b", inB, w.call("list_contacts", object{}))
	w.is(Root, WaitingLLM) // the third is still asked
	w.in("a", ActStep)
	w.in("b", ActStep)
	asked := w.call("get_org", object{})
	w.callsAt("c", asked) // decided by the rules, at once
	if w.result(Root, asked).Outcome != conversation.OK {
		t.Errorf("it is answered %+v", w.result(Root, asked))
	}
	w.sayAt("c")
	w.is(Root, Processing)
	w.actAt("b")
	w.in("a", ActStep)
	w.in("b", ThinkStep)
	w.is(Root, WaitingLLM)
	w.actAt("a")
	seen := func(node string) string {
		var all []string
		for _, e := range conversation.Seen(w.history(Root), w.agent(Root).Branches(w.in(node, ThinkStep).Item().Run)) {
			all = append(all, e.CallID)
		}
		return strings.Join(all, " ")
	}
	if a, b := seen("a"), seen("b"); !strings.Contains(a, inA.ID) || strings.Contains(a, inB.ID) || !strings.Contains(b, inB.ID) || strings.Contains(b, inA.ID) {
		t.Errorf("a has the results %q and b %q", a, b)
	}
	w.sayAt("a")
	w.sayAt("b")
	w.must(Joined{Work: w.owed(Root, JoinStep).(Join), Text: "all three"})
	w.says(Root, "the sum")
	if got := w.toPerson(); !slices.Equal(got, []string{"the sum"}) {
		t.Errorf("the user was sent %q", got)
	}
}

// A writing call waits until the branches before have ended, also if the rules decide it.
// A refusal is immediate.
func TestBranchesSideBySideChangeThingsOneAfterTheOther(t *testing.T) {
	t.Parallel()
	w := inThreeWays(t)
	bad := w.call("write", object{"n": 0})
	bad.Problem = "no such field"
	w.callsAt("c", bad)
	if got := w.result(Root, bad); got.Outcome != conversation.Failed {
		t.Errorf("it is answered %+v", got)
	}
	inC, tells := w.call("write", object{"n": 3}), w.tells(User, "", "from b")
	w.callsAt("c", w.call("look", object{"n": 0}), inC)
	w.callsAt("b", tells)
	w.actAt("c")
	w.still(inC)
	w.still(tells)
	inA := w.call("write", object{"n": 1})
	w.callsAt("a", inA)
	w.in("a", ActStep)
	w.is(Root, Processing)
	w.actAt("a")
	w.still(tells)
	w.sayAt("a")
	if got := w.toPerson(); !slices.Equal(got, []string{"from b"}) {
		t.Fatalf("the user was sent %q", got)
	}
	w.still(inC)
	w.sayAt("b")
	w.actAt("c")
	w.sayAt("c")
	w.owed(Root, JoinStep)
}

// In whatever order the branches come to their calls, changes are made in the order
// of the branches and one at a time, and each call is answered in its branch.
func TestChangesOfBranchesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	met := propertytest.Met[string]{}
	met.Check(t, propertytest.Once("reads run together", "a read runs beside a change", "a change waits", "two changes wait", "crash"), func(t *rapid.T) {
		w := inThreeWays(t)
		order := []string{}
		for range 60 {
			a := w.agent(Root)
			if !a.SideBySide() {
				break
			}
			reads, writes, waits := 0, 0, 0
			for _, o := range a.openAnswers() {
				call, _, _ := o.next()
				switch runs := a.runs(call.ID); {
				case runs && call.Name == "look":
					reads++
				case runs:
					writes++
				default:
					waits++
				}
			}
			if writes > 1 {
				t.Fatalf("%d calls that write run at once", writes)
			}
			for what, is := range map[string]bool{
				"reads run together": reads > 1, "a read runs beside a change": reads > 0 && writes > 0, "a change waits": waits > 0, "two changes wait": waits > 1,
			} {
				if is {
					met[what]++
				}
			}
			if rapid.IntRange(0, 9).Draw(t, "crash") == 0 {
				w.restart(false)
				met["crash"]++
				continue
			}
			owed := slices.DeleteFunc(w.s.OwedBy(Root), func(work Work) bool { return work.Kind() == WaitStep })
			work := rapid.SampledFrom(owed).Draw(t, "work")
			switch {
			case work.Kind() == JoinStep:
				w.must(Joined{Work: work.(Join), Text: "all"})
			case work.Kind() == ActStep:
				w.must(ToolDone{Work: work.(Act), Text: "done", Outcome: conversation.OK})
			case rapid.IntRange(0, 2).Draw(t, "says") == 0:
				w.must(Answered{Work: work.(Think), Text: "so"})
			default:
				var calls []conversation.Call
				for range rapid.IntRange(1, 3).Draw(t, "calls") {
					calls = append(calls, w.call(rapid.SampledFrom([]string{"look", "write"}).Draw(t, "tool"), object{"n": w.calls}))
				}
				w.must(Answered{Work: work.(Think), Calls: calls})
			}
			for _, e := range w.last {
				if e, ok := e.(CallOpened); ok && e.Tool == "write" {
					order = append(order, w.agent(Root).Turn.at(e.Work).Node)
				}
			}
		}
		if !slices.IsSorted(order) {
			t.Fatalf("changes were made in the branches %v", order)
		}
		in := map[string]int{}
		for _, e := range w.history(Root) {
			for _, call := range e.Calls {
				in[call.ID] = e.Branch
			}
			if e.Kind == conversation.Result && e.Branch != in[e.CallID] {
				t.Fatalf("a call of branch %d is answered in branch %d", in[e.CallID], e.Branch)
			}
		}
	})
}

// A node that waits for its turn has all its time left when that comes, also after a
// restart; then it runs again, and its end cuts the call short.
func TestTheTimeOfANodeDoesNotRunWhileItWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	w := inThreeWays(t)
	w.at = w.at.Add(50 * time.Second)
	waits := w.call("write", object{"n": 2})
	w.callsAt("b", waits)
	if _, timed := w.doing("b", WaitStep); timed || slices.ContainsFunc(w.agent(Root).Open, func(s Step) bool { return s.waits(NodeDeadline) }) {
		t.Fatalf("its time runs: %+v", w.agent(Root).Open)
	}
	w.at = w.at.Add(time.Hour)
	w.restart(false)
	w.still(waits)
	w.sayAt("a")
	w.in("b", ActStep)
	due := slices.DeleteFunc(w.s.OwedBy(Root), func(work Work) bool { return !w.agent(Root).step(work.Item().Step).waits(NodeDeadline) })
	if len(due) != 1 || !untilOf(due[0]).Equal(w.at.Add(10*time.Second)) {
		t.Fatalf("it has until %+v at %s", due, w.at)
	}
	w.at = w.at.Add(10 * time.Second)
	w.must(TimerFired{Work: due[0].(Wait)})
	if got := w.result(Root, waits); got.Outcome != conversation.AbortedCall {
		t.Errorf("the call that ran is answered %+v", got)
	}
	w.in("c", ThinkStep)
	w.waited()
	if work := w.in("b", ThinkStep); work.Item().Run.Attempt != 2 {
		t.Errorf("it is tried again as %+v", work.Item().Run)
	}
}

// An interrupt while a call waits for its turn lets the time run again.
func TestAnInterruptEndsTheWaitForATurn(t *testing.T) {
	t.Parallel()
	w := inThreeWays(t)
	reads, changes, waits := w.call("look", object{}), w.call("write", object{"n": 1}), w.call("write", object{"n": 2})
	done := w.call("list_roles", object{})
	w.callsAt("a", done, changes)
	w.callsAt("b", waits)
	w.callsAt("c", reads)
	w.must(Interrupt{Agent: Root})
	for call, want := range map[string]conversation.Outcome{
		done.ID: conversation.OK, changes.ID: conversation.AbortedCall, reads.ID: conversation.AbortedCall, waits.ID: conversation.NotRun,
	} {
		if got := w.lastResult(Root, call); got.Outcome != want || got.Branch == 0 {
			t.Errorf("%s is answered %+v", call, got)
		}
	}
	w.must(Resume{Agent: Root})
	w.in("a", ThinkStep)
	w.in("c", ThinkStep)
	w.in("b", ThinkStep)
	if !slices.ContainsFunc(w.agent(Root).Open, func(s Step) bool { return s.waits(NodeDeadline) }) {
		t.Errorf("the time of the node does not run again: %+v", w.agent(Root).Open)
	}
}

// After a crash a reading call runs again, a writing one has an unknown effect, and one
// that waited for its turn goes on waiting.
func TestACrashKeepsTheCallsOfBranchesApart(t *testing.T) {
	t.Parallel()
	w := inThreeWays(t)
	changes, waits, reads := w.call("write", object{"n": 1}), w.call("write", object{"n": 2}), w.call("look", object{})
	w.callsAt("a", changes)
	w.callsAt("b", waits)
	w.callsAt("c", reads)
	w.restart(false)
	if got := w.result(Root, changes); got.Outcome != conversation.Unknown {
		t.Errorf("the call that changed something is answered %+v", got)
	}
	if work := w.in("c", ActStep); callOf(work).ID != reads.ID {
		t.Errorf("run again is %+v", work)
	}
	w.still(waits)
	w.sayAt("a")
	if work := w.in("b", ActStep); callOf(work).ID != waits.ID {
		t.Errorf("run is %+v", work)
	}
	w.restart(true)
	if got := w.result(Root, waits); got.Outcome != conversation.AbortedCall {
		t.Errorf("started with all paused, the call that ran is answered %+v", got)
	}
	w.is(Root, Idle)
}

// A branch that fails ends the turn: what runs in the others is cut short with it.
func TestABranchThatFailsEndsTheCallsOfTheOthers(t *testing.T) {
	t.Parallel()
	w := inThreeWays(t)
	changes, waits := w.call("write", object{"n": 1}), w.call("write", object{"n": 2})
	w.callsAt("a", changes)
	w.callsAt("b", waits)
	w.must(Failed{Work: w.in("c", ThinkStep), Class: "auth", Text: "no key"})
	w.is(Root, Idle)
	if a := w.agent(Root); a.Error == "" || len(a.Open) > 0 || a.Tail.Group != nil {
		t.Fatalf("root is %+v", a)
	}
	if got := w.result(Root, changes); got.Outcome != conversation.AbortedCall {
		t.Errorf("the call that ran is answered %+v", got)
	}
	if got := w.result(Root, waits); got.Outcome != conversation.NotRun {
		t.Errorf("the call that waited is answered %+v", got)
	}
	w.must(Resume{Agent: Root})
	w.thinks(Root)
}

// The rounds of a turn are those of all its branches; the same call is counted in
// each branch for itself, because none sees what another has called.
func TestLimitsHoldOverBranchesSideBySide(t *testing.T) {
	t.Parallel()
	w := inThreeWays(t)
	w.s.limits.RepeatsWarned, w.s.limits.RepeatsEnded = 2, 3
	same := object{"same": true}
	for _, node := range []string{"a", "b", "c"} {
		w.callsAt(node, w.call("look", same))
	}
	for _, node := range []string{"a", "b", "c"} {
		w.actAt(node)
		if last := w.history(Root)[len(w.history(Root))-1]; strings.Contains(last.Text, "3") {
			t.Errorf("%s is warned of what others have called: %q", node, last.Text)
		}
	}
	w.callsAt("a", w.call("look", same))
	w.actAt("a")
	w.callsAt("a", w.call("look", same))
	if a := w.agent(Root); a.Status != Idle || !strings.Contains(a.Error, "look") {
		t.Errorf("root is %s, failed with %q", a.Status, a.Error)
	}
	w = inThreeWays(t)
	w.s.limits.ToolRounds = 3
	for i, node := range []string{"a", "b", "c", "a"} {
		w.is(Root, WaitingLLM)
		w.callsAt(node, w.call("look", object{"n": i}))
		if i == 0 {
			w.actAt(node)
		}
	}
	if a := w.agent(Root); a.Status != Idle || a.Error == "" {
		t.Errorf("root is %s after 4 of 3 rounds", a.Status)
	}
}

// A parent that waits in a branch for the end of a child changes nothing else
// meanwhile, but its other branches go on.
func TestADrainInABranchLeavesTheOthersToRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	child := w.spawn(Root)
	w.says(Root, "it is at work")
	forkedAs(w, threeWays())
	ends, waits := w.call("terminate_agent", object{"agentId": child}), w.call("write", object{"n": 1})
	w.callsAt("a", ends)
	w.callsAt("b", waits)
	w.callsAt("c", w.call("look", object{}))
	w.still(waits)
	w.still(ends)
	w.actAt("c")
	w.sayAt("c")
	w.is(Root, Processing)
	w.says(child, "the last word")
	w.halted()
	if got := w.answer(Root, ends); got["terminated"] != true {
		t.Fatalf("the end of the child is told as %+v", got)
	}
	w.still(waits)
	w.sayAt("a")
	w.actAt("b")
	w.sayAt("b")
	w.owed(Root, JoinStep)
}

// A node of a branch may leave tools out there too.
func TestANodeOfABranchHasTheToolsThatItNames(t *testing.T) {
	t.Parallel()
	g := threeWays()
	g.Nodes[3].Tools = []string{"look"}
	w := forkedAs(newWorld(t, DefaultLimits()), g)
	call := w.call("write", object{})
	w.callsAt("c", call)
	if got := w.result(Root, call); got.Outcome != conversation.Failed || !strings.Contains(got.Text, "look") {
		t.Errorf("it is answered %+v", got)
	}
}

// A pause lets the calls of the last branch end, and waits for its border.
func TestAPauseWaitsForTheCallsOfTheLastBranch(t *testing.T) {
	t.Parallel()
	w := inThreeWays(t)
	w.callsAt("c", w.call("write", object{}))
	w.must(PauseAgent{Agent: Root})
	w.sayAt("b")
	w.sayAt("a")
	w.is(Root, Processing)
	w.actAt("c")
	w.in("c", ThinkStep)
	w.sayAt("c")
	w.must(Joined{Work: w.owed(Root, JoinStep).(Join), Text: "all"})
	w.is(Root, Idle)
	w.must(Resume{Agent: Root})
	w.at1("sum")
}

// A worker knows the branch of its call, so that a tool on the agent's own context sees
// what that branch sees.
func TestACallKnowsTheBranchThatItWasMadeIn(t *testing.T) {
	t.Parallel()
	for _, graph := range []string{"views", "side by side"} {
		w := through(t, graph)
		w.says(Root, "two sides")
		branch := w.in("left", ThinkStep).Item().Run.Branch
		w.callsAt("left", w.call("compress_context", object{"summary": "so far"}))
		if work := w.in("left", ActStep); work.Item().Run.Branch != branch || branch == 0 {
			t.Errorf("in %s it is told branch %d, not %d", graph, work.Item().Run.Branch, branch)
		}
	}
}

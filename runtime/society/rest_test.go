package society

import (
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
)

// The time in which a turn rests is none of its run or of its node: whoever lets
// it go on finds it where it was, also if something waits for it by then.
func TestS004ARunDoesNotAgeWhileItRests(t *testing.T) {
	t.Parallel()
	rests := map[string]func(w *world){
		"between two nodes": func(w *world) {
			w.must(PauseAgent{Agent: Root})
			w.must(Judged{Work: w.owed(Root, JudgeStep).(Judge), Verdict: graph.Yes, Choice: 1})
		},
		"within a node": func(w *world) {
			w.must(Judged{Work: w.owed(Root, JudgeStep).(Judge), Verdict: graph.Yes, Choice: 1})
			w.must(Interrupt{Agent: Root})
		},
		"before a node with a time": func(w *world) {
			w.must(Judged{Work: w.owed(Root, JudgeStep).(Judge), Verdict: graph.Yes, Choice: 1})
			w.must(PauseAgent{Agent: Root})
			w.says(Root, "another")
		},
	}
	for name, rest := range rests {
		for _, write := range []bool{false, true} {
			if write && name == "within a node" {
				continue // there a new message begins a new turn
			}
			w := through(t, "limits")
			w.says(Root, "one")
			rest(w)
			w.is(Root, Idle)
			before := path(w.agent(Root).Turn.Run)
			w.at = w.at.Add(5 * time.Minute)
			if write {
				w.send(Root, "go on")
			} else {
				w.must(Resume{Agent: Root})
			}
			w.thinks(Root)
			if after := path(w.agent(Root).Turn.Run); after != before {
				t.Errorf("%s, written to: %t: the path was %q and is %q", name, write, before, after)
			}
		}
	}
}

// What other agents have written meanwhile does not throw away how far a run had
// come: resumed, it goes on where it was, and takes them at the next border.
func TestS004AResumedRunGoesOnWhereItWasThoughMessagesWait(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play  func(w *world)
		taken bool
	}{
		"at a border": {func(w *world) { w.says(Root, "a draft") }, true},
		"before a verdict": {func(w *world) {
			w.says(Root, "a draft")
			w.says(Root, "checked")
		}, false},
		"in a branch": {func(w *world) {
			w.says(Root, "two sides")
			w.says(Root, "left")
			w.judge(graph.Yes)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, DefaultLimits())
			child := w.spawn(Root)
			w.says(Root, "asked")
			w.must(ChooseGraph{Role: "role-root", Graph: map[bool]string{true: "views", false: "review"}[name == "in a branch"]})
			w.send(Root, "write it")
			c.play(w)
			w.must(PauseAll{})
			before, node := path(w.agent(Root).Turn.Run), w.agent(Root).AtHand().Node
			w.must(Resume{Agent: child, Alone: true})
			w.says(child, "a report")
			w.must(Resume{Agent: Root, Alone: true})
			w.at1(node)
			if after := path(w.agent(Root).Turn.Run); after != before {
				t.Errorf("the path was %q and is %q", before, after)
			}
			if waits := len(w.agent(Root).Mailbox); (waits == 0) != c.taken {
				t.Errorf("%d messages wait", waits)
			}
		})
	}
}

// A run whose graph is another when the state is read back is given up with words,
// whatever the turn was at and whether or not it was being worked on.
func TestS004ARunThatWasLostIsGivenUpWithWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ play, next func(w *world) }{
		"at rest": {func(w *world) {
			w.must(PauseAgent{Agent: Root})
			w.says(Root, "a draft")
		}, func(w *world) {
			w.must(Restart{})
			w.must(Resume{Agent: Root})
		}},
		"in a node": {func(w *world) { w.says(Root, "a draft") }, func(w *world) { w.says(Root, "checked") }},
		"before a verdict": {func(w *world) {
			w.says(Root, "a draft")
			w.says(Root, "checked")
		}, func(w *world) {
			work := w.owed(Root, JudgeStep)
			if work.Item().Run != nil {
				w.t.Fatalf("judged is %+v of a run that was lost", work.Item().Run)
			}
			w.must(Failed{Work: work, Class: "graph", Text: "another graph"})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := through(t, "review")
			c.play(w)
			w.must(ChooseGraph{Role: "role-root", Graph: "views"})
			w.load()
			c.next(w)
			if a := w.agent(Root); a.Status != Idle || !strings.Contains(a.Error, "was changed while") {
				t.Fatalf("root is %s, failed with %q", a.Status, a.Error)
			}
			w.must(Resume{Agent: Root})
			w.at1("open")
		})
	}
}

// A lost run of branches side by side leaves the society sound. The agent's next result
// ends it, before any further call begins; a message begins the next turn.
func TestS004ALostRunOfBranchesEndsWithWhatComesNext(t *testing.T) {
	t.Parallel()
	calls := func(w *world, node, tool string) {
		w.must(Answered{Work: w.in(node, ThinkStep).(Think), Calls: []conversation.Call{w.call(tool, object{"n": 1}), w.call(tool, object{"n": 2})}})
	}
	for at, play := range map[string]func(w *world){
		"nodes":                         func(*world) {},
		"a node and a call":             func(w *world) { calls(w, "left", "look") },
		"a node and a call for a turn":  func(w *world) { calls(w, "right", "write") },
		"a call and a call for a turn":  func(w *world) { calls(w, "right", "write"); calls(w, "left", "write") },
		"calls":                         func(w *world) { calls(w, "right", "look"); calls(w, "left", "look") },
		"a node and a retry of a model": func(w *world) { w.must(Failed{Work: w.in("left", ThinkStep), Class: "overload", Retryable: true}) },
		"a node and a retry of a node":  func(w *world) { w.must(Failed{Work: w.in("left", ThinkStep), Class: "auth"}) },
		"a node and a verdict":          func(w *world) { w.must(Answered{Work: w.in("right", ThinkStep).(Think), Text: "right"}) },
	} {
		for next, come := range map[string]func(w *world, running Work){
			"a message": func(w *world, _ Work) { w.send(Root, "what about it?") },
			"a result": func(w *world, running Work) {
				if running.Kind() == JudgeStep {
					w.must(Failed{Work: running, Class: "graph", Text: "another graph"})
					return
				}
				w.must(resultOf(running))
			},
		} {
			t.Run(at+", then "+next, func(t *testing.T) {
				t.Parallel()
				w := through(t, "side by side")
				w.says(Root, "two sides")
				play(w)
				w.must(ChooseGraph{Role: "role-root", Graph: ""})
				w.load()
				if problem := Check(w.s); problem != nil {
					t.Fatalf("read back: %v", problem)
				}
				before := w.s.OwedBy(Root)
				come(w, before[0])
				w.endsLost(before)
				if waits := w.agent(Root).Mailbox; len(waits) > 0 {
					t.Errorf("%d messages wait", len(waits))
				}
				w.agrees(w.s)
				if next == "a result" {
					w.send(Root, "go on")
				}
				w.says(Root, "done")
				w.is(Root, Idle)
			})
		}
	}
}

// endsLost checks that the last command has ended root's run with words, as one whose
// graph is another, that nothing of what was owed goes on, and that no call is left open.
func (w *world) endsLost(before []Work) {
	w.t.Helper()
	failed := 0
	for _, e := range w.last {
		switch e := e.(type) {
		case CallOpened:
			w.t.Fatalf("it begins %s in a run that is lost", e.Tool)
		case TurnFailed:
			if failed++; e.Class != "graph_changed" {
				w.t.Fatalf("it fails with %q", e.Class)
			}
		}
	}
	if failed != 1 {
		w.t.Fatalf("it has failed %d times", failed)
	}
	for _, work := range before {
		if w.agent(Root).expects(work) {
			w.t.Fatalf("it goes on with %+v", work)
		}
	}
	w.legal(Root, w.history(Root))
}

// The time in which the program did not run is none of a run or of its node: after a
// night it goes on, with as much time left as it had.
func TestS004ARunDoesNotAgeWhileTheProgramDoesNotRun(t *testing.T) {
	t.Parallel()
	for name, play := range map[string]func(w *world){
		"in a node":        func(w *world) {},
		"before a verdict": func(w *world) { w.says(Root, "one") },
		"before a retry":   func(w *world) { w.must(Failed{Work: w.thinks(Root), Class: "auth", Text: "no"}) },
	} {
		for _, paused := range []bool{false, true} {
			w := through(t, "limits")
			began := w.at
			w.at = w.at.Add(5 * time.Second)
			play(w)
			left := w.agent(Root).Turn.Run.Deadline.Sub(w.at)
			if name == "in a node" {
				left += 5 * time.Second // asked again from its beginning
			}
			w.at = w.at.Add(9 * time.Hour)
			w.restart(paused)
			w.at = w.at.Add(time.Minute)
			if paused {
				w.must(Resume{Agent: Root})
			} else {
				left -= time.Minute
			}
			run := w.agent(Root).Turn.Run
			if run == nil || run.Status != graph.Running || run.Deadline.Sub(w.at) != left {
				t.Fatalf("%s, paused: %t: a run with %s left is %+v", name, paused, left, run)
			}
			if !began.Equal(run.Began) {
				t.Errorf("%s: it is said to have begun at %s", name, run.Began)
			}
			w.owed(Root, map[string]StepKind{"in a node": ThinkStep, "before a verdict": JudgeStep, "before a retry": WaitStep}[name])
			if name != "in a node" {
				continue
			}
			w.at = w.at.Add(time.Second)
			w.says(Root, "one")
			if path := w.agent(Root).Turn.Run.Path; path[0].Took > 2*time.Minute {
				t.Errorf("it took %s", path[0].Took)
			}
		}
	}
}

// What was answered is kept, and what a verdict took is counted, also where the graph was
// changed meanwhile: the model and the user can read it when the turn is taken up.
func TestS004WhatCameForAChangedGraphIsKept(t *testing.T) {
	t.Parallel()
	w := through(t, "review")
	w.must(ChooseGraph{Role: "role-root", Graph: "views"})
	w.must(Answered{Work: w.thinks(Root), Text: "a long draft", Usage: Usage{Input: 7, Output: 5}})
	if a := w.agent(Root); a.Status != Idle || !strings.Contains(a.Error, "graph of the role") || a.Usage != (Usage{Input: 7, Output: 5}) {
		t.Fatalf("root is %s, failed with %q, and used %+v", a.Status, a.Error, a.Usage)
	}
	kept := w.visible(Root)
	if last := kept[len(kept)-1]; last.Text != "a long draft" || last.Node != "draft" {
		t.Errorf("kept is %+v", last)
	}
	w.must(Resume{Agent: Root})
	w.says(Root, "two sides")
	w.must(ChooseGraph{Role: "role-root", Graph: "review"})
	w.must(Answered{Work: w.thinks(Root), Text: "left says"})
	if said := w.history(Root); !slices.ContainsFunc(said, func(e conversation.Entry) bool { return e.Text == "left says" && e.Branch != 0 }) {
		t.Errorf("of an answer in a branch is kept %s", w.kinds(Root))
	}
	w.must(Resume{Agent: Root})
	w.says(Root, "a draft")
	w.says(Root, "checked")
	before := w.agent(Root).Usage
	work := w.owed(Root, JudgeStep)
	w.must(ChooseGraph{Role: "role-root", Graph: "views"})
	w.must(Judged{Work: work.(Judge), Verdict: graph.No, Usage: Usage{Input: 3, Output: 1}})
	if a := w.agent(Root); a.Usage != before.Plus(Usage{Input: 3, Output: 1}) || a.Status != Idle {
		t.Errorf("root is %s and has used %+v", a.Status, a.Usage)
	}
}

// What has come for a turn that cannot go on, because its time is up or its graph was
// changed, is not swallowed by it: it begins the next turn.
func TestS004WhatComesForATurnThatCannotGoOnBeginsTheNext(t *testing.T) {
	t.Parallel()
	ends := map[string]func(w *world){
		"the time of the run is up":   func(w *world) { w.at = w.at.Add(3 * time.Minute) },
		"the time of a node is up":    func(w *world) { w.at = w.at.Add(30 * time.Second) },
		"the graph is another by now": func(w *world) { w.must(ChooseGraph{Role: "role-root", Graph: "views"}) },
	}
	moments := map[string]func(w *world, end func(w *world)){
		"before its calls": func(w *world, end func(w *world)) {
			end(w)
			w.send(Root, "hurry")
			w.calling(Root, w.call("write", object{}))
		},
		"between its calls": func(w *world, end func(w *world)) {
			w.calling(Root, w.call("write", object{}), w.call("write", object{"n": 2}))
			end(w)
			w.send(Root, "hurry")
			w.acts(Root, "done")
		},
		"behind its calls": func(w *world, end func(w *world)) {
			w.calling(Root, w.call("write", object{}))
			end(w)
			w.send(Root, "hurry")
			w.acts(Root, "done")
		},
	}
	for why, end := range ends {
		for when, play := range moments {
			w := newWorld(t, DefaultLimits())
			limits := library()[3]
			limits.Nodes[0].Retries = 0
			w.s.SetGraphs(append(library(), limits))
			w.must(ChooseGraph{Role: "role-root", Graph: "limits"})
			w.send(Root, "write it")
			play(w, end)
			said := w.history(Root)
			failed := slices.IndexFunc(said, func(e conversation.Entry) bool { return e.Kind == conversation.Notice })
			read := slices.IndexFunc(said, func(e conversation.Entry) bool {
				return e.Kind == conversation.Inbound && strings.Contains(e.Text, "hurry")
			})
			if failed < 0 || read < failed {
				t.Errorf("%s %s: failed at %d, read at %d of %s", why, when, failed, read, w.kinds(Root))
			}
			if at := w.thinks(Root).Run; at == nil || len(w.agent(Root).Turn.Run.Path) > 0 {
				t.Errorf("%s %s: owed is %+v", why, when, at)
			}
		}
	}
}

// A turn that began before its role had a graph takes messages as before: its graph was
// not changed in the middle of a run.
func TestS004ATurnThatBeganWithoutAGraphTakesMessages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "write it")
	w.must(ChooseGraph{Role: "role-root", Graph: "limits"})
	w.send(Root, "hurry")
	w.calling(Root, w.call("write", object{}))
	if got := w.kinds(Root); got != "in superseded in" {
		t.Errorf("kept is %s", got)
	}
	if work := w.thinks(Root); work.Run != nil || w.agent(Root).Error != "" {
		t.Errorf("owed is %+v, and it has failed with %q", work, w.agent(Root).Error)
	}
}

// A verdict that is cut short is noted as every other call of a model is.
func TestS004AVerdictThatIsCutShortIsNoted(t *testing.T) {
	t.Parallel()
	for name, verb := range map[string]Command{"interrupt": Interrupt{Agent: Root}, "stop": Stop{Agent: Root}, "pause all": PauseAll{}} {
		w := through(t, "review")
		w.says(Root, "a draft")
		w.says(Root, "checked")
		w.owed(Root, JudgeStep)
		w.must(verb)
		if got := w.kinds(Root); !strings.HasSuffix(got, " aborted") {
			t.Errorf("after %s the conversation is %s", name, got)
		}
	}
}

// Wherever in its graph an agent is interrupted, what the user writes then is read at
// once, at the entry of the graph, with all that was said before; resumed without a word
// it goes on where it was (SPEC.md, decisions 1, 31).
func TestS004WhatIsWrittenToAnInterruptedAgentIsReadAtOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		graph string
		play  func(w *world)
	}{
		"in a node": {"review", func(w *world) { w.says(Root, "a draft") }},
		"before a verdict": {"review", func(w *world) {
			w.says(Root, "a draft")
			w.says(Root, "checked")
		}},
		"in a branch":  {"views", func(w *world) { w.says(Root, "two sides") }},
		"side by side": {"side by side", func(w *world) { w.says(Root, "two sides") }},
		"after a call": {"review", func(w *world) { w.calling(Root, w.call("look", object{"n": 1})) }},
	} {
		for _, how := range []string{"with the interrupt", "after it", "not at all"} {
			w := through(t, c.graph)
			c.play(w)
			before := w.agent(Root).Turn.Run.Clone()
			if how == "with the interrupt" {
				w.must(Interrupt{Agent: Root, Text: "in rhyme"})
			} else {
				w.must(Interrupt{Agent: Root})
			}
			if how == "not at all" {
				w.must(Resume{Agent: Root})
				w.at1(before.Next()[0].Node)
				if now := w.agent(Root).Turn.Run; path(now) != path(before) {
					t.Errorf("%s: the path was %q and is %q", name, path(before), path(now))
				}
				continue
			}
			if how == "after it" {
				w.send(Root, "in rhyme")
			}
			w.at1(w.s.Graph(w.agent(Root)).Entries()[0])
			w.thinks(Root)
			seen := w.seen(w.agent(Root), 0)
			if last := seen[len(seen)-1]; len(w.agent(Root).Mailbox) > 0 || last.Body+last.Text == "" || !strings.Contains(last.Text, "in rhyme") {
				t.Errorf("%s, written %s: %d messages wait, and last stands %q", name, how, len(w.agent(Root).Mailbox), last.Text)
			}
		}
	}
}

// A restart ends a drain with all that is within, also who is in the middle of a run.
func TestS004ARestartEndsADrainInWhichRunsGoOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	child := w.spawn(Root)
	w.must(ChooseGraph{Role: "role-worker", Graph: "limits"})
	below := w.spawn(child)
	end := w.call("terminate_agent", object{"agentId": child})
	w.calling(Root, end)
	if a := w.agent(below); a.Drain != child || a.Turn.Run == nil {
		t.Fatalf("%s is in %+v", below, a.Turn)
	}
	w.at = w.at.Add(time.Hour)
	w.restart(false)
	w.halted()
	if ok := w.answer(Root, end)["ok"]; ok != true || w.s.Agent(below) != nil {
		t.Errorf("it is answered %s", w.result(Root, end).Text)
	}
}

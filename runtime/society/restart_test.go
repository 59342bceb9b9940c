package society

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/tool"
)

// What the records give back is the society that was in memory: every agent with
// mailbox, contacts and children, every role, task and tombstone, the counters,
// and what is derived from them.
func TestLoadingTheRecordsGivesTheSocietyInMemory(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		one, other := w.clone(w.t), w.clone(w.t) // with the runs that w is about to lose
		loaded := Load(w.s.limits, w.records())
		w.loses(loaded)
		same := func(what string, a, b any) {
			if x, y := encoded(t, a), encoded(t, b); x != y {
				t.Fatalf("%s was\n%s and is\n%s", what, x, y)
			}
		}
		same("the counters", w.s.Numbers(), loaded.Numbers())
		same("the roles", w.s.Roles(), loaded.Roles())
		same("the tasks", w.s.tasks, loaded.tasks)
		same("the tombstones", w.s.tombs, loaded.tombs)
		same("what is owed", w.s.Owed(), loaded.Owed())
		same("the agents", w.s.agents, loaded.agents)
		same("the contacts of the user", w.s.userKnows, loaded.userKnows)
		same("the spawns of the last minute", append([]any{}, anys(w.s.spawned)...), append([]any{}, anys(loaded.spawned)...))
		for id, a := range w.s.agents {
			b := loaded.agents[id]
			same("a mailbox", append([]Mail{}, a.Mailbox...), append([]Mail{}, b.Mailbox...))
			same("contacts", a.Contacts, b.Contacts)
			same("who knows it", w.s.knownBy(id), loaded.knownBy(id))
			same("children", append([]AgentID{}, a.Children()...), append([]AgentID{}, b.Children()...))
		}
		if w.s.lang != loaded.lang {
			t.Fatalf("the language was %s and is %s", w.s.lang, loaded.lang)
		}
		// And it behaves the same: the next steps lead to the same events, but where a
		// run is given up sooner.
		if other.load(); slices.ContainsFunc(other.s.Agents(), func(id AgentID) bool { return other.s.Agent(id).Turn.isLost() }) {
			one.load()
		}
		for _, work := range one.s.Owed() {
			if work.Kind() == ThinkStep && one.s.Agent(work.Item().Agent).expects(work) {
				one.must(Answered{Work: work.(Think), Text: "the same"})
				other.must(Answered{Work: work.(Think), Text: "the same"})
				same("an event", one.last, other.last)
			}
		}
	})
}

// loses takes from the society what one that is read from the store gives up: runs whose
// graph was changed in the middle, and nothing else.
func (w *world) loses(loaded *State) {
	w.t.Helper()
	for id, a := range w.s.agents {
		if b := loaded.agents[id]; b.Turn != nil && b.Turn.lost != changed(w.s, a) {
			w.t.Fatalf("the run of %s is lost: %t", id, b.Turn.lost)
		}
		if changed(w.s, a) {
			a.Turn.Run = nil
		}
		if a.Ran != nil && a.Ran.Clone().Attach(w.s.graphOf(a)) != nil {
			a.Ran = nil
		}
	}
}

func anys[T any](list []T) (all []any) {
	for _, v := range list {
		all = append(all, v)
	}
	return all
}

// resultOf is a result that a piece of work could have.
func resultOf(work Work) Command {
	switch work := work.(type) {
	case Think:
		return Answered{Work: work, Text: "that is it"}
	case Act:
		return ToolDone{Work: work, Text: "done", Outcome: conversation.OK}
	case Plan:
		return planOf(work, "a")
	case Compress:
		return Compressed{Work: work}
	case Judge:
		return judgedWell(work)
	case Join:
		return Joined{Work: work, Text: "all of it"}
	}
	return TimerFired{Work: work.(Wait)}
}

// Deciding changes nothing: the same command is decided the same again, and a
// refused one leaves no trace.
func TestDecidingChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		before := encoded(t, w.records())
		id := w.anyAgent(t)
		commands := []Command{
			Send{To: id, Text: "hello"},
			Send{To: id, Text: "hello", Resume: true, Task: "no such task"},
			Interrupt{Agent: id, Text: "x"},
			Stop{Agent: id},
			Resume{Agent: id},
			Terminate{Agent: id, By: User},
			PauseAll{},
			Restart{},
			Restart{Paused: true},
		}
		for _, work := range w.s.Owed() {
			commands = append(commands, resultOf(work))
		}
		for _, cmd := range commands {
			one, errOne := w.s.Decide(w.at, cmd)
			two, errTwo := w.s.Decide(w.at, cmd)
			if !reflect.DeepEqual(one, two) || !reflect.DeepEqual(errOne, errTwo) {
				t.Fatalf("%T is decided as\n%+v, then as\n%+v", cmd, one, two)
			}
		}
		if after := encoded(t, w.records()); after != before {
			t.Fatalf("was\n%s and is\n%s", before, after)
		}
	})
}

// SPEC.md, decision 9: stopped and paused stay, stopping becomes stopped, terminating and
// draining are finished, and what was in flight is begun again in a new epoch. This is
// the restart alone, before the agents go on.
func TestARestartKeepsWhatWas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		was := w.clone(w.t)
		past := slices.Clone(w.past)
		w.load()
		d, err := w.s.Decide(w.at, Restart{})
		if err != nil {
			t.Fatalf("%v", err)
		}
		for _, e := range d.Events {
			w.s.Apply(e)
		}
		for _, work := range past {
			w.stale(resultsOf(work)[0])
		}
		for _, id := range was.s.Agents() {
			old, a := was.s.Agent(id), w.s.Agent(id)
			switch {
			case was.s.drainAbove(old) != "" || old.Status == Terminating:
				if a != nil && a.Status != Terminating {
					t.Fatalf("%s was to end and is %s", id, a.Status)
				}
			case old.Status == Stopping:
				w.is(id, Stopped)
			case old.Status.Active() && changed(was.s, old): // given up with words
				if a.Status != Idle || !a.Turn.Suspended || a.Error == "" || len(works(a)) > 0 {
					t.Fatalf("%s was %+v and is %+v", id, old, a)
				}
			case old.Paused == OverBudget && old.Status.Active() && a.Status == Idle: // its model is not asked anew
				if a.Paused != OverBudget || !a.Turn.Held || len(works(a)) > 0 {
					t.Fatalf("%s was %+v and is %+v", id, old, a)
				}
			case old.Status.Active() || len(old.Open) > 0:
				if a.Status != old.Status || a.Paused != old.Paused || a.Epoch != old.Epoch+1 || !slices.Equal(w.kindsOwed(id), was.kindsOwed(id)) {
					t.Fatalf("%s was %+v and is %+v", id, old, a)
				}
			case a.Status != old.Status || a.Paused != old.Paused || len(w.s.OwedBy(id)) > 0:
				t.Fatalf("%s was %+v and is %+v", id, old, a)
			}
		}
	})
}

// kindsOwed is what an agent owes of what can be begun twice.
func (w *world) kindsOwed(id AgentID) (kinds []StepKind) {
	for _, work := range w.s.OwedBy(id) {
		if step := w.agent(id).step(work.Item().Step); step.Asked {
			continue // it waits for the user as before
		}
		if work.Kind() != ActStep || w.s.risk(callOf(work).Name) == tool.Reads {
			kinds = append(kinds, work.Kind())
		}
	}
	return kinds
}

// A tool that reads runs again, one that writes never does in silence.
func TestAfterARestartAWritingToolIsOfUnknownEffect(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "go")
	look, write := w.call("look", object{}), w.call("write", object{})
	w.calling(Root, look, write)
	w.restart(false)
	if work := w.owed(Root, ActStep); callOf(work).ID != look.ID || callOf(work).Arguments != look.Arguments {
		t.Errorf("%+v", work)
	}
	w.acts(Root, "seen")
	w.restart(false)
	if r := w.result(Root, write); r.Outcome != conversation.Unknown {
		t.Errorf("%+v", r)
	}
	w.thinks(Root)
}

func TestARetryWaitOutlivesARestart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "go")
	for range 2 {
		w.must(Failed{Work: w.thinks(Root), Class: "network", Text: "no route", Retryable: true})
		w.restart(false)
		w.fires(Root)
	}
	if got := w.thinks(Root).Attempt; got != 2 {
		t.Errorf("attempt %d", got)
	}
}

// --paused and "quit and pause all": all that runs is aborted and stays open, and
// goes on when it is resumed.
func TestAPausedStartRunsNothingUntilItIsResumed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		if rapid.Bool().Draw(t, "before leaving") {
			w.must(PauseAll{})
			w.restart(false)
		} else {
			w.restart(true)
		}
		w.halted()
		for _, id := range w.s.Agents() {
			if work, runs := w.running(id); runs && !w.agent(id).waitsForUser() {
				t.Fatalf("owed: %v", work)
			}
			if a := w.agent(id); a.Status != Stopped && a.Paused == "" {
				t.Fatalf("%s is %s and not paused", id, a.Status)
			}
		}
		lost := map[AgentID]bool{}
		for _, id := range w.s.Agents() {
			a := w.agent(id)
			lost[id] = a.Turn != nil && a.Turn.lost || changed(w.s, a) || a.compressesForUser()
		}
		for _, b := range w.s.Budgets(w.at) { // which would hold what is resumed
			w.must(SetBudget{Agent: b.Agent, Task: b.Task, Day: b.Day != ""})
		}
		if w.agent(Root).compressesForUser() {
			w.refused(Resume{Agent: Root}, InvalidArguments) // until its context is smaller
			return
		}
		w.must(Resume{Agent: Root})
		w.rest()
		for _, id := range w.s.Agents() {
			a := w.agent(id)
			guarded := a.Paused == MessageGuard // by now, which also lets it rest before a node
			if len(a.Mailbox) > 0 && !guarded {
				t.Fatalf("%s has not gone on: %+v", id, a)
			}
			if a.Turn == nil || guarded && a.Turn.Held {
				continue
			}
			if over := a.Turn.Run != nil && a.Turn.Run.Status == graph.Error; a.Error == "" || !over && !lost[id] {
				t.Fatalf("%s has not gone on: %+v with %+v", id, a, a.Turn)
			}
		}
	})
}

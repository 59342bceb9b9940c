package society

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
)

// asked returns the work of an agent for which a model is asked.
func asked(s *State, id AgentID) []Work {
	return slices.DeleteFunc(s.OwedBy(id), func(w Work) bool {
		c, compresses := w.(Compress)
		switch w.Kind() {
		case ThinkStep, JudgeStep:
			return false
		}
		return !compresses || c.WithoutModel
	})
}

func budgeted(t fatal, task Amount) *world {
	limits := DefaultLimits()
	limits.Task = task
	return newWorld(t, limits)
}

func (w *world) billed(id AgentID, usage Usage, calls ...conversation.Call) {
	w.t.Helper()
	work := asked(w.s, id)
	if len(work) != 1 {
		w.t.Fatalf("the model of %s is asked for %+v", id, work)
	}
	a := Answered{Work: work[0].(Think), Usage: usage, Calls: calls}
	if len(calls) == 0 {
		a.Text = "done"
	}
	w.must(a)
}

func events[E Event](all []Event) (found []E) {
	for _, e := range all {
		if e, ok := e.(E); ok {
			found = append(found, e)
		}
	}
	return found
}

func TestABudgetWarnsAtFourFifthsHoldsWhenSpentAndGoesOnWhenRaised(t *testing.T) {
	t.Parallel()
	w := budgeted(t, Amount{Cost: 10 * Currency})
	task := w.must(Send{To: Root, Text: "work"}).(Sent).Task
	look := func(id string) conversation.Call { return conversation.Call{ID: id, Name: "look", Arguments: "{}"} }
	done := func() {
		for _, work := range w.s.OwedBy(Root) {
			if act, ok := work.(Act); ok {
				w.must(ToolDone{Work: act, Text: "seen", Outcome: conversation.OK})
			}
		}
	}
	w.billed(Root, Usage{Input: 5, Cost: 8 * Currency}, look("1"))
	if news := events[BudgetReached](w.last); len(news) != 1 || news[0].Status.IsSpent() || w.s.Agent(Root).Paused != "" {
		t.Fatalf("at 80 %% it is told %+v, root is paused: %q", news, w.s.Agent(Root).Paused)
	}
	done()
	w.billed(Root, Usage{Input: 5, Cost: 1 * Currency}, look("2"))
	if news := events[BudgetReached](w.last); len(news) != 0 {
		t.Fatalf("it warns twice: %+v", news)
	}
	done()
	w.billed(Root, Usage{Input: 5, Cost: 3 * Currency}, look("3"))
	if news := events[BudgetReached](w.last); len(news) != 1 || !news[0].Status.IsSpent() || w.s.Agent(Root).Paused != OverBudget {
		t.Fatalf("at 120 %% it is told %+v, root is paused: %q", news, w.s.Agent(Root).Paused)
	}
	done()
	if work := asked(w.s, Root); len(work) > 0 || !w.s.Agent(Root).Turn.Held {
		t.Fatalf("held, and its model is asked: %+v", work)
	}
	if sent := w.must(Send{To: Root, Text: "are you there?"}).(Sent); !sent.Held || len(w.s.Agent(Root).Mailbox) != 1 {
		t.Fatalf("a message to a held agent: %+v, %d wait", sent, len(w.s.Agent(Root).Mailbox))
	}
	if _, err := w.try(Resume{Agent: Root}); err == nil {
		t.Fatal("a resumption overrules the budget")
	}
	if p := w.s.TaskProgress()[task]; p.State != TaskAsks {
		t.Fatalf("the task is %s while its budget asks", p.State)
	}
	w.s = w.again()
	w.must(Restart{})
	if work := asked(w.s, Root); len(work) > 0 || w.s.Agent(Root).Paused != OverBudget {
		t.Fatalf("a restart forgets the budget: %+v, paused %q", work, w.s.Agent(Root).Paused)
	}
	reply := w.must(SetBudget{Task: task, Limit: Amount{Cost: 20 * Currency}}).(BudgetSet)
	if work := asked(w.s, Root); len(work) != 1 || reply.Resumed != 1 || w.s.Agent(Root).Paused != "" || len(w.s.Agent(Root).Mailbox) > 0 {
		t.Fatalf("raised: %+v, its model is asked %d times, %d messages wait", reply, len(work), len(w.s.Agent(Root).Mailbox))
	}
	w.billed(Root, Usage{Cost: 9 * Currency}, look("4"))
	if w.s.Agent(Root).Paused != OverBudget {
		t.Fatal("the raised budget does not hold")
	}
	more := w.must(SetBudget{Task: task, More: true}).(BudgetSet)
	if more.Budget.Limit.Cost != 40*Currency || w.s.Agent(Root).Paused != "" {
		t.Fatalf("once more gives %+v", more)
	}
}

func TestADrainOfAHeldSubtreeEndsAtItsBoundAndSaysWhy(t *testing.T) {
	t.Parallel()
	w := budgeted(t, Amount{})
	w.must(Send{To: Root, Text: "work"})
	w.billed(Root, Usage{}, conversation.Call{ID: "r", Name: "create_role", Arguments: `{"name":"worker","rolePrompt":"Work."}`})
	role := w.s.Roles()[1].ID
	child := w.must(Spawn{Parent: Root, Role: role, Text: "dig"}).(Spawned).Agent
	w.must(SetBudget{Agent: child, Limit: Amount{Tokens: 10}})
	w.billed(child, Usage{Input: 20}, conversation.Call{ID: "l", Name: "look", Arguments: "{}"})
	for _, work := range w.s.OwedBy(child) {
		if act, ok := work.(Act); ok {
			w.must(ToolDone{Work: act, Text: "seen", Outcome: conversation.OK})
		}
	}
	w.billed(Root, Usage{}, conversation.Call{ID: "t", Name: "terminate_agent", Arguments: `{"agentId":"` + string(child) + `"}`})
	if w.s.Agent(child) == nil || w.s.Agent(child).Status == Terminating {
		t.Fatal("the drain does not wait for the user to raise the budget")
	}
	for _, work := range w.s.OwedBy(child) {
		if wait, ok := work.(Wait); ok && wait.For == DrainDeadline {
			w.at = wait.Until
			w.must(TimerFired{Work: wait})
		}
	}
	w.must(Halted{Agents: []AgentID{child}})
	for _, kept := range events[ToolResultKept](w.last) {
		if kept.Entry.CallID == "t" {
			if want := `"cutOffBy":"budget"`; !strings.Contains(kept.Entry.Text, want) {
				t.Fatalf("the result is %s, want %s", kept.Entry.Text, want)
			}
			return
		}
	}
	t.Fatal("the termination has no result")
}

func TestANewDayLetsHeldAgentsGoOn(t *testing.T) {
	t.Parallel()
	limits := DefaultLimits()
	limits.Day = Amount{Tokens: 100}
	w := newWorld(t, limits)
	w.must(Send{To: Root, Text: "work"})
	w.billed(Root, Usage{Input: 150})
	w.must(Send{To: Root, Text: "more"})
	next := w.s.RenewsAt(w.at)
	if len(asked(w.s, Root)) > 0 || next.IsZero() || DayOf(next) == DayOf(w.at) || next.Sub(w.at) > 25*time.Hour {
		t.Fatalf("held until %v, asked: %v", next, asked(w.s, Root))
	}
	w.at = next
	w.must(RenewBudgets{})
	if len(asked(w.s, Root)) != 1 {
		t.Fatal("the next day does not let it go on")
	}
}

// Whatever happens: in a held scope no model is asked anew, no agent spends more than one call
// too much, and the sums of agents, tasks and days agree, also after a restart.
func TestWhatIsHeldOwesNoModelWorkAndSumsAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limits := DefaultLimits()
		limits.Task, limits.Day = Amount{Tokens: rapid.IntRange(0, 60).Draw(t, "task")}, Amount{Cost: Money(rapid.IntRange(0, 80).Draw(t, "day"))}
		w := newWorld(t, limits)
		w.must(Send{To: Root, Text: "work"})
		w.billed(Root, Usage{Input: 1, Cost: 1}, conversation.Call{ID: "r", Name: "create_role", Arguments: `{"name":"worker","rolePrompt":"Work."}`})
		for range rapid.IntRange(5, 40).Draw(t, "steps") {
			before := map[owing]bool{}
			for _, id := range w.s.Agents() {
				for _, work := range asked(w.s, id) {
					before[owing{id, work.Item().Epoch, work.Item().Step}] = true
				}
			}
			w.spends(t)
			for _, id := range w.s.Agents() {
				by, held := w.s.HeldBy(id, w.at)
				for _, work := range asked(w.s, id) {
					if held && !before[owing{id, work.Item().Epoch, work.Item().Step}] {
						t.Fatalf("%s is held by %+v, and its model is asked: %+v", id, by, work)
					}
				}
			}
			agents, tasks, days := w.sums()
			if agents != tasks || agents != days {
				t.Fatalf("agents used %+v, tasks %+v, days %+v", agents, tasks, days)
			}
		}
	})
}

// sums adds up what was spent by agents, tasks and days.
func (w *world) sums() (agents, tasks, days Usage) {
	for _, id := range w.s.Agents() {
		agents = agents.Plus(w.s.Agent(id).Usage).Plus(w.s.Agent(id).Ended)
	}
	for _, u := range w.s.spent.tasks {
		tasks = tasks.Plus(u)
	}
	for _, u := range w.s.spent.days {
		days = days.Plus(u)
	}
	return agents, tasks, days
}

// spends does something by chance in which tokens are used or budgets change.
func (w *world) spends(t *rapid.T) {
	id := rapid.SampledFrom(w.s.Agents()).Draw(t, "agent")
	usage := Usage{Input: rapid.IntRange(0, 9).Draw(t, "in"), Output: 1, Cost: Money(rapid.IntRange(0, 9).Draw(t, "cost"))}
	_, more := w.s.HeldBy(id, w.at)
	switch rapid.IntRange(0, 9).Draw(t, "what") {
	case 0:
		_, _ = w.try(Send{To: id, Text: "go", NewTask: rapid.Bool().Draw(t, "new"), Resume: true})
	case 1:
		_, _ = w.try(Spawn{Parent: id, Role: w.s.Roles()[len(w.s.Roles())-1].ID, Text: "dig"})
	case 2:
		_, _ = w.try(SetBudget{Agent: id, Limit: Amount{Tokens: rapid.IntRange(0, 50).Draw(t, "limit")}, Alone: rapid.Bool().Draw(t, "alone")})
	case 3:
		_, _ = w.try(SetBudget{Task: w.s.Agent(id).Task, More: more, Limit: Amount{Tokens: rapid.IntRange(1, 90).Draw(t, "limit")}})
	case 4:
		w.must(CountTry{Agent: id, Task: w.s.Agent(id).Task, Usage: usage})
	case 5:
		_, _ = w.try(Interrupt{Agent: id})
		_, _ = w.try(Resume{Agent: id})
	case 6:
		if id != Root {
			_, _ = w.try(Terminate{Agent: id, By: User})
			for _, ids := range w.halts {
				w.must(Halted{Agents: ids})
			}
			w.halts = nil
		}
	case 7:
		w.s = w.again()
		w.at = w.at.Add(time.Duration(rapid.IntRange(0, 20).Draw(t, "hours")) * time.Hour)
		w.must(Restart{})
	default:
		for _, work := range w.s.OwedBy(id) {
			switch work := work.(type) {
			case Think:
				a := Answered{Work: work, Text: "done", Usage: usage}
				if rapid.Bool().Draw(t, "calls") {
					w.calls++
					a.Text, a.Calls = "", []conversation.Call{{ID: string(rune('a' + w.calls)), Name: "look", Arguments: "{}"}}
				}
				_, _ = w.try(a)
			case Act:
				_, _ = w.try(ToolDone{Work: work, Text: "seen", Outcome: conversation.OK})
			}
		}
	}
}

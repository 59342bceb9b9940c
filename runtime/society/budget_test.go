package society

import (
	"maps"
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

// modelCalls returns the model calls that are being made, while there are budgets.
func (w *world) modelCalls() map[owing]bool {
	if !w.s.hasBudgets() {
		return nil
	}
	calls := map[owing]bool{}
	for _, id := range w.s.Agents() {
		for _, work := range asked(w.s, id) {
			calls[owing{id, work.Item().Epoch, work.Item().Step}] = true
		}
	}
	return calls
}

// withinBudgets checks that a command begins no model call of an agent that a budget holds, and
// that such an agent rests: so it makes at most the one call too much that was being made.
func (w *world) withinBudgets(before map[owing]bool, cmd Command) {
	w.t.Helper()
	if before == nil || !w.s.hasBudgets() {
		return
	}
	for _, id := range w.s.Agents() {
		by, held := w.s.HeldBy(id, w.at)
		if a := w.s.Agent(id); held && a.Paused == "" && !a.Status.Ended() {
			w.t.Fatalf("after %T %s does not rest, held by %+v", cmd, id, by)
		}
		for _, work := range asked(w.s, id) {
			if held && !before[owing{id, work.Item().Epoch, work.Item().Step}] {
				w.t.Fatalf("after %T %s is held by %+v, and its model is asked: %+v", cmd, id, by, work)
			}
		}
	}
}

// Whatever happens: in a held scope no model is asked anew, and the sums of agents, tasks, days
// and models agree, also after a restart, and what budgets ask is what they hold.
func TestWhatIsHeldOwesNoModelWorkAndSumsAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		w.s.limits.Task = Amount{Tokens: rapid.IntRange(0, 60).Draw(t, "task")}
		w.s.limits.Day = Amount{Cost: Money(rapid.IntRange(0, 200).Draw(t, "day"))}
		w.must(RenewBudgets{}) // as a program does that starts with other limits
		for range rapid.IntRange(5, 40).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "money") == 0 {
				w.spends(t)
			} else {
				w.step(t)
			}
			w.sumsAgree()
			w.questionsAgree()
		}
		w.restart(false)
		w.sumsAgree()
		w.must(RenewBudgets{})
		for _, id := range w.s.Agents() {
			if _, held := w.s.HeldBy(id, w.at); !held && w.s.Agent(id).Paused == OverBudget {
				t.Fatalf("%s rests, and no budget holds it", id)
			}
		}
	})
}

// sumsAgree checks that agents, tasks, days and models have spent the same.
func (w *world) sumsAgree() {
	w.t.Helper()
	var agents, tasks, days, models Usage
	for _, id := range w.s.Agents() {
		agents = agents.Plus(w.s.Agent(id).Usage).Plus(w.s.Agent(id).Ended)
	}
	for _, u := range w.s.spent.tasks {
		tasks = tasks.Plus(u)
	}
	for _, u := range w.s.spent.days {
		days = days.Plus(u)
	}
	for _, u := range w.spent {
		models = models.Plus(u)
	}
	if agents != tasks || agents != days || agents != models || agents != w.agent(Root).total {
		w.t.Fatalf("agents used %+v, tasks %+v, days %+v, models %+v, root with all below it %+v", agents, tasks, days, models, w.agent(Root).total)
	}
}

// questionsAgree checks that the user is asked about a budget while it holds an agent.
func (w *world) questionsAgree() {
	w.t.Helper()
	budgets := w.s.Budgets(w.at)
	for _, id := range w.s.Agents() {
		by, held := w.s.HeldBy(id, w.at)
		if !held || w.s.Agent(id).Paused != OverBudget {
			continue
		}
		at := slices.IndexFunc(budgets, func(b BudgetStatus) bool { return b.BudgetScope == by.BudgetScope })
		if at < 0 || budgets[at].Holds == 0 || Questions(budgets)[by.Lead] == nil {
			w.t.Fatalf("%s is held by %+v, and the user is asked about %+v of %+v", id, by, Questions(budgets), budgets)
		}
	}
}

// spends does something by chance in which tokens are used or budgets change.
func (w *world) spends(t *rapid.T) {
	id := w.anyAgent(t)
	of := SetBudget{Agent: id}
	switch rapid.IntRange(0, 2).Draw(t, "scope") {
	case 0:
		if of = (SetBudget{Task: w.agent(id).Task}); of.Task == "" {
			of = SetBudget{Day: true}
		}
	case 1:
		of = SetBudget{Day: true}
	}
	switch rapid.IntRange(0, 7).Draw(t, "what") {
	case 0, 1:
		of.Limit, of.Alone = Amount{Tokens: rapid.IntRange(0, 90).Draw(t, "limit")}, rapid.Bool().Draw(t, "alone")
		w.attempt(of)
	case 2:
		of.Limit = Amount{Cost: Money(rapid.IntRange(0, 200).Draw(t, "limit"))}
		w.attempt(of)
	case 3:
		was, bounded := w.s.status(BudgetScope{Agent: of.Agent, Task: of.Task, Day: dayOf(of.Day, w.at)})
		of.More = true
		if _, err := w.try(of); err == nil != (bounded && w.agent(id).Status != Terminating) && of.Agent != "" {
			t.Fatalf("once more of %+v: %v", was, err)
		} else if err == nil {
			now, _ := w.s.status(was.BudgetScope)
			small := was.Limit.plus(was.Step)
			if now.Limit != small && !small.isSpent(was.Spent) || now.IsSpent() {
				t.Fatalf("once more of %+v makes %+v", was, now)
			}
		}
	case 4: // of an agent that may have ended meanwhile
		who := rapid.SampledFrom(append(slices.Collect(maps.Keys(w.s.tombs)), id)).Draw(t, "whose")
		w.must(CountTry{Agent: who, Task: w.agent(id).Task, Model: "small", Usage: rapid.SampledFrom([]Usage{{Input: 2, Output: 1, Estimated: 3}, {Input: 3, Cost: 40, Priced: 3}}).Draw(t, "usage")})
	case 5:
		w.at = w.at.Add(time.Duration(rapid.IntRange(0, 20).Draw(t, "hours")) * time.Hour)
		w.must(RenewBudgets{})
	case 6:
		w.attempt(CompressContext{Agent: id})
	case 7: // its call was still waiting when the budget was spent
		if calls := asked(w.s, id); len(calls) > 0 {
			w.must(Failed{Work: calls[0], Class: string(OverBudget), Text: "spent", Unasked: true})
		}
	}
}

func dayOf(day bool, at time.Time) string {
	if day {
		return DayOf(at)
	}
	return ""
}

package plain_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/plain"
)

// follow has plain mode do the lines of a file, and returns what it says.
func follow(t *testing.T, with func(*apitest.Society), lines ...string) (said string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = in.Close() }()
		f := newFake()
		with(f)
		paper := &paper{}
		if _, err := plain.Run(t.Context(), tui.Config{Lang: protocol.English, Society: f, Watcher: f, Input: in, Output: paper}, nil); err != nil {
			t.Error(err)
		}
		said = paper.text.String()
	})
	return said
}

// What an act has changed arrives later than its reply.
func TestALineOfAScriptSeesTheEffectOfTheOneBefore(t *testing.T) {
	t.Parallel()
	web := api.Row{ID: "web-1", Parent: society.Root, State: society.Idle, Depth: 1, Order: 1}
	said := follow(t, func(f *apitest.Society) {
		f.Put(web)
		f.Answer = func(cmd society.Command) (society.Reply, error) {
			became := web
			switch cmd.(type) {
			case society.Stop:
				became.State = society.Stopped
			case society.PauseAgent:
				became.Paused = society.AskedToPause
			}
			go func() {
				time.Sleep(300 * time.Millisecond)
				f.Put(became)
			}()
			return plainReply(cmd), nil
		}
	}, "/stop web-1", "/agents", "/resume web-1", "/agents", "/pause web-1", "/agents")
	for _, state := range []string{"web-1: stopped.", "web-1: idle.", "web-1: paused"} {
		_, after, found := strings.Cut(said, state)
		if !found {
			t.Fatalf("no %q in order in:\n%s", state, said)
		}
		said = after
	}
}

// What nobody can give once the input has ended is named, with the command that gives it.
func TestTheEndOfAScriptNamesWhatAnAgentWaitsFor(t *testing.T) {
	t.Parallel()
	for want, row := range map[string]api.Row{
		"waits for your answer, and the input has ended. It is saved: start society-tui to answer.":               {Asks: true, Question: "Which?"},
		"waits for your yes to a call, and the input has ended. It is saved: start society-tui, then /approvals.": {Approvals: 1},
		"waits because a budget is spent, and the input has ended. It is saved: start society-tui, then /budget.": {Budget: &society.BudgetStatus{}},
	} {
		row.ID, row.Parent, row.Role, row.State = society.Root, society.User, "planner", society.Idle
		said := follow(t, func(f *apitest.Society) { f.Put(row) }, "plan a walk")
		if !strings.Contains(said, "root "+want) {
			t.Errorf("no %q in:\n%s", want, said)
		}
	}
}

// So is what an act has changed that concerns no agent.
func TestALineOfAScriptSeesTheBudgetOfTheOneBefore(t *testing.T) {
	t.Parallel()
	said := follow(t, func(f *apitest.Society) {
		f.Answer = func(cmd society.Command) (society.Reply, error) {
			set, ok := cmd.(society.SetBudget)
			if !ok {
				return plainReply(cmd), nil
			}
			status := society.BudgetStatus{BudgetScope: society.BudgetScope{Day: "2026-11-30"}, Limit: set.Limit, Lead: society.Root}
			go func() {
				time.Sleep(200 * time.Millisecond)
				f.Tell(func(c *api.Changes) { c.Budgets = []society.BudgetStatus{status} })
			}()
			return society.BudgetSet{Budget: status}, nil
		}
	}, "/budget day 5", "/budget")
	if strings.Contains(said, "Nothing limits") || !strings.Contains(said, "5.00 spent") {
		t.Errorf("the budget is not there:\n%s", said)
	}
}

// The task that a budget is to be for may not have begun.
func TestABudgetOfNoTaskSaysWhatToDo(t *testing.T) {
	t.Parallel()
	said := follow(t, func(*apitest.Society) {}, "/budget task 2.50")
	if !strings.Contains(said, "There is no task yet") || !strings.Contains(said, "/budget day") {
		t.Errorf("it says:\n%s", said)
	}
}

// An act whose effect does not show holds the next line only for a while.
func TestAScriptGoesOnWithoutAnEffect(t *testing.T) {
	t.Parallel()
	said := follow(t, func(f *apitest.Society) {
		f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.Idle, Depth: 1, Order: 1})
	}, "/stop web-1", "/agents")
	if !strings.Contains(said, "web-1: idle.") {
		t.Errorf("it does not go on:\n%s", said)
	}
}

// A stop that loses nothing asks nothing: the answer that a script has ready is no request then.
func TestAnAnswerWithoutAQuestionIsNotSent(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.Idle, Depth: 1, Order: 1})
	}, func(p *person) {
		p.writes("/stop web-1", "yes", "否")
		p.hears("Nothing was asked, so “yes” was not sent. A space before it sends it as text.", "“否” was not sent")
		p.asked(society.Stop{Agent: "web-1"})
		p.writes(" yes", "no")
		p.asked(society.Send{To: society.Root, Text: " yes"}, society.Send{To: society.Root, Text: "no"})

		p.writes("/agents")
		p.f.Put(api.Row{ID: society.Root, Parent: society.User, Role: "planner", State: society.Idle, Asks: true, Question: "Shall I?"})
		p.news()
		p.writes("y")
		p.asked(society.Send{To: society.Root, Text: "y"})
	})
}

// A text behind a recipient that is not found is not for the one before.
func TestATextForNobodyIsNotSent(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"/to Nobody", "@nobody first"} {
		var sent []society.Command
		said := follow(t, func(f *apitest.Society) {
			f.Answer = func(cmd society.Command) (society.Reply, error) {
				sent = append(sent, cmd)
				return society.Sent{}, nil
			}
		}, to, "a secret", "/to root", "a question")
		if !strings.Contains(said, "“a secret” was not sent: there is no such recipient") || len(sent) != 1 {
			t.Errorf("behind %s was sent %+v, and it says:\n%s", to, sent, said)
		}
	}
}

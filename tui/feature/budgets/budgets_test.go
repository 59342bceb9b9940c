package budgets_test

import (
	"reflect"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/feature/budgets"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// task is the budget of a task, of which so much is spent.
func task(spent society.Usage) society.BudgetStatus {
	b := society.BudgetStatus{
		BudgetScope: society.BudgetScope{Task: "T1"}, Limit: society.Amount{Cost: 10 * society.Currency}, Step: society.Amount{Cost: 10 * society.Currency},
		Spent: spent, Lead: society.Root,
	}
	b.Percent = int(100 * spent.Cost / b.Limit.Cost)
	if b.IsSpent() {
		b.Holds = 2
	}
	return b
}

// withBudget runs a script on a screen that knows a budget.
func withBudget(t *testing.T, lang protocol.Lang, b society.BudgetStatus, script func(*pagetest.Screen, *apitest.Society, *action.Builder)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Put(api.Row{ID: society.Root, State: society.Idle, Paused: society.OverBudget, Task: "T1"})
		f.Tell(func(c *api.Changes) { c.Currency, c.Budgets = "€", []society.BudgetStatus{b} })
		f.Answer = func(cmd society.Command) (society.Reply, error) {
			if set, ok := cmd.(society.SetBudget); ok {
				if b.Limit = set.Limit; set.More {
					b.Limit.Cost = 20 * society.Currency
				}
				return society.BudgetSet{Budget: b, Resumed: 2}, nil
			}
			return society.StopResult{OK: true, Stopped: true}, nil
		}
		var actions *action.Builder
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature {
			d.Printer.Lang, d.Actions.Printer.Lang = lang, lang
			actions = d.Actions
			return budgets.New(d)
		})
		script(s, f, actions)
	})
}

var spent = society.Usage{Input: 900, Output: 100, Cost: 12 * society.Currency, Priced: 1000}

func did(t *testing.T, f *apitest.Society, want ...society.Command) {
	t.Helper()
	if !reflect.DeepEqual(f.Did, want) {
		t.Errorf("the society was told %+v, want %+v", f.Did, want)
	}
}

func TestASpentBudgetIsRaisedByWhatIsWritten(t *testing.T) {
	t.Parallel()
	withBudget(t, protocol.English, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
		s.Do("/budget").Shows("The budget is spent", "this task: €12.00 of €10.00 spent", "Raise…", "Once more: €10.00", "Stop root")
		s.Press("r").Shows("New limit", "The new limit counts what is spent already").Type("€15").Press("enter")
		s.Shows("this task may spend €15.00 · 2 agents go on").Hides("New limit")
		did(t, f, society.SetBudget{Task: "T1", Limit: society.Amount{Cost: 15 * society.Currency}})
	})
}

func TestASpentBudgetIsGivenOnceMoreOrItsAgentsAreStoppedByAKey(t *testing.T) {
	t.Parallel()
	withBudget(t, protocol.English, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
		s.Do("/budget").Press("m").Shows("this task may spend €20.00 · 2 agents go on")
		did(t, f, society.SetBudget{Task: "T1", More: true})
	})
	withBudget(t, protocol.English, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
		s.Do("/budget").Press("s")
		did(t, f, society.Stop{Agent: society.Root})
	})
	withBudget(t, protocol.English, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
		s.Do("/budget").Press("enter").Hides("The budget is spent") // the first choice changes nothing
		did(t, f)
	})
}

func TestTheQuestionIsAskedInChinese(t *testing.T) {
	t.Parallel()
	withBudget(t, protocol.Chinese, task(spent), func(s *pagetest.Screen, _ *apitest.Society, _ *action.Builder) {
		s.Do("/budget").Shows("预算已用完", "本任务：已用 €12.00，共 €10.00", "在你决定之前，其智能体保留消息，不再调用模型。", "提高…", "再加 €10.00", "停止 root")
		s.Press("m").Shows("本任务最多可用 €20.00", "2 个智能体继续工作")
	})
}

// Four fifths warn with what is spent, and with what has no price.
func TestABudgetThatIsNearlySpentIsToldWithItsTokensWithoutAPrice(t *testing.T) {
	t.Parallel()
	near := task(society.Usage{Input: 4000, Output: 1000, Estimated: 10, Cost: 85 * society.Currency / 10, Priced: 2000})
	for lang, want := range map[protocol.Lang]action.Notice{
		protocol.English: {Level: action.Warned, Text: "this task: ~€8.50 of €10.00 spent · 3.0k tokens have no price and are not in it", Hint: "set a budget: /budget [agent|task|day] 2.50, or 200k for tokens; 0 removes it"},
		protocol.Chinese: {Level: action.Warned, Text: "本任务：已用 ~€8.50，共 €10.00 · 其中 3.0k 词元没有价格，未计入", Hint: "设定预算：/budget [智能体|task|day] 2.50，词元则写 200k；0 表示取消"},
	} {
		withBudget(t, lang, near, func(s *pagetest.Screen, _ *apitest.Society, a *action.Builder) {
			if got := a.NewsOfBudget(&near); got != want {
				t.Errorf("at 85 %% it says %+v, want %+v", got, want)
			}
			s.Do("/budget").Shows(want.Text).Hides("Raise…", "提高…")
		})
	}
}

func TestWhatIsNoAmountIsRefused(t *testing.T) {
	t.Parallel()
	withBudget(t, protocol.English, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
		for _, text := range []string{"day -1", "day NaN", "day 1e999", "day 0.5tok"} {
			s.Do("/budget " + text).Shows("is no amount")
		}
		did(t, f)
		s.Do("/budget root 200k alone")
		did(t, f, society.SetBudget{Agent: society.Root, Limit: society.Amount{Tokens: 200_000}, Alone: true})
	})
}

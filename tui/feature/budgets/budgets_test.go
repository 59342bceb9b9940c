package budgets_test

import (
	"fmt"
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
		s.Do("/budget").Shows("The budget is spent", "This task: €12.00 of €10.00 spent", "Raise…", "Once more: €10.00", "Stop root")
		s.Press("r").Shows("New limit", "The new limit counts what is spent already. €2.50 is money").Type("€15").Press("enter")
		s.Shows("This task may spend €15.00 · 2 agents go on").Hides("New limit")
		did(t, f, society.SetBudget{Task: "T1", Limit: society.Amount{Cost: 15 * society.Currency}})
	})
}

func TestASpentBudgetIsGivenOnceMoreOrItsAgentsAreStoppedByAKey(t *testing.T) {
	t.Parallel()
	withBudget(t, protocol.English, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
		s.Do("/budget").Press("m").Shows("This task may spend €20.00 · 2 agents go on")
		did(t, f, society.SetBudget{Task: "T1", More: true})
	})
	withBudget(t, protocol.English, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
		s.Do("/budget").Press("s")
		did(t, f, society.Stop{Agent: society.Root})
	})
	withBudget(t, protocol.English, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
		s.Do("/budget").Press("enter").Shows("New limit").Press("esc").Hides("New limit") // the default changes nothing by itself
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

// Without a budget of its own nothing is lifted, and the one that holds is named.
func TestRemovingABudgetThatIsNotThereNamesWhatHolds(t *testing.T) {
	t.Parallel()
	for lang, want := range map[protocol.Lang][]string{
		protocol.English: {"Agent root and its subtree had no budget · still held by the budget of this task", "lift it: /budget task off"},
		protocol.Chinese: {"智能体 root 及其下级没有预算 · 仍受限于本任务的预算", "解除：/budget task off"},
	} {
		withBudget(t, lang, task(spent), func(s *pagetest.Screen, _ *apitest.Society, _ *action.Builder) {
			s.Do("/budget off").Shows(want...)
			s.Do("/budget task off").Hides(want...)
		})
	}
}

// Four fifths warn with what is spent, and with what has no price.
func TestABudgetThatIsNearlySpentIsToldWithItsTokensWithoutAPrice(t *testing.T) {
	t.Parallel()
	near := task(society.Usage{Input: 4000, Output: 1000, Estimated: 10, Cost: 85 * society.Currency / 10, Priced: 2000})
	for lang, want := range map[protocol.Lang]action.Notice{
		protocol.English: {Level: action.Cautioned, Text: "This task: ~€8.50 of €10.00 spent · 3.0k tokens have no price and are not in it", Hint: "set: /budget [agent|subtree|task|day] €2.50|200k|off"},
		protocol.Chinese: {Level: action.Cautioned, Text: "本任务：已用 ~€8.50，共 €10.00 · 其中 3.0k 词元没有价格，未计入", Hint: "设定：/budget [智能体|subtree|task|day] €2.50|200k|off"},
	} {
		withBudget(t, lang, near, func(s *pagetest.Screen, _ *apitest.Society, a *action.Builder) {
			if got := a.NewsOfBudget(&near); got != want {
				t.Errorf("at 85 %% it says %+v, want %+v", got, want)
			}
			s.Do("/budget").Shows(want.Text).Hides("Raise…", "提高…")
		})
	}
}

func TestABudgetIsWrittenInChinese(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]society.SetBudget{"任务": {Task: "T1"}, "今天": {Day: true}, "每日": {Day: true}} {
		withBudget(t, protocol.Chinese, task(society.Usage{}), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
			f.Put(api.Row{ID: society.Root, Task: "T1"})
			s.Do("/budget " + text + " 2.5")
			want.Limit = society.Amount{Cost: society.MoneyOf(2.5)}
			did(t, f, want)
		})
	}
}

func TestASpentBudgetIsToldInOneSentence(t *testing.T) {
	t.Parallel()
	gone := task(spent)
	for lang, want := range map[protocol.Lang]string{
		protocol.English: "Budget spent · This task: €12.00 of €10.00 spent",
		protocol.Chinese: "预算已用完 · 本任务：已用 €12.00，共 €10.00",
	} {
		withBudget(t, lang, gone, func(_ *pagetest.Screen, _ *apitest.Society, a *action.Builder) {
			if got := a.NewsOfBudget(&gone).Text; got != want {
				t.Errorf("it says %q, want %q", got, want)
			}
		})
	}
}

func TestABudgetOfWhichNothingHasAPriceTellsNoAmount(t *testing.T) {
	t.Parallel()
	withBudget(t, protocol.English, task(society.Usage{Input: 4000}), func(s *pagetest.Screen, _ *apitest.Society, _ *action.Builder) {
		s.Do("/budget").Shows("This task: – of €10.00 spent · 4.0k tokens have no price").Hides("€0.00")
	})
	withBudget(t, protocol.English, task(society.Usage{}), func(s *pagetest.Screen, _ *apitest.Society, _ *action.Builder) {
		s.Do("/budget").Shows("This task: €0.00 of €10.00 spent")
	})
}

func TestWhatIsNoAmountIsRefused(t *testing.T) {
	t.Parallel()
	withBudget(t, protocol.English, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
		for _, text := range []string{"day -1", "day NaN", "day 1e999", "day 0.5tok", "task 1,000", "task 1,000.50", "task 200,000k", "$2,500"} {
			s.Do("/budget " + text).Shows("is no amount")
		}
		did(t, f)
		s.Do("/budget root 200k alone")
		did(t, f, society.SetBudget{Agent: society.Root, Limit: society.Amount{Tokens: 200_000}, Alone: true})
	})
}

func TestAmountsInChineseUnits(t *testing.T) {
	t.Parallel()
	withBudget(t, protocol.Chinese, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
		f.Tell(func(c *api.Changes) { c.Currency = "¥" })
		s.Hear()
		for text, want := range map[string]society.SetBudget{
			"任务 5万":       {Task: "T1", Limit: society.Amount{Tokens: 50_000}},
			"每天 1.5亿词元":   {Day: true, Limit: society.Amount{Tokens: 150_000_000}},
			"每天 2千元":      {Day: true, Limit: society.Amount{Cost: society.MoneyOf(2000)}},
			"任务 ￥２０":      {Task: "T1", Limit: society.Amount{Cost: society.MoneyOf(20)}},
			"任务 不限":       {Task: "T1"},
			"智能体 root 5万": {Agent: society.Root, Alone: true, Limit: society.Amount{Tokens: 50_000}},
		} {
			f.Did = nil
			s.Do("/budget " + text)
			did(t, f, want)
		}
	})
}

// An amount may name its currency, if it is that of the settings.
func TestAmountsNameTheirCurrency(t *testing.T) {
	t.Parallel()
	spelt := map[string][]string{
		"€": {"€20", "20€", "20 EUR", "eur 20", "20 euros", "20欧元", "€ 20 EUR"},
		"$": {"$20", "20 USD", "US$20", "usd 20", "20美元", "20dollars", "$0.02k"},
		"¥": {"20元", "¥20", "￥20", "50 CNY", "20 RMB", "20块", "20块钱", "人民币20元", "rmb 20"},
	}
	refused := map[protocol.Lang][]string{
		protocol.English: {"%q is in another currency; amounts are in %s", "/settings currency changes that for the next start"},
		protocol.Chinese: {"%q 是另一种货币；金额以 %s 计", "可用 /settings currency 更改，下次启动生效"},
	}
	for lang, said := range refused {
		for sign, own := range spelt {
			withBudget(t, lang, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
				f.Tell(func(c *api.Changes) { c.Currency = sign })
				s.Hear()
				for _, text := range own {
					f.Did = nil
					amount := society.MoneyOf(20)
					if text == "50 CNY" {
						amount = society.MoneyOf(50)
					}
					s.Do("/budget task " + text)
					did(t, f, society.SetBudget{Task: "T1", Limit: society.Amount{Cost: amount}})
					f.Did = nil
					s.Do("/budget " + text) // of the recipient
					did(t, f, society.SetBudget{Agent: society.Root, Limit: society.Amount{Cost: amount}})
				}
				f.Did = nil
				for other, texts := range spelt {
					for _, text := range texts {
						if other != sign {
							s.Do("/budget task "+text).Shows(fmt.Sprintf(said[0], text, sign), said[1])
							s.Do("/budget "+text).Shows(fmt.Sprintf(said[0], text, sign), said[1])
						}
					}
				}
				s.Do("/budget task " + sign + "200tok").Do("/budget task " + sign)
				did(t, f)
			})
		}
	}
}

// The limit is written in the dialog as it is behind the command.
func TestTheDialogReadsAmountsInTheCurrencyOfTheSettings(t *testing.T) {
	t.Parallel()
	withBudget(t, protocol.Chinese, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
		f.Tell(func(c *api.Changes) { c.Currency = "¥" })
		s.Hear()
		s.Do("/budget").Press("r").Shows("¥2.50 为金额").Type("20美元").Press("enter").Shows("金额以 ¥ 计")
		s.Do("/budget").Press("r").Type("20元").Press("enter")
		did(t, f, society.SetBudget{Task: "T1", Limit: society.Amount{Cost: 20 * society.Currency}})
	})
}

func TestAWordThatNamesNothingIsRefusedWithTheNearestAndHowToWriteIt(t *testing.T) {
	t.Parallel()
	for lang, said := range map[protocol.Lang][]string{
		protocol.English: {`"%s": did you mean %s?`, "%q is no agent, task or day", "set: /budget [agent|subtree|task|day] €2.50|200k|off"},
		protocol.Chinese: {`"%s"：你是否指 %s？`, "%q 不是智能体、任务或今天", "设定：/budget [智能体|subtree|task|day] €2.50|200k|off"},
	} {
		withBudget(t, lang, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
			for word, meant := range map[string]string{"taks": "task", "dya": "day", "roott": "root", "subtre": "subtree", "mroe": "more"} {
				s.Do("/budget "+word+" 3").Shows(fmt.Sprintf(said[0], word, meant), said[2])
			}
			s.Do("/budget zebra 3").Shows(fmt.Sprintf(said[1], "zebra"), said[2])
			did(t, f)
		})
	}
}

func TestAmountsAreReadWithAComma(t *testing.T) {
	t.Parallel()
	withBudget(t, protocol.English, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
		s.Do("/budget task 22,50").Shows("This task may spend €22.50")
		s.Do("/budget subtree 2,5k").Do("/budget agent 7,5").Do("/budget agent root 7").Do("/budget day €3")
		did(t, f,
			society.SetBudget{Task: "T1", Limit: society.Amount{Cost: society.MoneyOf(22.5)}},
			society.SetBudget{Agent: society.Root, Limit: society.Amount{Tokens: 2500}},
			society.SetBudget{Agent: society.Root, Limit: society.Amount{Cost: society.MoneyOf(7.5)}, Alone: true},
			society.SetBudget{Agent: society.Root, Limit: society.Amount{Cost: society.MoneyOf(7)}, Alone: true},
			society.SetBudget{Day: true, Limit: society.Amount{Cost: society.MoneyOf(3)}})
	})
}

// Root thinks with a model without a price, web-1 with one whose price is in the settings, web-2
// with one in dollars.
func TestABudgetOfMoneyNamesTheModelsWhoseTokensHaveNoPrice(t *testing.T) {
	t.Parallel()
	rows := func(f *apitest.Society) {
		f.Holds.Models = []api.Model{{Name: "free"}, {Name: "dear", Price: &api.Price{Input: 1}, PriceFrom: api.Known{Source: api.KnownFromSetting}}, {Name: "listed", Price: &api.Price{Input: 1}, PriceFrom: api.Known{Source: api.KnownFromCatalogue}}}
		f.Put(api.Row{ID: society.Root, State: society.Idle, Paused: society.OverBudget, Task: "T1", Model: "free"})
		f.Put(api.Row{ID: "web-1", Parent: society.Root, Task: "T2", Model: "dear"})
		f.Put(api.Row{ID: "web-2", Parent: society.Root, Task: "T2", Model: "listed"})
	}
	for lang, said := range map[protocol.Lang]map[string][]string{
		protocol.English: {
			"task 20":  {"This task may spend €20.00", "no price for free: not counted", "limit tokens: /budget task 200k, or set a price in the settings"},
			"day 20":   {"no price for free, listed: not counted", "/budget day 200k"},
			"root 20":  {"no price for free, listed: not counted", "/budget root 200k"},
			"agent 20": {"no price for free: not counted", "/budget root 200k"},
		},
		protocol.Chinese: {"task 20": {"本任务最多可用 €20.00", "free 没有价格，不计入", "限制词元：/budget task 200k，或在设置中写明 price"}},
	} {
		withBudget(t, lang, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
			rows(f)
			s.Hear()
			for text, want := range said {
				s.Do("/budget " + text).Shows(want...)
			}
			s.Do("/budget web-1 20").Hides("no price", "没有价格")
			s.Do("/budget task 200k").Hides("no price", "没有价格")
		})
	}
}

// An endpoint that tells what its answers cost needs no price.
func TestTokensWhoseCostTheEndpointTellsCount(t *testing.T) {
	t.Parallel()
	withBudget(t, protocol.English, task(spent), func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
		f.Holds.Models = []api.Model{{Name: "free"}}
		f.Put(api.Row{ID: society.Root, Task: "T1", Model: "free", Usage: spent})
		s.Hear().Do("/budget task 20").Shows("This task may spend €20.00").Hides("no price")
	})
}

// A budget of money of a model that costs nothing, in whatever currency, says so when it is set and
// where it is shown.
func TestABudgetOfMoneyOfWhatCostsNothingDoesNotPretend(t *testing.T) {
	t.Parallel()
	free := task(society.Usage{Input: 4000, Priced: 4000, OldPrice: 4000, Estimated: 10})
	for lang, want := range map[protocol.Lang][]string{
		protocol.English: {"no cost for free: not limited", "limit tokens: /budget task 200k", "This task: €0.00 of €10.00 spent · its tokens cost nothing"},
		protocol.Chinese: {"free 不另收费，不受此限", "限制词元：/budget task 200k", "本任务：已用 €0.00，共 €10.00 · 其词元不另收费"},
	} {
		withBudget(t, lang, free, func(s *pagetest.Screen, f *apitest.Society, _ *action.Builder) {
			f.Holds.Models = []api.Model{{Name: "free", Price: &api.Price{Included: true}, PriceFrom: api.Known{Source: api.KnownFromEndpoint}}}
			f.Put(api.Row{ID: society.Root, Task: "T1", Model: "free", Usage: free.Spent})
			s.Hear().Do("/budget").Shows(want[2]).Hides("~")
			s.Do("/budget task 20").Shows(want[:2]...).Hides("no price")
			s.Do("/budget task 200k").Hides(want[0])
		})
	}
}

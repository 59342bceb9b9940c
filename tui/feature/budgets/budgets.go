// Package budgets shows and sets what agents may spend, and asks what is to be done when that is
// spent.
package budgets

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
)

var (
	textTitle    = i18n.Text{EN: "The budget is spent", ZH: "预算已用完"}
	textHeld     = i18n.Text{EN: "Its agents keep their messages and ask no model until you decide.", ZH: "在你决定之前，其智能体保留消息，不再调用模型。"}
	textHow      = i18n.Text{EN: "The new limit counts what is spent already. %s is money, 200k are tokens, 0 is no limit.", ZH: "新的额度包括已花费的部分。%s 为金额，200k 为词元数，0 表示不限。"}
	textAmount   = i18n.Text{EN: "New limit", ZH: "新额度"}
	textRaiseNow = i18n.Text{EN: "Raise", ZH: "提高"}
	textRaise    = i18n.Text{EN: "Raise…", ZH: "提高…"}
	textOnceMore = i18n.Text{EN: "Once more: %s", ZH: "再加 %s"}
	textStop     = i18n.Text{EN: "Stop %s", ZH: "停止 %s"}
)

// Feature is the question about spent budgets and the command that sets them.
type Feature struct{ *page.Deps }

// New returns the feature.
func New(deps *page.Deps) *Feature { return &Feature{deps} }

func (f *Feature) env() agentcommand.Env {
	return agentcommand.Env{
		Actions: f.Actions,
		Targets: func() []society.AgentID { return f.Screen.Targets() },
		Open:    func() society.AgentID { return f.Screen.Recipient() },
	}
}

// Commands returns the commands of the feature.
func (f *Feature) Commands() []*command.Command {
	c := f.env().Budget()
	c.Run = f.run
	return []*command.Command{c}
}

// run sets a written budget; without one it asks about a spent budget, or lists all.
func (f *Feature) run(in command.Input) tea.Cmd {
	if in.Text == "" {
		for _, b := range f.Replica.Budgets() {
			if b.IsSpent() {
				return f.ask(b)
			}
		}
	}
	o := f.env().SetBudget(in)
	if !o.Refused.Empty() && in.Text != "" {
		in.Refuse()
	}
	return f.Screen.Act(o)
}

// ask asks what is to be done about a spent budget.
func (f *Feature) ask(b society.BudgetStatus) tea.Cmd {
	return f.Screen.Ask(page.Question{
		Kind: "budget " + b.Name(), Title: f.Text(textTitle), Selected: 1,
		Body: dialog.Text(f.Actions.AboutBudget(&b), f.Text(textHeld)),
		Choices: []page.Choice{
			{Label: f.Text(page.TextCancel)},
			{Label: f.Text(textRaise), Keys: []string{"r"}, Run: func() tea.Cmd { return f.raise(b) }},
			{Label: f.Text(textOnceMore, f.Actions.SayAmount(b.Step)), Keys: []string{"m"}, Run: func() tea.Cmd {
				return f.Screen.Act(f.Actions.SetBudget(commandFor(b.BudgetScope)))
			}},
			{Label: f.Text(textStop, f.Replica.Name(b.Lead)), Keys: []string{"s"}, Run: func() tea.Cmd {
				return f.Screen.Act(f.Actions.Make(action.Stop, []society.AgentID{b.Lead}))
			}},
		},
	})
}

// raise asks for the new amount of a budget.
func (f *Feature) raise(b society.BudgetStatus) tea.Cmd {
	const longest = 30
	return f.Screen.Ask(page.Question{
		Kind: "budget " + b.Name(), Title: f.Text(textTitle), Body: dialog.Text(f.Actions.AboutBudget(&b), f.Text(textHow, f.Actions.SampleAmount())),
		Line: &dialog.Field{Label: f.Text(textAmount), Most: longest},
		Choices: []page.Choice{{Label: f.Text(page.TextCancel)}, {Label: f.Text(textRaiseNow), Write: func(text string) tea.Cmd {
			amount, ok := f.Actions.ReadAmount(text)
			if !ok {
				return f.Screen.Notify(f.Actions.NoAmount(text))
			}
			cmd := commandFor(b.BudgetScope)
			cmd.More, cmd.Limit, cmd.Alone = false, amount, b.Alone
			return f.Screen.Act(f.Actions.SetBudget(cmd))
		}}},
	})
}

// commandFor returns the command that adds to a budget.
func commandFor(of society.BudgetScope) society.SetBudget {
	return society.SetBudget{Agent: of.Agent, Task: of.Task, Day: of.Day != "", More: true}
}

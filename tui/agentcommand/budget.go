package agentcommand

import (
	"cmp"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
)

// Words of /budget.
const (
	budgetTask    = "task"
	budgetDay     = "day"
	budgetAgent   = "agent"
	budgetSubtree = "subtree"
	budgetMore    = "more"
	budgetStop    = "stop"
	budgetAlone   = "alone"
)

// chineseScopes are words of /budget in Chinese.
var chineseScopes = map[string]string{"任务": budgetTask, "本任务": budgetTask, "今天": budgetDay, "今日": budgetDay, "每日": budgetDay, "每天": budgetDay, "智能体": budgetAgent, "下级": budgetSubtree}

// Budget is the command that shows or sets what agents may spend. The frontend sets its Run.
func (e Env) Budget() *command.Command {
	return &command.Command{
		Slash: "/budget", Group: command.GroupAgents, Title: i18n.Text{EN: "Budgets: what agents may spend", ZH: "预算：智能体最多可花费多少"}, Changes: true,
		Args: []command.Arg{
			{Label: i18n.Text{EN: "[agent|subtree|task|day]", ZH: "[智能体|subtree|task|day]"}, Complete: e.budgetScopes},
			{Label: i18n.Text{EN: "[amount|more|stop]", ZH: "[额度|more|stop]"}},
		},
		Also: i18n.Text{EN: "limit money tokens raise cap", ZH: "预算 限额 词元 提高 上限 额度 费用"},
	}
}

// budgetScopes are the completions of what a budget is for: an agent, or the words for more.
func (e Env) budgetScopes(text string) []command.Candidate {
	help := map[string]i18n.Text{budgetTask: {EN: "the task in work", ZH: "当前任务"}, budgetDay: {EN: "everything, each day", ZH: "每天的全部花费"}}
	words := command.Word(func(word string) string { return e.Actions.Printer.T(help[word]) }, budgetTask, budgetDay)
	return append(e.agent().Complete(text), words.Complete(text)...)
}

// SetBudget is the action of a written /budget with an amount; without one it is refused with
// the budgets in force.
func (e Env) SetBudget(in command.Input) action.Action {
	fields := strings.Fields(in.Text)
	if len(fields) == 0 {
		return action.Action{Refused: e.Actions.Budgets()}
	}
	cmd, lead, fields, wrong := e.budgetScope(fields)
	if !wrong.Empty() {
		return action.Action{Refused: wrong}
	}
	if n := len(fields); n > 0 && fields[n-1] == budgetAlone && cmd.Agent != "" {
		cmd.Alone, fields = true, fields[:n-1]
	}
	switch rest := strings.Join(fields, " "); rest {
	case "":
		return action.Action{Refused: e.Actions.Budgets()}
	case budgetMore:
		cmd.More = true
	case budgetStop:
		return e.Actions.Make(action.Stop, []society.AgentID{lead})
	default:
		amount, ok := e.Actions.ReadAmount(rest)
		if !ok {
			return action.Action{Refused: e.Actions.NoAmount(rest)}
		}
		cmd.Limit = amount
	}
	return e.Actions.SetBudget(cmd)
}

// budgetScope reads what a written /budget is for, by default the recipient with its subtree.
// lead is the agent to stop; rest is what follows.
func (e Env) budgetScope(fields []string) (cmd society.SetBudget, lead society.AgentID, rest []string, wrong action.Notice) {
	cmd, lead, rest = society.SetBudget{Agent: e.recipient()}, e.recipient(), fields[1:]
	named := func(word string) bool {
		id, ok := e.Actions.Named(word)
		if ok = ok && id != society.User; ok {
			cmd.Agent, lead = id, id
		}
		return ok
	}
	first := fields[0]
	if _, named := e.Actions.Named(first); !named {
		first = cmp.Or(chineseScopes[first], first)
	}
	switch {
	case first == budgetDay:
		cmd, lead = society.SetBudget{Day: true}, society.Root
	case first == budgetTask:
		row, _ := e.Actions.Society.Row(lead)
		cmd = society.SetBudget{Task: row.Task}
		for _, b := range e.Actions.Society.Budgets() { // the one that asks comes first
			if b.Task != "" && b.IsSpent() {
				cmd.Task, lead = b.Task, b.Lead
			}
		}
		if cmd.Task == "" && len(rest) > 0 { // else the budgets are listed
			wrong = e.Actions.NoTaskYet()
		}
	case named(first):
	case first == budgetAgent || first == budgetSubtree:
		cmd.Alone = first == budgetAgent
		if len(rest) > 0 && named(rest[0]) {
			rest = rest[1:]
		}
	case first == budgetMore || first == budgetStop || first == budgetAlone || e.Actions.IsLikeAmount(first):
		rest = fields
	default:
		wrong = e.Actions.NoBudgetScope(first, []string{budgetTask, budgetDay, budgetAgent, budgetSubtree, budgetMore, budgetStop, budgetAlone})
	}
	return cmd, lead, rest, wrong
}

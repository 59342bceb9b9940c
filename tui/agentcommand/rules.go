package agentcommand

import (
	"strings"

	"society-tui/runtime/approval"
	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/command"
)

// ruleRemove is the word of /rule that removes a rule.
const ruleRemove = "remove"

// Tools is the command that shows which tools agents have and the rules of their calls.
// The frontend sets its Run.
func (e Env) Tools() *command.Command {
	return &command.Command{
		ID: "tools", Slash: "/tools", Group: command.GroupAgents, Title: i18n.Text{EN: "Tools and rules", ZH: "工具和规则"},
		Also: i18n.Text{EN: "groups permissions functions allow deny", ZH: "工具组 权限 函数 允许 拒绝"},
	}
}

// Rule is the command that adds or removes a rule.
func (e Env) Rule() *command.Command {
	words := []string{ruleRemove}
	for _, v := range approval.Verdicts() {
		words = append(words, string(v))
	}
	return &command.Command{
		Slash: "/rule", Group: command.GroupAgents, Changes: true, NeedsArgs: true, Title: i18n.Text{EN: "Add or remove a rule for calls of tools", ZH: "添加或删除工具调用规则"},
		Also: i18n.Text{EN: "permission allow deny ask", ZH: "权限 允许 拒绝 询问"},
		Args: []command.Arg{command.Word(e.aboutRule, words...), {
			Label:   i18n.Text{EN: "tool [path|words|= words|host] [role|agent|under name] [outside] [why text]", ZH: "工具 [路径|词|= 词|主机] [role|agent|under 名称] [outside] [why 原因]"},
			Missing: i18n.Text{EN: "%s needs a rule, for example: allow edit docs/**", ZH: "%s 需要一条规则，例如：allow edit docs/**"},
		}},
		Act: func(in command.Input) action.Action {
			if in.Has(ruleRemove) {
				ids, rest := numbers(strings.TrimPrefix(in.Text, "#"))
				if len(ids) != 1 || rest != "" {
					return action.Action{Refused: e.Actions.WhichRule()}
				}
				return e.Actions.RemoveRule(ids[0])
			}
			rule, wrong := e.Actions.ReadRule(strings.Join(append(in.Words, in.Text), " "))
			if !wrong.Empty() {
				return action.Action{Refused: wrong}
			}
			return e.Actions.AddRule(rule)
		},
	}
}

// aboutRule explains the first word of /rule.
func (e Env) aboutRule(word string) string {
	return e.Actions.Printer.T(map[string]i18n.Text{
		ruleRemove:             {EN: "by its number", ZH: "按编号删除"},
		string(approval.Allow): {EN: "such calls are made without asking", ZH: "此类调用无需询问"},
		string(approval.Ask):   {EN: "such calls are always asked for", ZH: "此类调用总是询问"},
		string(approval.Deny):  {EN: "such calls are never made", ZH: "此类调用一律拒绝"},
	}[word])
}

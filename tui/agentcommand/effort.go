package agentcommand

import (
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
)

// effort is the command that says how much the models of a role think.
func (e Env) effort() *command.Command {
	return &command.Command{
		Slash: "/effort", Group: command.GroupRoles, Changes: true, Title: i18n.Text{EN: "How much the model thinks", ZH: "思考强度"},
		Also: i18n.Text{EN: "reasoning thinking level", ZH: "推理 力度 努力 深度"},
		Args: []command.Arg{command.Word(e.aboutEffort, society.Efforts()...), {Label: i18n.Text{EN: "[role|model]", ZH: "[角色|模型]"}}},
		Act: func(in command.Input) action.Action {
			level := ""
			if len(in.Words) > 0 {
				level = in.Words[0]
			}
			return e.Actions.SetEffort(e.recipient(), level, in.Text)
		},
	}
}

// aboutEffort explains the levels that are none.
func (e Env) aboutEffort(word string) string {
	return e.Actions.Printer.T(map[string]i18n.Text{
		society.EffortUnset: {EN: "as the model's settings say", ZH: "按模型的设置"},
		"none":              {EN: "answer without thinking", ZH: "不思考直接回答"},
	}[word])
}

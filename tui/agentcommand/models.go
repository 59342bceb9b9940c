package agentcommand

import (
	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/command"
)

// UpdateModels is the argument of [Env.Models] with which endpoints are asked again.
const UpdateModels = "update"

// Models is the command that lists the models, or asks their endpoints what these can do. The
// frontend sets its Run.
func (e Env) Models() *command.Command {
	return &command.Command{
		Slash: "/models", Group: command.GroupRoles, Title: i18n.Text{EN: "Models", ZH: "模型"},
		Also: i18n.Text{EN: "provider key api endpoint openai llm price window", ZH: "提供商 密钥 接口 价格 窗口"},
		Args: []command.Arg{command.Rarely(command.OneOf(UpdateModels))},
	}
}

// model is the command that gives a single agent another model than its role has.
func (e Env) model() *command.Command {
	names := command.Name(func() []string { return append(e.Actions.ModelNames(), action.ModelOfRole) }, e.aboutModel)
	names.Label = i18n.Text{EN: "name", ZH: "名称"}
	return &command.Command{
		Slash: "/model", Group: command.GroupRoles, Changes: true, Title: i18n.Text{EN: "Model of this agent alone", ZH: "仅此智能体的模型"},
		Also: i18n.Text{EN: "switch choose own", ZH: "切换 选择 单独"}, Args: []command.Arg{names}, NeedsArgs: true,
		Act: func(in command.Input) action.Action { return e.Actions.AssignModel(e.recipient(), in.Text) },
	}
}

// aboutModel explains the word that is no model.
func (e Env) aboutModel(word string) string {
	if word != action.ModelOfRole {
		return ""
	}
	return e.Actions.Printer.T(i18n.Text{EN: "as its role has it", ZH: "按它的角色"})
}

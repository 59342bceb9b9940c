package agentcommand

import (
	"society-tui/runtime/i18n"
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
		Args: []command.Arg{command.OneOf(UpdateModels)},
	}
}

package agentcommand

import (
	"society-tui/runtime/i18n"
	"society-tui/tui/command"
)

// Servers is the command that lists the MCP servers, shows one, or starts, stops or restarts
// it. The frontend sets its Run; the text is read by
// action.ServerOf.
func (e Env) Servers() *command.Command {
	return &command.Command{
		ID: "servers", Slash: "/mcp", Group: command.GroupAgents, Title: i18n.Text{EN: "MCP servers and their tools", ZH: "MCP 服务器及其工具"},
		Also: i18n.Text{EN: "model context protocol start stop restart", ZH: "模型上下文协议 启动 停止 重启"},
		Args: []command.Arg{{Label: i18n.Text{EN: "[server] [start|stop|restart]", ZH: "[服务器] [start|stop|restart]"}, Rare: true}},
	}
}

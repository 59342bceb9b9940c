package agentcommand

import (
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/tui/command"
)

// Servers is the command that lists the MCP servers, shows one, or starts, stops or restarts
// it. The frontend sets its Run; the text is read by ServerOf.
func (e Env) Servers() *command.Command {
	return &command.Command{
		Slash: "/mcp", Group: command.GroupAgents, Title: i18n.Text{EN: "MCP servers and their tools", ZH: "MCP 服务器及其工具"},
		Also: i18n.Text{EN: "model context protocol start stop restart", ZH: "模型上下文协议 启动 停止 重启"},
		Args: []command.Arg{{Label: i18n.Text{EN: "[server] [start|stop|restart]", ZH: "[服务器] [start|stop|restart]"}}},
	}
}

// ServerOf reads the text of a written command: a server, and what to do to it, "" to show
// it. ok is false if that is not known.
func ServerOf(text string) (server string, to api.ServerSwitch, ok bool) {
	server, rest, _ := strings.Cut(text, " ")
	to = api.ServerSwitch(strings.TrimSpace(rest))
	return server, to, to == "" || slices.Contains(api.Switches(), to)
}

// CompleteServers completes the text of a written command with the names of servers, and
// what can be done to them.
func (e Env) CompleteServers(servers []api.Server, text string) (found []command.Candidate) {
	for i := range servers {
		s := &servers[i]
		if strings.HasPrefix(s.Name, text) {
			found = append(found, command.Candidate{Text: s.Name, Help: e.Actions.AboutServer(s)})
		}
		for _, to := range api.Switches() {
			if written := s.Name + " " + string(to); strings.HasPrefix(text, s.Name+" ") && strings.HasPrefix(written, text) {
				found = append(found, command.Candidate{Text: written})
			}
		}
	}
	return found
}

package agentcommand

import (
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/tui/command"
)

// Processes is the command that lists the background processes of agents, or ends one. The
// frontend sets its Run; the text is read by ProcessOf.
func (e Env) Processes() *command.Command {
	return &command.Command{
		Slash: "/processes", Group: command.GroupAgents, Title: i18n.Text{EN: "Background processes of agents", ZH: "智能体的后台进程"},
		Also: i18n.Text{EN: "commands running end kill ps", ZH: "命令 运行 结束"},
		Args: []command.Arg{{Label: i18n.Text{EN: "[end [agent] process]", ZH: "[end [智能体] 进程]"}, Rare: true}},
	}
}

// ProcessOf reads the text of a written command: the process to end, "" to list them.
func ProcessOf(text string) (end string) {
	text = strings.TrimSpace(text)
	if first, rest, found := strings.Cut(text, " "); found && first == "end" {
		return strings.TrimSpace(rest)
	}
	return text
}

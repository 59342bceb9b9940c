package agentcommand

import (
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/tui/command"
)

// Worktrees is the command that lists the git worktrees of agents, shows or drops one, or
// writes what was changed in one to a file. The frontend sets its Run; the text is read by
// WorktreeOf.
func (e Env) Worktrees() *command.Command {
	return &command.Command{
		Slash: "/worktrees", Group: command.GroupAgents, Title: i18n.Text{EN: "Git worktrees of agents", ZH: "智能体的 git 工作树"},
		Also: i18n.Text{EN: "isolate branch merge patch drop", ZH: "隔离 分支 合并 补丁 丢弃"},
		Args: []command.Arg{{Label: i18n.Text{EN: "[[drop] agent] [> file]", ZH: "[[drop] 智能体] [> 文件]"}, Rare: true}},
	}
}

// WorktreeOf reads the text of a written command: a worktree, whether to drop it, and the
// file behind >.
func WorktreeOf(text string) (worktree string, drop bool, file string) {
	worktree, file, _ = strings.Cut(text, ">")
	worktree, file = strings.TrimSpace(worktree), strings.TrimSpace(file)
	if first, rest, found := strings.Cut(worktree, " "); found && first == "drop" {
		return strings.TrimSpace(rest), true, file
	}
	return worktree, false, file
}

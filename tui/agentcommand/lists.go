package agentcommand

import (
	"society-tui/runtime/i18n"
	"society-tui/tui/command"
)

// The following commands open a list or a report, which each frontend shows in its own way. It
// sets their Run.

// Find is the command that searches conversations for a text.
func Find() *command.Command {
	return &command.Command{
		ID: "search", Slash: "/find", Aliases: []string{"/search"}, Group: command.GroupConversation, Title: i18n.Text{EN: "Search the conversation", ZH: "搜索对话"},
		Also: i18n.Text{EN: "find grep look", ZH: "搜索 查找 寻找 检索 找"}, Args: []command.Arg{command.Text()},
	}
}

// Roles is the command that lists the roles.
func Roles() *command.Command {
	return &command.Command{
		ID: "roles", Slash: "/roles", Group: command.GroupRoles, Title: i18n.Text{EN: "Roles", ZH: "角色"},
		Also: i18n.Text{EN: "prompts persona system", ZH: "提示词 人设 岗位"},
	}
}

// Spawn is the command that creates an agent below the recipient, from its role and its task.
func Spawn() *command.Command {
	return &command.Command{
		Slash: "/spawn", Group: command.GroupAgents, Title: i18n.Text{EN: "Create an agent below this one", ZH: "创建下级智能体"}, NeedsArgs: true, Changes: true,
		Args: []command.Arg{{Label: i18n.Text{EN: "role [text]", ZH: "角色 [文字]"}}},
		Also: i18n.Text{EN: "add agent spawn new make", ZH: "新建 添加 派生 增加"},
	}
}

// NoGraph is the argument of /graph for a role without a graph.
const NoGraph = "none"

// Graph is the command that chooses the graph of a role.
func Graph() *command.Command {
	return &command.Command{
		ID: "graph", Slash: "/graph", Group: command.GroupRoles, Title: i18n.Text{EN: "Choose the role's graph…", ZH: "选择角色的图…"}, Changes: true,
		Also: i18n.Text{EN: "workflow steps flow", ZH: "流程 步骤 工作流"},
	}
}

// Template is the command that lists the templates, or adds a team from one.
func Template() *command.Command {
	return &command.Command{
		Slash: "/template", Group: command.GroupTasks, Changes: true, Title: i18n.Text{EN: "Add a team from a template", ZH: "从模板添加团队"},
		Args: []command.Arg{{Label: i18n.Text{EN: "[name]", ZH: "[名称]"}}}, Also: i18n.Text{EN: "preset example crew", ZH: "示例 预设 模版"},
	}
}

// Sessions is the command that lists the sessions.
func Sessions() *command.Command {
	return &command.Command{
		ID: "sessions", Slash: "/sessions", Group: command.GroupSessions, Title: i18n.Text{EN: "Sessions", ZH: "会话"},
		Also: i18n.Text{EN: "history past projects societies switch open", ZH: "历史 过去 项目 切换"},
	}
}

// Stats is the command that reports the size and the usage of the society.
func Stats() *command.Command {
	return &command.Command{
		Slash: "/stats", Aliases: []string{"/cost", "/costs", "/usage"}, Group: command.GroupSessions, Title: i18n.Text{EN: "Statistics", ZH: "统计"},
		Also: i18n.Text{EN: "spend spending spent cost money price usage budget bill tokens", ZH: "花费 费用 成本 价格 用量 钱 词元"},
	}
}

// AllRuns is the argument of /log for the lines of all runs.
const AllRuns = "all"

// Log is the command that shows the end of the log.
func Log() *command.Command {
	return &command.Command{
		Slash: "/log", Group: command.GroupProgram, Title: i18n.Text{EN: "Log", ZH: "日志"}, Args: []command.Arg{command.Rarely(command.OneOf(AllRuns))},
		Also: i18n.Text{EN: "errors debug trace", ZH: "错误 调试 记录"},
	}
}

// Settings is the command that lists the settings, and changes them.
func Settings() *command.Command {
	return &command.Command{
		Slash: "/settings", Aliases: []string{"/config"}, Group: command.GroupProgram, Title: i18n.Text{EN: "Settings", ZH: "设置"},
		Also: i18n.Text{EN: "lang language chinese english locale sound bell notifications notify currency options preferences configuration", ZH: "语言 中文 英文 声音 铃声 通知 货币 人民币 选项 偏好 配置"},
	}
}

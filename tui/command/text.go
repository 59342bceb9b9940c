package command

import "society-tui/runtime/i18n"

var (
	// TextUnknown is the notice about a command that does not exist.
	TextUnknown      = i18n.Text{EN: "Unknown command %s", ZH: "未知命令 %s"}
	textHintMeant    = i18n.Text{EN: "did you mean %s? A space before the / sends it as text", ZH: "你是否指 %s？在 / 前加空格则作为文字发送"}
	textHintList     = i18n.Text{EN: "/ lists all commands; a space before it sends it as text", ZH: "输入 / 列出全部命令；在 / 前加空格则作为文字发送"}
	textHintHelp     = i18n.Text{EN: "/help lists all there are here, others need the screen; a space before the / sends it as text", ZH: "/help 列出这里可用的命令，其他命令需要全屏界面；在 / 前加空格则作为文字发送"}
	textTakesNothing = i18n.Text{EN: "%s takes no text", ZH: "%s 后面不能带文字"}
	textTakes        = i18n.Text{EN: "%s takes one of: %s", ZH: "%s 后可写：%s"}
)

// Titles of movements and the like, which each pane has its own commands for.
var (
	TitleUp       = i18n.Text{EN: "Up", ZH: "向上"}
	TitleDown     = i18n.Text{EN: "Down", ZH: "向下"}
	TitlePageUp   = i18n.Text{EN: "Page up", ZH: "上一页"}
	TitlePageDown = i18n.Text{EN: "Page down", ZH: "下一页"}
	TitleFirst    = i18n.Text{EN: "First", ZH: "第一个"}
	TitleLast     = i18n.Text{EN: "Last", ZH: "最后一个"}
	TitleTalk     = i18n.Text{EN: "Write to the agent", ZH: "给该智能体写消息"}
	HintTalk      = i18n.Text{EN: "talk", ZH: "交谈"}
	TitleMark     = i18n.Text{EN: "Mark the agent", ZH: "标记智能体"}
	TitleHalfUp   = i18n.Text{EN: "Half a page up", ZH: "上半页"}
	TitleHalfDown = i18n.Text{EN: "Half a page down", ZH: "下半页"}
	TitleFilter   = i18n.Text{EN: "Filter agents: text !text s:error role:x >5m", ZH: "筛选智能体：文字 !文字 s:error role:x >5m"}
	HintFilter    = i18n.Text{EN: "filter", ZH: "筛选"}
	TitleShow     = i18n.Text{EN: "Show all agents, problems, or running ones", ZH: "显示全部、有问题或运行中的智能体"}
	TitleNewline  = i18n.Text{EN: "New line", ZH: "换行"}
	TitleRestore  = i18n.Text{EN: "Restore cleared text", ZH: "恢复清空的文字"}
)

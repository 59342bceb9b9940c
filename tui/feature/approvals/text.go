package approvals

import "society-tui/runtime/i18n"

var (
	textTitle     = i18n.Text{EN: "Calls that need your yes", ZH: "等你同意的调用"}
	textTitleOne  = i18n.Text{EN: "%s asks to %s (request %d)", ZH: "%s 请求 %s（编号 %d）"}
	textTitleRun  = i18n.Text{EN: "%s asks to run a command (request %d)", ZH: "%s 请求运行命令（编号 %d）"}
	textTitleUse  = i18n.Text{EN: "%s asks to use %s (request %d)", ZH: "%s 请求使用 %s（编号 %d）"}
	textNoRequest = i18n.Text{EN: "No request %s waits", ZH: "没有编号为 %s 的请求在等待"}
	textReading   = i18n.Text{EN: "The request is still being read", ZH: "仍在读取该请求"}
	textCut       = i18n.Text{EN: "There is more than can be shown.", ZH: "还有更多内容无法显示。"}

	textStillWaits = i18n.Text{EN: "The request still waits", ZH: "该请求仍在等待"}
	textHintShows  = i18n.Text{EN: "{approvals} shows it", ZH: "{approvals} 查看"}

	// Answers.
	textLater   = i18n.Text{EN: "Later", ZH: "稍后"}
	textOnce    = i18n.Text{EN: "Allow once", ZH: "允许一次"}
	textInTask  = i18n.Text{EN: "For this task", ZH: "本任务内"}
	textTask    = i18n.Text{EN: "for this task: the same agent may repeat the same call until /new or an undo", ZH: "本任务内：在 /new 或撤销本任务的改动之前，同一智能体可以重复相同的调用"}
	textDeny    = i18n.Text{EN: "Deny…", ZH: "拒绝…"}
	textRule    = i18n.Text{EN: "Rule…", ZH: "规则…"}
	textAll     = i18n.Text{EN: "List all", ZH: "列出全部"}
	textBack    = i18n.Text{EN: "Back", ZH: "返回"}
	textDenyNow = i18n.Text{EN: "Deny", ZH: "拒绝"}

	textDenyTitle = i18n.Plural{One: "Deny %d call?", Other: "Deny %d calls?", ZH: "拒绝 %d 次调用？"}
	textDenyBody  = i18n.Text{EN: "The model is told the reason and goes on without the call.", ZH: "模型会得知原因，并在没有此调用的情况下继续。"}
	textReason    = i18n.Text{EN: "Reason (may be empty):", ZH: "原因（可为空）："}

	textRuleTitle     = i18n.Text{EN: "Allow from now on?", ZH: "从现在起允许？"}
	textRuleBody      = i18n.Text{EN: "A rule answers what waits, and what is asked later. Protected paths are still asked.", ZH: "规则会答复正在等待的请求和以后的请求。受保护的路径仍会询问。"}
	textWhichCommands = i18n.Text{EN: "Which commands?", ZH: "哪些命令？"}
	textLaterWords    = i18n.Text{EN: "Later words may be anything, also options: git diff --output=F writes F.", ZH: "后面的词可以是任何内容，包括选项：git diff --output=F 会写入 F。"}
	textExactly       = i18n.Text{EN: "Exactly this", ZH: "仅此命令"}
	textBeginning     = i18n.Text{EN: "All that begin so", ZH: "所有以此开头的"}
	textOfAgent       = i18n.Text{EN: "Agent", ZH: "智能体"}
	textOfRole        = i18n.Text{EN: "Role", ZH: "角色"}
	textOfSubtree     = i18n.Text{EN: "Subtree", ZH: "下级"}
	textOfSociety     = i18n.Text{EN: "Society", ZH: "整个团队"}

	// Modes.
	textModes    = i18n.Text{EN: "Mode of the society", ZH: "整个团队的模式"}
	textChooses  = i18n.Text{EN: "choose", ZH: "选用"}
	textCurrent  = i18n.Text{EN: "current", ZH: "当前"}
	textUnsets   = i18n.Text{EN: "enter takes it away; set one: /mode MODE role NAME, /mode MODE agent NAME", ZH: "enter 取消；设置：/mode 模式 role 名称，/mode 模式 agent 名称"}
	textAllTitle = i18n.Text{EN: "Let agents do everything without asking?", ZH: "让智能体做一切都不询问？"}
	textAllBody  = i18n.Text{EN: "They change and delete files of the workspace and ask other computers. Only changes of protected paths are asked.", ZH: "它们会更改和删除工作区的文件，并访问其他计算机。只有更改受保护的路径才会询问。"}
	textTypeYes  = i18n.Text{EN: "Type yes:", ZH: "输入“是”："}
	textAllYes   = i18n.Text{EN: "Allow everything", ZH: "全部允许"}
	textNotSet   = i18n.Text{EN: "The mode was not changed", ZH: "模式没有更改"}
)

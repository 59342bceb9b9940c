package inspector

import (
	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
)

var (
	textTitle = i18n.Text{EN: "Inspector", ZH: "详情"}
	// Titles of the other tabs.
	textBrief    = i18n.Text{EN: "Brief", ZH: "任务说明"}
	textPrompt   = i18n.Text{EN: "System prompt", ZH: "系统提示词"}
	textContacts = i18n.Text{EN: "Contacts", ZH: "联系人"}
	textGraph    = i18n.Text{EN: "Graph", ZH: "图与路径"}
	textTools    = i18n.Text{EN: "Tools", ZH: "工具"}
	// Labels of an agent's facts.
	textState  = i18n.Text{EN: "state", ZH: "状态"}
	textTask   = i18n.Text{EN: "task", ZH: "任务"}
	textRole   = i18n.Text{EN: "role", ZH: "角色"}
	textParent = i18n.Text{EN: "parent", ZH: "上级"}
	textEffort = i18n.Text{EN: "effort %s", ZH: "思考强度 %s"}
	textModel  = i18n.Text{EN: "model", ZH: "模型"}
	// windowFrom says where the window is known from. What is set needs no word.
	windowFrom = map[api.KnownFrom]i18n.Text{
		api.KnownFromEndpoint:  {EN: "by endpoint", ZH: "据端点"},
		api.KnownFromCatalogue: {EN: "by catalogue", ZH: "据目录"},
		api.KnownFromError:     {EN: "by error", ZH: "据错误"},
	}

	textContext = i18n.Text{EN: "ctx", ZH: "上下文"}
	textTokens  = i18n.Text{EN: "tokens", ZH: "词元"}
	textTree    = i18n.Text{EN: "tree", ZH: "含下级"}
	textMailbox = i18n.Text{EN: "mailbox", ZH: "消息"}
	// textKids counts children and descendants.
	textKids = i18n.Text{EN: "children %d (%s)", ZH: "下级 %d（共 %s）"}
	// textRound is the current round of at most so many.
	textRound = i18n.Text{EN: "round %d/%d", ZH: "第 %d/%d 轮"}
	// textAll follows the key that shows a cut text.
	textAll = i18n.Text{EN: "all", ZH: "全文"}
	// textMessages counts the messages in the context.
	textMessages = i18n.Plural{One: "%d message", Other: "%d messages", ZH: "%d 条消息"}
	textSpent    = i18n.Text{EN: "in %s  out %s", ZH: "输入 %s  输出 %s"}
	textDelayed  = i18n.Text{EN: "%d delayed", ZH: "%d 条延迟"}
	textNoTask   = i18n.Text{EN: "none", ZH: "没有任务"}
	textEvents   = i18n.Text{EN: "Events", ZH: "事件"}
	textNothing  = i18n.Text{EN: "No events yet", ZH: "还没有事件"}
	// Events.
	textSpawned  = i18n.Text{EN: "spawned", ZH: "已创建"}
	textFallback = i18n.Text{EN: "another model is asked", ZH: "改用备用模型"}
	textTold     = i18n.Text{EN: "told you", ZH: "发给了你"}
	textRetrying = i18n.Text{EN: "retry", ZH: "重试"}
	textRetryIn  = i18n.Text{EN: "in %s: %s", ZH: "%s 后：%s"}
	textNthRetry = i18n.Text{EN: "%s in %s: %s", ZH: "第 %s 次，%s 后：%s"}
	textPaused   = i18n.Text{EN: "paused", ZH: "已暂停"}
	textResumed  = i18n.Text{EN: "resumed", ZH: "已恢复"}
	// textAllowedAgain tells that no budget holds an agent any more; the others name a budget.
	textAllowedAgain = i18n.Text{EN: "goes on: its budget allows it", ZH: "预算允许，继续工作"}
	textBudgetSet    = i18n.Text{EN: "budget changed (%s)", ZH: "预算已更改（%s）"}
	textBudgetNear   = i18n.Text{EN: "budget nearly spent (%s)", ZH: "预算将用完（%s）"}
	textBudgetSpent  = i18n.Text{EN: "budget spent (%s)", ZH: "预算已用完（%s）"}
	textOfTask       = i18n.Text{EN: "task", ZH: "任务"}
	textOfDay        = i18n.Text{EN: "day", ZH: "当天"}
	textTerminated   = i18n.Text{EN: "terminated", ZH: "已终止"}
	textDrained      = i18n.Text{EN: "told to finish", ZH: "收到收尾指令"}
	textCompressed   = i18n.Text{EN: "context compressed", ZH: "上下文已压缩"}
	textRewound      = i18n.Text{EN: "went back, %s set aside", ZH: "已回退，搁置 %s 条"}
	textForked       = i18n.Text{EN: "copied from %s", ZH: "复制自 %s"}
	textKept         = i18n.Text{EN: "artifact %s", ZH: "产出 %s"}
	// textLaterDropped precedes the due time of a delayed message, textUndelivered
	textAllowed   = i18n.Text{EN: "allowed", ZH: "已允许"}
	textDenied    = i18n.Text{EN: "denied", ZH: "已拒绝"}
	textWithdrawn = i18n.Text{EN: "no longer asks", ZH: "不再请求"}
	// follows it.
	textLaterDropped = i18n.Text{EN: "delayed dropped", ZH: "延迟消息已丢弃"}
	textUndelivered  = i18n.Text{EN: "delayed refused", ZH: "延迟消息未送达"}
	// Parts of a brief.
	textObjective     = i18n.Text{EN: "objective", ZH: "目标"}
	textConstraints   = i18n.Text{EN: "constraints", ZH: "约束"}
	textInputs        = i18n.Text{EN: "inputs", ZH: "输入"}
	textOutputs       = i18n.Text{EN: "outputs", ZH: "输出"}
	textCriteria      = i18n.Text{EN: "completion criteria", ZH: "完成标准"}
	textCollaborators = i18n.Text{EN: "contacts", ZH: "联系人"}
	textReferences    = i18n.Text{EN: "references", ZH: "参考"}
	textPriority      = i18n.Text{EN: "priority", ZH: "优先级"}
	textNoContacts    = i18n.Text{EN: "No contacts yet", ZH: "还没有联系人"}
	// How an agent came to know another.
	textAbove          = i18n.Text{EN: "parent", ZH: "上级"}
	textBelow          = i18n.Text{EN: "child", ZH: "下级"}
	textInBrief        = i18n.Text{EN: "in its brief", ZH: "任务说明中指定"}
	textIntroduced     = i18n.Text{EN: "introduced by %s", ZH: "由 %s 引荐"}
	textWroteFirst     = i18n.Text{EN: "wrote first", ZH: "首次来信"}
	textFromBeginning  = i18n.Text{EN: "from the start", ZH: "一开始就有"}
	textInterface      = i18n.Text{EN: "interface", ZH: "接口"}
	textIntroducerSays = i18n.Text{EN: "introducer says", ZH: "引荐者说明"}
	textMayUse         = i18n.Text{EN: "May use (%d)", ZH: "可用工具（%d）"}
	textNoTools        = i18n.Text{EN: "No tools", ZH: "没有工具"}
	// What a tool does.
	textOnlyReads      = i18n.Text{EN: "only reads", ZH: "只读取"}
	textWrites         = i18n.Text{EN: "makes changes", ZH: "会更改内容"}
	textCommits        = i18n.Text{EN: "makes changes that cannot be undone", ZH: "会更改内容，且无法撤销"}
	textProcesses      = i18n.Text{EN: "Background processes (%d)", ZH: "后台进程（%d）"}
	textProcessesHint  = i18n.Text{EN: "/processes to end one", ZH: "/processes 结束进程"}
	textProcessSince   = i18n.Text{EN: "since %s", ZH: "始于 %s"}
	textProcessOutside = i18n.Text{EN: "outside the sandbox", ZH: "在沙箱之外"}
	textCalls          = i18n.Text{EN: "Calls", ZH: "调用"}
	textNoCalls        = i18n.Text{EN: "No calls yet", ZH: "还没有调用"}
	textCallsNewest    = i18n.Text{EN: "Calls, newest first (%d)", ZH: "调用，最新的在前（%d）"}
	// How a call ended.
	textNoResult      = i18n.Text{EN: "no result yet", ZH: "还没有结果"}
	textCallFailed    = i18n.Text{EN: "failed", ZH: "失败"}
	textCallSkipped   = i18n.Text{EN: "skipped after an interrupt", ZH: "已跳过：被打断"}
	textCallAborted   = i18n.Text{EN: "cancelled; may have taken effect", ZH: "已取消，可能已生效"}
	textCallNotRun    = i18n.Text{EN: "not run", ZH: "未执行"}
	textCallUnknown   = i18n.Text{EN: "may have taken effect: the program restarted", ZH: "可能已生效：程序已重启"}
	textArtifacts     = i18n.Text{EN: "Artifacts of its task (%d)", ZH: "所属任务的产出（%d）"}
	textArtifactsHint = i18n.Text{EN: "{artifacts} to open or export", ZH: "{artifacts} 打开或导出"}
	// textTodo counts what is done of an agent's list, and all of it.
	textTodo       = i18n.Text{EN: "to do (%d/%d)", ZH: "待办（%d/%d）"}
	textNoBrief    = i18n.Text{EN: "No brief; it takes requests from you.", ZH: "没有任务说明；它直接听从你。"}
	textLoading    = i18n.Text{EN: "reading…", ZH: "读取中…"}
	textFailed     = i18n.Text{EN: "Cannot read: ", ZH: "无法读取："}
	textTokened    = i18n.Text{EN: "~%s tok", ZH: "约 %s 词元"}
	textDrainEnded = i18n.Text{EN: "ended %d, cut %d", ZH: "结束 %d，丢弃 %d"}
)

// undelivered explains why a delayed message was refused.
var undelivered = map[society.Code]i18n.Text{
	society.AgentNotFound:    {EN: "its recipient no longer exists", ZH: "收件人已不存在"},
	society.AgentStopped:     {EN: "its recipient is stopped", ZH: "收件人已停止"},
	society.InvalidRecipient: {EN: "it cannot be sent to its recipient", ZH: "不能发给收件人"},
	society.MailboxFull:      {EN: "its recipient has too many messages", ZH: "收件人的消息太多"},
}

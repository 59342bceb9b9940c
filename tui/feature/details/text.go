package details

import "society-tui/runtime/i18n"

var (
	messageFrom = i18n.Text{EN: "Message from %s", ZH: "来自 %s 的消息"}
	callOf      = i18n.Text{EN: "Call of %s", ZH: "调用 %s"}
	agentTitle  = i18n.Text{EN: "Details of %s", ZH: "%s 的详情"}
	unended     = i18n.Text{EN: "This message is still being written", ZH: "这条消息仍在书写中"}
	noMessage   = i18n.Text{EN: "No message here", ZH: "这里没有消息"}
	stored      = i18n.Text{EN: "Stored record", ZH: "存储的记录"}
	storedCut   = i18n.Text{EN: "Only the first %s of %s; an export has all of it", ZH: "只显示前 %s，共 %s；导出中有全部"}
)

// Labels of a message's facts.
var (
	id      = i18n.Text{EN: "id", ZH: "编号"}
	from    = i18n.Text{EN: "from", ZH: "发自"}
	to      = i18n.Text{EN: "to", ZH: "发给"}
	typ     = i18n.Text{EN: "type", ZH: "类型"}
	task    = i18n.Text{EN: "task", ZH: "任务"}
	number  = i18n.Text{EN: "number", ZH: "序号"}
	at      = i18n.Text{EN: "at", ZH: "时间"}
	due     = i18n.Text{EN: "arrives at", ZH: "送达时间"}
	tokens  = i18n.Text{EN: "tokens", ZH: "词元"}
	took    = i18n.Text{EN: "took", ZH: "用时"}
	model   = i18n.Text{EN: "model", ZH: "模型"}
	node    = i18n.Text{EN: "node", ZH: "节点"}
	branch  = i18n.Text{EN: "branch", ZH: "分支"}
	outcome = i18n.Text{EN: "outcome", ZH: "结果"}
	cause   = i18n.Text{EN: "cause", ZH: "原因"}
	kind    = i18n.Text{EN: "kind", ZH: "种类"}
)

// Labels of an agent's facts.
var (
	role      = i18n.Text{EN: "role", ZH: "角色"}
	parent    = i18n.Text{EN: "parent", ZH: "上级"}
	state     = i18n.Text{EN: "state", ZH: "状态"}
	since     = i18n.Text{EN: "since", ZH: "自"}
	effort    = i18n.Text{EN: "effort %s", ZH: "思考强度 %s"}
	asks      = i18n.Text{EN: "asks", ZH: "提问"}
	reply     = i18n.Text{EN: "reply %d", ZH: "快捷回复 %d"}
	retry     = i18n.Text{EN: "retry", ZH: "重试"}
	retryOf   = i18n.Text{EN: "%d of %d, because of %s, at %s", ZH: "第 %d 次，共 %d 次：%s；时间 %s"}
	paused    = i18n.Text{EN: "paused", ZH: "已暂停"}
	taskTitle = i18n.Text{EN: "Task", ZH: "任务"}
	contacts  = i18n.Text{EN: "Contacts", ZH: "联系人"}
)

// Failures and remedies.
var (
	errorTitle = i18n.Text{EN: "Error", ZH: "错误"}
	whatToDo   = i18n.Text{EN: "What to do", ZH: "怎么办"}
	howAgain   = i18n.Text{
		EN: "{verbs.resume} tries again; so does a message to it.",
		ZH: "{verbs.resume} 重试；给它写一条消息也会让它继续。",
	}
	other = i18n.Text{EN: "Read the error; the conversation shows what came before.", ZH: "请阅读错误；对话中有之前发生的事。"}
)

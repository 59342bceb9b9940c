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

// remedies are the remedies by class of failure.
var remedies = map[string]i18n.Text{
	"auth":     {EN: "The key was rejected. Check the environment variable that is set for this model, then restart.", ZH: "密钥被拒绝。请检查为该模型设置的环境变量，然后重新启动。"},
	"quota":    {EN: "No credit is left. Top up, or choose another model for the role ({roles}).", ZH: "没有可用的额度了。请充值，或为其角色选择另一个模型（{roles}）。"},
	"rate":     {EN: "Too many requests. Try again later, or allow fewer calls at once in the settings.", ZH: "请求过多。请稍后再试，或在设置中减少同时调用的数量。"},
	"overload": {EN: "The endpoint did not answer in full. This usually passes; check the network and the address.", ZH: "模型服务没有完整回答。通常稍后会好；请检查网络和地址。"},
	"empty":    {EN: "The model returned nothing. Try again, or ask in other words.", ZH: "模型没有返回任何内容。请重试，或换一种说法。"},
	"context":  {EN: "The conversation is longer than the model's window, even compressed. Give the work to a new agent, or choose a model with a larger window ({roles}).", ZH: "对话超出了模型的窗口，压缩后仍然如此。请把工作交给新的智能体，或选择窗口更大的模型（{roles}）。"},
	"request":  {EN: "The endpoint rejected the request. Check the model's name and settings.", ZH: "模型服务拒绝了请求。请检查模型的名称和设置。"},
	"not_chat": {EN: "The address is no chat endpoint. Check base_url.", ZH: "该地址不是聊天接口。请检查 base_url。"},
	"no_model": {EN: "The model is not set up. Choose another one for the role ({roles}).", ZH: "所需的模型没有设置。请为其角色选择另一个（{roles}）。"},
	"store":    {EN: "The stored data cannot be read. Check the disk; society-tui check says what is wrong.", ZH: "无法读取存储的数据。请检查磁盘；society-tui check 会说明问题。"},
}

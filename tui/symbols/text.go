package symbols

import (
	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
)

var (
	TextYou         = i18n.Text{EN: "you", ZH: "你"}
	TextComma       = i18n.Text{EN: ", ", ZH: "，"}
	TextColon       = i18n.Text{EN: ": ", ZH: "："}
	TextListComma   = i18n.Text{EN: ", ", ZH: "、"} // between the items of a list
	TextAside       = i18n.Text{EN: " (%s)", ZH: "（%s）"}
	textThinking    = i18n.Text{EN: "thinking", ZH: "思考中"}
	textCompressing = i18n.Text{EN: "compressing its context", ZH: "压缩上下文中"}
	// textWorking is for a tool without a name.
	textWorking  = i18n.Text{EN: "working", ZH: "执行中"}
	TextRetry    = i18n.Text{EN: "retry %d/%d", ZH: "重试 %d/%d"}
	textWaitsFor = i18n.Text{EN: "waiting for %s", ZH: "等待 %s"}
	// textWaitsUntil names a model, a time of day and a reason.
	textWaitsUntil = i18n.Text{EN: "waits for %s until %s (%s)", ZH: "等待 %s 至 %s（%s）"}
	textRateLimit  = i18n.Text{EN: "rate limit", ZH: "速率限制"}
	textOwnLimit   = i18n.Text{EN: "its limit per minute", ZH: "每分钟上限"}
	textWaitsSlot  = i18n.Text{EN: "queued for the model", ZH: "排队等待模型"}
	// textJudging and textJoining name a node of the graph.
	textJudging    = i18n.Text{EN: "judging: %s", ZH: "判断中：%s"}
	textJoining    = i18n.Text{EN: "joining: %s", ZH: "合并中：%s"}
	textPausing    = i18n.Text{EN: "pausing…", ZH: "正在暂停…"}
	textOverBudget = i18n.Text{EN: "budget spent", ZH: "预算已用完"}
	textAsksBudget = i18n.Text{EN: "budget spent: /budget %s", ZH: "预算已用完：/budget %s"}
	TextPaused     = i18n.Text{EN: "paused: %s", ZH: "已暂停：%s"}
	// Reasons for a pause.
	TextInterrupted = i18n.Text{EN: "interrupted", ZH: "已中断"}
	textAsked       = i18n.Text{EN: "as asked", ZH: "按要求"}
	textQuarantined = i18n.Text{EN: "quarantined", ZH: "已隔离"}
	textGuard       = i18n.Text{EN: "message limit reached", ZH: "消息数已达上限"}
	TextAsks        = i18n.Text{EN: "asks you", ZH: "等你回答"}
	textAsksTo      = i18n.Text{EN: "asks to %s", ZH: "请求 %s"}
	textAsksCommand = i18n.Text{EN: "asks to run a command", ZH: "请求运行命令"}
	textAsksRun     = i18n.Text{EN: "asks to run %s", ZH: "请求运行 %s"}
	textIdle        = i18n.Text{EN: "idle", ZH: "空闲"}
	textReported    = i18n.Text{EN: "reported", ZH: "已汇报"}
	TextFailed      = i18n.Text{EN: "error", ZH: "出错"}
	textStopping    = i18n.Text{EN: "stopping…", ZH: "正在停止…"}
	TextStopped     = i18n.Text{EN: "stopped", ZH: "已停止"}
	// textDraining counts the messages to read before termination.
	textDraining    = i18n.Text{EN: "draining %d", ZH: "收尾中 %d"}
	textTerminating = i18n.Text{EN: "terminating…", ZH: "正在终止…"}
	textTaskOpen    = i18n.Text{EN: "at work", ZH: "进行中"}
	textTaskSettled = i18n.Text{EN: "done", ZH: "已完成"}
	// TextUnread counts an agent's unread messages.
	TextUnread = i18n.Text{EN: "%d unread", ZH: "%d 条未读"}
)

var textOffline = i18n.Text{EN: offline, ZH: "离线演示模型"}

// knownTexts name the sources of what is known of models.
var knownTexts = map[api.KnownFrom]i18n.Text{
	api.KnownFromSetting:   {EN: "settings", ZH: "设置"},
	api.KnownFromEndpoint:  {EN: "endpoint", ZH: "端点"},
	api.KnownFromCatalogue: {EN: "catalogue", ZH: "目录"},
	api.KnownFromError:     {EN: "an error", ZH: "一次报错"},
}

var meanings = [kinds]i18n.Text{
	Thinking:    {EN: "thinking: the model is answering; shows the task, if there is one", ZH: "思考中：模型正在作答；有任务时显示任务"},
	Tool:        {EN: "name of a tool: that tool is running", ZH: "工具名称：正在执行此工具"},
	Slot:        {EN: "queued for the model: too many agents are asking it at once", ZH: "排队等待模型：同时请求模型的智能体已满额"},
	Retry:       {EN: "retry n/m: the model did not answer and is asked again; waits for a model: its endpoint takes no more requests until then", ZH: "重试 n/m：模型没有应答，稍后再请求；等待某个模型：其端点在该时间之前不接受更多请求"},
	Waits:       {EN: "waiting for the named agents to answer", ZH: "等待所列智能体的回答"},
	Pausing:     {EN: "pausing…: pauses after the current step", ZH: "正在暂停…：完成当前步骤后暂停"},
	Paused:      {EN: "paused: and why; a message or resume lets it continue", ZH: "已暂停：及其原因；写消息或恢复后继续"},
	Asks:        {EN: "asks you: needs your answer; asks to use a tool: needs your yes", ZH: "等你回答：需要你的答复；请求使用工具：需要你的同意"},
	Stopping:    {EN: "stopping…: its work is being cancelled", ZH: "正在停止…：正在取消它的工作"},
	Stopped:     {EN: "stopped: takes no messages until it is resumed", ZH: "已停止：恢复之前不接收消息"},
	Draining:    {EN: "draining n: handles its last n messages, then ends", ZH: "收尾中 n：处理完 n 条消息后结束"},
	Terminating: {EN: "terminating…: is being removed for good", ZH: "正在终止…：即将永久结束"},
	Failed:      {EN: "text of an error: its last turn failed; you can retry it", ZH: "错误内容：上一轮失败，可以重试"},
	Reported:    {EN: "reported: has given its result; idle once you have read it to the end", ZH: "已汇报：已给出结果；你读到末尾后变为空闲"},
	Idle:        {EN: "idle: has nothing to do", ZH: "空闲：无事可做"},
}

// words are the kinds where the detail stands elsewhere. A detail that adds nothing is the same text.
var words = [kinds]i18n.Text{
	Thinking: textThinking, Pausing: textPausing, Asks: TextAsks, Stopping: textStopping, Stopped: TextStopped,
	Terminating: textTerminating, Reported: textReported, Idle: textIdle,
	Tool:     {EN: "tool", ZH: "工具"},
	Slot:     {EN: "queued", ZH: "排队"},
	Retry:    {EN: "retry", ZH: "重试"},
	Waits:    {EN: "waiting", ZH: "等待"},
	Paused:   {EN: "paused", ZH: "已暂停"},
	Draining: {EN: "draining", ZH: "收尾中"},
	Failed:   {EN: "failed", ZH: "出错"},
}

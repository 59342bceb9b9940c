package words

import "society-tui/runtime/protocol"

// Details are the words of what is shown in full of a message, of an agent, and of
// what the screen has said.
type Details struct {
	Message string // %s: the title, from whom
	Call    string // %s: the title of a call of this tool
	Agent   string // %s: the title, of whom
	Notices string // the title of what was said in the row of messages
	Times   string // behind what was said %s times
	Nothing string // nothing was said there
	Unended string // the message under the cursor is still being written
	NoItem  string // there is no message

	// The names of what is shown of a message.
	ID, From, To, Type, Task, Number, At, Due, Tokens, Took, Model, Node, Branch, Outcome, Cause, Kind string
	// Raw is the heading of the record as it is stored; RawCut says, of %s of %s, that
	// only the beginning is shown.
	Raw, RawCut string

	// The names of what is shown of an agent, beside those of the inspector.
	State, Since, Error, Asks, Replies, Retry, Paused string
	RetrySays                                         string // %d of %d, %s: why, %s: when
	WhatToDo                                          string
	// What to do about a failure, by its class; Other for any other.
	Auth, Quota, Rate, Overload, Empty, Context, Request, NotChat, NoModel, Store, Other string
	HowAgain                                                                             string // %s: the key that tries again
}

// ForDetails returns the words in lang; English for a language it does not know.
func ForDetails(lang protocol.Lang) Details {
	if lang == protocol.Chinese {
		return Details{
			Message: "来自 %s 的消息", Call: "调用 %s", Agent: "%s 的全部状态", Notices: "消息行说过的内容，最新的在前", Times: "（%s 次）",
			Nothing: "还没有说过什么", Unended: "这条消息还在书写中", NoItem: "这里没有消息",
			ID: "编号", From: "发自", To: "发给", Type: "类型", Task: "任务", Number: "序号", At: "时间", Due: "送达时间", Tokens: "词元",
			Took: "用时", Model: "模型", Node: "节点", Branch: "分支", Outcome: "结果", Cause: "原因", Kind: "种类",
			Raw: "所存的记录", RawCut: "只显示前 %s，共 %s；导出中有全部",
			State: "状态", Since: "自", Error: "错误", Asks: "提问", Replies: "快捷回复", Retry: "重试", Paused: "已暂停",
			RetrySays: "第 %d 次，共 %d 次：%s；时间 %s", WhatToDo: "怎么办",
			Auth:     "密钥不被接受：请检查为该模型设置的环境变量，然后重新启动。",
			Quota:    "没有可用的额度了：请充值，或为其角色选择另一个模型（alt+r）。",
			Rate:     "请求过多：请稍后再试，或在设置中减少同时调用的数量。",
			Overload: "模型服务没有完整回答：通常稍后会好；请检查网络和地址。",
			Empty:    "模型没有给出任何内容：再试一次，或换一种说法。",
			Context:  "对话超出了模型的窗口，压缩后仍然如此：请把工作交给新的智能体，或选择窗口更大的模型（alt+r）。",
			Request:  "模型服务不接受该请求：请检查模型的名称和设置。",
			NotChat:  "该地址没有回答聊天请求：请检查 base_url。",
			NoModel:  "没有设置所需的模型：请为其角色选择另一个（alt+r）。",
			Store:    "无法读取所存内容：请查看磁盘；society-tui check 会检查它。",
			Other:    "请阅读错误；它的对话中有之前发生的事。",
			HowAgain: "%s 重试；给它写一条消息也会让它继续。",
		}
	}
	return Details{
		Message: "Message of %s", Call: "Call of %s", Agent: "%s, in full", Notices: "What the row of messages said, the newest first", Times: " (%s times)",
		Nothing: "nothing yet", Unended: "this message is still being written", NoItem: "there is no message here",
		ID: "id", From: "from", To: "to", Type: "type", Task: "task", Number: "number", At: "at", Due: "comes at", Tokens: "tokens",
		Took: "took", Model: "model", Node: "node", Branch: "branch", Outcome: "outcome", Cause: "cause", Kind: "kind",
		Raw: "The record as it is stored", RawCut: "only the first %s of %s are shown; an export has all of it",
		State: "state", Since: "since", Error: "error", Asks: "asks", Replies: "replies", Retry: "retry", Paused: "paused",
		RetrySays: "%d of %d, because of %s, at %s", WhatToDo: "What to do",
		Auth:     "The key is not accepted: look at the environment variable that is set for this model, and start again.",
		Quota:    "There is nothing left to spend: top it up, or choose another model for its role (alt+r).",
		Rate:     "There were too many requests: try again later, or let fewer calls run at once in the settings.",
		Overload: "The endpoint did not answer in full. That mostly passes; look at the network and the address.",
		Empty:    "The model said nothing: try again, or ask in other words.",
		Context:  "The conversation is longer than the model's window even when it is compressed: give the work to a new agent, or choose a model with a larger window (alt+r).",
		Request:  "The endpoint does not accept the request: look at the name of the model and its settings.",
		NotChat:  "What answers there is no chat endpoint: look at base_url.",
		NoModel:  "The model that it asks for is not set up: choose another one for its role (alt+r).",
		Store:    "What is stored cannot be read: look at the disk; society-tui check says what is wrong.",
		Other:    "Read the error; its conversation has what came before.",
		HowAgain: "%s tries again; so does a message to it.",
	}
}

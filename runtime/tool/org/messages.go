package org

import (
	"time"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// MostDelay limits how long a message can be delayed.
const MostDelay = 7 * 24 * time.Hour

func (w words) sendMessage() tool.Spec {
	return spec(SendMessage, w.say(
		"Send a message to agents or to the user. The sender is filled in for you. Your plain text at the end of a turn is sent to who asked you, so do not send the same with this tool. An answer comes later as a message.",
		"向其他智能体或用户发送消息。发送者由系统填写。你在一轮结束时的文本会自动送达向你提出请求的一方，不要再用此工具重复发送。回复稍后会以消息形式送达。",
	), tool.ClassOwn,
		tool.Must("to", tool.Texts(w.say(
			"Agent ids, or \"user\". Everybody in the list gets the same message.",
			"智能体 ID 或 \"user\"。列表中的各方都会收到同一消息。",
		))),
		tool.May("message_type", tool.OneOf(w.say(
			"What the message is for. Default: general.",
			"消息的用途。默认为 general。",
		), protocol.MessageTypes()...)),
		tool.Must("payload", w.payload()),
		tool.May("quickReplies", tool.Texts(w.say(
			"Short answers the user can choose from with one key. Only to \"user\", with a question.",
			"供用户一键选择的简短答复。仅在向 user 提问时使用。",
		))),
		tool.May("delayMs", tool.Whole(w.say(
			"Send it only after so many milliseconds; 0 is at once, the most is 604800000 (7 days). It is dropped if you or the recipient are stopped before.",
			"延迟多少毫秒后再发送；0 表示立即发送，最多 604800000（7 天）。在此之前若你或收件人被停止，消息将被丢弃。",
		))),
	)
}

// payload describes the fields of all types of messages in one schema.
func (w words) payload() tool.Schema {
	return tool.Object(
		w.say(
			`What you say. status_report, collaboration_request, collaboration_response and general need text; what else you have to tell may stand beside it in fields of your own. In your first message to an agent say who you are, what you do and why you write.`,
			`消息内容。status_report、collaboration_request、collaboration_response 和 general 须填写 text，其他信息可另用自定字段附上。首次联系某个智能体时，请说明你是谁、你的职责和来信原因。`,
		),
		tool.May("text", tool.Text(w.say("The text of the message.", "消息正文。"))),
		tool.May("taskBrief", w.taskBrief(w.say("task_assignment needs it: the whole task.", "task_assignment 必填：完整的任务说明。"))),
		tool.May("reason", tool.Text(w.say("introduction_request needs it: why you look for somebody.", "introduction_request 必填：寻找联系人的原因。"))),
		tool.May("required_capability", tool.Text(w.say("introduction_request needs it: what the agent must be able to do.", "introduction_request 必填：所需智能体应具备的能力。"))),
		tool.May("target", tool.Object(
			w.say("introduction_response needs it: the agent you introduce.", "introduction_response 必填：你介绍的智能体。"),
			tool.Must("id", tool.Text(w.say("Its id.", "智能体 ID。"))),
			tool.Must("role", tool.Text(w.say("Its role.", "其角色。"))),
			tool.May("interfaceSpec", w.interfaceSpec(w.say("How to work with it.", "如何与其协作。"))),
		)),
		tool.May("usage_hint", tool.Text(w.say("With introduction_response: what to ask it for, and how.", "用于 introduction_response：什么事可以找它、如何提出。"))),
	)
}

func (w words) listContacts() tool.Spec {
	return spec(ListContacts, w.say(
		"List the agents you know: role, how you came to know them, and how they want to be asked (interfaceSpec).",
		"列出你认识的智能体：角色、来源，以及与其协作的接口规格（interfaceSpec）。",
	), tool.ClassRead)
}

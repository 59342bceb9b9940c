package org

import (
	"time"

	"society-tui/runtime/tool"

	"github.com/google/jsonschema-go/jsonschema"
)

// MostDelay is how long a message can be kept before it is sent.
const MostDelay = 7 * 24 * time.Hour

func (w words) sendMessage() tool.Spec {
	return spec(SendMessage, w.say(
		"Send a message to agents or to the user. The sender is filled in for you. Your plain text at the end of a turn is sent to who asked you, so do not send the same with this tool. An answer comes later as a message.",
		"向其他智能体或用户发送消息。发送者由系统填写。你在一轮结束时的文本会自动送达向你提出请求的一方，不要再用此工具重复发送。回复稍后会以消息形式送达。",
	), tool.Writes,
		must("to", w.recipients()),
		may("message_type", w.messageType()),
		may("payload", w.payload()),
		may("quickReplies", texts(w.say(
			"Short answers the user can choose from with one key. Only to \"user\", with a question.",
			"供用户一键选择的简短答复。仅在向 user 提问时使用。",
		))),
		may("delayMs", &jsonschema.Schema{
			Type: "integer", Minimum: jsonschema.Ptr(0.0), Maximum: jsonschema.Ptr(float64(MostDelay.Milliseconds())),
			Description: w.say(
				"Send it only after so many milliseconds; 0 is at once, the most is 604800000 (7 days). It is dropped if you or the recipient are stopped before.",
				"延迟多少毫秒后再发送；0 表示立即发送，最多 604800000（7 天）。在此之前若你或收件人被停止，消息将被丢弃。",
			),
		}),
	)
}

func (w words) recipients() *jsonschema.Schema {
	return &jsonschema.Schema{
		Description: w.say(
			"Agent id, \"user\", or a list of ids that all get the same message.",
			"智能体 ID、\"user\"，或接收同一消息的 ID 列表。",
		),
		AnyOf: []*jsonschema.Schema{
			{Type: "string", MinLength: jsonschema.Ptr(1)},
			{Type: "array", Items: &jsonschema.Schema{Type: "string", MinLength: jsonschema.Ptr(1)}, MinItems: jsonschema.Ptr(1)},
		},
	}
}

func (w words) messageType() *jsonschema.Schema {
	return loose(w.say(
		"What the message is for: task_assignment, status_report, introduction_request, introduction_response, collaboration_request, collaboration_response or general. Default: general.",
		"消息的用途：task_assignment、status_report、introduction_request、introduction_response、collaboration_request、collaboration_response 或 general。默认为 general。",
	))
}

// payload describes what each type of message holds and checks none of it: what
// is wrong is reported by protocol.ParsePayload, all at once.
func (w words) payload() *jsonschema.Schema {
	return loose(w.say(
		`Required. The text as a string, or an object with "text" and more. By message_type: `+
			`task_assignment {taskBrief: as for spawn_agent, text?}; `+
			`introduction_request {reason, required_capability, text?}; `+
			`introduction_response {target: {id, role, interfaceSpec?}, usage_hint?, text?}; `+
			`status_report, collaboration_request, collaboration_response {text, …}; `+
			`general: string or {text}. In your first message to an agent say who you are, what you do and why you write.`,
		`必填。文本字符串，或包含 "text" 及其他字段的对象。按 message_type：`+
			`task_assignment {taskBrief：同 spawn_agent, text?}；`+
			`introduction_request {reason, required_capability, text?}；`+
			`introduction_response {target: {id, role, interfaceSpec?}, usage_hint?, text?}；`+
			`status_report、collaboration_request、collaboration_response {text, …}；`+
			`general：字符串或 {text}。首次联系某个智能体时，请说明你是谁、你的职责和来信原因。`,
	))
}

func (w words) listContacts() tool.Spec {
	return spec(ListContacts, w.say(
		"List the agents you know: role, how you came to know them, and how they want to be asked (interfaceSpec).",
		"列出你认识的智能体：角色、来源，以及与其协作的接口规格（interfaceSpec）。",
	), tool.Reads)
}

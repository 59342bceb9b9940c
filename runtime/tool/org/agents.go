package org

import (
	"society-tui/runtime/tool"

	"github.com/google/jsonschema-go/jsonschema"
)

func (w words) spawnAgent() tool.Spec {
	return spec(SpawnAgent, w.say(
		"Create an agent as your child on an existing role and give it its task. It begins at once and knows nothing but the role's prompt and this brief, so the brief must be complete. Its result comes to you later as a message: do not wait by calling tools. Returns its agentId.",
		"在已有岗位上创建一个智能体作为你的子智能体，并交给它任务。它会立即开始工作，且只知道岗位提示词和这份委托书，因此委托书必须完整。结果稍后会以消息形式送达：不要靠反复调用工具等待。返回 agentId。",
	), tool.Writes,
		must("roleId", nonEmpty(w.say("From create_role, find_role or list_roles.", "来自 create_role、find_role 或 list_roles。"))),
		may("taskBrief", w.taskBrief()),
		may("initialMessage", loose(w.say(
			"String or {text}: first message to it instead of the usual one that asks it to begin with the brief.",
			"字符串或 {text}：发给它的第一条消息；不填则由系统发送一条请其按委托书开始工作的消息。",
		))),
	)
}

// taskBrief describes a brief and checks none of it: what is wrong with one is
// reported by protocol.ParseBrief, all at once.
func (w words) taskBrief() *jsonschema.Schema {
	required := w.say(" Required.", "必填。")
	collaborator := fields(loose(""), []property{
		may("agentId", loose(w.say("Its id.", "智能体 ID。"))),
		may("role", loose(w.say("Its role.", "其角色。"))),
		may("description", loose(w.say("What to ask it for.", "什么事可以找它。"))),
		may("interfaceSpec", loose(w.say("Object: services, input_format, output_format, examples.", "对象：services、input_format、output_format、examples。"))),
	})
	s := loose(w.say(
		"Required. An object with the whole task; the child sees nothing of your conversation.",
		"必填。包含完整任务说明的对象；子智能体看不到你的会话内容。",
	))
	return fields(s, []property{
		may("objective", loose(w.say("String: what is to be achieved, and why.", "字符串：要达成的目标及原因。")+required)),
		may("constraints", loose(w.say(
			"List of strings: every technical and other constraint that you were given or chose (language, format, length, what must not happen), word for word. [] if there is none.",
			"字符串数组：你收到或确定的全部技术约束及其他约束（语言、格式、长度、禁止事项），逐条原样传达。没有则为 []。",
		)+required)),
		may("inputs", loose(w.say("String: what it works from. Copy texts and data in whole; it cannot see yours.", "字符串：工作所需的输入。文本和数据须完整写入，它看不到你的内容。")+required)),
		may("outputs", loose(w.say("String: what it must deliver, in which form, to whom.", "字符串：须交付的成果、形式及交付对象。")+required)),
		may("completion_criteria", loose(w.say("String: how it can tell that it is done.", "字符串：如何判断任务已完成。")+required)),
		may("collaborators", &jsonschema.Schema{
			Description: w.say("List of existing agents it may write to.", "数组：可以联系的现有智能体。"), Items: collaborator,
		}),
		may("references", loose(w.say("List of strings: what to consult.", "字符串数组：参考资料。"))),
		may("priority", loose(w.say("String: for example high.", "字符串：例如 high。"))),
	})
}

func (w words) terminateAgent() tool.Spec {
	return spec(TerminateAgent, w.say(
		"End one of your direct children and all its descendants, for good. What they still have in their queues is finished first. Do it when a child's work is done and no more of it will be needed.",
		"永久终止你的一个直接子智能体及其所有后代。它们队列中的消息会先处理完。当子智能体的工作已完成且不再需要时调用。",
	), tool.Commits,
		must("agentId", nonEmpty(w.say("Id of a direct child of yours.", "你的直接子智能体的 ID。"))),
		may("reason", text(w.say("Why, in a few words; it is kept in the record.", "简短的理由，会被记录。"))),
	)
}

func (w words) getOrg() tool.Spec {
	return spec(GetOrg, w.say(
		"List all live agents with role, parent and state. Not for waiting: results come to you as messages.",
		"列出所有现有智能体及其角色、父智能体和状态。不要用它来等待：结果会以消息形式送达。",
	), tool.Reads)
}

package org

import (
	"society-tui/runtime/tool"
)

func (w words) spawnAgent() tool.Spec {
	return spec(SpawnAgent, w.say(
		"Create an agent as your child on an existing role and give it its task. It begins at once and knows nothing but the role's prompt and this brief, so the brief must be complete. Its result comes to you later as a message: do not wait by calling tools. Returns its agentId.",
		"在已有岗位上创建一个智能体作为你的子智能体，并交给它任务。它会立即开始工作，且只知道岗位提示词和这份委托书，因此委托书必须完整。结果稍后会以消息形式送达：不要靠反复调用工具等待。返回 agentId。",
	), tool.ClassOwn,
		tool.Must("roleId", tool.Text(w.say("From create_role, find_role or list_roles.", "来自 create_role、find_role 或 list_roles。"))),
		tool.Must("taskBrief", w.taskBrief(w.say(
			"The whole task; the child sees nothing of your conversation.",
			"完整的任务说明；子智能体看不到你的会话内容。",
		))),
		tool.May("initialMessage", tool.Text(w.say(
			"First message to it instead of the usual one that asks it to begin with the brief.",
			"发给它的第一条消息；不填则由系统发送一条请其按委托书开始工作的消息。",
		))),
	)
}

func (w words) taskBrief(description string) tool.Schema {
	return tool.Object(
		description,
		tool.Must("objective", tool.Text(w.say("What is to be achieved, and why.", "要达成的目标及原因。"))),
		tool.Must("constraints", tool.Texts(w.say(
			"Every technical and other constraint that you were given or chose (language, format, length, what must not happen), word for word. [] if there is none.",
			"你收到或确定的全部技术约束及其他约束（语言、格式、长度、禁止事项），逐条原样传达。没有则为 []。",
		))),
		tool.Must("inputs", tool.Text(w.say("What it works from. Copy texts and data in whole; it cannot see yours.", "工作所需的输入。文本和数据须完整写入，它看不到你的内容。"))),
		tool.Must("outputs", tool.Text(w.say("What it must deliver, in which form, to whom.", "须交付的成果、形式及交付对象。"))),
		tool.Must("completion_criteria", tool.Text(w.say("How it can tell that it is done.", "如何判断任务已完成。"))),
		tool.May("collaborators", tool.List(
			w.say("Existing agents it may write to.", "可以联系的现有智能体。"),
			tool.Object(
				"",
				tool.Must("agentId", tool.Text(w.say("Its id.", "智能体 ID。"))),
				tool.May("role", tool.Text(w.say("Its role.", "其角色。"))),
				tool.May("description", tool.Text(w.say("What to ask it for.", "什么事可以找它。"))),
				tool.May("interfaceSpec", w.interfaceSpec(w.say("How to work with it.", "如何与其协作。"))),
			),
		)),
		tool.May("references", tool.Texts(w.say("What to consult.", "参考资料。"))),
		tool.May("priority", tool.Text(w.say("For example high.", "例如 high。"))),
	)
}

func (w words) terminateAgent() tool.Spec {
	s := spec(TerminateAgent, w.say(
		"End one of your direct children and all its descendants, for good. What they still have in their queues is finished first. Do it when a child's work is done and no more of it will be needed.",
		"永久终止你的一个直接子智能体及其所有后代。它们队列中的消息会先处理完。当子智能体的工作已完成且不再需要时调用。",
	), tool.ClassOwn,
		tool.Must("agentId", tool.Text(w.say("Id of a direct child of yours.", "你的直接子智能体的 ID。"))),
		tool.May("reason", tool.Text(w.say("Why, in a few words; it is kept in the record.", "简短的理由，会被记录。"))),
	)
	s.Final = true
	return s
}

func (w words) getOrg() tool.Spec {
	return spec(GetOrg, w.say(
		"List all live agents with role, parent and state. Not for waiting: results come to you as messages.",
		"列出所有现有智能体及其角色、父智能体和状态。不要用它来等待：结果会以消息形式送达。",
	), tool.ClassRead)
}

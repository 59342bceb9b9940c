package org

import (
	"fmt"

	"society-tui/runtime/tool"
)

func (w words) compressContext() tool.Spec {
	return spec(CompressContext, w.say(
		"Replace the older part of your history by your summary. Call it when you are warned, or when the history repeats itself. Your system prompt, your brief and the latest messages stay.",
		"用你写的摘要替换较早的会话历史。在收到上下文警告或历史内容重复时调用。系统提示词、任务委托书和最近的消息会保留。",
	), tool.ClassOwn,
		tool.Must("summary", tool.Text(w.say(
			"All you will need later: decisions with reasons, results, who does what (agent ids), what is open, who waits for what from you.",
			"今后需要的一切：决定及理由、已有结果、各智能体（ID）的分工、未完成事项、谁在等你的什么。",
		))),
		tool.May("keepRecentCount", tool.Whole(fmt.Sprintf(w.say(
			"How many of the latest entries stay as they are, 0 or more; %d if you leave it out.",
			"原样保留最近多少条消息，不小于 0；不填则为 %d。",
		), defaultKeep))),
	)
}

func (w words) contextStatus() tool.Spec {
	return spec(ContextStatus, w.say(
		"Say how full your history is: messages, the most there should be, estimated tokens.",
		"查看会话历史的占用情况：消息条数、上限、估计的 token 数。",
	), tool.ClassRead)
}

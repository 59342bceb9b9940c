package archive

import (
	"fmt"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// words are the labels of a document, the same as on the screen.
type words struct {
	society, parent, made, state, tokens, brief, contacts         string
	cost, unpriced                                                string
	conversation, waiting, inbox, thinking, answer, result, you   string
	ownNotes, branch, aside                                       string // %d stands in branch
	oneMidTurn, oneOfMidTurn, someMidTurn                         string // %d stands in someMidTurn
	idle, thinks, works, stopping, stopped, ending, paused, drain string
	noResult, instead, remark, lost                               string
	artifacts                                                     string
	beside                                                        string // %s and %s: a size and a name
	colon, inRole                                                 string // %s in inRole: a role
	pauses                                                        map[society.Pause]string
	kinds                                                         map[conversation.Kind]string
	types                                                         map[protocol.MessageType]string
	outcomes                                                      map[conversation.Outcome]string
	sources                                                       map[protocol.Source]string
	fields                                                        map[string]string
}

// states returns an agent's state and the marks beside it.
func (w *words) states(a *society.Agent) []string {
	list := []string{w.idle}
	switch a.Status {
	case society.WaitingLLM:
		list[0] = w.thinks
	case society.Processing:
		list[0] = w.works
	case society.Stopping:
		list[0] = w.stopping
	case society.Stopped:
		list[0] = w.stopped
	case society.Terminating:
		list[0] = w.ending
	}
	if a.Paused != "" {
		list = append(list, w.paused+w.pauses[a.Paused])
	}
	if a.Drain != "" {
		list = append(list, w.drain)
	}
	return list
}

// midTurn returns the line that n of so many agents had not ended their turn when they were written.
func (w *words) midTurn(n, of int) string {
	switch {
	case of == 1:
		return w.oneMidTurn
	case n == 1:
		return w.oneOfMidTurn
	}
	return fmt.Sprintf(w.someMidTurn, n)
}

func wordsIn(lang protocol.Lang) words {
	if lang == protocol.Chinese {
		return chineseWords()
	}
	return words{
		colon: ": ", inRole: " (%s)",
		society: "Society", parent: "Parent", made: "Made", state: "State", tokens: "Tokens in / out", cost: "Cost", unpriced: "%d tokens without a price", brief: "Brief", contacts: "Contacts",
		conversation: "Conversation", waiting: "Waiting messages", inbox: "Messages to you", thinking: "Thinking", answer: "Answer", result: "Result", you: "you",
		idle: "idle", thinks: "thinking", works: "working", stopping: "stopping", stopped: "stopped", ending: "terminating", paused: "paused: ", drain: "draining",
		noResult: "no result yet", instead: "another model", remark: "note", lost: "lost", artifacts: "Artifacts", beside: "%s, beside the store as %s", ownNotes: "own notes", branch: "branch %d", aside: "set aside at %s, not sent to the model",
		oneMidTurn:   "Exported in the middle of its turn: what it had not finished writing is not in here.",
		oneOfMidTurn: "Exported while one of these agents was in the middle of a turn: what it had not finished writing is not in here.",
		someMidTurn:  "Exported while %d of these agents were in the middle of a turn: what they had not finished writing is not in here.",
		pauses:       map[society.Pause]string{society.Interrupted: "interrupted", society.AskedToPause: "as asked", society.Quarantined: "quarantined", society.MessageGuard: "too many messages", society.OverBudget: "budget spent"},
		kinds: map[conversation.Kind]string{
			conversation.Summary: "summary", conversation.Merged: "branches joined", conversation.Notice: "error",
			conversation.Superseded: "superseded", conversation.Aborted: "aborted", conversation.Dropped: "dropped, not read",
		},
		types: map[protocol.MessageType]string{
			protocol.TaskAssignment: "task", protocol.StatusReport: "report", protocol.IntroductionRequest: "asks for an introduction",
			protocol.IntroductionResponse: "introduces", protocol.CollaborationRequest: "asks", protocol.CollaborationResponse: "answers",
		},
		outcomes: map[conversation.Outcome]string{
			conversation.OK: "✓", conversation.Failed: "✗ failed", conversation.Skipped: "skipped",
			conversation.AbortedCall: "■ aborted, effect unknown", conversation.NotRun: "not run", conversation.Unknown: "? effect unknown",
		},
		sources: map[protocol.Source]string{
			protocol.Parent: "parent", protocol.Child: "child", protocol.Preset: "in its brief", protocol.Introduction: "introduced by",
			protocol.FirstMessage: "first message", protocol.System: "from the beginning",
		},
		fields: map[string]string{
			"objective": "objective", "constraints": "constraints", "inputs": "inputs", "outputs": "outputs", "completion_criteria": "done when",
			"collaborators": "contacts", "references": "references", "priority": "priority", "reason": "reason",
			"required_capability": "looks for", "target": "who", "usage_hint": "how",
		},
	}
}

func chineseWords() words {
	return words{
		colon: "：", inRole: "（%s）",
		society: "智能体团队", parent: "上级", made: "创建于", state: "状态", tokens: "词元（入 / 出）", cost: "费用", unpriced: "%d 词元没有价格", brief: "任务说明", contacts: "联系人",
		conversation: "对话", waiting: "未读消息", inbox: "给你的消息", thinking: "思考", answer: "回答", result: "结果", you: "你",
		idle: "空闲", thinks: "思考中", works: "执行中", stopping: "正在停止", stopped: "已停止", ending: "正在终止", paused: "已暂停：", drain: "收尾中",
		noResult: "还没有结果", instead: "另一模型", remark: "提示", lost: "已丢失", artifacts: "产出", beside: "%s，保存在数据文件之外：%s", ownNotes: "自己的记录", branch: "分支 %d", aside: "已于 %s 搁置，不再发送给模型",
		oneMidTurn:   "导出时它的回合尚未结束：当时还没写完的内容不在其中。",
		oneOfMidTurn: "导出时其中 1 个智能体的回合尚未结束：当时还没写完的内容不在其中。",
		someMidTurn:  "导出时其中 %d 个智能体的回合尚未结束：当时还没写完的内容不在其中。",
		pauses:       map[society.Pause]string{society.Interrupted: "已中断", society.AskedToPause: "按要求", society.Quarantined: "已隔离", society.MessageGuard: "消息过多", society.OverBudget: "预算已用完"},
		kinds: map[conversation.Kind]string{
			conversation.Summary: "摘要", conversation.Merged: "分支已合并", conversation.Notice: "错误",
			conversation.Superseded: "已被取代", conversation.Aborted: "已中断", conversation.Dropped: "已丢弃，未读",
		},
		types: map[protocol.MessageType]string{
			protocol.TaskAssignment: "任务", protocol.StatusReport: "汇报", protocol.IntroductionRequest: "请求引荐",
			protocol.IntroductionResponse: "引荐", protocol.CollaborationRequest: "询问", protocol.CollaborationResponse: "回答",
		},
		outcomes: map[conversation.Outcome]string{
			conversation.OK: "✓", conversation.Failed: "✗ 失败", conversation.Skipped: "已跳过",
			conversation.AbortedCall: "■ 已中断，效果未知", conversation.NotRun: "未执行", conversation.Unknown: "? 效果未知",
		},
		sources: map[protocol.Source]string{
			protocol.Parent: "上级", protocol.Child: "下级", protocol.Preset: "任务说明中指定", protocol.Introduction: "引荐者",
			protocol.FirstMessage: "首次来信", protocol.System: "一开始就有",
		},
		fields: map[string]string{
			"objective": "目标", "constraints": "约束", "inputs": "输入", "outputs": "输出", "completion_criteria": "完成标准",
			"collaborators": "联系人", "references": "参考", "priority": "优先级", "reason": "原因",
			"required_capability": "所需能力", "target": "引荐对象", "usage_hint": "用法",
		},
	}
}

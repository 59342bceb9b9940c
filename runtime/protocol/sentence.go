package protocol

import "fmt"

// A Key names one of the runtime's own sentences to agents.
type Key string

// The sentences, with their arguments. Those of calls are results of calls.
const (
	BeginTask Key = "begin_task" // objective

	CallSkipped   Key = "call_skipped"   // an interruption came before it began
	CallAborted   Key = "call_aborted"   // cancelled while it ran
	CallNotRun    Key = "call_not_run"   // cancelled before it began
	CallRestarted Key = "call_restarted" // a restart came while it ran
	CallCutOff    Key = "call_cut_off"   // the answer reached its length limit
	CallPanicked  Key = "call_panicked"  // the tool broke; its effect is unknown
	CallLimit     Key = "call_limit"     // how many calls of one answer are run
	CallRepeated  Key = "call_repeated"  // how often the same call was made
	NoOutput      Key = "no_output"      // a result with no text
	ResultCut     Key = "result_cut"     // bytes shown, bytes in all

	UnknownTool      Key = "unknown_tool"      // name, names that there are
	InvalidArguments Key = "invalid_arguments" // tool, what is wrong
	UnknownRole      Key = "unknown_role"      // role id
	AgentNotFound    Key = "agent_not_found"   // agent id
	AgentStopped     Key = "agent_stopped"     // agent id
	NotYourChild     Key = "not_your_child"    // agent id
	ToYourself       Key = "to_yourself"
	MailboxFull      Key = "mailbox_full" // agent id, how many wait
	TooLarge         Key = "too_large"    // the most bytes
	StoreUnavailable Key = "store_unavailable"
	DrainingRefuses  Key = "draining_refuses" // what is refused while terminating: the tool's name

	LimitAgents      Key = "limit_agents"        // most live agents
	LimitDepth       Key = "limit_depth"         // most levels
	LimitChildren    Key = "limit_children"      // most children
	LimitSpawnRate   Key = "limit_spawn_rate"    // spawns per minute
	LimitTask        Key = "limit_task_messages" // messages between agents without the user
	LimitToolRounds  Key = "limit_tool_rounds"   // tool rounds in a turn
	LimitRepeats     Key = "limit_repeats"       // tool, how often the same call was made
	FailureReport    Key = "failure_report"      // why the turn of the reporting agent failed
	Undelivered      Key = "undelivered"         // whom it was for, why it was refused, the text
	ContextWarning   Key = "context_warning"     // entries, the most
	WindowWarning    Key = "window_warning"      // tokens, those of the model's window
	SummaryLabel     Key = "summary_label"       // stands before a summary
	MechanicalCut    Key = "mechanical_cut"      // entries that were left out without a summary
	AskForSummary    Key = "ask_for_summary"     // the runtime's own request to the model for a summary
	QuarantineNotice Key = "quarantine_notice"   // how many panics within a minute
)

// Sentence returns the runtime's own words to an agent. The arguments are those
// that the Key names, in that order.
func Sentence(lang Lang, key Key, args ...any) string {
	s := sentences[key]
	format := s.en
	if lang == Chinese {
		format = s.zh
	}
	return fmt.Sprintf(format, args...)
}

type sentence struct{ en, zh string }

var sentences = map[Key]sentence{
	BeginTask: {
		"Please begin. Your task brief: %s",
		"请开始工作。任务目标：%s",
	},
	CallSkipped: {
		"skipped: interrupted by a new message before this call began; it had no effect. Read the message first, then call again if it is still wanted.",
		"已跳过：此调用开始之前有新消息插话，没有产生任何效果。请先阅读新消息，如仍需要再重新调用。",
	},
	CallAborted: {
		"aborted while it was running; its effect is unknown. Check before you repeat it.",
		"执行过程中被中止，效果未知。重复之前请先检查。",
	},
	CallNotRun: {
		"not run: the turn was cut short before this call began; it had no effect.",
		"未执行：此调用开始之前本轮已被中断，没有产生任何效果。",
	},
	CallRestarted: {
		"interrupted by a restart; its effect is unknown. Check before you repeat it.",
		"因重启而中断，效果未知。重复之前请先检查。",
	},
	CallCutOff: {
		"not run: your answer was cut off at its length limit, so this call may be incomplete. Call again, with less text at a time.",
		"未执行：你的回答因达到长度上限而被截断，此调用可能不完整。请重新调用，并减少每次的内容。",
	},
	CallPanicked: {
		"the tool broke while it was running; its effect is unknown. Check before you repeat it.",
		"工具在执行过程中发生内部错误，效果未知。重复之前请先检查。",
	},
	CallLimit: {
		"not run: only the first %d calls of one answer are run. Make the others in your next answer.",
		"未执行：一次回答最多执行前 %d 个工具调用。其余请在下一次回答中调用。",
	},
	CallRepeated: {
		"Warning: this is the same call with the same arguments for the %d. time in this turn. Repeating it will not change the result; do something else, or say what is in the way.",
		"警告：这是本轮中第 %d 次以相同参数进行相同调用。重复不会改变结果，请换一种做法，或者说明遇到的障碍。",
	},
	NoOutput: {"(no output)", "（无输出）"},
	ResultCut: {
		"(only the first %d of %d bytes are shown)",
		"（仅显示前 %d 字节，共 %d 字节）",
	},
	UnknownTool: {
		"there is no tool %q. The tools are: %s.",
		"没有名为 %q 的工具。可用工具：%s。",
	},
	InvalidArguments: {
		"the arguments of %s do not fit: %s. Mend them and call again.",
		"%s 的参数不符合要求：%s。请修正后重新调用。",
	},
	UnknownRole: {
		"there is no role %q; list_roles lists those there are, create_role makes one.",
		"没有岗位 %q；可用 list_roles 查看已有岗位，用 create_role 创建岗位。",
	},
	AgentNotFound: {
		"there is no agent %q; get_org lists those there are.",
		"没有智能体 %q；可用 get_org 查看现有智能体。",
	},
	AgentStopped: {
		"agent %q is stopped or about to end and accepts no messages; nothing was sent. Go on without it, or tell who asked you.",
		"智能体 %q 已停止或即将终止，不接收消息；消息未发送。请在没有它的情况下继续，或告知向你提出请求的一方。",
	},
	NotYourChild: {
		"agent %q is not your direct child; only its parent may terminate it.",
		"智能体 %q 不是你的直接子智能体；只有它的父智能体可以终止它。",
	},
	ToYourself: {
		"this is your own address; a message needs another recipient.",
		"这是你自己的地址；消息需要另一个接收者。",
	},
	MailboxFull: {
		"agent %q has %d messages waiting and accepts no more now; nothing was sent. Wait for its answer.",
		"智能体 %q 已有 %d 条消息待处理，暂不接收更多；消息未发送。请等待它的回复。",
	},
	TooLarge: {
		"too large: at most %d bytes are accepted. Send less, or in parts.",
		"内容过大：最多接受 %d 字节。请减少内容或分批发送。",
	},
	StoreUnavailable: {
		"nothing can be saved at the moment, so this was not done. Try again later.",
		"目前无法保存，因此未执行。请稍后再试。",
	},
	DrainingRefuses: {
		"%s is refused: you are about to be terminated. Finish what you have and report it.",
		"%s 被拒绝：你即将被终止。请完成手头的工作并汇报结果。",
	},
	LimitAgents: {
		"there are already %d live agents, the most there may be. Reuse one that is idle, or terminate one that is done.",
		"现有智能体已达上限 %d 个。请复用空闲的智能体，或终止已完成工作的智能体。",
	},
	LimitDepth: {
		"the tree of agents may be at most %d levels deep. Do this yourself, or ask your parent.",
		"智能体层级最多 %d 层。请自行完成，或请求父智能体协助。",
	},
	LimitChildren: {
		"you already have %d children, the most there may be. Reuse one that is idle, or terminate one that is done.",
		"你的子智能体已达上限 %d 个。请复用空闲的智能体，或终止已完成工作的智能体。",
	},
	LimitSpawnRate: {
		"at most %d agents may be spawned in a minute. Go on with those there are, and try again later.",
		"每分钟最多创建 %d 个智能体。请先使用现有智能体继续工作，稍后再试。",
	},
	LimitTask: {
		"agents have sent each other %d messages in this task without the user, the most there may be. Nothing was sent; report what you have.",
		"在没有用户参与的情况下，此任务中智能体之间的消息已达上限 %d 条。消息未发送；请汇报目前的结果。",
	},
	LimitToolRounds: {
		"The turn was ended after %d rounds of tool calls, the most there may be.",
		"本轮的工具调用已达上限 %d 次，本轮已结束。",
	},
	LimitRepeats: {
		"The turn was ended because %s was called %d times with the same arguments.",
		"由于以相同参数调用 %s 达 %d 次，本轮已结束。",
	},
	FailureReport: {
		"My turn failed and what I was asked is not done: %s",
		"我本轮的处理失败，任务没有完成：%s",
	},
	Undelivered: {
		"This text was for %s, who does not accept it (%s):\n%s",
		"以下内容原定发送给 %s，但对方未接收（%s）：\n%s",
	},
	ContextWarning: {
		"Your history holds %d messages; the most it should hold is %d. Call compress_context now with a summary of what must not be forgotten.",
		"你的会话历史已有 %d 条消息，上限为 %d 条。请立即调用 compress_context，并在摘要中写明不可遗忘的内容。",
	},
	WindowWarning: {
		"Your history takes about %d of the model's %d tokens. Call compress_context now with a summary of what must not be forgotten.",
		"你的会话历史约占 %d 个 token，模型窗口为 %d 个。请立即调用 compress_context，并在摘要中写明不可遗忘的内容。",
	},
	SummaryLabel: {
		"Summary of what came before:",
		"此前内容的摘要：",
	},
	MechanicalCut: {
		"(%d older messages were left out here to fit the model's window; no summary of them could be made.)",
		"（为适应模型窗口，此处省略了 %d 条较早的消息，未能生成摘要。）",
	},
	AskForSummary: {
		"Summarise this history for yourself, so that you can go on with nothing but the summary: the task and its constraints, decisions with their reasons, results, who does what (with agent ids), what is open, what was asked of you by whom. Write the summary only.",
		"请为自己总结以上历史，使你仅凭摘要就能继续工作：任务及其约束、决定及理由、已有结果、各智能体（附 ID）的分工、未完成的事项、谁向你提出了什么要求。只写摘要。",
	},
	QuarantineNotice: {
		"The agent was paused after %d internal errors within a minute.",
		"智能体在一分钟内发生 %d 次内部错误，已被暂停。",
	},
}

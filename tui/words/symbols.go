package words

import "society-tui/runtime/protocol"

// Symbols are the words for what an agent is doing, each beside its symbol.
type Symbols struct {
	Thinking    string
	Compressing string // its context, which is full
	Streaming   string
	Working     string // runs a tool whose name is not known
	Retry       string // %d of %d
	WaitsFor    string // %s: names
	WaitsSlot   string
	Judging     string // %s: the node of its graph that it is about to leave
	Joining     string // %s: the node where branches are joined
	Pausing     string // it rests as soon as what it is at has ended
	Paused      string // %s: why
	Interrupted string // the reasons to pause
	Asked       string
	Quarantined string
	Guard       string
	Asks        string
	Idle        string
	Reported    string
	Failed      string
	Stopping    string
	Stopped     string
	Draining    string // %d: messages that are still to be read
	Terminating string
	Queue       string // %d: messages that wait
}

// ForSymbols returns the words in lang; English for a language it does not know.
func ForSymbols(lang protocol.Lang) Symbols {
	if lang == protocol.Chinese {
		return Symbols{
			Thinking:    "思考中",
			Compressing: "压缩上下文中",
			Streaming:   "输出中",
			Working:     "执行中",
			Retry:       "重试 %d/%d",
			WaitsFor:    "等待：%s",
			WaitsSlot:   "排队等待模型",
			Judging:     "判断中：%s",
			Joining:     "合并中：%s",
			Pausing:     "正在暂停…",
			Paused:      "已暂停：%s",
			Interrupted: "已中断",
			Asked:       "按要求",
			Quarantined: "已隔离",
			Guard:       "消息过多",
			Asks:        "向你提问",
			Idle:        "空闲",
			Reported:    "已汇报",
			Failed:      "出错",
			Stopping:    "正在停止…",
			Stopped:     "已停止",
			Draining:    "收尾中 %d",
			Terminating: "正在终止…",
			Queue:       "%d 条待读",
		}
	}
	return Symbols{
		Thinking:    "thinking",
		Compressing: "compressing its context",
		Streaming:   "streaming",
		Working:     "working",
		Retry:       "retry %d/%d",
		WaitsFor:    "waits: %s",
		WaitsSlot:   "waits for a slot",
		Judging:     "judging: %s",
		Joining:     "joining: %s",
		Pausing:     "pausing…",
		Paused:      "paused: %s",
		Interrupted: "interrupted",
		Asked:       "as asked",
		Quarantined: "quarantined",
		Guard:       "too many messages",
		Asks:        "asks you",
		Idle:        "idle",
		Reported:    "reported",
		Failed:      "error",
		Stopping:    "stopping…",
		Stopped:     "stopped",
		Draining:    "draining %d",
		Terminating: "terminating…",
		Queue:       "%d waiting",
	}
}

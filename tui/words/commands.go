package words

import "society-tui/runtime/protocol"

// Commands are the words of what is written as a command and has no pane: making and
// naming an agent, and searching all conversations.
type Commands struct {
	Named    string // %s: the id, %s: the name
	Unnamed  string // %s: the id
	NoName   string // %s: the id
	HintName string

	Copy string
	// The log, of this run of the program and of all. %s: its file
	Log, LogOfAll string

	NoLog    string
	HintCopy string
	// The sheet of figures: its parts, and what is in them.
	Stats, StatsSociety, StatsRoles, StatsModels, StatsTasks, StatsDays string
	StatsBelow                                                          string // %s: an agent
	StatsOfAll                                                          string // behind StatsBelow where that is not all

	StatsAgents, StatsMade, StatsMessages, StatsTokens, StatsCalls, StatsStore string
	StatsMadeEnded                                                             string // %s made, %s ended
	StatsCallsText                                                             string // %s calls, %s retries, %s time
	StatsSaved                                                                 string
	StatsSpent                                                                 string // %s in, %s out
	StatsOfCalls                                                               string // %s calls
	StatsRole                                                                  string // %s agents made, %s ended
	StatsGone, StatsEarlier, StatsNoModel, StatsNoTask                         string
	// States are the words for states by their names in a filter.
	States map[string]string
}

// ForCommands returns the words in lang; English for a language it does not know.
func ForCommands(lang protocol.Lang) Commands {
	if lang == protocol.Chinese {
		return Commands{
			Named: "%s 现在叫 %s", Unnamed: "%s 不再有别名", NoName: "%s 没有别名", HintName: "/name 文字 给它一个别名，/name 将其取消",
			Log: "本次运行的日志（/log all 为全部）：%s", LogOfAll: "全部运行的日志：%s", NoLog: "没有日志", HintCopy: "复制",
			Copy: "复制", Stats: "用量", StatsSociety: "社会", StatsRoles: "按角色", StatsModels: "按模型", StatsTasks: "按任务（一个任务持续到 /new）", StatsDays: "按日", StatsBelow: "%s 及其下属", StatsOfAll: "（看全部：/to root，再 /stats）",
			StatsAgents: "智能体", StatsMade: "创建过", StatsMessages: "发送的消息", StatsTokens: "词元", StatsCalls: "模型调用", StatsStore: "存储",
			StatsMadeEnded: "%s，已终止 %s", StatsCallsText: "%s，重试 %s，用时 %s", StatsSaved: "已保存", StatsSpent: "入 %s 出 %s", StatsOfCalls: "调用 %s", StatsRole: "智能体 %s，已终止 %s",
			StatsGone: "已终止的", StatsEarlier: "此前", StatsNoModel: "摘要、判断", StatsNoTask: "无任务",
			States: map[string]string{
				"thinking": "思考中", "slot": "排队", "retry": "重试", "waits": "等待", "paused": "已暂停", "asks": "向你提问",
				"stopped": "已停止", "draining": "收尾中", "terminating": "正在终止", "error": "出错", "idle": "空闲",
			},
		}
	}
	return Commands{
		Named: "%s is called %s now", Unnamed: "%s has no name of its own any more", NoName: "%s has no name but this one", HintName: "/name TEXT gives it another, /name takes that away",
		Log: "The log of this run; of all: /log all · %s", LogOfAll: "The log of all runs · %s", NoLog: "there is no log", HintCopy: "copy",
		Copy: "Copy", Stats: "What was spent", StatsSociety: "The society", StatsRoles: "By role", StatsModels: "By model", StatsTasks: "By task (a task goes on until /new)", StatsDays: "By day", StatsBelow: "%s and below", StatsOfAll: " (of all: /to root, then /stats)",
		StatsAgents: "agents", StatsMade: "made", StatsMessages: "messages sent", StatsTokens: "tokens", StatsCalls: "model calls", StatsStore: "store",
		StatsMadeEnded: "%s, ended %s", StatsCallsText: "%s, retries %s, together %s", StatsSaved: "saved", StatsSpent: "in %s out %s", StatsOfCalls: "calls %s", StatsRole: "agents %s, ended %s",
		StatsGone: "ended", StatsEarlier: "before that", StatsNoModel: "summaries, judgements", StatsNoTask: "no task",
		States: map[string]string{
			"thinking": "thinking", "slot": "waits for a slot", "retry": "retry", "waits": "waits", "paused": "paused", "asks": "asks you",
			"stopped": "stopped", "draining": "draining", "terminating": "terminating", "error": "error", "idle": "idle",
		},
	}
}

package tree

import "society-tui/runtime/i18n"

var (
	textTitle = i18n.Text{EN: "Agents", ZH: "智能体"}
	TextInbox = i18n.Text{EN: "you (inbox)", ZH: "你（收件箱）"}
	textEmpty = i18n.Text{EN: "No agents yet", ZH: "还没有智能体"}
	// textNoMatch is shown for a filter, textNoneShown for one by state, with its key.
	textNoMatch   = i18n.Text{EN: "No agent matches “%s” · esc shows all", ZH: "没有匹配“%s”的智能体 · esc 显示全部"}
	textNoneShown = i18n.Text{EN: "No agent matches “%s” · %s changes the filter, esc shows all", ZH: "没有匹配“%s”的智能体 · %s 切换筛选，esc 显示全部"}
	// The filters by state.
	textAll       = i18n.Text{EN: "all", ZH: "全部"}
	textProblems  = i18n.Text{EN: "problems", ZH: "问题"}
	textRunning   = i18n.Text{EN: "running", ZH: "运行中"}
	TextNeedsYou  = i18n.Text{EN: "Needs you", ZH: "等你处理"}
	textMoreNeeds = i18n.Text{EN: "+%d more", ZH: "还有 %d 个"}
	textAsks      = i18n.Text{EN: "asks: %s", ZH: "提问：%s"}
	// How many rows an agent has.
	textAutoRows = i18n.Text{EN: "Two rows for each agent while all fit", ZH: "能全部显示时每个智能体两行"}
	textOneRow   = i18n.Text{EN: "One row for each agent", ZH: "每个智能体一行"}
	textTwoRows  = i18n.Text{EN: "Two rows for each agent", ZH: "每个智能体两行"}
	textMarked   = i18n.Text{EN: "%d marked", ZH: "已标记 %d"}
	// The orders.
	textBySpawn    = i18n.Text{EN: "spawn", ZH: "创建"}
	textByActivity = i18n.Text{EN: "activity", ZH: "活动"}
	textByState    = i18n.Text{EN: "state", ZH: "状态"}
	textByTokens   = i18n.Text{EN: "tokens", ZH: "词元"}
)

package processes

import "society-tui/runtime/i18n"

var (
	textTitle = i18n.Text{EN: "Background processes", ZH: "后台进程"}
	textNone  = i18n.Text{EN: "No agent has a background process.", ZH: "没有后台进程。"}
	textEnd   = i18n.Text{EN: "end it", ZH: "结束"}

	textAsk     = i18n.Text{EN: "End process %s of %s?", ZH: "结束进程 %s（%s）？"}
	textAskBody = i18n.Text{EN: "Ends it with all that it has started. The agent is told when it looks.", ZH: "将结束该进程及其启动的一切。智能体查看时会得知。"}
	textEndNow  = i18n.Text{EN: "End process", ZH: "结束进程"}
)

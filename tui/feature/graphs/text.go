package graphs

import "society-tui/runtime/i18n"

var (
	title          = i18n.Text{EN: "Graph of %s", ZH: "%s 的图"}
	singleStep     = i18n.Text{EN: "a single step", ZH: "单步"}
	singleStepSays = i18n.Text{EN: "each turn is one task for the model and its tools", ZH: "每一轮都是交给模型及其工具的一个任务"}
	hintChosen     = i18n.Text{EN: "turns in progress fail; resume their agents", ZH: "进行中的轮次会失败，请恢复这些智能体"}
	unknown        = i18n.Text{EN: "No graph named %s", ZH: "没有名为 %s 的图"}
	hintGraphs     = i18n.Text{EN: "/graph lists them", ZH: "/graph 列出全部"}
)

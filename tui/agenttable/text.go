package agenttable

import "society-tui/runtime/i18n"

// titles are the headings of the columns.
var titles = [Count]i18n.Text{
	Name:   {EN: "Name", ZH: "名称"},
	Role:   {EN: "Role", ZH: "角色"},
	State:  {EN: "State", ZH: "状态"},
	Task:   {EN: "Task", ZH: "任务"},
	Doing:  {EN: "Doing now", ZH: "正在做"},
	Age:    {EN: "Age", ZH: "时长"},
	Tokens: {EN: "Tokens", ZH: "词元"},
	Cost:   {EN: "Cost", ZH: "费用"},
	Model:  {EN: "Model", ZH: "模型"},
}

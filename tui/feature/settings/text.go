package settings

import "society-tui/runtime/i18n"

var (
	title      = i18n.Text{EN: "Settings in effect, and where each comes from", ZH: "当前设置及其来源"}
	takes      = i18n.Text{EN: "change", ZH: "更改"}
	none       = i18n.Text{EN: "No settings", ZH: "没有设置"}
	themeNow   = i18n.Text{EN: "now %s; {list.take} chooses another", ZH: "现在是 %s；按 {list.take} 选择"}
	themeHere  = i18n.Text{EN: "a choice holds for this session; for all, write theme into the settings file", ZH: "所选仅用于此会话；用于全部会话：在设置文件中写 theme"}
	notInUse   = i18n.Text{EN: "not in use: the offline model answers", ZH: "未使用：由离线模型回答"}
	aboutMouse = i18n.Text{EN: "Whether the screen has the mouse, or the terminal.", ZH: "由界面还是由终端使用鼠标。"}
	ofSession  = i18n.Text{EN: "of this session, not of the file", ZH: "属于此会话，不在文件中"}
	atRestart  = i18n.Text{EN: "needs a restart", ZH: "需要重启"}
	unset      = i18n.Text{EN: "empty", ZH: "空"}
	value      = i18n.Text{EN: "Value:", ZH: "值："}
	save       = i18n.Text{EN: "Save", ZH: "保存"}
	isNow      = i18n.Text{EN: "%s is now %s", ZH: "%s 现在是 %s"}
	isThen     = i18n.Text{EN: "%s is %s from the next start on", ZH: "从下次启动起，%s 是 %s"}
	overridden = i18n.Text{EN: "at the next start %s decides about it", ZH: "下次启动时由 %s 决定"}
	noEditor   = i18n.Text{EN: "Set $EDITOR first", ZH: "请先设置 $EDITOR"}
	inFile     = i18n.Text{EN: "%s is read at the start", ZH: "%s 在启动时读取"}
	howTo      = i18n.Text{EN: "change it in the settings file; society-tui config init writes one", ZH: "在设置文件中修改；society-tui config init 写出该文件"}
	howToThere = i18n.Text{EN: "change it in the settings file of the program that runs the session", ZH: "在运行此会话的程序的设置文件中修改"}
	notChanged = i18n.Text{EN: "The settings file was not changed", ZH: "设置文件未更改"}
	TextPaste  = i18n.Text{EN: "Put this into the settings file:", ZH: "请把以下内容写入设置文件："}
	copyLines  = i18n.Text{EN: "Copy for the file", ZH: "复制文件用的内容"}
)

// titles are what settings are called besides their keys, which the file has.
var titles = map[string]i18n.Text{
	theme:              {EN: "Theme", ZH: "主题"},
	"lang":             {EN: "Language", ZH: "语言"},
	mouse:              {EN: "Mouse", ZH: "鼠标"},
	"notify":           {EN: "Notifications", ZH: "通知"},
	"notify_by":        {EN: "Way of notifying", ZH: "通知方式"},
	model:              {EN: "Model", ZH: "模型"},
	offline:            {EN: "Offline model", ZH: "离线模型"},
	mode:               {EN: "Approvals", ZH: "审批模式"},
	"http":             {EN: "Access over HTTP", ZH: "HTTP 访问"},
	"currency":         {EN: "Currency", ZH: "货币"},
	"workspace":        {EN: "Workspace", ZH: "工作区"},
	"session":          {EN: "Session", ZH: "会话"},
	"data":             {EN: "Data", ZH: "数据"},
	"file":             {EN: "Settings file", ZH: "设置文件"},
	"log_level":        {EN: "Log level", ZH: "日志级别"},
	"ascii":            {EN: "ASCII only", ZH: "仅用 ASCII"},
	"plain":            {EN: "Plain lines", ZH: "逐行模式"},
	"reduced_motion":   {EN: "No animations", ZH: "减少动画"},
	"limits.agents":    {EN: "Agents at most", ZH: "智能体上限"},
	"limits.task_cost": {EN: "Budget of a task", ZH: "任务预算"},
	"limits.day_cost":  {EN: "Budget of a day", ZH: "每日预算"},
}

package settings

import "society-tui/runtime/i18n"

var (
	title      = i18n.Text{EN: "Settings in effect, and where each comes from", ZH: "当前设置及其来源"}
	takes      = i18n.Text{EN: "change", ZH: "更改"}
	none       = i18n.Text{EN: "No settings", ZH: "没有设置"}
	themeNow   = i18n.Text{EN: "now %s; {list.take} chooses another for all sessions, /theme one for this session", ZH: "现在是 %s；按 {list.take} 为全部会话选择，/theme 仅用于此会话"}
	notInUse   = i18n.Text{EN: "not in use: the offline model answers", ZH: "未使用：由离线模型回答"}
	aboutMouse = i18n.Text{EN: "Whether the screen has the mouse, or the terminal.", ZH: "由界面还是由终端使用鼠标。"}
	ofSession  = i18n.Text{EN: "of this session, not of the file", ZH: "属于此会话，不在文件中"}
	atRestart  = i18n.Text{EN: "needs a restart", ZH: "需要重启"}
	unset      = i18n.Text{EN: "empty", ZH: "空"}
	value      = i18n.Text{EN: "Value:", ZH: "值："}
	save       = i18n.Text{EN: "Save", ZH: "保存"}
	isNow      = i18n.Text{EN: "%s: now %s", ZH: "%s现在是 %s"}
	isAlready  = i18n.Text{EN: "%s: already %s, nothing has changed", ZH: "%s已经是 %s，没有更改"}
	// countsTokens names the setting beside one for money.
	countsTokens = i18n.Text{EN: "limit tokens: /settings %s", ZH: "限制词元：/settings %s"}
	isThen       = i18n.Text{EN: "%s: %s from the next start on", ZH: "从下次启动起，%s是 %s"}
	overridden   = i18n.Text{EN: "at the next start %s decides about it", ZH: "下次启动时由 %s 决定"}
	noEditor     = i18n.Text{EN: "Set $EDITOR first", ZH: "请先设置 $EDITOR"}
	inFile       = i18n.Text{EN: "%s: read at the start", ZH: "%s在启动时读取"}
	howTo        = i18n.Text{EN: "change it in the settings file; society-tui config init writes one", ZH: "在设置文件中修改；society-tui config init 写出该文件"}
	howToThere   = i18n.Text{EN: "change it in the settings file of the program that runs the session", ZH: "在运行此会话的程序的设置文件中修改"}
	notChanged   = i18n.Text{EN: "The settings file was not changed", ZH: "设置文件未更改"}
	TextPaste    = i18n.Text{EN: "Put this into the settings file:", ZH: "请把以下内容写入设置文件："}
	noSuch       = i18n.Text{EN: "No setting named %s", ZH: "没有名为 %s 的设置"}
	oneSetting   = i18n.Text{EN: "Setting: %s", ZH: "设置：%s"}
	copyLines    = i18n.Text{EN: "Copy for the file", ZH: "复制文件用的内容"}
)

// titles are what settings are called besides their keys, which the file has.
var titles = map[string]i18n.Text{
	theme:                         {EN: "Theme", ZH: "主题"},
	"lang":                        {EN: "Language", ZH: "语言"},
	mouse:                         {EN: "Mouse", ZH: "鼠标"},
	"notify":                      {EN: "Notifications", ZH: "通知"},
	"notify_by":                   {EN: "Way of notifying", ZH: "通知方式"},
	mode:                          {EN: "Approvals", ZH: "审批模式"},
	"http":                        {EN: "Access over HTTP", ZH: "HTTP 访问"},
	"currency":                    {EN: "Currency", ZH: "货币"},
	"workspace":                   {EN: "Workspace", ZH: "工作区"},
	"isolate":                     {EN: "Worktrees of agents", ZH: "智能体的工作树"},
	"on_hangup":                   {EN: "When the terminal closes", ZH: "终端关闭时"},
	"session":                     {EN: "Session", ZH: "会话"},
	"data":                        {EN: "Data", ZH: "数据"},
	file:                          {EN: "Settings file", ZH: "设置文件"},
	"logs":                        {EN: "Folder of logs", ZH: "日志文件夹"},
	"templates":                   {EN: "Folder of templates", ZH: "模板文件夹"},
	"themes":                      {EN: "Folder of themes", ZH: "主题文件夹"},
	"log_level":                   {EN: "Log level", ZH: "日志级别"},
	"ascii":                       {EN: "ASCII only", ZH: "仅用 ASCII"},
	"plain":                       {EN: "Plain lines", ZH: "逐行模式"},
	"reduced_motion":              {EN: "No animations", ZH: "减少动画"},
	"prompts.addition":            {EN: "Instructions for all agents", ZH: "给所有智能体的指示"},
	model:                         {EN: "Model", ZH: "模型"},
	offline:                       {EN: "Offline model", ZH: "离线模型"},
	"model.offline_pace":          {EN: "Pace of the offline model", ZH: "离线模型的速度"},
	"model.base_url":              {EN: "Address of the API", ZH: "API 地址"},
	"model.key_env":               {EN: "Variable with the key", ZH: "存放密钥的变量"},
	"model.key":                   {EN: "Key", ZH: "密钥"},
	"model.key_from":              {EN: "Place of the key", ZH: "密钥所在位置"},
	"model.key_header":            {EN: "Header with the key", ZH: "密钥的请求头"},
	"model.model":                 {EN: "Name at the endpoint", ZH: "服务端的名称"},
	"model.context_window":        {EN: "Context window", ZH: "上下文窗口"},
	"model.max_tokens":            {EN: "Tokens of an answer at most", ZH: "回答词元上限"},
	"model.calls":                 {EN: "Calls of this model at a time", ZH: "此模型的同时调用上限"},
	"model.rpm":                   {EN: "Calls a minute", ZH: "每分钟调用上限"},
	"model.tpm":                   {EN: "Tokens a minute", ZH: "每分钟词元上限"},
	"model.fallback":              {EN: "Fallback models", ZH: "后备模型"},
	"model.capabilities":          {EN: "Capabilities", ZH: "能力"},
	"model.images":                {EN: "Images", ZH: "图像"},
	"model.price":                 {EN: "Price of tokens", ZH: "词元价格"},
	"model.headers":               {EN: "Further headers", ZH: "其他请求头"},
	"model.query":                 {EN: "Further parameters of the address", ZH: "其他地址参数"},
	"model.extra_body":            {EN: "Further fields of requests", ZH: "其他请求字段"},
	"model.reasoning":             {EN: "Reasoning", ZH: "推理"},
	"model.reasoning_form":        {EN: "Form of reasoning", ZH: "推理参数的形式"},
	"model.temperature":           {EN: "Temperature", ZH: "温度"},
	"model.top_p":                 {EN: "Top p", ZH: "Top p"},
	"model.cache":                 {EN: "Cache of prompts", ZH: "提示词缓存"},
	"model.plain_http":            {EN: "Key over plain HTTP", ZH: "经明文 HTTP 发送密钥"},
	"model.idle_timeout":          {EN: "Time without output at most", ZH: "无输出时限"},
	"tools.groups":                {EN: "Groups of tools", ZH: "工具组"},
	"shell.also_read":             {EN: "Further folders to read", ZH: "可另外读取的文件夹"},
	"shell.env":                   {EN: "Variables of commands", ZH: "命令的环境变量"},
	"shell.free_in_sandbox":       {EN: "Commands without asking", ZH: "沙箱内命令免询问"},
	"limits.agents":               {EN: "Agents at most", ZH: "智能体上限"},
	"limits.depth":                {EN: "Levels at most", ZH: "层级上限"},
	"limits.children":             {EN: "Children at most", ZH: "直属下级上限"},
	"limits.spawns_per_minute":    {EN: "New agents a minute", ZH: "每分钟新建智能体上限"},
	"limits.tool_rounds":          {EN: "Rounds of tools in a turn", ZH: "每轮工具往返上限"},
	"limits.repeats_warned":       {EN: "Repeated calls: warning", ZH: "重复调用警告"},
	"limits.repeats_ended":        {EN: "Repeated calls: end", ZH: "重复调用中止"},
	"limits.task_messages":        {EN: "Messages in a task", ZH: "每任务消息上限"},
	"limits.model_calls":          {EN: "Model calls at a time", ZH: "同时调用模型上限"},
	"limits.queue":                {EN: "Unread messages at most", ZH: "未读消息上限"},
	"limits.max_context_messages": {EN: "Entries before a compression", ZH: "压缩前条目上限"},
	"limits.keep_recent":          {EN: "Entries kept by a compression", ZH: "压缩保留条目数"},
	"limits.drain_time":           {EN: "Time to finish unread messages", ZH: "处理未读消息的时限"},
	"limits.drain_messages":       {EN: "Unread messages to finish", ZH: "终止前处理的消息上限"},
	"limits.approval_wait":        {EN: "Wait for your yes", ZH: "等待批准的时限"},
	taskCost:                      {EN: "Budget of a task", ZH: "任务预算"},
	"limits.task_tokens":          {EN: "Budget of a task in tokens", ZH: "任务的词元预算"},
	dayCost:                       {EN: "Budget of a day", ZH: "每日预算"},
	"limits.day_tokens":           {EN: "Budget of a day in tokens", ZH: "每日词元预算"},
	"limits.idle_warning":         {EN: "Warning about idle agents", ZH: "空闲警告"},
}

// synonyms are other words for settings.
var synonyms = map[string]i18n.Text{
	"lang":           {EN: "chinese english locale", ZH: "中文 英文 汉语 英语"},
	"currency":       {EN: "money dollar euro yuan", ZH: "人民币 美元 欧元 金额 钱"},
	"notify":         {EN: "sound bell", ZH: "声音 铃声 提醒"},
	"notify_by":      {EN: "sound bell", ZH: "声音 铃声"},
	"reduced_motion": {EN: "still motion", ZH: "动画 静止"},
}

// elsewhere are the settings that a command of their own changes, which the palette has.
var elsewhere = []string{theme, mode, "session"}

package models

import "society-tui/runtime/i18n"

// The list of models.
var (
	title        = i18n.Text{EN: "Models", ZH: "模型"}
	byDefault    = i18n.Text{EN: "the default", ZH: "默认模型"}
	window       = i18n.Text{EN: "context of %s tokens", ZH: "上下文 %s 词元"}
	notUsed      = i18n.Text{EN: "Not used yet", ZH: "尚未使用"}
	answered     = i18n.Text{EN: "OK", ZH: "正常"}
	failed       = i18n.Text{EN: "Last call failed: %s", ZH: "上次调用失败：%s"}
	usedBy       = i18n.Text{EN: "roles: %s", ZH: "使用它的角色：%s"}
	noRoles      = i18n.Text{EN: "no role uses it", ZH: "没有角色使用它"}
	isDefault    = i18n.Text{EN: "%s is already the default", ZH: "%s 已是默认模型"}
	hintRole     = i18n.Text{EN: "{list.model} in /roles gives one role another", ZH: "/roles 中按 {list.model} 为单个角色选择"}
	setUpAnother = i18n.Text{EN: "Set up another model", ZH: "再设置一个模型"}
	setUpReal    = i18n.Text{EN: "Set up a real model", ZH: "设置真实模型"}
	setUpSays    = i18n.Text{EN: "{list.take} shows what to write in the shell or in %s", ZH: "按 {list.take} 查看要写的内容，写在终端或 %s"}
)

// Setting up a model.
var (
	setUpTitle   = i18n.Text{EN: "Set up a model", ZH: "设置模型"}
	setUpHow     = i18n.Text{EN: "Replace the parts in < > and restart. An endpoint without a key does not need the first line.", ZH: "替换 < > 中的内容，然后重新启动。无需密钥的端点不用第一行。"}
	anyKey       = i18n.Text{EN: "<key>", ZH: "<密钥>"}
	anyName      = i18n.Text{EN: "<model>", ZH: "<模型>"}
	defaultTitle = i18n.Text{EN: "Make %s the default", ZH: "以 %s 为默认模型"}
	defaultHow   = i18n.Text{EN: "The default is chosen at the start. Quit, and start in one of these ways:", ZH: "默认模型在启动时选定。退出后用以下任一方式启动："}
	offlineOnly  = i18n.Text{EN: "Then only the offline model is used, whatever roles ask for.", ZH: "这样一来，无论角色指定什么，都只使用离线模型。"}
	inShell      = i18n.Text{EN: "In the shell", ZH: "在终端中"}
	inShellOnce  = i18n.Text{EN: "In the shell, for one run (or with SOCIETY_MODEL)", ZH: "在终端中，仅这一次（或用 SOCIETY_MODEL）"}
	inFile       = i18n.Text{EN: "Or in the settings file, which can hold several", ZH: "或写入设置文件，可以写多个"}
	inFileAlways = i18n.Text{EN: "Or in the settings file, for every run", ZH: "或写入设置文件，今后一直有效"}
	keyStays     = i18n.Text{EN: "The key stays in its variable. society-tui models checks that each model answers.", ZH: "密钥留在环境变量里。society-tui models 检查每个模型是否应答。"}
	copyForShell = i18n.Text{EN: "Copy for the shell", ZH: "复制终端用的"}
	copyForFile  = i18n.Text{EN: "Copy for the file", ZH: "复制文件用的"}
)

// Choosing the model of a role.
var (
	choiceTitle   = i18n.Text{EN: "Model of %s", ZH: "%s 的模型"}
	byDefaultSays = i18n.Text{EN: "whichever the settings name", ZH: "由设置决定"}
	anyModelNow   = i18n.Text{EN: "now: %s", ZH: "目前：%s"}
)

// Missing models.
var (
	semicolon        = i18n.Text{EN: "; ", ZH: "；"}
	missingModel     = i18n.Text{EN: "Role %s needs model %s, which is not set up", ZH: "角色 %s 需要模型 %s，但它未设置"}
	missingNodeModel = i18n.Text{EN: "Step %s of graph %s needs model %s, which is not set up", ZH: "步骤 %s（图 %s）需要模型 %s，但它未设置"}
	missingTool      = i18n.Text{EN: "Step %s of graph %s names tool %s, which does not exist", ZH: "步骤 %s（图 %s）所列的工具 %s 不存在"}
	missingGraph     = i18n.Text{EN: "Role %s still uses graph %s, which is no longer in the settings", ZH: "角色 %s 仍在使用图 %s，它已不在设置中"}
	hintModel        = i18n.Text{EN: "{roles}, then {list.model}: choose another", ZH: "{roles}，再按 {list.model}：另选"}
	hintGraph        = i18n.Text{EN: "{roles}, then {list.graph}: choose another", ZH: "{roles}，再按 {list.graph}：另选"}
)

package models

import "society-tui/runtime/i18n"

// The list of models.
var (
	effort       = i18n.Text{EN: "effort %s", ZH: "思考强度 %s"}
	title        = i18n.Text{EN: "Models", ZH: "模型"}
	byDefault    = i18n.Text{EN: "the default", ZH: "默认模型"}
	notUsed      = i18n.Text{EN: "Not used since the start", ZH: "启动后尚未使用"}
	asked        = i18n.Text{EN: "Answering now", ZH: "正在回答"}
	answered     = i18n.Text{EN: "OK", ZH: "正常"}
	failed       = i18n.Text{EN: "Last call failed: %s", ZH: "上次调用失败：%s"}
	usedBy       = i18n.Text{EN: "roles: %s", ZH: "使用它的角色：%s"}
	usedAlone    = i18n.Text{EN: "agents: %s", ZH: "使用它的智能体：%s"}
	noRoles      = i18n.Text{EN: "nobody uses it", ZH: "没有角色或智能体使用它"}
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
	missingOwnModel  = i18n.Text{EN: "%s needs model %s, which is not set up", ZH: "%s需要模型 %s，但它未设置"}
	missingNodeModel = i18n.Text{EN: "Step %s of graph %s needs model %s, which is not set up", ZH: "步骤 %s（图 %s）需要模型 %s，但它未设置"}
	missingTool      = i18n.Text{EN: "Step %s of graph %s names tool %s, which does not exist", ZH: "步骤 %s（图 %s）所列的工具 %s 不存在"}
	missingGraph     = i18n.Text{EN: "Role %s still uses graph %s, which is no longer in the settings", ZH: "角色 %s 仍在使用图 %s，它已不在设置中"}
	hintModel        = i18n.Text{EN: "{roles}, then {list.model}: choose another", ZH: "{roles}，再按 {list.model}：另选"}
	hintAgent        = i18n.Text{EN: "/model NAME: choose another", ZH: "/model 名称：另选"}
	hintNode         = i18n.Text{EN: "/models: set it up", ZH: "/models：设置该模型"}
	hintGraph        = i18n.Text{EN: "{roles}, then {list.graph}: choose another", ZH: "{roles}，再按 {list.graph}：另选"}
)

// The steps of setting a model up.
var (
	stepTitle    = i18n.Text{EN: "Set up a model · %d of %d · %s", ZH: "设置模型 · 第 %d 步，共 %d 步 · %s"}
	editTitle    = i18n.Text{EN: "Edit %s · %d of %d · %s", ZH: "编辑 %s · 第 %d 步，共 %d 步 · %s"}
	stepProvider = i18n.Text{EN: "Provider", ZH: "提供商"}
	stepAddress  = i18n.Text{EN: "Address", ZH: "地址"}
	stepKey      = i18n.Text{EN: "Key", ZH: "密钥"}
	stepTest     = i18n.Text{EN: "Test", ZH: "测试"}
	stepModel    = i18n.Text{EN: "Model", ZH: "模型"}
	stepDone     = i18n.Text{EN: "Save", ZH: "保存"}
	goBack       = i18n.Text{EN: "Back", ZH: "返回"}
	goOn         = i18n.Text{EN: "Next", ZH: "下一步"}

	otherAddress      = i18n.Text{EN: "Another address", ZH: "其他地址"}
	otherAddressSays  = i18n.Text{EN: "Any OpenAI-compatible API", ZH: "任何兼容 OpenAI 的 API"}
	otherAddressAlone = i18n.Text{EN: "Nothing found. {list.take} goes on to type an address", ZH: "没有找到。按 {list.take} 继续输入地址"}
	onThisMachine     = i18n.Text{EN: "answers on this machine", ZH: "正在本机应答"}
	variableIsSet     = i18n.Text{EN: "%s is set", ZH: "已设置 %s"}
	countModels       = i18n.Plural{One: "%d model", Other: "%d models", ZH: "%d 个模型"}

	addressLabel = i18n.Text{EN: "Address:", ZH: "地址："}
	addressIs    = i18n.Text{EN: "Now %s", ZH: "现在是 %s"}
	withoutKey   = i18n.Text{EN: "Without a key", ZH: "不用密钥"}
	withKey      = i18n.Text{EN: "Send a key too", ZH: "也发送密钥"}

	unlistedSays  = i18n.Text{EN: "Without the list you can type the name of a model.", ZH: "没有列表时，可以输入模型名称。"}
	changeKey     = i18n.Text{EN: "Other key", ZH: "更换密钥"}
	changeAddress = i18n.Text{EN: "Other address", ZH: "更换地址"}
	changeModel   = i18n.Text{EN: "Other model", ZH: "更换模型"}
	askAgain      = i18n.Text{EN: "Test again", ZH: "重新测试"}
	anyway        = i18n.Text{EN: "Save anyway", ZH: "仍然保存"}
	chooseName    = i18n.Text{EN: "Choose a name", ZH: "选择名称"}
	typeName      = i18n.Text{EN: "Type a name", ZH: "输入名称"}
	typeNameAlone = i18n.Text{EN: "Not listed. {list.take} goes on with the name as typed", ZH: "未列出。按 {list.take} 用输入的名称继续"}
	leftSays      = i18n.Text{EN: "Not saved yet. What you entered stays until you quit", ZH: "尚未保存。已输入的内容保留到退出为止"}
	hintGoOn      = i18n.Text{EN: "%s goes on", ZH: "%s 继续设置"}
	typeNameSays  = i18n.Text{EN: "For a model that is not listed", ZH: "用于未列出的模型"}
	modelLabel    = i18n.Text{EN: "Model:", ZH: "模型："}

	doneSays      = i18n.Text{EN: "Roles and you use this name for it. It will be saved in %s", ZH: "角色和你用这个名称称呼它。将保存到 %s"}
	nameLabel     = i18n.Text{EN: "Name:", ZH: "名称："}
	saveOnly      = i18n.Text{EN: "Save", ZH: "保存"}
	saveAsDefault = i18n.Text{EN: "Save as default", ZH: "保存并设为默认"}
	thisRunOnly   = i18n.Text{EN: "Holds for this run", ZH: "仅在本次运行中有效"}
	pasteTitle    = i18n.Text{EN: "Put these lines into the settings:", ZH: "请把这些行写入设置："}
)

// What can be done with a model.
var (
	setUpHere     = i18n.Text{EN: "A provider, a local server, or any address", ZH: "提供商、本地服务器或任意地址"}
	isDisabled    = i18n.Text{EN: "not available", ZH: "不可用"}
	waits         = i18n.Text{EN: "not in use", ZH: "未使用"}
	hintFile      = i18n.Text{EN: "correct it in %s", ZH: "请在 %s 中更正"}
	makeDefault   = i18n.Text{EN: "Make default", ZH: "设为默认"}
	isNowDefault  = i18n.Text{EN: "%s answers from now on", ZH: "从现在起由 %s 回答"}
	testTitle     = i18n.Text{EN: "Test %s", ZH: "测试 %s"}
	testModel     = i18n.Text{EN: "Test", ZH: "测试"}
	editModel     = i18n.Text{EN: "Edit", ZH: "编辑"}
	removeModel   = i18n.Text{EN: "Remove", ZH: "移除"}
	removeTitle   = i18n.Text{EN: "Remove %s?", ZH: "移除 %s？"}
	removeSays    = i18n.Text{EN: "It is taken out of the settings, with the key that was entered for it alone.", ZH: "它将从设置中移除，只为它输入的密钥也一并移除。"}
	rolesThen     = i18n.Text{EN: "Roles that then use the default: %s", ZH: "改用默认模型的角色：%s"}
	agentsThen    = i18n.Text{EN: "Agents that then use the model of their roles: %s", ZH: "改用其角色模型的智能体：%s"}
	nextDefault   = i18n.Text{EN: "%s becomes the default.", ZH: "%s 成为默认模型。"}
	offlineThen   = i18n.Text{EN: "It is the last one: the built-in offline model answers then.", ZH: "这是最后一个模型：之后由内置的离线模型回答。"}
	nothingLearnt = i18n.Text{EN: "Nothing was learnt of %s", ZH: "还没有得知 %s 的任何情况"}
	failedOnIt    = i18n.Text{EN: "%s failed: /retry %s asks again", ZH: "%s 失败过：/retry %s 再问一次"}
	removed       = i18n.Text{EN: "Removed %s", ZH: "已移除 %s"}
	forgetLearnt  = i18n.Text{EN: "Forget what was learnt", ZH: "忘掉已得知的情况"}
	useFor        = i18n.Text{EN: "Use for…", ZH: "用于…"}
	useForTitle   = i18n.Text{EN: "Who uses %s?", ZH: "谁使用 %s？"}
	allAgents     = i18n.Text{EN: "All agents", ZH: "所有智能体"}
	allNowUse     = i18n.Text{EN: "All agents now use %s", ZH: "所有智能体现在使用：%s"}
	allAgentsSay  = i18n.Text{EN: "Whatever their roles, from their next request on", ZH: "无论角色，从各自的下一次请求起"}
	roleIs        = i18n.Text{EN: "Role %s", ZH: "角色 %s"}
	agentIs       = i18n.Text{EN: "Only %s", ZH: "仅 %s"}
	itsOwn        = i18n.Text{EN: "now: %s, for it alone", ZH: "目前：%s，仅用于它"}
)

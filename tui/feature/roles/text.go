package roles

import "society-tui/runtime/i18n"

// The list, and the details of a role.
var (
	hintView          = i18n.Text{EN: "view", ZH: "查看"}
	hintNew           = i18n.Text{EN: "new", ZH: "新建"}
	hintEdit          = i18n.Text{EN: "edit", ZH: "编辑"}
	hintModelAndGraph = i18n.Text{EN: "model · {list.graph} graph", ZH: "模型 · {list.graph} 图"}
	noAgents          = i18n.Text{EN: "no agents", ZH: "没有智能体"}
	madeBy            = i18n.Text{EN: "made by %s", ZH: "由 %s 创建"}
	madeByYou         = i18n.Text{EN: "made by you", ZH: "由你创建"}
	builtIn           = i18n.Text{EN: "built in", ZH: "内置"}
	fromTemplate      = i18n.Text{EN: "from template %s", ZH: "来自模板 %s"}
	hasModel          = i18n.Text{EN: "model: %s", ZH: "模型：%s"}
	hasEffort         = i18n.Text{EN: "effort %s", ZH: "思考强度 %s"}
	hasGraph          = i18n.Text{EN: "graph: %s", ZH: "图：%s"}
	tools             = i18n.Text{EN: "tools: %s", ZH: "工具：%s"}
	editedAt          = i18n.Text{EN: "edited by you: %s", ZH: "你编辑于：%s"}
	viewTitle         = i18n.Text{EN: "Role %s", ZH: "角色 %s"}
	interfaceTitle    = i18n.Text{EN: "How to ask it", ZH: "如何向其提出请求"}
	services          = i18n.Text{EN: "services: ", ZH: "服务："}
	inputFormat       = i18n.Text{EN: "input: ", ZH: "输入："}
	outputFormat      = i18n.Text{EN: "output: ", ZH: "输出："}
	examples          = i18n.Text{EN: "for example: ", ZH: "例如："}
	editButton        = i18n.Text{EN: "Edit", ZH: "编辑"}
	modelButton       = i18n.Text{EN: "Model", ZH: "模型"}
	graphButton       = i18n.Text{EN: "Graph", ZH: "图"}
)

// Creating and editing.
var (
	editTitle     = i18n.Text{EN: "Prompt of %s", ZH: "%s 的提示词"}
	createTitle   = i18n.Text{EN: "New role: name on the first line, prompt below", ZH: "新角色：第一行写名称，下面写提示词"}
	exampleName   = i18n.Text{EN: "Proofreader", ZH: "校对员"}
	examplePrompt = i18n.Text{EN: "You find every mistake in a text and change nothing else.", ZH: "你找出文本中的每一处错误，不改动其他内容。"}
	created       = i18n.Text{EN: "Created role %s", ZH: "已创建角色 %s"}
	hintCreated   = i18n.Text{EN: "agents find it with find_role; tell root to use it", ZH: "智能体可用 find_role 找到它；可告诉 root 使用它"}
	saved         = i18n.Plural{One: "Saved the prompt of %[2]s; its agent uses it from the next request", Other: "Saved the prompt of %[2]s; its %[1]d agents use it from their next request", ZH: "已保存 %[2]s 的提示词；其 %[1]d 个智能体从下一次请求起使用"}
	savedForNone  = i18n.Text{EN: "Saved the prompt of %s; no agent has this role now", ZH: "已保存 %s 的提示词；目前没有智能体属于此角色"}
	unchanged     = i18n.Text{EN: "The prompt of %s is unchanged", ZH: "%s 的提示词没有变化"}
	needsName     = i18n.Text{EN: "A role needs a name on its first line", ZH: "角色需要名称，写在第一行"}
	needsPrompt   = i18n.Text{EN: "A role needs a prompt: what its agents do, and how", ZH: "角色需要提示词：其智能体做什么、怎么做"}
)

// Creating agents.
var (
	needsRole     = i18n.Text{EN: "/spawn needs the name of a role", ZH: "/spawn 需要角色的名称"}
	unknownRole   = i18n.Text{EN: "No role named %s", ZH: "没有名为 %s 的角色"}
	hintRoles     = i18n.Text{EN: "/roles lists them, and makes one", ZH: "/roles 列出角色，也可新建"}
	hintRolesOnly = i18n.Text{EN: "/roles lists them", ZH: "/roles 列出角色"}
	spawned       = i18n.Text{EN: "Created %s under %s", ZH: "已创建 %s，在 %s 之下"}
	hintSpawned   = i18n.Text{EN: "write to it to start it", ZH: "写一条消息让它开始"}
)

// A prompt that another screen has changed.
var (
	overwriteTitle = i18n.Text{EN: "The prompt of %s has changed", ZH: "%s 的提示词已被更改"}
	overwriteBody  = i18n.Text{EN: "Another screen has saved this one since you opened it. Saving yours replaces it.", ZH: "你打开之后，另一个界面保存了下面这一份。保存你的将替换它。"}
	overwrite      = i18n.Text{EN: "Save yours", ZH: "保存你的"}
)

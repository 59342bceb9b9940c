package words

import "society-tui/runtime/protocol"

// Roles are the words for what the person does with roles and templates.
type Roles struct {
	Title  string
	Nobody string // how many agents have a role
	One    string
	Agents string // %d
	MadeBy string // %s
	ByYou  string
	// FromTemplate is for roles that were planted. %s is the template.
	FromTemplate string
	Tools        string // %s: groups of tools
	AllTools     string
	Model        string // %s
	EditedAt     string // %s: when
	Interface    string // the heading of how others are to ask its agents
	// Before each part of it.
	Services, InputFormat, OutputFormat, InterfaceExamples string
	View                                                   string // %s: the title of a role in full
	Edit                                                   string // a button
	Choose                                                 string // another one
	ChooseGraph                                            string // a third
	Close                                                  string

	ModelOf      string // %s: the title of the models that a role can ask for
	DefaultModel string
	DefaultSays  string
	AnyModel     string // %s: a capability that any model may have
	AnySays      string // %s: the model that has it now
	Window       string // %s tokens
	AskedNow     string
	ModelChosen  string // %s: the role, %s: what it asks for
	ModelKept    string // the same
	Stranded     string // %s: a role, %s: what it asks for and is not there
	StrandedNode string // %s: a node, %s: its graph, %s: the model that it asks for
	MissingTool  string // %s: a node, %s: its graph, %s: the tool that it names
	HintStranded string

	LostGraph     string // %s: a role, %s: a graph that is in the settings no more
	HintLostGraph string

	Graph        string // %s: the one that a role has
	GraphOf      string // %s: the title of the graphs that a role can have
	NoGraph      string
	NoGraphSays  string
	GraphChosen  string // %s: the role, %s: the graph
	GraphKept    string // the same
	HintGraph    string // what becomes of turns that are in the middle
	UnknownGraph string // %s
	HintGraphs   string

	Editing string // %s: the title of a prompt that is written
	Making  string // the title of a role that is made
	// What stands there in the beginning: a name, and beneath it a prompt.
	ExampleName, ExamplePrompt string

	Made        string // %s
	Edited      string // %s, %d agents
	EditedOne   string // %s
	EditedNone  string // %s
	Unchanged   string // %s
	NeedsName   string
	NeedsPrompt string
	HintMade    string
	BuiltIn     string
}

// ForRoles returns the words in lang; English for a language it does not know.
func ForRoles(lang protocol.Lang) Roles {
	if lang == protocol.Chinese {
		return chineseRoles()
	}
	return Roles{
		Title: "Roles", Nobody: "no agent", One: "1 agent", Agents: "%d agents",
		MadeBy: "made by %s", ByYou: "made by you", FromTemplate: "from template %s",
		Tools: "tools: %s", AllTools: "all tools", Model: "model: %s", EditedAt: "edited by you: %s",
		Interface: "How others ask it",
		Services:  "offers: ", InputFormat: "wants: ", OutputFormat: "gives back: ", InterfaceExamples: "for example: ",
		ChooseGraph: "Graph", Graph: "graph: %s", GraphOf: "Graph of %s", NoGraph: "a single step", NoGraphSays: "each turn is one task for the model, with its tools",
		GraphChosen: "turns of %s now run through %s", GraphKept: "turns of %s run through %s already",
		HintGraph:    "those in their midst fail: resume them",
		UnknownGraph: "there is no graph %s", HintGraphs: "/graph lists them",
		View: "Role %s", Edit: "Edit", Choose: "Model", Close: "Close",
		ModelOf: "Model of %s", DefaultModel: "the default", DefaultSays: "whatever the settings say",
		AnyModel: "any: %s", AnySays: "now: %s", Window: "context of %s tokens", AskedNow: "chosen now",
		ModelChosen: "agents of %s think with %s from their next request on", ModelKept: "agents of %s think with %s already",
		Stranded:     "the role %s asks for the model %s, which is not set up",
		StrandedNode: "the step %s of the graph %s asks for the model %s, which is not set up",
		MissingTool:  "the step %s of the graph %s names the tool %s, which there is not", HintStranded: "alt+r, m: another",
		LostGraph: "the role %s goes on with the graph %s, which is not in the settings any more", HintLostGraph: "alt+r, g: another",
		Editing: "Prompt of %s", Making: "A new role: first its name, then what its agents are told",
		ExampleName: "Proof reader", ExamplePrompt: "You find each slip in a text, and change nothing else.",
		Made:       "the role %s is made",
		Edited:     "prompt of %s saved: its %d agents are told it from their next request on",
		EditedOne:  "prompt of %s saved: its agent is told it from its next request on",
		EditedNone: "prompt of %s saved: no agent has the role now",
		Unchanged:  "the prompt of %s is as it was",
		NeedsName:  "a role needs a name, in its first line", NeedsPrompt: "a role needs a prompt: what its agents do, and how",
		HintMade: "agents find it with find_role; tell root to use it", BuiltIn: "built in",
	}
}

func chineseRoles() Roles {
	return Roles{
		Title: "角色", Nobody: "没有智能体", One: "1 个智能体", Agents: "%d 个智能体",
		MadeBy: "由 %s 创建", ByYou: "由你创建", FromTemplate: "来自模板 %s",
		Tools: "工具：%s", AllTools: "全部工具", Model: "模型：%s", EditedAt: "你编辑于：%s",
		Interface: "如何向其提出请求",
		Services:  "服务：", InputFormat: "输入：", OutputFormat: "输出：", InterfaceExamples: "例如：",
		ChooseGraph: "图", Graph: "图：%s", GraphOf: "%s 的图", NoGraph: "单步", NoGraphSays: "每一轮都是交给模型及其工具的一个任务",
		GraphChosen: "%s 的回合今后经过：%s", GraphKept: "%s 的回合已经过：%s",
		HintGraph:    "进行中的回合会失败：请恢复它们",
		UnknownGraph: "没有图 %s", HintGraphs: "/graph 列出全部",
		View: "角色 %s", Edit: "编辑", Choose: "模型", Close: "关闭",
		ModelOf: "%s 的模型", DefaultModel: "默认模型", DefaultSays: "由设置决定",
		AnyModel: "任一：%s", AnySays: "目前：%s", Window: "上下文 %s 词元", AskedNow: "当前选择",
		ModelChosen: "%s 的智能体从下一次请求起使用：%s", ModelKept: "%s 的智能体已在使用：%s",
		Stranded: "角色 %s 要求的模型 %s 未设置", StrandedNode: "步骤 %s（图 %s）要求的模型 %s 未设置",
		MissingTool: "步骤 %s（图 %s）所列的工具 %s 不存在", HintStranded: "alt+r、m：另选",
		LostGraph: "角色 %s 继续使用图 %s，它已不在设置中", HintLostGraph: "alt+r、g：另选",
		Editing: "%s 的提示词", Making: "新角色：先写名称，再写其智能体须知",
		ExampleName: "校对员", ExamplePrompt: "你找出文本中的每一处差错，不改动其他内容。",
		Made:       "角色 %s 已创建",
		Edited:     "%s 的提示词已保存：其 %d 个智能体从下一次请求起使用",
		EditedOne:  "%s 的提示词已保存：其智能体从下一次请求起使用",
		EditedNone: "%s 的提示词已保存：目前没有智能体属于此角色",
		Unchanged:  "%s 的提示词没有变化",
		NeedsName:  "角色需要名称，写在第一行", NeedsPrompt: "角色需要提示词：其智能体做什么、怎么做",
		HintMade: "智能体可用 find_role 找到它；可告诉 root 使用它", BuiltIn: "内置",
	}
}

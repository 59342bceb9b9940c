package setupstep

import (
	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
)

// What the steps say.
var (
	Goes           = i18n.Text{EN: "Roles that name it then use the default, agents that were given it alone use the model of their roles.", ZH: "指定它的角色改用默认模型；单独选用它的智能体改用其角色的模型。"}
	PlainSays      = i18n.Text{EN: "%s is not encrypted: others in your network can read what is sent, and a key too.", ZH: "%s 没有加密：你网络中的其他人可以读取所发内容，也包括密钥。"}
	PublicSays     = i18n.Text{EN: "%s is not encrypted and not in your network: anybody on the way can read what is sent, and a key too.", ZH: "%s 没有加密，也不在你的网络中：途中任何人都可以读取所发内容，也包括密钥。"}
	NoTools        = i18n.Text{EN: "It did not call the tool. Agents need a model that does.", ZH: "它没有调用工具。智能体需要会调用工具的模型。"}
	saved          = i18n.Text{EN: "%s is set up", ZH: "%s 已设置"}
	savedWaits     = i18n.Text{EN: "%s is set up; /models makes it the default", ZH: "%s 已设置；用 /models 设为默认模型"}
	savedAsDefault = i18n.Text{EN: "%s is set up and answers from now on", ZH: "%s 已设置，从现在起由它回答"}
	Overridden     = i18n.Text{EN: "at the next start %s decides about the default", ZH: "下次启动时由 %s 决定默认模型"}
	KeyInFile      = i18n.Text{EN: "the key is in keys.toml, because there is no keyring (%s)", ZH: "密钥在 keys.toml 中，因为没有密钥环（%s）"}
	TypeModel      = i18n.Text{EN: "The name of the model at this endpoint.", ZH: "模型在此端点上的名称。"}
	NoList         = i18n.Text{EN: "This endpoint has no list of models.", ZH: "此端点没有模型列表。"}
	AsksList       = i18n.Text{EN: "Asking %s for its models…", ZH: "正在向 %s 查询模型…"}
	AsksModel      = i18n.Text{EN: "Asking %s for a short answer…", ZH: "正在请 %s 简短回答…"}
	Near           = i18n.Text{EN: "Similar names there: %s", ZH: "那里的相近名称：%s"}
	ContextOf      = i18n.Text{EN: "context of %s tokens", ZH: "上下文 %s 词元"}
	Context        = i18n.Text{EN: "Context", ZH: "上下文"}
	NoContext      = i18n.Text{EN: "unknown; context_window in the settings file sets it", ZH: "未知；可在设置文件中用 context_window 写明"}
	pricesAre      = i18n.Text{EN: "%s%g in, %g out", ZH: "%s输入 %g，输出 %g"}
	noTools        = i18n.Text{EN: "no tools", ZH: "不调用工具"}
	thinks         = i18n.Text{EN: "thinks first", ZH: "先思考"}
	Unknown        = i18n.Text{EN: "unknown", ZH: "未知"}
	OwnAddress     = i18n.Text{EN: "%s gives you an address of your own: copy it from your account there.", ZH: "%s 为你提供专属地址：请从你在那里的账户中复制。"}
	Address        = i18n.Text{EN: "The address of the API, for example https://api.openai.com/v1. A missing https:// or /v1 is added.", ZH: "API 的地址，例如 https://api.openai.com/v1。缺少的 https:// 或 /v1 会自动补上。"}
)

// The parts of a trial.
var (
	partReached = i18n.Text{EN: "Reached", ZH: "连接"}
	partKey     = i18n.Text{EN: "Key", ZH: "密钥"}
	partStream  = i18n.Text{EN: "Stream", ZH: "流式回答"}
	partTools   = i18n.Text{EN: "Tools", ZH: "工具"}
	partUsage   = i18n.Text{EN: "Token counts", ZH: "词元计数"}
	works       = i18n.Text{EN: "OK", ZH: "正常"}
	fails       = i18n.Text{EN: "failed", ZH: "失败"}
)

// What to do after a failed test, by the class of the failure.
var (
	nextOther = i18n.Text{EN: "Test again.", ZH: "请重新测试。"}
	nextSteps = map[string]nextStep{
		"auth":     {OtherKey, i18n.Text{EN: "Enter another key.", ZH: "请输入另一个密钥。"}},
		"quota":    {GoBack, i18n.Text{EN: "Top up your account, or choose another endpoint.", ZH: "请充值，或选用另一个端点。"}},
		"rate":     {AskAgain, i18n.Text{EN: "Wait a moment, then test again.", ZH: "请稍候再测试。"}},
		"network":  {OtherAddress, i18n.Text{EN: "Check the address, and the proxy if there is one.", ZH: "请检查地址；如有代理，也请检查。"}},
		"model":    {OtherModel, i18n.Text{EN: "Choose another model.", ZH: "请选用另一个模型。"}},
		"protocol": {OtherModel, i18n.Text{EN: "Choose a model that chats and calls tools.", ZH: "请选用能对话并调用工具的模型。"}},
		"not_chat": {OtherAddress, i18n.Text{EN: "Check the address: it usually ends in /v1.", ZH: "请检查地址：通常以 /v1 结尾。"}},
		"request":  {GoBack, i18n.Text{EN: "Check the model and the address.", ZH: "请检查模型和地址。"}},
		"budget":   {AskAgain, i18n.Text{EN: "Then test again.", ZH: "然后重新测试。"}},
		"overload": {AskAgain, i18n.Text{EN: "The endpoint has a fault or too much to do. Test again.", ZH: "端点出错或过载。请重新测试。"}},
	}
)

// A nextStep is what helps after a failure, and how it is said.
type nextStep struct {
	is   Remedy
	says i18n.Text
}

// What is to be entered.
var (
	needsKey  = i18n.Text{EN: "A key is needed here. If the endpoint wants none, go back and choose No key.", ZH: "这里需要密钥。如果端点不需要密钥，请返回并选择“无密钥”。"}
	needsText = i18n.Text{EN: "Something is to be entered here; or go back and choose another place for the key.", ZH: "这里需要输入内容；也可以返回，另选密钥的存放处。"}
)

var sameKey = i18n.Text{EN: "Same key as %s", ZH: "与 %s 相同的密钥"}

var variableSet = i18n.Text{EN: "In the variable %s, which is set", ZH: "在变量 %s 中（已设置）"}

// keptIn are where a key is that stays.
var keptIn = map[api.KeyPlace]i18n.Text{
	api.KeyInKeyring: {EN: "In the keyring of your system", ZH: "在系统的密钥环中"},
	api.KeyInFile:    {EN: "In the file %s", ZH: "在文件 %s 中"},
	api.KeyInEnv:     {EN: "In the variable %s", ZH: "在变量 %s 中"},
	api.KeyByCommand: {EN: "Printed by the command %s", ZH: "由命令 %s 输出"},
}

// Known tells how many models of a service are known without its list.
var Known = i18n.Plural{
	One:   "Without the list you can choose the %d model of this service that is known here, or type a name.",
	Other: "Without the list you can choose from the %d models of this service that are known here, or type a name.",
	ZH:    "没有列表时，可以从已知的 %d 个此服务的模型中选择，或输入名称。",
}

// blankInModel refuses a name that was typed for a model.
var blankInModel = i18n.Text{EN: "A model name has no blanks: write it as the endpoint or its documentation has it, such as gpt-5-mini.", ZH: "模型名称中没有空格：请按端点或其文档中的写法输入，例如 gpt-5-mini。"}

// NeedsModel tells that the name of the model is to be entered.
var NeedsModel = i18n.Text{EN: "A name is needed here, as the endpoint or its documentation has it; or go back.", ZH: "这里需要名称，须与端点或其文档中的一致；也可以返回。"}

// A placeText is what is said of a place of a key. says and label are for what is typed there.
type placeText struct{ name, about, says, label i18n.Text }

var places = map[api.KeyPlace]placeText{
	api.KeyStays: {
		name:  i18n.Text{EN: "Keep the key", ZH: "保留现有密钥"},
		about: i18n.Text{EN: "Where it is now", ZH: "仍在原处"},
	},
	api.KeyOfOther: {
		about: i18n.Text{EN: "It has the same host", ZH: "主机相同"},
	},
	api.KeyInKeyring: {
		name:  i18n.Text{EN: "Enter it: kept in the keyring", ZH: "输入：保存到密钥环"},
		about: i18n.Text{EN: "Of your system; without one, in a private file", ZH: "系统的密钥环；没有时存入私有文件"},
		says:  i18n.Text{EN: "Paste or type the key. It is kept in the keyring of your system.", ZH: "粘贴或输入密钥。它保存在系统的密钥环中。"},
		label: i18n.Text{EN: "Key:", ZH: "密钥："},
	},
	api.KeyInFile: {
		name:  i18n.Text{EN: "Enter it: kept in a private file", ZH: "输入：保存到私有文件"},
		about: i18n.Text{EN: "keys.toml beside the settings, only for you to read", ZH: "设置旁的 keys.toml，仅你可读"},
		says:  i18n.Text{EN: "Paste or type the key. It is kept in keys.toml beside the settings, which only you can read.", ZH: "粘贴或输入密钥。它保存在设置旁的 keys.toml 中，仅你可读。"},
		label: i18n.Text{EN: "Key:", ZH: "密钥："},
	},
	api.KeyInEnv: {
		name:  i18n.Text{EN: "In an environment variable", ZH: "在环境变量中"},
		about: i18n.Text{EN: "Read at every start", ZH: "每次启动时读取"},
		says:  i18n.Text{EN: "The name of the variable that contains the key.", ZH: "存放密钥的变量名。"},
		label: i18n.Text{EN: "Variable:", ZH: "变量："},
	},
	api.KeyByCommand: {
		name:  i18n.Text{EN: "From a command", ZH: "由命令输出"},
		about: i18n.Text{EN: "For example a password manager", ZH: "例如密码管理器"},
		says:  i18n.Text{EN: "A program and its arguments that prints the key, for example: pass show openai. No shell runs it.", ZH: "输出密钥的程序及其参数，例如：pass show openai。不经过 shell 运行。"},
		label: i18n.Text{EN: "Command:", ZH: "命令："},
	},
	api.NoKey: {
		name:  i18n.Text{EN: "No key", ZH: "无密钥"},
		about: i18n.Text{EN: "As most local servers", ZH: "如多数本地服务器"},
	},
}

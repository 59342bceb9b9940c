package words

import "society-tui/runtime/protocol"

// Models are the words of the list of models that are set up, and of how to think with
// others.
type Models struct {
	Title    string
	NotAsked string // of one that nobody has asked since the start
	Well     string // how its last call went
	Failed   string // %s: the same
	AskedBy  string // %s: roles
	NoRole   string
	Default  string // %s: what enter says of it
	HintRole string

	SetUp     string // the row that says how: beside others
	SetUpReal string // beside the offline model alone
	SetUpSays string // %s: the settings file

	OtherTitle string // %s: a model that is not the default
	OtherSays  string
	DemoSays   string // of the offline one
	SetUpTitle string
	SetUpHow   string
	// What stands in place of what the person knows.
	Key, Name string

	InShell, InShellOnce string
	InFile, InTable      string
	KeyStays             string
	CopyShell, CopyFile  string // buttons
}

// ForModels returns the words in lang; English for a language it does not know.
func ForModels(lang protocol.Lang) Models {
	if lang == protocol.Chinese {
		return Models{
			Title: "模型", NotAsked: "尚未使用", Well: "正常", Failed: "上次调用失败：%s",
			AskedBy: "使用它的角色：%s", NoRole: "没有角色使用它",
			Default: "%s 已是默认模型", HintRole: "/roles 中按 m 为单个角色选择",
			SetUp: "再设置一个模型", SetUpReal: "设置真实模型", SetUpSays: "按 enter 查看要写的内容，写在终端或 %s",
			OtherTitle: "以 %s 为默认模型", OtherSays: "默认模型在启动时选定。退出后用以下任一方式启动：",
			DemoSays:   "这样一来，无论角色指定什么，都只使用离线模型。",
			SetUpTitle: "设置模型", SetUpHow: "替换 < > 中的内容，然后重新启动。无需密钥的端点不用第一行。",
			Key: "<密钥>", Name: "<模型>",
			InShell: "在终端中", InShellOnce: "在终端中，仅这一次（或用 SOCIETY_MODEL）",
			InFile: "或写入设置文件，可以写多个", InTable: "或写入设置文件，今后一直有效",
			KeyStays:  "密钥留在环境变量里。society-tui models 检查每个模型是否应答。",
			CopyShell: "复制终端用的", CopyFile: "复制文件用的",
		}
	}
	return Models{
		Title: "Models", NotAsked: "not asked yet", Well: "ok", Failed: "its last call failed: %s",
		AskedBy: "roles: %s", NoRole: "no role asks for it",
		Default: "%s is the default already", HintRole: "m in /roles gives one role another",
		SetUp: "Set up another one", SetUpReal: "Set up a real one", SetUpSays: "enter shows the lines for the shell, or for %s",
		OtherTitle: "%s as the default", OtherSays: "The default is chosen at the start. Leave, and start in one of these ways:",
		DemoSays:   "Then the offline model alone is asked, whatever roles say.",
		SetUpTitle: "Set up a model", SetUpHow: "Replace what stands in < >, and start again. An endpoint that wants no key needs no first line.",
		Key: "<key>", Name: "<model>",
		InShell: "In the shell", InShellOnce: "In the shell, for once (or with SOCIETY_MODEL)",
		InFile: "Or in the settings file, which can hold several", InTable: "Or in the settings file, from then on",
		KeyStays:  "The key stays in its variable. society-tui models asks each model whether it answers.",
		CopyShell: "Copy for the shell", CopyFile: "Copy for the file",
	}
}

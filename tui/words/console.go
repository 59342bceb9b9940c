package words

import "society-tui/runtime/protocol"

// Console are the sentences of the commands that need no screen, and those that are
// said before the screen opens and after it has closed.
type Console struct {
	// What came of a command. %s is a file.
	Sound      string // %s
	Compacted  string // %s with its size, %s: the size before
	NotTidied  string // %s: the size of the file, %s: the command
	ReadIn     string // %s
	ReadInPart string // %s, %d: what follows is what could not be read
	AndMore    string // %d
	SettingsIn string // %s

	// Why nothing was done. %s is a file.
	NothingStored string // %s
	NoFolder      string // %s: what --data names
	FileNotFolder string // the same
	NameFolder    string // what to do then
	Alike         string // %s: the session that was asked for, %s: the one that there is
	Held          string // %s
	HeldBy        string // %s, %d: the process, %s: since when
	There         string // %s
	NotThere      string // %s
	NoSuchFolder  string // %s: where a file is to be written
	Irregular     string // %s
	Markdown      string // %s
	Unreadable    string // %s
	HasBegun      string // %s
	IsPart        string // %s
	Nobody        string // %s: an agent
	OrgIsJSON     string
	Damaged       string // before what is wrong, in the words of whoever found it
	DamagedHelp   string // what to do then
	Newer         string
	NewerHelp     string // what to do then
	NoTerminal    string

	// What the system says against a file, %s.
	NoWay     string
	Forbidden string
	TooLong   string
	NoRoom    string
	NoWriting string
	DiskFails string

	// What then was not done, and what helps. They follow Held.
	NotChecked string
	NotCopied  string
	NotWritten string
	GivenUp    string
	NotReadIn  string
	NotChanged string
	NotOpened  string

	// Models and templates.
	Columns   []string // of the table of models
	Unknown   string   // a window
	NoKey     string
	KeyInFile string
	KeyThere  string // %s: a variable
	KeyGone   string // %s: a variable
	NotAsked  string
	Answers   string // %d ms
	Silent    string // %d ms, %s
	SilentIs  string // %s: the default model
	Nothing   string // %s: a time
	Unwaited  string
	Fault     string // %s
	Default   string
	BuiltIn   string
	YourOwn   string // %s: a folder
	Listens   string // %s: an address

	// Why a model did not answer, what helps.
	HelpAuth    string
	HelpQuota   string
	HelpRate    string
	HelpNotChat string
	HelpInvalid string

	// Mistakes in the call.
	UnknownFlag string // %s
	Unexpected  string // %s: a word of it
	NeedsValue  string // %s: a flag
	MustBe      string // %s: a flag, %s: what it can be, %s: what it is
	Lacks       string // %s: what is missing
	Perhaps     string // %s: what may be meant, behind one of them

	// What helps after a mistake in the call.
	SeeHelp      string
	SeeSettings  string
	SeeTemplates string

	// Around the screen.
	NoLog       string // %s: why
	MovedAside  string // %s: where to, %s: the flag that names the session, if one must
	Finishing   string
	Left        string // %d processed, %d pending, %s: the log
	LeftUnsaved string // %s: why
	Broke       string
}

// ForConsole returns the words in lang; English for a language it does not know.
func ForConsole(lang protocol.Lang) Console {
	if lang == protocol.Chinese {
		return chineseConsole()
	}
	return Console{
		Sound:      "%s: sound",
		Compacted:  "%s, before %s",
		NotTidied:  "the file has %s and may hold bytes of terminated agents; this takes them out: %s",
		ReadIn:     "%s: read in",
		ReadInPart: "%s: read in, all agents at rest. What could not be read, or was made anew (%d):",
		AndMore:    "and %d more",
		SettingsIn: "wrote %s",

		NothingStored: "%s: nothing is stored yet",
		NoFolder:      "there is no folder %s, which --data names",
		FileNotFolder: "%s, which --data names, is a file and no folder",
		NameFolder:    "--data takes the folder that holds society.db; of a backup, export --from FILE and import FILE take the file itself",
		Alike:         "there is no session %s, but one that is called %s: capital and small letters make no other, because many disks do not tell them apart",
		Held:          "%s is in use by another society-tui",
		HeldBy:        "%s is in use by another society-tui (pid %d, since %s)",
		There:         "%s is there already; it was left as it is",
		NotThere:      "%s is not there",
		NoSuchFolder:  "there is no folder %s: make it, or name another place",
		Irregular:     "%s is not a regular file",
		Markdown:      "%s is Markdown, which is for people: only what was exported as JSON can be read in",
		Unreadable:    "%s: nothing of a society can be read in it; name an export, a backup or a damaged society.db",
		HasBegun:      "%s: there is a society already; --session NAME makes another",
		IsPart:        "%s holds a part of a society, to be looked at or used elsewhere: only a whole society can be read in, exported without --agent (on the screen with /export subtree json of root), or its organisation alone, exported with --org",
		Nobody:        "there is no agent %s",
		OrgIsJSON:     "--org writes JSON only: leave out --format markdown, or --org",
		Damaged:       "what is stored is damaged:",
		DamagedHelp:   "Nothing was changed. Read what is left of it into an empty place: society-tui --data DIR import FILE. When society-tui is started, it moves a damaged society aside.",
		Newer:         "it was written by a newer version of this program:",
		NewerHelp:     "Nothing was changed. Update society-tui, or name another place with --data DIR.",
		NoTerminal:    "standard output is no terminal: there is nothing to repair",

		NoWay:     "%s: part of the way there is not a directory",
		Forbidden: "%s: permission denied; name another place, or let its owner allow it",
		TooLong:   "%s: that name is too long",
		NoRoom:    "%s: no space left on the disk; make room, or name another place",
		NoWriting: "%s: that disk can only be read; name another place",
		DiskFails: "%s: the disk fails to read or write it (input/output error); have the disk looked at, or name another place",

		NotChecked: "nothing was checked: quit that one first",
		NotCopied:  "nothing was copied: type /backup FILE in that one",
		NotWritten: "nothing was written: type /export in that one, or /backup FILE there and export with --from FILE",
		GivenUp:    "given up: nothing was written",
		NotReadIn:  "nothing was read in: quit that one first",
		NotChanged: "nothing was changed: quit that one first",
		NotOpened:  "end the other one, or start this one with --session NAME for a society of its own",

		Columns:   []string{"NAME", "MODEL", "ENDPOINT", "WINDOW", "KEY", "GOOD FOR", "ANSWER"},
		Unknown:   "unknown",
		NoKey:     "none needed",
		KeyInFile: "in the settings",
		KeyThere:  "%s present",
		KeyGone:   "%s missing",
		NotAsked:  "not asked",
		Answers:   "ok, %d ms",
		Silent:    "no, after %d ms: %s",
		SilentIs:  "the default model %s does not answer",
		Nothing:   "nothing came in %s",
		Unwaited:  "it was not waited for",
		Fault:     "a fault of the program: %s",
		Default:   "* is what agents think with whose role names none.",
		BuiltIn:   "built in",
		YourOwn:   "Your own belong in %s, one file each: NAME.toml",
		Listens:   "the offline model listens on http://%s/v1 (ctrl+c ends it)",

		HelpAuth:    "its key is missing or wrong; see key_env",
		HelpQuota:   "nothing is left to spend",
		HelpRate:    "too many requests; try again later",
		HelpNotChat: "base_url leads to no chat API; most end in /v1",
		HelpInvalid: "see base_url, which mostly ends in /v1, and model",

		UnknownFlag: "unknown flag %s",
		Unexpected:  "unexpected argument %s",
		NeedsValue:  "%s needs a value",
		MustBe:      "%s must be one of %s, not %s",
		Lacks:       "%s is missing",
		Perhaps:     "; did you mean %s?",

		SeeHelp:      "society-tui --help names all commands and flags.",
		SeeSettings:  "Mend that, or name another settings file with --config.",
		SeeTemplates: "society-tui templates lists those there are, or prints one.",

		NoLog:       "Nothing is logged: %s",
		MovedAside:  "What was stored is damaged. It was moved to %s, and a new society begins. What can still be read comes back with: society-tui%[2]s import %[1]s (quit first, before you write anything).",
		Finishing:   "finishing what is in flight, at most 30 s; ctrl+c leaves at once",
		Left:        "messages processed: %d, pending: %d. Log: %s",
		LeftUnsaved: "nothing could be saved at the end (%s): what happened since then is lost",
		Broke:       "a fault of the program; what was confirmed is saved, the log has the details",
	}
}

func chineseConsole() Console {
	return Console{
		Sound:      "%s：完好",
		Compacted:  "%s，之前 %s",
		NotTidied:  "文件大小为 %s，可能仍含已终止智能体的字节；清除它们：%s",
		ReadIn:     "%s：已读入",
		ReadInPart: "%s：已读入，所有智能体处于静止。未能读取或重新生成的内容（%d）：",
		AndMore:    "以及另外 %d 条",
		SettingsIn: "已写入 %s",

		NothingStored: "%s：还没有存储任何内容",
		NoFolder:      "没有 --data 指定的文件夹 %s",
		FileNotFolder: "--data 指定的 %s 是文件，不是文件夹",
		NameFolder:    "--data 接受含有 society.db 的文件夹；备份文件本身可交给 export --from FILE 和 import FILE",
		Alike:         "没有会话 %s，但有 %s：大小写不同不算另一个会话，因为许多磁盘不区分大小写",
		Held:          "%s 正被另一个 society-tui 使用",
		HeldBy:        "%s 正被另一个 society-tui 使用（pid %d，自 %s）",
		There:         "%s 已存在，保持原样",
		NotThere:      "%s 不存在",
		NoSuchFolder:  "没有文件夹 %s：请先建立它，或另选位置",
		Irregular:     "%s 不是普通文件",
		Markdown:      "%s 是供人阅读的 Markdown：只有导出为 JSON 的才能读入",
		Unreadable:    "%s：从中读不出任何社会的内容；请给出导出文件、备份或损坏的 society.db",
		HasBegun:      "%s：已经有一个社会；用 --session NAME 另建一个",
		IsPart:        "%s 只含一个社会的一部分，供查看或他用：只能读入不带 --agent 导出的整个社会（在屏幕上：对 root 输入 /export subtree json），或用 --org 导出的组织",
		Nobody:        "没有智能体 %s",
		OrgIsJSON:     "--org 只写 JSON：请去掉 --format markdown 或 --org",
		Damaged:       "存储的内容已损坏：",
		DamagedHelp:   "没有改动任何内容。把仍可读取的内容读入一个空的位置：society-tui --data DIR import FILE。启动 society-tui 时，它会把损坏的社会移到一旁。",
		Newer:         "它由本程序的更新版本写成：",
		NewerHelp:     "没有改动任何内容。请更新 society-tui，或用 --data DIR 指定另一个位置。",
		NoTerminal:    "标准输出不是终端：没有可修复的",

		NoWay:     "%s：路径中有一段是文件，不是文件夹",
		Forbidden: "%s：没有权限（permission denied）；请另选位置，或由其所有者允许",
		TooLong:   "%s：名称太长",
		NoRoom:    "%s：磁盘已满；请腾出空间，或另选位置",
		NoWriting: "%s：该磁盘只读；请另选位置",
		DiskFails: "%s：磁盘读写失败（input/output error）；请检查磁盘，或另选位置",

		NotChecked: "什么都没有检查：请先退出那一个",
		NotCopied:  "什么都没有复制：请在那一个中输入 /backup FILE",
		NotWritten: "什么都没有写：请在那一个中输入 /export，或在那里输入 /backup FILE，再用 --from FILE 导出",
		GivenUp:    "已放弃：什么都没有写",
		NotReadIn:  "什么都没有读入：请先退出那一个",
		NotChanged: "什么都没有改动：请先退出那一个",
		NotOpened:  "请结束另一个，或用 --session NAME 启动本程序，使用自己的社会",

		Columns:   []string{"名称", "模型", "端点", "窗口", "密钥", "擅长", "应答"},
		Unknown:   "未知",
		NoKey:     "不需要",
		KeyInFile: "在设置中",
		KeyThere:  "%s 已设置",
		KeyGone:   "%s 缺失",
		NotAsked:  "未询问",
		Answers:   "正常，%d 毫秒",
		Silent:    "无应答，%d 毫秒后：%s",
		SilentIs:  "默认模型 %s 没有应答",
		Nothing:   "%s 内没有任何应答",
		Unwaited:  "没有等待它",
		Fault:     "程序出错：%s",
		Default:   "* 是角色未指定模型的智能体所用的模型。",
		BuiltIn:   "内置",
		YourOwn:   "你自己的模板放在 %s，每个一个文件：NAME.toml",
		Listens:   "离线模型监听于 http://%s/v1（ctrl+c 结束）",

		HelpAuth:    "密钥缺失或错误；见 key_env",
		HelpQuota:   "额度已用完",
		HelpRate:    "请求太多；请稍后再试",
		HelpNotChat: "base_url 不是对话 API；多数以 /v1 结尾",
		HelpInvalid: "请检查 base_url（多以 /v1 结尾）和 model",

		UnknownFlag: "没有选项 %s",
		Unexpected:  "多余的参数 %s",
		NeedsValue:  "%s 需要一个值",
		MustBe:      "%s 只能是 %s 之一，不能是 %s",
		Lacks:       "缺少 %s",
		Perhaps:     "；是否指 %s？",

		SeeHelp:      "society-tui --help 列出所有命令和选项。",
		SeeSettings:  "请改正，或用 --config 指定另一个设置文件。",
		SeeTemplates: "society-tui templates 列出现有模板，或打印其中一个。",

		NoLog:       "没有记录日志：%s",
		MovedAside:  "存储的内容已损坏，已移到 %s，新的社会从此开始。仍可读取的内容这样取回：society-tui%[2]s import %[1]s （请先退出，不要先写任何内容）。",
		Finishing:   "正在完成进行中的工作，最多 30 秒；ctrl+c 立即离开",
		Left:        "已处理消息：%d，待处理：%d。日志：%s",
		LeftUnsaved: "最后无法保存（%s）：此后发生的事已丢失",
		Broke:       "程序出错；已确认的内容都已保存，详情见日志",
	}
}

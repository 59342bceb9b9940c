package cli

import (
	"society-tui/runtime/httpapi"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
)

// formWords are what the forms of commands name.
var formWords = []i18n.Text{
	{EN: "[flags]", ZH: "[选项]"},
	{EN: "<command>", ZH: "<命令>"},
	{EN: "<text>", ZH: "<文字>"},
	{EN: "<to>", ZH: "<地址>"},
	{EN: "<topic>", ZH: "<主题>"},
	{EN: "<task>", ZH: "<任务>"},
	{EN: "<server>", ZH: "<服务器>"},
	{EN: "<does>", ZH: "<操作>"},
	{EN: "<agent>", ZH: "<智能体>"},
	{EN: "<shell>", ZH: "<shell 名称>"},
	{EN: "<words>", ZH: "<词>"},
	{EN: "<file>", ZH: "<文件>"},
	{EN: "<name>", ZH: "<名称>"},
}

var (
	// The help of the command line.
	textProgram     = i18n.Text{EN: "Run a team of AI agents in your terminal. Tell root what you need: it creates the team, and you can watch, message, pause or stop any agent.", ZH: "在终端里运行一支 AI 智能体团队。告诉 root 你需要什么：它组建团队，你可以查看任何智能体、给它发消息、让它暂停或停止。"}
	textUsage       = i18n.Text{EN: "Usage: %s", ZH: "用法：%s"}
	textArguments   = i18n.Text{EN: "Arguments:", ZH: "参数："}
	textCommands    = i18n.Text{EN: "Commands:", ZH: "命令："}
	textFlags       = i18n.Text{EN: "Flags:", ZH: "选项："}
	textGlobalFlags = i18n.Text{EN: "Flags of all commands: society-tui --help", ZH: "所有命令的选项：society-tui --help"}
	textOfHelp      = i18n.Text{EN: "Show context-sensitive help.", ZH: "显示帮助。"}
	textHelpOf      = i18n.Text{EN: `Run "society-tui <command> --help" for more information on a command.`, ZH: `运行 "society-tui <命令> --help" 查看一个命令的说明。`}
	// The manual page.
	textManualName        = i18n.Text{EN: "Name", ZH: "名称"}
	textManualAbout       = i18n.Text{EN: "run a team of AI agents in your terminal", ZH: "在终端里运行一支 AI 智能体团队"}
	textManualSynopsis    = i18n.Text{EN: "Synopsis", ZH: "用法"}
	textManualDescription = i18n.Text{EN: "Description", ZH: "说明"}
	textManualOptions     = i18n.Text{EN: "Options", ZH: "选项"}
	textManualCommands    = i18n.Text{EN: "Commands", ZH: "命令"}
	textManualTopics      = i18n.Text{EN: "Help topics", ZH: "帮助主题"}
	// Results of commands.
	textSound      = i18n.Text{EN: "%s: no damage found", ZH: "%s：没有损坏"}
	textCompacted  = i18n.Text{EN: "%s, before %s", ZH: "%s，之前 %s"}
	textNotTidied  = i18n.Text{EN: "the file has %s and may hold data of terminated agents; remove it with: %s", ZH: "文件大小为 %s，可能仍含已终止智能体的数据；清除：%s"}
	textReadIn     = i18n.Text{EN: "Imported %s", ZH: "已导入 %s"}
	textReadInPart = i18n.Text{EN: "Imported %s; all agents are paused or idle. Not readable, or rebuilt (%d):", ZH: "已导入 %s，所有智能体都不在工作。无法读取或重新生成的内容（%d）："}
	textAndMore    = i18n.Text{EN: "and %d more", ZH: "以及另外 %d 条"}
	textSettingsIn = i18n.Text{EN: "Wrote %s", ZH: "已写入 %s"}
	// Refusals.
	textNothingStored = i18n.Text{EN: "%s: no data yet", ZH: "%s：还没有数据"}
	textNoFolder      = i18n.Text{EN: "no folder %s, which --data names", ZH: "没有 --data 指定的文件夹 %s"}
	textFileNotFolder = i18n.Text{EN: "%s, which --data names, is a file, not a folder", ZH: "--data 指定的 %s 是文件，不是文件夹"}
	textNameFolder    = i18n.Text{EN: "--data takes the folder that holds society.db; of a backup, export --from FILE and import FILE take the file itself", ZH: "--data 接受含有 society.db 的文件夹；备份文件本身可交给 export --from FILE 和 import FILE"}
	textAlike         = i18n.Text{EN: "there is no session %s, but there is %s; names differ in more than capital letters, because many disks ignore them", ZH: "没有会话 %s，但有 %s：大小写不同不算另一个会话，因为许多磁盘不区分大小写"}
	textHeld          = i18n.Text{EN: "%s is in use by another society-tui", ZH: "%s 正被另一个 society-tui 使用"}
	textHeldBy        = i18n.Text{EN: "%s is in use by another society-tui (pid %d, since %s)", ZH: "%s 正被另一个 society-tui 使用（pid %d，自 %s）"}
	textThere         = i18n.Text{EN: "%s already exists and was left as it is", ZH: "%s 已存在，未改动"}
	textNotThere      = i18n.Text{EN: "%s does not exist; check the path, or name another file", ZH: "%s 不存在；请检查路径，或指定另一个文件"}
	textStandardInput = i18n.Text{EN: "standard input", ZH: "标准输入"}
	textNoSuchFolder  = i18n.Text{EN: "no folder %s; create it, or name another place", ZH: "没有文件夹 %s；请先创建，或另选位置"}
	textIrregular     = i18n.Text{EN: "%s is not a regular file", ZH: "%s 不是普通文件"}
	textMarkdown      = i18n.Text{EN: "%s is Markdown, for reading; only a JSON export can be imported", ZH: "%s 是供阅读的 Markdown；只能导入 JSON 导出文件"}
	textTar           = i18n.Text{EN: "%s is a tar, but no whole backup of a session; fetch it again from GET /api/backup", ZH: "%s 是 tar，但不是完整的会话备份；请用 GET /api/backup 重新获取"}
	textNoBackup      = i18n.Text{EN: "%s is no backup of a session; export --from takes a file that backup has written", ZH: "%s 不是会话的备份；export --from 接受 backup 写出的文件"}
	textUnreadable    = i18n.Text{EN: "%s: no society can be read from it; name an export, a backup or a damaged society.db", ZH: "%s：无法从中读取团队；请给出导出文件、备份或损坏的 society.db"}
	textHasBegun      = i18n.Text{EN: "%s already holds a society; --session NAME creates another", ZH: "%s 中已有一个团队；用 --session NAME 另建一个"}
	textIsPart        = i18n.Text{EN: "%s holds part of a society. Only a whole society can be imported: exported without --agent (on the screen: /export subtree json of root), or its organisation exported with --org", ZH: "%s 只含一个团队的一部分。只能导入整个团队：不带 --agent 导出（在屏幕上：对 root 输入 /export subtree json），或用 --org 导出的组织"}
	textSeveral       = i18n.Text{EN: "several agents are named %s; name one by its id:", ZH: "有多个智能体名为 %s；请用 ID 指定一个："}
	textNobody        = i18n.Text{EN: "no agent named %s", ZH: "没有名为 %s 的智能体"}
	textAgentsLists   = i18n.Text{EN: "%s lists them", ZH: "%s 列出全部"}
	textAgentsAre     = i18n.Text{EN: "there are: %s", ZH: "现有：%s"}
	textOrgIsJSON     = i18n.Text{EN: "--org writes JSON only: leave out --format markdown, or --org", ZH: "--org 只写 JSON：请去掉 --format markdown 或 --org"}
	textDamaged       = i18n.Text{EN: "The stored data is damaged:", ZH: "存储的数据已损坏："}
	textDamagedHelp   = i18n.Text{EN: "Nothing was changed. Import what is left into an empty place: society-tui --data DIR import FILE. At its next start society-tui moves a damaged society aside.", ZH: "没有改动任何内容。把仍可读取的内容导入一个空的位置：society-tui --data DIR import FILE。society-tui 下次启动时会把损坏的团队移到一旁。"}
	textNewer         = i18n.Text{EN: "The data was written by a newer version of society-tui:", ZH: "数据由较新版本的 society-tui 写成："}
	textNewerHelp     = i18n.Text{EN: "Nothing was changed. Update society-tui, or name another place with --data DIR.", ZH: "没有改动任何内容。请更新 society-tui，或用 --data DIR 指定另一个位置。"}
	textNoTerminal    = i18n.Text{EN: "standard output is not a terminal; nothing to repair", ZH: "标准输出不是终端，没有可修复的"}
	// Errors of the file system.
	textNoWay     = i18n.Text{EN: "%s: part of the way there is not a directory", ZH: "%s：路径中有一段是文件，不是文件夹"}
	textForbidden = i18n.Text{EN: "%s: permission denied; name another place, or let its owner allow it", ZH: "%s：没有权限（permission denied）；请另选位置，或由其所有者允许"}
	textTooLong   = i18n.Text{EN: "%s: that name is too long", ZH: "%s：名称太长"}
	textNoRoom    = i18n.Text{EN: "%s: no space left on the disk; make room, or name another place", ZH: "%s：磁盘已满；请腾出空间，或另选位置"}
	textNoWriting = i18n.Text{EN: "%s: the disk is read-only; name another place", ZH: "%s：磁盘只读；请另选位置"}
	textDiskFails = i18n.Text{EN: "%s: the disk fails to read or write it (input/output error); check the disk, or name another place", ZH: "%s：磁盘读写失败（input/output error）；请检查磁盘，或另选位置"}
	// What was not done while the society is open elsewhere, with advice.
	textNotChecked = i18n.Text{EN: "Nothing was checked. End the other one first: %s", ZH: "未检查。请先结束另一个：%s"}
	textNotCopied  = i18n.Text{EN: "Nothing was copied, because the other one cannot be reached. Type /backup FILE on its screen, or quit it, then try again.", ZH: "未复制，因为无法连接另一个。请在它的界面上输入 /backup 文件，或退出它后再试。"}
	textNotWritten = i18n.Text{EN: "Nothing was written, because the other one cannot be reached. Type /export on its screen, or quit it, then try again.", ZH: "未写入，因为无法连接另一个。请在它的界面上输入 /export，或退出它后再试。"}
	textGivenUp    = i18n.Text{EN: "Cancelled; nothing was written", ZH: "已取消，未写入任何内容"}
	textNotReadIn  = i18n.Text{EN: "Nothing was imported. End the other one first: %s", ZH: "未导入。请先结束另一个：%s"}
	textNotChanged = i18n.Text{EN: "Nothing was changed. End the other one first: %s", ZH: "未改动。请先结束另一个：%s"}
	textNotOpened  = i18n.Text{EN: "Quit the other one, or start this one with --session NAME.", ZH: "请退出另一个，或用 --session NAME 启动本程序"}
	textAttachToIt = i18n.Text{EN: "Attach to it with %s, quit it, or start this one with --session NAME.", ZH: "请用 %s 连接到它，或退出它，或用 --session NAME 启动本程序"}
	// The models.
	textUnknown   = i18n.Text{EN: "unknown", ZH: "未知"}
	textNoKey     = i18n.Text{EN: "none needed", ZH: "不需要"}
	textUnsetKey  = i18n.Text{EN: "none set", ZH: "未设置"}
	textKeyInFile = i18n.Text{EN: "in the settings", ZH: "在设置中"}
	textKeyThere  = i18n.Text{EN: "%s present", ZH: "%s 已设置"}
	textKeyGone   = i18n.Text{EN: "%s missing", ZH: "%s 缺失"}
	textNotInUse  = i18n.Text{EN: "not in use", ZH: "未启用"}
	textNotAsked  = i18n.Text{EN: "not asked", ZH: "未询问"}
	textAnswers   = i18n.Text{EN: "ok, %d ms", ZH: "正常，%d 毫秒"}
	textSilent    = i18n.Text{EN: "no, after %d ms", ZH: "无应答，%d 毫秒"}
	textOfAnswer  = i18n.Text{EN: "%s: %s", ZH: "%s：%s"}
	textAdvice    = i18n.Text{EN: "%s; %s", ZH: "%s；%s"}
	textSilentIs  = i18n.Text{EN: "the default model %s does not answer: %s", ZH: "默认模型 %s 没有应答：%s"}
	textNothing   = i18n.Text{EN: "no answer in %s", ZH: "%s 内没有应答"}
	textUnwaited  = i18n.Text{EN: "cancelled", ZH: "已取消"}
	textFault     = i18n.Text{EN: "internal error: %s", ZH: "内部错误：%s"}
	// textNoneChosen is why society-tui models fails though the offline model answers.
	textNoneChosen = i18n.Text{EN: "no model is chosen: set SOCIETY_MODEL or use --model NAME, or /setup on the screen", ZH: "没有选择模型：请设置 SOCIETY_MODEL，或用 --model NAME，或在界面中用 /setup"}.With()
	textDefault    = i18n.Text{EN: "* is the default, for agents whose role names no model.", ZH: "* 是默认模型，用于角色未指定模型的智能体。"}
	textBuiltIn    = i18n.Text{EN: "built in", ZH: "内置"}
	textYourOwn    = i18n.Text{EN: "Your own go into %s, one file each: NAME.toml", ZH: "你自己的模板放在 %s，每个一个文件：NAME.toml"}
	textListens    = i18n.Text{EN: "the offline model listens on http://%s/v1 (ctrl+c ends it)", ZH: "离线模型监听于 http://%s/v1（ctrl+c 结束）"}
	textNotUsed    = i18n.Text{EN: "Model %q is not used: %s", ZH: "不使用模型 %q：%s"}
	textOfModel    = i18n.Text{EN: "the model %s: %s", ZH: "模型 %s：%s"}
	textUntilSetup = i18n.Text{EN: "%s is set, but no model is: offline until /models", ZH: "已设置 %s，但没有选择模型：/models 之前由离线模型回答"}
	textOwnList    = i18n.Text{EN: "%s is not used, only the built-in catalogue: %v. Correct it and start again.", ZH: "不使用 %s，只用内置目录：%v。请更正后重新启动。"}
	textOwnListAt  = i18n.Text{EN: "%s is not used, only the built-in catalogue: line %d: %v. Correct it and start again.", ZH: "不使用 %s，只用内置目录：第 %d 行：%v。请更正后重新启动。"}
	textNowURL     = i18n.Text{EN: "The address of %s is now %s.", ZH: "%s 的地址现为 %s。"}
	// Why a model did not answer.
	// Mistakes in the call.
	textUnknownFlag = i18n.Text{EN: "unknown flag %s", ZH: "没有选项 %s"}
	textUnexpected  = i18n.Text{EN: "unexpected argument %s", ZH: "多余的参数 %s"}
	textNeedsValue  = i18n.Text{EN: "%s needs a value", ZH: "%s 需要一个值"}
	textNeedsTime   = i18n.Text{EN: "%s needs a time such as 90s or 5m, not %s", ZH: "%s 需要一个时长，如 90s 或 5m，而不是 %s"}
	textMustBe      = i18n.Text{EN: "%s must be one of %s, not %s", ZH: "%s 只能是 %s 之一，不能是 %s"}
	textLacks       = i18n.Text{EN: "%s is missing", ZH: "缺少 %s"}
	// textOnlyWaiting and textAddWait are for a flag of send.
	textOnlyWaiting = i18n.Text{EN: "%s counts only while send waits for the answer", ZH: "%s 只在 send 等待回答时有效"}
	textAddWait     = i18n.Text{EN: "Add --wait, or leave out %s.", ZH: "请加上 --wait，或去掉 %s。"}
	// textWouldGoToRoot and textMeantTo are for a message whose first word is an agent.
	textWouldGoToRoot = i18n.Text{EN: "%s is an agent, but the message would go to root", ZH: "%s 是智能体，但消息会发给 root"}
	textMeantTo       = i18n.Text{EN: "did you mean: %s? Quote the text to send it to root as it is.", ZH: "是否指：%s？如要把文字原样发给 root，请给它加上引号。"}
	textPerhaps       = i18n.Text{EN: "; did you mean %s?", ZH: "；是否指 %s？"}
	// Advice after a mistake.
	textSeeHelp      = i18n.Text{EN: "society-tui --help lists all commands and flags.", ZH: "society-tui --help 列出所有命令和选项。"}
	textSeeHelpOf    = i18n.Text{EN: "%s --help lists its arguments and flags.", ZH: "%s --help 列出它的参数和选项。"}
	textSeeSessions  = i18n.Text{EN: "/sessions lists the sessions, on the screen and with --plain; --session NAME opens one.", ZH: "/sessions 列出会话，在界面上和 --plain 中都可用；--session NAME 打开其中一个。"}
	textSeeSettings  = i18n.Text{EN: "Fix it, or name another settings file with --config.", ZH: "请改正，或用 --config 指定另一个设置文件。"}
	textOfTemplate   = i18n.Text{EN: "--template %s: %s", ZH: "--template %s：%s"}
	textSeeTemplates = i18n.Text{EN: "society-tui templates lists them, or prints one.", ZH: "society-tui templates 列出现有模板，或打印其中一个。"}
	// What the screen needs.
	textNoInput = i18n.Text{EN: "standard input is not a terminal: %s", ZH: "标准输入不是终端：%s"}
	textLost    = i18n.Text{
		EN: "Large results or artifacts are missing in %[2]s (%[1]d): their files beside the session were lost. `%[3]s` names them.",
		ZH: "%d 个较大的结果或产出不在 %s 中：它们在会话旁的文件已经丢失。`%[3]s` 会列出它们。",
	}
	textNoOutput = i18n.Text{EN: "standard output is not a terminal: %s", ZH: "标准输出不是终端：%s"}
	textInstead  = i18n.Text{EN: "start it in a terminal, without a pipe or a redirection, or with --plain, which needs only lines (--help names what works without either)", ZH: "请在终端中启动，不用管道和重定向，或用只需要逐行文字的 --plain（--help 列出两者都不需要的命令）"}
	textDumb     = i18n.Text{EN: "this terminal cannot draw a screen (TERM=dumb): start it with --plain, which needs only lines", ZH: "此终端无法绘制界面（TERM=dumb）：请用只需要逐行文字的 --plain 启动"}
	// Before and after the screen.
	textNoLog       = i18n.Text{EN: "No log is written: %s", ZH: "没有记录日志：%s"}
	textNewSession  = i18n.Text{EN: "Session %s is new.", ZH: "会话 %s 是新建的。"}
	textNewMeant    = i18n.Text{EN: "Session %s is new; did you mean %s? /sessions opens it.", ZH: "会话 %s 是新建的；是否指 %s？用 /sessions 打开它。"}
	textMovedAside  = i18n.Text{EN: "The stored data was damaged. It was moved to %s, and a new society begins. To get back what can still be read: %[2]s %[1]s (quit first, before you write anything).", ZH: "存储的数据已损坏，已移到 %s，新的团队从此开始。仍可读取的内容这样取回：%[2]s %[1]s（请先退出，不要先写任何内容）。"}
	textMovedGoesOn = i18n.Text{EN: "The stored data was damaged. It was moved to %s, and a new society begins. To get back what can still be read, as a session of its own: %s %s", ZH: "存储的数据已损坏，已移到 %s，新的团队从此开始。仍可读取的内容可取回为单独的会话：%s %s"}
	textFinishing   = i18n.Text{EN: "finishing running calls, at most 30 s; ctrl+c leaves at once", ZH: "正在完成进行中的工作，最多 30 秒；ctrl+c 立即离开"}
	textOpenAgain   = i18n.Text{EN: "Open session %s again: %s", ZH: "再次打开会话 %s：%s"}
	// textLeft has the numbers of processed and pending messages, and the log.
	textLeft         = i18n.Plural{One: "Processed %d message, %[2]d pending. Log: %[3]s", Other: "Processed %d messages, %[2]d pending. Log: %[3]s", ZH: "已处理 %d 条消息，%[2]d 条待处理。日志：%[3]s"}
	textLeftUnsaved  = i18n.Text{EN: "Saving failed at the end (%s); what happened since then is lost", ZH: "最后无法保存（%s）；此后发生的事已丢失"}
	textKeepsRunning = i18n.Text{EN: "The agents of session %s keep running in the background (pid %d).", ZH: "会话 %s 的智能体继续在后台运行（pid %d）。"}
	textComeBack     = i18n.Text{EN: "Come back: %s", ZH: "回来：%s"}
	textEndThem      = i18n.Text{EN: "End them:  %s", ZH: "结束：%s"}
	textStays        = i18n.Text{EN: "The agents stay in this program, where their work goes on: %s.", ZH: "智能体留在本程序中继续工作：%s。"}
	textTriesAgain   = i18n.Text{EN: "The session cannot be opened (%s); trying again.", ZH: "会话无法打开（%s），正在重试。"}
	textNoWayBack    = i18n.Text{EN: "no program can reach this session, so nobody could come back to it", ZH: "没有程序能访问此会话，离开后就无法回来"}
	textNeither      = i18n.Text{EN: "%s, and the session could not be opened again: %s. All that was saved is there at the next start.", ZH: "%s，会话也无法重新打开：%s。已保存的内容下次启动时都在。"}
	textBroke        = i18n.Text{EN: "Internal error. Confirmed work is saved; see the log.", ZH: "内部错误。已确认的内容都已保存，详见日志。"}

	// textColumns are the headings of the models' table.
	textColumns = []i18n.Text{{EN: "NAME", ZH: "名称"}, {EN: "MODEL", ZH: "模型"}, {EN: "ENDPOINT", ZH: "端点"}, {EN: "WINDOW", ZH: "窗口"}, {EN: "PRICE", ZH: "价格"}, {EN: "KEY", ZH: "密钥"}, {EN: "GOOD FOR", ZH: "擅长"}, {EN: "ANSWER", ZH: "应答"}}
)

// What the commands for other programs print.
var (
	textNoRequest       = i18n.Text{EN: "there is no text: name it, or pass it on standard input", ZH: "没有文字：请写在命令后，或从标准输入传入"}
	textLongRequest     = i18n.Text{EN: "standard input has more than 1 MiB", ZH: "标准输入超过 1 MiB"}
	textNotUTF8         = i18n.Text{EN: "the text is not UTF-8", ZH: "文字不是 UTF-8"}
	textNotOpen         = i18n.Text{EN: "session %s is not open; start %[2]s or %[3]s, or name the place with --data and --session", ZH: "会话 %s 未打开；请启动 %[2]s 或 %[3]s，或用 --data 和 --session 指定位置"}
	textNotOpenThere    = i18n.Text{EN: "session %s is not open; start %[2]s or %[3]s", ZH: "会话 %s 未打开；请启动 %[2]s 或 %[3]s"}
	textNoSession       = i18n.Text{EN: "there is no session %s yet; %s or %s begins it", ZH: "还没有会话 %s；%s 或 %s 会新建它"}
	textNothingToQuit   = i18n.Text{EN: "session %s is not open", ZH: "会话 %s 未打开"}
	textNoAPI           = i18n.Text{EN: "session %s is open in a society-tui that cannot be reached: %s", ZH: "会话 %s 由另一个 society-tui 打开，但无法连接：%s"}
	textSent            = i18n.Text{EN: "Sent to %s in task %s", ZH: "已发送给 %s，任务 %s"}
	textSentAtRest      = i18n.Text{EN: "%s was not working, so nothing was interrupted; your text was sent to it", ZH: "%s 没有在工作，无需中断；你的文字已发送给它"}
	textAskTerminate    = i18n.Plural{One: "Terminate %[2]s? What is its own is erased for good. (y/n)", Other: "Terminate %d agents? What is theirs is erased for good: %s. (y/n)", ZH: "终止 %d 个智能体？其数据将被永久清除：%s。(y/n)"}
	textNothingDone     = i18n.Text{EN: "nothing was done", ZH: "未执行任何操作"}
	textUnpaused        = i18n.Text{EN: "%s was paused; your message resumes it", ZH: "%s 原已暂停；你的消息使它恢复"}
	textWriteToIt       = i18n.Text{EN: "%s --to %s TEXT", ZH: "%s --to %s 文字"}
	textAnswersIt       = i18n.Text{EN: "%s had asked “%s”, and this text answers it", ZH: "%s 曾问“%s”，此文字即为回答"}
	textChosenAnswers   = i18n.Text{EN: "%s had asked “%s”, and its suggestion “%s” answers it", ZH: "%s 曾问“%s”，以它建议的“%s”作为回答"}
	textOrItsNumber     = i18n.Text{EN: "%s, or the number of a suggestion", ZH: "%s，或建议的序号"}
	textStaysPaused     = i18n.Text{EN: "%s is paused with open work, for which others may wait; resume it with: %s %s", ZH: "%s 已暂停，仍有未完成的工作，其他智能体可能在等它；恢复：%s %s"}
	textAsksYou         = i18n.Text{EN: "%[1]s asks you; answer with: %[2]s --wait --to %[1]s TEXT", ZH: "%[1]s 向你提问；回答：%[2]s --wait --to %[1]s 文字"}
	textAsksYouAlone    = i18n.Text{EN: "%s asks you; answer with: %s TEXT", ZH: "%s 向你提问；回答：%s 文字"}
	textAsksYouOnScreen = i18n.Text{EN: "%s asks you; answer on the screen: %s", ZH: "%s 向你提问；请在界面上回答：%s"}
	textRecalled        = i18n.Text{EN: "Agents work in %s, the folder of this session; --workspace PATH changes it.", ZH: "智能体在 %s 中工作，即此会话的文件夹；可用 --workspace PATH 更改。"}
	textAsksPermission  = i18n.Text{EN: "%[1]s %[2]s and waits for your yes: open %[3]s, then /approvals", ZH: "%[1]s %[2]s，等待你的同意：打开 %[3]s，再用 /approvals"}
	// textBudgetHolds has the agent, the word for the budget and the program.
	textBudgetHolds     = i18n.Text{EN: "A budget is spent, so %s waits; raise it with /budget %s AMOUNT in %s", ZH: "预算已用完，%s 在等待；请用 /budget %s 额度 提高，在此输入：%s"}
	textOrSettings      = i18n.Text{EN: "%s, or %s in the settings", ZH: "%s；也可提高设置中的 %s"}
	textTimeUp          = i18n.Text{EN: "The time is up", ZH: "时间已到"}
	textNotTaken        = i18n.Text{EN: "No task had begun by then", ZH: "届时任务尚未开始"}
	textUnwaitedFor     = i18n.Text{EN: "Stopped waiting", ZH: "已停止等待"}
	textCancelled       = i18n.Text{EN: "Cancelled task %s", ZH: "已取消任务 %s"}
	textPartlyCancelled = i18n.Text{EN: "Task %s could not be cancelled whole; still at work on it, together with other tasks: %s", ZH: "未能完全取消任务 %s；仍在一并处理它和其他任务的智能体：%s"}
	textCallDenied      = i18n.Text{EN: "denied: %s may not call %s (see --mode and --allow)", ZH: "已拒绝：%s 不得调用 %s（见 --mode 和 --allow）"}
	textGoesOn          = i18n.Text{EN: "Task %[1]s goes on; its messages: %[2]s %[1]s", ZH: "任务 %[1]s 继续进行；查看消息：%[2]s %[1]s"}
	textGoesOnLater     = i18n.Text{EN: "Task %s goes on when the session is opened again", ZH: "再次打开会话后，任务 %s 继续进行"}
	textReadLater       = i18n.Text{EN: "Task %[1]s goes on when the session is opened again; its messages then: %[2]s %[1]s", ZH: "再次打开会话后，任务 %[1]s 继续进行；届时查看消息：%[2]s %[1]s"}
	textTaskFailed      = i18n.Text{EN: "The task failed", ZH: "任务失败"}
	textShared          = i18n.Text{EN: "Answered together with task %s, at one cost", ZH: "与任务 %s 一起回答，费用只计一次"}
	textUnanswered      = i18n.Text{EN: "no answer", ZH: "没有回答"}
	textNoState         = i18n.Text{EN: "there is no state “%s”", ZH: "没有状态“%s”"}
	textStates          = i18n.Text{EN: "--state takes: %s", ZH: "--state 可用：%s"}
	textNoAnswer        = i18n.Text{EN: "The task ended without an answer", ZH: "任务结束，但没有回答"}
	textStoppedFirst    = i18n.Text{EN: "%s was stopped before it answered; resume it with “%s”, then ask again", ZH: "%s 在回答前被停止；用“%s”恢复，再问一次"}
	textStoppedAtWork   = i18n.Text{EN: "work on the task was stopped; resume it with “%s”, then ask again", ZH: "任务的工作在中途被停止；用“%s”恢复，再问一次"}
	textCutOff          = i18n.Text{EN: "work on the task was stopped and does not go on: that of %s; ask again", ZH: "任务的工作在中途被停止，不会继续：%s；请再问一次"}
	textTakesNoneHere   = i18n.Text{EN: "%[1]s is stopped and takes no messages; open the session with %[2]s, and %[3]s %[1]s lets it go on", ZH: "%[1]s 已停止，不接收消息；先用 %[2]s 打开会话，再恢复：%[3]s %[1]s"}
	textTakesNone       = i18n.Text{EN: "%[1]s is stopped and takes no messages; %[2]s %[1]s lets it go on", ZH: "%[1]s 已停止，不接收消息；恢复：%[2]s %[1]s"}
	textEndedFirst      = i18n.Text{EN: "%s was terminated before it answered", ZH: "%s 在回答前被终止"}
	textFailedBecause   = i18n.Text{EN: "The task failed: %s: %s", ZH: "任务失败：%s：%s"}
	textAskLater        = i18n.Text{EN: "Wait until that one ends, or run %s, which answers several programs.", ZH: "请等它结束，或运行可同时供多个程序使用的 %s。"}
	textNoTokenYet      = i18n.Text{EN: "session %s has no token yet; it gets one when it is opened on the screen or by serve, and by %s", ZH: "会话 %s 还没有令牌；在界面中或用 serve 打开时会生成，也可用 %s 生成"}
	textPort            = i18n.Text{EN: "http :%s", ZH: "http :%s"}
	textPortBusy        = i18n.Text{EN: "http off: port busy (--http PORT)", ZH: "http 关闭：端口被占用（--http 端口）"}
	textPortTaken       = i18n.Text{EN: "port %s is in use by another program, which would get the requests to this session and its token; end it, or choose another port with --http", ZH: "端口 %s 已被其他程序占用，发给此会话的请求和令牌会被它收到；请结束它，或用 --http 另选端口"}
	textPortOff         = i18n.Text{EN: "http off", ZH: "http 关闭"}
	textServes          = i18n.Text{EN: "Session %s is open. Other programs reach it at %s. End it with ctrl+c or %s.", ZH: "会话 %s 已打开，其他程序可通过 %s 访问。用 ctrl+c 或 %s 结束。"}
	textServesOn        = i18n.Text{EN: "Session %s is open. Other programs reach it at %s. End it with %s.", ZH: "会话 %s 已打开，其他程序可通过 %s 访问。用 %s 结束。"}
	textQuits           = i18n.Text{EN: "The program is leaving", ZH: "程序正在退出"}
	textHasQuit         = i18n.Text{EN: "The program has ended", ZH: "程序已退出"}
	textQuitWaits       = i18n.Text{EN: "waiting until running calls have ended, at most 30 s; ctrl+c ends only the waiting", ZH: "正在等待进行中的调用结束，最多 30 秒；ctrl+c 只结束等待"}
	textNewToken        = i18n.Text{EN: "Wrote a new token to %s; programs with the old one are refused", ZH: "已把新令牌写入 %s；使用旧令牌的程序将被拒绝"}

	textAgentColumns      = []i18n.Text{{EN: "AGENT", ZH: "智能体"}, {EN: "NAME", ZH: "名称"}, {EN: "STATE", ZH: "状态"}, {EN: "UNREAD", ZH: "未读"}, {EN: "WORKS ON", ZH: "正在做"}}
	textTaskColumns       = []i18n.Text{{EN: "TASK", ZH: "任务"}, {EN: "STATE", ZH: "状态"}, {EN: "BEGUN", ZH: "开始时间"}, {EN: "REQUEST", ZH: "请求"}}
	textServerColumns     = []i18n.Text{{EN: "SERVER", ZH: "服务器"}, {EN: "STATE", ZH: "状态"}, {EN: "COMMAND OR PROBLEM", ZH: "命令或问题"}}
	textServerToolColumns = []i18n.Text{{EN: "TOOL", ZH: "工具"}, {EN: "NAME FOR AGENTS", ZH: "智能体所用名称"}, {EN: "PURPOSE", ZH: "用途"}}
	textNotOffered        = i18n.Text{EN: "not offered: %s", ZH: "未提供：%s"}
	textNoServer          = i18n.Text{EN: "There is no MCP server %s: %s lists them", ZH: "没有 MCP 服务器 %s：%s 列出全部"}
	textNoTask            = i18n.Text{EN: "no such task; %s lists them", ZH: "没有这个任务；%s 列出全部任务"}
	// textRefusals are errors of the API by their codes, with the agent where it matters.
	textRefusals = map[string]i18n.Text{
		string(society.AgentNotFound):    textNobody,
		string(society.MailboxFull):      action.TextMailboxFull,
		string(society.StoreUnavailable): action.TextStoreUnavailable,
		httpapi.CodeUnauthorized:         {EN: "the token is not that of the program there; society-tui token, run where the session is open, prints it", ZH: "令牌与那里的程序不符；在打开会话的机器上运行 society-tui token 可输出正确的令牌"},
		httpapi.CodeLeaving:              {EN: "the program is leaving; start it again, then repeat the command", ZH: "程序正在退出；请重新启动后再试"},
	}
)

// What attached screens say before and after.
var (
	textLeftCut            = i18n.Text{EN: "The connection to session %s is lost: it is not known whether its agents continue. What was not sent is lost", ZH: "与会话 %s 的连接已断开：不知道其智能体是否继续工作。未发送的文字已丢失"}
	textStaysOpen          = i18n.Text{EN: "Session %s stays open, and its agents continue", ZH: "会话 %s 保持打开，其智能体继续工作"}
	textEndedThere         = i18n.Text{EN: "Session %s has ended; everything is saved", ZH: "会话 %s 已结束，一切都已保存"}
	textEnds               = i18n.Text{EN: "Session %s is ending; calls in flight get up to 25 s", ZH: "会话 %s 正在结束；进行中的调用最多还有 25 秒"}
	textNotEnded           = i18n.Text{EN: "session %s was not ended: %s", ZH: "会话 %s 没有结束：%s"}
	textNoSocketThere      = i18n.Text{EN: "it serves no socket", ZH: "它没有提供套接字"}
	textNorAttached        = i18n.Text{EN: "Nor can this screen attach to it: %s", ZH: "也无法连接到它：%s"}
	textAttachWith         = i18n.Text{EN: "Attach to the session: %s", ZH: "连接到该会话：%s"}
	textAsksThere          = i18n.Text{EN: "session %s is open in another society-tui, which is asked", ZH: "会话 %s 已由另一个 society-tui 打开，请求将发给它"}
	textIsOpen             = i18n.Text{EN: "session %s is open in another society-tui, so this screen attaches to it", ZH: "会话 %s 已由另一个 society-tui 打开，此界面将连接过去"}
	textAttachOpensNothing = i18n.Text{EN: "attach opens none", ZH: "attach 不打开会话"}
	textCountsWhenOpened   = i18n.Text{EN: "%s counts only when a session is opened: %s", ZH: "%s 只在打开会话时有效：%s"}
	textCountWhenOpened    = i18n.Text{EN: "%s count only when a session is opened: %s", ZH: "%s 只在打开会话时有效：%s"}
	textNoAttachAtAll      = i18n.Text{EN: "attach and --no-attach exclude each other", ZH: "attach 与 --no-attach 互相排斥"}
	textNoAddress          = i18n.Text{EN: "%q is not an address such as ssh://HOST; a session of this machine is named by --session", ZH: "%q 不是 ssh://主机 这样的地址；本机的会话用 --session 指定"}
	textChangedThere       = i18n.Text{EN: "Leave it out; on the attached screen, %s does it.", ZH: "请去掉它；在连接的界面上可用 %s。"}
	textWorksThere         = i18n.Text{EN: "Its agents work in %s.", ZH: "它的智能体在 %s 中工作。"}
	textNotChangedThere    = i18n.Text{EN: "Leave it out; it cannot be changed there. %s ends that program.", ZH: "请去掉它；那里无法更改。%s 可结束那个程序。"}
	textOneWay             = i18n.Text{EN: "an address with ssh:// needs neither --socket nor --url nor --token-file", ZH: "ssh:// 地址不需要 --socket、--url 或 --token-file"}
	textNeedsTokenFile     = i18n.Text{EN: "--socket and --url need --token-file, and only they do", ZH: "--socket 和 --url 需要 --token-file，且只有它们需要"}
	textTwoSessions        = i18n.Text{EN: "the address and --session name different sessions", ZH: "地址和 --session 指定了不同的会话"}
	textNobodyThere        = i18n.Text{EN: "no program listens at %s; check the address, and that the session is open there (society-tui serve opens it) and still forwarded", ZH: "%s 处没有程序在监听；请检查地址，以及那里的会话是否已打开（society-tui serve 可打开它）、转发是否仍在"}
	textSilentThere        = i18n.Text{EN: "the program at %s has not answered within %s; it may be stopped or hang: try again, or end it and open the session anew", ZH: "%s 处的程序在 %s 内没有应答；它可能已暂停或卡住：请重试，或结束它后重新打开会话"}
	textNoSocietyThere     = i18n.Text{EN: "the program at %s does not answer as society-tui does; check the address (society-tui serve prints its own). The log has the cause.", ZH: "%s 处的程序不像 society-tui 那样应答；请检查地址（society-tui serve 会显示自己的地址）。原因见日志。"}
	textWrongToken         = i18n.Text{EN: "the token in %s is not that of the program there; copy it anew: society-tui token, run where the session is open, prints it", ZH: "%s 中的令牌与那里的程序不符；请重新复制：在打开会话的机器上运行 society-tui token 即可输出"}
	textURLPart            = i18n.Text{EN: "the address of --url cannot have %q", ZH: "--url 的地址中不能有 %q"}
	textURLUnread          = i18n.Text{EN: "the address of --url cannot be read, or has a user", ZH: "--url 的地址无法读取，或含有用户"}
	textBadURL             = i18n.Text{EN: "%s; --url takes a port of this machine, such as http://127.0.0.1:3000; ssh -L forwards one of another", ZH: "%s；--url 接受本机的端口，如 http://127.0.0.1:3000；ssh -L 可转发另一台机器的端口"}
	textIncompatible       = i18n.Text{EN: "session %s is open in a society-tui of another version (protocol %d of attached screens, here %d)", ZH: "会话 %s 由另一个版本的 society-tui 打开（连接协议 %d，这里是 %d）"}
	textOtherVersion       = i18n.Text{EN: "the society-tui there is of another version (protocol %d of attached screens, here %d); install the same one on both machines", ZH: "对方的 society-tui 是另一个版本（连接协议 %d，这里是 %d）；请在两台机器上安装相同版本"}
	textEndThere           = i18n.Text{EN: "End it and open the session here? (y/n)", ZH: "结束它并在这里打开会话？(y/n)"}
	textLeftAlone          = i18n.Text{EN: "session %s was left alone", ZH: "会话 %s 未受影响"}
	textBeingSaved         = i18n.Text{EN: "Session %s is being saved by the program that is closing; it opens here afterwards, within %d s (ctrl+c gives up)", ZH: "正在关闭的程序还在保存会话 %s；保存后会在这里打开，最多 %d 秒（ctrl+c 放弃）"}
	textAwaitsEnd          = i18n.Text{EN: "waiting until the other program has closed session %s", ZH: "正在等待另一个程序关闭会话 %s"}

	textNoIsolation = i18n.Text{EN: "isolate: %s", ZH: "isolate：%s"}

	// Why a file of the workspace is not read for the user.
	textFileOutside = i18n.Text{EN: "it is outside of the workspace; name it by its full path", ZH: "它在工作区之外；请写出完整路径"}
	textFileLink    = i18n.Text{EN: "it is a link; name the file that it leads to", ZH: "它是链接；请写出它指向的文件"}
	textFileSpecial = i18n.Text{EN: "it is no regular file", ZH: "它不是普通文件"}
	textFileFolder  = i18n.Text{EN: "it is a folder; name a file in it", ZH: "它是文件夹；请写出其中的文件"}
	textFileLarge   = i18n.Text{EN: "it is larger than 16 MiB; agents with file tools can read it in pieces", ZH: "它大于 16 MiB；有文件工具的智能体可以分段读取"}
)

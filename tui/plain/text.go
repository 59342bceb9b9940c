package plain

import "society-tui/runtime/i18n"

var (
	textNoChanges     = i18n.Text{EN: "No agent has changed a file in the last 30 days.", ZH: "最近 30 天没有智能体更改过文件。"}
	textNoChange      = i18n.Text{EN: "There is no change #%d", ZH: "没有更改 #%d"}
	textNoProcesses   = i18n.Text{EN: "No agent has a background process.", ZH: "没有后台进程。"}
	textNoneEnded     = i18n.Text{EN: "No agent has been terminated.", ZH: "没有已终止的智能体。"}
	textNoWorktrees   = i18n.Text{EN: "No worktrees. With isolate each new agent gets one.", ZH: "没有工作树。使用 isolate 时，每个新智能体都有一个。"}
	textTreeFolder    = i18n.Text{EN: "Folder: %s", ZH: "文件夹：%s"}
	textTreeMerge     = i18n.Text{EN: "To merge, run: %s", ZH: "要合并，请运行：%s"}
	textToolsOf       = i18n.Text{EN: "Tools of %s: %s", ZH: "%s 的工具：%s"}
	textNotOffered    = i18n.Text{EN: "Not offered: %s", ZH: "未提供：%s"}
	textRule          = i18n.Text{EN: "Rule %s: %s", ZH: "规则 %s：%s"}
	textNoArtifacts   = i18n.Text{EN: "No artifacts yet.", ZH: "还没有产出。"}
	textNoText        = i18n.Text{EN: "%s is no text. Export it: /artifacts id > file", ZH: "%s 不是文本。请导出：/artifacts 编号 > 文件"}
	textNoServers     = i18n.Text{EN: "No MCP servers. Add one to the settings under [[mcp]].", ZH: "没有 MCP 服务器。请在设置的 [[mcp]] 下添加。"}
	textServerCommand = i18n.Text{EN: "Started or reached by: %s", ZH: "启动命令或地址：%s"}
	textServerOutput  = i18n.Text{EN: "Standard error", ZH: "标准错误"}
	// textEnd ends a sentence.
	textEnd = i18n.Text{EN: ".", ZH: "。"}
	// textSemicolon stands between the columns of a table.
	textSemicolon = i18n.Text{EN: "; ", ZH: "；"}

	// The greeting.
	textOpened         = i18n.Plural{One: "The society is open, with %d agent. You write to %[2]s. /help lists the commands.", Other: "The society is open, with %d agents. You write to %[2]s. /help lists the commands.", ZH: "团队已打开，共 %d 个智能体。正在写给 %[2]s。/help 列出命令。"}
	textWelcome        = i18n.Text{EN: "Tell root what you want. It makes roles and agents, and you hear each of them at work.", ZH: "告诉 root 你想要什么。它会创建角色和智能体，你能听到每一个在做什么。"}
	textWelcomeOffline = i18n.Text{EN: "This is the offline demo model. It needs no network and no key. /setup sets a real model up.", ZH: "这是离线演示模型，不需要网络，也不需要密钥。用 /setup 设置真实模型。"}
	textNeed           = i18n.Plural{One: "%d agent needs you. /next goes to it.", Other: "%d agents need you. /next goes to them.", ZH: "%d 个智能体需要你处理。/next 前往。"}

	// The recipient.
	textWritesTo = i18n.Text{EN: "You write to %s: %s.", ZH: "正在写给 %s：%s。"}
	textWriting  = i18n.Text{EN: "you write to it", ZH: "正在写给它"}
	textWentOver = i18n.Text{EN: "%s no longer exists. You write to %s.", ZH: "%s 已不存在。正在写给 %s。"}
	textAnswered = i18n.Text{EN: "%s no longer asks you. What you write now is an ordinary message.", ZH: "%s 不再等你回答。你现在写的是普通消息。"}
	textAskedYou = i18n.Text{EN: "It asks you: %s", ZH: "它问你：%s"}
	textChoose   = i18n.Text{EN: "Answer in your words, or with a number:", ZH: "用你的话回答，或用数字："}

	// Events.
	textMissed   = i18n.Plural{One: "%d event was not written.", Other: "%d events were not written.", ZH: "有 %d 个事件没有写出。"}
	textReadOn   = i18n.Text{EN: "(/messages %s reads the rest)", ZH: "（/messages %s 读其余部分）"}
	textFailed   = i18n.Text{EN: "%s failed: %s. /retry tries again.", ZH: "%s 出错：%s。/retry 重试。"}
	textFailedSo = i18n.Text{EN: "%s failed: %s. %s.", ZH: "%s 出错：%s。%s。"}
	textSpawned  = i18n.Text{EN: "%s made %s: %s", ZH: "%s 创建了 %s：%s"}
	textRetry    = i18n.Text{EN: "%s tries again: %s", ZH: "%s 正在重试：%s"}
	// textWrites names an agent, its tool, how long that runs, and its last line.
	textWrites      = i18n.Text{EN: "%s uses %s, for %s so far. It writes: %s", ZH: "%s 使用 %s，已 %s。输出：%s"}
	textUndelivered = i18n.Text{EN: "A delayed message of %s was not delivered: %s", ZH: "%s 的延迟消息未送达：%s"}
	textReading     = i18n.Plural{One: "%[2]s, newest %[1]d message.", Other: "%[2]s, newest %[1]d messages.", ZH: "%[2]s，最新 %[1]d 条消息。"}
	textReadAll     = i18n.Text{EN: "End of what %s has: %s.", ZH: "%s 的内容到此为止：%s。"}
	textHearsOpen   = i18n.Text{EN: "You hear all of the agent you write to, and a line of the others.", ZH: "你会听到收件人的全部内容，其他智能体各一行。"}
	textHearsAll    = i18n.Text{EN: "You hear all that agents say and do.", ZH: "你会听到智能体所说所做的全部。"}
	textHearsMine   = i18n.Text{EN: "You hear only what is for you.", ZH: "你只会听到给你的内容。"}

	// Questions.
	// textNobodyAnswers and the following name an agent that asks at the end of a script.
	textNobodyAnswers = i18n.Text{EN: "%s waits for your answer, and the input has ended. It is saved: start %s to answer.", ZH: "%s 在等你回答，但输入已结束。一切已保存：启动 %s 即可回答。"}
	textNobodyAllows  = i18n.Text{EN: "%s waits for your yes to a call, and the input has ended. It is saved: start %s, then /approvals.", ZH: "%s 在等你同意一次调用，但输入已结束。一切已保存：启动 %s，再用 /approvals。"}
	textNobodyRaises  = i18n.Text{EN: "%s waits because a budget is spent, and the input has ended. It is saved: start %s, then /budget.", ZH: "%s 因预算已用完而等待，但输入已结束。一切已保存：启动 %s，再用 /budget。"}

	textYesOrNo       = i18n.Text{EN: "Yes or no?", ZH: "是还是否？"}
	textAttachedTo    = i18n.Text{EN: "Attached to %s, which another program runs: /quit leaves it running; %s ends it.", ZH: "已连接 %s，它由另一个程序运行：/quit 离开而不影响它；%s 结束它。"}
	textQuitSaved     = i18n.Text{EN: "Everything is saved: agents, conversations, unread messages. Running work continues at the next start.", ZH: "一切都已保存：智能体、对话和未读消息。未完成的工作下次启动时继续。"}
	textQuitChoose    = i18n.Text{EN: "Yes, no, or pause: quit and pause all?", ZH: "是、否，或“暂停”：退出并全部暂停？"}
	textTypeNumber    = i18n.Text{EN: "Type %d to do it, anything else leaves it.", ZH: "输入 %d 以执行，输入其他则保持不变。"}
	textStopped       = i18n.Text{EN: "%s is stopped. It takes no messages until it is resumed, with all stopped agents below it. Resume it and send your text?", ZH: "%s 已停止。恢复之前它不接收消息；已停止的下级也会一并恢复。恢复它并发送你的文字吗？"}
	textAstray        = i18n.Text{EN: "“%s” was not sent: there is no such recipient", ZH: "“%s”没有发送：没有这个收件人"}
	textHintRecipient = i18n.Text{EN: "name one with /to first", ZH: "请先用 /to 写出收件人"}
	textNothingAsked  = i18n.Text{EN: "Nothing was asked, so “%s” was not sent", ZH: "没有等待回答的问题，“%s”没有发送"}
	textHintSpace     = i18n.Text{EN: "a space before it sends it as text", ZH: "在前面加空格则作为文字发送"}
	textNothingDone   = i18n.Text{EN: "Nothing was done.", ZH: "未执行任何操作。"}
	textNotSent       = i18n.Text{EN: "Your text was not sent to %s. It was:", ZH: "你的文字没有发送给 %s。原文："}

	// Calls that need the user's yes.
	textAsksTo     = i18n.Text{EN: "%s %s. /approvals %d shows it, /allow %[3]d allows it, /deny %[3]d and a reason denies it", ZH: "%s %s。/approvals %d 查看，/allow %[3]d 允许，/deny %[3]d 加原因 拒绝"}
	textAsksNobody = i18n.Text{EN: "No agent asks to use a tool", ZH: "没有智能体请求使用工具"}
	textRuleWord   = i18n.Text{EN: "/allow %s %d: %s", ZH: "/allow %s %d：%s"}
	textAsksGone   = i18n.Text{EN: "Request %d does not wait any more", ZH: "编号 %d 的请求已不再等待"}
	textModeNow    = i18n.Text{EN: "The mode is %s: %s", ZH: "模式为 %s：%s"}
	textModeOf     = i18n.Text{EN: "Mode of %s: %s", ZH: "%s的模式：%s"}

	textFolderChoice = i18n.Text{EN: "%d: %s. %s", ZH: "%d：%s。%s"}
	textFolderNumber = i18n.Text{EN: "Answer with a number from 1 to %d.", ZH: "请用 1 到 %d 的数字回答。"}
	textFolderLater  = i18n.Text{EN: "Not answered: agents ask before each change, and the next start asks you again. /mode sets it now.", ZH: "未回答：智能体每次更改前先询问，下次启动时会再问你。现在可用 /mode 设置。"}

	// Files for the next text.
	textAttached     = i18n.Text{EN: "Attached to your next text: %s. /attach none takes them out.", ZH: "已附到你的下一条文字：%s。/attach none 取消。"}
	textAttachedNow  = i18n.Text{EN: "Attached %s, %s, to your next text.", ZH: "已把 %s（%s）附到你的下一条文字。"}
	textAttachedNone = i18n.Text{EN: "Nothing is attached. /attach FILE attaches a file of the workspace, or one of this machine by its full path.", ZH: "没有附上任何文件。/attach 文件 附上工作区中的文件，或按完整路径附上本机的文件。"}

	// Commands.
	textCtrlC       = i18n.Text{EN: "Ctrl+c interrupts no agent: /interrupt, /stop and /terminate do. Ctrl+c again within two seconds leaves, as ctrl+d and /quit do.", ZH: "Ctrl+c 不会中断任何智能体：请用 /interrupt、/stop 和 /terminate。两秒内再按 ctrl+c 离开，ctrl+d 和 /quit 也一样。"}
	textDetaching   = i18n.Text{EN: "Starting the background process; running calls are finished first.", ZH: "正在启动后台进程：先完成进行中的调用。"}
	textNotDetached = i18n.Text{EN: "The agents stay here: %s.", ZH: "智能体仍在此处：%s。"}
	textNotRunHere  = i18n.Text{EN: "The agents do not run in this program, so they go on when you quit.", ZH: "智能体不在本程序中运行，退出后它们会继续工作。"}
	textDetached    = i18n.Text{EN: "Leaving; the agents go on.", ZH: "正在离开：智能体继续工作。"}
	textLeaving     = i18n.Text{EN: "Leaving; running calls are finished first.", ZH: "正在离开：先完成进行中的调用。"}
	textHelpEnter   = i18n.Text{EN: "A line you write is sent with enter. A line that ends in a backslash continues in the next one.", ZH: "写一行，按 enter 发送。以反斜杠结尾的一行在下一行继续。"}
	textHelpNames   = i18n.Text{EN: "@name text sends a text to an agent, and what you write next too. These are the commands; without a name they are for the agent you write to:", ZH: "“@名字 文字”把文字发给一个智能体，接下来写的也发给它。命令如下；不写名字就是你正在写给的那一个："}

	// Answers to questions; the English ones work in Chinese, too.
	yes    = []string{"yes", "y", "是"}
	noes   = []string{"no", "n", "否"}
	pauses = []string{"pause", "p", "暂停"}

	cancels   = []string{"cancel", "取消"}
	backs     = []string{"back", "返回"}
	agains    = []string{"again", "重试"}
	keys      = []string{"key", "密钥"}
	addresses = []string{"address", "地址"}
	saves     = []string{"save", "保存"}
)

// Setting a model up.
var (
	textSetUp         = i18n.Text{EN: "Setting up a model. Nothing is saved before the last answer; back returns to the question before, cancel ends. Looking for servers on this machine…", ZH: "设置模型。回答最后一个问题之前不会保存；输入 返回 回到上一个问题，输入 取消 结束。正在寻找本机上的服务器…"}
	textNumbered      = i18n.Text{EN: "  %d: %s, %s", ZH: "  %d：%s，%s"}
	textModelNumbered = i18n.Text{EN: "  %d: %s %s", ZH: "  %d：%s %s"}
	textVariableIsSet = i18n.Text{EN: "%s is set", ZH: "已设置 %s"}
	textProvider      = i18n.Text{EN: "Which provider? Write a part of the name (%d are known), or the address of any OpenAI-compatible API.", ZH: "哪个提供商？输入名称的一部分（已知 %d 个），或任何兼容 OpenAI 的 API 的地址。"}
	textOrNumber      = i18n.Text{EN: "A number takes one of these.", ZH: "输入序号可选用以上之一。"}
	textSeveral       = i18n.Text{EN: "Matches: %d.", ZH: "有 %d 个符合："}
	textFirstQuestion = i18n.Text{EN: "This is the first question; cancel ends.", ZH: "这是第一个问题；输入 取消 结束。"}
	textNoProvider    = i18n.Text{EN: "No provider is called %s, and it is no address.", ZH: "没有提供商叫 %s，它也不是地址。"}
	textPlainKey      = i18n.Text{EN: "Write yes to send a key too, or no to go on without one.", ZH: "输入 是 也发送密钥，输入 否 则不用密钥。"}
	textPlace         = i18n.Text{EN: "Where is the key? Write a number; an empty line is 1.", ZH: "密钥在哪里？输入序号；空行为 1。"}
	textUnlisted      = i18n.Text{EN: "Write again, key, address, back, cancel, or the name of a model.", ZH: "输入 重试、密钥、地址、返回、取消，或模型的名称。"}
	textKnownNames    = i18n.Text{EN: "Models of this service that are known here: %s.", ZH: "已知的此服务的模型：%s。"}
	textUsually       = i18n.Text{EN: "An empty line is %s.", ZH: "空行即“%s”。"}
	textTrialFailed   = i18n.Text{EN: "Write again, key, address, save, back, cancel, or the name of another model.", ZH: "输入 重试、密钥、地址、保存、返回、取消，或另一个模型的名称。"}
	textWhichModel    = i18n.Text{EN: "Which model? Write a number or a name (it has %d).", ZH: "哪个模型？输入序号或名称（共 %d 个）。"}
	textSetUpName     = i18n.Text{EN: "Which name shall it have here? An empty line is %s.", ZH: "在这里叫什么名称？空行为 %s。"}
	textSetUpDefault  = i18n.Text{EN: "Shall it answer from now on? Write yes or no; an empty line is yes.", ZH: "从现在起由它回答吗？输入 是 或 否；空行为 是。"}
)

// Models.
var (
	textModelsUsage     = i18n.Text{EN: "Write /models, /models update, /models forget for all, or /models test, use, forget or remove with a NAME; /setup sets one up.", ZH: "请输入 /models、/models update、/models forget（对所有模型），或 /models test、use、forget、remove 加名称；/setup 设置模型。"}
	textModelsElsewhere = i18n.Text{EN: "Models are set up where the society runs", ZH: "模型须在团队运行之处设置"}
	textNoSuchModel     = i18n.Text{EN: "No model is named %s", ZH: "没有名为 %s 的模型"}
	textDefaultModel    = i18n.Text{EN: "the default", ZH: "默认模型"}
	textNotTested       = i18n.Text{EN: "%s is not one of the [[models]]; society-tui models tests it", ZH: "%s 不是 [[models]] 中的模型；可用 society-tui models 测试"}
	textTestFailed      = i18n.Text{EN: "%s did not answer: %s", ZH: "%s 没有应答：%s"}
	textTestTools       = i18n.Text{EN: "%s answers and calls tools (%d ms).", ZH: "%s 能应答并调用工具（%d 毫秒）。"}
	textTestNoTools     = i18n.Text{EN: "%s answers, but did not call the tool (%d ms).", ZH: "%s 能应答，但没有调用工具（%d 毫秒）。"}
	textRemoves         = i18n.Text{EN: "%s is taken out of the settings, with the key that was entered for it alone.", ZH: "%s 将从设置中移除，只为它输入的密钥也一并移除。"}
	textRemovedModel    = i18n.Text{EN: "Removed %s.", ZH: "已移除 %s。"}
	textUsesNow         = i18n.Text{EN: "%s answers from now on.", ZH: "从现在起由 %s 回答。"}
)

// Lists and reports.
var (
	textFindWhat       = i18n.Text{EN: "Write /find with the text to look for", ZH: "请输入 /find 和要搜索的文字"}
	textFromTo         = i18n.Text{EN: "%s to %s", ZH: "%s 对 %s"}
	textRolesUse       = i18n.Text{EN: "/spawn with a role and a text creates an agent below the one you write to.", ZH: "/spawn 加角色和文字，在收件人之下创建一个智能体。"}
	textGraphs         = i18n.Text{EN: "/graph with an agent prints its steps; with one of these it sets the graph of this role: %s.", ZH: "/graph 加智能体显示其步骤；加以下之一为此角色选择图：%s。"}
	textTemplatesAdd   = i18n.Text{EN: "/template with a name adds its team under root.", ZH: "/template 加名称，在 root 下添加其团队。"}
	textSessionsOpen   = i18n.Text{EN: "To open another, /quit and start society-tui --session NAME; a new name makes a new session.", ZH: "要打开另一个，请 /quit 后启动 society-tui --session 名称；新的名称会新建会话。"}
	textSettingsChange = i18n.Text{EN: "/settings with a name tells what it means; with a name and a value it changes the settings file.", ZH: "/settings 加名称说明其含义；加名称和值则更改设置文件。"}
	textSettingMayBe   = i18n.Text{EN: "It may be %s.", ZH: "可以是：%s。"}
	textNoSetting      = i18n.Text{EN: "No setting named %s; /settings lists them", ZH: "没有名为 %s 的设置；/settings 列出全部"}
)

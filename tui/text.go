package tui

import "society-tui/runtime/i18n"

var (
	textTooSmall  = i18n.Text{EN: "Needs at least %d x %d", ZH: "至少需要 %d x %d"}
	textSmallKeys = i18n.Text{EN: "Only ctrl+c works here.", ZH: "此时只有 ctrl+c 可用。"}
	textSmallQuit = i18n.Text{EN: "Press ctrl+c again to quit.", ZH: "再按一次 ctrl+c 退出。"}

	// Notifications outside the window.
	textNeedYou = i18n.Plural{One: "%d agent needs you", Other: "%d agents need you", ZH: "%d 个智能体需要你处理"}
	textFailed  = i18n.Plural{One: "%d agent failed", Other: "%d agents failed", ZH: "%d 个智能体出错"}

	// Questions before something is lost.
	textRead    = i18n.Plural{One: "%d message was read since this was asked.", Other: "%d messages were read since this was asked.", ZH: "提问之后已有 %d 条消息被读取。"}
	textGrowsOn = i18n.Text{EN: " If more keep coming, stop it first.", ZH: "如果还在增加，请先停止它。"}

	// Progress while leaving.
	textFinishing        = i18n.Plural{One: "Finishing %d call, at most %d s…", Other: "Finishing %d calls, at most %d s…", ZH: "正在完成 %d 个调用，最多 %d 秒…"}
	textUnsent           = i18n.Plural{One: "%d text is not sent yet.", Other: "%d texts are not sent yet.", ZH: "%d 段文字还没有发送。"}
	textClosing          = i18n.Text{EN: "Closing the file…", ZH: "正在关闭文件…"}
	textClosingScreen    = i18n.Text{EN: "Closing the screen…", ZH: "正在关闭界面…"}
	textCutForBackground = i18n.Text{EN: "ctrl+c goes to the background at once.", ZH: "按 ctrl+c 立即转入后台。"}
	textLeaveAtOnce      = i18n.Text{EN: "ctrl+c leaves at once.", ZH: "按 ctrl+c 立即离开。"}
)

var (
	whySeveral           = i18n.Text{EN: "the text goes to several agents; esc goes back to one", ZH: "文字将发给多个智能体；esc 回到一个"}
	textIsToSeveral      = i18n.Text{EN: "What you write goes to several agents", ZH: "你写的内容将发给多个智能体"}
	textToSeveral        = i18n.Text{EN: "What you write goes to %s", ZH: "你写的内容将发给 %s"}
	textHintToOne        = i18n.Text{EN: "esc goes back to one", ZH: "esc 回到一个收件人"}
	whyNoText            = i18n.Text{EN: "nothing to send yet", ZH: "还没有输入文字"}
	textHintTakeBack     = i18n.Text{EN: "esc undoes that", ZH: "esc 撤销"}
	textNotAVerb         = i18n.Text{EN: "{verbs_follow} %s is not a command", ZH: "{verbs_follow} %s 不是命令"}
	hintRest             = i18n.Text{EN: "all of it", ZH: "全文"}
	textCycles           = i18n.Text{EN: "{tree.show} switches between all agents, problems, running and ended ones", ZH: "按 {tree.show} 切换：全部、有问题的、运行中的、已终止的"}
	textAllPinsTaken     = i18n.Text{EN: "All pins are taken; {tree.pin} on a pinned agent frees its key", ZH: "固定键都已占用；在已固定的智能体上按 {tree.pin} 可释放"}
	textHintMarked       = i18n.Text{EN: "{tree.talk} writes to all of them, {tree.interrupt} {tree.stop_or_resume} {tree.terminate} are for all, esc unmarks", ZH: "{tree.talk} 写给全部，{tree.interrupt} {tree.stop_or_resume} {tree.terminate} 对全部生效，esc 取消标记"}
	textHintToWrite      = i18n.Text{EN: "esc goes to the composer, {help} lists the keys", ZH: "esc 到输入框，{help} 列出按键"}
	textHintOlder        = i18n.Text{EN: "{search_history}: an older one; {composer.newer}: back", ZH: "{search_history} 更早一条，{composer.newer} 返回"}
	textNoticeTitle      = i18n.Text{EN: "Before you begin", ZH: "开始之前"}
	textAgentFailed      = i18n.Text{EN: "%s: %s", ZH: "%s：%s"}
	textHintApprovals    = i18n.Text{EN: "{approvals} shows it", ZH: "{approvals} 查看"}
	textAgentAsks        = i18n.Text{EN: "%s asks you", ZH: "%s 等你回答"}
	textHintRetry        = i18n.Text{EN: "{next_needs_you} goes there, {verbs.resume} retries", ZH: "{next_needs_you} 前往，{verbs.resume} 重试"}
	textAttaches         = i18n.Text{EN: "attaches %s", ZH: "附上 %s"}
	textNoFile           = i18n.Text{EN: "no file %s", ZH: "没有文件 %s"}
	textHintText         = i18n.Text{EN: "your text is kept; choose a recipient", ZH: "文字已保留，请选择收件人"}
	textNoEditor         = i18n.Text{EN: "Set $EDITOR first", ZH: "请先设置 $EDITOR"}
	textNotInHistory     = i18n.Text{EN: "No match in your history", ZH: "历史输入中没有匹配项"}
	textLastText         = i18n.Text{EN: "Your last text", ZH: "最近一条输入"}
	textHintSaved        = i18n.Text{EN: "everything is saved by itself, /quit leaves. A space before the : sends it as text", ZH: "一切都会自动保存，/quit 退出。前加空格则作为文字发送"}
	textHintShell        = i18n.Text{EN: "tell an agent what to run. A space before the ! sends it as text", ZH: "请让智能体来运行。前加空格则作为文字发送"}
	textHintQuit         = i18n.Text{EN: "did you mean /quit? A space before the : sends it as text", ZH: "你是否指 /quit？前加空格则作为文字发送"}
	textHelpIs           = i18n.Text{EN: "%s opens the help", ZH: "按 %s 打开帮助"}
	textOlderText        = i18n.Text{EN: "An older text", ZH: "较早的一条输入"}
	textOlderFromHistory = i18n.Text{EN: "An older text with this in it", ZH: "较早的一条含此内容的输入"}
	textFromHistory      = i18n.Text{EN: "Your last text with this in it", ZH: "最近一条含此内容的输入"}
	textEditorFailed     = i18n.Text{EN: "The editor failed: %s", ZH: "编辑器出错：%s"}
	textSameTask         = i18n.Text{EN: "Your next message continues the task", ZH: "下一条消息将继续当前任务"}
	textOnlyWaits        = i18n.Text{EN: "%s is waiting for %s and runs nothing itself", ZH: "%s 在等待 %s，自身没有运行"}
	textCleared          = i18n.Text{EN: "Cleared", ZH: "已清除"}
	textHintBring        = i18n.Text{EN: "{bring_back} restores it", ZH: "{bring_back} 恢复文字"}
	textHintRewind       = i18n.Text{EN: "/rewind edits and sends again", ZH: "/rewind 修改后重发"}
	textHintEscEsc       = i18n.Text{EN: "esc esc interrupts a working agent", ZH: "esc esc 中断正在工作的智能体"}
	textNothingCleared   = i18n.Text{EN: "Nothing was cleared since the start", ZH: "启动后没有清除过文字"}
	textHintEarlier      = i18n.Text{EN: "{older} brings earlier texts", ZH: "{older} 找回较早的输入"}
	textEscAgain         = i18n.Text{EN: "again to interrupt %s", ZH: "再按一次中断 %s"}
	hintOlderMatch       = i18n.Text{EN: "older", ZH: "更早"}
	hintNewerMatch       = i18n.Text{EN: "newer", ZH: "更晚"}
	hintComplete         = i18n.Text{EN: "complete", ZH: "补全"}
	hintUnzoom           = i18n.Text{EN: "all panes", ZH: "显示全部窗格"}
	hintExamples         = i18n.Text{EN: "examples", ZH: "示例"}
	hintQuickReply       = i18n.Text{EN: "quick reply", ZH: "快捷回复"}
	hintCommands         = i18n.Text{EN: "commands", ZH: "命令"}
	textRaise            = i18n.Text{EN: "raise the budget", ZH: "提高预算"}
	textDetails          = i18n.Text{EN: "inspector", ZH: "详情"}
	textChatPane         = i18n.Text{EN: "conversation", ZH: "对话"}
	textTreePane         = i18n.Text{EN: "agents", ZH: "智能体"}
	textMouseInGNUScreen = i18n.Text{EN: "Mouse off: GNU screen would hold back esc", ZH: "鼠标已关闭：GNU screen 会扣住 esc"}
	textHintMouseOn      = i18n.Text{EN: "turn it on anyway: /mouse on", ZH: "仍要开启：/mouse on"}
	textMouseOn          = i18n.Text{EN: "Mouse on: the wheel scrolls, a click opens and selects", ZH: "鼠标已开启：滚轮滚动，单击打开和选择"}
	textMouseOff         = i18n.Text{EN: "Mouse off: the terminal selects text itself", ZH: "鼠标已关闭：由终端选择文字"}
	textNoParent         = i18n.Text{EN: "This is the top", ZH: "已在最上层"}
	textNowhereBack      = i18n.Text{EN: "No agent to go back to", ZH: "没有可返回的智能体"}
	textUnpinned         = i18n.Text{EN: "Unpinned %s", ZH: "已取消固定 %s"}
	textPinned           = i18n.Text{EN: "Pinned %s to %s", ZH: "已将 %s 固定到 %s"}
	textNoPin            = i18n.Text{EN: "No agent is pinned to %s", ZH: "没有固定到 %s 的智能体"}
	textCopied           = i18n.Text{EN: "Copied: %s", ZH: "已复制：%s"}
	textNothingToCopy    = i18n.Text{EN: "Nothing to copy here", ZH: "这里没有可复制的内容"}
	textHintCopied       = i18n.Text{EN: "not in your clipboard? /help clipboard", ZH: "剪贴板里没有？/help clipboard"}
	whyNoPin             = i18n.Text{EN: "no agent is pinned to it", ZH: "没有固定的智能体"}
	whyNotSeen           = i18n.Text{EN: "no room for it on the screen", ZH: "屏幕上没有它的位置"}
	textOrderActivity    = i18n.Text{EN: "Agents by activity: working ones first", ZH: "按活动排列：工作中的在前"}
	textOrderState       = i18n.Text{EN: "Agents by state: those that need you first", ZH: "按状态排列：等你处理的在前"}
	textOrderTokens      = i18n.Text{EN: "Agents by tokens of their subtree: the most first", ZH: "按词元（含下级）排列：最多的在前"}
	textOrderSpawn       = i18n.Text{EN: "Agents in the order they were created", ZH: "按创建顺序排列"}
	textKeepFailed       = i18n.Text{EN: "Cannot save your draft: %s", ZH: "无法保存草稿：%s"}
	hintRewind           = i18n.Text{EN: "edit and send again…", ZH: "修改后重发…"}
	textTmuxKeeps        = i18n.Text{EN: "tmux may keep %s: press it twice", ZH: "tmux 可能占用 %s：请按两次"}
	textHintRebindTree   = i18n.Text{EN: "tree_on_off in [keys] of the settings gives another key", ZH: "在设置的 [keys] 中用 tree_on_off 换一个键"}
	textNoneBegins       = i18n.Text{EN: "No agent or file begins with %s", ZH: "没有以 %s 开头的智能体或文件"}
	textNoCompletion     = i18n.Text{EN: "Nothing completes %s", ZH: "没有可补全 %s 的内容"}
	textNoKeyHere        = i18n.Text{EN: "%s has no effect here", ZH: "%s 在这里不可用"}
	textSearchedFor      = i18n.Text{EN: "Searching this conversation for %s", ZH: "正在本对话中搜索 %s"}
	textHintCommand      = i18n.Text{EN: "to run it, write %s in the composer", ZH: "要执行它，请在输入框中写 %s"}
	whyNoSearch          = i18n.Text{EN: "no search is open", ZH: "没有在搜索"}
	hintMeant            = i18n.Text{EN: "write the command %s", ZH: "写成命令 %s"}
	hintSearchEnd        = i18n.Text{EN: "go back", ZH: "回到原处"}
	textCopiedMarked     = i18n.Text{EN: "Copied %[2]s characters: %[1]s", ZH: "已复制 %[2]s 个字符：%[1]s"}
	textCloseTitle       = i18n.Text{EN: "Close this screen?", ZH: "关闭此界面？"}
	textEndsThen         = i18n.Text{EN: "If you end the society: %s", ZH: "如果结束团队：%s"}
	textCloseStays       = i18n.Text{EN: "Only this screen closes: the society stays open, and its agents continue.", ZH: "只关闭此界面：团队保持打开，智能体继续工作。"}
	textCloseCut         = i18n.Text{EN: "The connection is lost: it is not known whether the agents continue.", ZH: "连接已断开：不知道智能体是否继续工作。"}
	textCloseLost        = i18n.Text{EN: "What you wrote since then and did not send is lost with this screen: copy it first, or wait until it is connected again.", ZH: "断开后写下而未发送的文字会随此界面丢失：请先复制，或等待重新连接。"}
	textCloseScreen      = i18n.Text{EN: "Close the screen", ZH: "关闭界面"}
	textEndSociety       = i18n.Text{EN: "End the society", ZH: "结束团队"}
	textQuitSaved        = i18n.Text{EN: "Everything is saved: agents, conversations, unread messages, your drafts.", ZH: "一切都已保存：智能体、对话、未读消息和你的草稿。"}
	textQuitContinues    = i18n.Text{EN: "Running work continues at the next start.", ZH: "未完成的工作下次启动时继续。"}
	textQuitWaits        = i18n.Plural{One: "Quit: %d call gets up to 25 s to end first; ctrl+c then leaves at once.", Other: "Quit: %d calls get up to 25 s to end first; ctrl+c then leaves at once.", ZH: "退出：先等 %d 个调用完成，最多 25 秒；期间按 ctrl+c 立即离开。"}
	textQuit             = i18n.Text{EN: "Quit", ZH: "退出"}
	textKeepRunning      = i18n.Text{EN: "Keep running", ZH: "后台继续"}
	textBackgroundWaits  = i18n.Plural{One: "Keep running: the agents go on without a screen. %d call gets up to 25 s to end first.", Other: "Keep running: the agents go on without a screen. %d calls get up to 25 s to end first.", ZH: "后台继续：智能体在没有界面的情况下继续工作，先等 %d 个调用完成，最多 25 秒。"}
	textBackgroundIdle   = i18n.Text{EN: "Keep running: agents and programs of yours go on without a screen.", ZH: "后台继续：智能体和你的程序在没有界面的情况下继续工作。"}
	textDetaching        = i18n.Text{EN: "Starting the background process…", ZH: "正在启动后台进程…"}
	textNotDetached      = i18n.Text{EN: "The agents stay here: %s", ZH: "智能体仍在此处：%s"}
	whyUnsaved           = i18n.Text{EN: "saving fails at present, and what is not saved cannot go along", ZH: "目前无法保存，未保存的内容带不走"}
	whyNotRunHere        = i18n.Text{EN: "the agents do not run in this program, so they go on when you quit", ZH: "智能体不在本程序中运行，退出后它们会继续工作"}
	textGoesOn           = i18n.Text{EN: "The agents go on without this screen; /quit closes it", ZH: "没有此界面智能体也会继续工作，/quit 关闭它"}
	textQuitPause        = i18n.Text{EN: "Quit and pause all", ZH: "退出并全部暂停"}
	textStoppedTitle     = i18n.Text{EN: "%s is stopped", ZH: "%s 已停止"}
	textStoppedBody      = i18n.Text{EN: "It takes no messages until it is resumed. Resuming it also resumes the stopped agents below it. Your text is kept either way.", ZH: "恢复之前它不接收消息。恢复时已停止的下级也一并恢复。无论如何你的文字都会保留。"}
	textKeepText         = i18n.Text{EN: "Keep the text", ZH: "保留文字"}
	textResumeSend       = i18n.Text{EN: "Resume and send", ZH: "恢复并发送"}
	textEmptyText        = i18n.Text{EN: "Nothing to send yet", ZH: "还没有可发送的文字"}
	textRewindList       = i18n.Text{EN: "Go back to before which message to %s?", ZH: "回到发给 %s 的哪条消息之前？"}
	textWouldSetAside    = i18n.Plural{One: "sets %d entry aside", Other: "sets %d entries aside", ZH: "将搁置 %d 条记录"}
	textNotYourMessage   = i18n.Text{EN: "Go to one of your messages, or to the end for the last one", ZH: "请移到你的某条消息上，或移到末尾以选择最近一条"}
	textSetAside         = i18n.Text{EN: "Set aside", ZH: "搁置"}
	textSetAsideAndUndo  = i18n.Text{EN: "Set aside and undo the file changes", ZH: "搁置并撤销文件更改"}
	textNotRewound       = i18n.Text{EN: "Nothing was set aside; your text is in the composer", ZH: "没有搁置任何内容；你的文字在输入框中"}
	textTakenDropped     = i18n.Text{EN: "The dropped message is in the composer", ZH: "被丢弃的消息已在输入框中"}
	textTaken            = i18n.Text{EN: "The withdrawn message is in the composer", ZH: "撤回的消息已在输入框中"}
	textDropped          = i18n.Text{EN: "Withdrew the message: {bring_back} brings its text", ZH: "已撤回消息，{bring_back} 取回文字"}
	textNewTaskTo        = i18n.Text{EN: "new task", ZH: "新任务"}
	textCopiedSoFar      = i18n.Text{EN: "Copied what is written so far: %s", ZH: "已复制目前写出的部分：%s"}
	whyFollows           = i18n.Text{EN: "already at the end", ZH: "已在末尾"}
	whyNoReplies         = i18n.Text{EN: "%s offers no quick replies", ZH: "%s 没有给出快捷回复"}
	textHintShowAll      = i18n.Text{EN: "esc shows all", ZH: "esc 显示全部"}
	textNothingFolded    = i18n.Text{EN: "Nothing is collapsed below it", ZH: "其下级没有折叠的内容"}
	textNothingToFold    = i18n.Text{EN: "Nothing to collapse: root stays open", ZH: "没有可折叠的：root 保持展开"}
	textNoneMarked       = i18n.Text{EN: "No agent is marked", ZH: "没有标记智能体"}
	textFiltered         = i18n.Text{EN: "Showing agents that match %s", ZH: "只显示匹配 %s 的智能体"}
	textUnfiltered       = i18n.Text{EN: "Showing all agents", ZH: "显示全部智能体"}
	hintKeepFilter       = i18n.Text{EN: "keep the filter", ZH: "保留筛选"}
	textStillAtIt        = i18n.Text{EN: "%s: the previous command is still running", ZH: "%s：上一个命令仍在执行"}
	textWelcomePick      = i18n.Text{EN: "%s goes to the examples, {composer.send} takes one:", ZH: "按 %s 进入示例列表，按 {composer.send} 选用："}
	textWelcomeWaits     = i18n.Text{EN: "Waiting below root: %s. Root knows what they are for.", ZH: "root 之下等待任务的有：%s。root 知道它们的用途。"}
	textWelcome          = i18n.Text{EN: "Tell root what you want. It makes roles and agents, and you see each of them at work.", ZH: "告诉 root 你想要什么。它会创建角色和智能体，你能看到每一个在做什么。"}
	textWelcomeOffline   = i18n.Text{EN: "This is the offline demo model. It needs no network and no key.", ZH: "这是离线演示模型，不需要网络，也不需要密钥。"}
	textWelcomeModels    = i18n.Text{EN: "For a real model: /models.", ZH: "要用真实模型：/models。"}
	textWelcomeSetUp     = i18n.Text{EN: "Set up a model", ZH: "设置模型"}
	textWelcomeTeam      = i18n.Text{EN: "Or begin with a team from a template: /template", ZH: "也可以从模板添加团队：/template"}
)

// Texts of two screens to one agent.
var (
	textOtherText = i18n.Text{EN: "Another screen wrote to %s, too", ZH: "另一个界面也在给 %s 写"}
	textHintOther = i18n.Text{EN: "{verbs.other_text} compares them", ZH: "按 {verbs.other_text} 比较"}
	textOtherNote = i18n.Text{EN: "other text: {verbs.other_text}", ZH: "另一份文字：{verbs.other_text}"}
	whyNoOther    = i18n.Text{EN: "no other screen has a different text", ZH: "其他界面上没有不同的文字"}
	textNoOther   = i18n.Text{EN: "No other screen has a different text", ZH: "其他界面上没有不同的文字"}
	textTwoTexts  = i18n.Text{EN: "Two texts to %s", ZH: "给 %s 的两份文字"}
	textHere      = i18n.Text{EN: "Here:", ZH: "这里："}
	textThere     = i18n.Text{EN: "On the other screen:", ZH: "另一个界面："}
	textBothStay  = i18n.Text{EN: "The one that you do not choose goes to your history: {search_history} or up in the composer.", ZH: "未选择的一份会进入历史输入：在输入框中按 {search_history} 或向上键。"}
	textLater     = i18n.Text{EN: "Decide later", ZH: "以后再选"}
	textUseHere   = i18n.Text{EN: "Keep mine", ZH: "保留这里的"}
	textUseThere  = i18n.Text{EN: "Use the other", ZH: "使用另一份"}
	textKeptHere  = i18n.Text{EN: "Kept the text here; the other one is in your history", ZH: "已保留这里的文字，另一份在历史输入中"}
	textKeptThere = i18n.Text{EN: "Took the other text; the one from here is in your history", ZH: "已使用另一份文字，这里的一份在历史输入中"}
)

// What another screen has done first.
var (
	textResumedElsewhere  = i18n.Text{EN: "%s was resumed", ZH: "%s 已恢复"}
	textHintSendKept      = i18n.Text{EN: "{composer.send} sends your text", ZH: "按 {composer.send} 发送文字"}
	textNoReplyYet        = i18n.Text{EN: "Waiting for the society to take it…", ZH: "正在等待团队接收…"}
	textAnsweredElsewhere = i18n.Text{EN: "The question of %s is answered", ZH: "%s 的问题已有回答"}
	textHintAnswerKept    = i18n.Text{EN: "your text is kept", ZH: "你的文字已保留"}
)

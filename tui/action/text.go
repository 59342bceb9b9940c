package action

import (
	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/i18n"
)

var (
	// Leaving, and the welcome.
	TextQuitTitle   = i18n.Text{EN: "Quit?", ZH: "退出？"}
	TextQuitUnsaved = i18n.Text{EN: "Saving fails at present: what happened since then would be lost.", ZH: "目前无法保存：此后发生的事会丢失。"}
	TextModel       = i18n.Text{EN: "The model is %s.", ZH: "模型是 %s。"}

	// progress is shown until the society has answered.
	progress = [...]i18n.Text{
		Interrupt: {EN: "Interrupting %s…", ZH: "正在中断 %s…"},
		Pause:     {EN: "Pausing %s…", ZH: "正在暂停 %s…"},
		Stop:      {EN: "Stopping %s…", ZH: "正在停止 %s…"},
		Resume:    {EN: "Resuming %s…", ZH: "正在恢复 %s…"},
		Retry:     {EN: "Retrying %s…", ZH: "正在重试 %s…"},
		Terminate: {EN: "Terminating %s…", ZH: "正在终止 %s…"},
		Compress:  {EN: "Compressing the context of %s…", ZH: "正在压缩 %s 的上下文…"},
		Fork:      {EN: "Copying %s…", ZH: "正在复制 %s…"},
	}
	// Going back, and copies.
	textRewindTitle      = i18n.Text{EN: "Go back in the conversation of %s?", ZH: "要回退 %s 的对话吗？"}
	textRewindMessage    = i18n.Text{EN: "To before your message “%s”, which returns to the composer", ZH: "回到你的消息“%s”之前，该消息会放回输入框"}
	textRewindEntries    = i18n.Plural{One: "%d entry is set aside: kept and shown folded, never sent to the model again", Other: "%d entries are set aside: kept and shown folded, never sent to the model again", ZH: "%d 条记录将被搁置：保留并折叠显示，不再发送给模型"}
	textRewindInterrupts = i18n.Text{EN: "%s is at work and is interrupted first", ZH: "%s 正在工作，会先被中断"}
	textRewindAgents     = i18n.Plural{One: "%d agent made since stays: %s", Other: "%d agents made since stay: %s", ZH: "之后创建的 %d 个智能体会保留：%s"}
	textRewindFiles      = i18n.Plural{One: "%d change of a file since stays, unless you undo it", Other: "%d changes of files since stay, unless you undo them", ZH: "之后对文件的 %d 处更改会保留，除非一并撤销"}
	textNothingToRewind  = i18n.Text{EN: "You have written nothing to %s that it has read and that is not set aside", ZH: "在 %s 的对话中，没有你发送且已被读取、尚未搁置的消息"}
	textRewinding        = i18n.Text{EN: "Going back in the conversation of %s…", ZH: "正在回退 %s 的对话…"}
	textRewound          = i18n.Plural{One: "%d entry of %s set aside; your text is here again", Other: "%d entries of %s set aside; your text is here again", ZH: "已搁置 %[2]s 的 %[1]d 条记录；你的文字已取回"}
	textHintAttachAgain  = i18n.Text{EN: "attach %s again", ZH: "请重新附上 %s"}
	textForked           = i18n.Text{EN: "%s was copied: %s has its conversation up to now", ZH: "已复制 %s：%s 拥有其到目前为止的对话"}
	textHintForked       = i18n.Text{EN: "write to the copy, and it goes its own way", ZH: "给副本写消息，它就会独立继续"}
	// Compressing.
	textContextCompressed = i18n.Text{EN: "Compressed %s: %s, from %s to %s tokens", ZH: "已压缩 %s：%s，从 %s 到 %s 词元"}
	textEntries           = i18n.Plural{One: "%[2]s entry", Other: "%[2]s entries", ZH: "%[2]s 条"}
	textWithoutSummary    = i18n.Text{EN: "%s, %s in no summary", ZH: "%s，其中 %s 条未写入摘要"}
	textNotCompressed     = i18n.Text{EN: "Nothing was compressed of %s: %s", ZH: "未压缩 %s：%s"}
	whyCannotCompress     = i18n.Text{EN: "%s is working or stopped", ZH: "%s 正在工作或已停止"}
	textHintKeepLess      = i18n.Text{EN: "/compress AGENT 2 keeps only 2 entries, /compress cut AGENT needs no summary", ZH: "/compress 智能体 2 只保留 2 条，/compress cut 智能体 无需摘要"}
	textHintRetryFull     = i18n.Text{EN: "{verbs.resume} goes on, or write to it", ZH: "{verbs.resume} 继续，或给它写消息"}

	textExporting = i18n.Text{EN: "Exporting %s…", ZH: "正在导出 %s…"}
	textBackingUp = i18n.Text{EN: "Copying to %s…", ZH: "正在复制到 %s…"}

	// Outcomes.
	TextInterrupted = i18n.Text{EN: "Interrupted %s · paused", ZH: "已中断 %s · 已暂停"}
	// The agents are named in TextNothingRan and the following.
	TextNothingRan      = i18n.Plural{One: "%[2]s is not working; nothing to interrupt", Other: "%[2]s are not working; nothing to interrupt", ZH: "%[2]s 没有在工作，无需中断"}
	TextInterruptedText = i18n.Text{EN: "Interrupted %s; it continues with your message", ZH: "已中断 %s，它将按你的消息继续"}
	TextPausesSoon      = i18n.Text{EN: "%s will pause after the current step", ZH: "%s 将在当前步骤后暂停"}
	TextPausedNow       = i18n.Text{EN: "Paused %s", ZH: "已暂停 %s"}
	TextWasPaused       = i18n.Plural{One: "%[2]s is already paused", Other: "%[2]s are already paused", ZH: "%[2]s 已经暂停"}
	TextStopped         = i18n.Plural{One: "Stopped %d agent", Other: "Stopped %d agents", ZH: "已停止 %d 个智能体"}
	TextDropped         = i18n.Plural{One: "dropped %d message", Other: "dropped %d messages", ZH: "丢弃 %d 条消息"}
	textReadBefore      = i18n.Plural{One: "%d message was already read", Other: "%d messages were already read", ZH: "%d 条消息已被读取"}
	textWaitedFor       = i18n.Plural{One: "%[2]s was waiting for this; write to it yourself", Other: "%[2]s were waiting for this; write to them yourself", ZH: "%[2]s 在等它的结果，请自己给它写消息"}
	TextWasStopped      = i18n.Plural{One: "%[2]s is already stopped", Other: "%[2]s are already stopped", ZH: "%[2]s 已经停止"}
	TextResumed         = i18n.Plural{One: "Resumed %d agent", Other: "Resumed %d agents", ZH: "已恢复 %d 个智能体"}
	textResumedIdle     = i18n.Plural{One: "Resumed %d agent: write to %[2]s to go on", Other: "Resumed %d agents: write to %[2]s to go on", ZH: "已恢复 %d 个智能体：给 %[2]s 写消息即可继续"}
	TextNothingResumed  = i18n.Plural{One: "Nothing to resume: %[2]s is not paused or stopped", Other: "Nothing to resume: %[2]s are not paused or stopped", ZH: "没有可恢复的：%[2]s 没有暂停或停止"}
	textWaitsForYou     = i18n.Plural{One: "%[2]s waits for your message; what was cut off is gone", Other: "%[2]s wait for your message; what was cut off is gone", ZH: "%[2]s 正在等你写消息；中断的工作不会继续"}
	textRetried         = i18n.Plural{One: "Retrying %d agent", Other: "Retrying %d agents", ZH: "正在重试 %d 个智能体"}
	textResumedOnly     = i18n.Plural{One: "Resumed %d agent, nothing to retry", Other: "Resumed %d agents, nothing to retry", ZH: "已恢复 %d 个智能体，没有可重试的"}
	textNothingRetried  = i18n.Plural{One: "%[2]s has not failed; nothing to retry", Other: "%[2]s have not failed; nothing to retry", ZH: "%[2]s 没有失败，无需重试"}
	TextTerminated      = i18n.Plural{One: "Terminated %d agent", Other: "Terminated %d agents", ZH: "已终止 %d 个智能体"}
	TextAbandoned       = i18n.Text{EN: "Did not stop in time; results are ignored: %s", ZH: "未能及时停止，结果将忽略：%s"}
	TextSent            = i18n.Text{EN: "Sent to %s", ZH: "已发送给 %s"}
	textResumedSent     = i18n.Plural{One: "Resumed %d agent and sent to %[2]s", Other: "Resumed %d agents and sent to %[2]s", ZH: "已恢复 %d 个智能体并发送给 %[2]s"}
	TextNewTask         = i18n.Text{EN: "Your next message starts a new task", ZH: "下一条消息将开始新任务"}
	textNewTaskSent     = i18n.Text{EN: "%s has a new task", ZH: "%s 开始了新任务"}
	textNamed           = i18n.Text{EN: "%s is now called %s", ZH: "%s 已重命名为 %s"}
	textUnnamed         = i18n.Text{EN: "%s has no other name now", ZH: "%s 不再有另取的名称"}
	textUnsaved         = i18n.Text{EN: "Saving failed: %s", ZH: "保存失败：%s"}
	textSavedAgain      = i18n.Text{EN: "Saving works again", ZH: "已恢复保存"}
	textGoOn            = i18n.Plural{One: "%d agent continues its work", Other: "%d agents continue their work", ZH: "%d 个智能体继续工作"}
	textStayStopped     = i18n.Text{EN: "%d stopped", ZH: "%d 个已停止"}

	// Refusals.
	textRootStays        = i18n.Text{EN: "root cannot be terminated", ZH: "root 不能终止"}
	textNoName           = i18n.Text{EN: "%s has no other name", ZH: "%s 没有另取的名称"}
	textLookOnly         = i18n.Text{EN: "This screen only looks", ZH: "此界面只能查看"}
	textHintLook         = i18n.Text{EN: "attach without --look", ZH: "请不带 --look 连接"}
	textSocketOnly       = i18n.Text{EN: "This is not decided over a port", ZH: "不能通过端口这样做"}
	textHintSocket       = i18n.Text{EN: "attach with ssh://, --socket or on that machine", ZH: "请用 ssh://、--socket 或在那台机器上连接"}
	TextNotHere          = i18n.Text{EN: "not available here", ZH: "这里不可用"}
	TextUserIsYou        = i18n.Text{EN: "This is you; choose an agent", ZH: "这是你自己，请选择智能体"}
	textNoTarget         = i18n.Text{EN: "Choose an agent first", ZH: "请先选择智能体"}
	textAlreadyGone      = i18n.Plural{One: "%[2]s no longer exists", Other: "%[2]s no longer exist", ZH: "%[2]s 已不存在"}
	TextBeingEnded       = i18n.Text{EN: "%s is being terminated and takes no commands", ZH: "%s 正在终止，不再接受命令"}
	TextStillStopping    = i18n.Text{EN: "%s is still stopping", ZH: "%s 仍在停止中"}
	TextWasEnding        = i18n.Plural{One: "%[2]s is already being terminated", Other: "%[2]s are already being terminated", ZH: "%[2]s 已经在终止"}
	textWhichAgent       = i18n.Text{EN: "Name the agent", ZH: "请写出智能体的名称"}
	textSeveralNamed     = i18n.Text{EN: "Several agents are called %s", ZH: "有多个智能体的名称含 %s"}
	textHintAddressed    = i18n.Text{EN: "did you mean %s? A space before the @ sends it as text", ZH: "你是否指 %s？在 @ 前加空格则作为文字发送"}
	textOr               = i18n.Text{EN: " or ", ZH: " 或 "}
	textNoneNamed        = i18n.Text{EN: "No agent or file is called %s", ZH: "没有名为 %s 的智能体或文件"}
	textToNobody         = i18n.Text{EN: "No agent or file is called %s, so it went to %s", ZH: "没有名为 %s 的智能体或文件，已发送给 %s"}
	textUnknownAgent     = i18n.Text{EN: "No agent named %s", ZH: "没有名为 %s 的智能体"}
	TextAgentStopped     = i18n.Text{EN: "%s is stopped and takes no messages", ZH: "%s 已停止，不接收消息"}
	textInvalidRecipient = i18n.Text{EN: "This cannot be sent to %s", ZH: "不能把它发给 %s"}
	textTaskNotFound     = i18n.Text{EN: "%s does not work on that task", ZH: "%s 没有在做该任务"}
	textLimitReached     = i18n.Text{EN: "Limit reached: %s", ZH: "已达上限：%s"}
	TextMailboxFull      = i18n.Text{EN: "%s has too many unread messages", ZH: "%s 的未读消息太多"}
	textTooLarge         = i18n.Text{EN: "Too large: %s", ZH: "太大：%s"}
	TextStoreUnavailable = i18n.Text{EN: "Cannot save, so nothing was done", ZH: "无法保存，未执行任何操作"}
	TextRefused          = i18n.Text{EN: "Not possible: %s", ZH: "无法执行：%s"}
	TextFailed           = i18n.Text{EN: "Failed: %s", ZH: "失败：%s"}

	TextUnavailable = i18n.Text{EN: "Not available here", ZH: "这里不可用"}

	// Reasons why a command has no effect now.
	TextNotYou     = i18n.Text{EN: "this is you", ZH: "这是你自己"}
	TextNobodyAsks = i18n.Text{EN: "No agent needs you", ZH: "没有智能体需要你处理"}
	TextAsksHere   = i18n.Text{EN: "Only %s needs you", ZH: "只有 %s 需要你处理"}
	whyNotAtWork   = i18n.Text{EN: "%s is not working", ZH: "%s 没有在工作"}
	whyIsStopped   = i18n.Text{EN: "%s is stopped", ZH: "%s 已停止"}
	whyIsPaused    = i18n.Text{EN: "%s is paused", ZH: "%s 已暂停"}
	whyGoesOn      = i18n.Text{EN: "%s is not paused or stopped", ZH: "%s 没有暂停或停止"}
	whyNotFailed   = i18n.Text{EN: "%s has not failed", ZH: "%s 没有失败"}
	whyNoneUnread  = i18n.Text{EN: "%s has no unread messages", ZH: "%s 没有未读消息"}

	// Hints.
	textHintResumeInterrupted = i18n.Text{EN: "{verbs.resume} resumes, or write to it", ZH: "{verbs.resume} 恢复，或给它写消息"}
	textHintResumeMarked      = i18n.Text{EN: "mark them, then {verbs.resume} resumes", ZH: "先标记，再按 {verbs.resume} 恢复"}
	TextHintResume            = i18n.Text{EN: "{verbs.resume} resumes", ZH: "{verbs.resume} 恢复"}
	TextHintStopFirst         = i18n.Text{EN: "{verbs.stop} stops it and its subtree", ZH: "{verbs.stop} 停止它及其下级"}
	TextHintDisk              = i18n.Text{EN: "check disk space; saving continues by itself", ZH: "请检查磁盘空间，之后会自动继续保存"}
	TextHintUnsaved           = i18n.Text{EN: "not saved yet; saved first when the disk works again", ZH: "尚未保存，磁盘恢复后最先保存"}
	textHintFileOld           = i18n.Text{EN: "what is not saved now is not in it", ZH: "其中没有目前未保存的内容"}
	textHintWait              = i18n.Text{EN: "wait, or interrupt it: {verbs.interrupt}", ZH: "请等待，或用 {verbs.interrupt} 中断它"}
	textHintCutOff            = i18n.Text{EN: "what was cut off is gone", ZH: "中断的工作不会继续"}
	textHintWrite             = i18n.Text{EN: "they wait for your message; what was cut off is gone", ZH: "正在等你写消息；中断的工作不会继续"}
	textHintWriteToIt         = i18n.Text{EN: "it waits for your message; what was cut off is gone", ZH: "正在等你写消息；中断的工作不会继续"}
	textHintGoOn              = i18n.Text{EN: "write to it to continue", ZH: "写消息即继续"}
	TextHintMeant             = i18n.Text{EN: "did you mean %s?", ZH: "你是否指 %s？"}
	textHintAgents            = i18n.Text{EN: "/agents lists them", ZH: "/agents 列出全部"}
	textHintName              = i18n.Text{EN: "/name TEXT gives it one, /name removes it", ZH: "/name 文字 将其重命名，/name 恢复原名"}
	TextHintAgain             = i18n.Text{EN: "try again in a moment", ZH: "请稍后再试"}

	// Written files and failures.
	textBackup          = i18n.Text{EN: "Backup written: %s", ZH: "备份已写入：%s"}
	textFileThere       = i18n.Text{EN: "File exists and was left as it is: %s", ZH: "文件已存在，未改动：%s"}
	textBackupNoFolder  = i18n.Text{EN: "Cannot write the backup: no folder %s", ZH: "无法写入备份：没有文件夹 %s"}
	textBackupFailed    = i18n.Text{EN: "Cannot write the backup: %s", ZH: "无法写入备份：%s"}
	textExported        = i18n.Plural{One: "Exported %[2]s with %[1]d entry to %[3]s", Other: "Exported %[2]s with %[1]d entries to %[3]s", ZH: "已导出 %[2]s 的 %[1]d 条记录到 %[3]s"}
	textExportedAll     = i18n.Text{EN: "Exported %s to %s", ZH: "已导出 %s 到 %s"}
	textHintAtWork      = i18n.Text{EN: "it is working; what it writes now is not in the file", ZH: "它在工作，正在写的内容不在文件中"}
	textNoRule          = i18n.Text{EN: "Write a rule: what to do, a tool, and its files, words or host", ZH: "请写规则：如何处理、工具及其文件、词或主机"}
	textHintRule        = i18n.Text{EN: "/rule allow edit docs/** role writer; /rule allow bash go test", ZH: "/rule allow edit docs/** role writer；/rule allow bash go test"}
	textRuleRemoved     = i18n.Text{EN: "Removed rule %d", ZH: "已删除规则 %d"}
	textWhichRule       = i18n.Text{EN: "Name the rule by its number", ZH: "请用编号指明规则"}
	textHintRules       = i18n.Text{EN: "/tools lists them", ZH: "/tools 列出规则"}
	textSaved           = i18n.Text{EN: "Exported to %s", ZH: "已导出到 %s"}
	textNoArtifact      = i18n.Text{EN: "No artifact named %s", ZH: "没有名为 %s 的产出"}
	textHintArtifacts   = i18n.Text{EN: "/artifacts lists them", ZH: "/artifacts 列出全部产出"}
	textNoProcess       = i18n.Text{EN: "%s names no process, or several", ZH: "%s 不是进程，或不止一个"}
	textHintProcesses   = i18n.Text{EN: "/processes lists them", ZH: "/processes 列出全部进程"}
	textOutside         = i18n.Text{EN: "outside the sandbox", ZH: "在沙箱之外"}
	textEndingProcess   = i18n.Text{EN: "Ending process %s of %s…", ZH: "正在结束进程 %s（%s）…"}
	textEndedProcess    = i18n.Text{EN: "Ended process %s of %s", ZH: "已结束进程 %s（%s）"}
	textProcessGone     = i18n.Text{EN: "The process has ended already", ZH: "该进程已经结束"}
	textSandboxChecking = i18n.Text{EN: "Checking what a command can do", ZH: "正在检查命令能做什么"}
	textSandboxWhole    = i18n.Text{EN: "Commands write only in the workspace and scratch folders, and read nothing of your home folder", ZH: "命令只能写入工作区和临时文件夹，不能读取你的主目录"}
	textSandboxPartial  = i18n.Text{EN: "Commands are held in, but not in everything", ZH: "命令受到限制，但并不完全"}
	textSandboxNone     = i18n.Text{EN: "Commands can do whatever you can", ZH: "命令能做你能做的一切"}
	textNetworkLoopback = i18n.Text{EN: "no network but a loopback of its own", ZH: "除自己的本机回环外没有网络"}
	textNetworkBlocked  = i18n.Text{EN: "no network", ZH: "没有网络"}
	textNetworkOpen     = i18n.Text{EN: "the network of this machine", ZH: "可使用本机网络"}
	textNoWorktree      = i18n.Text{EN: "No worktree of %s", ZH: "没有 %s 的工作树"}
	textHintWorktrees   = i18n.Text{EN: "/worktrees lists them", ZH: "/worktrees 列出全部工作树"}
	textTreeInUse       = i18n.Text{EN: "in use", ZH: "使用中"}
	textTreeUnchanged   = i18n.Text{EN: "unchanged", ZH: "未更改"}
	textTreeCommits     = i18n.Plural{One: "%d commit", Other: "%d commits", ZH: "%d 个提交"}
	textTreeFiles       = i18n.Plural{One: "%d file not committed", Other: "%d files not committed", ZH: "%d 个文件未提交"}
	textTreeIgnored     = i18n.Plural{One: "%d ignored file", Other: "%d ignored files", ZH: "%d 个被忽略的文件"}
	textTreeProblem     = i18n.Text{EN: "git says: %s", ZH: "git 报告：%s"}
	textTreeGone        = i18n.Text{EN: "The worktree is not there any more", ZH: "该工作树已不存在"}
	textWorksThere      = i18n.Text{EN: "The agent still works there", ZH: "智能体仍在其中工作"}
	textHintEndIt       = i18n.Text{EN: "terminate it first", ZH: "请先终止它"}
	textDropTitle       = i18n.Text{EN: "Drop the worktree of %s?", ZH: "丢弃 %s 的工作树？"}
	textDropBody        = i18n.Text{
		EN: "Deletes the folder, the branch, and all changes in it that were not merged: %s. This cannot be undone.",
		ZH: "将删除该文件夹、分支以及其中所有未合并的更改：%s。无法撤销。",
	}
	textDropped        = i18n.Text{EN: "Dropped the worktree of %s", ZH: "已丢弃 %s 的工作树"}
	textHintNoFolder   = i18n.Text{EN: "create it, or name another place", ZH: "请先创建，或另选位置"}
	textNoFormat       = i18n.Text{EN: "There is no format %s", ZH: "没有格式 %s"}
	textHintFormats    = i18n.Text{EN: "write md or json; a file has a dot in its name", ZH: "请写 md 或 json；文件名中要有点"}
	textExportNoFolder = i18n.Text{EN: "Cannot export: no folder %s", ZH: "无法导出：没有文件夹 %s"}
	textExportFailed   = i18n.Text{EN: "Cannot export: %s", ZH: "无法导出：%s"}
	textTheSociety     = i18n.Text{EN: "the society", ZH: "整个团队"}
	TextAndBelow       = i18n.Text{EN: "%s and its subtree", ZH: "%s 及其下级"}

	// The user as a recipient.
	TextMoreAgents = i18n.Text{EN: "and %d more", ZH: "还有 %d 个"}
	// Questions.
	textStopTitle      = i18n.Text{EN: "Stop %s?", ZH: "停止 %s？"}
	textTerminateTitle = i18n.Text{EN: "Terminate %s?", ZH: "终止 %s？"}
	TextMarked         = i18n.Plural{One: "%d marked agent", Other: "%d marked agents", ZH: "%d 个已标记的智能体"}
	textStopBody       = i18n.Plural{One: "Stops %d agent%[2]s. Its work is cancelled; its conversation stays. You can resume it.", Other: "Stops %d agents%[2]s. Their work is cancelled; their conversations stay. You can resume them.", ZH: "将停止 %d 个智能体%[2]s。它们的工作会取消，对话保留，之后可以恢复。"}
	textTerminateBody  = i18n.Plural{One: "Terminates %d agent%[2]s and deletes its conversation. This cannot be undone. The deleted bytes leave the file when you quit.", Other: "Terminates %d agents%[2]s and deletes their conversations. This cannot be undone. The deleted bytes leave the file when you quit.", ZH: "将终止 %d 个智能体%[2]s并删除其对话，无法撤销。退出时从文件中清除已删除的字节。"}
	textBelow          = i18n.Text{EN: " (%d in the subtree)", ZH: "（其中下级 %d 个）"}
	// Buttons.
	textStop          = i18n.Plural{One: "Stop %d agent", Other: "Stop %d agents", ZH: "停止 %d 个智能体"}
	textTerminate     = i18n.Plural{One: "Terminate %d agent", Other: "Terminate %d agents", ZH: "终止 %d 个智能体"}
	textLost          = i18n.Text{EN: "Lost: %s.", ZH: "将丢失：%s。"}
	textLostAnswers   = i18n.Plural{One: "%d unfinished answer", Other: "%d unfinished answers", ZH: "%d 个未写完的回答"}
	textLostCalls     = i18n.Plural{One: "%d running tool call", Other: "%d running tool calls", ZH: "%d 个正在执行的工具调用"}
	textLostProcesses = i18n.Plural{One: "%d background process", Other: "%d background processes", ZH: "%d 个后台进程"}
	textProcessesEnd  = i18n.Plural{One: "%d background process ends (%[2]s).", Other: "%d background processes end (%[2]s).", ZH: "%d 个后台进程会结束（%[2]s）。"}
	textLostMessages  = i18n.Plural{One: "%d unread message", Other: "%d unread messages", ZH: "%d 条未读消息"}
	textInboxStays    = i18n.Text{EN: " Your inbox stays.", ZH: "你的收件箱保留。"}
	textWaiters       = i18n.Plural{One: "%[2]s waits for this and will not be told.", Other: "%[2]s wait for this and will not be told.", ZH: "%[2]s 在等待，但不会得到通知。"}

	// Notifications that no agent works any more.
	textRest        = i18n.Text{EN: "All agents are idle", ZH: "所有智能体都已空闲"}
	textWorking     = i18n.Plural{One: "%d agent is working.", Other: "%d agents are working.", ZH: "%d 个智能体正在工作。"}
	textNobodyWorks = i18n.Text{EN: "No agents are working.", ZH: "没有智能体在工作。"}
	textGrown       = i18n.Plural{One: "There was %d agent when this was asked.", Other: "There were %d agents when this was asked.", ZH: "提问时有 %d 个智能体。"}
	textDrained     = i18n.Text{EN: "%s was ended by its parent", ZH: "%s 已由其上级终止"}
	textEnded       = i18n.Plural{One: "ended %d agent", Other: "ended %d agents", ZH: "共 %d 个智能体"}
	textNoneWork    = i18n.Text{EN: "No agents are working; %s", ZH: "没有智能体在工作；%s"}
	textPaused      = i18n.Text{EN: "%d paused", ZH: "%d 个已暂停"}
	textWaiting     = i18n.Text{EN: "%d waiting", ZH: "%d 个在等待"}
)

// Calls of tools that need the user's yes.
var (
	textAgentsWant     = i18n.Plural{One: "%d agent: %[2]s", Other: "%d agents: %[2]s", ZH: "%d 个智能体：%[2]s"}
	textAgentWants     = i18n.Text{EN: "%s: %s", ZH: "%s：%s"}
	textAsksProtected  = i18n.Text{EN: "the path is protected: changing it is asked in every mode", ZH: "路径受保护：任何模式下更改都需询问"}
	textAsksByRule     = i18n.Text{EN: "a rule says so: %s", ZH: "依据规则：%s"}
	textAsksByMode     = i18n.Text{EN: "%s (/mode %s): %s", ZH: "%s（/mode %s）：%s"}
	textAsksRun        = i18n.Text{EN: "agents ask before they run commands", ZH: "智能体运行命令前先询问"}
	textAsksNet        = i18n.Text{EN: "agents ask before they fetch from other computers", ZH: "智能体从其他计算机获取内容前先询问"}
	textAsksMCP        = i18n.Text{EN: "agents ask before they use tools of MCP servers", ZH: "智能体使用 MCP 服务器的工具前先询问"}
	textProtectedPath  = i18n.Text{EN: "(protected)", ZH: "（受保护）"}
	textForRole        = i18n.Text{EN: "role %s", ZH: "角色 %s"}
	textForSubtree     = i18n.Text{EN: "agent %s and its subtree", ZH: "智能体 %s 及其下级"}
	textForSociety     = i18n.Text{EN: "the society", ZH: "整个团队"}
	textAnywhere       = i18n.Text{EN: "anywhere", ZH: "任何位置"}
	textTopFolder      = i18n.Text{EN: "* (files of the top folder)", ZH: "*（顶层文件夹中的文件）"}
	textRuleAllows     = i18n.Text{EN: "always allow %s %s for %s: %s", ZH: "始终允许 %[1]s %[2]s，适用于：%[3]s；%[4]s"}
	textCommandAllows  = i18n.Text{EN: "always allow %s for %s: %s", ZH: "始终允许 %[1]s，适用于：%[2]s；%[3]s"}
	textRuleAnswers    = i18n.Text{EN: "answers %d of %d", ZH: "可答复 %d 个（共 %d 个）"}
	textCallsAllowed   = i18n.Plural{One: "Allowed %d call", Other: "Allowed %d calls", ZH: "已允许 %d 次调用"}
	textCallsDenied    = i18n.Plural{One: "Denied %d call", Other: "Denied %d calls", ZH: "已拒绝 %d 次调用"}
	textCallsGone      = i18n.Plural{One: "%d call was no longer waiting", Other: "%d calls were no longer waiting", ZH: "%d 次调用已不再等待"}
	textRuleMade       = i18n.Text{EN: "Made rule %d", ZH: "已建立规则 %d"}
	textAlsoRuleMade   = i18n.Text{EN: "made rule %d", ZH: "已建立规则 %d"}
	textRuleMadeSo     = i18n.Text{EN: "Made rule %d: %s", ZH: "已建立规则 %d：%s"}
	textAnyTool        = i18n.Text{EN: "all that is asked about", ZH: "所有需询问的调用"}
	textModeSet        = i18n.Text{EN: "Mode of %s: %s, %s", ZH: "%s的模式：%s，%s"}
	textModeUnset      = i18n.Text{EN: "%s has no mode of its own now", ZH: "%s不再有自己的模式"}
	textEndedElsewhere = i18n.Text{EN: "Already answered · %s", ZH: "已被答复 · %s"}
	textEndedDenied    = i18n.Text{EN: "Already denied · %s", ZH: "已被拒绝 · %s"}
	textEndedWithdrawn = i18n.Text{EN: "No longer asked · %s", ZH: "不再请求 · %s"}

	labelWho    = i18n.Text{EN: "agent", ZH: "智能体"}
	labelTask   = i18n.Text{EN: "task", ZH: "任务"}
	labelWants  = i18n.Text{EN: "wants to", ZH: "想要"}
	labelPath   = i18n.Text{EN: "path", ZH: "路径"}
	labelWhy    = i18n.Text{EN: "because", ZH: "询问原因"}
	labelSays   = i18n.Text{EN: "it says", ZH: "它说"}
	labelRuns   = i18n.Text{EN: "runs", ZH: "运行于"}
	labelHost   = i18n.Text{EN: "host", ZH: "主机"}
	labelServer = i18n.Text{EN: "MCP server", ZH: "MCP 服务器"}
	labelRule   = i18n.Text{EN: "rule", ZH: "规则"}
	labelSize   = i18n.Text{EN: "size", ZH: "长度"}

	// Commands and other computers.
	textAsksUnread  = i18n.Text{EN: "the command cannot be read: it is asked in every mode", ZH: "无法读懂该命令：任何模式下都需询问"}
	textInSandbox   = i18n.Text{EN: "in the sandbox", ZH: "沙箱内"}
	textLines       = i18n.Plural{One: "%d line: scroll to see all of it", Other: "%d lines: scroll to see all of them", ZH: "%d 行：请滚动查看全部"}
	textAgentSays   = i18n.Text{EN: "“%s”", ZH: "“%s”"}
	textNotPlain    = i18n.Text{EN: "none can allow it: it is more than programs with fixed words", ZH: "没有规则能允许：它不只是带有固定词的程序"}
	textEachProgram = i18n.Text{EN: "it takes one for each program: %s", ZH: "每个程序各需一条：%s"}
	textNotTogether = i18n.Text{EN: "none for all of these: whatever begins as they all do could be more than that. /approvals lists each: open one for a rule of its own", ZH: "没有规则适用于全部：以相同词开头的命令可能做更多事。/approvals 列出每一个：打开其中一个，为它单独建立规则"}
	textLongQuery   = i18n.Text{EN: "none for the host covers it: its address carries a long query", ZH: "主机规则不适用：其地址带有很长的查询"}
	textExactly     = i18n.Text{EN: "exactly %s", ZH: "（仅 %s）"}
	textBegins      = i18n.Text{EN: "%s with any later words", ZH: "%s（后面可跟任何词）"}
	textAsItIs      = i18n.Text{EN: "as it is described now", ZH: "（按现在的描述）"}
	textOutsideToo  = i18n.Text{EN: "%s, outside the sandbox too", ZH: "%s，包括沙箱外"}

	// rulesSaid say what a rule does: with which tool, which of its calls, for whom.
	rulesSaid = map[approval.Verdict]i18n.Text{
		approval.Allow: {EN: "always allow %s, %s, for %s", ZH: "始终允许 %s，%s，适用于：%s"},
		approval.Ask:   {EN: "always ask about %s, %s, for %s", ZH: "始终询问 %s，%s，适用于：%s"},
		approval.Deny:  {EN: "always deny %s, %s, for %s", ZH: "始终拒绝 %s，%s，适用于：%s"},
	}

	modeSources = map[approval.Source]i18n.Text{
		approval.FromSession:  {EN: "chosen for this session", ZH: "为此会话所选"},
		approval.FromSettings: {EN: "from the settings", ZH: "来自设置"},
		approval.FromFolder:   {EN: "as you answered for the folder", ZH: "来自你对该文件夹的回答"},
		approval.FromDefault:  {EN: "the default", ZH: "默认"},
	}
	modeMeanings = map[approval.Mode]i18n.Text{
		approval.ReadOnly: {EN: "agents change nothing", ZH: "智能体不做任何更改"},
		approval.AskFirst: {EN: "agents ask before each change", ZH: "智能体每次更改前先询问"},
		approval.Edits:    {EN: "agents edit files freely and ask before all else", ZH: "智能体可自由编辑文件，其余先询问"},
		approval.All:      {EN: "agents do everything without asking, but change no protected path", ZH: "除更改受保护的路径外，智能体做一切都不询问"},
	}

	// What agents may do in a new folder.
	textWorkspace     = i18n.Text{EN: "Where agents work on files", ZH: "智能体在哪里处理文件"}
	textWorkIn        = i18n.Text{EN: "Agents with file tools work in %s.", ZH: "有文件工具的智能体在 %s 中工作。"}
	textWorkInOwn     = i18n.Text{EN: "Agents with file tools work in empty folders of the session, one for each task, in %s.", ZH: "有文件工具的智能体在会话自己的空文件夹中工作，每个任务一个，位于 %s。"}
	textWorkElsewhere = i18n.Text{EN: "To change it, quit and start with --workspace PATH. The session remembers that folder.", ZH: "要更改，请退出并以 --workspace PATH 启动。会话会记住该文件夹。"}
	TextNoFolder      = i18n.Text{EN: "Agents see no files yet. To share this folder: /workspace.", ZH: "智能体还看不到文件。要共享此文件夹：/workspace。"}
	textFolderTitle   = i18n.Text{EN: "What may agents do in this folder?", ZH: "智能体可以在这个文件夹中做什么？"}
	textFolderBody    = i18n.Text{EN: "Agents with file tools work in %s. Your answer is kept for this folder; /mode changes it later.", ZH: "有文件工具的智能体将在 %s 中工作。你的选择会为该文件夹保留；以后可用 /mode 更改。"}
	textFolderSet     = i18n.Text{EN: "In %s, %s", ZH: "在 %s 中，%s"}
	textFolderFailed  = i18n.Text{EN: "Your answer was not kept: %s", ZH: "你的选择没有保存：%s"}
	textHintFolder    = i18n.Text{EN: "/mode changes that", ZH: "/mode 可更改"}
	folderAnswers     = map[approval.Mode]struct{ label, meaning i18n.Text }{
		approval.AskFirst: {i18n.Text{EN: "Ask first", ZH: "先询问"}, i18n.Text{EN: "They read files, and show you each change before they make it.", ZH: "可以读取文件；每次更改前先给你看。"}},
		approval.ReadOnly: {i18n.Text{EN: "Read only", ZH: "只读"}, i18n.Text{EN: "They read files and change nothing.", ZH: "只读取文件，不做任何更改。"}},
		approval.Edits:    {i18n.Text{EN: "Edit with undo", ZH: "编辑，可撤销"}, i18n.Text{EN: "They change files without asking. /diff shows what changed, /undo takes it back. Protected paths are still asked.", ZH: "更改文件时不询问。/diff 显示更改，/undo 撤销。受保护的路径仍会询问。"}},
	}

	textAllLabel = i18n.Text{EN: "Allow everything", ZH: "全部允许"} // as the label of a mode

	// Written answers.
	textNothingAsked  = i18n.Text{EN: "No agent asks to use a tool", ZH: "没有智能体请求使用工具"}
	textWhichRequest  = i18n.Text{EN: "Name the request by its number", ZH: "请写出请求的编号"}
	textHintRequests  = i18n.Text{EN: "/approvals lists them", ZH: "/approvals 列出全部"}
	textNoRuleAnswers = i18n.Text{EN: "No rule can answer that: it is asked in every mode, or by a rule", ZH: "没有规则可以答复：它在任何模式下都询问，或由规则要求询问"}
	textAllSure       = i18n.Text{EN: "Write /mode all yes if you are sure", ZH: "确定的话请写 /mode all yes"}
	textHintAllSure   = i18n.Text{EN: "agents would do everything without asking, but change no protected path", ZH: "除更改受保护的路径外，智能体做一切都将不再询问"}
	textNoMode        = i18n.Text{EN: "%q is no mode", ZH: "没有模式 %q"}
	textHintModes     = i18n.Text{EN: "write read-only, ask, edits or all", ZH: "可用 read-only、ask、edits 或 all"}
	textWhichRole     = i18n.Text{EN: "Name the role", ZH: "请写出角色的名称"}
	textHintRoles     = i18n.Text{EN: "/roles lists them", ZH: "/roles 列出全部"}
	textNoRole        = i18n.Text{EN: "No agent has a role named %s", ZH: "没有智能体的角色叫 %s"}
)

// Endpoints of models.
var (
	textAsksEndpoints  = i18n.Text{EN: "asking the endpoints of the models", ZH: "正在查询模型的端点"}
	textEndpointsAsked = i18n.Plural{One: "Asked %d endpoint: /models shows what is known now", Other: "Asked %d endpoints: /models shows what is known now", ZH: "已查询 %d 个端点：/models 显示目前所知"}
	textNoEndpoints    = i18n.Text{EN: "There is no endpoint to ask: only the offline model is set up", ZH: "没有可询问的端点：只设置了离线模型"}
	textEndpointSilent = i18n.Text{EN: "%s does not list its models; what was known still holds", ZH: "%s 没有列出模型，此前所知仍然有效"}
)

// MCP servers.
var (
	textNoServer         = i18n.Text{EN: "No MCP server named %s", ZH: "没有名为 %s 的 MCP 服务器"}
	textHintServers      = i18n.Text{EN: "/mcp lists them", ZH: "/mcp 列出全部"}
	textServerGone       = i18n.Text{EN: "The settings name no such MCP server", ZH: "设置中没有这个 MCP 服务器"}
	textWhichSwitch      = i18n.Text{EN: "Say what to do: start, stop or restart", ZH: "请写明操作：start、stop 或 restart"}
	textHintSwitch       = i18n.Text{EN: "/mcp NAME restart", ZH: "/mcp 名称 restart"}
	textServerAgainAt    = i18n.Text{EN: "starts again at %s", ZH: "%s 重新启动"}
	textServerTools      = i18n.Plural{One: "%d tool", Other: "%d tools", ZH: "%d 个工具"}
	textServerLeft       = i18n.Plural{One: "%d not offered", Other: "%d not offered", ZH: "%d 个未提供"}
	textServerCalls      = i18n.Plural{One: "%d call running", Other: "%d calls running", ZH: "%d 个调用进行中"}
	textServerRestarts   = i18n.Plural{One: "restarted %d time", Other: "restarted %d times", ZH: "已重启 %d 次"}
	textServerRuns       = i18n.Text{EN: "MCP server %s is running already", ZH: "MCP 服务器 %s 已在运行"}
	textHintRestart      = i18n.Text{EN: "/mcp %s restart starts it anew", ZH: "/mcp %s restart 重新启动它"}
	textServerStopped    = i18n.Text{EN: "MCP server %s is stopped", ZH: "MCP 服务器 %s 已停止"}
	textServerReady      = i18n.Text{EN: "MCP server %s: %s", ZH: "MCP 服务器 %s：%s"}
	textServerFailed     = i18n.Text{EN: "MCP server %s failed: %s", ZH: "MCP 服务器 %s 出错：%s"}
	textServersFailed    = i18n.Text{EN: "MCP servers failed: %s", ZH: "MCP 服务器出错：%s"}
	textServerEnded      = i18n.Text{EN: "MCP server %s ended and is started again: %s", ZH: "MCP 服务器 %s 已结束，正在重新启动：%s"}
	textServersEnded     = i18n.Text{EN: "MCP servers ended and are started again: %s", ZH: "MCP 服务器已结束，正在重新启动：%s"}
	textServerUnstarted  = i18n.Text{EN: "MCP server %s did not start and is tried again: %s", ZH: "MCP 服务器 %s 未能启动，正在重试：%s"}
	textServersUnstarted = i18n.Text{EN: "MCP servers did not start and are tried again: %s", ZH: "MCP 服务器未能启动，正在重试：%s"}
	textHintProblem      = i18n.Text{EN: "/mcp shows more and starts it again", ZH: "/mcp 查看详情并重新启动"}
	textBecause          = i18n.Text{EN: ": %s", ZH: "：%s"}
	textSwitchBody       = i18n.Plural{
		One:   "%d call of its tools is running. Its effect will be unknown.",
		Other: "%d calls of its tools are running. Their effects will be unknown.",
		ZH:    "其工具有 %d 个调用正在进行，调用的效果将无从得知。",
	}
)

var serverStates = map[api.ServerState]i18n.Text{
	api.ServerStarting: {EN: "starting", ZH: "正在启动"},
	api.ServerReady:    {EN: "ready", ZH: "就绪"},
	api.ServerWaiting:  {EN: "starts again soon", ZH: "即将重新启动"},
	api.ServerFailed:   {EN: "failed", ZH: "出错"},
	api.ServerStopped:  {EN: "stopped", ZH: "已停止"},
}

var leftReasons = map[api.LeftReason]i18n.Text{
	api.LeftTooMany:   {EN: "the server has more than %d tools", ZH: "服务器的工具超过 %d 个"},
	api.LeftName:      {EN: "its name has no letter or digit", ZH: "名称中没有字母或数字"},
	api.LeftCollision: {EN: "another tool has this name", ZH: "另一个工具已用此名"},
	api.LeftSchema:    {EN: "its schema describes no arguments", ZH: "其 schema 没有描述参数"},
	api.LeftTooLarge:  {EN: "its schema is larger than 16 KiB", ZH: "其 schema 超过 16 KiB"},
}

// SwitchedTexts tell that a switch of an MCP server has begun.
var SwitchedTexts = map[api.ServerSwitch]i18n.Text{
	api.StartServer:   {EN: "Starting MCP server %s", ZH: "正在启动 MCP 服务器 %s"},
	api.StopServer:    {EN: "Stopping MCP server %s", ZH: "正在停止 MCP 服务器 %s"},
	api.RestartServer: {EN: "Restarting MCP server %s", ZH: "正在重启 MCP 服务器 %s"},
}

var switchTitles = map[api.ServerSwitch]i18n.Text{
	api.StopServer:    {EN: "Stop MCP server %s?", ZH: "停止 MCP 服务器 %s？"},
	api.RestartServer: {EN: "Restart MCP server %s?", ZH: "重启 MCP 服务器 %s？"},
}

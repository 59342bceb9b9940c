package transcript

import "society-tui/runtime/i18n"

var (
	// symbols.TextComma separates two remarks on a message, for screen readers.
	// textTo separates sender and recipient, for screen readers.
	textTo = i18n.Text{EN: " to ", ZH: " 致 "}
	// textUses names an agent and a tool, for screen readers.
	textUses = i18n.Text{EN: "%s uses %s", ZH: "%s 使用 %s"}
	textDone = i18n.Text{EN: "done", ZH: "完成"}
	// textOwnNotes is the recipient of a text without recipients.
	textOwnNotes = i18n.Text{EN: "own notes", ZH: "自己的记录"}
	textEmpty    = i18n.Text{EN: "No messages yet", ZH: "还没有消息"}
	textNoInbox  = i18n.Text{EN: "No messages to you yet", ZH: "还没有给你的消息"}
	textReading  = i18n.Text{EN: "reading…", ZH: "读取中…"}
	// textReadingOlder stands in the title, in place of the position.
	textReadingOlder = i18n.Text{EN: "reading older messages…", ZH: "正在读取更早的消息…"}
	textFailed       = i18n.Text{EN: "Cannot read the conversation: ", ZH: "无法读取对话："}
	// Message types, shown behind the recipient.
	textTaskAssignment        = i18n.Text{EN: "task", ZH: "任务"}
	textStatusReport          = i18n.Text{EN: "report", ZH: "汇报"}
	textIntroductionRequest   = i18n.Text{EN: "asks for an introduction", ZH: "请求引荐"}
	textIntroductionResponse  = i18n.Text{EN: "introduces", ZH: "引荐"}
	textCollaborationRequest  = i18n.Text{EN: "asks", ZH: "询问"}
	textCollaborationResponse = i18n.Text{EN: "answers", ZH: "回答"}
	textGeneral               = i18n.Text{EN: "message", ZH: "消息"}
	textNote                  = i18n.Text{EN: "note", ZH: "记录"}
	// Fields of a message.
	textObjective      = i18n.Text{EN: "objective", ZH: "目标"}
	textConstraints    = i18n.Text{EN: "constraints", ZH: "约束"}
	textInputs         = i18n.Text{EN: "inputs", ZH: "输入"}
	textOutputs        = i18n.Text{EN: "outputs", ZH: "输出"}
	textCriteria       = i18n.Text{EN: "done when", ZH: "完成标准"}
	textCollaborators  = i18n.Text{EN: "contacts", ZH: "联系人"}
	textReferences     = i18n.Text{EN: "references", ZH: "参考"}
	textPriority       = i18n.Text{EN: "priority", ZH: "优先级"}
	textReason         = i18n.Text{EN: "reason", ZH: "原因"}
	textCapability     = i18n.Text{EN: "looks for", ZH: "所需能力"}
	textTarget         = i18n.Text{EN: "who", ZH: "引荐对象"}
	textIntroducerSays = i18n.Text{EN: "introducer says", ZH: "引荐者的说法"}
	textUsageHint      = i18n.Text{EN: "how", ZH: "用法"}
	textTokens         = i18n.Text{EN: "%s tok", ZH: "%s 词元"}
	textThought        = i18n.Text{EN: "thinking", ZH: "思考"}
	// textCompressed heads a summary; textSqueezed its size, and
	// textFromTo that for screen readers.
	textCompressed = i18n.Text{EN: "summary of earlier messages, which left the model's context", ZH: "更早的消息已移出模型上下文，以下是摘要"}
	textSqueezed   = i18n.Text{EN: "compressed %s entries, %s tokens", ZH: "已压缩 %s 条，%s 词元"}
	textFromTo     = i18n.Text{EN: "from %s to %s", ZH: "从 %s 到 %s"}
	textByItself   = i18n.Text{EN: "automatically", ZH: "自动"}
	textByUser     = i18n.Text{EN: "by you", ZH: "由你"}
	textByAgent    = i18n.Text{EN: "by the agent", ZH: "由智能体"}
	textUnsummed   = i18n.Text{EN: "%s in no summary", ZH: "其中 %s 条未写入摘要"}
	// textMerged heads the merged results of branches.
	textMerged    = i18n.Text{EN: "branches joined; the next step reads this", ZH: "分支已合并，下一步将读到以下内容"}
	textBranch    = i18n.Text{EN: "branch %d", ZH: "分支 %d"}
	textNoText    = i18n.Text{EN: "(no text)", ZH: "（没有文字）"}
	textLines     = i18n.Plural{One: "%[2]s line", Other: "%[2]s lines", ZH: "%[2]s 行"}
	textMoreLines = i18n.Plural{One: "+%[2]s line", Other: "+%[2]s lines", ZH: "+%[2]s 行"}
	textMoreText  = i18n.Text{EN: "+%s", ZH: "+%s"}
	textNoResult  = i18n.Text{EN: "(no output)", ZH: "（没有输出）"}
	// States of a call.
	textRunning = i18n.Text{EN: "running", ZH: "执行中"}
	// textWritten is how much a running call has written so far.
	textWritten     = i18n.Text{EN: "%s so far", ZH: "目前 %s"}
	textNotBegun    = i18n.Text{EN: "not started", ZH: "未开始"}
	textSkipped     = i18n.Text{EN: "skipped", ZH: "已跳过"}
	textAbortedCall = i18n.Text{EN: "cancelled; may have taken effect", ZH: "已取消，可能已生效"}
	textNotRun      = i18n.Text{EN: "not run", ZH: "未执行"}
	textUnknown     = i18n.Text{EN: "may have taken effect", ZH: "可能已生效"}
	textDeniedCall  = i18n.Text{EN: "denied", ZH: "已拒绝"}
	textFailedCall  = i18n.Text{EN: "failed", ZH: "失败"}
	textStreaming   = i18n.Text{EN: "streaming", ZH: "输出中"}
	textCalling     = i18n.Text{EN: "writing a call: %s", ZH: "正在写调用：%s"}
	textNoData      = i18n.Text{EN: "no data for %s", ZH: "%s 没有数据"}
	// textAborted marks an answer.
	textAborted    = i18n.Text{EN: "cancelled", ZH: "已取消"}
	textNotKept    = i18n.Text{EN: "not saved", ZH: "不保存"}
	textThrownAway = i18n.Text{EN: "%s of a partial answer discarded", ZH: "丢弃了 %s 未写完的回答"}
	textSuperseded = i18n.Text{EN: "superseded", ZH: "已被取代"}
	textFailure    = i18n.Text{EN: "error", ZH: "错误"}
	textRetryIn    = i18n.Text{EN: "next try in %s", ZH: "%s 后重试"}
	textRetryNow   = i18n.Text{EN: "/retry asks now", ZH: "/retry 立即请求"}
	textRetryAt    = i18n.Text{EN: "next try at %s", ZH: "%s 重试"}
	textSince      = i18n.Text{EN: "since %s", ZH: "自 %s 起"}
	// How to make an agent continue.
	textPausedHint = i18n.Text{EN: "write to it or resume it", ZH: "给它写消息或恢复它"}
	textRaiseHint  = i18n.Text{EN: "raise it: /budget %s AMOUNT", ZH: "提高：/budget %s 额度"}
	// textApprovalHint follows what an agent asks to do.
	textApprovalHint = i18n.Text{EN: "{approvals} to answer", ZH: "{approvals} 答复"}
	textRetryHint    = i18n.Text{EN: "then {verbs.resume} retries", ZH: "然后 {verbs.resume} 重试"}
	textStopHint     = i18n.Text{EN: "unfinished work is dropped; resume it to write to it", ZH: "未完成的工作已取消；恢复后可给它写消息"}
	// Unread messages, and when they will be read.
	textWaiting     = i18n.Text{EN: "unread", ZH: "未读"}
	textReadBefore  = i18n.Text{EN: "read before its next tool call", ZH: "在它下次调用工具前读取"}
	textReadRaised  = i18n.Text{EN: "read when its budget is raised", ZH: "提高预算后读取"}
	textReadResumed = i18n.Text{EN: "read when it is resumed", ZH: "恢复后读取"}
	textReadNext    = i18n.Text{EN: "read next", ZH: "随后读取"}
	textDue         = i18n.Text{EN: "delayed until %s", ZH: "延迟至 %s"}
	textAttached    = i18n.Text{EN: "[attached: %s, %s]", ZH: "[附件：%s，%s]"}
	textPixels      = i18n.Text{EN: "%d x %d pixels", ZH: "%d x %d 像素"}
	textInUnread    = i18n.Plural{One: "%d unread message has it", Other: "%d unread messages have it", ZH: "%d 条未读消息中有"}
	// textDropped marks a message that a stop removed from the mailbox.
	textDropped  = i18n.Text{EN: "dropped, unread", ZH: "已丢弃，未读"}
	textTakeBack = i18n.Text{EN: "{verbs.edit_waiting} takes it back", ZH: "{verbs.edit_waiting} 取回"}
	// textSetAside counts what the user has gone back behind, and says when.
	textSetAside  = i18n.Plural{One: "%d entry set aside at %s", Other: "%d entries set aside at %s", ZH: "%d 条记录于 %s 搁置"}
	textShowAside = i18n.Text{EN: "{conversation.fold} shows them", ZH: "按 {conversation.fold} 显示"}
	textGoToAside = i18n.Text{EN: "{to_conversation}, then {conversation.fold} on this row shows them", ZH: "按 {to_conversation}，再在此行按 {conversation.fold} 显示"}
	textFoldAside = i18n.Text{EN: "{conversation.fold} folds them", ZH: "按 {conversation.fold} 折叠"}
	// textMatch counts matches: this one of so many.
	textMatch        = i18n.Text{EN: "%s of %s in this conversation", ZH: "本对话第 %s 处，共 %s 处"}
	textNoMatch      = i18n.Text{EN: "No match", ZH: "没有匹配项"}
	textSearching    = i18n.Text{EN: "searching…", ZH: "搜索中…"}
	textSearchingFar = i18n.Text{EN: "searching… %d%%", ZH: "搜索中… %d%%"}
	textFollowing    = i18n.Text{EN: "following", ZH: "跟随"}
	textNewLines     = i18n.Plural{One: "%[2]s new line", Other: "%[2]s new lines", ZH: "%[2]s 行新内容"}
	// The badge for rows below the window; textToFollow is appended.
	textBelow    = i18n.Text{EN: "more below", ZH: "下面还有"}
	textToFollow = i18n.Text{EN: "{conversation.follow} to follow", ZH: "按 {conversation.follow} 跟随"}
	textCalls    = i18n.Text{EN: "calls only", ZH: "仅调用"}
	textShort    = i18n.Text{EN: "short", ZH: "简略"}
	textFull     = i18n.Text{EN: "full", ZH: "完整"}
)

package composer

import "society-tui/runtime/i18n"

var (
	textTo = i18n.Text{EN: "to: %s", ZH: "发给：%s"}
	// textYou is shown for root when the user writes to the inbox.
	textYou     = i18n.Text{EN: "messages to yourself go to root", ZH: "写给自己的消息由 root 接收"}
	textAnswers = i18n.Text{EN: "answers its question", ZH: "回答它的问题"}
	textStopped = i18n.Text{EN: "stopped: takes no messages", ZH: "已停止，不接收消息"}
	textLooks   = i18n.Text{EN: "look only", ZH: "只能查看"}
	// textLooksHint is the placeholder then.
	textLooksHint = i18n.Text{EN: "This screen only looks: / lists the commands that change nothing…", ZH: "此界面只能查看：/ 列出不更改任何内容的命令……"}
	textHeld      = i18n.Text{EN: "its budget is spent, so a message waits: /budget %s", ZH: "预算已用完，消息会等待：/budget %s"}
	textPaused    = i18n.Text{EN: "paused: a message resumes it", ZH: "已暂停，写消息即恢复"}
	// symbols.TextUnread counts the recipient's unread messages.
	textNewline = i18n.Text{EN: "%s newline", ZH: "%s 换行"}
	// textAbove and textBelow count hidden rows.
	textAbove = i18n.Text{EN: "↑ %d more", ZH: "↑ 还有 %d 行"}
	textBelow = i18n.Text{EN: "↓ %d more", ZH: "↓ 还有 %d 行"}
	// textPasted has a size and the number of lines.
	textPasted = i18n.Plural{One: "[pasted %[2]s, %[3]s line]", Other: "[pasted %[2]s, %[3]s lines]", ZH: "[已粘贴 %[2]s，%[3]s 行]"}
	// textPastedFile is the same of a paste that goes with the message as a file.
	textPastedFile = i18n.Plural{One: "[pasted %[2]s, %[3]s line: attached as a file]", Other: "[pasted %[2]s, %[3]s lines: attached as a file]", ZH: "[已粘贴 %[2]s，%[3]s 行：作为文件附上]"}
	// textInParts is the size of a text whose beginning only the model sees.
	textInParts   = i18n.Text{EN: "%s: sent in part; the model can read on", ZH: "%s：先发送一部分，模型可续读"}
	textAsFiles   = i18n.Text{EN: "%s: attached", ZH: "%s：作为附件"}
	textTooLarge  = i18n.Text{EN: "%s: too large, at most %s", ZH: "%s：太大，最多 %s"}
	textWrite     = i18n.Text{EN: "Write to %s…", ZH: "写给 %s…"}
	textFirstRun  = i18n.Text{EN: "Tell root what you want, for example: summarise the text below in three points…", ZH: "告诉 root 你想做什么，例如：把下面的文字总结成三点……"}
	textNarrows   = i18n.Text{EN: "typing searches your history", ZH: "输入即搜索历史"}
	textSearching = i18n.Text{EN: "searching your history: %s", ZH: "搜索历史输入：%s"}
	// textEdits, textSends and textOlder tell what can be done with the text of a search.
	textEdits = i18n.Text{EN: "esc or end edits it", ZH: "esc 或 end 开始编辑"}
	textSends = i18n.Text{EN: "enter sends it", ZH: "enter 发送"}
	textOlder = i18n.Text{EN: "%s an older one", ZH: "%s 更早一条"}
	// textRefused marks a command that was not run.
	textRefused = i18n.Text{EN: "not run; ctrl+c clears it", ZH: "未执行，ctrl+c 清除它"}
)

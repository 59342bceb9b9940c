package sessions

import "society-tui/runtime/i18n"

var (
	textTitle = i18n.Text{EN: "Sessions", ZH: "会话"}
	textHere  = i18n.Text{EN: "open here", ZH: "已在此打开"}
	// textFresh marks a session without a message of the user.
	textFresh    = i18n.Text{EN: "No messages yet", ZH: "还没有消息"}
	textUnread   = i18n.Text{EN: "reading…", ZH: "读取中…"}
	TextAttached = i18n.Text{EN: "this screen is attached; society-tui attach --session NAME shows another session", ZH: "此界面连接着另一个程序的会话；society-tui attach --session NAME 显示其他会话"}
	textAtWork   = i18n.Text{EN: "Session %s has work that goes on when you open it: {sessions}", ZH: "会话 %s 有未完成的工作，打开后继续：{sessions}"}
	// Problems of sessions.
	textInUse       = i18n.Text{EN: "already open in another society-tui", ZH: "已在另一个 society-tui 中打开"}
	textInUseBy     = i18n.Text{EN: "already open in another society-tui (pid %d, since %s)", ZH: "已在另一个 society-tui 中打开（pid %d，自 %s）"}
	textDamaged     = i18n.Text{EN: "damaged", ZH: "已损坏"}
	textNewer       = i18n.Text{EN: "written by a newer version of society-tui", ZH: "由较新版本的 society-tui 写成"}
	textMisnamed    = i18n.Text{EN: "its file name is not a valid session name; rename it", ZH: "文件名不能用作会话名，请重命名"}
	textSlow        = i18n.Text{EN: "too large for a preview", ZH: "太大，无法预览"}
	textFailed      = i18n.Text{EN: "cannot be read: %s", ZH: "无法读取：%s"}
	textGoTitle     = i18n.Text{EN: "Switch to %s?", ZH: "切换到 %s？"}
	textGo          = i18n.Text{EN: "Switch", ZH: "切换"}
	textGoPause     = i18n.Text{EN: "Pause all and switch", ZH: "全部暂停后切换"}
	textSaved       = i18n.Text{EN: "Everything is saved.", ZH: "一切都已保存。"}
	textContinues   = i18n.Text{EN: "Running work continues when you come back.", ZH: "未完成的工作在你回来后继续。"}
	textOpening     = i18n.Text{EN: "Opening %s…", ZH: "正在打开 %s…"}
	textIsHere      = i18n.Text{EN: "%s is already open", ZH: "%s 已经打开"}
	textNotOpened   = i18n.Text{EN: "Cannot open %s: %s", ZH: "无法打开 %s：%s"}
	textNotRenamed  = i18n.Text{EN: "Cannot rename %s: %s", ZH: "无法重命名 %s：%s"}
	textNotDeleted  = i18n.Text{EN: "Cannot delete %s: %s", ZH: "无法删除 %s：%s"}
	textGone        = i18n.Text{EN: "no longer there", ZH: "已不存在"}
	textTaken       = i18n.Text{EN: "there is a session %s already", ZH: "已有会话 %s"}
	textOpenHere    = i18n.Text{EN: "open here; switch to another session first", ZH: "已在此打开，请先切换到另一个会话"}
	textHintDamage  = i18n.Text{EN: "society-tui --session %s moves it aside and starts anew", ZH: "society-tui --session %s 会把它移开并重新开始"}
	textHintAttach  = i18n.Text{EN: "society-tui attach --session %s shows it", ZH: "society-tui attach --session %s 可显示它"}
	textNew         = i18n.Text{EN: "New session", ZH: "新会话"}
	textName        = i18n.Text{EN: "Name:", ZH: "名称："}
	textRules       = i18n.Text{EN: "Up to 64 letters and digits of any script, with - _ . between them and no spaces. It must not end in .db or be a Windows device name such as con.", ZH: "最多 64 个汉字、字母或数字，中间可用 - _ .，不能有空格；末尾不能是 .db，也不能是 con 等 Windows 设备名。"}
	textNoName      = i18n.Text{EN: "“%s” is not a valid session name.", ZH: "“%s” 不能用作会话名。"}
	textMake        = i18n.Text{EN: "Create", ZH: "新建"}
	textRename      = i18n.Text{EN: "Rename", ZH: "重命名"}
	textRenameTitle = i18n.Text{EN: "Rename %s", ZH: "重命名 %s"}
	textThere       = i18n.Text{EN: "Session %s already exists", ZH: "已有会话 %s"}
	textHintName    = i18n.Text{EN: "{list.take} in the list opens it", ZH: "在列表中按 {list.take} 打开它"}
	textRenamed     = i18n.Text{EN: "Renamed %s to %s", ZH: "已将 %s 重命名为 %s"}
	textDeleteTitle = i18n.Text{EN: "Delete %s?", ZH: "删除 %s？"}
	// textDeleteSays has the number of agents and the size.
	textDeleteSays = i18n.Plural{One: "Deletes its file (%[2]s): %[1]d agent, its conversation, and its messages to you.", Other: "Deletes its file (%[2]s): %[1]d agents, their conversations, and their messages to you.", ZH: "将删除它的文件（%[2]s）：%[1]d 个智能体、全部对话，以及给你的消息。"}
	// textDeleteUnknown has the size, and why the contents are unknown.
	textDeleteUnknown = i18n.Text{EN: "Deletes its file (%s). Its contents are unknown: %s.", ZH: "将删除它的文件（%s）。内容未知：%s。"}
	textDeleteLast    = i18n.Text{EN: "Your last message: %s", ZH: "你的最后一条消息：%s"}
	// textDeleteLost has the number and the names of agents.
	textDeleteLost   = i18n.Plural{One: "With the git worktree of %[2]s goes work that is not committed.", Other: "With the git worktrees of %[1]d agents goes work that is not committed: %[2]s.", ZH: "%[1]d 个智能体的 git 工作树将被删除，其中有未提交的工作：%[2]s。"}
	textDeleteUnread = i18n.Text{EN: "Git worktrees of its agents could not be read; work that is not committed there would be lost.", ZH: "无法读取其智能体的 git 工作树；其中未提交的工作将会丢失。"}
	textDeleteGrave  = i18n.Text{EN: "This cannot be undone.", ZH: "此操作无法撤销。"}
	textDelete       = i18n.Text{EN: "Delete", ZH: "删除"}
	textDeleted      = i18n.Text{EN: "Deleted %s", ZH: "已删除 %s"}
)

var (
	hintMakeRole = i18n.Text{EN: "create", ZH: "新建"}
	hintRename   = i18n.Text{EN: "rename", ZH: "重命名"}
	hintDelete   = i18n.Text{EN: "delete", ZH: "删除"}
)

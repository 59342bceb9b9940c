package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	"society-tui/tui/page"
)

func (a *app) composerCommands() []*command.Command {
	task, to := agentcommand.New(), a.commandEnv().To()
	task.Run, to.Run = a.runNew, func(in command.Input) tea.Cmd { return a.openAgent(in.Agent) }
	return command.Grouped(command.GroupConversation, []*command.Command{
		{
			ID: "send", Title: i18n.Text{EN: "Send", ZH: "发送"}, Hint: i18n.Text{EN: "send", ZH: "发送"}, Also: i18n.Text{EN: "submit post message", ZH: "提交 递交 消息"}, Keys: command.Keys(command.Composer, "enter"),
			Blocked: a.noText, Run: command.Run(a.enter),
		},
		task, to,
		{ID: "follow", Title: i18n.Text{EN: "End of the line, then follow the conversation", ZH: "到行末；再按则跟随对话"}, Keys: command.Keys(command.Composer, "end"), Run: a.writeEnd},
		{
			ID: "newline", Title: command.TitleNewline, Also: i18n.Text{EN: "multiline break paragraph return", ZH: "多行 分行 段落 回车"}, Keys: command.Keys(command.Composer, "shift+enter", "ctrl+j", "alt+enter"),
			Run: command.Do(func() { a.composer.Newline() }),
		},
		{ID: "older", Title: i18n.Text{EN: "Older text, on the first line", ZH: "首行：较早的输入"}, Also: i18n.Text{EN: "previous history past", ZH: "历史 上一条 以前"}, Keys: command.Keys(command.Composer, "up"), Run: command.Do(func() { a.upOrDown(-1, a.composer.Up) })},
		{ID: "newer", Title: i18n.Text{EN: "Newer text, on the last line", ZH: "末行：较新的输入"}, Also: i18n.Text{EN: "next history later", ZH: "历史 下一条 以后"}, Keys: command.Keys(command.Composer, "down"), Run: command.Do(func() { a.upOrDown(1, a.composer.Down) })},
		{
			ID: "search_history", Title: i18n.Text{EN: "Search your history", ZH: "搜索历史输入"}, Also: i18n.Text{EN: "past recall previous", ZH: "历史 过去 找回 以前"}, Keys: command.Keys(command.Composer, "ctrl+r"),
			Run: command.Run(a.searchHistory),
		},
		{
			ID: "editor", Title: i18n.Text{EN: "Write in $EDITOR", ZH: "用 $EDITOR 编写"}, Also: i18n.Text{EN: "vim nano external", ZH: "编辑器 外部 vim"}, Keys: command.Keys(command.Composer, "ctrl+g"),
			Blocked: func(int) string { return a.unless(len(a.editor()) > 0, a.text(textNoEditor)) }, Run: command.Run(a.openEditor),
		},
		{
			ID: "bring_back", Title: command.TitleRestore, Also: i18n.Text{EN: "undo bring back", ZH: "撤销 找回 还原"}, Keys: command.Keys(command.Composer, "ctrl+y"),
			Run: command.Run(a.bringBack),
		},
		{ID: "page_up", Title: command.TitlePageUp, Also: i18n.Text{EN: "scroll previous screen", ZH: "滚动 翻页 上翻"}, Keys: command.Keys(command.Composer, "pgup"), Run: command.Do(func() { a.transcript.PageUp() })},
		{ID: "page_down", Title: command.TitlePageDown, Also: i18n.Text{EN: "scroll next screen", ZH: "滚动 翻页 下翻"}, Keys: command.Keys(command.Composer, "pgdown"), Run: command.Do(func() { a.transcript.PageDown() })},
	})
}

func (a *app) noText(int) string { return a.unless(!a.composer.Empty(), a.text(whyNoText)) }

// write gives a key to the composer.
func (a *app) write(k tea.KeyPressMsg) tea.Cmd {
	spaced := a.composing.completion.spaced
	a.composing.completion, a.composing.example = completion{}, 0
	if k.Text == " " && spaced != "" && spaced == a.spaced() {
		return nil
	}
	if a.composing.cleared && k.Text != "" { // the user goes on with another text
		a.composing.cleared = false
		a.statusLine.ShowNotice("", "", a.now())
	}
	if a.cfg.Look && a.composer.Empty() && k.Text != "" && !strings.HasPrefix(a.registry.Narrow(k.Text), "/") && !strings.HasPrefix(k.Text, "@") {
		return a.notify(a.actions.LookOnly()) // at once, rather than when it would be sent
	}
	if a.changesReply(k.Text) {
		return nil
	}
	searched := a.composer.Searching()
	cmd := a.composer.Update(k)
	if searched && !a.composer.Searching() && !a.composer.Empty() { // what was typed is a text of its own again
		return tea.Batch(cmd, a.inform(a.text(textNotInHistory), ""))
	}
	if (k.Text == "?" || k.Text == "？") && !a.composing.helpTold && a.composer.Text() == k.Text { // elsewhere it is the key of the help
		a.composing.helpTold = true
		return tea.Batch(cmd, a.inform(a.text(textHelpIs, a.helpKey(true)), ""))
	}
	return cmd
}

// bringBack writes what was cleared or cut last, or tells where texts from before the start are.
func (a *app) bringBack() tea.Cmd {
	if !a.composer.Bring() {
		return a.inform(a.text(textNothingCleared), a.text(textHintEarlier))
	}
	return nil
}

// writeEnd moves to the end of the line or, if it is there, of the
// conversation.
func (a *app) writeEnd(in command.Input) tea.Cmd {
	at := a.layout.Composer
	x, y := a.composer.Cursor(at.W, at.H)
	var cmd tea.Cmd
	if in.Key != "" {
		cmd = a.composer.Update(tea.KeyPressMsg{Code: tea.KeyEnd})
	}
	if toX, toY := a.composer.Cursor(at.W, at.H); x == toX && y == toY {
		a.transcript.Follow()
	}
	return cmd
}

// enter takes the selected example or candidate, or sends the text.
func (a *app) enter() tea.Cmd {
	if a.choosesExample() {
		return a.useExample()
	}
	if !a.choose() {
		return a.tellUsage()
	}
	if removed, blocked := a.keyboard.target.blocks(a.now()); blocked {
		return a.warn(a.text(page.TextGone, a.name(removed)), a.text(textHintText))
	}
	a.composing.completion = completion{}
	return a.runNow(a.composer.Enter())
}

// upOrDown moves in the examples or in an open completion list, else in the
// text and its history. A text of the history opens no list, which would take
// these keys.
func (a *app) upOrDown(by int, move func()) {
	if a.moveExample(by) || a.moveMark(by) {
		return
	}
	move()
	a.composing.completion.shut = true
}

// searchHistory shows the newest text that contains the draft, then older ones. Without a
// draft it is the last text. Typing searches on.
// As in upOrDown, no list opens.
func (a *app) searchHistory() tea.Cmd {
	again := a.composer.Searching()
	found := a.composer.Search()
	a.composing.completion.shut = true
	if !found {
		return a.inform(a.text(textNotInHistory), "")
	}
	said := textFromHistory
	switch empty := a.composer.Needle() == ""; {
	case empty && again:
		said = textOlderText
	case empty:
		said = textLastText
	case again:
		said = textOlderFromHistory
	}
	return a.inform(a.text(said), a.text(textHintOlder))
}

func (a *app) runNew(in command.Input) tea.Cmd {
	a.composing.newTask = true
	if in.Text == "" {
		return a.inform(a.text(action.TextNewTask), a.text(textHintTakeBack))
	}
	return a.submit(composer.Submitted{To: a.recipient(), Text: in.Text})
}

package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/layout"
	"society-tui/tui/symbols"
)

func (a *app) navigationCommands() []*command.Command {
	env := a.commandEnv()
	next, tree, chat := env.Next(), agentcommand.Tree(), env.Messages()
	next.Keys, next.Hint, next.Run = command.Keys(command.Global, "ctrl+n"), i18n.Text{EN: "next ? (%d)", ZH: "下一个 ?（%d）"}, command.Run(func() tea.Cmd { return a.openNeedsYou(true) })
	tree.Keys, tree.Run = command.Keys(command.Global, "alt+1"), command.Run(a.focusTree)
	inbox := agentcommand.Inbox()
	inbox.Run = command.Run(func() tea.Cmd { return a.openAgent(society.User) })
	chat.Keys, chat.Run = command.Keys(command.Global, "alt+2"), a.runMessages
	return command.Grouped(command.GroupView, []*command.Command{
		{ID: "next_pane", Title: i18n.Text{EN: "Next pane", ZH: "下一个窗格"}, Also: i18n.Text{EN: "focus switch cycle", ZH: "焦点 切换 跳转"}, Hint: i18n.Text{EN: "pane", ZH: "窗格"}, Keys: command.Keys(command.Global, "tab"), Run: command.Run(a.nextPane)},
		{ID: "previous_pane", Title: i18n.Text{EN: "Previous pane", ZH: "上一个窗格"}, Also: i18n.Text{EN: "focus switch cycle", ZH: "焦点 切换 跳转"}, Keys: command.Keys(command.Global, "shift+tab"), Run: command.Run(func() tea.Cmd { return a.cycleFocus(-1) })},
		tree, chat, inbox,
		{ID: "to_inspector", Title: i18n.Text{EN: "Inspector", ZH: "详情"}, Also: i18n.Text{EN: "details state info", ZH: "检查 状态 信息"}, Keys: command.Keys(command.Global, "alt+3"), Run: command.Run(a.toggleInspector)},
		{
			ID: "pinned", Group: command.GroupAgents, Title: i18n.Text{EN: "Open a pinned agent", ZH: "打开固定的智能体"}, Also: i18n.Text{EN: "favourite bookmark jump", ZH: "收藏 书签 跳转"}, Keys: command.Keys(command.Global, "alt+4", "alt+5", "alt+6", "alt+7", "alt+8", "alt+9"),
			Each: a.pinnedTitle, Blocked: func(nth int) string { return a.unless(a.pinned(nth), a.text(whyNoPin)) },
			Run: func(in command.Input) tea.Cmd { return a.openPinned(in.Nth) },
		},
		next,
		{ID: "previous_needs_you", Group: command.GroupAgents, Title: i18n.Text{EN: "Previous agent that needs you", ZH: "上一个需要你的智能体"}, Also: i18n.Text{EN: "attention question waiting", ZH: "注意 提问 等待"}, Keys: command.Keys(command.Global, "alt+n"), Blocked: next.Blocked, Run: command.Run(func() tea.Cmd { return a.openNeedsYou(false) })},
		{ID: "parent", Group: command.GroupAgents, Title: i18n.Text{EN: "Open the parent", ZH: "打开上级"}, Also: i18n.Text{EN: "above superior owner", ZH: "父级 上层 主管"}, Keys: command.Keys(command.Global, "alt+up"), Blocked: a.noParent, Run: command.Run(a.openParent)},
		{
			ID: "back", Group: command.GroupAgents, Title: i18n.Text{EN: "Go back", ZH: "返回"}, Also: i18n.Text{EN: "previous return before", ZH: "上一个 后退 之前"}, Keys: command.Keys(command.Global, "alt+left"),
			Blocked: func(int) string { return a.unless(len(a.nav.history) > 0, a.text(textNowhereBack)) }, Run: command.Run(a.goBack),
		},
		{ID: "verbs_follow", Group: command.GroupAgents, Title: i18n.Text{EN: "Agent commands…", ZH: "智能体命令…"}, Also: i18n.Text{EN: "menu actions prefix", ZH: "菜单 操作 前缀"}, Hint: i18n.Text{EN: "stop/terminate", ZH: "停止/终止"}, Keys: command.Keys(command.Global, "ctrl+x"), Run: command.Run(a.armPrefix)},
	})
}

func (a *app) noParent(int) string {
	_, above := a.parent()
	return a.unless(above, a.text(textNoParent))
}

func (a *app) pinned(nth int) bool { return nth < len(a.nav.pins) && a.nav.pins[nth] != "" }

func (a *app) pinnedTitle(nth int) string {
	title := a.text(a.registry.Binding("pinned").Title)
	if a.pinned(nth) {
		title += a.text(symbols.TextColon) + a.name(a.nav.pins[nth])
	}
	return title
}

func (a *app) focusTree() tea.Cmd {
	a.prefs.HideTree = false
	return a.focus(layout.Tree)
}

// nextPane completes the text, or focuses the next pane.
func (a *app) nextPane() tea.Cmd {
	if a.writing() {
		if a.complete() {
			return nil
		}
		if said, stays := a.completesNothing(); stays {
			return said
		}
	}
	return a.cycleFocus(1)
}

// goBack goes back to the list of found places, or to the previous agent.
func (a *app) goBack() tea.Cmd {
	if a.isVisiting() {
		return a.endVisit()
	}
	return a.openPrevious()
}

func (a *app) viewCommands() []*command.Command {
	return command.Grouped(command.GroupView, []*command.Command{
		{
			ID: "tree_on_off", Title: i18n.Text{EN: "Show or hide the agent tree", ZH: "显示或隐藏智能体树"}, Also: i18n.Text{EN: "hide sidebar panel toggle", ZH: "侧栏 面板 切换"},
			Keys: command.Keys(command.Global, "ctrl+b"), Run: command.Run(a.toggleTree),
		},
		{ID: "repaint", Title: i18n.Text{EN: "Redraw the screen", ZH: "重绘屏幕"}, Also: i18n.Text{EN: "refresh repaint garbled", ZH: "刷新 重画 乱码"}, Keys: command.Keys(command.Global, "ctrl+l"), Always: true, Run: command.Run(a.redraw)},
		{
			ID: "zoom", Title: i18n.Text{EN: "Zoom this pane", ZH: "放大此窗格"}, Also: i18n.Text{EN: "maximise fullscreen bigger", ZH: "全屏 最大化 放满"}, Keys: command.Keys(command.Global, "z"),
			Run: command.Do(func() {
				a.prefs.Zoom = !a.prefs.Zoom
				a.arrange()
			}),
		},
		{ID: "narrower", Title: i18n.Text{EN: "Narrow the agent tree", ZH: "收窄智能体树"}, Also: i18n.Text{EN: "smaller width shrink", ZH: "缩小 宽度 变窄"}, Keys: command.Keys(command.Global, "<"), Blocked: a.treeNotSeen, Run: command.Do(func() { a.moveDivider(-2) })},
		{ID: "wider", Title: i18n.Text{EN: "Widen the agent tree", ZH: "加宽智能体树"}, Also: i18n.Text{EN: "larger width grow", ZH: "放大 宽度 变宽"}, Keys: command.Keys(command.Global, ">"), Blocked: a.treeNotSeen, Run: command.Do(func() { a.moveDivider(2) })},
		{
			ID: "mouse", Title: i18n.Text{EN: "Mouse on or off", ZH: "开关鼠标"}, Also: i18n.Text{EN: "click select pointer", ZH: "点击 选中 指针"}, Keys: command.Keys(command.Global, "m"),
			Slash: "/mouse", Args: []command.Arg{command.OneOf("on", "off")}, Run: a.runMouse,
		},
	})
}

func (a *app) treeNotSeen(int) string {
	return a.unless(a.layout.Tree.Shown(), a.text(whyNotSeen))
}

func (a *app) exitCommands() []*command.Command {
	quit := agentcommand.Quit()
	quit.ID, quit.Keys, quit.Run = "ask_quit", command.Keys(command.Global, "q"), a.runQuit
	detach := agentcommand.Detach()
	detach.Blocked, detach.Run = a.detachable, command.Run(a.detach)
	return command.Grouped(command.GroupProgram, []*command.Command{
		{ID: "suspend", Title: i18n.Text{EN: "Suspend the program", ZH: "挂起程序"}, Also: i18n.Text{EN: "background shell pause", ZH: "后台 暂停 终端"}, Keys: command.Keys(command.Global, "ctrl+z"), Always: true, Run: command.Run(a.suspend)},
		{ID: "escape", Group: command.GroupView, Title: i18n.Text{EN: "Close, clear, or back to the composer", ZH: "关闭、清除或回到输入框"}, Also: i18n.Text{EN: "cancel leave dismiss", ZH: "取消 离开 关掉"}, Keys: command.Keys(command.Global, "esc"), Fixed: true, Run: command.Run(a.escape)},
		{
			ID: "escape_twice", Group: command.GroupAgents, Title: i18n.Text{EN: "Interrupt the recipient", ZH: "中断收件人"}, Also: i18n.Text{EN: "abort cancel break", ZH: "取消 中止 打断"}, Keys: command.Keys(command.Global, "alt+esc"), Fixed: true, Changes: true,
			Blocked: func(int) string { return a.actions.Blocked(action.Interrupt, a.targets()) }, Run: command.Run(func() tea.Cmd { return tea.Batch(a.escape(), a.escape()) }),
		},
		{
			ID: "quit", Title: i18n.Text{EN: "Copy, clear the text, or quit", ZH: "复制、清空文字或退出"}, Also: i18n.Text{EN: "exit close leave", ZH: "关闭 离开 结束"},
			Keys: command.Keys(command.Global, "ctrl+c"), Fixed: true, Run: command.Run(a.ctrlC),
		},
		detach, quit,
	})
}

// pageCommands are the commands that open something over the panes.
func (a *app) pageCommands() []*command.Command {
	return command.Grouped(command.GroupProgram, []*command.Command{
		{
			ID: "messages", Title: recentNotices, Also: i18n.Text{EN: "errors warnings notices messages", ZH: "错误 警告 消息"},
			Keys: command.Keys(command.Global, "alt+m"), Run: command.Do(a.showNotices),
		},
	})
}

// goTo focuses the pane of a scope, at the agent in focus.
func (a *app) goTo(in command.Scope) tea.Cmd {
	switch in {
	case command.Tree:
		a.prefs.HideTree = false
		a.tree.Select(a.nav.open)
		return a.focus(layout.Tree)
	case command.Conversation:
		return a.focus(layout.Transcript)
	case command.Inspector:
		return a.focus(layout.Inspector)
	}
	return a.focus(layout.Composer)
}

// showNotices lists the recent notices, newest first.
func (a *app) showNotices() {
	var body []dialog.Line
	for _, s := range slices.Backward(a.notices.log) {
		line := dialog.Line{Key: s.at, Text: s.text}
		if s.times > 1 {
			line.Text += a.text(noticeTimes, symbols.Count(s.times))
		}
		if s.warned {
			line.Tone = dialog.Danger
		}
		body = append(body, line)
	}
	if len(body) == 0 {
		body = dialog.Text(a.text(noNotices))
	}
	a.deps.Report(a.text(recentNotices), body)
}

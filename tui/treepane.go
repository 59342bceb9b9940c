package tui

import (
	"bytes"
	"errors"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/layout"
	"society-tui/tui/page"
	"society-tui/tui/statusline"
)

func (a *app) treeCommands() []*command.Command {
	move := func(id string, title i18n.Text, f func(), keys ...string) *command.Command {
		return &command.Command{ID: id, Group: command.GroupView, Title: title, Keys: command.Keys(command.Tree, keys...), Run: a.inTree(func() tea.Cmd {
			f()
			return nil
		})}
	}
	return command.Grouped(command.GroupAgents, []*command.Command{
		{
			ID: "filter", Title: command.TitleFilter, Hint: command.HintFilter,
			Also: i18n.Text{EN: "find narrow grep search", ZH: "查找 过滤 搜索"}, Keys: command.Keys(command.Tree, "/"), Slash: "/filter",
			Args: []command.Arg{command.Text()}, Run: a.runFilter,
		},
		{
			ID: "show", Title: i18n.Text{EN: "Show all agents, problems, running, or ended ones", ZH: "显示全部、有问题、运行中或已终止的智能体"}, Also: i18n.Text{EN: "filter errors active finished", ZH: "筛选 出错 活动 结束"}, Keys: command.Keys(command.Tree, "f"),
			Run: a.inTree(func() tea.Cmd {
				a.tree.CycleShow()
				if !a.tree.IsNarrowed() {
					return tea.Batch(a.registry.Slash("/ended").Run(command.Input{}), a.inspect())
				}
				return tea.Batch(a.inform(a.text(textCycles), a.text(textHintShowAll)), a.inspect())
			}),
		},
		{
			ID: "order", Title: i18n.Text{EN: "Order by creation, activity, state, tokens", ZH: "排序：创建、活动、状态、词元"}, Also: i18n.Text{EN: "sort arrange rank", ZH: "排列 次序 整理"}, Keys: command.Keys(command.Tree, "o"),
			Run: a.inTree(func() tea.Cmd {
				a.replica.CycleOrder()
				return a.inform(a.orderNow(), "")
			}),
		},
		{
			ID: "rows", Title: i18n.Text{EN: "Rows for each agent: automatic, one, two", ZH: "每个智能体的行数：自动、一行、两行"}, Also: i18n.Text{EN: "compact density task", ZH: "紧凑 密度 任务"}, Keys: command.Keys(command.Tree, "d"),
			Run: a.inTree(func() tea.Cmd { return a.inform(a.text(a.tree.CycleRows().RowsText()), "") }),
		},
		{
			ID: "mark", Title: command.TitleMark, Also: i18n.Text{EN: "select choose several", ZH: "选择 选中 多选"}, Keys: command.Keys(command.Tree, "space"), Blocked: a.notYou,
			Run: a.inTree(a.toggleMark),
		},
		move("up", command.TitleUp, func() { a.tree.Up() }, "up", "k", "N"),
		move("down", command.TitleDown, func() { a.tree.Down() }, "down", "j", "n"),
		move("page_up", command.TitlePageUp, func() { a.tree.PageUp() }, "pgup"),
		move("page_down", command.TitlePageDown, func() { a.tree.PageDown() }, "pgdown"),
		move("half_up", command.TitleHalfUp, func() { a.tree.HalfUp() }, "ctrl+u"),
		move("half_down", command.TitleHalfDown, func() { a.tree.HalfDown() }, "ctrl+d"),
		move("first", command.TitleFirst, func() { a.tree.Top() }, "g", "home"),
		move("last", command.TitleLast, func() { a.tree.Bottom() }, "G", "end"),
		move("collapse", i18n.Text{EN: "Collapse, or go to the parent", ZH: "折叠，或到上级"}, func() { a.tree.Left() }, "left", "h").Called("close fold hide", "收起 隐藏 合上"),
		move("expand", i18n.Text{EN: "Expand, or go to the first child", ZH: "展开，或到第一个下级"}, func() { a.tree.Right() }, "right", "l").Called("open unfold children", "打开 显示 下一层"),
		{
			ID: "expand_all", Title: i18n.Text{EN: "Expand the subtree", ZH: "展开全部下级"}, Also: i18n.Text{EN: "open unfold everything", ZH: "打开 显示 所有"}, Keys: command.Keys(command.Tree, "*"),
			Run: a.inTree(func() tea.Cmd { return a.folding(a.tree.ExpandAll, a.text(textNothingFolded)) }),
		},
		{
			ID: "collapse_all", Title: i18n.Text{EN: "Collapse all", ZH: "全部折叠"}, Also: i18n.Text{EN: "close fold hide", ZH: "收起 隐藏 合上"}, Keys: command.Keys(command.Tree, "-"),
			Run: a.inTree(func() tea.Cmd { return a.folding(a.tree.CollapseAll, a.text(textNothingToFold)) }),
		},
		{
			ID: "pin", Title: i18n.Text{EN: "Pin the agent to a key", ZH: "将智能体固定到按键"}, Also: i18n.Text{EN: "favourite bookmark shortcut", ZH: "收藏 书签 快捷"}, Keys: command.Keys(command.Tree, "p"),
			AnyPane: true, Blocked: a.notYou, Run: command.Run(func() tea.Cmd { return a.pin(a.atHand()) }),
		},
		{
			ID: "copy_id", Title: i18n.Text{EN: "Copy the agent's id", ZH: "复制智能体编号"}, Also: i18n.Text{EN: "clipboard yank name", ZH: "剪贴板 标识 名称"}, Keys: command.Keys(command.Tree, "c"),
			AnyPane: true, Run: command.Run(func() tea.Cmd { return a.copy(string(a.atHand())) }),
		},
		{
			ID: "copy_answer", Title: i18n.Text{EN: "Copy the last answer", ZH: "复制最后的回答"}, Also: i18n.Text{EN: "clipboard yank reply", ZH: "剪贴板 拷贝 回复"}, Keys: command.Keys(command.Tree, "y"),
			Slash: "/copy", AnyPane: true, Run: command.Run(func() tea.Cmd { return a.copyAnswer(a.atHand()) }),
		},
	})
}

// inTree adapts a command that changes the tree: a new selection is deliberate,
// so it lifts the target guard.
func (a *app) inTree(f func() tea.Cmd) func(command.Input) tea.Cmd {
	return func(command.Input) tea.Cmd {
		a.keyboard.target = targetGuard{}
		before := a.tree.Selected()
		cmd := f()
		if a.tree.Selected() != before {
			cmd = tea.Batch(cmd, a.inspect())
		}
		return cmd
	}
}

func (a *app) notYou(int) string {
	return a.unless(a.nav.open != society.User || a.prefs.Focus == layout.Tree || a.subjectPage() != nil, a.text(action.TextNotYou))
}

// toggleMark toggles the mark of the selected agent, and explains marks.
func (a *app) toggleMark() tea.Cmd {
	if a.tree.Selected() == society.User {
		return a.warn(a.text(action.TextUserIsYou), "")
	}
	a.tree.ToggleMark()
	return a.notifyMarked()
}

// notifyMarked reports how many agents are marked.
func (a *app) notifyMarked() tea.Cmd {
	if marked := len(a.tree.Marked()); marked > 0 {
		return tea.Batch(a.inform(a.printer.N(action.TextMarked, marked), a.text(textHintMarked)), a.inspect())
	}
	a.composing.several = false
	return tea.Batch(a.inform(a.text(textNoneMarked), ""), a.inspect())
}

// folding folds or unfolds, or shows otherwise if there was no effect.
func (a *app) folding(do func(), otherwise string) tea.Cmd {
	before, err := a.tree.Export()
	do()
	after, err2 := a.tree.Export()
	if errors.Join(err, err2) == nil && bytes.Equal(before, after) {
		return a.inform(otherwise, "")
	}
	return a.inspect()
}

// runFilter opens the filter line, or sets the written filter.
func (a *app) runFilter(in command.Input) tea.Cmd {
	switch {
	case !in.Written:
		a.tree.BeginFilter()
		return nil
	case in.Text == "":
		a.tree.ClearFilter()
		return a.inform(a.text(textUnfiltered), "")
	}
	a.tree.Filter(in.Text)
	return a.inform(a.text(textFiltered, in.Text), a.text(textHintShowAll))
}

// pressInFilter handles a key in the filter line.
func (a *app) pressInFilter(k tea.KeyPressMsg) tea.Cmd {
	key := command.Stroke(k)
	if a.openHelpOn(key, true) {
		return nil
	}
	if command := a.meantInTree(); command != "" && (key == "enter" || key == "tab") {
		a.tree.ClearFilter()
		return a.writeCommand(command)
	}
	switch key {
	case "enter", "tab", "down":
		a.tree.KeepFilter()
	case "esc", "alt+esc", "ctrl+c":
		a.tree.ClearFilter()
	case "backspace", "ctrl+h":
		a.tree.BackspaceFilter()
	case "ctrl+u":
		a.tree.Filter("")
	default:
		if k.Text != "" {
			a.tree.TypeFilter(k.Text)
		}
	}
	return nil
}

func (a *app) pasteInFilter(text string) tea.Cmd {
	a.tree.TypeFilter(text)
	return nil
}

func (a *app) filterHints() []statusline.Hint {
	enter := a.text(hintKeepFilter)
	if meant := a.meantInTree(); meant != "" {
		enter = a.text(hintMeant, meant)
	}
	return []statusline.Hint{{Key: "enter", Does: enter}, {Key: "esc", Does: a.text(page.HintShowAll)}}
}

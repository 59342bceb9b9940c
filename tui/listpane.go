package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
)

// listCommands are the commands of lists over the panes.
func (a *app) listCommands() []*command.Command {
	move := func(id string, title i18n.Text, f func(), keys ...string) *command.Command {
		return &command.Command{ID: id, Title: title, Keys: command.Keys(command.List, keys...), Run: command.Do(f)}
	}
	return command.Grouped(command.GroupView, []*command.Command{
		{ID: "take", Title: i18n.Text{EN: "Open, add, or choose", ZH: "打开、添加或选用"}, Keys: command.Keys(command.List, "enter"), Blocked: func(int) string { return a.text(page.TextOnlyList) }, Run: command.Run(func() tea.Cmd { return a.list.page.Take() })},
		move("up", i18n.Text{EN: "Up", ZH: "向上"}, func() { a.list.Move(-1) }, "up", "k"),
		move("down", i18n.Text{EN: "Down", ZH: "向下"}, func() { a.list.Move(1) }, "down", "j"),
		move("page_up", i18n.Text{EN: "Page up", ZH: "上一页"}, func() { a.list.Page(-1) }, "pgup", "b"),
		move("page_down", i18n.Text{EN: "Page down", ZH: "下一页"}, func() { a.list.Page(1) }, "pgdown", "f"),
		move("first", i18n.Text{EN: "First", ZH: "第一个"}, func() { a.list.First() }, "home"),
		move("last", i18n.Text{EN: "Last", ZH: "最后一个"}, func() { a.list.Last() }, "G", "end"),
	})
}

// openList opens a list with the actions of its keys.
func (a *app) openList(p page.List, title, empty string, items []list.Item) {
	a.list.page = p
	a.list.Open(p.Kind, title, empty, items)
	switch {
	case p.InOrder, p.NewsAtEnd:
		a.list.Sift()
	case p.Searched:
		a.list.Search()
	}
}

// searching reports whether typing searches the open list.
func (a *app) searching() bool { return a.list.page.IsSearched() }

// inList runs the action of a command of lists in the open list or, without
// one, otherwise.
func (a *app) inList(id string, otherwise func() tea.Cmd) tea.Cmd {
	if a.list.Kind() == "" {
		return otherwise()
	}
	if run := a.list.page.Keys[id]; run != nil {
		return run()
	}
	return nil
}

// pressInList handles a key while a list is open.
func (a *app) pressInList(k tea.KeyPressMsg) tea.Cmd {
	key := command.Stroke(k)
	writing := a.searching()
	switch {
	case key == "ctrl+c":
		return a.askQuit()
	case a.openHelpOn(key, writing):
		return nil
	case writing && a.typeInList(key, k.Text):
		if a.list.page.NewsAtEnd {
			a.list.Last()
		}
		return nil
	case key == "esc":
		return a.leaveList()
	case key == "alt+esc", key == "q" && !writing && a.registry.Find(key, command.List, false) == nil:
		a.list.Close()
		return nil
	}
	b := a.registry.Find(key, command.List, writing)
	switch {
	case b == nil:
	case b.In == command.List:
		return b.Press(key)
	case b.ID == "palette", b.ID == "timeline" && writing:
		return b.Press(key)
	case b.ID == "next_pane" && a.list.page.NewsAtEnd:
		a.list.NextTag()
		a.list.Last()
	}
	return nil
}

// typeInList edits the search of a list, and reports whether the key did.
func (a *app) typeInList(key, text string) bool {
	switch {
	case key == "esc":
		return a.list.Clear()
	case key == "backspace", key == "ctrl+h":
		a.list.Backspace()
	case key == "ctrl+u":
		a.list.Clear()
	case text != "":
		a.list.Type(text)
	default:
		return false
	}
	return true
}

func (a *app) pasteInList(text string) tea.Cmd {
	a.list.Type(sanitize.Line(text, page.NameCells)) // no effect without a search
	return nil
}

// clickList selects an item, takes one that was selected already, or closes the
// list by a click beside it.
func (a *app) clickList(x, y int) tea.Cmd {
	again, outside := a.list.Click(x, y)
	switch {
	case outside:
		a.list.Close()
	case again:
		return a.list.page.Take()
	}
	return nil
}

// leaveList leaves a list as esc does.
func (a *app) leaveList() tea.Cmd {
	if a.list.page.Back != nil {
		return a.list.page.Back()
	}
	a.list.Close()
	return nil
}

// listHints returns the hints of the open list.
func (a *app) listHints() []statusline.Hint {
	hints := []statusline.Hint{{Key: a.registry.Key("list.take"), Does: a.list.page.Takes}}
	switch {
	case a.list.page.More != nil:
		hints = append(hints, a.list.page.More()...)
	default:
		hints = append(hints, statusline.Hint{Key: a.arrows(), Does: a.text(hintMove)})
	}
	if a.list.page.NewsAtEnd {
		hints = append(hints, statusline.Hint{Key: a.registry.Key("next_pane"), Does: a.text(hintKind)})
	}
	esc := a.text(hintClose)
	switch {
	case a.list.Searched():
		esc = a.text(hintShowAll)
	case a.list.page.Cancels:
		esc = a.text(hintCancel)
	}
	return append(hints, statusline.Hint{Key: "esc", Does: esc})
}

// listHint returns a hint with the key of a command of lists.
func (a *app) listHint(id, does string) statusline.Hint {
	return statusline.Hint{Key: a.registry.Key("list." + id), Does: does}
}

package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/tui/command"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
)

// listCommands are those of the lists that open over the panes.
func (a *app) listCommands() []*command.Command {
	move := func(id string, title i18n.Text, f func(), keys ...string) *command.Command {
		return &command.Command{ID: id, Title: title, Keys: command.Keys(command.List, keys...), Run: command.Do(f)}
	}
	role := func(id string, title i18n.Text, key string, f func(api.Role) tea.Cmd) *command.Command {
		return &command.Command{ID: id, Title: title, Keys: command.Keys(command.List, key), AnyPane: true, Blocked: a.notYou, Run: command.Run(func() tea.Cmd { return a.withRole(f) })}
	}
	onlyInList := func(int) string { return a.words.palette.OnlyList }
	return []*command.Command{
		{ID: "take", Title: i18n.Text{EN: "Open, add, or choose", ZH: "打开、添加或选用"}, Keys: command.Keys(command.List, "enter"), Blocked: onlyInList, Run: command.Run(a.takePicked)},
		{ID: "make_role", Title: i18n.Text{EN: "New role or session…", ZH: "新建角色或会话…"}, Keys: command.Keys(command.List, "n"), AnyPane: true, Run: command.Run(a.makePicked)},
		role("edit_role", i18n.Text{EN: "Edit the role's prompt…", ZH: "编辑角色提示词…"}, "e", a.editRole),
		role("model", i18n.Text{EN: "Choose the role's model…", ZH: "选择角色的模型…"}, "m", func(r api.Role) tea.Cmd {
			a.openModels(r)
			return nil
		}),
		{ID: "rename_session", Title: i18n.Text{EN: "Rename session…", ZH: "会话改名…"}, Keys: command.Keys(command.List, "r"), Blocked: onlyInList, Run: command.Run(a.renameSession)},
		{ID: "delete_session", Title: i18n.Text{EN: "Delete session…", ZH: "删除会话…"}, Keys: command.Keys(command.List, "D"), Blocked: onlyInList, Run: command.Run(a.deleteSession)},
		move("up", i18n.Text{EN: "Up", ZH: "向上"}, func() { a.picks.Move(-1) }, "up", "k"),
		move("down", i18n.Text{EN: "Down", ZH: "向下"}, func() { a.picks.Move(1) }, "down", "j"),
		move("page_up", i18n.Text{EN: "Page up", ZH: "上一页"}, func() { a.picks.Page(-1) }, "pgup", "b"),
		move("page_down", i18n.Text{EN: "Page down", ZH: "下一页"}, func() { a.picks.Page(1) }, "pgdown", "f"),
		move("first", i18n.Text{EN: "First", ZH: "第一个"}, func() { a.picks.First() }, "home"),
		move("last", i18n.Text{EN: "Last", ZH: "最后一个"}, func() { a.picks.Last() }, "G", "end"),
	}
}

// graphCommand chooses the graph of a role: of the marked one, or of the recipient's.
func (a *app) graphCommand() *command.Command {
	choose := func(r api.Role) tea.Cmd {
		a.openGraphs(r)
		return nil
	}
	return &command.Command{
		ID: "graph", Title: i18n.Text{EN: "Choose the role's graph…", ZH: "选择角色的图…"}, Also: i18n.Text{EN: "workflow steps", ZH: "流程 步骤"},
		Keys: command.Keys(command.List, "g"), Slash: "/graph", AnyPane: true, Blocked: a.notYou,
		Args: a.nameArg(a.graphChoices, a.aboutGraph),
		Run: func(in command.Input) tea.Cmd {
			if in.Written {
				return a.runGraph(in)
			}
			return a.withRole(choose)
		},
	}
}

// makePicked makes what the open list holds: a session, else a role.
func (a *app) makePicked() tea.Cmd {
	switch a.picks.Kind() {
	case sessionList:
		return a.makeSession()
	case roleList, "":
		return a.makeRole()
	}
	return nil
}

// picksSearch reports whether the list that is open is searched by typing.
func (a *app) picksSearch() bool {
	switch a.picks.Kind() {
	case paletteList, timelineList, logList, settingList, findList:
		return true
	}
	return false
}

// pressInList takes a key while a list is open.
func (a *app) pressInList(k tea.KeyPressMsg) tea.Cmd {
	key := command.Stroke(k)
	writing := a.picksSearch()
	switch {
	case key == "ctrl+c":
		return a.askQuit()
	case a.openHelpOn(key, writing):
		return nil
	case writing && a.typeInList(key, k.Text):
		a.toNewest()
		return nil
	case key == "esc" && (a.picks.Kind() == modelList || a.picks.Kind() == graphList):
		return a.readRoles(a.choosing.ID)
	case key == "esc", key == "alt+esc", key == "q" && !writing && a.registry.Find(key, command.List, false) == nil:
		a.picks.Close()
		return nil
	}
	b := a.registry.Find(key, command.List, writing)
	switch {
	case b == nil:
	case b.In == command.List:
		return runBinding(b, key)
	case b.ID == "palette" && a.picks.Kind() == paletteList:
		a.picks.Close()
	case b.ID == "palette", b.ID == "timeline" && writing:
		return runBinding(b, key)
	case b.ID == "next_pane" && (a.picks.Kind() == timelineList || a.picks.Kind() == logList):
		a.nextKind()
	}
	return nil
}

// typeInList changes what a list is searched for, and reports whether the key did.
func (a *app) typeInList(key, text string) bool {
	switch {
	case key == "esc":
		return a.picks.Clear()
	case key == "backspace", key == "ctrl+h":
		a.picks.Backspace()
	case key == "ctrl+u":
		a.picks.Clear()
	case text != "":
		a.picks.Type(text)
	default:
		return false
	}
	return true
}

func (a *app) pasteInList(text string) tea.Cmd {
	a.picks.Type(sanitize.Line(text, nameCells)) // nothing, if it has no search
	return nil
}

// takePicked views the role, plants the template, or chooses the model, the graph
// or the theme, that is marked.
func (a *app) takePicked() tea.Cmd {
	switch a.picks.Kind() {
	case templateList:
		return a.plantPicked()
	case modelList:
		return a.choosePicked()
	case graphList:
		return a.chooseGraph()
	case themeList:
		return a.chooseMarked()
	case paletteList:
		return a.performPicked()
	case timelineList:
		return a.goToHappening()
	case findList:
		return a.goToPlace()
	case logList:
		return a.copyLine()
	case settingList:
		return a.takeSetting()
	case setUpList:
		return a.takeModel()
	case exportList:
		return a.exportPicked()
	case sessionList:
		return a.goToPicked()
	}
	if r, ok := a.role(); ok {
		a.viewRole(r)
	}
	return nil
}

// clickList marks what is clicked, takes what was marked already, and closes the
// list with a click beside it.
func (a *app) clickList(x, y int) tea.Cmd {
	again, outside := a.picks.Click(x, y)
	switch {
	case outside:
		a.picks.Close()
	case again:
		return a.takePicked()
	}
	return nil
}

// listHints are the keys of the list that is open.
func (a *app) listHints() []statusline.Hint {
	w := a.words.keys
	key := func(id string) string { return a.registry.Key("list." + id) }
	hint := func(does string) statusline.Hint { return statusline.Hint{Key: key("take"), Does: does} }
	move, esc := statusline.Hint{Key: a.arrows(), Does: w.HintMove}, statusline.Hint{Key: "esc", Does: w.HintClose}
	cancel := statusline.Hint{Key: "esc", Does: w.HintCancel}
	kind := statusline.Hint{Key: a.registry.Key("next_pane"), Does: w.HintKind}
	if a.picks.Searched() {
		esc.Does = w.HintShowAll
	}
	switch a.picks.Kind() {
	case paletteList:
		return []statusline.Hint{hint(w.HintDo), move, esc}
	case timelineList:
		return []statusline.Hint{hint(w.HintGo), move, kind, esc}
	case settingList, setUpList:
		return []statusline.Hint{hint(w.HintChoose), move, esc}
	case logList:
		return []statusline.Hint{hint(a.words.cmds.HintCopy), move, kind, esc}
	case findList:
		return []statusline.Hint{hint(w.HintGo), move, {Key: a.words.cmds.HintLetters, Does: w.HintSearch}, esc}
	case templateList:
		return []statusline.Hint{hint(w.HintPlant), move, esc}
	case exportList:
		return []statusline.Hint{hint(w.HintExport), move, cancel}
	case sessionList:
		return []statusline.Hint{hint(w.HintGo), {Key: key("make_role"), Does: w.HintMakeRole}, {Key: key("rename_session"), Does: w.HintRename}, {Key: key("delete_session"), Does: w.HintDelete}, esc}
	case modelList, graphList, themeList:
		return []statusline.Hint{hint(w.HintChoose), move, cancel}
	}
	return []statusline.Hint{
		hint(w.HintView),
		{Key: key("make_role"), Does: w.HintMakeRole},
		{Key: key("edit_role"), Does: w.HintEditRole},
		{Key: key("model"), Does: w.HintChooseModel + a.dot() + key("graph") + " " + w.HintChooseGraph},
		esc,
	}
}

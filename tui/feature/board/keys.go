package board

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/agentcommand"
	"society-tui/tui/agenttable"
	"society-tui/tui/command"
	"society-tui/tui/page"
	"society-tui/tui/statusline"
)

// Commands returns what opens the board, and its own keys. Those of the tree for agents hold on it, too.
func (f *Feature) Commands() []*command.Command {
	open := agentcommand.Board(agenttable.Words()...)
	open.Keys, open.Run = command.Keys(command.Global, "f2"), f.show
	return append([]*command.Command{
		open,
		f.own("talk", command.TitleTalk, f.talk, "enter"),
		f.own("mark", command.TitleMark, f.markSelected, "space"),
		f.own("filter", command.TitleFilter, f.beginFilter, "/"),
		f.own("show", command.TitleShow, f.plainly(f.cycleShow), "f"),
		f.sortColumn(),
		f.own("sort_next", textSortNext, f.plainly(func() { f.sortBeside(1) }), "o", "right", "l").Called("order right arrange", "排列 下一列 次序"),
		f.own("sort_previous", textSortPrevious, f.plainly(func() { f.sortBeside(-1) }), "left", "h").Called("order left arrange", "排列 上一列 次序"),
		f.own("reverse", textReverse, f.plainly(func() { f.sortBy(f.order.Choose(f.order.By)) }), "O").Called("invert descending ascending", "倒序 降序 升序"),
	}, command.Grouped(command.GroupView, []*command.Command{
		f.own("up", command.TitleUp, f.plainly(func() { f.move(-1) }), "up", "k", "N"),
		f.own("down", command.TitleDown, f.plainly(func() { f.move(1) }), "down", "j", "n"),
		f.own("page_up", command.TitlePageUp, f.plainly(func() { f.move(-max(f.height-1, 1)) }), "pgup"),
		f.own("page_down", command.TitlePageDown, f.plainly(func() { f.move(max(f.height-1, 1)) }), "pgdown"),
		f.own("half_up", command.TitleHalfUp, f.plainly(func() { f.move(-max(f.height/2, 1)) }), "ctrl+u"),
		f.own("half_down", command.TitleHalfDown, f.plainly(func() { f.move(max(f.height/2, 1)) }), "ctrl+d"),
		f.own("first", command.TitleFirst, f.plainly(func() { f.move(-len(f.rows)) }), "g", "home"),
		f.own("last", command.TitleLast, f.plainly(func() { f.move(len(f.rows)) }), "G", "end"),
	})...)
}

// own declares a command that has an effect only on the open board.
func (f *Feature) own(id string, title i18n.Text, run func() tea.Cmd, keys ...string) *command.Command {
	return &command.Command{
		ID: id, Group: command.GroupAgents, Title: title, Keys: command.Keys(command.Board, keys...), Run: command.Run(run),
		Blocked: func(int) string {
			if f.open {
				return ""
			}
			return f.Text(textOnlyHere)
		},
	}
}

// plainly adapts a function without result.
func (f *Feature) plainly(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		do()
		return nil
	}
}

// sortColumn is the command whose keys are the columns from left to right.
func (f *Feature) sortColumn() *command.Command {
	c := f.own("sort", textSort, nil, "1", "2", "3", "4", "5", "6", "7", "8", "9")
	c.Also = i18n.Text{EN: "order arrange rank column", ZH: "排列 次序 整理 列"}
	c.Each = func(nth int) string {
		if nth >= agenttable.Count {
			return f.Text(textSort)
		}
		return f.Text(textSortBy, f.Text(agenttable.Column(nth).Title()))
	}
	c.Run = func(in command.Input) tea.Cmd {
		if in.Nth < agenttable.Count {
			f.sortBy(f.order.Choose(agenttable.Column(in.Nth)))
		}
		return nil
	}
	return c
}

// sortBeside sorts by the column beside the present one.
func (f *Feature) sortBeside(by int) {
	f.sortBy(agenttable.Order{By: agenttable.Column((int(f.order.By) + by + agenttable.Count) % agenttable.Count)})
}

// Press handles a key; b is its command, or nil.
func (f *Feature) Press(k tea.KeyPressMsg, b *command.Binding) (cmd tea.Cmd, taken bool) {
	key := command.Stroke(k)
	switch {
	case f.filter.typing:
		return nil, f.typeFilter(key, k.Text)
	case key == "esc":
		f.escape()
	case key == "alt+esc", key == "q" && (b == nil || b.In != command.Board):
		f.Close()
	case b == nil, b.ID == "help", b.ID == "palette", key == "ctrl+c":
		return nil, false
	case b.In == command.Board:
		return b.Run(b.Pressed(key)), true
	default:
		cmd, arranged := f.cfg.Press(b, key)
		if arranged { // what it has arranged is to be seen
			f.Close()
		}
		return cmd, true
	}
	return nil, true
}

// escape undoes one thing: the filter, the marks, or the board itself.
func (f *Feature) escape() {
	if !f.clearFilter() && !f.cfg.Unmark() {
		f.Close()
	}
}

func (f *Feature) beginFilter() tea.Cmd {
	f.filter.typing = true
	return nil
}

// talk opens the selected agent, or writes to the marked ones.
func (f *Feature) talk() tea.Cmd {
	id := f.AtHand()
	if id == society.User {
		return nil
	}
	f.Close()
	return f.cfg.Talk(id)
}

// openSelected opens the selected agent.
func (f *Feature) openSelected() tea.Cmd {
	id := f.AtHand()
	if id == society.User {
		return nil
	}
	f.Close()
	return f.cfg.Open(id)
}

// markSelected toggles the mark of the selected agent, and selects the next one.
func (f *Feature) markSelected() tea.Cmd {
	id := f.AtHand()
	if id == society.User {
		return nil
	}
	cmd := f.cfg.Mark(id)
	f.move(1)
	return cmd
}

// Click selects a row, opens one that is clicked twice, or sorts by a column whose heading is clicked.
func (f *Feature) Click(x, y int) tea.Cmd {
	x, y = x-f.at.X, y-f.at.Y
	const first = headRows
	switch {
	case y == 0:
		switch f.frame.KeyAt(f.at.W, f.note(), x) {
		case "": // also of a command without a key
		case f.Printer.Key("board.show"):
			f.cycleShow()
		case f.Printer.Key("board.sort_next"):
			f.sortBeside(1)
		}
	case y == first-1:
		for _, c := range f.columns {
			if x >= c.x && x < c.x+c.width {
				f.sortBy(f.order.Choose(c.Column))
			}
		}
	case y >= first && y < first+f.height && f.top+y-first < len(f.rows):
		return f.clickRow(f.top + y - first)
	}
	return nil
}

func (f *Feature) clickRow(at int) tea.Cmd {
	before := f.selected
	f.moveTo(at)
	f.cfg.Moved()
	if f.clicked == f.selected && before == f.selected {
		f.clicked = ""
		return f.openSelected()
	}
	f.clicked = f.selected
	return nil
}

// Hints returns the hints for the last row.
func (f *Feature) Hints() []statusline.Hint {
	hint := func(name string, does i18n.Text) statusline.Hint {
		return statusline.Hint{Key: f.Printer.Key(name), Does: f.Text(does)}
	}
	esc := statusline.Hint{Key: "esc", Does: f.Text(page.HintClose)}
	if f.filter.IsActive() || f.filter.typing {
		esc.Does = f.Text(page.HintShowAll)
	}
	if f.filter.typing {
		return []statusline.Hint{{Key: "enter", Does: f.Text(textKeep)}, esc}
	}
	return []statusline.Hint{
		hint("board.talk", command.HintTalk), hint("board.sort_next", textHintSort), hint("board.filter", command.HintFilter),
		esc, hint("verbs_follow", textHintVerbs), // what has no room is left out from the end
	}
}

package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/inspector"
	"society-tui/tui/page"
	"society-tui/tui/symbols"
)

// profiled is a profile read for the inspector.
type profiled struct {
	want    inspector.Want
	profile api.Profile
	calls   *inspector.Calls // nil if not requested
	err     error
}

// updateInspector passes its subject to the inspector, if it is shown.
func (a *app) updateInspector() {
	if !a.layout.Inspector.Shown() {
		return
	}
	id := a.subject()
	row, _ := a.replica.Row(id)
	kids, below := a.replica.Below(id)
	total := a.replica.Total()
	model, health := a.modelOf(id)
	model = symbols.ModelName(a.printer, model)
	if row.Stranded {
		model += a.dot() + health
	}
	a.inspector.Show(inspector.Subject{
		Row: row, Graph: a.replica.Graph(row.Walk.Graph), Parent: a.name(row.Parent), Kids: kids, Below: below.Sum(), Use: a.replica.Use(id), Currency: a.replica.Currency(), Model: model,
		Quiet: total.Busy() == 0, Names: a.name, Whole: a.registry.Key("inspector.whole"),
	})
}

// inspect reads what the inspector lacks.
func (a *app) inspect() tea.Cmd {
	a.updateInspector()
	want, wants := a.inspector.Wants()
	if !wants || a.nav.profiling == want || !a.layout.Inspector.Shown() {
		return nil
	}
	a.nav.profiling = want
	row, _ := a.replica.Row(want.Agent)
	return page.Later(a.deps.Screen, func(ctx context.Context) profiled {
		p := profiled{want: want}
		if p.profile, p.err = a.society.Profile(ctx, want.Agent); p.err == nil && want.Calls {
			if p.calls, p.err = readCalls(ctx, a.society, want.Agent, row.Next, a.printer); p.err == nil && row.Task != "" {
				p.calls.Artifacts, p.err = a.society.Artifacts(ctx, row.Task)
			}
		}
		return p
	}, a.onProfile)
}

// How many entries to search for calls, at a time and in total.
const (
	entriesAtOnce = 100
	mostEntries   = 1000
)

// readCalls reads the newest calls of an agent, back from the end of its
// conversation.
func readCalls(ctx context.Context, s api.Society, id society.AgentID, next uint64, p i18n.Printer) (*inspector.Calls, error) {
	calls := &inspector.Calls{Printer: p}
	upto := uint64(0) // the row may be outdated
	for read := 0; read < mostEntries && next > 0 && !calls.Full(); read += entriesAtOnce {
		next -= min(next, entriesAtOnce)
		page, err := s.Entries(ctx, id, next, upto)
		if err != nil {
			return nil, err
		}
		calls.Add(page.Entries)
		upto = next
	}
	return calls, nil
}

func (a *app) onProfile(p profiled) tea.Cmd {
	if a.nav.profiling == p.want {
		a.nav.profiling = inspector.Want{}
	}
	if p.err != nil {
		a.inspector.Fail(p.want.Agent, a.reason(p.err))
		return a.inspect() // the subject may have changed meanwhile
	}
	a.inspector.Profile(p.profile, p.calls)
	return a.inspect() // the subject may have changed meanwhile
}

func (a *app) inspectorCommands() []*command.Command {
	move := func(id string, title i18n.Text, f func(), keys ...string) *command.Command {
		return &command.Command{ID: id, Title: title, Keys: command.Keys(command.Inspector, keys...), Run: command.Do(f)}
	}
	turn := func(id string, title i18n.Text, n int, keys ...string) *command.Command {
		return &command.Command{ID: id, Title: title, Keys: command.Keys(command.Inspector, keys...), Run: func(command.Input) tea.Cmd {
			a.inspector.TurnBy(n)
			return a.inspect()
		}}
	}
	return command.Grouped(command.GroupView, []*command.Command{
		{
			ID: "tab", Title: i18n.Text{EN: "State, brief, prompt, contacts, graph, tools", ZH: "状态、任务说明、提示词、联系人、图、工具"}, Also: i18n.Text{EN: "section page view", ZH: "页面 分栏 标签"}, Hint: i18n.Text{EN: "brief, prompt, graph …", ZH: "任务说明、提示词、图…"},
			Keys: command.Keys(command.Inspector, "1", "2", "3", "4", "5", "6"), Each: a.tabTitle,
			Run: func(in command.Input) tea.Cmd {
				a.inspector.Turn(inspector.Tab(in.Nth))
				return a.inspect()
			},
		},
		turn("previous_tab", i18n.Text{EN: "Previous section", ZH: "上一栏"}, -1, "left", "h").Called("tab before left", "标签 前一栏 左"),
		turn("next_tab", i18n.Text{EN: "Next section", ZH: "下一栏"}, 1, "right", "l").Called("tab after right", "标签 后一栏 右"),
		move("up", command.TitleUp, func() { a.inspector.Scroll(-1) }, "up", "k").Called("previous above line", "上移 上面 前一个"),
		move("down", command.TitleDown, func() { a.inspector.Scroll(1) }, "down", "j").Called("next below line", "下移 下面 后一个"),
		move("page_up", command.TitlePageUp, func() { a.inspector.PageUp() }, "pgup", "b"),
		move("page_down", command.TitlePageDown, func() { a.inspector.PageDown() }, "pgdown", "f"),
		move("first", command.TitleFirst, func() { a.inspector.Top() }, "g", "home").Called("top beginning home", "顶部 开头 最前"),
		move("last", command.TitleLast, func() { a.inspector.Bottom() }, "G", "end").Called("bottom end final", "底部 末尾 最末"),
	})
}

func (a *app) tabTitle(nth int) string {
	if tab := inspector.Tab(nth); tab != inspector.State {
		return a.text(command.Inspector.Title()) + a.text(symbols.TextColon) + a.inspector.Name(tab)
	}
	return a.text(command.Inspector.Title())
}

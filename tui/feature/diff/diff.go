// Package diff shows which agent changed which file, and undoes changes.
package diff

import (
	"context"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
)

// A Feature is the list of changes, their diffs, and the question of an undo.
type Feature struct {
	*page.Deps
	list    *page.List
	by      action.FileGrouping
	of      society.AgentID // whose changes are listed, "" for all
	changes []api.FileChange
	tasks   map[society.TaskID]string // their first words
}

// New returns the feature.
func New(deps *page.Deps) *Feature {
	f := &Feature{Deps: deps}
	f.list = deps.NewList(page.Choosing{
		Take: f.openMarked, Takes: page.TextOpenIt,
		Keys: map[string]func() tea.Cmd{"group_changes": f.regroup, "undo_changes": f.undoMarked},
		More: func() []statusline.Hint {
			return []statusline.Hint{deps.Hint("undo_changes", hintUndo), {Key: deps.Printer.Key("list.group_changes"), Does: f.Text(groupings[f.by.Next()])}}
		},
	})
	return f
}

func (f *Feature) env() agentcommand.Env {
	return agentcommand.Env{
		Actions: f.Actions,
		Targets: func() []society.AgentID { return f.Screen.Targets() },
		Open:    func() society.AgentID { return f.Screen.Recipient() },
	}
}

// Commands returns the commands of the feature.
func (f *Feature) Commands() []*command.Command {
	env := f.env()
	show, undo := env.FileChanges(), env.Undo()
	show.Run, undo.Run = f.run, f.runUndo
	show.Keys = command.Keys(command.Global, "alt+c")
	takeBack := f.InList("undo_changes", i18n.Text{EN: "Undo changes of files…", ZH: "撤销对文件的更改…"}, i18n.Text{EN: "revert restore back", ZH: "还原 恢复 回退"}, "u")
	takeBack.Changes = true
	return append([]*command.Command{show, undo}, command.Grouped(command.GroupAgents, []*command.Command{
		takeBack, f.InList("group_changes", i18n.Text{EN: "Group changes by file, call, agent or task", ZH: "按文件、调用、智能体或任务分组更改"}, i18n.Text{EN: "arrange sort order", ZH: "整理 归类 排列"}, "s"),
	})...)
}

// readChanges are changes as they were read.
type readChanges struct {
	list  []api.FileChange
	diffs [][]dialog.Line // of list
	tasks map[society.TaskID]string
	err   error
}

// read reads the changes of an agent, of all if it is "".
func (f *Feature) read(of society.AgentID, then func([]api.FileChange) tea.Cmd) tea.Cmd {
	return page.Later(f.Screen, func(ctx context.Context) readChanges {
		list, err := f.Society.FileChanges(ctx, api.FileChangesQuery{Agent: of})
		r := readChanges{list: list, err: err, tasks: map[society.TaskID]string{}}
		if figures, err := f.Society.Figures(ctx); err == nil { // else tasks have their ids
			for id, t := range figures.Tasks {
				r.tasks[id] = t.Text
			}
		}
		return r
	}, func(r readChanges) tea.Cmd {
		if r.err != nil {
			return f.Explain(r.err)
		}
		f.tasks = r.tasks
		return then(r.list)
	})
}

// run lists changes, or opens the call of a number.
func (f *Feature) run(in command.Input) tea.Cmd {
	return f.read("", func(all []api.FileChange) tea.Cmd {
		of, why := f.env().FilesOf(in, all)
		switch {
		case !why.Empty():
			in.Refuse()
			return f.Screen.Notify(why)
		case of.File != nil:
			return f.open(of.File, action.ByFile)
		case of.N == 0:
			f.of = of.Agent
			f.show(action.FileGroup(all).Of(of.Agent))
			return nil
		}
		for _, g := range action.FileGroups(all, action.ByCall) {
			if slices.ContainsFunc(g, func(c api.FileChange) bool { return c.N == of.N }) {
				return f.open(g, action.ByCall)
			}
		}
		in.Refuse()
		return f.Warn(f.Text(textNoChange, of.N), f.Text(textHintAll))
	})
}

func (f *Feature) show(all []api.FileChange) {
	f.changes = all
	title := f.Text(textTitle, f.Text(groupings[f.by]))
	if f.of != "" {
		title += f.Dot + f.Replica.Name(f.of)
	}
	f.list.Show(title, f.Text(textNone), f.items())
}

// refresh reads the open list anew.
func (f *Feature) refresh() tea.Cmd {
	if !f.list.IsOpen() {
		return nil
	}
	return f.read(f.of, func(all []api.FileChange) tea.Cmd {
		if f.list.IsOpen() {
			f.changes = all
			f.list.Renew(f.items())
		}
		return nil
	})
}

// items are the groups of changes.
func (f *Feature) items() (items []list.Item) {
	for _, g := range action.FileGroups(f.changes, f.by) {
		last := &g[len(g)-1]
		item := list.Item{ID: strconv.FormatUint(last.N, 10), Name: f.Actions.FileTitle(g, f.by, f.tasks), Note: page.Moment(f.Now(), last.At)}
		if f.by == action.ByFile || f.by == action.ByTask {
			item.Text = f.Actions.FileAuthors(g)
		}
		items = append(items, item)
	}
	return items
}

// marked returns the selected group.
func (f *Feature) marked() action.FileGroup {
	item, ok := f.list.Picked()
	if !ok {
		return nil
	}
	for _, g := range action.FileGroups(f.changes, f.by) {
		if strconv.FormatUint(g[len(g)-1].N, 10) == item.ID {
			return g
		}
	}
	return nil
}

// regroup lists the changes by what comes next.
func (f *Feature) regroup() tea.Cmd {
	f.by = f.by.Next()
	f.show(f.changes)
	return nil
}

func (f *Feature) openMarked() tea.Cmd {
	g := f.marked()
	if g == nil {
		return nil
	}
	return f.open(g, f.by)
}

// mostShown is how many diffs are shown at once; of more the newest.
const mostShown = 100

// open shows the diffs of a group.
func (f *Feature) open(g action.FileGroup, by action.FileGrouping) tea.Cmd {
	title := f.Actions.FileTitle(g, by, f.tasks)
	left := max(len(g)-mostShown, 0)
	return page.Later(f.Screen, func(ctx context.Context) readChanges {
		var r readChanges
		for i := range g[left:] {
			c, err := f.Society.FileChange(ctx, g[left+i].N)
			if err != nil {
				return readChanges{err: err}
			}
			r.list = append(r.list, c)
			r.diffs = append(r.diffs, linesOf(c.Path, strings.TrimSuffix(sanitize.Visible(c.Diff), "\n")))
		}
		return r
	}, func(r readChanges) tea.Cmd {
		if r.err != nil {
			return f.Explain(r.err)
		}
		var body []dialog.Line
		if left > 0 {
			body = append(body, dialog.Line{Tone: dialog.Quiet, Text: f.Printer.N(textEarlier, left)}, dialog.Line{})
		}
		for i := range r.list {
			body = append(body, f.about(&r.list[i], r.diffs[i])...)
		}
		undo := page.Choice{Label: f.Text(textUndo), Keys: []string{"u"}, Run: func() tea.Cmd { return f.undo(g.Numbers()) }}
		if len(g.Numbers()) == 0 || !f.Actions.LookOnly().Empty() {
			return f.Report(title, body)
		}
		return f.Report(title, body, undo)
	})
}

// about describes a change with its diff.
func (f *Feature) about(c *api.FileChange, diff []dialog.Line) []dialog.Line {
	body := []dialog.Line{{Tone: dialog.Strong, Text: f.Actions.FileChangeLine(c) + f.Dot + page.Moment(f.Now(), c.At)}}
	switch {
	case c.Diff != "":
		body = append(body, diff...)
	case !c.Unknown && !c.Kept && c.Before != "":
		body = append(body, dialog.Line{Tone: dialog.Quiet, Text: f.Text(textNotKept)})
	case !c.Unknown:
		body = append(body, dialog.Line{Tone: dialog.Quiet, Text: f.Text(textNoDiff)})
	}
	return append(body, dialog.Line{})
}

func (f *Feature) undoMarked() tea.Cmd {
	g := f.marked()
	if g == nil {
		return nil
	}
	if len(g.Numbers()) == 0 {
		return f.Warn(f.Text(textAllUndone), "")
	}
	return f.undo(g.Numbers())
}

// runUndo asks about a written /undo.
func (f *Feature) runUndo(in command.Input) tea.Cmd {
	return f.read("", func(all []api.FileChange) tea.Cmd {
		of, why := f.env().UndoOf(in, all)
		var g action.FileGroup
		if why.Empty() {
			g, why = f.Actions.UndoChosen(all, of)
		}
		if !why.Empty() {
			in.Refuse()
			return f.Screen.Notify(why)
		}
		return f.undo(g.Numbers())
	})
}

// listed is what an undo would do, done what it did.
type (
	listed struct {
		action.UndoList
		err error
	}
	done struct {
		result action.UndoDone
		err    error
	}
)

// undo lists what an undo of changes would do, and asks.
func (f *Feature) undo(numbers []uint64) tea.Cmd {
	return page.Later(f.Screen, func(ctx context.Context) listed {
		r, err := f.Actions.ListUndo(ctx, numbers)
		return listed{r, err}
	}, func(l listed) tea.Cmd {
		if l.err != nil {
			return f.Explain(l.err)
		}
		title, lines, restored := f.Actions.UndoQuestion(l.UndoList)
		if restored == 0 {
			return f.Report(title, dialog.Text(lines...))
		}
		body := append(dialog.Text(lines...), dialog.Line{}, dialog.Line{Tone: dialog.Quiet, Text: f.Text(textUndoBody)})
		return f.Screen.Ask(page.Question{
			Title: title, Body: body, Wide: true,
			Choices: []page.Choice{
				{Label: f.Text(page.TextCancel)},
				{Label: f.Text(textUndoNow), Keys: []string{"y"}, Grave: true, Run: func() tea.Cmd { return f.takeBack(numbers) }},
			},
		})
	})
}

// takeBack undoes changes and renews the list.
func (f *Feature) takeBack(numbers []uint64) tea.Cmd {
	return tea.Batch(f.Screen.Notify(f.Actions.Undoing()), page.Later(f.Screen, func(ctx context.Context) done {
		r, err := f.Actions.Undo(ctx, numbers)
		return done{r, err}
	}, func(d done) tea.Cmd {
		if d.err != nil {
			return tea.Batch(f.Explain(d.err), f.refresh())
		}
		return tea.Batch(f.Screen.Notify(f.Actions.Undone(d.result)), f.refresh())
	}))
}

// Package ended lists the terminated agents: when they ended, by whom and why, and what they spent.
// Nothing of what they said is kept.
package ended

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
)

var (
	textTitle = i18n.Text{EN: "Ended agents", ZH: "已终止的智能体"}
	textNone  = i18n.Text{EN: "No agent has been terminated", ZH: "没有已终止的智能体"}
	textEnded = i18n.Text{EN: "Ended", ZH: "终止"}
	textMade  = i18n.Text{EN: "Created", ZH: "创建"}
	textAbout = i18n.Text{EN: "How", ZH: "经过"}
	textKept  = i18n.Text{EN: "Its conversation was deleted.", ZH: "它的对话已删除。"}
)

// A Feature is the list of terminated agents.
type Feature struct {
	*page.Deps
	list *page.List
	all  []society.Tombstone // the newest first
}

// New returns the feature.
func New(deps *page.Deps) *Feature {
	f := &Feature{Deps: deps}
	f.list = deps.NewList(page.Choosing{Take: f.showSelected, Takes: page.TextOpenIt, By: page.InOrder})
	return f
}

// Commands returns the commands of the feature.
func (f *Feature) Commands() []*command.Command {
	c := agentcommand.Ended()
	c.Run = command.Run(f.open)
	return []*command.Command{c}
}

// open reads the records and lists them.
func (f *Feature) open() tea.Cmd {
	type read struct {
		all []society.Tombstone
		err error
	}
	return page.Later(f.Screen, func(ctx context.Context) read {
		all, err := f.Society.Ended(ctx)
		return read{all, err}
	}, func(r read) tea.Cmd {
		if r.err != nil {
			return f.Explain(r.err)
		}
		slices.SortStableFunc(r.all, func(a, b society.Tombstone) int {
			return cmp.Or(b.TerminatedAt.Compare(a.TerminatedAt), cmp.Compare(a.Order, b.Order))
		})
		f.all = r.all
		items, names := make([]list.Item, len(f.all)), f.Actions.EndedNames(f.all)
		for i := range f.all {
			t := &f.all[i]
			items[i] = list.Item{ID: string(t.ID), Name: names[i], Note: page.Moment(f.Now(), t.TerminatedAt), Text: f.Actions.AboutEnded(t)}
		}
		f.list.Show(f.Text(textTitle), f.Text(textNone), items)
		return nil
	})
}

// showSelected shows all that is kept of the selected agent.
func (f *Feature) showSelected() tea.Cmd {
	item, ok := f.list.Picked()
	if !ok {
		return nil
	}
	at := slices.IndexFunc(f.all, func(t society.Tombstone) bool { return string(t.ID) == item.ID })
	if at < 0 {
		return nil
	}
	t := &f.all[at]
	return f.Report(item.Name, []dialog.Line{
		{Key: f.Text(textMade), Text: page.Moment(f.Now(), t.CreatedAt)},
		{Key: f.Text(textEnded), Text: page.Moment(f.Now(), t.TerminatedAt)},
		{Key: f.Text(textAbout), Text: f.Actions.AboutEnded(t)},
		{Tone: dialog.Quiet, Text: f.Text(textKept)},
	})
}

// Package timeline lists the events of an agent and its subtree.
package timeline

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/replica"
)

// A Feature holds the newest events and lists them.
type Feature struct {
	*page.Deps
	list     *page.List
	describe func(*api.TimelineEvent) (symbol, text string)
	events   []api.TimelineEvent // newest, in order
	span     span                // the agents whose timeline is open
}

// New returns the feature. Describe returns an event's symbol and text.
func New(deps *page.Deps, describe func(*api.TimelineEvent) (symbol, text string)) *Feature {
	f := &Feature{Deps: deps, describe: describe}
	f.list = deps.NewList(page.Choosing{Take: f.openMarked, Takes: page.TextOpenIt, By: page.ByTag})
	return f
}

func (f *Feature) Commands() []*command.Command {
	return []*command.Command{{
		ID: "timeline", Group: command.GroupSessions, Title: i18n.Text{EN: "Timeline of the agent and its subtree", ZH: "时间线（含下级）"}, Also: i18n.Text{EN: "history past events activity", ZH: "历史 过去 事件"},
		Keys: command.Keys(command.Global, "ctrl+t"), Run: command.Run(f.open),
	}}
}

// maxEvents is how many events are kept.
const maxEvents = 1000

// Changed adds new events.
func (f *Feature) Changed(c *api.Changes, _ replica.Applied) {
	f.events = append(f.events, c.Log...)
	f.events = slices.Delete(f.events, 0, max(len(f.events)-maxEvents, 0))
	if len(c.Log) > 0 && f.list.IsOpen() {
		f.list.Renew(f.items())
	}
}

// A span is the agents whose timeline is open, including those removed since.
type span struct {
	of     []society.AgentID
	within map[society.AgentID]bool
}

// open lists the events of the agent in focus and its subtree, with the newest
// selected. For root that is all events, also of removed agents.
func (f *Feature) open() tea.Cmd {
	ids := f.Screen.Targets()
	if slices.Contains(ids, society.User) {
		ids = []society.AgentID{society.Root}
	}
	f.span = span{of: ids, within: make(map[society.AgentID]bool)}
	f.list.Show(f.Text(textTimeline, f.Actions.Names(ids)), f.Text(page.TextNothingYet), f.items())
	f.list.Last()
	return nil
}

// items returns the events of the open timeline.
func (f *Feature) items() []list.Item {
	for _, id := range f.span.of {
		for _, below := range f.Replica.Subtree(id) {
			f.span.within[below] = true
		}
	}
	every := slices.Contains(f.span.of, society.Root)
	var items []list.Item
	for i := range f.events {
		if e := &f.events[i]; every || f.span.within[e.Agent] {
			items = append(items, f.item(e))
		}
	}
	return items
}

// item formats an event.
func (f *Feature) item(e *api.TimelineEvent) list.Item {
	symbol, said := f.describe(e)
	return list.Item{ID: strconv.FormatUint(e.Seq, 10), Name: page.Moment(f.Now(), e.At) + "  " + symbol + " " + f.Replica.Name(e.Agent) + "  " + said, Tag: e.Kind}
}

// openMarked opens the agent of the selected event at its text of that time.
func (f *Feature) openMarked() tea.Cmd {
	item, ok := f.list.Picked()
	if !ok {
		return nil
	}
	at := slices.IndexFunc(f.events, func(e api.TimelineEvent) bool { return strconv.FormatUint(e.Seq, 10) == item.ID })
	if at < 0 {
		return nil
	}
	e := f.events[at]
	if _, present := f.Replica.Row(e.Agent); !present {
		return f.Warn(f.Text(page.TextGone, f.Replica.Name(e.Agent)), "")
	}
	f.list.Close()
	return f.Screen.OpenAgent(e.Agent, e.At)
}

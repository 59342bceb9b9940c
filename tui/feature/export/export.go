// Package export lists the ways to export an agent, beside the written commands.
package export

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
)

// A Feature exports agents and makes backups while the society runs.
type Feature struct {
	*page.Deps
	list *page.List
}

// New returns the feature.
func New(deps *page.Deps) *Feature {
	f := &Feature{Deps: deps}
	f.list = deps.NewList(page.Choosing{Take: f.exportMarked, Takes: hintExport, Cancels: true})
	return f
}

func (f *Feature) Commands() []*command.Command {
	env := agentcommand.Env{Actions: f.Actions, Open: func() society.AgentID { return f.Screen.Recipient() }}
	written := env.Files()
	choose := &command.Command{
		ID: "export", Group: command.GroupSessions, Title: i18n.Text{EN: "Export…", ZH: "导出…"}, Also: agentcommand.AlsoExport,
		Keys:    append(command.Keys(command.Tree, "e"), command.Keys(command.Conversation, "e")...),
		AnyPane: true, Blocked: written[0].Blocked, Run: command.Run(func() tea.Cmd { return f.choose(f.Screen.AtHand()) }),
	}
	return append([]*command.Command{choose}, written...)
}

// choose lists the ways to export an agent; the user's line is the whole
// society.
func (f *Feature) choose(id society.AgentID) tea.Cmd {
	if f.Actions.WriteExport == nil {
		return f.Warn(f.Text(action.TextUnavailable), "")
	}
	if id == society.User {
		id = society.Root
	}
	type as struct{ word, name, says string }
	items := make([]list.Item, 0, 4)
	for _, below := range []bool{false, true} {
		for _, as := range []as{{action.ExportMarkdown, f.Text(textMarkdown), f.Text(textMarkdownIs)}, {action.ExportJSON, f.Text(textJSON), f.Text(textJSONIs)}} {
			item := list.Item{ID: as.word, Name: as.name, Text: as.says, Tag: string(id)}
			if below {
				item.ID, item.Name = action.ExportBelow+" "+as.word, f.Text(textWithSubtree, as.name)
			}
			items = append(items, item)
		}
	}
	if kids, _ := f.Replica.Below(id); kids == 0 {
		items = items[:2]
	}
	last := &items[len(items)-1]
	last.Text += f.Dot + f.Text(textExportFile)
	f.list.Show(f.Text(textExport, f.Replica.Name(id)), "", items)
	return nil
}

// exportMarked runs the selected export.
func (f *Feature) exportMarked() tea.Cmd {
	item, ok := f.list.Picked()
	if !ok {
		return nil
	}
	f.list.Close()
	return f.Screen.Act(f.Actions.Export(action.ExportOf(society.AgentID(item.Tag), strings.Fields(item.ID), "")))
}

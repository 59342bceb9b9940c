package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
)

// exported is what came of an export.
type exported struct {
	in    command.Input
	asked action.Export
	got   action.Exported
	err   error
}

// completeExport completes the last word of what says how to export.
func (a *app) completeExport(text string) []command.Candidate {
	at := strings.LastIndex(text, " ") + 1
	w := a.words.app
	means := map[string]string{action.ExportBelow: w.ExportBelow, action.ExportMarkdown: w.ExportMarkdown, action.ExportJSON: w.ExportJSON}
	found := candidatesOf(text[at:], exportWords(text[:at]), func(word string) string { return means[word] })
	for i := range found {
		found[i].Text = text[:at] + found[i].Text
	}
	return found
}

// exportWords are those that can follow the ones that are written, all of which end
// with a space.
func exportWords(written string) []string {
	switch strings.Join(strings.Fields(written), " ") {
	case "":
		return []string{action.ExportBelow, action.ExportMarkdown, action.ExportJSON}
	case action.ExportBelow:
		return []string{action.ExportMarkdown, action.ExportJSON}
	}
	return nil
}

// exportList is the kind of the list of how an agent can be exported.
const exportList = "export"

// chooseExport lists how an agent, for the person's own line the whole society, can
// be exported.
func (a *app) chooseExport(id society.AgentID) tea.Cmd {
	w := a.words.palette
	if a.cfg.Export == nil {
		return a.warn(w.NotHere, "")
	}
	if id == society.User {
		id = society.Root
	}
	type as struct{ word, name, says string }
	items := make([]list.Item, 0, 4)
	for _, below := range []bool{false, true} {
		for _, as := range []as{{action.ExportMarkdown, w.Markdown, w.MarkdownIs}, {action.ExportJSON, w.JSON, w.JSONIs}} {
			item := list.Item{ID: as.word, Name: as.name, Text: as.says, Tag: string(id)}
			if below {
				item.ID, item.Name = action.ExportBelow+" "+as.word, fmt.Sprintf(w.AndBelow, as.name)
			}
			items = append(items, item)
		}
	}
	if kids, _ := a.replica.Below(id); kids == 0 {
		items = items[:2]
	}
	last := &items[len(items)-1]
	last.Text += a.dot() + w.ExportFile
	a.openList(page.List{Kind: exportList, Take: a.exportPicked, Takes: a.words.keys.HintExport, Cancels: true}, fmt.Sprintf(w.Export, a.name(id)), "", items)
	return nil
}

// exportPicked exports as the marked line says.
func (a *app) exportPicked() tea.Cmd {
	item, ok := a.picks.Picked()
	if !ok {
		return nil
	}
	a.picks.Close()
	return a.export(action.ExportOf(society.AgentID(item.Tag), item.ID), command.Input{})
}

// runExport exports the agent at hand.
func (a *app) runExport(in command.Input) tea.Cmd {
	n := a.words.notices
	if a.cfg.Export == nil {
		in.Refuse()
		return a.warn(fmt.Sprintf(n.UnknownCommand, "/export"), n.HintCommands)
	}
	return a.export(action.ExportOf(a.receiver(), in.Text), in)
}

// export writes what an agent has said and was told to a new file, while the society
// goes on. A command that asked for it and fails is there to be mended.
func (a *app) export(asked action.Export, in command.Input) tea.Cmd {
	n := a.words.notices
	if _, here := a.replica.Row(asked.Agent); !here && asked.Agent != "" {
		in.Refuse()
		return a.warn(fmt.Sprintf(n.AlreadyGone, a.name(asked.Agent)), "")
	}
	writing := later(a, func(ctx context.Context) exported {
		got, err := a.cfg.Export(ctx, asked)
		return exported{in, asked, got, err}
	}, a.takeExport)
	return tea.Batch(a.tellGoing(fmt.Sprintf(n.Exporting, a.actions.ExportName(asked))), writing)
}

// takeExport says what came of it. A command that failed is written again.
func (a *app) takeExport(m exported) tea.Cmd {
	said, well := a.actions.Exported(m.asked, m.got, m.err)
	if !well && !said.Empty() {
		m.in.Refuse()
	}
	return a.say(said)
}

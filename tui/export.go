package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/orders"
	"society-tui/tui/picker"
)

// exported is what came of an export; text is how it was asked for.
type exported struct {
	written written
	asked   orders.Export
	got     orders.Exported
	err     error
}

// exportWords are those that can follow the ones that are written, all of which end
// with a space.
func exportWords(written string) []string {
	switch strings.Join(strings.Fields(written), " ") {
	case "":
		return []string{orders.ExportBelow, orders.ExportMarkdown, orders.ExportJSON}
	case orders.ExportBelow:
		return []string{orders.ExportMarkdown, orders.ExportJSON}
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
	items := make([]picker.Item, 0, 4)
	for _, below := range []bool{false, true} {
		for _, as := range []as{{orders.ExportMarkdown, w.Markdown, w.MarkdownIs}, {orders.ExportJSON, w.JSON, w.JSONIs}} {
			item := picker.Item{ID: as.word, Name: as.name, Text: as.says, Tag: string(id)}
			if below {
				item.ID, item.Name = orders.ExportBelow+" "+as.word, fmt.Sprintf(w.AndBelow, as.name)
			}
			items = append(items, item)
		}
	}
	if kids, _ := a.replica.Below(id); kids == 0 {
		items = items[:2]
	}
	last := &items[len(items)-1]
	last.Text += a.dot() + w.ExportFile
	a.picks.Open(exportList, fmt.Sprintf(w.Export, a.name(id)), "", items)
	return nil
}

// exportPicked exports as the marked line says.
func (a *app) exportPicked() tea.Cmd {
	item, ok := a.picks.Picked()
	if !ok {
		return nil
	}
	a.picks.Close()
	cmd, _ := a.export(orders.ExportOf(society.AgentID(item.Tag), item.ID), written{})
	return cmd
}

// slashExport exports the agent at hand.
func (a *app) slashExport(w written) (tea.Cmd, bool) {
	n := a.words.notices
	if a.cfg.Export == nil {
		return a.warn(fmt.Sprintf(n.UnknownCommand, "/export"), n.HintCommands), false
	}
	return a.export(orders.ExportOf(a.receiver(), w.rest), w)
}

// export writes what an agent has said and was told to a new file, while the society
// goes on. A command that asked for it and fails is there to be mended.
func (a *app) export(asked orders.Export, w written) (tea.Cmd, bool) {
	n := a.words.notices
	if _, here := a.replica.Row(asked.Agent); !here && asked.Agent != "" {
		return a.warn(fmt.Sprintf(n.AlreadyGone, a.name(asked.Agent)), ""), false
	}
	writing := a.command(func(ctx context.Context) tea.Msg {
		got, err := a.cfg.Export(ctx, asked)
		return exported{w, asked, got, err}
	})
	return tea.Batch(a.tellGoing(fmt.Sprintf(n.Exporting, a.desk().ExportName(asked))), writing), true
}

// takeExport says what came of it. A command that failed is written again.
func (a *app) takeExport(m exported) tea.Cmd {
	said, well := a.desk().Exported(m.asked, m.got, m.err)
	if !well && !said.Empty() && m.written.Text != "" {
		a.refuse(m.written.Submitted)
	}
	if well && a.replica.Unsaved() != "" {
		said.Level, said.Hint = orders.Warned, a.words.notices.HintFileOld
	}
	return a.say(said)
}

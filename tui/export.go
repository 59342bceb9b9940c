package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/orders"
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

// slashExport writes what the agent at hand has said and was told to a new file, while
// the society goes on.
func (a *app) slashExport(w written) (tea.Cmd, bool) {
	n := a.words.notices
	if a.cfg.Export == nil {
		return a.warn(fmt.Sprintf(n.UnknownCommand, "/export"), n.HintCommands), false
	}
	asked := orders.ExportOf(a.receiver(), w.rest)
	if _, here := a.tree.Row(asked.Agent); !here && asked.Agent != "" {
		return a.warn(fmt.Sprintf(n.AlreadyGone, a.name(asked.Agent)), ""), false
	}
	writing := a.command(func(ctx context.Context) tea.Msg {
		got, err := a.cfg.Export(ctx, asked)
		return exported{w, asked, got, err}
	})
	return tea.Batch(a.tell(fmt.Sprintf(n.Exporting, a.desk().ExportName(asked)), ""), writing), true
}

// takeExport says what came of it. A command that failed is written again.
func (a *app) takeExport(m exported) tea.Cmd {
	said, well := a.desk().Exported(m.asked, m.got, m.err)
	if !well && !said.Empty() {
		a.refuse(m.written.Submitted)
	}
	if well && a.unsaved != "" {
		said.Level, said.Hint = orders.Warned, a.words.notices.HintFileOld
	}
	return a.say(said)
}

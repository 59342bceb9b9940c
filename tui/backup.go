package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/orders"
	"society-tui/tui/sanitize"
)

// backedUp is what came of a backup; text is how it was asked for.
type backedUp struct {
	written written
	copied  string
	err     error
}

// slashBackup copies all that is saved to a new file, while the society goes on.
func (a *app) slashBackup(w written) (tea.Cmd, bool) {
	n := a.words.notices
	switch {
	case a.cfg.Backup == nil:
		return a.warn(fmt.Sprintf(n.UnknownCommand, "/backup"), n.HintCommands), false
	case w.rest == "":
		return a.warn(fmt.Sprintf(n.NeedsFile, "/backup"), ""), false
	}
	copying := a.command(func(ctx context.Context) tea.Msg {
		copied, err := a.cfg.Backup(ctx, w.rest)
		return backedUp{w, copied, err}
	})
	return tea.Batch(a.tellGoing(fmt.Sprintf(n.BackingUp, sanitize.Line(w.rest, nameCells))), copying), true
}

// takeBackup says what came of it. A command that failed is written again.
func (a *app) takeBackup(m backedUp) tea.Cmd {
	said, well := a.desk().BackedUp(m.written.rest, m.copied, m.err)
	if !well && !said.Empty() {
		a.refuse(m.written.Submitted)
	}
	if well && a.replica.Unsaved() != "" {
		said.Level, said.Hint = orders.Warned, a.words.notices.HintFileOld
	}
	return a.say(said)
}

package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/command"
	"society-tui/tui/sanitize"
)

// backedUp is what came of a backup.
type backedUp struct {
	in     command.Input
	copied string
	err    error
}

// runBackup copies all that is saved to a new file, while the society goes on.
func (a *app) runBackup(in command.Input) tea.Cmd {
	n := a.words.notices
	switch {
	case a.cfg.Backup == nil:
		in.Refuse()
		return a.warn(fmt.Sprintf(n.UnknownCommand, "/backup"), n.HintCommands)
	case in.Text == "":
		in.Refuse()
		return a.warn(fmt.Sprintf(n.NeedsFile, "/backup"), "")
	}
	copying := later(a, func(ctx context.Context) backedUp {
		copied, err := a.cfg.Backup(ctx, in.Text)
		return backedUp{in, copied, err}
	}, a.takeBackup)
	return tea.Batch(a.tellGoing(fmt.Sprintf(n.BackingUp, sanitize.Line(in.Text, nameCells))), copying)
}

// takeBackup says what came of it. A command that failed is written again.
func (a *app) takeBackup(m backedUp) tea.Cmd {
	said, well := a.actions.BackedUp(m.in.Text, m.copied, m.err)
	if !well && !said.Empty() {
		m.in.Refuse()
	}
	return a.say(said)
}

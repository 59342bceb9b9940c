package export

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/command"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// backedUp is the result of a backup.
type backedUp struct {
	in     command.Input
	copied string
	err    error
}

// runBackup copies the store to a new file while the society runs.
func (f *Feature) runBackup(in command.Input) tea.Cmd {
	switch {
	case f.backup == nil:
		in.Refuse()
		return f.Warn(f.Text(page.TextUnknownCommand, "/backup"), f.Text(page.TextHintCommands))
	case in.Text == "":
		in.Refuse()
		return f.Warn(f.Text(textNeedsFile, "/backup"), "")
	}
	copying := page.Later(f.Screen, func(ctx context.Context) backedUp {
		copied, err := f.backup(ctx, in.Text)
		return backedUp{in, copied, err}
	}, f.onBackedUp)
	return tea.Batch(f.Screen.NotifyGoing(f.Text(textBackingUp, sanitize.Line(in.Text, page.NameCells))), copying)
}

// onBackedUp reports the result. A failed command returns to the composer.
func (f *Feature) onBackedUp(m backedUp) tea.Cmd {
	said, well := f.Actions.BackedUp(m.in.Text, m.copied, m.err)
	if !well && !said.Empty() {
		m.in.Refuse()
	}
	return f.Screen.Notify(said)
}

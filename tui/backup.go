package tui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

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
	return tea.Batch(a.tell(fmt.Sprintf(n.BackingUp, sanitize.Line(w.rest, nameCells)), ""), copying), true
}

// takeBackup says what came of it. A command that failed is written again.
func (a *app) takeBackup(m backedUp) tea.Cmd {
	n := a.words.notices
	switch {
	case errors.Is(m.err, context.Canceled):
		return nil
	case errors.Is(m.err, fs.ErrExist):
		a.refuse(m.written.Submitted)
		return a.warn(fmt.Sprintf(n.FileThere, sanitize.Line(m.written.rest, nameCells)), "")
	case errors.Is(m.err, fs.ErrNotExist):
		a.refuse(m.written.Submitted)
		return a.warn(fmt.Sprintf(n.BackupNoFolder, sanitize.Line(filepath.Dir(m.written.rest), nameCells)), "")
	case m.err != nil:
		a.refuse(m.written.Submitted)
		return a.warn(fmt.Sprintf(n.BackupFailed, sanitize.Line(orders.Reason(m.err), 300)), "")
	case a.unsaved != "":
		return a.warn(fmt.Sprintf(n.BackedUp, sanitize.Line(m.copied, 200)), n.HintFileOld)
	}
	return a.tell(fmt.Sprintf(n.BackedUp, sanitize.Line(m.copied, 200)), "")
}

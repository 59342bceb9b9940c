package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/feature/help"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
)

// pressInDialog gives a key to the top dialog. ctrl+c asks whether to quit, and
// confirms that question.
func (a *app) pressInDialog(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case command.Stroke(k) == "alt+esc":
		return tea.Batch(a.escape(), a.escape())
	case (a.dialogs.Top() != help.Kind || !a.features.help.AtFirst()) && a.openHelpOn(command.Stroke(k), true):
		return nil
	case command.Stroke(k) != "ctrl+c":
		return a.pressOnTop(k)
	case a.dialogs.Top() == quitKind:
		a.dialogs.Close(quitKind)
		return a.leave(Leaving{})
	}
	return a.askQuit()
}

func (a *app) pressOnTop(k tea.KeyPressMsg) tea.Cmd {
	open := a.dialogs.Len()
	said := a.dialogs.Press(k, a.now())
	if a.dialogs.Len() < open && command.Stroke(k) != "esc" {
		a.guardRepeat(command.Stroke(k))
	}
	return tea.Batch(a.runNow(said), a.listenSoon())
}

func (a *app) pasteInDialog(text string) tea.Cmd {
	a.dialogs.Paste(sanitize.Line(text, page.NameCells))
	return nil
}

func (a *app) dialogHints() []statusline.Hint {
	does := a.text(hintCancel)
	if a.dialogs.Reports() {
		does = a.text(hintClose)
	}
	if a.dialogs.Searched() {
		does = a.text(hintShowAll)
	}
	return []statusline.Hint{{Key: "esc", Does: does}}
}

// listenSoon ends the deafness of a dialog after a pause.
func (a *app) listenSoon() tea.Cmd {
	if !a.dialogs.Deaf() {
		return nil
	}
	return a.wake(&a.dialogs.pause, dialog.Pause, func() tea.Cmd {
		a.dialogs.Listen(a.now())
		a.frame.dirty = true
		return nil
	})
}

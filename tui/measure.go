package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"society-tui/tui/cells"
)

// onMode switches to measuring by grapheme clusters once the terminal confirms
// that mode: the renderer, which queries it, switches at the same answer. It
// sets the mode with the next changed frame, so the present one is redrawn.
func (a *app) onMode(m tea.ModeReportMsg) tea.Cmd {
	if m.Mode != ansi.ModeUnicodeCore {
		return nil
	}
	switch m.Value {
	case ansi.ModeReset, ansi.ModeSet, ansi.ModePermanentlySet:
		a.set.Measure = cells.ByCluster
		a.setTheme(a.appearance.theme)
		return a.redraw()
	}
	return nil
}

// askMeasure makes the renderer set that mode again after another program had
// the terminal: it was reset for that program, and is only set again after the
// terminal confirms it.
func (a *app) askMeasure() tea.Cmd {
	if a.set.Measure != cells.ByCluster {
		return nil
	}
	return tea.Raw(ansi.RequestModeUnicodeCore)
}

package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"society-tui/tui/cells"
)

// onMode measures text by grapheme clusters from now on if the terminal confirms that
// it does: the renderer, which asks for it, changes at the same answers. It sets the mode
// with the next frame that differs, so what is drawn already is drawn again.
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

// askMeasure lets the renderer set that mode again after others had the terminal: it
// takes it back for them, and of itself sets it again only when the terminal confirms it.
func (a *app) askMeasure() tea.Cmd {
	if a.set.Measure != cells.ByCluster {
		return nil
	}
	return tea.Raw(ansi.RequestModeUnicodeCore)
}

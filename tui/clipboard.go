package tui

import (
	tea "charm.land/bubbletea/v2"
)

// copy writes text to the terminal's clipboard.
func (a *app) copy(text string) tea.Cmd {
	return a.copyAs(text, a.text(textCopied, summary(text)))
}

// copyAs copies text, and shows said as what was copied.
func (a *app) copyAs(text, said string) tea.Cmd {
	if text == "" {
		return a.inform(a.text(textNothingToCopy), "")
	}
	return tea.Batch(tea.SetClipboard(text), a.inform(said, a.text(textHintCopied)))
}

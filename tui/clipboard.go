package tui

import (
	tea "charm.land/bubbletea/v2"
)

// copy puts text into the clipboard of the terminal.
func (a *app) copy(text string) tea.Cmd {
	return a.copyAs(text, a.text(textCopied, summary(text)))
}

// copyAs is copy with what is said of it.
func (a *app) copyAs(text, said string) tea.Cmd {
	if text == "" {
		return a.inform(a.text(textNothingToCopy), "")
	}
	return tea.Batch(tea.SetClipboard(text), a.inform(said, a.text(textHintCopied)))
}

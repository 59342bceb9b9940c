package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/command"
	"society-tui/tui/composer"
	"society-tui/tui/layout"
)

// promptEditorAt returns the place of the prompt editor.
func promptEditorAt(w, h int) layout.Rect {
	const most, edge = 110, 2
	at := layout.Rect{W: min(most, w-2*edge), H: h - 2*edge}
	if at.W < 60 {
		at.W = w
	}
	if at.H < 10 {
		at.H = h - 1 // keeps the row of hints
	}
	at.X, at.Y = (w-at.W)/2, max((h-1-at.H)/2, 0)
	return at
}

// promptInput returns the prompt editor's text field.
func (a *app) promptInput() *composer.Model {
	return composer.New(a.appearance.theme, a.printer, a.set)
}

func (a *app) pressInPromptEditor(k tea.KeyPressMsg) tea.Cmd {
	key := command.Stroke(k)
	switch {
	case key == "esc", key == "alt+esc", key == "ctrl+c":
		return a.promptEditor.Leave()
	case a.openHelpOn(key, true):
		return nil
	}
	if b := a.registry.Find(key, command.Prompt, true); b != nil && b.In == command.Prompt {
		return b.Press(key)
	}
	return a.promptEditor.Update(k)
}

func (a *app) pasteInPromptEditor(text string) tea.Cmd {
	return a.promptEditor.Update(tea.PasteMsg{Content: text})
}

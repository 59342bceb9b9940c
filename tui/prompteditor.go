package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/command"
	"society-tui/tui/composer"
)

// promptEditorAt returns where the prompt editor lies on a screen.
func promptEditorAt(w, h int) rect {
	const most, edge = 110, 2
	at := rect{w: min(most, w-2*edge), h: h - 2*edge}
	if at.w < 60 {
		at.w = w
	}
	if at.h < 10 {
		at.h = h - 1 // the keys are still named
	}
	at.x, at.y = (w-at.w)/2, max((h-1-at.h)/2, 0)
	return at
}

// promptInput makes what a prompt is written in.
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
		return runBinding(b, key)
	}
	return a.promptEditor.Update(k)
}

func (a *app) pasteInPromptEditor(text string) tea.Cmd {
	return a.promptEditor.Update(tea.PasteMsg{Content: text})
}

package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/attachment"
	"society-tui/tui/command"
	"society-tui/tui/layout"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
)

func yes() bool { return true }

// focusStack returns the scopes from the top down. The first open one gets the
// keys.
func (a *app) focusStack() []scope {
	return []scope{
		{open: func() bool { return a.exit.leaving }, press: a.pressWhileLeaving, hints: noHints, writes: a.writing},
		{open: a.pageHasKeys, press: a.pressOnPage, paste: a.pasteOnPage, hints: a.pageHints, writes: func() bool { return a.topPage().Writes() }},
		{open: func() bool { return a.keyboard.armed == prefixArmed }, press: a.pressAfterPrefix, paste: a.pasteInPane, hints: a.prefixHints, writes: a.writing},
		{open: func() bool { return a.tree.Typing() }, press: a.pressInFilter, paste: a.pasteInFilter, hints: a.filterHints, writes: yes},
		{open: func() bool { return a.transcript.TypingSearch() }, press: a.pressInSearch, paste: a.pasteInSearch, hints: a.searchHints, writes: yes},
		{open: yes, press: a.pressInPane, paste: a.pasteInPane, hints: a.paneHints, writes: a.writing},
	}
}

func noHints() []statusline.Hint { return nil }

// press handles a key.
func (a *app) press(k tea.KeyPressMsg) tea.Cmd {
	if !a.takesText() {
		k = command.Narrow(k)
	}
	key := command.Stroke(k)
	if a.keyboard.repeat.blocks(key, a.now()) {
		return nil // notices stay unseen as well
	}
	if a.layout.TooSmall {
		return a.pressInSmall(key)
	}
	if k.Text == "" {
		a.keyboard.stray = strayText{}
	}
	a.statusLine.GoesOn(a.now())
	a.statusLine.Pressed()
	a.tree.Pressed(a.now())
	if key != "esc" && key != "alt+esc" {
		a.disarmEscape()
	}
	if b := a.registry.Find(key, command.Global, true); b != nil && b.Always && !a.exit.leaving {
		return a.pressBinding(b, key)
	}
	return a.top().press(k)
}

// takesText reports whether a letter is text now, and no key.
func (a *app) takesText() bool {
	switch {
	case a.dialogs.Shown() && a.pageHasKeys():
		return a.dialogs.TakesText()
	case a.keyboard.armed == prefixArmed && !a.pageHasKeys():
		return false
	}
	return a.top().writes()
}

// paste inserts a paste where text is written.
func (a *app) paste(m tea.PasteMsg) tea.Cmd {
	if top := a.top(); !a.layout.TooSmall && top.paste != nil {
		return top.paste(m.Content)
	}
	return nil
}

func (a *app) pressWhileLeaving(k tea.KeyPressMsg) tea.Cmd {
	if command.Stroke(k) != "ctrl+c" || a.now().Before(a.exit.unasked) {
		return nil
	}
	return a.force()
}

func (a *app) pressInPane(k tea.KeyPressMsg) tea.Cmd {
	key := command.Stroke(k)
	b := a.registry.Find(key, a.paneScope(), a.writing())
	if !a.writing() {
		digit := isDigit(k, b)
		if cmd, strays := a.straying(k, b != nil && !digit); strays {
			return cmd
		}
		if digit {
			return a.composeStray()
		}
	}
	if b != nil {
		return a.pressBinding(b, key)
	}
	switch {
	case a.writing():
		return a.write(k)
	case k.Text != "":
		return a.warn(a.text(textNoKeyHere, sanitize.Line(key, page.NameCells)), a.text(textHintToWrite))
	}
	return nil
}

// pasteInPane pastes into the composer, wherever the focus is.
func (a *app) pasteInPane(text string) tea.Cmd {
	a.prefs.Focus = layout.Composer
	a.arrange()
	if image := attachment.ImagePath(text); image != "" {
		if text = image + " "; !a.composer.AfterBlank() {
			text = " " + text
		}
	}
	return a.composer.Update(tea.PasteMsg{Content: text})
}

// runNow handles a widget's message synchronously, so that the next key reaches
// the new focus: otherwise a letter typed fast would be a command of the tree.
func (a *app) runNow(said tea.Cmd) tea.Cmd {
	if said == nil {
		return nil
	}
	return a.route(said())
}

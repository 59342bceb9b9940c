package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/command"
	"society-tui/tui/layout"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
)

// A scope is something that takes the keys while it is open: a question, a list, a
// filter that is being typed, the pane with the focus.
type scope struct {
	open   func() bool
	press  func(tea.KeyPressMsg) tea.Cmd
	paste  func(text string) tea.Cmd // nil: it takes no text
	hints  func() []statusline.Hint
	writes func() bool          // letters are text
	scope  func() command.Scope // of its keys
}

func yes() bool { return true }

// focusStack returns the scopes from the top down. The first that is open takes the
// keys.
func (a *app) focusStack() []scope {
	return []scope{
		{open: func() bool { return a.exit.leaving }, press: a.pressWhileLeaving, hints: noHints, writes: a.writing, scope: a.paneScope},
		{open: a.dialogs.Shown, press: a.pressInDialog, paste: a.pasteInDialog, hints: a.dialogHints, writes: yes, scope: a.paneScope},
		{open: a.promptEditor.IsOpen, press: a.pressInPromptEditor, paste: a.pasteInPromptEditor, hints: a.promptEditor.Hints, writes: yes, scope: fixed(command.Prompt)},
		{open: func() bool { return a.list.Kind() != "" }, press: a.pressInList, paste: a.pasteInList, hints: a.listHints, writes: a.searching, scope: fixed(command.List)},
		{open: func() bool { return a.keyboard.armed == prefixArmed }, press: a.pressAfterPrefix, paste: a.pasteInPane, hints: a.prefixHints, writes: a.writing, scope: a.paneScope},
		{open: func() bool { return a.tree.Typing() }, press: a.pressInFilter, paste: a.pasteInFilter, hints: a.filterHints, writes: yes, scope: a.paneScope},
		{open: func() bool { return a.transcript.TypingSearch() }, press: a.pressInSearch, paste: a.pasteInSearch, hints: a.searchHints, writes: yes, scope: a.paneScope},
		{open: yes, press: a.pressInPane, paste: a.pasteInPane, hints: a.paneHints, writes: a.writing, scope: a.paneScope},
	}
}

func fixed(in command.Scope) func() command.Scope {
	return func() command.Scope { return in }
}

func noHints() []statusline.Hint { return nil }

// top returns the scope that has the keys.
func (a *app) top() scope {
	return a.scopes[slices.IndexFunc(a.scopes, func(s scope) bool { return s.open() })]
}

// writing reports whether the keys write a message.
func (a *app) writing() bool { return a.prefs.Focus == layout.Composer }

// press takes a key.
func (a *app) press(k tea.KeyPressMsg) tea.Cmd {
	key := command.Stroke(k)
	if a.keyboard.repeat.blocks(key, a.now()) {
		return nil // nor has it seen what is said now
	}
	if a.layout.TooSmall {
		return a.pressInSmall(key)
	}
	a.statusLine.GoesOn(a.now())
	a.statusLine.Pressed()
	if key != "esc" && key != "alt+esc" {
		a.disarmEscape()
	}
	if b := a.registry.Find(key, command.Global, true); b != nil && b.Always && !a.exit.leaving {
		return runBinding(b, key)
	}
	return a.top().press(k)
}

// paste puts a pasted text where text is written.
func (a *app) paste(m tea.PasteMsg) tea.Cmd {
	if top := a.top(); !a.layout.TooSmall && top.paste != nil {
		return top.paste(m.Content)
	}
	return nil
}

func (a *app) pressWhileLeaving(k tea.KeyPressMsg) tea.Cmd {
	if command.Stroke(k) == "ctrl+c" {
		return a.force()
	}
	return nil
}

// paneScope is the scope of the pane with the focus.
func (a *app) paneScope() command.Scope {
	switch a.prefs.Focus {
	case layout.Tree:
		return command.Tree
	case layout.Transcript:
		return command.Conversation
	case layout.Inspector:
		return command.Inspector
	}
	return command.Composer
}

func (a *app) pressInPane(k tea.KeyPressMsg) tea.Cmd {
	key := command.Stroke(k)
	if b := a.registry.Find(key, a.paneScope(), a.writing()); b != nil {
		return runBinding(b, key)
	}
	switch {
	case a.writing():
		return a.write(k)
	case k.Text != "":
		return a.warn(fmt.Sprintf(a.words.notices.NoKeyHere, sanitize.Line(key, nameCells)), a.words.notices.HintToWrite)
	}
	return nil
}

// pasteInPane pastes into the composer, wherever the focus is.
func (a *app) pasteInPane(text string) tea.Cmd {
	a.prefs.Focus = layout.Composer
	a.arrange()
	return a.composer.Update(tea.PasteMsg{Content: text})
}

// runNow handles what a widget says synchronously, so that the next key reaches the
// new focus: a letter of a text that is typed fast would be a verb in the tree.
func (a *app) runNow(said tea.Cmd) tea.Cmd {
	if said == nil {
		return nil
	}
	return a.route(said())
}

// openHelpOn opens the help on one of its keys, and reports whether it was one.
func (a *app) openHelpOn(key string, writing bool) bool {
	b := a.registry.Binding("help")
	if b.Nth(key) < 0 || writing && command.TypesText(key) {
		return false
	}
	a.features.help.Open()
	return true
}

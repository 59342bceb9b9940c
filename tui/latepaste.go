package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	// behindPaste is for how long what comes after the end of a paste may belong to it:
	// nobody types so soon, and a machine with much else to do passes the rest on so late.
	behindPaste = 100 * time.Millisecond
	// amidLatePaste is the same behind a piece that was too much to be typed, until the mark
	// comes that ends it: a long text comes in pieces.
	amidLatePaste = 5 * time.Second
	// latePasteGap is how long nothing must come until a late paste is over. Behind an escape
	// the library waits by itself for 100 ms.
	latePasteGap = 200 * time.Millisecond
	// latePasteKeys is how many keys somebody, or something, may have typed right behind a
	// paste. More is text.
	latePasteKeys = 64
)

// hold keeps a key that comes right behind a paste.
func (a *app) hold(key tea.KeyPressMsg) (cmd tea.Cmd, held bool) {
	t, now := &a.keyboard.paste, a.now()
	begun := len(t.keys) > 0
	if !begun && now.Sub(t.from) > t.within {
		return nil, false
	}
	a.frame.dirty = false // nothing is seen of it yet
	t.last = now
	t.text.WriteString(pasteable(key))
	if len(t.keys) <= latePasteKeys {
		t.keys = append(t.keys, key)
	}
	if begun {
		return nil, true
	}
	return a.wake(&t.over, latePasteGap, a.endLatePaste), true
}

// endLatePaste ends a late paste behind which nothing comes.
func (a *app) endLatePaste() tea.Cmd {
	t := &a.keyboard.paste
	if left := latePasteGap - a.now().Sub(t.last); left > 0 {
		return a.wake(&t.over, left, a.endLatePaste)
	}
	if len(t.keys) > latePasteKeys {
		t.from, t.within = a.now(), amidLatePaste
		return a.insertLatePaste()
	}
	keys := t.keys
	a.dropLatePaste()
	cmds := make([]tea.Cmd, len(keys))
	for i, key := range keys {
		cmds[i] = a.pressed(key)
	}
	return tea.Batch(cmds...)
}

// insertLatePaste pastes what was held: a second end has come.
func (a *app) insertLatePaste() tea.Cmd {
	text := a.keyboard.paste.text.String()
	a.dropLatePaste()
	if text == "" {
		return nil
	}
	return tea.Batch(a.paste(tea.PasteMsg{Content: text}), a.saveSoon())
}

func (a *app) dropLatePaste() {
	t := &a.keyboard.paste
	t.keys = nil
	t.text.Reset()
	t.over.Off()
}

// pasteBegins and pasteEnds follow the marks around a paste. A text may hold the mark
// that begins one too.
func (a *app) pasteBegins() tea.Cmd {
	a.keyboard.paste.pasting = true
	return a.insertLatePaste()
}

func (a *app) pasteEnds() tea.Cmd {
	t := &a.keyboard.paste
	t.from, t.within = a.now(), behindPaste
	if t.pasting {
		t.pasting = false
		return nil
	}
	return a.insertLatePaste()
}

// pasteable is what a key is in a pasted text; nothing for what is no text.
func pasteable(key tea.KeyPressMsg) string {
	switch {
	case key.Text != "":
		return key.Text
	case key.Code == tea.KeyEnter, key.Code == 'j' && key.Mod == tea.ModCtrl:
		return "\n"
	case key.Code == tea.KeyTab:
		return "\t"
	}
	return ""
}

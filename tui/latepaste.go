package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	// behindPaste is how long keys after a paste may belong to it: users are
	// slower, and a busy machine may deliver the rest that late.
	behindPaste = 100 * time.Millisecond
	// amidLatePaste is the same after more keys than a user types, until the end
	// marker: a long text arrives in pieces.
	amidLatePaste = 5 * time.Second
	// latePasteGap is the silence that ends a late paste. After an escape the
	// library waits for 100 ms itself.
	latePasteGap = 200 * time.Millisecond
	// latePasteKeys is how many keys right after a paste may be typed. More are
	// text.
	latePasteKeys = 64
)

// hold holds back a key right after a paste.
func (a *app) hold(key tea.KeyPressMsg) (cmd tea.Cmd, held bool) {
	t, now := &a.keyboard.paste, a.now()
	begun := len(t.keys) > 0
	if !begun && now.Sub(t.from) > t.within {
		return nil, false
	}
	a.frame.dirty = false // nothing of it is shown yet
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

// endLatePaste ends a late paste without an end marker.
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

// insertLatePaste pastes the held keys, because a second end marker has
// arrived.
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

// pasteBegins and pasteEnds handle the markers of a paste. A text may contain
// the begin marker, too.
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

// pasteable returns the text of a key in a paste, or "".
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

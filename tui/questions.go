package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
)

// The kinds of dialogs.
const (
	askKind    = "ask"
	quitKind   = "quit"
	helpKind   = "help"
	noticeKind = "notice"
)

// A choice is an answer to a question and what it leads to.
type choice struct {
	label string
	key   string
	grave bool
	does  func() tea.Cmd // nil: nothing
}

// A question is asked before something is lost. Its first choice changes
// nothing.
type question struct {
	kind    string // askKind if empty
	title   string
	body    []dialog.Line
	number  int  // to be typed, if not 0
	unasked bool // it opens by itself, not by a key
	choices []choice
	// again asks the same of how things are now, for a question that counts: what
	// it says must hold when it is answered. It is false, and has said why, when
	// there is nothing left to ask. nil: the question stays as it is.
	again func() (now question, still bool)
}

// answers is what a dialog of a question gives back: what its choices do.
type answers struct {
	does   map[string]func() tea.Cmd
	writes map[string]func(text string) tea.Cmd // what they do with a line that is written
	again  func() (question, bool)
}

// ask opens a question. What was armed is no longer meant.
func (a *app) ask(q question) tea.Cmd {
	a.disarmEscape()
	a.dialogs.Open(q.dialog(), a.now())
	return nil
}

func (q question) dialog() dialog.Dialog {
	if q.kind == "" {
		q.kind = askKind
	}
	to := &answers{does: make(map[string]func() tea.Cmd, len(q.choices)), again: q.again}
	d := dialog.Dialog{Kind: q.kind, Title: q.title, Body: q.body, Number: q.number, Unasked: q.unasked, Payload: to}
	for _, c := range q.choices {
		b := dialog.Button{Choice: c.label, Label: c.label, Grave: c.grave}
		if c.key != "" {
			b.Keys = []string{c.key}
		}
		d.Buttons = append(d.Buttons, b)
		to.does[c.label] = c.does
	}
	return d
}

// askAgain lets open questions count anew after a change of the society. One with
// nothing left to ask goes, and with it the keys that were meant for it.
func (a *app) askAgain() {
	if !a.dialogs.Shown() {
		return
	}
	open := a.dialogs.Len()
	a.dialogs.Refresh(func(d dialog.Dialog) (dialog.Dialog, bool) {
		to, _ := d.Payload.(*answers)
		if to == nil || to.again == nil {
			return d, true
		}
		now, still := to.again()
		now.again = to.again
		return now.dialog(), still
	})
	if a.dialogs.Len() < open {
		a.stray = stray{until: a.now().Add(reaction)}
	}
}

// decided carries out what was chosen.
func (a *app) decided(d dialog.Decided) tea.Cmd {
	if to, ok := d.Payload.(*answers); ok && to.does[d.Choice] != nil {
		return to.does[d.Choice]()
	} else if ok && to.writes[d.Choice] != nil {
		return to.writes[d.Choice](d.Written)
	}
	return nil
}

// pressInDialog gives a key to the dialog on top. ctrl+c asks whether to quit,
// and in that question it is the answer.
func (a *app) pressInDialog(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case command.Stroke(k) == "alt+esc":
		return tea.Batch(a.escape(), a.escape())
	case a.dialogs.Top() != helpKind && a.openHelpOn(command.Stroke(k), true):
		return nil
	case command.Stroke(k) != "ctrl+c":
		return a.pressOnTop(k)
	case a.dialogs.Top() == quitKind:
		a.dialogs.Close(quitKind)
		return a.leave(Leaving{})
	}
	return a.askQuit()
}

func (a *app) pressOnTop(k tea.KeyPressMsg) tea.Cmd {
	open := a.dialogs.Len()
	said := a.dialogs.Press(k, a.now())
	if a.dialogs.Len() < open && command.Stroke(k) != "esc" {
		a.stray = stray{key: command.Stroke(k), until: a.now().Add(reaction)}
	}
	return tea.Batch(a.runNow(said), a.listenSoon())
}

func (a *app) pasteInDialog(text string) tea.Cmd {
	a.dialogs.Paste(sanitize.Line(text, nameCells))
	return nil
}

func (a *app) dialogHints() []statusline.Hint {
	does := a.words.keys.HintCancel
	if kind := a.dialogs.Top(); kind == helpKind || kind == noticeKind || kind == detailsKind || kind == statsKind {
		does = a.words.keys.HintClose
	}
	if a.dialogs.Searched() {
		does = a.words.keys.HintShowAll
	}
	return []statusline.Hint{{Key: "esc", Does: does}}
}

// listenSoon lets a dialog in which text was typed hear letters again after a pause.
func (a *app) listenSoon() tea.Cmd {
	if !a.dialogs.Deaf() {
		return nil
	}
	return a.wake(&a.pauseEnds, dialog.Pause, func() tea.Cmd {
		a.dialogs.Listen(a.now())
		a.dirty = true
		return nil
	})
}

// reaction is for how long a key may still be meant for what was there before it.
const reaction = 400 * time.Millisecond

// A stray is a key that a person presses twice or holds down a little too long,
// or presses for a question that has just gone by itself. What has got the keys
// since must not take it.
type stray struct {
	key   string // or clicked; "": any but esc and ctrl+c
	until time.Time
}

// strays says whether a key is not meant for what is there now.
func (a *app) strays(key string) bool {
	now := a.now()
	switch {
	case now.After(a.stray.until), key == "ctrl+c":
	case a.stray.key == "" && key != "esc":
		return true
	case a.stray.key == key:
		a.stray.until = now.Add(reaction) // it is held down
		return true
	}
	a.stray = stray{}
	return false
}

package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/command"
	"society-tui/tui/layout"
	"society-tui/tui/page"
)

// wheelEvery is how long notches of the wheel are collected.
const wheelEvery = 16 * time.Millisecond

// point handles a mouse event. After the mouse was released, events may still
// arrive; they can only end a drag.
func (a *app) point(msg tea.MouseMsg) tea.Cmd {
	if _, released := msg.(tea.MouseReleaseMsg); released {
		return a.drop()
	}
	if !a.hasMouse() {
		return nil
	}
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		return tea.Batch(a.click(msg.Mouse()), a.saveSoon())
	case tea.MouseMotionMsg:
		return a.drag(msg.Mouse())
	case tea.MouseWheelMsg:
		return tea.Batch(a.wheel(msg.Mouse()), a.saveSoon())
	}
	return nil
}

// click focuses, and opens or selects.
func (a *app) click(m tea.Mouse) tea.Cmd {
	if m.Button != tea.MouseLeft || a.exit.leaving || a.layout.TooSmall || a.keyboard.repeat.blocks(clickKey(m.Y), a.now()) {
		return nil
	}
	a.pointer.to, a.pointer.opens = m, ""
	if a.layout.Hints.Holds(m.X, m.Y) {
		return a.pressHint(a.statusLine.KeyAt(m.X-a.layout.Hints.X, a.layout.Hints.W))
	}
	a.disarmEscape()
	a.unselect()
	a.keyboard.disarm(prefixArmed) // its target may have changed
	if a.topPage() == nil && a.layout.Header.Holds(m.X, m.Y) {
		return a.clickPath(m.X)
	}
	switch p := a.topPage(); {
	case p != nil && a.subjectPage() == p && a.layout.Composer.Holds(m.X, m.Y): // it is beside the page
		p.Close()
	case p != nil:
		if l, is := p.(*page.List); is && l.ClickTakes() {
			a.guardRepeat(clickKey(m.Y)) // the second of two clicks is not for what it opens
		}
		return p.Click(m.X, m.Y)
	}
	if list, ok := a.drawCompletion(); ok && list.At.Holds(m.X, m.Y) {
		return a.clickCompletion(m.Y-list.At.Y-1, len(list.Rows)-2)
	}
	if t, rule := a.layout.Tree, a.layout.TreeRule; rule.W == 1 && rule.Holds(m.X, m.Y) {
		a.pointer.dragging, a.pointer.grip = true, t.W-m.X
		return nil
	}
	if a.layout.Needs.Holds(m.X, m.Y) {
		return a.openAgent(a.tree.FirstNeed())
	}
	p, ok := a.layout.At(m.X, m.Y)
	if !ok {
		return nil
	}
	at := a.layout.Of(p)
	switch x, y := m.X-at.X, m.Y-at.Y; p {
	case layout.Tree:
		if key := a.tree.KeyAt(x, at.W); key != "" && y == 0 {
			return tea.Batch(a.focus(p), a.pressHint(key))
		}
		a.grab(p, m)
		return a.clickTree(x, y, at.W)
	case layout.Transcript:
		return a.clickTranscript(m, x, y)
	case layout.Inspector:
		if y == 0 && x >= at.W-tabNumber {
			a.inspector.TurnBy(1)
			return tea.Batch(a.focus(p), a.inspect())
		}
		a.grab(p, m)
	}
	return a.focus(p)
}

// clickPath opens the agent of the path in the first row that stands at a column. The path may have
// become shorter since it was drawn.
func (a *app) clickPath(x int) tea.Cmd {
	path := a.replica.Path(a.nav.open)
	if step := a.statusLine.StepAt(x); step >= 0 && step < len(path) {
		return a.openAgent(path[step])
	}
	return nil
}

// clickTranscript takes a quick reply or an example, does what a word of the title stands for, or
// focuses the conversation.
func (a *app) clickTranscript(m tea.Mouse, x, y int) tea.Cmd {
	at := a.layout.Transcript
	if nth := a.transcript.ReplyAt(x, y); nth > 0 {
		return a.useReply(nth - 1)
	}
	if n := a.clickedExample(y, at); n > 0 {
		focus := a.focus(layout.Composer)
		a.composing.example = n
		return tea.Batch(focus, a.useExample())
	}
	switch detail, position := a.transcript.NamesAt(x, at.W); {
	case y == 0 && detail:
		a.transcript.CycleDetail()
	case y == 0 && position, a.transcript.IsBadge(y):
		a.transcript.Follow()
	case !a.transcript.Click(x, y, at.W):
		a.grab(layout.Transcript, m)
	}
	return a.focus(layout.Transcript)
}

// tabNumber is the width of the number at the end of the inspector's title.
const tabNumber = 5

// pressHint does what the keys of a hint in the last row do. A command is written, because it may
// need more words.
func (a *app) pressHint(hint string) tea.Cmd {
	if strings.HasPrefix(hint, "/") && hint != "/" { // that one is a key
		return a.writeCommand(hint + " ")
	}
	var cmds []tea.Cmd
	for _, k := range command.Presses(hint) {
		cmds = append(cmds, a.press(k))
	}
	return tea.Batch(cmds...)
}

// clickTree selects an agent. The release opens it, so that what is typed next is for it: letters
// are keys in the tree, which a click beside the agents focuses.
func (a *app) clickTree(x, y, w int) tea.Cmd {
	hit := a.tree.Click(x, y, w)
	if hit.Fold {
		a.unselect() // its rows have changed
	} else if a.pointer.opens = hit.Agent; hit.Agent != "" {
		return nil
	}
	return a.focus(layout.Tree)
}

// drag moves the tree's border, or selects text.
func (a *app) drag(m tea.Mouse) tea.Cmd {
	switch {
	case a.pointer.dragging:
		a.prefs.Divider = max(m.X+a.pointer.grip, 1)
		a.arrange()
	case a.pointer.marking:
		return a.markTo(m)
	}
	return nil
}

// wheel scrolls what is under the pointer. Notches faster than frames are
// combined.
func (a *app) wheel(m tea.Mouse) tea.Cmd {
	p, ok := a.layout.At(m.X, m.Y)
	by := notch
	switch m.Button {
	case tea.MouseWheelUp:
		by = -notch
	case tea.MouseWheelDown:
	default:
		return nil
	}
	if a.layout.TooSmall {
		return nil
	}
	if p := a.topPage(); p != nil {
		p.Wheel(by / notch)
		return nil
	}
	if !ok {
		return nil
	}
	if p != a.pointer.over {
		a.turnWheel()
	}
	a.pointer.over = p
	a.pointer.turned += by
	if a.pointer.turning {
		return nil
	}
	a.turnWheel()
	a.pointer.turning = true
	return a.wake(&a.pointer.wheelDone, wheelEvery, func() tea.Cmd {
		a.pointer.turning = false
		a.turnWheel()
		return nil
	})
}

// turnWheel scrolls by the collected notches.
func (a *app) turnWheel() {
	n := a.pointer.turned
	a.pointer.turned = 0
	if n == 0 {
		return
	}
	a.frame.dirty = true
	switch a.pointer.over {
	case layout.Tree:
		a.tree.Scroll(n)
	case layout.Transcript:
		a.transcript.Scroll(n)
	case layout.Inspector:
		a.inspector.Scroll(n)
	}
	// Over the composer it has no effect: the wheel never walks the history.
}

// hasMouse reports whether the screen, not the terminal, has the mouse.
func (a *app) hasMouse() bool {
	if a.appearance.traits.GNUScreen {
		return a.pointer.prefs.inGNUScreen
	}
	return !a.pointer.prefs.off
}

// notifyMouse tells once that the screen does not have the mouse, and how to
// turn it on.
func (a *app) notifyMouse() tea.Cmd {
	if a.hasMouse() || !a.appearance.traits.GNUScreen || a.pointer.prefs.told {
		return nil
	}
	a.pointer.prefs.told = true
	return tea.Batch(a.inform(a.text(textMouseInGNUScreen), a.text(textHintMouseOn)), a.saveSoon())
}

// setMouse takes the mouse, or returns it to the terminal.
func (a *app) setMouse(on bool) tea.Cmd {
	if a.appearance.traits.GNUScreen {
		a.pointer.prefs.inGNUScreen = on
	} else {
		a.pointer.prefs.off = !on
	}
	if on {
		return a.inform(a.text(textMouseOn), "")
	}
	// Without this some terminals send arrow keys for the wheel.
	return tea.Batch(tea.Raw("\x1b[?1007l"), a.inform(a.text(textMouseOff), ""))
}

func (a *app) runMouse(in command.Input) tea.Cmd {
	return a.setMouse(in.Has("on") || !in.Has("off") && !a.hasMouse())
}

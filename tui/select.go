package tui

import (
	"slices"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/layout"
	"society-tui/tui/symbols"
)

// pullEvery is the interval of scrolling while the pointer is beyond the edge.
const pullEvery = 50 * time.Millisecond

// A selectable is a widget whose text can be selected with the mouse. Positions
// are cells of its drawn rows.
type selectable interface {
	Grab(x, y int)
	Drag(x, y int) bool
	// Inside is -1 above the rows with text and 1 below them.
	Inside(y int) int
	Scroll(n int)
	SelectedText() string
	Unselect() bool
}

// selectables returns the widgets whose text can be selected, by pane.
func (a *app) selectables() map[layout.Pane]selectable {
	return map[layout.Pane]selectable{layout.Tree: a.tree, layout.Transcript: a.transcript, layout.Inspector: a.inspector}
}

// grab prepares selecting text in a pane.
func (a *app) grab(p layout.Pane, m tea.Mouse) {
	at := a.layout.Of(p)
	a.pointer.marking, a.pointer.from, a.pointer.to = true, p, m
	a.selectables()[p].Grab(m.X-at.X, m.Y-at.Y)
}

// markTo extends the selection to the pointer. Beyond the pane's edge the text
// scrolls, not faster than frames.
func (a *app) markTo(m tea.Mouse) tea.Cmd {
	a.pointer.to = m
	room, at := a.selectables()[a.pointer.from], a.layout.Of(a.pointer.from)
	if !at.Shown() {
		return nil
	}
	room.Drag(m.X-at.X, m.Y-at.Y)
	if room.Inside(m.Y-at.Y) == 0 || a.pointer.pulling {
		return nil
	}
	a.pointer.pulling = true
	return a.wake(&a.pointer.pulled, pullEvery, a.pull)
}

// pull scrolls a row towards the pointer while it is beyond the edge.
func (a *app) pull() tea.Cmd {
	a.pointer.pulling = false
	if !a.pointer.marking {
		return nil
	}
	at := a.layout.Of(a.pointer.from)
	room := a.selectables()[a.pointer.from]
	n := room.Inside(a.pointer.to.Y - at.Y)
	if n == 0 {
		return nil
	}
	before := a.frame.pacer.rows.wanted
	room.Scroll(n)
	if slices.Equal(a.draw(), before) { // extends the selection to the new row at the edge
		return nil // it cannot scroll farther
	}
	a.frame.dirty = true
	return a.markTo(a.pointer.to)
}

// drop ends a drag, and copies the selection. Without one it opens the clicked agent.
func (a *app) drop() tea.Cmd {
	marking, opens := a.pointer.marking, a.pointer.opens
	a.pointer.dragging, a.pointer.marking, a.pointer.opens = false, false, ""
	if !marking {
		return nil
	}
	copied := a.copySelected()
	if copied == nil && opens != "" {
		a.guardRepeat(clickKey(a.pointer.to.Y)) // the second of two clicks is not for the tree
		return a.openAgent(opens)
	}
	return copied
}

// copySelected copies the selection with a notice, or returns nil without one.
func (a *app) copySelected() tea.Cmd {
	for _, room := range a.selectables() {
		if text := room.SelectedText(); text != "" {
			said := a.text(textCopiedMarked, summary(text), symbols.Count(utf8.RuneCountInString(text)))
			return a.copyAs(text, said)
		}
	}
	return nil
}

// unselect clears the selection, and reports whether there was one.
func (a *app) unselect() bool {
	was := false
	for _, room := range a.selectables() {
		was = room.Unselect() || was
	}
	return was
}

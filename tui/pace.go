package tui

import (
	"math"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/background"
	"society-tui/tui/pump"
)

// canWait reports whether drawing a message can be deferred.
func canWait(msg tea.Msg) bool {
	switch msg.(type) {
	case pump.Frame, background.Alarm:
		return true
	}
	return false
}

// pace schedules deferred drawing.
func (a *app) pace() tea.Cmd {
	const look = 50 * time.Millisecond
	p := &a.frame.pacer
	wait := p.line.Wait(p.urgent)
	if p.again.Pending() || !a.frame.dirty && !p.rows.left() || wait == 0 && p.line.Draws() == math.MaxInt {
		return nil
	}
	return a.wake(&p.again, max(wait, look), func() tea.Cmd {
		a.frame.dirty = false // not changed by this message
		return nil
	})
}

// redraw redraws the whole screen.
func (a *app) redraw() tea.Cmd {
	a.clearFrame(a.layout.W, a.layout.H)
	return tea.ClearScreen
}

// clearFrame replaces the last frame with blanks of a size: on a slow line it may stay for
// a while, and one that was measured for another width or terminal would be torn.
func (a *app) clearFrame(w, h int) {
	a.frame.drawn.Content, a.frame.drawn.Cursor = strings.Join(a.frame.pacer.rows.blank(w, h), "\n"), nil
}

package tui

import (
	"math"
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
	a.frame.pacer.rows.blank(a.layout.W, a.layout.H)
	return tea.ClearScreen
}

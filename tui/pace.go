package tui

import (
	"math"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/background"
	"society-tui/tui/pump"
)

// canWait reports whether a message tells of what nobody waits for.
func canWait(msg tea.Msg) bool {
	switch msg.(type) {
	case pump.Frame, background.Alarm:
		return true
	}
	return false
}

// pace sees to it that what cannot be drawn yet is drawn later.
func (a *app) pace() tea.Cmd {
	const look = 50 * time.Millisecond
	p := &a.frame.pacer
	wait := p.line.Wait(p.urgent)
	if p.again.Pending() || !a.frame.dirty && !p.rows.left() || wait == 0 && p.line.Draws() == math.MaxInt {
		return nil
	}
	return a.wake(&p.again, max(wait, look), func() tea.Cmd {
		a.frame.dirty = false // by this alone
		return nil
	})
}

// redraw draws the whole screen anew.
func (a *app) redraw() tea.Cmd {
	a.frame.pacer.rows.blank(a.layout.W, a.layout.H)
	return tea.ClearScreen
}

package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// How often the screen is drawn anew by time alone, while an agent is busy: for
// spinners that are seen, else for the ages in the tree.
const (
	spinEvery  = 125 * time.Millisecond
	agesEvery  = time.Second
	stillEvery = 10 * time.Second // reduced motion
)

// runClock lets the clock run as fast as what is on the screen needs.
func (a *app) runClock() tea.Cmd {
	total := a.replica.Total()
	if total.Busy() == 0 {
		if a.clock.runs {
			a.clock.runs = false
			a.clock.alarm.Off()
		}
		return nil
	}
	every := agesEvery
	switch {
	case a.set.Still:
		every = stillEvery
	case (a.tree.Animating() || a.transcript.Animating()) && !a.pump.Unfocused.Load():
		every = spinEvery
	}
	if a.clock.runs && a.clock.every == every {
		return nil
	}
	return a.wind(every)
}

func (a *app) wind(every time.Duration) tea.Cmd {
	a.clock.runs, a.clock.every = true, every
	return a.wake(&a.clock.alarm, every, func() tea.Cmd {
		a.clock.runs = false // runClock winds it again if it is still needed
		a.clock.frame++
		a.frame.dirty = true
		return nil
	})
}

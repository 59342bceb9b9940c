package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Redraw intervals while an agent is busy, for visible spinners or else for ages, and at rest.
const (
	spinEvery  = 125 * time.Millisecond
	agesEvery  = time.Second
	stillEvery = 10 * time.Second // without animation
	restEvery  = time.Minute      // at rest, for the ages on the board
)

// runClock starts the clock at the interval that the screen needs.
func (a *app) runClock() tea.Cmd {
	total := a.replica.Total()
	if total.Busy() == 0 && a.subjectPage() == nil {
		if a.clock.runs {
			a.clock.runs = false
			a.clock.alarm.Off()
		}
		return nil
	}
	every := agesEvery
	switch {
	case total.Busy() == 0:
		every = restEvery
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
		a.clock.runs = false // runClock starts it again if needed
		a.clock.frame++
		a.frame.dirty = true
		return nil
	})
}

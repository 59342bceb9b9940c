package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/background"
)

// command runs f outside the event loop, and is the only way out of it: f may
// wait, and must return soon after ctx is done.
func (a *app) command(f func(ctx context.Context) tea.Msg) tea.Cmd { return a.background.Run(f) }

// wake sets an alarm, in place of an earlier one.
func (a *app) wake(c *background.AlarmClock, d time.Duration, ring func() tea.Cmd) tea.Cmd {
	return a.background.Wake(c, d, ring)
}

// An outcome runs in the event loop after work outside.
type outcome func() tea.Cmd

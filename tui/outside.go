package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
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

// later runs work outside the event loop, and then its result inside.
func later[T any](a *app, work func(ctx context.Context) T, then func(T) tea.Cmd) tea.Cmd {
	return a.command(func(ctx context.Context) tea.Msg {
		result := work(ctx)
		return outcome(func() tea.Cmd { return then(result) })
	})
}

// do sends a command to the society; then runs in the event loop with the
// reply.
func do[R society.Reply](a *app, cmd society.Request[R], then func(reply R, err error) tea.Cmd) tea.Cmd {
	return a.command(func(ctx context.Context) tea.Msg {
		reply, err := api.Do(ctx, a.society, cmd)
		return outcome(func() tea.Cmd { return then(reply, err) })
	})
}

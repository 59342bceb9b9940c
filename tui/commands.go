package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/background"
)

// command is the only way out of the event loop: f may wait, and must return
// soon after its context is done.
func (a *app) command(f func(ctx context.Context) tea.Msg) tea.Cmd { return a.background.Run(f) }

// wake sets an alarm, instead of the one before.
func (a *app) wake(c *background.AlarmClock, d time.Duration, ring func() tea.Cmd) tea.Cmd {
	return a.background.Wake(c, d, ring)
}

// An outcome is what is left to do in the event loop after work beside it.
type outcome func() tea.Cmd

// later does work beside the event loop, and then the rest in it.
func later[T any](a *app, work func(ctx context.Context) T, then func(T) tea.Cmd) tea.Cmd {
	return a.command(func(ctx context.Context) tea.Msg {
		result := work(ctx)
		return outcome(func() tea.Cmd { return then(result) })
	})
}

// do asks the society to carry out a command; then runs in the event loop with the
// reply.
func do[R society.Reply](a *app, cmd society.Request[R], then func(reply R, err error) tea.Cmd) tea.Cmd {
	return a.command(func(ctx context.Context) tea.Msg {
		reply, err := api.Do(ctx, a.society, cmd)
		return outcome(func() tea.Cmd { return then(reply, err) })
	})
}

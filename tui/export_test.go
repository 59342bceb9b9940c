package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/pump"
)

// NewModel returns the model alone, for tests that look at every frame.
func NewModel(ctx context.Context, cfg Config) tea.Model { return newApp(ctx, cfg) }

// Frame is what the pump sends.
func Frame(c api.Changes) tea.Msg { return pump.Frame{Changes: c, Shown: make(chan struct{})} }

// Crew waits for the commands of a model from NewModel, whose context is done.
func Crew(m tea.Model) { m.(*app).background.Wait() }

package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/pump"
)

// NewModel returns the bare model, for tests that check every frame.
func NewModel(ctx context.Context, cfg Config) tea.Model { return newApp(ctx, cfg, (*app).newFeatures) }

// Frame returns the message of the pump.
func Frame(c api.Changes) tea.Msg { return pump.Frame{Changes: c, Shown: make(chan struct{})} }

// Crew waits for the commands of a model from NewModel, whose context is done.
func Crew(m tea.Model) { m.(*app).background.Wait() }

package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/pump"
)

// The pump spaces its frames by what else is drawn.
func TestThePumpIsToldWhenAKeyChangesTheScreen(t *testing.T) {
	t.Parallel()
	a := newApp(t.Context(), Config{}, (*app).newFeatures)
	a.Update(pump.Frame{Shown: make(chan struct{})})
	if n := len(a.pump.Beside); n != 0 {
		t.Errorf("after a frame of its own the pump is told of %d others, want 0", n)
	}
	a.Update(tea.KeyPressMsg{Code: 'a', Text: "a"})
	if n := len(a.pump.Beside); n != 1 {
		t.Errorf("after a key the pump is told of %d changes, want 1", n)
	}
}

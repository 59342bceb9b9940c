package tui_test

import (
	"context"
	"errors"
	"testing"

	"society-tui/tui"
	"society-tui/tui/feature/logs"
	"society-tui/tui/screentest"
)

func TestUnreadableLogIsReported(t *testing.T) {
	read := func(context.Context, bool) ([]logs.Line, error) { return nil, errors.New("no permission") }
	onScreenWith(t, 60, 20, func(c *tui.Config) { c.Log = read }, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Idle().Type("/log").Press("enter").Idle().Shows("Failed: no permission")
	})
}

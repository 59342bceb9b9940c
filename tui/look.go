package tui

import (
	"context"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/action"
)

// A lookedAt is a society that a screen only looks at: nothing changes it, and nothing is
// kept of the screen.
type lookedAt struct{ api.Society }

// Do refuses all commands.
func (lookedAt) Do(context.Context, society.Command) (society.Reply, error) {
	return nil, api.ErrLookOnly
}

// Keep keeps nothing.
func (lookedAt) Keep(context.Context, map[string]api.Value) (map[string]api.Value, error) {
	return nil, nil
}

// refusesAll returns why this screen changes nothing now: it only looks, or its connection
// is cut. Else the notice is empty.
func (a *app) refusesAll() action.Notice {
	if why := a.actions.LookOnly(); !why.Empty() {
		return why
	}
	return a.actions.WhileCut()
}

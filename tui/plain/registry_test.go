package plain

import (
	"context"
	"slices"
	"testing"

	"society-tui/tui"
	"society-tui/tui/agentcommand"
)

func TestPlainModeHasAllSharedCommands(t *testing.T) {
	t.Parallel()
	f := newFrontend(context.Background(), nil, tui.Config{})
	defer f.rest.Stop()
	for _, c := range slices.Concat(agentcommand.Env{}.Agents(), agentcommand.Env{}.Answers(), agentcommand.Env{}.Files()) {
		if c.Slash != "" && f.registry.Slash(c.Slash) == nil {
			t.Errorf("plain mode does not have %s", c.Slash)
		}
	}
	for _, c := range f.registry.Commands {
		if (c.Act == nil) == (c.Run == nil) {
			t.Errorf("%s has an action: %t, and runs by itself: %t", c.Name(), c.Act != nil, c.Run != nil)
		}
	}
}

package tree_test

import (
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/tree"
)

func TestScreen54WorkEndsOnceAlsoWhenNobodySawItBegin(t *testing.T) {
	t.Parallel()
	spent := func(tokens int) *api.Changes { return &api.Changes{Usage: society.Usage{Output: tokens}} }
	first := spent(70)
	first.All = true
	var a tree.Activity
	for i, look := range []struct {
		busy    bool
		changes *api.Changes
		ended   bool
	}{
		{false, first, false}, // what was spent before anybody looked
		{false, spent(70), false},
		{true, spent(70), false},
		{true, spent(80), false},
		{false, spent(80), true},
		{false, spent(80), false},
		{false, spent(90), true}, // begun and ended in between
		{false, spent(90), false},
		{true, spent(100), false},
		{false, spent(100), true}, // a call that was cut short
	} {
		if got := a.Look(look.busy, look.changes); got != look.ended || a.Busy() != look.busy {
			t.Errorf("look %d: ended %v, want %v; busy %v", i, got, look.ended, a.Busy())
		}
	}
}

package conversation

import (
	"reflect"
	"testing"
)

// Branches of a graph do not see each other, nor does the trunk see into them: it
// has what they came to.
func TestS004WhatIsSaidInABranchIsSeenInItAlone(t *testing.T) {
	t.Parallel()
	all := []Entry{
		{Slot: 0, Kind: Inbound, Text: "go"},
		{Slot: 1, Kind: Answer, Text: "left", Branch: 1},
		{Slot: 2, Kind: Answer, Text: "right", Branch: 2},
		{Slot: 3, Kind: Answer, Text: "within right", Branch: 3},
		{Slot: 4, Kind: Merged, Text: "both"},
	}
	for _, c := range []struct {
		branches []int
		want     []string
	}{
		{nil, []string{"go", "both"}},
		{[]int{1}, []string{"go", "left", "both"}},
		{[]int{3, 2}, []string{"go", "right", "within right", "both"}},
	} {
		var seen []string
		for _, e := range Legal(Seen(all, c.branches)) {
			seen = append(seen, e.Text)
		}
		if !reflect.DeepEqual(seen, c.want) {
			t.Errorf("in %v: %q, want %q", c.branches, seen, c.want)
		}
	}
}

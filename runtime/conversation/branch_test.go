package conversation

import (
	"reflect"
	"testing"
)

// Branches of a graph do not see each other, and the trunk sees only their merged
// results.
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

// A summary of a branch stands for what lies before it, in the branch and in those
// within it, and for nobody else.
func TestS004ASummaryOfABranchIsSeenInItAlone(t *testing.T) {
	t.Parallel()
	all := []Entry{
		{Slot: 0, Kind: Summary, Text: "long ago"},
		{Slot: 1, Kind: Inbound, Text: "go"},
		{Slot: 2, Kind: Answer, Text: "left", Branch: 1},
		{Slot: 3, Kind: Answer, Text: "right", Branch: 2},
		{Slot: 4, Kind: Summary, Text: "long ago, go", Branch: 2, Compression: &Compression{Upto: 3}},
		{Slot: 5, Kind: Answer, Text: "within right", Branch: 3},
	}
	for _, c := range []struct {
		branches []int
		want     []string
	}{
		{nil, []string{"long ago", "go"}},
		{[]int{1}, []string{"long ago", "go", "left"}},
		{[]int{2}, []string{"long ago, go", "right"}},
		{[]int{3, 2}, []string{"long ago, go", "right", "within right"}},
	} {
		once := Seen(all, c.branches)
		var seen []string
		for _, e := range Legal(once) {
			seen = append(seen, e.Text)
		}
		if !reflect.DeepEqual(seen, c.want) || !reflect.DeepEqual(Seen(once, c.branches), once) {
			t.Errorf("in %v: %q, want %q", c.branches, seen, c.want)
		}
	}
}

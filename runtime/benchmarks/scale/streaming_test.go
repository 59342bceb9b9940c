package main

import "testing"

func TestEveryWordThatDidNotComeAsSentIsCounted(t *testing.T) {
	for text, want := range map[string]faults{
		"s/1 s/2 s/3 The end.":     {sent: 3},
		"s/1 s/3":                  {sent: 3, lost: 1},
		"":                         {sent: 3, lost: 3},
		"s/1 s/2 s/2 s/3":          {sent: 3, doubled: 1},
		"s/1 s/3 s/2":              {sent: 3, reordered: 1},
		"s/1 other/2 s/2 s/3":      {sent: 3, doubled: 1},
		"s/1 s/2 s/3 s/4":          {sent: 3, doubled: 1},
		"s/1s/2 s/3":               {sent: 3, lost: 2, doubled: 1},
		"s/2 s/1 s/1 s/3 The end.": {sent: 3, doubled: 1, reordered: 1},
	} {
		var got faults
		if got.add("s", 3, text); got != want {
			t.Errorf("%q has the faults %+v, not %+v", text, got, want)
		}
	}
}

func TestQuantilesAreValuesThatWereMeasured(t *testing.T) {
	all := []int{5, 1, 4, 2, 3}
	for share, want := range map[float64]int{0: 1, 0.5: 3, 0.95: 5, 1: 5} {
		if got := quantile(all, share); got != want {
			t.Errorf("the quantile %g of %v is %d, not %d", share, all, got, want)
		}
	}
}

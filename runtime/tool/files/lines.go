package files

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// edits returns the edits that make one text another, each of whole lines. The library
// gives up where much differs, so it is asked only about what lies between the lines that
// stand once in each text, in the same order.
func edits(before, after string) []udiff.Edit {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	var all []udiff.Edit
	offset := 0 // of line i in before
	i, j := 0, 0
	between := func(toA, toB int) {
		old, now := strings.Join(a[i:toA], ""), strings.Join(b[j:toB], "")
		if old != now {
			for _, e := range udiff.Lines(old, now) {
				e.Start, e.End = e.Start+offset, e.End+offset
				all = append(all, e)
			}
		}
		offset += len(old)
		i, j = toA, toB
	}
	for _, at := range anchors(a, b) {
		between(at[0], at[1])
		offset += len(a[i])
		i, j = i+1, j+1
	}
	between(len(a), len(b))
	return all
}

// anchors returns the longest row of lines, each by its numbers, that stand once in each
// text, in the order of both.
func anchors(a, b []string) [][2]int {
	type place struct{ a, b, timesA, timesB int }
	places := make(map[string]*place, len(a))
	for i, line := range a {
		p := places[line]
		if p == nil {
			p = &place{}
			places[line] = p
		}
		p.a, p.timesA = i, p.timesA+1
	}
	for j, line := range b {
		if p := places[line]; p != nil {
			p.b, p.timesB = j, p.timesB+1
		}
	}
	var unique [][2]int // in the order of a
	for i, line := range a {
		if p := places[line]; p.timesA == 1 && p.timesB == 1 {
			unique = append(unique, [2]int{i, p.b})
		}
	}
	// The longest increasing row of the second numbers.
	var ends []int // of the rows of each length, the index of the least last
	before := make([]int, len(unique))
	for k, at := range unique {
		n, _ := slices.BinarySearchFunc(ends, at[1], func(end, line int) int { return unique[end][1] - line })
		before[k] = -1
		if n > 0 {
			before[k] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, k)
		} else {
			ends[n] = k
		}
	}
	var row [][2]int
	if len(ends) > 0 {
		for k := ends[len(ends)-1]; k >= 0; k = before[k] {
			row = append(row, unique[k])
		}
	}
	slices.Reverse(row)
	return row
}

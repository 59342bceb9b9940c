// Package propertytest checks properties in random cases, and in more of them where
// the first had nothing for them to hold: so no test fails by the luck of its cases,
// and none passes by it. It is for tests alone.
package propertytest

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

const (
	// most is the largest multiple of rapid's count of cases: what half of the cases miss
	// is then missed once in 10¹⁵ times.
	most = 50
	// tries is how often a case is begun again when one in three fits, with the same
	// odds.
	tries = 100
)

// Met counts what the cases of a property have met.
type Met[K comparable] map[K]int

// Once wants each of all to be met.
func Once[K comparable](all ...K) Met[K] {
	want := Met[K]{}
	for _, what := range all {
		want[what] = 1
	}
	return want
}

// Check checks a property in random cases, and in more of them until all that is
// wanted is met. The test fails if something goes on being missed.
func (m Met[K]) Check(t *testing.T, want Met[K], property func(t *rapid.T)) {
	t.Helper()
	m.Seek(t, want, property)
	m.Has(t, want)
}

// Seek checks a property in as many random cases as rapid is asked for, and in as many
// again while anything was met less often than is wanted: the property counts what it
// meets. It is for those who ask afterwards what there is.
func (m Met[K]) Seek(t *testing.T, want Met[K], property func(t *rapid.T)) {
	t.Helper()
	rounds := 0
	for rounds == 0 || rounds < most && len(m.missing(want)) > 0 {
		rapid.Check(t, property)
		rounds++
	}
	t.Logf("after %d rounds of %d cases there were met: %v", rounds, Cases(), m)
}

// Has fails a test for each that was met less often than is wanted.
func (m Met[K]) Has(t *testing.T, want Met[K]) {
	t.Helper()
	for _, what := range m.missing(want) {
		t.Error(what)
	}
}

// Cases returns how many cases rapid makes.
func Cases() int {
	n, err := strconv.Atoi(flag.Lookup("rapid.checks").Value.String())
	if err != nil {
		panic(err)
	}
	return n
}

// missing lists what was met less often than wanted.
func (m Met[K]) missing(want Met[K]) (all []string) {
	for what, n := range want {
		if m[what] < n {
			all = append(all, fmt.Sprintf("%q was met %d times, not %d", fmt.Sprint(what), m[what], n))
		}
	}
	slices.Sort(all)
	return all
}

// Tried makes a property of a try that may have nothing to hold, and reports whether it
// had: each case tries anew until it had. What it holds on the way it holds too.
func Tried(try func(t *rapid.T) bool) func(t *rapid.T) {
	return func(t *rapid.T) {
		for range tries {
			if try(t) {
				return
			}
		}
		t.Fatalf("%d tries had nothing to hold", tries)
	}
}

package symbols

import "strconv"

// A Tally counts agents by Kind.
type Tally [kinds]int32

// Add adds n agents of kind k; n may be negative.
func (t *Tally) Add(k Kind, n int) { t[k] += int32(n) }

// Plus adds the counts of o.
func (t *Tally) Plus(o *Tally) {
	for i := range t {
		t[i] += o[i]
	}
}

// Minus subtracts the counts of o.
func (t *Tally) Minus(o *Tally) {
	for i := range t {
		t[i] -= o[i]
	}
}

// Sum returns the number of agents.
func (t *Tally) Sum() int {
	var n int32
	for _, c := range t {
		n += c
	}
	return int(n)
}

// Busy returns the number of busy agents.
func (t *Tally) Busy() int {
	var n int32
	for k, c := range t {
		if Kind(k).Busy() {
			n += c
		}
	}
	return int(n)
}

// AtRest returns the number of agents that have no turn.
func (t *Tally) AtRest() int {
	return int(t[Idle] + t[Reported] + t[Waits] + t[Failed] + t[Stopped])
}

// NeedYou returns the number of agents that need the user.
func (t *Tally) NeedYou() int { return int(t[Asks] + t[Failed]) }

// A Part is the number of agents under one symbol.
type Part struct {
	Kind Kind
	N    int
	// Weight decides which parts to keep in a narrow row: the highest.
	Weight int
}

// together lists the kinds that share a symbol. An agent alternates between
// thinking and using tools, so separate counts would change all the time.
var together = []struct {
	shown  Kind
	kinds  []Kind
	weight int
}{
	{Thinking, []Kind{Thinking, Tool}, 7},
	{Slot, []Kind{Slot}, 2},
	{Retry, []Kind{Retry}, 6},
	{Waits, []Kind{Waits}, 3},
	{Paused, []Kind{Pausing, Paused}, 5},
	{Asks, []Kind{Asks}, 9},
	{Stopped, []Kind{Stopping, Stopped}, 4},
	{Draining, []Kind{Draining}, 2},
	{Terminating, []Kind{Terminating}, 1},
	{Failed, []Kind{Failed}, 8},
	{Idle, []Kind{Idle, Reported}, 0},
}

// Parts returns the nonzero counts in display order. They add up to Sum.
func (t *Tally) Parts() []Part {
	parts := make([]Part, 0, len(together))
	for _, g := range together {
		n := 0
		for _, k := range g.kinds {
			n += int(t[k])
		}
		if n != 0 {
			parts = append(parts, Part{g.shown, n, g.weight})
		}
	}
	return parts
}

// Label formats the part: symbol and number.
func (p Part) Label(s Set, frame int) string {
	return s.Symbol(p.Kind, frame) + Count(p.N)
}

// Fitting returns the parts that fit into w cells, the most important first in
// priority but in display order, and their width.
func Fitting(parts []Part, w int) (kept []Part, width int) {
	left := append([]Part(nil), parts...)
	for {
		width = -1
		for _, p := range left {
			width += 2 + len(Count(p.N)) // all symbols are one cell wide
		}
		if width <= w || len(left) == 0 {
			return left, max(width, 0)
		}
		drop := 0
		for i, p := range left {
			if p.Weight < left[drop].Weight {
				drop = i
			}
		}
		left = append(left[:drop], left[drop+1:]...)
	}
}

// String formats the counts for failing tests.
func (t Tally) String() string {
	said := ""
	for k, n := range t {
		if n != 0 {
			said += Kind(k).Name() + " " + strconv.Itoa(int(n)) + " "
		}
	}
	return said
}

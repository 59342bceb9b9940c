package symbols

import "strconv"

// A Tally counts agents by Kind. Its zero value counts none.
type Tally [kinds]int32

// Add counts n more of kind k; n may be negative.
func (t *Tally) Add(k Kind, n int) { t[k] += int32(n) }

// Plus adds all that o counts.
func (t *Tally) Plus(o *Tally) {
	for i := range t {
		t[i] += o[i]
	}
}

// Minus takes away all that o counts.
func (t *Tally) Minus(o *Tally) {
	for i := range t {
		t[i] -= o[i]
	}
}

// Sum returns how many agents were counted.
func (t *Tally) Sum() int {
	var n int32
	for _, c := range t {
		n += c
	}
	return int(n)
}

// Busy returns how many of them are busy.
func (t *Tally) Busy() int {
	var n int32
	for k, c := range t {
		if Kind(k).Busy() {
			n += c
		}
	}
	return int(n)
}

// NeedYou returns how many of them wait for the user.
func (t *Tally) NeedYou() int { return int(t[Asks] + t[Failed]) }

// A Count is the number of agents under one symbol.
type Part struct {
	Kind Kind
	N    int
	// Weight says which parts to keep where there is no room for all: the
	// highest.
	Weight int
}

// together lists what is counted under one symbol. An agent that thinks and uses
// tools in turn would otherwise make two figures jump all the time.
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

// Parts returns the counts to show, in their fixed order, without those that are
// zero. Together they are the Sum.
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

// Label returns how the part is written: symbol and number.
func (p Part) Label(s Set, frame int) string {
	return s.Symbol(p.Kind, frame) + Count(p.N)
}

// Fitting returns those of parts, in their order, that fit into w cells with a
// blank between, the weightiest first, and how wide they are.
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

// String is for failing tests.
func (t Tally) String() string {
	said := ""
	for k, n := range t {
		if n != 0 {
			said += Kind(k).Name() + " " + strconv.Itoa(int(n)) + " "
		}
	}
	return said
}

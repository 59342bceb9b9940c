package graphview

import (
	"cmp"
	"slices"

	"society-tui/runtime/graph"
)

// A placing is a plan set in layers: each way but those back leads downwards,
// from one layer to the next. A way across several layers goes through a lane in
// each of those between; ways to the same node share it.
type placing struct {
	layers [][]*spot
	back   []int // ways of the plan that lead upwards, or to where they begin
	ahead  []int // the others that are drawn
}

// A spot is a node in its layer, or a lane.
type spot struct {
	stop   int // of the plan; -1 for a lane
	to     int // the node that a lane leads to
	layer  int
	below  []*spot
	above  []*spot
	x, w   int
	weight float64 // where it is drawn to
}

func (s *spot) lane() bool { return s.stop < 0 }

func (s *spot) centre() int { return s.x + s.w/2 }

// place sets a plan in layers.
func place(p *graph.Plan) placing {
	at := make(map[string]int, len(p.Stops))
	for i, s := range p.Stops {
		at[s.Key] = i
	}
	var l placing
	order, isBack := walk(p, at)
	depth := make([]int, len(p.Stops))
	for _, i := range order { // each node after all that lead to it
		for n, w := range p.Ways {
			if at[w.From] == i && !isBack[n] {
				depth[at[w.To]] = max(depth[at[w.To]], depth[i]+1)
			}
		}
	}
	l.layers = make([][]*spot, slices.Max(append(slices.Clone(depth), 0))+1)
	spots := make([]*spot, len(p.Stops))
	for _, i := range order {
		spots[i] = l.put(&spot{stop: i, layer: depth[i]})
	}
	lanes := map[[2]int]*spot{}
	for n, w := range p.Ways {
		switch {
		case isBack[n]:
			l.back = append(l.back, n)
		case w.Kind != graph.Joining: // it is seen by the ways of the branches
			l.ahead = append(l.ahead, n)
			l.lead(spots[at[w.From]], spots[at[w.To]], lanes)
		}
	}
	l.untangle()
	return l
}

// walk returns the nodes so that each comes after all that lead to it, and which
// ways must be left out for that: those back.
func walk(p *graph.Plan, at map[string]int) (order []int, back map[int]bool) {
	const open, done = 1, 2
	state, back := make([]int, len(p.Stops)), map[int]bool{}
	ways := make([][]int, len(p.Stops))
	for n, w := range p.Ways {
		ways[at[w.From]] = append(ways[at[w.From]], n)
	}
	var visit func(i int)
	visit = func(i int) {
		state[i] = open
		for _, n := range slices.Backward(ways[i]) {
			switch to := at[p.Ways[n].To]; state[to] {
			case open:
				back[n] = true
			case 0:
				visit(to)
			}
		}
		state[i] = done
		order = append(order, i)
	}
	for i, s := range slices.Backward(p.Stops) {
		if s.Entry && state[i] == 0 {
			visit(i)
		}
	}
	for i := range slices.Backward(p.Stops) { // what no way leads to
		if state[i] == 0 {
			visit(i)
		}
	}
	slices.Reverse(order)
	return order, back
}

func (l *placing) put(s *spot) *spot {
	l.layers[s.layer] = append(l.layers[s.layer], s)
	return s
}

// lead connects two nodes, through the lanes between them.
func (l *placing) lead(from, to *spot, lanes map[[2]int]*spot) {
	for from.layer+1 < to.layer {
		key := [2]int{to.stop, from.layer + 1}
		lane := lanes[key]
		if lane == nil {
			lane = l.put(&spot{stop: -1, to: to.stop, layer: from.layer + 1})
			lanes[key] = lane
		}
		join(from, lane)
		from = lane
	}
	join(from, to)
}

func join(from, to *spot) {
	if !slices.Contains(from.below, to) {
		from.below, to.above = append(from.below, to), append(to.above, from)
	}
}

// sweeps is how often the layers are put in order.
const sweeps = 6

// untangle orders the spots of each layer by where their neighbours are, down and
// up in turn, so that few ways cross.
func (l *placing) untangle() {
	for turn := range sweeps {
		for i := range l.layers {
			layer, sides := l.layers[i], func(s *spot) []*spot { return s.above }
			if turn%2 == 1 {
				layer, sides = l.layers[len(l.layers)-1-i], func(s *spot) []*spot { return s.below }
			}
			for n, s := range layer {
				s.weight = middle(sides(s), l.rank, float64(n))
			}
			slices.SortStableFunc(layer, func(a, b *spot) int { return cmp.Compare(a.weight, b.weight) })
		}
	}
}

// rank is where a spot stands in its layer, from 0 to 1.
func (l *placing) rank(s *spot) float64 {
	layer := l.layers[s.layer]
	return (float64(slices.Index(layer, s)) + 0.5) / float64(len(layer))
}

// middle is the place of the middle one of some spots, otherwise if there are
// none. Unlike their mean it lets one stand straight beneath another.
func middle(of []*spot, place func(*spot) float64, otherwise float64) float64 {
	if len(of) == 0 {
		return otherwise
	}
	at := make([]float64, len(of))
	for i, s := range of {
		at[i] = place(s)
	}
	slices.Sort(at)
	return (at[(len(at)-1)/2] + at[len(at)/2]) / 2
}

// What lies between two spots of a layer, and how wide a node is at least and at
// most.
const (
	spotGap  = 2
	leastBox = 12
	mostBox  = 26
)

// spread gives each spot its columns: nodes as wide as want says, or less where
// there is no room. It reports whether there is room at all.
func (l *placing) spread(width int, want func(*spot) int) bool {
	for _, layer := range l.layers {
		if !shrink(layer, width, want) {
			return false
		}
		x := 0
		for _, s := range layer {
			s.x = x
			x += s.w + spotGap
		}
		left := (width - (x - spotGap)) / 2
		for _, s := range layer {
			s.x += left
		}
	}
	centre := func(s *spot) float64 { return float64(s.centre()) }
	for turn := range sweeps + 1 {
		for i := range l.layers {
			if turn%2 == 0 {
				l.pull(l.layers[i], width, func(s *spot) float64 { return middle(s.above, centre, centre(s)) })
			} else {
				l.pull(l.layers[len(l.layers)-1-i], width, func(s *spot) float64 { return middle(s.below, centre, centre(s)) })
			}
		}
	}
	l.centre(width)
	return true
}

// centre moves all of it to the middle of the width.
func (l *placing) centre(width int) {
	left, right := width, 0
	for _, layer := range l.layers {
		if n := len(layer); n > 0 {
			left, right = min(left, layer[0].x), max(right, layer[n-1].x+layer[n-1].w)
		}
	}
	for _, layer := range l.layers {
		for _, s := range layer {
			s.x += (width - right - left) / 2
		}
	}
}

// shrink sets the widths of a layer.
func shrink(layer []*spot, width int, want func(*spot) int) bool {
	boxes, room := 0, width-spotGap*(len(layer)-1)
	for _, s := range layer {
		if s.w = 1; s.lane() {
			room--
		} else {
			boxes++
		}
	}
	if boxes == 0 {
		return room >= 0
	}
	each := min(room/boxes, mostBox)
	if each < leastBox {
		return false
	}
	for _, s := range layer {
		if !s.lane() {
			s.w = max(min(want(s), each), leastBox)
		}
	}
	return true
}

// pull moves the spots of a layer towards where they belong, in their order and
// without touching each other.
func (l *placing) pull(layer []*spot, width int, to func(*spot) float64) {
	least := 0
	for _, s := range layer {
		s.x = max(int(to(s)+0.5)-s.w/2, least)
		least = s.x + s.w + spotGap
	}
	most := width
	for _, s := range slices.Backward(layer) {
		s.x = min(s.x, most-s.w)
		most = s.x - spotGap
	}
}

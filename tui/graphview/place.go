package graphview

import (
	"cmp"
	"slices"

	"society-tui/runtime/graph"
)

// A placing is a graph in layers: each edge, except those back, leads one layer
// down. An edge across several layers passes a lane in each of those between;
// edges to the same node share it.
type placing struct {
	layers [][]*spot
	back   []int // edges that lead upwards, or to where they begin
	ahead  []int // the other drawn edges
}

// A spot is a node in its layer, or a lane.
type spot struct {
	stop   int // index in the plan, or -1 for a lane
	to     int // the node at the end of a lane
	layer  int
	below  []*spot
	above  []*spot
	x, w   int
	weight float64 // where it is pulled to
}

func (s *spot) lane() bool { return s.stop < 0 }

func (s *spot) centre() int { return s.x + s.w/2 }

// place arranges a plan in layers.
func place(p *graph.Plan) placing {
	at := make(map[string]int, len(p.Stops))
	for i, s := range p.Stops {
		at[s.Key] = i
	}
	var l placing
	order, isBack := walk(p, at)
	depth := make([]int, len(p.Stops))
	for _, i := range order { // each node after its predecessors
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
		case w.Kind != graph.Joining: // joins are implied by the edges of the branches
			l.ahead = append(l.ahead, n)
			l.lead(spots[at[w.From]], spots[at[w.To]], lanes)
		}
	}
	l.untangle()
	return l
}

// walk returns the nodes in topological order, and the back edges that must be
// ignored for it.
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
	for i := range slices.Backward(p.Stops) { // nodes without edges into them
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

// lead connects two nodes through lanes.
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

// sweeps is how often the layers are ordered.
const sweeps = 6

// untangle orders each layer by the position of its neighbours, down and up in
// turn, to reduce crossings.
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

// rank returns the position of a spot in its layer, from 0 to 1.
func (l *placing) rank(s *spot) float64 {
	layer := l.layers[s.layer]
	return (float64(slices.Index(layer, s)) + 0.5) / float64(len(layer))
}

// middle returns the median position of spots, or otherwise if there are none.
// Unlike the mean, the median keeps straight lines.
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

// The gap between two spots, and the limits of a node's width.
const (
	spotGap  = 2
	leastBox = 12
	mostBox  = 26
)

// spread assigns columns to the spots: nodes get the width that want returns,
// or less if space is short. It reports whether all fit.
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

// centre moves everything to the middle.
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

// shrink sets the widths of a layer, and reports whether it fits.
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

// pull moves the spots of a layer towards their targets, keeping their order
// and distance.
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

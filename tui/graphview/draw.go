package graphview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"society-tui/runtime/graph"
	"society-tui/themes"
	"society-tui/tui/cells"
)

// A drawing is a graph on a canvas.
type drawing struct {
	*View
	f       *told
	place   placing
	letters map[int]string // by edge with a condition
	loops   map[string][]int
	heights []int // by layer
	c       *canvas
}

// drawing draws the graph with a legend for its letters, and reports whether it
// fits.
func (v *View) drawing(p *page, f *told) bool {
	d := drawing{View: v, f: f, place: place(&f.plan), letters: map[int]string{}, loops: map[string][]int{}}
	for n, w := range f.plan.Ways {
		if w.Question != "" || w.Func != "" {
			d.letters[n] = letter(len(d.letters))
		}
	}
	for _, n := range d.place.back {
		from := f.plan.Ways[n].From
		d.loops[from] = append(d.loops[from], n)
	}
	if !d.place.spread(p.width-2, d.want) {
		return false
	}
	d.draw(p)
	p.blank()
	d.legend(p)
	return true
}

// letter names the nth condition: a to z, aa, ab and on.
func letter(n int) string {
	s := string(rune('a' + n%26))
	if n >= 26 {
		s = letter(n/26-1) + s
	}
	return s
}

// said returns the lines in the box of a node: its title, and the node it loops
// back to.
func (d *drawing) said(stop int) []string {
	s := &d.f.plan.Stops[stop]
	sign, _ := d.face(d.f, s.Key)
	title := sign + " " + d.f.title(s.Key)
	if n := d.f.nodes[s.Key].done; n > 0 {
		title += " " + d.sign("×", "x") + fmt.Sprint(n)
	}
	said := []string{title}
	for _, n := range d.loops[s.Key] {
		said = append(said, strings.TrimSpace(d.sign("↺", "^")+" "+d.letters[n])+" "+d.f.title(d.f.plan.Ways[n].To))
	}
	return said
}

// want returns the width of a node with all of its text.
func (d *drawing) want(s *spot) int {
	// The count gets space from the beginning, so that nothing moves when it
	// appears.
	w := d.set.Width(d.f.title(d.f.plan.Stops[s.stop].Key)) + 5
	for _, text := range d.said(s.stop) {
		w = max(w, d.set.Width(text))
	}
	return w + 4
}

// A net is the edges from one spot to those below it.
type net struct {
	from        *spot
	first, last int // columns
	track       int // row of its horizontal part, or -1
}

// draw places the layers below each other, and draws the edges between them.
func (d *drawing) draw(p *page) {
	var gaps [][]*net
	height := 0
	for i, layer := range d.place.layers {
		tall := 1
		for _, s := range layer {
			if !s.lane() {
				tall = max(tall, 2+len(d.said(s.stop)))
			}
		}
		d.heights = append(d.heights, tall)
		height += tall
		if i < len(d.place.layers)-1 {
			nets := tracks(layer)
			gaps = append(gaps, nets)
			height += rowsOf(nets)
		}
	}
	d.c = newCanvas(p.width-2, height, d.set)
	y := 0
	for i, layer := range d.place.layers {
		for _, s := range layer {
			d.spot(s, y, d.heights[i])
		}
		y += d.heights[i]
		if i < len(gaps) {
			tall := rowsOf(gaps[i])
			for n, of := range gaps[i] {
				d.lead(of, n+1, y, tall)
			}
			y += tall
		}
	}
	for _, row := range d.c.strings() {
		p.put(" " + row)
	}
}

// rowsOf returns how many rows the edges between two layers need.
func rowsOf(nets []*net) int {
	rows := 1
	for _, n := range nets {
		rows = max(rows, n.track+1)
	}
	return rows
}

// tracks gives each spot's edges a row for their horizontal part. A net that
// begins above the end of another gets the upper row, if possible.
func tracks(layer []*spot) []*net {
	var nets []*net
	for _, s := range layer {
		n := &net{from: s, first: s.centre(), last: s.centre(), track: -1}
		for _, to := range s.below {
			n.first, n.last = min(n.first, to.centre()), max(n.last, to.centre())
		}
		if len(s.below) > 0 {
			nets = append(nets, n)
		}
	}
	var level []*net
	for _, n := range nets {
		if n.first < n.last {
			level = append(level, n)
		}
	}
	var set []*net
	for len(level) > 0 {
		i := max(slices.IndexFunc(level, func(n *net) bool {
			return !slices.ContainsFunc(level, func(o *net) bool { return o.before(n) })
		}), 0)
		n := level[i]
		level = slices.Delete(level, i, i+1)
		n.track = 0
		for _, o := range set {
			if o.before(n) || n.first <= o.last+1 && o.first <= n.last+1 && !n.meets(o) {
				n.track = max(n.track, o.track+1)
			}
		}
		set = append(set, n)
	}
	return nets
}

// meets reports whether both nets lead to the same single spot, so that they
// can share a row.
func (n *net) meets(o *net) bool {
	return len(n.from.below) == 1 && slices.Equal(n.from.below, o.from.below)
}

// before reports whether n must use a row above o: o ends below where n begins,
// at a spot that is not n's.
func (n *net) before(o *net) bool {
	return n != o && slices.ContainsFunc(o.from.below, func(to *spot) bool {
		return to.centre() == n.from.centre() && !slices.Contains(n.from.below, to)
	})
}

// lead draws the edges of a net in the rows between two layers.
func (d *drawing) lead(n *net, id, y, tall int) {
	style := &d.styles.line
	sides := map[[2]int]int{}
	add := func(x, row, s int) { sides[[2]int{x, row}] |= s }
	down := func(x, from, upto int) { // from the middle of one row to the end of another
		for row := from; row < upto; row++ {
			add(x, row, south)
			if row+1 < upto {
				add(x, row+1, north)
			}
		}
	}
	x := n.from.centre()
	add(x, 0, north)
	if n.track < 0 {
		down(x, 0, tall)
	} else {
		down(x, 0, n.track)
		if n.track > 0 {
			add(x, n.track, north)
		}
		for at := n.first; at < n.last; at++ {
			add(at, n.track, east)
			add(at+1, n.track, west)
		}
		for _, to := range n.from.below {
			down(to.centre(), n.track, tall)
		}
	}
	for at, s := range sides {
		d.c.line(at[0], y+at[1], s, id, style)
	}
}

// spot draws a node, or a lane through its layer. The box of an entry node has
// a double line above, that of an end node below.
func (d *drawing) spot(s *spot, y, tall int) {
	if s.lane() {
		for row := range tall {
			d.c.line(s.x, y+row, north|south, 0, &d.styles.line)
		}
		return
	}
	stop := &d.f.plan.Stops[s.stop]
	_, face := d.face(d.f, stop.Key)
	edge := &d.styles.line
	if _, current := d.f.also[stop.Key]; current {
		edge = face
	}
	for row := range tall {
		switch row {
		case 0:
			d.edge(s, y, edge, stop.Entry, [4]string{"┌", "┐", "╒", "╕"})
		case tall - 1:
			d.edge(s, y+row, edge, stop.End, [4]string{"└", "┘", "╘", "╛"})
		default:
			d.c.write(s.x, y+row, 1, d.sign("│", "|"), edge, "")
			d.c.write(s.x+s.w-1, y+row, 1, d.sign("│", "|"), edge, "")
			d.c.write(s.x+1, y+row, s.w-2, cells.Blank(s.w-2), edge, "")
		}
	}
	for i, text := range d.said(s.stop) {
		style := face
		if i > 0 {
			style = &d.styles.muted
		}
		d.c.write(s.x+2, y+1+i, s.w-4, text, style, d.set.Tail())
	}
	if len(s.above) > 0 {
		d.c.write(s.centre(), y, 1, d.sign("▼", "v"), edge, "")
		if names := d.into(stop.Key); names != "" {
			d.c.write(s.centre()+1, y, s.x+s.w-2-s.centre(), names, &d.styles.letter, d.set.Tail())
		}
	}
	if len(s.below) > 0 {
		under := "┬"
		if stop.End {
			under = "╤"
		}
		d.c.write(s.centre(), y+tall-1, 1, d.sign(under, "+"), edge, "")
	}
}

// edge draws the upper or lower line of a box.
func (d *drawing) edge(s *spot, y int, style *themes.Pen, double bool, corners [4]string) {
	left, right, level := corners[0], corners[1], d.sign("─", "-")
	if double {
		left, right, level = corners[2], corners[3], d.sign("═", "=")
	}
	d.c.write(s.x, y, s.w, d.sign(left, "+")+strings.Repeat(level, s.w-2)+d.sign(right, "+"), style, "")
}

// into returns the letters of the conditions on the edges into a node from
// above.
func (d *drawing) into(key string) string {
	var names []string
	for _, n := range d.place.ahead {
		if w := &d.f.plan.Ways[n]; w.To == key && d.letters[n] != "" {
			names = append(names, d.letters[n])
		}
	}
	return strings.Join(names, ",")
}

// legend explains the letters with their last answers, and which branches run
// in parallel.
func (d *drawing) legend(p *page) {
	plan := &d.f.plan
	known := make([]int, 0, len(d.letters))
	for n := range d.letters {
		known = append(known, n)
	}
	slices.SortFunc(known, cmp.Compare[int])
	for _, n := range known {
		w := &plan.Ways[n]
		answers := d.answers(d.f, w)
		room := p.width - 3 - d.set.Width(answers)
		from := d.set.Cut(d.f.title(w.From)+d.arrow()+d.f.title(w.To), room/2, d.set.Tail())
		name := d.letters[n] + " "
		question := d.set.Fit(asked(w), room-d.set.Width(name)-d.set.Width(from)-2, d.set.Tail())
		p.put(" " + d.styles.letter.Draw(name) + d.styles.muted.Draw(from+"  ") + d.styles.text.Draw(question) + " " + d.styles.muted.Draw(answers))
	}
	for _, stop := range plan.Stops {
		if said := d.fan(d.f, stop.Key); said != "" {
			p.wrap(&d.styles.muted, d.f.title(stop.Key)+d.arrow()+said, 1, 2)
		}
	}
	p.wrap(&d.styles.subtle, d.text(textDoubled), 1, 0)
}

func (v *View) arrow() string {
	if v.printer.Spoken {
		return v.dot()
	}
	return v.sign(" → ", " -> ")
}

// fan names the branches that begin at a node and where they join, or returns
// "".
func (v *View) fan(f *told, key string) string {
	var to []string
	join := ""
	for _, w := range f.plan.Ways {
		switch {
		case w.From != key:
		case w.Kind == graph.Branching:
			to = append(to, f.title(w.To))
		case w.Kind == graph.Joining:
			join = f.title(w.To)
		}
	}
	if len(to) == 0 {
		return ""
	}
	return v.text(textBranches, v.printer.List(to), join)
}

package graphview

import (
	"fmt"
	"strings"

	"society-tui/runtime/graph"
	"society-tui/tui/symbols"
)

// list lists the nodes with their state and their edges.
func (v *View) list(p *page, f *told) {
	for i := range f.plan.Stops {
		v.node(p, f, &f.plan.Stops[i])
	}
}

func (v *View) node(p *page, f *told, s *graph.Stop) {
	sign, style := v.face(f, s.Key)
	var notes []string
	if s.Entry {
		notes = append(notes, v.text(textBegin))
	}
	if s.End {
		notes = append(notes, v.text(textEnd))
	}
	if n := f.nodes[s.Key].done; n > 0 {
		notes = append(notes, v.sign("×", "x")+fmt.Sprint(n))
	}
	p.sides(style, sign+" "+f.title(s.Key), &v.styles.muted, strings.Join(notes, v.dot()))
	asks := false
	for n := range f.plan.Ways {
		w := &f.plan.Ways[n]
		switch {
		case w.From != s.Key || w.Kind == graph.Joining || w.Kind == graph.Branching && asked(w) == "":
		case asked(w) != "":
			asks = true
			v.pair(p, v.text(textIf)+" "+asked(w), "")
			v.pair(p, "  "+v.to(f, w), v.answers(f, w))
		case asks:
			v.pair(p, v.text(textElse)+v.arrow()+f.title(w.To), "")
		default:
			v.pair(p, v.to(f, w), "")
		}
	}
	if said := v.fan(f, s.Key); said != "" {
		p.wrap(&v.styles.muted, said, 3, 3)
	}
}

// pair adds a row below a node, with a note at the right.
func (v *View) pair(p *page, text, note string) {
	room := p.width - 4
	if note != "" && v.set.Width(note)+8 <= room {
		room -= v.set.Width(note) + 1
		text = v.set.Fit(text, room, v.set.Tail())
		note = " " + note
	} else {
		text, note = v.set.Cut(text, room, v.set.Tail()), ""
	}
	p.put("   " + v.styles.muted.Draw(text) + v.styles.subtle.Draw(note))
}

// to names the end of an edge.
func (v *View) to(f *told, w *graph.Way) string {
	return strings.TrimLeft(v.arrow(), " ") + f.title(w.To)
}

// asked returns the condition of an edge, or "".
func asked(w *graph.Way) string {
	if w.Question == "" && w.Func != "" {
		return line(w.Func) + "()"
	}
	return line(w.Question)
}

// answers counts the answers to a condition.
func (v *View) answers(f *told, w *graph.Way) string {
	n := f.ways[[2]string{w.From, w.To}]
	var said []string
	for _, part := range []struct {
		word string
		n    int
	}{{v.text(textYes), n.yes}, {v.text(textNo), n.no}} {
		if part.n > 0 {
			said = append(said, fmt.Sprint(part.word, " ", part.n))
		}
	}
	return strings.Join(said, v.dot())
}

func (v *View) dot() string {
	if v.printer.Spoken {
		return v.text(symbols.TextComma)
	}
	return v.sign(" · ", " - ")
}

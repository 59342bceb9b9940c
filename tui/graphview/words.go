package graphview

import (
	"strings"

	"society-tui/runtime/graph"
	"society-tui/runtime/i18n"
	"society-tui/tui/symbols"
)

// Words describes a graph for a screen reader: its state, its nodes in order, and the newest most
// finished steps, oldest first. Text that others wrote is cleaned here.
func Words(printer i18n.Printer, s Subject, most int) []string {
	printer.Spoken = true
	v := &View{printer: printer}
	if s.Graph == nil {
		return []string{v.text(textNone)}
	}
	f := facts(&s)
	said := []string{v.joined(line(s.Graph.Name()), v.count(&s))}
	if s.Run != nil {
		state, _ := v.state(&s, f)
		said = append(said, v.joined(state, line(s.Run.Detail)))
	}
	for _, stop := range f.plan.Stops {
		said = append(said, "  "+v.joined(f.title(stop.Key), v.nodeWord(f, stop.Key)))
	}
	if s.Run == nil || len(s.Run.Path) == 0 {
		return append(said, v.text(textNoPath))
	}
	said = append(said, v.text(textPath))
	passed := s.Run.Path
	if more := len(passed) - most; more > 0 {
		passed = passed[more:]
		said = append(said, "  "+printer.N(textEarlier, more))
	}
	for i := range passed {
		r := &passed[i]
		how, _ := v.outcome(f, r)
		at := r.Ended
		if s.Zone != nil {
			at = at.In(s.Zone)
		}
		said = append(said, "  "+at.Format("15:04:05")+" "+v.joined(v.at(f, r), how, symbols.Took(r.Took), line(r.Why)))
	}
	return said
}

// joined joins what is not empty.
func (v *View) joined(parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, v.text(symbols.TextComma))
}

// nodeWord tells where a node stands, or "" before it was executed.
func (v *View) nodeWord(f *told, key string) string {
	n, passed := f.nodes[key]
	if _, current := f.also[key]; current {
		return v.text(textNow)
	}
	if !passed {
		return v.text(textNotBegun)
	}
	said, _ := v.outcome(f, &graph.Record{Kind: graph.Execute, Outcome: n.last})
	return said
}

package template

import (
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
)

// Graphs are the graphs of the templates that are built in, in a language: roles
// may name them without the template.
func Graphs(lang protocol.Lang) []graph.Definition {
	var all []graph.Definition
	for _, name := range Names() {
		if t, err := (Shelf{}).builtIn(name, lang); err == nil { // a test reads them all
			all = append(all, t.Plant.Graphs...)
		}
	}
	return all
}

package template

import (
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
)

// Graphs returns the graphs of the built-in templates in a language. Roles may name them
// without the template.
func Graphs(lang protocol.Lang) []graph.Definition {
	var all []graph.Definition
	for _, name := range Names() {
		if t, err := (Source{}).builtIn(name, lang); err == nil { // a test reads them all
			all = append(all, t.Team.Graphs...)
		}
	}
	return all
}

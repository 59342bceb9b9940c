package config

import (
	"errors"
	"fmt"
	"strings"

	"society-tui/runtime/graph"
)

// graphsTemplate is the part of a new settings file about graphs. A test reads it.
const graphsTemplate = `
# Graphs, the steps of an agent's turn, that roles can name (alt+r, g in the program, or graph in a template).
# society-tui help graphs tells all that can stand here; society-tui templates write prints one in use.
# [[graphs]]
# name = "twice"
# description = "Write, look it over, and write again while something is missing."
# max_iterations = 8
# entry_points = ["write"]
# end_points = ["send"]
#
# [[graphs.nodes]]
# key = "write"
# prompt = "Write the text."
#
# [[graphs.nodes]]
# key = "send"
# prompt = "Answer with the text."
#
# [[graphs.edges]]
# from = "write"
# to = "write"
# question = "Is a paragraph missing?"
#
# [[graphs.edges]]
# from = "write"
# to = "send"
`

// checkGraphs checks the [[graphs]] tables and reports each mistake with its node.
func (s *Settings) checkGraphs(wrong func(key, format string, args ...any)) {
	byName := map[string]int{}
	for i := range s.Graphs {
		g := &s.Graphs[i]
		at := fmt.Sprintf("graphs[%d]", i)
		if g.Name != "" && !modelName.MatchString(g.Name) {
			wrong(at+".name", "%q is no name for a graph: letters, digits and . _ : / - alone, at most 64", g.Name)
		}
		if other, twice := byName[g.Name]; twice {
			wrong(at+".name", "%q is the name of graphs[%d] already; give each a name of its own", g.Name, other)
		}
		byName[g.Name] = i
		var mistakes graph.Mistakes
		if errors.As(g.Validate(graph.Funcs{}), &mistakes) {
			for _, m := range mistakes {
				wrong(strings.TrimSuffix(at+"."+m.Part, "."), "%s: %s", g.Name, m)
			}
		}
	}
}

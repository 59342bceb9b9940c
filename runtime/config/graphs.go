package config

import (
	"errors"
	"fmt"
	"strings"

	"society-tui/runtime/graph"
)

// graphsTemplate is the part of a new settings file about graphs. A test reads it.
const graphsTemplate = `
# Graphs are the steps of an agent's turn, for roles to use (alt+r, g in the program, or graph in a template).
# society-tui help graphs explains every field; society-tui templates write prints an example.
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
			wrong(at+".name", "%q is not a valid graph name: use at most 64 letters, digits and . _ : / -", g.Name)
		}
		if other, twice := byName[g.Name]; twice {
			wrong(at+".name", "%q is already the name of graphs[%d]; give each its own name", g.Name, other)
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

package config

import (
	"errors"
	"fmt"

	"society-tui/runtime/graph"
)

// checkGraphs holds the [[graphs]] tables against what a graph may be. Each
// mistake is told, with the node that it is at.
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
				wrong(at, "%s: %s", g.Name, m)
			}
		}
	}
}

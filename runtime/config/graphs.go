package config

import (
	"errors"
	"fmt"
	"strings"

	"society-tui/runtime/graph"
)

// exampleGraph is a graph in a new settings file. A test reads it.
const exampleGraph = `# [[graphs]]
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
func (s *Settings) checkGraphs(wrong func(key string, why error)) {
	byName := map[string]int{}
	for i := range s.Graphs {
		g := &s.Graphs[i]
		at := fmt.Sprintf("graphs[%d]", i)
		if g.Name != "" && !modelName.MatchString(g.Name) {
			wrong(at+".name", textBadGraphName.With(g.Name))
		}
		if other, twice := byName[g.Name]; twice {
			wrong(at+".name", textGraphTwice.With(g.Name, other))
		}
		byName[g.Name] = i
		var mistakes graph.Mistakes
		if errors.As(g.Validate(graph.Funcs{}), &mistakes) {
			for _, m := range mistakes {
				wrong(strings.TrimSuffix(at+"."+m.Part, "."), textWrong.With(g.Name, m))
			}
		}
	}
}

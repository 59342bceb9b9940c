package transcript_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	stored "society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
)

// walked is a conversation that passes through a graph with branches.
func walked() *shelf {
	answer := func(slot uint64, node string, branch int, text string, calls ...stored.Call) stored.Entry {
		return stored.Entry{Slot: slot, Kind: stored.Answer, At: at(2, int(slot)), From: "root", Text: text, Node: node, Branch: branch, Took: time.Second, Calls: calls}
	}
	return &shelf{entries: []stored.Entry{
		{Slot: 0, Kind: stored.Inbound, At: at(2, 0), From: "user", To: "root", Type: "general", Body: "Look at it from both sides."},
		answer(1, "open", 0, "There are two sides."),
		answer(2, "study/left", 1, "", call("a", "read_file", `{"path":"left.md"}`)),
		result(3, "a", stored.OK, "left", time.Second),
		answer(4, "study/left", 1, "The left side."),
		answer(5, "right", 2, "The right side."),
		{Slot: 6, Kind: stored.Merged, At: at(2, 6), From: "runtime", To: "root", Text: "What the branches came to:\n\nThe left side.\n\nThe right side."},
		answer(7, "gone\x1b[31m", 0, "A node of an older graph."),
		answer(8, "sum", 0, "Both sides."),
	}}
}

func sides(t *testing.T) *graph.Graph {
	t.Helper()
	study := graph.Definition{Name: "study", Nodes: []graph.Node{{Key: "left", Title: "On the left"}}, Entries: []string{"left"}, EndNodes: []string{"left"}}
	g, err := graph.Compile(graph.Definition{
		Name: "sides", Nodes: []graph.Node{{Key: "open", Title: "Open \x1b[31mit"}, {Key: "study", Title: "Study", Graph: &study}, {Key: "right", Title: "向右"}, {Key: "sum"}},
		FanOuts: []graph.FanOut{{From: "open", Join: "sum", Merge: graph.MergeLast, Branches: []graph.Branch{{To: "study"}, {To: "right"}}}},
		Edges:   []graph.Edge{{From: "study", To: "sum"}, {From: "right", To: "sum"}},
		Entries: []string{"open"}, EndNodes: []string{"sum"},
	}, graph.Funcs{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestEachAnswerSaysWhichNodeSpoke(t *testing.T) {
	t.Parallel()
	r := opened(coloured(), walked())
	shows(t, r.Rows(80, 40), "root → own notes · open", "study/left · branch 1", "right · branch 2")
	r.Graph(sides(t)) // the graph may arrive after the entries
	rows := r.Rows(80, 40)
	shows(t, rows, "· Open it", "· Study/On the left · branch 1", "· 向右 · branch 2", "· sum", "· gone")
	hides(t, rows, "study/left", "What the branches came to")
	shows(t, rows, "▸ branches joined; the next step reads this")
	draft := answering()
	draft.Node = "study/left"
	r.Stream(society.Root, draft, true)
	shows(t, r.Rows(80, 60), "root · Study/On the left")
}

func TestMergedResultsStartFolded(t *testing.T) {
	t.Parallel()
	r := opened(coloured(), walked())
	for y, row := range r.Rows(80, 40) {
		if strings.Contains(ansi.Strip(row), "▸ branches joined") {
			r.Click(2, y, 0)
		}
	}
	shows(t, r.Rows(80, 40), "▾ branches joined", "What the branches came to:", "The left side.")
}

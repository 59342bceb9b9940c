package plain

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"society-tui/tui/agenttable"
	"society-tui/tui/command"
)

// board prints all agents as a table, a line for each, sorted by the column that is named or
// else by state: who needs the user first.
func (f *frontend) board(in command.Input) {
	order := agenttable.Order{By: agenttable.State}
	for i, word := range agenttable.Words() {
		if in.Has(word) {
			order.By = agenttable.Column(i)
		}
	}
	table := agenttable.Table{Society: f.replica, Printer: f.printer}
	agents := slices.Collect(f.replica.Agents())
	table.Sort(agents, order)
	line := func(cell func(agenttable.Column) string) {
		cells := make([]string, agenttable.Count)
		for i := range cells {
			cells[i] = cmp.Or(cell(agenttable.Column(i)), "-")
		}
		f.say(strings.Join(cells, f.printer.T(textSemicolon)))
	}
	line(func(c agenttable.Column) string { return f.printer.T(c.Title()) })
	now := time.Now()
	for _, a := range agents {
		line(func(c agenttable.Column) string { return table.Text(c, a, now) })
	}
}

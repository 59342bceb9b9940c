package board

import (
	"slices"

	"society-tui/tui/agenttable"
)

// A column is a column on the screen, width cells from cell x on.
type column struct {
	agenttable.Column
	x, width int
}

const (
	lead      = 3 // mark, symbol and a blank
	gap       = 2 // between columns
	leastTask = 8 // cells of a task, which is left out below
)

// widths are the least widths of the columns, if the screen is not narrower than the first three
// need.
var widths = [agenttable.Count]int{
	agenttable.Name: 14, agenttable.Role: 10, agenttable.State: 11, agenttable.Task: 20, agenttable.Doing: 14,
	agenttable.Age: 5, agenttable.Tokens: 7, agenttable.Cost: 8, agenttable.Model: 10,
}

// shares are how columns share the cells that are left. Numbers need none. The name of a model is
// whole in a wide screen, because what an agent does now is mostly short.
var shares = [agenttable.Count]int{agenttable.Name: 2, agenttable.Role: 1, agenttable.Task: 4, agenttable.Doing: 2, agenttable.Model: 3}

// columnsFor returns the columns that fit into so many cells. They depend on the width and the
// sorted column alone, so that nothing moves while agents work. Name, state and task are always
// there, then the sorted column; of the others a narrower screen drops the model first, which is
// mostly the same for all, then role, cost, tokens, what it does now (the state says the most
// of it), and the age.
func columnsFor(width int, sorted agenttable.Column) []column {
	shown := []agenttable.Column{agenttable.Name, agenttable.State, agenttable.Task}
	others := []agenttable.Column{sorted, agenttable.Age, agenttable.Doing, agenttable.Tokens, agenttable.Cost, agenttable.Role, agenttable.Model}
	used := lead - gap
	for _, c := range shown {
		used += gap + widths[c]
	}
	for _, c := range others {
		if slices.Contains(shown, c) {
			continue
		}
		if used+gap+widths[c] > width {
			break
		}
		used += gap + widths[c]
		shown = append(shown, c)
	}
	slices.Sort(shown)
	return place(shown, width-used)
}

// place places columns, which share the cells that are left; if some are missing, the task has
// fewer, or there is none.
func place(shown []agenttable.Column, left int) []column {
	if widths[agenttable.Task]+left < leastTask {
		shown = []agenttable.Column{agenttable.Name, agenttable.State}
		left += gap + widths[agenttable.Task]
	}
	parts := 0
	for _, c := range shown {
		parts += shares[c]
	}
	columns := make([]column, len(shown))
	x, rest := lead, left
	for i, c := range shown {
		width := widths[c]
		if left > 0 {
			width += left * shares[c] / parts
			rest -= left * shares[c] / parts
		}
		columns[i] = column{c, x, width}
		x += width + gap
	}
	at := slices.IndexFunc(columns, func(c column) bool { return c.Column == agenttable.Task })
	if at < 0 {
		return columns
	}
	columns[at].width += rest
	for i := range columns[at+1:] {
		columns[at+1+i].x += rest
	}
	return columns
}

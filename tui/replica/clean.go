package replica

import (
	"society-tui/runtime/api"
	"society-tui/tui/sanitize"
)

// Longest foreign texts, in cells.
const (
	nameCells    = 64
	doingCells   = 300
	commandCells = 1000
	replyCells   = 80
)

// clean makes the texts of changes safe to draw.
func clean(c *api.Changes) {
	for i := range c.Rows {
		cleanRow(&c.Rows[i])
	}
	for i := range c.Log {
		c.Log[i].Text = sanitize.Line(c.Log[i].Text, doingCells)
	}
	health := make(map[string]string, len(c.Health))
	for model, how := range c.Health {
		health[sanitize.Line(model, nameCells)] = sanitize.Line(how, nameCells)
	}
	c.Health = health
	c.Model = sanitize.Line(c.Model, nameCells)
	c.Unsaved = sanitize.Line(c.Unsaved, nameCells)
	c.Currency = sanitize.Line(c.Currency, 4)
	for i, r := range c.Sandbox.Reasons {
		c.Sandbox.Reasons[i].EN, c.Sandbox.Reasons[i].ZH = sanitize.Line(r.EN, doingCells), sanitize.Line(r.ZH, doingCells)
	}
}

func cleanRow(row *api.Row) {
	row.Name = sanitize.Line(row.Name, nameCells)
	row.Role = sanitize.Line(row.Role, nameCells)
	row.Doing = sanitize.Line(row.Doing, doingCells)
	row.Model = sanitize.Line(row.Model, nameCells)
	row.Effort = sanitize.Line(row.Effort, nameCells)
	row.Tool = sanitize.Line(row.Tool, nameCells)
	row.Error = sanitize.Line(row.Error, doingCells)
	row.ErrorClass, row.ErrorCode = sanitize.Line(row.ErrorClass, doingCells), sanitize.Line(row.ErrorCode, doingCells)
	row.Question = sanitize.Line(row.Question, doingCells)
	row.Walk.Node = sanitize.Line(row.Walk.Node, nameCells)
	for i := range row.Processes {
		p := &row.Processes[i]
		p.ID, p.Command = sanitize.Line(p.ID, nameCells), sanitize.Line(p.Command, commandCells)
	}
	for i, reply := range row.Replies {
		row.Replies[i] = sanitize.Line(reply, replyCells)
	}
	if row.Retry != nil {
		retry := *row.Retry
		retry.Cause, retry.Model = sanitize.Line(retry.Cause, doingCells), sanitize.Line(retry.Model, nameCells)
		row.Retry = &retry
	}
}

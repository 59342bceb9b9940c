package tree

import (
	"society-tui/runtime/api"
	"society-tui/tui/sanitize"
)

// What foreign text in a row may be as long as.
const (
	nameCells  = 64
	doingCells = 300
	replyCells = 80
)

// Clean makes the foreign text of a row safe to draw. This is its only door.
func Clean(row *api.Row) {
	row.Name = sanitize.Line(row.Name, nameCells)
	row.Role = sanitize.Line(row.Role, nameCells)
	row.Doing = sanitize.Line(row.Doing, doingCells)
	row.Model = sanitize.Line(row.Model, nameCells)
	row.Tool = sanitize.Line(row.Tool, nameCells)
	row.Error = sanitize.Line(row.Error, doingCells)
	row.Question = sanitize.Line(row.Question, doingCells)
	row.Walk.Node = sanitize.Line(row.Walk.Node, nameCells)
	for i, reply := range row.Replies {
		row.Replies[i] = sanitize.Line(reply, replyCells)
	}
	if row.Retry != nil {
		retry := *row.Retry
		retry.Cause = sanitize.Line(retry.Cause, doingCells)
		row.Retry = &retry
	}
}

package roster

import (
	"society-tui/runtime"
	"society-tui/tui/sanitize"
)

// How many cells of a row's texts are kept: more is nowhere shown.
const (
	nameLimit = 64
	textLimit = 240
)

// clean returns the row with the texts that models, tools and providers have
// written made safe to draw, each on one line.
func clean(row *runtime.Row) *runtime.Row {
	c := *row
	c.Name = sanitize.Line(c.Name, nameLimit)
	c.Role = sanitize.Line(c.Role, nameLimit)
	c.Doing = sanitize.Line(c.Doing, textLimit)
	c.Tool = sanitize.Line(c.Tool, nameLimit)
	c.Error = sanitize.Line(c.Error, textLimit)
	if row.Error != "" && c.Error == "" {
		c.Error = "?" // it failed, whatever was left of the reason
	}
	if c.Retry != nil {
		retry := *c.Retry
		retry.Cause = sanitize.Line(retry.Cause, nameLimit)
		c.Retry = &retry
	}
	if len(row.Replies) > 0 {
		c.Replies = make([]string, len(row.Replies))
		for i, reply := range row.Replies {
			c.Replies[i] = sanitize.Line(reply, textLimit)
		}
	}
	return &c
}

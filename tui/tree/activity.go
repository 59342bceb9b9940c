package tree

import (
	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// Activity remembers of one look at a society what the next needs to tell whether
// somebody worked in between. The zero value knows of no look.
type Activity struct {
	busy  bool
	spent society.Usage
}

// Look takes over what has changed, and whether anybody is busy now. It says whether
// work has ended since the look before. Work that has begun and ended in between
// leaves only what it cost.
func (a *Activity) Look(busy bool, c *api.Changes) (ended bool) {
	worked := a.busy || c.Usage != a.spent && !c.All
	a.busy, a.spent = busy, c.Usage
	return worked && !busy
}

// Busy says whether anybody was busy at the last look.
func (a *Activity) Busy() bool { return a.busy }

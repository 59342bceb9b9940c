package plain

import (
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

// longCall is how long a call runs before it is told that it does: of most, the end is enough.
const longCall = 3 * time.Second

// A call is one of an agent, by its id.
type call struct {
	agent society.AgentID
	id    string
}

// hearOutputs tells once of a running call that it writes something. Its end is told then,
// too, but not what it writes in between.
func (f *frontend) hearOutputs(c *api.Changes) {
	for _, id := range c.Streaming {
		if f.hearing == hearMine || f.hearing == hearOpen && id != f.to {
			continue
		}
		for _, o := range f.cfg.Society.Outputs(id) {
			ran, which := o.Last.Sub(o.Begun), call{id, o.Call}
			if ran < longCall || f.running[which] {
				continue
			}
			f.running[which] = true
			f.say(f.printer.T(textWrites, f.replica.Name(id), f.row(id).Tool, symbols.Age(ran), sanitize.Line(transcript.LastLine(&o), doingCells)))
		}
	}
}

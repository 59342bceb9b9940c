package runtime

import (
	"time"

	"society-tui/runtime/society"
)

// Advanced lets a benchmark know when the rules have carried a command out in
// memory: nothing else can pass any more, and nothing is on disk yet. It has to
// be called before Run.
func (r *Runtime) Advanced(told func(society.Command, time.Time)) {
	r.advance = func(s *society.State, at time.Time, cmd society.Command) ([]society.Event, any, error) {
		events, reply, err := s.Advance(at, cmd)
		told(cmd, time.Now())
		return events, reply, err
	}
}

package runtime

import (
	"context"
	"fmt"
	"time"

	"society-tui/runtime/society"
)

// Advanced lets a benchmark know when the rules have carried a command out in
// memory: nothing else can pass any more, and nothing is on disk yet. It has to
// be called before Run.
func (r *Runtime) Advanced(told func(society.Command, time.Time)) {
	r.advance = func(s *society.State, at time.Time, cmd society.Command) ([]society.Event, society.Reply, error) {
		events, reply, err := s.Advance(at, cmd)
		told(cmd, time.Now())
		return events, reply, err
	}
}

// Break makes the rules panic on what a test says, when the events are applied
// already: what is left of the state is in pieces.
func (r *Runtime) Break(ctx context.Context, on func(society.Command) bool) error {
	return r.inLoop(ctx, func(*society.State) {
		r.advance = func(s *society.State, at time.Time, cmd society.Command) ([]society.Event, society.Reply, error) {
			events, reply, err := s.Advance(at, cmd)
			if on(cmd) {
				panic(fmt.Sprintf("a rule is broken by %+v", cmd))
			}
			return events, reply, err
		}
	})
}

// HoldLoop keeps the loop busy until release is called: commands that come meanwhile are
// carried out together.
func (r *Runtime) HoldLoop() (release func()) {
	held, let := make(chan struct{}), make(chan struct{})
	go func() {
		_ = r.inLoop(context.Background(), func(*society.State) {
			close(held)
			<-let
		})
	}()
	<-held
	return func() { close(let) }
}

// GoTracked runs f beside the loop.
func (r *Runtime) GoTracked(f func()) { r.goTracked(f) }

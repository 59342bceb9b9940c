package runtime

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// slots limit how many calls of the model run at once. They are given in the
// order in which they are asked for, and an agent asks for one at a time, so no
// agent can keep others out.
type slots struct{ free *semaphore.Weighted }

func newSlots(n int) *slots { return &slots{semaphore.NewWeighted(int64(n))} }

// take waits for a slot and returns what gives it back. queued is called if it
// has to wait.
func (s *slots) take(ctx context.Context, queued func()) (func(), error) {
	back := func() { s.free.Release(1) }
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.free.TryAcquire(1) {
		return back, nil
	}
	queued()
	if err := s.free.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	return back, nil
}

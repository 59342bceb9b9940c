package runtime

import (
	"context"

	"golang.org/x/sync/semaphore"

	"society-tui/llm/registry"
)

// slots limit how many calls run at once: at each endpoint, and of a model that
// has a bound of its own. They are given in the order in which they are asked
// for, and an agent asks for one at a time, so no agent can keep others out, and
// no endpoint those of another.
type slots struct {
	endpoints, models map[string]*semaphore.Weighted
}

func newSlots(models []registry.Entry, most int) *slots {
	s := &slots{map[string]*semaphore.Weighted{}, map[string]*semaphore.Weighted{}}
	for _, e := range models {
		if s.endpoints[e.Endpoint] == nil {
			s.endpoints[e.Endpoint] = semaphore.NewWeighted(int64(most))
		}
		if e.Calls > 0 {
			s.models[e.Name] = semaphore.NewWeighted(int64(e.Calls))
		}
	}
	return s
}

// take waits for a slot of a model and returns what gives it back. queued is
// called if it has to wait. Whoever waits for its model holds nothing of the
// endpoint, which other models may have too.
func (s *slots) take(ctx context.Context, e registry.Entry, queued func()) (func(), error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	model, endpoint := s.models[e.Name], s.endpoints[e.Endpoint]
	if model != nil {
		if err := acquire(ctx, model, queued); err != nil {
			return nil, err
		}
	}
	if err := acquire(ctx, endpoint, queued); err != nil {
		if model != nil {
			model.Release(1)
		}
		return nil, err
	}
	return func() {
		endpoint.Release(1)
		if model != nil {
			model.Release(1)
		}
	}, nil
}

func acquire(ctx context.Context, of *semaphore.Weighted, queued func()) error {
	if of.TryAcquire(1) {
		return nil
	}
	queued()
	return of.Acquire(ctx, 1)
}

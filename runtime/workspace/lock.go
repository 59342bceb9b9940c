package workspace

import (
	"context"
	"slices"
	"strings"
	"sync"
)

// locks are the paths that somebody checks and changes. A path locks all below it too.
type locks struct {
	mu    sync.Mutex
	held  []string
	freed chan struct{} // closed when some path is free again
}

// Lock waits until nobody else has these paths, or one above or below them, and takes
// them, until the caller releases them. It takes all or, when ctx is done first, none.
// Whoever holds a lock must not ask for another.
func (f *Folder) Lock(ctx context.Context, names ...string) (release func(), err error) {
	l := &f.locks
	wanted := make([]string, len(names))
	for i, n := range names {
		wanted[i] = strings.ToLower(n) // one file on some systems
	}
	for {
		l.mu.Lock()
		if !slices.ContainsFunc(wanted, l.taken) {
			l.held = append(l.held, wanted...)
			l.mu.Unlock()
			return func() { l.free(wanted) }, nil
		}
		if l.freed == nil {
			l.freed = make(chan struct{})
		}
		freed := l.freed
		l.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (l *locks) taken(name string) bool {
	return slices.ContainsFunc(l.held, func(held string) bool { return within(name, held) || within(held, name) })
}

func (l *locks) free(names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range names {
		if i := slices.Index(l.held, n); i >= 0 {
			l.held = slices.Delete(l.held, i, i+1)
		}
	}
	if l.freed != nil {
		close(l.freed)
		l.freed = nil
	}
}

// within reports whether a path is another one or lies below it.
func within(name, folder string) bool {
	return folder == "." || name == folder || strings.HasPrefix(name, folder+"/")
}

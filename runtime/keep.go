package runtime

import (
	"context"
	"fmt"

	"society-tui/runtime/tables"
	"society-tui/storage"
)

// Keep remembers something for the screen, each value under a name of its own, durably:
// all of them or, if it fails, none. A value of nil is forgotten.
func (r *Runtime) Keep(ctx context.Context, values map[string][]byte) error {
	o := &pendingCommand{keep: keeping(values), done: make(chan struct{})}
	if err := r.submit(ctx, o); err != nil {
		return err
	}
	return o.err
}

// Kept returns what Keep remembered under a name, nil for nothing.
func (r *Runtime) Kept(ctx context.Context, name string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var value []byte
	err := r.cfg.Store.View(func(tx storage.Tx) (err error) {
		value, err = tables.Kept(tx, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read what the screen remembers: %w", err)
	}
	return value, nil
}

func keeping(values map[string][]byte) func(storage.Tx) error {
	return func(tx storage.Tx) error {
		for name, value := range values {
			if err := tables.Keep(tx, name, value); err != nil {
				return err
			}
		}
		return nil
	}
}

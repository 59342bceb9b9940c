package runtime

import (
	"context"
	"fmt"

	"society-tui/runtime/tables"
	"society-tui/storage"
)

// Keep remembers something for the screen under a name of its own, durably.
func (r *Runtime) Keep(ctx context.Context, name string, value []byte) error {
	o := &order{keep: keeping(name, value), done: make(chan struct{})}
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

func keeping(name string, value []byte) func(storage.Tx) error {
	return func(tx storage.Tx) error { return tables.Keep(tx, name, value) }
}

package runtime

import (
	"context"
	"fmt"

	"society-tui/runtime/api"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// Keep remembers values of screens, as api.Society says.
func (r *Runtime) Keep(ctx context.Context, values map[string]api.Value) (stale map[string]api.Value, err error) {
	k := &keeping{values: values}
	o := &pendingCommand{keep: k, done: make(chan struct{})}
	if err := r.submit(ctx, o); err != nil {
		return nil, err
	}
	if o.err != nil {
		return nil, o.err
	}
	return k.stale, nil
}

// Kept returns what Keep remembered under a name.
func (r *Runtime) Kept(ctx context.Context, name string) (api.Value, error) {
	if err := ctx.Err(); err != nil {
		return api.Value{}, err
	}
	var content []byte
	err := r.cfg.Store.View(func(tx storage.Tx) (err error) {
		content, err = tables.Kept(tx, name)
		return err
	})
	if err != nil {
		return api.Value{}, fmt.Errorf("read what the screen remembers: %w", err)
	}
	return api.ValueOf(content), nil
}

// keeping is a call of Keep: what is to be kept, and the outcome.
type keeping struct {
	values  map[string]api.Value
	stale   map[string]api.Value
	changed map[string]api.Revision
}

// write writes the values. It may be called again in another transaction.
func (k *keeping) write(tx storage.Tx) error {
	k.stale, k.changed = map[string]api.Value{}, map[string]api.Revision{}
	for name, value := range k.values {
		content, err := tables.Kept(tx, name)
		if err != nil {
			return err
		}
		stored, now := api.ValueOf(content), api.RevisionOf(value.Bytes)
		switch {
		case now == stored.Revision:
			continue
		case !value.Replaces(stored):
			k.stale[name] = stored
			continue
		case now == "":
			value.Bytes = nil
		}
		if err := tables.Keep(tx, name, value.Bytes); err != nil {
			return err
		}
		k.changed[name] = now
	}
	return nil
}

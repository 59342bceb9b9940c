package runtime

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// Once is Do for a request that a client may send again: the reply is stored with what the
// command changed, and a request with the same key gets it without a second effect. It
// returns api.ErrKeyReused for another request with the key of an earlier one. What was
// refused changed nothing and is decided anew.
func (r *Runtime) Once(ctx context.Context, key api.RequestKey, cmd society.Command) (society.Reply, error) {
	return r.give(ctx, &key, cmd)
}

// answeredBefore answers an order whose key was answered before: in its batch, while
// nothing could be saved, or earlier.
func (r *Runtime) answeredBefore(o *pendingCommand, batch []*pendingCommand) bool {
	if o.key == nil {
		return false
	}
	before := batch[:slices.Index(batch, o)]
	if r.outage != nil {
		before = slices.Concat(r.outage.verbs, before)
	}
	for _, before := range before {
		if before.key != nil && before.key.Key == o.key.Key && before.err == nil {
			o.reply, o.err = before.reply, sameRequest(before.key.Digest, o.key.Digest)
			return o.err == nil
		}
	}
	var a tables.Answered
	found := false
	err := r.cfg.Store.View(func(tx storage.Tx) (err error) {
		a, found, err = tables.AnsweredBy(tx, o.key.Key)
		return err
	})
	switch {
	case err != nil:
		o.err = fmt.Errorf("read the reply to an earlier request: %w", err)
		return false
	case !found || time.Since(a.At) >= tables.AnsweredFor:
		return false
	}
	if o.err = sameRequest([sha256.Size]byte(a.Digest), o.key.Digest); o.err == nil {
		o.reply, o.err = api.DecodeReply(a.Kind, a.Reply)
	}
	return o.err == nil
}

func sameRequest(before, now [sha256.Size]byte) error {
	if before != now {
		return api.ErrKeyReused
	}
	return nil
}

// keepAnswer writes the reply to an order with a key.
func keepAnswer(tx storage.Tx, o *pendingCommand) error {
	if o.key == nil || o.repeats || o.err != nil {
		return nil
	}
	kind, reply, err := api.EncodeReply(o.reply)
	if err != nil {
		return err
	}
	return tables.KeepAnswered(tx, o.key.Key, tables.Answered{At: time.Now(), Digest: o.key.Digest[:], Kind: kind, Reply: reply})
}

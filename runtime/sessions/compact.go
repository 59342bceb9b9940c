package sessions

import (
	"context"
	"errors"

	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// MaxTidy is the size in bytes up to which Tidy compacts a file.
const MaxTidy = 64 << 20

// Compact frees the space of what was deleted, after the rows of terminated agents that
// are still to be deleted. before is the file as it was.
func Compact(path string) (after, before Written, err error) {
	store, err := open(path)
	if err != nil {
		return after, before, err
	}
	was, is, err := compact(context.Background(), store)
	return Written{Path: path, Size: is}, Written{Path: path, Size: was}, errors.Join(err, store.Close())
}

// Tidy takes the bytes of terminated agents out of the file of a society that has left, if
// there may be any in it. It closes the store then. It leaves a file of more than MaxTidy
// bytes as it is: large is its size. Soon after ctx is done it gives up; whatever goes
// wrong, the next Tidy tries again.
func (o Opened) Tidy(ctx context.Context) (large string, err error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	clean := false
	err = o.Store.View(func(tx storage.Tx) (err error) {
		clean, err = tables.IsClean(tx)
		return err
	})
	if err != nil || clean {
		return "", err
	}
	bytes, err := o.Store.Size()
	if err != nil {
		return "", err
	}
	if bytes > MaxTidy {
		return size(bytes), nil
	}
	_, _, err = compact(ctx, o.Store)
	return "", err
}

// compact deletes what is still to be deleted, and rewrites the file.
func compact(ctx context.Context, store *boltdb.Store) (before, after int64, err error) {
	if err := sweep(ctx, store); err != nil {
		return 0, 0, err
	}
	bucket, key, value := tables.Clean()
	return store.Compact(ctx, boltdb.Record{Bucket: bucket, Key: key, Value: value})
}

// sweepRows are deleted with one commit.
const sweepRows = 5000

func sweep(ctx context.Context, store storage.Store) error {
	for left := true; left; {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := store.Update(func(tx storage.Tx) (err error) {
			left, err = tables.Sweep(tx, sweepRows)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

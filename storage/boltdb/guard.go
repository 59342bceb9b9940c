package boltdb

import (
	"fmt"
	"runtime/debug"

	"society-tui/storage"
)

// guarded runs f, which uses bbolt and nothing else. A panic of bbolt, and a fault
// when it reads a page that the file no longer has, come back as ErrDamaged: both
// mean that the file is not what bbolt left. Faults can be caught on their own
// goroutine only.
func guarded(act string, f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: %w: %v", act, storage.ErrDamaged, r)
		}
	}()
	return f()
}

//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package boltdb

import (
	"errors"
	"os"

	"society-tui/storage"
)

// noFollow does not exist here; examine alone refuses links.
const noFollow = 0

// abandon closes a file that bbolt can no longer close. The lock goes with the
// handle.
func abandon(file *os.File) error {
	return file.Close()
}

// hold looks whether somebody has a file open, whose name could then not be taken away
// here.
func hold(path string) (release func() error, err error) {
	if err := inspect(path, defaults()); errors.Is(err, storage.ErrLocked) {
		return nil, err
	}
	return func() error { return nil }, nil
}

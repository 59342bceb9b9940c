//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package boltdb

import "os"

// noFollow does not exist here; examine alone refuses links.
const noFollow = 0

// abandon closes a file that bbolt can no longer close. The lock goes with the
// handle.
func abandon(file *os.File) error {
	return file.Close()
}

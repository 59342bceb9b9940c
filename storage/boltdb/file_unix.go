//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package boltdb

import (
	"errors"
	"os"
	"syscall"
)

// noFollow makes an open fail on a symbolic link that was put there after examine.
const noFollow = syscall.O_NOFOLLOW

// abandon closes a file that bbolt can no longer close. The lock is on what the
// mapping shares, and the mapping stays, so closing alone would keep it.
func abandon(file *os.File) error {
	return errors.Join(syscall.Flock(int(file.Fd()), syscall.LOCK_UN), file.Close())
}

//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package boltdb

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// noFollow makes an open fail on a symbolic link that was put there after examine.
const noFollow = syscall.O_NOFOLLOW

// abandon closes a file that bbolt can no longer close. The lock is on what the
// mapping shares, and the mapping stays, so closing alone would keep it.
func abandon(file *os.File) error {
	return errors.Join(syscall.Flock(int(file.Fd()), syscall.LOCK_UN), file.Close())
}

// hold keeps everybody else out of a file, whatever is in it, until release is called.
// It waits for others as Open does.
func hold(path string) (release func() error, err error) {
	const again = 20 * time.Millisecond
	file, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return nil, err
	}
	for until := time.Now().Add(lockWait); ; time.Sleep(again) {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) || time.Now().After(until) {
			break
		}
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = lockedBy(path)
	}
	if err == nil {
		err = stillAt(path, file)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file.Close, nil
}

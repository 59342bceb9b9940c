//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// HungUp reports whether a file is a terminal whose other end is closed.
func HungUp(file *os.File) bool {
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && !connected(file)
}

// connected reports whether the other end of a terminal is open.
func connected(file *os.File) bool {
	polled := []unix.PollFd{{Fd: int32(file.Fd()), Events: unix.POLLOUT}}
	_, err := unix.Poll(polled, 0)
	return err == nil && polled[0].Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) == 0
}

//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// connected reports whether the other end of a terminal is open.
func connected(file *os.File) bool {
	polled := []unix.PollFd{{Fd: int32(file.Fd()), Events: unix.POLLOUT}}
	_, err := unix.Poll(polled, 0)
	return err == nil && polled[0].Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) == 0
}

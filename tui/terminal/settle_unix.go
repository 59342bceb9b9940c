//go:build unix

package terminal

import (
	"bytes"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// settle reads outstanding answers for at most wait, because the next reader
// would take them for keys. Keys typed meanwhile are lost.
func settle(in *os.File, answers int, wait time.Duration) {
	var read []byte
	buffer := make([]byte, 1<<10)
	for until := time.Now().Add(wait); bytes.Count(read, []byte(Answer)) < answers; {
		polled := []unix.PollFd{{Fd: int32(in.Fd()), Events: unix.POLLIN}}
		left := time.Until(until)
		if left <= 0 {
			return
		}
		if n, err := unix.Poll(polled, int(left.Milliseconds())+1); err != nil && err != unix.EINTR || n == 0 {
			return
		}
		n, err := unix.Read(int(in.Fd()), buffer)
		if err != nil && err != unix.EINTR || n == 0 {
			return
		}
		read = append(read, buffer[:max(n, 0)]...)
	}
}

//go:build unix

package terminal

import (
	"bytes"
	"os"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// settle reads outstanding answers for at most wait, because the next reader
// would take them for keys. Keys typed meanwhile are lost.
func settle(in *os.File, answers int, wait time.Duration) {
	restore, err := dontBlock(in)
	if err != nil {
		return
	}
	defer restore()
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
		if err != nil && err != unix.EINTR || polled[0].Revents&unix.POLLHUP != 0 {
			return
		}
		read = append(read, buffer[:max(n, 0)]...)
	}
}

// dontBlock makes reads of a terminal in raw mode return at once. The library's
// reader may still be reading: what has been polled can be gone, and a read that
// then waited for a key would hold up the program's end.
func dontBlock(in *os.File) (restore func(), err error) {
	before, err := term.GetState(in.Fd())
	if err != nil {
		return nil, err
	}
	now := *before
	now.Cc[unix.VMIN], now.Cc[unix.VTIME] = 0, 0
	if err := term.SetState(in.Fd(), &now); err != nil {
		return nil, err
	}
	return func() { _ = term.SetState(in.Fd(), before) }, nil
}

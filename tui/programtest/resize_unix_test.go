//go:build unix

package programtest

import (
	"syscall"

	"github.com/creack/pty"
)

// resize resizes the terminal, as a window does.
func (x *terminal) resize(width, height int) {
	x.t.Helper()
	x.mu.Lock()
	x.screen.Resize(width, height)
	x.mu.Unlock()
	if err := pty.Setsize(x.pty, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		x.t.Fatal(err)
	}
	x.signal(syscall.SIGWINCH) // the kernel only tells a session's leader
}

//go:build unix

package terminal

import (
	"os"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// The library's reader can take what settle has polled.
func TestSettleEndsWhenAnotherReaderTakesTheAnswer(t *testing.T) {
	t.Parallel()
	keyboard, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = keyboard.Close(), tty.Close() })
	if _, err := term.MakeRaw(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	before, err := term.GetState(tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		taken, settled := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(taken)
			takeOnce(tty, -1)
		}()
		go func() {
			defer close(settled)
			settle(tty, 1, 20*time.Millisecond)
		}()
		if _, err := keyboard.WriteString(Answer); err != nil {
			t.Fatal(err)
		}
		select {
		case <-settled:
		case <-time.After(10 * time.Second):
			t.Fatal("settle waits for a key")
		}
		if _, err := keyboard.WriteString(Answer); err != nil { // for a reader that got nothing
			t.Fatal(err)
		}
		<-taken
		takeOnce(tty, 0)
	}
	if after, err := term.GetState(tty.Fd()); err != nil || *after != *before {
		t.Errorf("the terminal's state is %v, was %v; %v", after, before, err)
	}
}

// takeOnce reads what there is within a time in milliseconds, -1 for no end.
func takeOnce(in *os.File, wait int) {
	polled := []unix.PollFd{{Fd: int32(in.Fd()), Events: unix.POLLIN}}
	if n, err := unix.Poll(polled, wait); n == 1 && err == nil {
		_, _ = unix.Read(int(in.Fd()), make([]byte, 1<<10))
	}
}

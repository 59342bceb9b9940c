package programtest

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// room limits the size of the program's files: with 0 every write fails, as on
// a full disk.
func (x *terminal) room(bytes uint64) {
	x.t.Helper()
	roomFor(x.t, x.cmd.Process.Pid, bytes)
}

// roomFor is room for another process.
func roomFor(t *testing.T, pid int, bytes uint64) {
	t.Helper()
	limit := syscall.Rlimit{Cur: bytes, Max: ^uint64(0)}
	if _, _, err := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_FSIZE,
		uintptr(unsafe.Pointer(&limit)), 0, 0, 0); err != 0 {
		t.Skipf("the kernel lets nobody limit the program: %v", err)
	}
}

// A stop acts while nothing can be saved, says that it is unsaved, and is saved
// once that works again.
func TestStopOnAFullDiskActsAtOnceAndIsSavedLater(t *testing.T) {
	t.Parallel()
	c := family(t, 2)
	x := c.open(120, 36, members("", 2)...)
	x.talkTo("lead-1")
	x.room(0)
	x.press("ctrl+x", "s")
	x.sees("Stop lead?")
	begun := x.confirms()
	within(t, "y to the connections closed on a full disk", c.lastLeft("lead-1", "worker-1", "worker-2").Sub(begun), bound)
	x.states("■ lead-1", "■ worker-1", "■ worker-2", "⠿ root")
	x.sees("Stopped 3 agents · not saved yet; saved first when the disk works again")
	x.write("hello")
	x.press("enter")
	x.sees("> hello") // nothing of it is lost
	if n := c.server.Counts().Running; n != 1 {
		t.Errorf("%d answers are under way", n)
	}
	x.room(^uint64(0))
	x.sees("Saving works again", "saved ·")
	x.signal(os.Kill)
	x.ends()
	again := c.home.open(120, 36)
	again.states("■ lead-1", "■ worker-1", "■ worker-2")
	c.sound()
}

// Leaving while nothing can be saved warns of what is lost.
func TestLeavingWhileNothingIsSavedSaysSo(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(100, 30).opened()
	x.room(0)
	x.write("is not to be lost")
	x.press("enter")
	x.sees("NOT SAVED: file too large", "> is not to be lost")
	x.signal(syscall.SIGTERM)
	if code := x.ends(); code != 1 || !strings.Contains(x.farewell(), "Saving failed at the end (file too large); what happened since then is lost") {
		t.Errorf("exit code %d: %s", code, x.farewell())
	}
	x.restored()
}

package programtest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// The disk fails during a turn. The screen says so, no text is lost, everything
// is saved once the disk works, and nothing is doubled.
func TestDiskFailureDuringATurnLosesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault func(t *testing.T) (h *home, begin func(*terminal) (end func()))
		says  string
	}{
		"a full disk":               {fullDisk, "no space left on device"},
		"no room for a larger file": {func(t *testing.T) (*home, func(*terminal) func()) { return newHome(t), noRoom }, "file too large"},
		"EIO of every sync":         {injected("fdatasync,fsync:error=EIO"), "input/output error"},
		"ENOSPC of every write":     {injected("pwrite64:error=ENOSPC"), "no space left on device"},
		"EROFS of every write":      {injected("pwrite64:error=EROFS"), "read-only file system"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, begin := c.fault(t)
			h.write("config/society-tui/config.toml", "[model]\n"+slow+"\n")
			x := h.open(120, 40).opened()
			x.example(1)
			x.sees("400 euros")
			x.press("enter")
			x.sees("streaming")
			end := begin(x)
			taken := x.refused()
			x.sees("NOT SAVED: "+c.says, fmt.Sprintf("> Note %d. is not to be lost", taken+1))
			x.write(" at all")
			x.sees("not to be lost at all")
			end()
			x.sees("Saving works again", "saved ·", fmt.Sprintf("> Note %d. is not to be lost at all", taken+1))
			x.press("enter")
			x.sees(fmt.Sprintf("▌ Note %d. is not to be lost at all", taken+1))
			x.signal(os.Kill)
			x.ends()
			if got := h.run("check"); got.code != 0 {
				t.Fatalf("the store is not sound: %s", got.err)
			}
			h.write("config/society-tui/config.toml", "[model]\n"+fast+"\n")
			again := h.open(120, 200)
			rows := again.until("the answer", func(rows []string) bool {
				return stands(rows, "No language model made this") && !stands(rows, " unread")
			})
			if n := count(rows, "▌ Plan a farewell party"); n != 1 {
				t.Errorf("the request is there %d times", n)
			}
			for i := range taken + 1 {
				if n := count(rows, fmt.Sprintf("▌ Note %d. is not to be lost", i+1)); n != 1 {
					t.Errorf("note %d is there %d times", i+1, n)
				}
			}
			if t.Failed() {
				t.Log(strings.Join(rows, "\n"))
			}
			again.press("ctrl+u") // a kill just after a text was sent may bring it back as a draft
			again.quit()
		})
	}
}

// refused writes notes until one is refused, and returns how many were
// accepted: the file has some space left on a full disk.
func (x *terminal) refused() (taken int) {
	x.t.Helper()
	for {
		note := fmt.Sprintf("Note %d. is not to be lost", taken+1)
		x.write(note)
		x.sees("> " + note)
		x.press("enter", "alt+1")
		x.sees("enter talk") // enter had its effect: the text has left the composer, or is there again
		rows := x.until(note+" taken or refused", func(rows []string) bool {
			return stands(rows, "▌ "+note) || stands(rows, "> "+note) && stands(rows, "NOT SAVED: ")
		})
		x.write(esc)
		x.sees("enter send")
		if !stands(rows, "▌ "+note) {
			return taken
		}
		taken++
	}
}

// noRoom makes all writes of the program fail until end is called.
func noRoom(x *terminal) (end func()) {
	x.room(0)
	return func() { x.room(^uint64(0)) }
}

// fullDisk makes a home whose society is on a disk of its own, which is filled
// up. Only this goroutine and its children see that disk.
func fullDisk(t *testing.T) (*home, func(*terminal) func()) {
	h := newHome(t)
	data := h.path("data")
	if err := smallDisk(t, data, "3m"); err != nil {
		t.Skipf("this machine lets nobody make a small disk: %v", err)
	}
	return h, func(*terminal) func() {
		filler := filepath.Join(data, "filler")
		f, err := os.Create(filler)
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = f.Write(make([]byte, 4096))
		}
		_ = f.Close()
		return func() {
			if err := os.Remove(filler); err != nil {
				t.Error(err)
			}
		}
	}
}

// smallDisk makes a folder that is a disk of its own, for this goroutine and its children.
func smallDisk(t *testing.T, folder, size string) error {
	t.Helper()
	runtime.LockOSThread() // never unlocked: the thread ends with the test
	err := syscall.Unshare(syscall.CLONE_NEWNS)
	if err == nil {
		err = syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, "")
	}
	if err == nil {
		err = os.Mkdir(folder, 0o700)
	}
	if err == nil {
		err = syscall.Mount("tmpfs", folder, "tmpfs", 0, "size="+size)
	}
	if err != nil {
		return err
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return nil
}

// injected makes system calls of the program fail.
func injected(fault string) func(*testing.T) (*home, func(*terminal) func()) {
	return func(t *testing.T) (*home, func(*terminal) func()) {
		strace, err := exec.LookPath("strace")
		if err != nil {
			t.Skip("this needs strace")
		}
		return newHome(t), func(x *terminal) func() {
			calls, _, _ := strings.Cut(fault, ":")
			c := exec.Command(strace, "-f", "-o", os.DevNull, "-e", "trace="+calls, "-e", "inject="+fault, "-p", strconv.Itoa(x.cmd.Process.Pid))
			said, err := c.StderrPipe()
			if err == nil {
				err = c.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(said).ReadString('\n'); !strings.Contains(line, "attached") {
				_ = c.Wait()
				t.Skipf("strace says %q, %v", line, err)
			}
			end := func() {
				_ = c.Process.Signal(os.Interrupt)
				_ = c.Wait() // being interrupted is no failure
			}
			t.Cleanup(func() { _ = c.Process.Kill() })
			return end
		}
	}
}

// A folder without write permission is reported.
func TestReadOnlyFolderIsReported(t *testing.T) {
	t.Parallel()
	const nobody = 65534
	h := newHome(t)
	h.env = append(h.env, "XDG_STATE_HOME="+t.TempDir())
	data := h.path("data/society-tui")
	for _, err := range []error{os.MkdirAll(data, 0o700), os.Chmod(data, 0o555)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(data, 0o755) })
	c := h.command()
	if os.Geteuid() == 0 { // root ignores permissions
		for _, dir := range []string{workshop, h.dir, filepath.Dir(h.dir), h.path("data")} {
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	x := h.terminal(100, 30)
	x.start(c)
	if code := x.ends(); code != 1 || !strings.Contains(x.farewell(), "permission denied") || !strings.Contains(x.farewell(), data) {
		t.Errorf("exit code %d: %s", code, x.farewell())
	}
	x.restored()
	if left, err := filepath.Glob(filepath.Join(data, "*")); err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}

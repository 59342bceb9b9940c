package programtest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// faultPoints selects the writes or syncs of the scenario that a fault hits:
// all with SOCIETY_FAULT_POINTS=all, the first so many with a number or 50 with
// SOCIETY_LONG=1, else the first 10, each hit by one of the faults.
func faultPoints(fault, faults int) (first, step, most int) {
	n, err := strconv.Atoi(os.Getenv("SOCIETY_FAULT_POINTS"))
	switch {
	case err == nil:
		return 1, 1, n
	case os.Getenv("SOCIETY_FAULT_POINTS") == "all":
		return 1, 1, 1 << 20
	case os.Getenv("SOCIETY_LONG") != "":
		return 1, 1, 50
	}
	return fault + 1, faults, 10
}

// At every k-th write and every k-th sync of a scenario the program is killed,
// or the disk fails. What was shown as accepted is there afterwards, once and
// in order, the store is intact, and the society continues.
func TestWhicheverWriteOrSyncFailsNothingIsLost(t *testing.T) {
	t.Parallel()
	faults := []struct {
		name  string
		calls []uint32
		fault syscall.Errno
		times int
	}{
		{"a kill before a write", writes, 0, 1},
		{"a kill before a sync", syncs, 0, 1},
		{"EIO of a write", writes, syscall.EIO, 1},
		{"EIO of a sync", syncs, syscall.EIO, 1},
		{"EIO of six syncs", syncs, syscall.EIO, 6}, // also of the retried commit
		{"ENOSPC of six writes", writes, syscall.ENOSPC, 6},
	}
	for i, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			var all hunted
			points, last := 0, 0
			k, step, most := faultPoints(i, len(faults))
			for ; k <= most; k += step {
				h := &hunt{home: newHome(t, "[model]", fast), seen: map[string]bool{}}
				if !h.meets(&all, injection{f.calls, f.fault, k, f.times}) {
					break
				}
				points, last = points+1, k
				if t.Failed() {
					t.Fatalf("it was number %d", k)
				}
			}
			t.Logf("%d points, the last of them %d; acknowledged: %d messages of the person, %d between agents; %d lost, %d doubled, %d out of order",
				points, last, all.shown, all.between, all.lost, all.doubled, all.disordered)
			// Each commit writes and syncs, so fewer points would mean that nothing was
			// tested.
			if want := min(most, 30); last <= want-step {
				t.Errorf("the last that was met is number %d, of at least %d", last, want)
			}
		})
	}
}

// meets runs a society with an injection, and then one without to its end. It
// reports whether the injection took effect.
func (h *hunt) meets(all *hunted, j injection) bool {
	h.t.Helper()
	all.kills++
	x := h.terminal(120, 200) // tall enough to keep accepted notes visible
	x.start(j.command(h.home))
	h.tells(x)
	if strings.Contains(x.written(), cannotInject) {
		h.t.Skip(x.written())
	}
	met := h.met()
	switch code := x.cmd.ProcessState.ExitCode(); {
	case j.fault == 0 && met != (code == 128+int(syscall.SIGKILL)), j.fault != 0 && code > 1:
		h.t.Errorf("exit code %d, met %t: %s", code, met, x.farewell())
	case code == 1 && !strings.Contains(x.farewell(), strings.TrimSuffix(j.fault.Error(), " on device")): // it says: on the disk
		h.t.Errorf("it ended and does not say why: %s", x.farewell())
	}
	if got := h.run("check"); got.code != 0 {
		h.t.Fatalf("the store is not sound: %s", got.err)
	}
	h.audit(all)
	h.end(all)
	return met
}

// tells writes notes, rewrites what was refused, and leaves, unless the program
// ends before.
func (h *hunt) tells(x *terminal) {
	h.t.Helper()
	x.wait("the society, or an end", func() bool {
		rows := x.screen.Rows()
		return x.ended || stands(rows, "to: ") && shows(rows, "root")
	})
	// The token could not be written, and HTTP is off. A key that comes with the notice does not close it.
	for !x.over() && stands(x.screenNow(), "Before you begin") {
		x.press("enter")
		<-time.After(200 * time.Millisecond)
	}
	for _, text := range []string{
		"Compare 1. these two lines and count their words: seven blue herons fly; two blue boats sink.",
		"Note 2. a word of the person", "Note 3. and the last",
	} {
		h.written++
		if !h.tell(x, text) {
			return
		}
	}
	x.press("ctrl+c")
	x.wait("the question, or an end", func() bool { return x.ended || stands(x.screen.Rows(), "Quit?") })
	if x.over() {
		return
	}
	x.press("ctrl+c")
	x.wait("the end", func() bool { return x.ended })
}

// tell writes a text until it is shown as accepted. False means that the
// program has ended before.
func (h *hunt) tell(x *terminal, text string) bool {
	h.t.Helper()
	if x.over() {
		return false
	}
	written := fmt.Sprintf("> %.40s", text)
	_, _ = x.pty.WriteString(text)
	x.wait("the text, or an end", func() bool { return x.ended || stands(x.screen.Rows(), written) })
	for !x.over() {
		_, _ = x.pty.WriteString("\r")
		accepted := fmt.Sprintf("▌ %.12s", text)
		refused := false
		x.wait("taken or refused, or an end", func() bool {
			rows := x.screen.Rows()
			refused = stands(rows, written) && stands(rows, "NOT SAVED: ")
			return x.ended || refused || stands(rows, accepted)
		})
		if !refused {
			return h.accepts(x)
		}
		x.wait("saved again, or an end", func() bool { return x.ended || !stands(x.screen.Rows(), "NOT SAVED: ") })
	}
	return false
}

// A read error of the disk is no damage of the store: whichever read fails, the
// program says so, and moves nothing aside.
func TestReadErrorIsNotTreatedAsDamage(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.crowded(60)
	before := h.run("export").out
	reads := []uint32{unix.SYS_PREAD64, unix.SYS_PREAD64}
	const says = "the disk fails to read or write it (input/output error)"
	// The first reads load the program; then the store is inspected, and bbolt
	// opens the file and looks for free pages.
	points := 0
	for _, k := range []int{3, 5, 9, 17, 33, 40} {
		said, err := injection{reads, syscall.EIO, k, 1 << 20}.command(h, "check").CombinedOutput()
		if text := string(said); strings.Contains(text, cannotInject) {
			t.Skip(text)
		} else if !h.met() || strings.Contains(text, "shared libraries") {
			continue
		}
		points++
		if err == nil || !strings.Contains(string(said), says) {
			t.Errorf("from read %d on: %v, %s", k, err, said)
		}
	}
	if points < 3 {
		t.Errorf("only %d reads were met", points)
	}
	x := h.terminal(100, 30)
	x.start(injection{reads, syscall.EIO, 5, 1 << 20}.command(h))
	if code := x.ends(); code != 1 || !strings.Contains(x.farewell(), says) {
		t.Errorf("the screen: exit code %d: %s", code, x.farewell())
	}
	h.storeAlone()
	if h.run("export").out != before {
		t.Error("something was changed")
	}
}

package programtest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// heirs returns the processes that were started to go on with the home's society, and
// have not ended.
func (h *home) heirs() (pids []int) {
	h.t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		h.t.Fatal(err)
	}
	for _, file := range all {
		line, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(line), "\x00--take-over\x00--data="+h.path(dataFolder)+"\x00") {
			continue // it has ended, or is another
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// heir waits for the one process that goes on with the society, or is ready to.
func (h *home) heir() int {
	h.t.Helper()
	var pids []int
	eventually(h.t, "one process in the background", func() bool {
		pids = h.heirs()
		return len(pids) == 1
	})
	return pids[0]
}

// withoutHeirs kills what a test leaves in the background.
func (h *home) withoutHeirs() *home {
	h.t.Cleanup(func() {
		for _, pid := range h.heirs() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		eventually(h.t, "none in the background", func() bool { return len(h.heirs()) == 0 })
	})
	return h
}

// quitsBehind ends the process in the background, which has a sound society.
func (h *home) quitsBehind() {
	h.t.Helper()
	if got := h.run("quit"); got.code != 0 {
		h.t.Errorf("quit = %+v", got)
	}
	eventually(h.t, "none in the background", func() bool { return len(h.heirs()) == 0 })
	h.left(true)
}

// The user leaves; the call in flight ends first, the agents go on, and no terminal is
// needed for that.
func TestTheAgentsKeepRunningWithoutTheScreen(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", slow).withoutHeirs()
	x := h.open(100, 30).opened()
	x.example(1, "enter")
	x.sees("streaming")
	x.press("ctrl+c")
	x.sees("1 call gets up to 25 s")
	x.press("b")
	if code := x.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
	pid := h.heir()
	for _, want := range []string{"The agents of session society keep running in the background (pid " + strconv.Itoa(pid) + ").", "society-tui attach."} {
		if said := x.farewell(); !strings.Contains(said, want) {
			t.Errorf("it left with %q, without %q", said, want)
		}
	}
	if folder, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd"); err != nil || folder != "/" {
		t.Errorf("the process is in %q, %v", folder, err)
	}
	if in, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/fd/0"); err != nil || in != os.DevNull {
		t.Errorf("the process reads %q, %v", in, err)
	}
	_ = x.pty.Close()
	eventually(t, "the team has ended its work", func() bool {
		got := h.run("agents")
		return got.code == 0 && strings.Contains(got.out, "reviewer-1") && !strings.Contains(got.out, "waiting_llm")
	})
	h.quitsBehind()
	if out := h.read("state/society-tui/serve.log"); !strings.Contains(out, "is open") {
		t.Errorf("it printed %q", out)
	}
}

// Plain mode leaves as well, with its flags: another session, in another folder.
func TestPlainModeLeavesTheAgentsAtWork(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast).withoutHeirs()
	got := h.feed("plan a walk\n/detach\n", "--plain", "--session", "book", "--template", "write", "--paused")
	if want := "society-tui attach --session book."; got.code != 0 || !strings.Contains(got.out+got.err, want) {
		t.Errorf("it left with %+v, without %q", got, want)
	}
	h.heir()
	list := h.run("agents", "--session", "book")
	if list.code != 0 || strings.Count(list.out, "(asked)") != 1 || strings.Count(list.out, "author-") != 1 {
		t.Errorf("agents = %+v, want one team, paused before root was written to", list)
	}
	if got := h.run("quit", "--session", "book"); got.code != 0 {
		t.Errorf("quit = %+v", got)
	}
	eventually(t, "none in the background", func() bool { return len(h.heirs()) == 0 })
}

// A process that does not get ready changes nothing; one that dies or hangs later is gone
// before the session is opened here again, where the same call is made again.
func TestASessionComesBackFromABackgroundThatFails(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "it is answered")
	h := newHome(t, held.settings()...).withoutHeirs()
	good := h.read("config/society-tui/config.toml")
	x := h.open(100, 30).opened()
	x.write("plan a walk")
	x.press("enter")
	held.isAsked(t)

	h.write("config/society-tui/config.toml", "nonsense = 1\n"+good)
	x.write("/detach")
	x.press("enter")
	x.sees("The agents stay here: the background process failed: ")
	h.write("config/society-tui/config.toml", good)

	x.press("ctrl+c")
	x.sees("[ Keep running ]")
	x.press("b")
	x.sees("Finishing 1 call… Then the agents go on in the background.")
	died := h.heir()
	kill(t, died, syscall.SIGKILL)
	x.press("ctrl+c") // cuts the call
	x.sees("The agents stay in this program", "background process has ended")
	x.closesNotice()
	held.isAsked(t)

	x.write("/detach")
	x.press("enter")
	x.sees("Finishing 1 call…")
	hung := h.heir()
	kill(t, hung, syscall.SIGSTOP)
	x.press("ctrl+c")
	x.sees("within 5 s")
	if left := h.heirs(); len(left) > 0 {
		t.Errorf("%v run beside the program that has the session", left)
	}
	x.closesNotice()
	held.isAsked(t)
	close(held.let)
	x.sees("it is answered")
	x.quit()
	h.left(true)
}

// closesNotice closes a notice that has opened by itself, which hears no key in its first
// moment.
func (x *terminal) closesNotice() {
	x.t.Helper()
	eventually(x.t, "the notice is closed", func() bool {
		closed := stands(x.screenNow(), "enter send")
		if !closed {
			x.press("enter")
			time.Sleep(50 * time.Millisecond)
		}
		return closed
	})
}

func kill(t *testing.T, pid int, sig syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, sig); err != nil {
		t.Fatal(err)
	}
}

// Neither a terminal that is closed nor a second signal keeps the session from its way to
// the background.
func TestSignalsOnTheWayToTheBackgroundLoseNothing(t *testing.T) {
	t.Parallel()
	for name, signal := range map[string]func(x *terminal){
		"SIGTERM":  func(x *terminal) { x.signal(syscall.SIGTERM) },
		"hung up":  func(x *terminal) { _ = x.pty.Close() },
		"SIGHUP 2": func(x *terminal) { x.signal(syscall.SIGHUP); x.signal(syscall.SIGHUP) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			held := newHeldModel(t, "it is answered")
			h := newHome(t, held.settings()...).withoutHeirs()
			x := h.open(100, 30).opened()
			x.write("plan a walk")
			x.press("enter")
			held.isAsked(t)
			x.press("ctrl+c", "b")
			x.sees("Finishing 1 call…")
			signal(x)
			close(held.let)
			select {
			case <-x.waited:
			case <-time.After(patience):
				t.Fatal("it does not end")
			}
			h.heir()
			eventually(t, "the answer is there", func() bool {
				got := h.run("agents")
				return got.code == 0 && strings.Contains(got.out, "idle")
			})
			h.quitsBehind()
		})
	}
}

// The disk fills up on the way: the session is open in one process afterwards, and goes on
// saving when there is space again.
func TestAFullDiskOnTheWayToTheBackgroundLeavesOneOwner(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "it is answered")
	h, fill := fullDisk(t)
	h.write("config/society-tui/config.toml", strings.Join(held.settings(), "\n")+"\n")
	x := h.open(100, 30).opened()
	x.write("plan a walk")
	x.press("enter")
	held.isAsked(t)
	x.press("ctrl+c", "b")
	x.sees("Finishing 1 call…")
	end := fill(x)
	close(held.let)
	eventually(t, "one has it open", func() bool { return x.over() || stands(x.screenNow(), "stay in this program") })
	end()
	if x.over() {
		if !strings.Contains(x.farewell(), "keep running in the background") {
			t.Fatalf("it left with %q", x.farewell())
		}
		eventually(t, "the call was made again", func() bool {
			got := h.run("agents")
			return got.code == 0 && strings.Contains(got.out, "idle")
		})
		h.run("quit")
	} else {
		x.closesNotice()
		x.sees("it is answered")
		x.quit()
	}
	eventually(t, "nobody has it open", func() bool { return h.run("check").code == 0 })
}

// With on_hangup = "background" a lost terminal ends the screen alone.
func TestTheSocietyOutlivesItsTerminal(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--plain"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			h := newHome(t, `on_hangup = "background"`, "[model]", slow)
			x := h.terminal(100, 30)
			c := h.command(args...)
			c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			x.start(c)
			x.sees("root")
			if got := h.run("send", "plan a walk"); got.code != 0 {
				t.Fatalf("send = %+v", got)
			}
			x.sees("plan a walk")
			if err := x.pty.Close(); err != nil {
				t.Fatal(err)
			}
			h.logs("only the screen ends")
			x.signal(syscall.SIGHUP)
			eventually(t, "the team has ended its work", func() bool {
				got := h.run("agents")
				return got.code == 0 && strings.Contains(got.out, "idle") && !strings.Contains(got.out, "waiting_llm")
			})
			x.signal(syscall.SIGTERM)
			select {
			case <-x.waited:
			case <-time.After(patience):
				t.Fatal("it does not end")
			}
			h.left(true)
		})
	}
}

// logs waits until the log says something.
func (h *home) logs(text string) {
	h.t.Helper()
	eventually(h.t, "the log says "+text, func() bool {
		log, err := os.ReadFile(h.path("state/society-tui/society-tui.log"))
		return err == nil && strings.Contains(string(log), text)
	})
}

// A program that nobody could reach does not stay behind.
func TestASocietyThatNobodyReachesLeavesWithItsTerminal(t *testing.T) {
	t.Parallel()
	h := newHome(t, `on_hangup = "background"`)
	if err := os.MkdirAll(h.path(dataFolder), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(h.path(dataFolder), 0o777); err != nil { // others could put a socket there
		t.Fatal(err)
	}
	h.env = append(h.env, "XDG_RUNTIME_DIR=")
	x := h.open(100, 30)
	x.sees("The HTTP API has no socket")
	x.signal(syscall.SIGHUP)
	x.ends()
	h.logs("without the HTTP API nobody could reach it")
}

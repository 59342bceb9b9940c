package programtest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"society-tui/runtime/apiclient"
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
// needed for that. A screen that is attached stays, with what is written on it.
func TestTheAgentsKeepRunningWithoutTheScreen(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", "offline_pace = '10ms'").withoutHeirs()
	x := h.open(100, 30).opened()
	x.example(1, "enter")
	x.sees("streaming")
	y := h.open(100, 30, "attach")
	y.sees("attached")
	y.write("what is written")
	y.sees("> what is written")
	x.press("ctrl+c")
	x.sees("1 call gets up to 25 s")
	x.press("b")
	if code := x.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
	pid := h.heir()
	for _, want := range []string{"The agents of session society keep running in the background (pid " + strconv.Itoa(pid) + ").", "Come back: society-tui attach"} {
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
	y.write(" on another screen")
	eventually(t, "it is sent", func() bool { // which is refused while the connection is cut
		y.press("enter")
		time.Sleep(100 * time.Millisecond)
		return stands(y.screenNow(), "▌ what is written on another screen")
	})
	y.press("ctrl+c")
	y.sees("Close this screen?")
	y.press("y")
	if code := y.ends(); code != 0 {
		t.Errorf("the other screen ends with %d", code)
	}
	eventually(t, "the team has ended its work", func() bool {
		got := h.run("agents")
		return got.code == 0 && strings.Contains(got.out, "reviewer-1") && !strings.Contains(got.out, "thinking")
	})
	h.quitsBehind()
	if out := h.read("state/society-tui/serve.log"); !strings.Contains(out, "End it with society-tui quit --data ") {
		t.Errorf("it printed %q", out)
	}
}

// Plain mode leaves as well, with its flags: another session, in another folder.
func TestPlainModeLeavesTheAgentsAtWork(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast).withoutHeirs()
	got := h.feed("plan a walk\n/detach\n", "--plain", "--session", "book", "--template", "write", "--paused")
	if want := "Come back: society-tui attach --session book\n"; got.code != 0 || !strings.Contains(got.out+got.err, want) {
		t.Errorf("it left with %+v, without %q", got, want)
	}
	h.heir()
	list := h.run("agents", "--session", "book")
	if list.code != 0 || strings.Count(list.out, "paused: as asked") != 1 || strings.Count(list.out, "author-") != 1 {
		t.Errorf("agents = %+v, want one team, paused before root was written to", list)
	}
	if got := h.run("quit", "--session", "book"); got.code != 0 {
		t.Errorf("quit = %+v", got)
	}
	eventually(t, "none in the background", func() bool { return len(h.heirs()) == 0 })
}

// Who asks in another shell meanwhile is answered by the process in the background.
func TestAskFollowsItsTaskIntoTheBackground(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", "offline_pace = '15ms'").withoutHeirs()
	lines, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lines.Close() }()
	plain := h.begin(lines, "--plain")
	eventually(t, "the session is open", func() bool { return h.run("agents").code == 0 })
	ask := h.begin(nil, "ask", "plan a walk")
	eventually(t, "writer-1 is there", func() bool { return strings.Contains(h.run("agents").out, "writer-1") })
	_, _ = write.WriteString("/detach\n")
	_ = write.Close()
	if got := plain.ends(); got.code != 0 {
		t.Errorf("it left with %+v", got)
	}
	if got := ask.ends(); got.code != 0 || !strings.HasPrefix(got.out, "## plan a walk\n") {
		t.Errorf("ask = %+v", got)
	}
	h.quitsBehind()
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
	x.sees("The agents stay here: the background process failed:")
	h.write("config/society-tui/config.toml", good)

	x.sees("thinking") // a screen at rest would quit
	x.press("ctrl+c")
	x.sees("[ Keep running ]")
	x.press("b")
	x.sees("Finishing 1 call, at most 25 s… ctrl+c goes to the background at once.")
	died := h.heir()
	kill(t, died, syscall.SIGKILL)
	x.press("ctrl+c") // cuts the call
	x.sees("The agents stay in this program", "background process has ended")
	x.closesNotice()
	held.isAsked(t)

	x.write("/detach")
	x.press("enter")
	x.sees("Finishing 1 call, at most")
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
			x.sees("thinking") // a screen at rest would quit
			x.press("ctrl+c")
			x.sees("1 call gets up to 25 s")
			x.press("b")
			x.sees("Finishing 1 call, at most")
			signal(x)
			close(held.let)
			select {
			case <-x.waited:
			case <-time.After(patience):
				t.Fatal("it does not end")
			}
			alive := 0
			eventually(t, "it is open in the background, or nowhere", func() bool {
				alive = len(h.heirs())
				return alive == 0 || alive == 1 && h.run("agents").code == 0
			})
			if alive == 0 && name == "SIGTERM" { // the machine is slow, and a signal does not wait long
				h.left(false)
				return
			}
			eventually(t, "the answer is there", func() bool {
				got := h.run("agents")
				return got.code == 0 && strings.Contains(got.out, "reported")
			})
			h.quitsBehind()
		})
	}
}

// The disk fills up on the way: the session is open in one process afterwards, and goes on
// saving when there is space again. What could not be saved is reported, and done again.
func TestAFullDiskOnTheWayToTheBackgroundLeavesOneOwner(t *testing.T) {
	t.Parallel()
	for name, both := range map[string]bool{"for us": false, "for both": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			held := newHeldModel(t, "it is answered")
			h := newHome(t, held.settings()...).withoutHeirs()
			x := h.open(100, 30).opened()
			x.write("plan a walk")
			x.press("enter")
			held.isAsked(t)
			x.sees("thinking") // a screen at rest would quit
			x.press("ctrl+c")
			x.sees("1 call gets up to 25 s")
			x.press("b")
			x.sees("Finishing 1 call, at most")
			end := noRoom(x)
			heir := h.heir()
			if both {
				roomFor(t, heir, 0)
			}
			close(held.let)
			if both {
				x.sees("The session cannot be opened (file too large); trying again.")
				end()
				x.sees("The agents stay in this program", "failed at the end (file too large)")
				held.isAsked(t) // again
				x.closesNotice()
				x.sees("it is answered")
				x.quit()
				h.left(true)
				return
			}
			code := x.ends()
			if said := x.farewell(); code != 1 || !strings.Contains(said, "keep running in the background") || !strings.Contains(said, "Saving failed at the end (file too large)") {
				t.Fatalf("it left with %d and %q", code, said)
			}
			held.isAsked(t) // again
			eventually(t, "the answer is there", func() bool {
				got := h.run("agents")
				return got.code == 0 && strings.Contains(got.out, "reported")
			})
			h.quitsBehind()
		})
	}
}

// With on_hangup = "background" a lost terminal ends the screen alone.
func TestTheSocietyOutlivesItsTerminal(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--plain"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			h := newHome(t, `on_hangup = "background"`, "[model]", "offline_pace = '10ms'")
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
				return got.code == 0 && strings.Contains(got.out, "reported") && !strings.Contains(got.out, "thinking")
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

// A blow is what happens to the program, or to its child, on the way to the background.
type blow struct {
	ours, heirs []syscall.Signal
	deadly      bool // nobody may have the session open afterwards
}

var blows = map[string]blow{
	"nothing":                     {},
	"SIGHUP":                      {ours: []syscall.Signal{syscall.SIGHUP}},
	"a child that hangs":          {heirs: []syscall.Signal{syscall.SIGSTOP}},
	"SIGTERM":                     {ours: []syscall.Signal{syscall.SIGTERM}, deadly: true},
	"SIGTERM twice":               {ours: []syscall.Signal{syscall.SIGTERM, syscall.SIGTERM}, deadly: true},
	"SIGTERM of the child":        {heirs: []syscall.Signal{syscall.SIGTERM}, deadly: true},
	"kill -9":                     {ours: []syscall.Signal{syscall.SIGKILL}, deadly: true},
	"kill -9 of the child":        {heirs: []syscall.Signal{syscall.SIGKILL}, deadly: true},
	"kill -9 of both":             {ours: []syscall.Signal{syscall.SIGKILL}, heirs: []syscall.Signal{syscall.SIGKILL}, deadly: true},
	"kill -9 of one that waits":   {heirs: []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL}, deadly: true},
	"kill -9 while a child hangs": {ours: []syscall.Signal{syscall.SIGKILL}, heirs: []syscall.Signal{syscall.SIGSTOP}, deadly: true},
}

// The program is on its way to the background, while another program sends messages, when
// something happens to it or to its child at a random moment. Afterwards exactly one
// process has the session open, or none if one was ended; then it is opened again. The
// store is sound, and each message that was accepted is there once and in order.
func TestNothingOnTheWayToTheBackgroundLosesOrDoublesAMessage(t *testing.T) {
	t.Parallel()
	rounds := 2
	if os.Getenv("SOCIETY_LONG") != "" {
		rounds = 100
	}
	var h *hunt
	var all hunted
	came := map[string]int{}
	names := slices.Sorted(maps.Keys(blows))
	for round := range rounds {
		if round%killsOfOne == 0 {
			h = &hunt{home: newHome(t).withoutHeirs(), seen: map[string]bool{}}
		}
		name := names[rand.IntN(len(names))]
		if rounds > len(names) && round < len(names) {
			name = names[round]
		}
		came[name+": "+h.round(blows[name])]++
		all.kills++
		if got := h.run("check"); got.code != 0 {
			t.Fatalf("after round %d, %s, the store is not sound: %s", round, name, got.err)
		}
		h.audit(&all)
		if round%killsOfOne == killsOfOne-1 || round == rounds-1 {
			all.shown += len(h.accepted)
			all.between += h.between
		}
		if t.Failed() {
			t.Fatalf("it was round %d, %s", round, name)
		}
	}
	t.Logf("%d rounds; %d messages accepted, %d between agents; %d lost, %d doubled, %d out of order", rounds, all.shown, all.between, all.lost, all.doubled, all.disordered)
	for _, name := range slices.Sorted(maps.Keys(came)) {
		t.Logf("%3d times %s", came[name], name)
	}
}

// round leaves the session to the background while something happens, and returns who has
// it open then.
func (h *hunt) round(b blow) (owner string) {
	h.t.Helper()
	h.write("config/society-tui/config.toml", "[model]\noffline_pace = '"+[]string{"0s", "1ms", "5ms"}[rand.IntN(3)]+"'\n")
	in, keys, err := os.Pipe() // a file, which the program reads itself
	if err != nil {
		h.t.Fatal(err)
	}
	defer keys.Close()
	ours := h.begin(in, "--plain")
	_ = in.Close()
	h.reached()
	ctx, stop := context.WithCancel(h.t.Context())
	var sending sync.WaitGroup
	sending.Go(func() { h.sends(ctx) })
	defer sending.Wait()
	defer stop()
	time.Sleep(rand.N(100 * time.Millisecond))
	if _, err := keys.Write([]byte("/detach\n")); err != nil {
		h.t.Fatal(err)
	}
	eventually(h.t, "it is on its way", func() bool { return strings.Contains(ours.out.String(), "Starting the background") })
	time.Sleep(rand.N(250 * time.Millisecond))
	for _, sig := range b.ours {
		_ = ours.cmd.Process.Signal(sig) // it may have ended
	}
	for _, sig := range b.heirs {
		for _, pid := range h.heirs() {
			_ = syscall.Kill(pid, sig)
		}
	}
	owner = h.settles(ours, b)
	stop()
	sending.Wait()
	got := h.run("quit")
	if got.code != 0 && b.deadly { // nobody has it open, or the signal has ended that one, too
		owner = "nobody"
		h.serve()
		got = h.run("quit")
	}
	if got.code != 0 {
		h.t.Fatalf("%s: quit = %+v; it said %q, %q", owner, got, ours.out.String(), ours.err.String())
	}
	eventually(h.t, "nobody has it open", func() bool { return h.run("check").code == 0 })
	return owner
}

// settles waits until at most one process is left, and returns which.
func (h *hunt) settles(ours *running, b blow) (owner string) {
	h.t.Helper()
	defer func() {
		if h.t.Failed() {
			h.t.Logf("%v: %v run; it said %q, %q", b, h.heirs(), ours.out.String(), ours.err.String())
		}
	}()
	eventually(h.t, "at most one process is left", func() bool {
		ended := false
		select {
		case <-ours.waited:
			ended = true
		default:
		}
		if ended && slices.Contains(b.heirs, syscall.SIGSTOP) {
			for _, pid := range h.heirs() { // it has the session open, or nobody is left who would end it
				_ = syscall.Kill(pid, syscall.SIGCONT)
			}
		}
		heirs := len(h.heirs())
		switch {
		case ended && heirs == 0:
			owner = "nobody"
		case ended && heirs == 1 && h.reaches():
			owner = "the background"
		case !ended && heirs == 0 && strings.Contains(ours.out.String(), "The agents stay ") && h.reaches():
			owner = "the program"
		default:
			owner = ""
		}
		return owner != ""
	})
	return owner
}

// reaches reports whether a program has the session open.
func (h *hunt) reaches() bool { return h.run("agents").code == 0 }

func (h *hunt) reached() {
	h.t.Helper()
	eventually(h.t, "the session is open", h.reaches)
}

// sends sends notes one after the other to whoever has the session open, and keeps those
// that were accepted.
func (h *hunt) sends(ctx context.Context) {
	for ctx.Err() == nil {
		h.written++
		var sent apiclient.Sent
		c := h.client()
		err := c.Post(ctx, "/api/send", map[string]string{"agentId": "root", "text": fmt.Sprintf("Note %d. a word of a program", h.written)}, &sent)
		if err == nil {
			h.accepted = append(h.accepted, h.written)
		}
		c.Close()
		time.Sleep(5 * time.Millisecond)
	}
}

// It takes a moment to leave the agents at work, beside the calls in flight.
func TestFigureOfKeepRunning(t *testing.T) {
	rounds := 1
	if os.Getenv("SOCIETY_LONG") != "" {
		rounds = 10
	} else {
		t.Parallel()
	}
	h := newHome(t, "[model]", fast).withoutHeirs()
	h.talked(oldMessages)
	var took []time.Duration
	for range rounds {
		x := h.open(160, 45).begun()
		x.empties()
		x.write("/detach") // ctrl+c would quit if the model has answered all by now
		began := time.Now()
		x.press("enter")
		if code := x.ends(); code != 0 {
			t.Fatalf("exit code %d: %s", code, x.farewell())
		}
		took = append(took, h.logged("the session goes on in the background").Sub(began))
		if got := h.run("quit"); got.code != 0 {
			t.Fatal(got)
		}
		eventually(t, "none in the background", func() bool { return len(h.heirs()) == 0 })
	}
	if p95 := printed(t, fmt.Sprintf("/detach to the session open in the background, %d messages", oldMessages), took); p95 > time.Second && rounds > 1 {
		t.Errorf("it takes %v, more than a second", p95)
	}
}

// logged returns when the log said something last.
func (h *home) logged(text string) (at time.Time) {
	h.t.Helper()
	lines := bufio.NewScanner(strings.NewReader(h.read("state/society-tui/society-tui.log")))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct {
			Time time.Time
			Msg  string
		}
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == text {
			at = line.Time
		}
	}
	if at.IsZero() {
		h.t.Fatalf("the log never says %q", text)
	}
	return at
}

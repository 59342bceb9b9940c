package shell_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool/shell"
)

// long reports whether tests take as long as they need.
func long() bool { return os.Getenv("SOCIETY_LONG") != "" }

// bothWays runs a test with commands in the sandbox and with commands outside of it.
func bothWays(t *testing.T, test func(t *testing.T, b *bench), change ...func(*shell.Config)) {
	t.Helper()
	for name, bench := range map[string]func(*testing.T, ...func(*shell.Config)) *bench{"sandbox": confined, "outside": newBench} {
		t.Run(name, func(t *testing.T) { test(t, bench(t, change...)) })
	}
}

// inSandbox runs a test with commands in the sandbox alone.
func inSandbox(t *testing.T, test func(t *testing.T, b *bench), change ...func(*shell.Config)) {
	t.Helper()
	test(t, confined(t, change...))
}

// peak sets the most memory that this process has had to what it has now, and returns a function
// that tells by how much it has risen since.
func peak(t *testing.T) func() int64 {
	t.Helper()
	most := func() (kilobytes int64) {
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Skip("memory is measured in /proc")
		}
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
			t.Fatal(err)
		}
		return kilobytes
	}
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Skip("memory is measured in /proc")
	}
	before := most()
	return func() int64 { return (most() - before) << 10 }
}

// However much a command writes, in lines or in one, memory stays flat: here 64 MiB, and 1 GiB
// with SOCIETY_LONG=1. It is not parallel, because others take memory too.
func TestFloodsOfOutputTakeBoundedMemory(t *testing.T) {
	bound := int64(160 << 20) // some times what of an output is kept
	size, least := int64(64<<20), int64(8<<20)
	if propertytest.Raced { // which takes several times the memory and the time
		bound, least = 4*bound, 1<<20
	}
	if long() {
		size = 1 << 30
	}
	for name, c := range map[string]struct {
		command string
		timeout int
		says    string
	}{
		"one line":     {fmt.Sprintf("head -c %d /dev/zero | tr '\\0' x; echo; echo last", size), 600, "exit code 0"},
		"many lines":   {fmt.Sprintf("yes | head -c %d; echo last", size), 600, "exit code 0"},
		"without end":  {"yes", 1, "did not end within 1s"},
		"ignores TERM": {"trap '' TERM PIPE; while :; do yes; done", 1, "did not end within 1s"},
	} {
		t.Run(name, func(t *testing.T) {
			b := sequential(t, func(c *shell.Config) { c.Sandbox = probed })
			var seen int64
			b.by.Output = func(piece []byte) { seen += int64(len(piece)) }
			risen := peak(t)
			r := b.call(t.Context(), shell.Bash, object{"command": c.command, "timeout": c.timeout})
			grown := risen()
			t.Logf("%d MiB were written, and memory rose by %d MiB", seen>>20, grown>>20)
			want(t, r.Text[:100]+r.Text[len(r.Text)-1000:], c.says)
			if grown > bound || seen < least || c.timeout > 1 && seen < size {
				t.Errorf("%d MiB were written, and memory rose by %d MiB, want at most %d", seen>>20, grown>>20, bound>>20)
			}
		})
	}
}

// marked returns the processes that have a word in their command line or environment.
func marked(t *testing.T, word string) (found []string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("processes are counted in /proc")
	}
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline")) // it may have ended
		env, _ := os.ReadFile(filepath.Join(dir, "environ"))
		if strings.Contains(string(line)+string(env), word) {
			found = append(found, dir+" "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

var marks atomic.Int64

// newMark is a word that the processes of one command have in their environment.
func newMark() string { return fmt.Sprintf("SOCIETY_MARK_%d_%d_", os.Getpid(), marks.Add(1)) }

// crowds lets one command at a time have hundreds of processes.
var crowds sync.Mutex

// Of a command that makes sessions, ignores signals and forks 500 times, nothing is left when its
// call returns, whether it ended, was cut short or took too long. That is at most 2 seconds after it
// was to end: one second is for what ends in its own way.
func TestNothingIsLeftOfACommandAfterTwoSeconds(t *testing.T) {
	const begins = "trap '' TERM HUP INT; for i in $(seq 250); do (setsid sleep 300) & (sleep 300; sleep 300) & done; " +
		"setsid bash -c 'while :; do sleep 0.1; done' & (setsid nohup sh -c '(sleep 300 &) ; sleep 300' &); echo begun; "
	for _, how := range []string{"ends", "cut", "late", "killed"} {
		t.Run(how, func(t *testing.T) {
			ways := bothWays
			if how != "cut" && !long() {
				ways = inSandbox
			}
			ways(t, func(t *testing.T, b *bench) {
				crowds.Lock()
				defer crowds.Unlock()
				mark := newMark()
				args := object{"command": "export " + mark + "=1; " + begins + "wait"}
				if how == "ends" {
					args["command"] = "export " + mark + "=1; " + begins
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var due atomic.Pointer[time.Time] // when it is to end
				is := func(at time.Time) { due.Store(&at) }
				b.by.Output = func([]byte) {
					if n := len(marked(t, mark)); n < 500 {
						t.Errorf("only %d processes have begun", n)
					}
					if is(time.Now()); how == "cut" {
						cancel()
					}
				}
				switch how {
				case "late":
					args["timeout"], b.by.Output = 5, nil
					is(time.Now().Add(5 * time.Second))
				case "killed":
					args["background"] = true
				}
				r := b.call(ctx, shell.Bash, args)
				if how == "killed" {
					b.eventually("the processes are there", func() bool { return len(marked(t, mark)) >= 500 })
					is(time.Now())
					r = b.call(ctx, shell.BashKill, object{"id": "bg1"})
				}
				took := time.Since(*due.Load())
				t.Logf("nothing is left %s after it was to end", took)
				if left := marked(t, mark); len(left) > 0 || took > 2*time.Second {
					t.Errorf("after %s and %q are left: %v", took, r.Text, left)
				}
			})
		})
	}
}

// Of many calls of all kinds nothing is left: of 30, and of 1,000 with SOCIETY_LONG=1.
func TestManyCallsLeaveNoProcess(t *testing.T) {
	bothWays(t, func(t *testing.T, b *bench) {
		calls := 30
		if long() {
			calls = 1000
		}
		mark := newMark()
		kinds := []struct {
			command    string
			seconds    int
			cut, spawn bool
		}{
			{command: "true"},
			{command: "exit 3"},
			{command: "nohup sleep 600 >/dev/null 2>&1 & echo left"},
			{command: "(setsid sh -c 'setsid sleep 600 & sleep 600' &) ; exit 1"},
			{command: "kill -9 $$"},
			{command: "yes | head -c 1000000"},
			{command: "sleep 600 & sleep 600", seconds: 1},
			{command: "trap '' TERM; (setsid nohup sh -c 'trap \"\" TERM; sleep 600' &); while :; do sleep 0.1; done", seconds: 1},
			{command: "echo begun; sleep 600 & (setsid sleep 600 &) ; wait", cut: true},
			{command: "setsid sleep 600 & sleep 600", spawn: true},
			{command: "sleep 600 & echo gone", spawn: true},
		}
		var all sync.WaitGroup
		next := make(chan int)
		for worker := range 8 {
			all.Go(func() {
				b := *b // each is an agent of its own
				b.by.Agent = fmt.Sprint("coder-", worker)
				for i := range next {
					k := kinds[i%len(kinds)]
					ctx, cancel := context.WithCancel(t.Context())
					b.by.Output = func([]byte) {
						if k.cut {
							cancel()
						}
					}
					args := object{"command": "export " + mark + "=1; " + k.command, "background": k.spawn}
					if k.seconds > 0 {
						args["timeout"] = k.seconds
					}
					r := b.call(ctx, shell.Bash, args)
					if k.spawn {
						id := strings.TrimSuffix(strings.Fields(r.Text[strings.Index(r.Text, " as ")+4:])[0], ",")
						r = b.call(ctx, shell.BashKill, object{"id": id})
						want(t, r.Text, id+" has ended")
					}
					cancel()
				}
			})
		}
		for i := range calls {
			next <- i
		}
		close(next)
		all.Wait()
		if left := marked(t, mark); len(left) > 0 {
			t.Errorf("left of %d calls: %v", calls, left)
		}
	})
}

// Keys of the user's are in neither the environment of a command nor in that of any other program
// that it could look into, its own parents among them.
func TestACommandSeesNoKeyOfTheEnvironment(t *testing.T) {
	key, value := "SOCIETY_CANARY_KEY", "canary-"+"4711"
	if err := os.Setenv(key, value); err != nil { //nolint:usetesting // the test is parallel, and the name its own
		t.Fatal(err)
	}
	if err := os.Setenv("SOCIETY_NAMED", "passed on"); err != nil { //nolint:usetesting // likewise
		t.Fatal(err)
	}
	bothWays(t, func(t *testing.T, b *bench) {
		r := b.bash("env; set; tr '\\0' '\\n' < /proc/$PPID/environ")
		want(t, r.Text, "TERM=dumb", "GIT_TERMINAL_PROMPT=0", "PAGER=cat", "SOCIETY_NAMED=passed on")
		if strings.Contains(r.Text, value) {
			t.Errorf("the key is in\n%s", r.Text)
		}
	}, func(c *shell.Config) { c.Env = []string{"SOCIETY_NAMED"} })
	t.Run("of other programs", func(t *testing.T) {
		b := confined(t)
		other := exec.CommandContext(t.Context(), "sleep", "600") // it has the key
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		defer other.Wait()         //nolint:errcheck // it is killed
		defer other.Process.Kill() //nolint:errcheck // likewise
		own := fmt.Sprintf("/proc/%d/environ", other.Process.Pid)
		b.eventually("the other program has the key", func() bool {
			text, _ := os.ReadFile(own)
			return bytes.Contains(text, []byte(value))
		})
		r := b.bash(fmt.Sprintf("cat %s /proc/%d/environ && echo open''ed; cat /proc/*/environ /proc/*/task/*/environ; ps axeww; echo over", own, os.Getpid()))
		if want(t, r.Text, "over"); strings.Contains(r.Text, value) || strings.Contains(r.Text, "opened") {
			t.Errorf("it read\n%s", r.Text)
		}
	})
}

// What of the network and of other programs the sandbox refuses is named in the result, with the
// way out, and reaches nobody.
func TestRefusedSocketsAreNamedWithTheWayOut(t *testing.T) {
	b := confined(t)
	if _, err := exec.LookPath("/usr/bin/python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	docker, err := net.Listen("unix", filepath.Join(b.dir, "docker.sock")) // in the workspace, where files may be opened
	if err != nil {
		t.Fatal(err)
	}
	defer docker.Close() //nolint:errcheck // it ends with the test
	local, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close() //nolint:errcheck // likewise
	go func() {
		if conn, err := docker.Accept(); err == nil {
			t.Error("docker.sock was reached")
			conn.Close() //nolint:errcheck // nobody reads
		}
	}()
	network := "another computer"
	for _, c := range []struct{ name, command, says string }{
		{"UDP", "s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))", network},
		{"TCP", "s.create_connection(('192.0.2.1', 443), 2)", network},
		{"TCP over IPv6", "s.socket(s.AF_INET6, s.SOCK_STREAM).connect(('2001:db8::1', 443))", network},
		{"UDP over IPv6", "s.socket(s.AF_INET6, s.SOCK_DGRAM).sendto(b'x', ('2001:db8::1', 53))", network},
		{"UDP of this computer", "c = s.socket(s.AF_INET, s.SOCK_DGRAM); c.connect(" + fmt.Sprintf("('127.0.0.1', %d)", local.LocalAddr().(*net.UDPAddr).Port) + "); c.send(b'x'); c.send(b'x')", "a port"},
		{"docker.sock", "s.socket(s.AF_UNIX).connect('docker.sock')", "Docker"},
		{"raw sockets", "s.socket(s.AF_PACKET, s.SOCK_RAW)", "another kind"},
	} {
		r := b.bash("/usr/bin/python3 -c \"import socket as s; " + c.command + "\" && echo reached")
		if !probed().Confined.Loopback && c.says == "a port" {
			c.says = network
		}
		if !r.Failed || strings.Contains(r.Text, "reached\n") {
			t.Errorf("%s: it succeeded: %s", c.name, r.Text)
		}
		want(t, r.Text, "blocked_by_sandbox", c.says, "outside true and why")
	}
	if err := local.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, _, err := local.ReadFrom(make([]byte, 9)); err == nil {
		t.Errorf("%d bytes reached a port of this computer", n)
	}
	b.by.Lang = protocol.Chinese
	want(t, b.bash("/usr/bin/python3 -c \"import socket as s; s.socket(s.AF_UNIX).connect('docker.sock')\"").Text, "Docker", "被拒绝的是")
}

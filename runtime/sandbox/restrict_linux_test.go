package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"society-tui/runtime/sandbox"
)

// A variant is a kernel as it could be.
type variant struct {
	name     string
	with     func(*sandbox.Command)
	loopback bool
}

// variants are this kernel, and kernels that have less.
var variants = []variant{
	{"as it is", func(*sandbox.Command) {}, true},
	{"no namespaces", sandbox.WithoutNamespaces, false},
}

// here is what holds on this machine.
var here = sync.OnceValue(func() sandbox.State { return sandbox.Probe(context.Background()) })

// needsSandbox skips a test of restricted commands where the kernel cannot restrict, and one of the
// machine as it is where namespaces are forbidden.
func needsSandbox(t *testing.T, loopback bool) {
	t.Helper()
	if s := here(); s.Level == sandbox.None || loopback && !(s.Confined.Loopback && s.Confined.Files && s.Confined.Proc) {
		t.Skipf("this machine has not all that the test is about: %+v", s)
	}
}

// confined runs a restricted script in a workspace on each variant.
func confined(t *testing.T, test func(t *testing.T, workspace string, run func(script string) (string, sandbox.Exit))) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			needsSandbox(t, v.loopback)
			workspace := t.TempDir()
			test(t, workspace, func(script string) (string, sandbox.Exit) {
				c := shell(script, true)
				c.Dir, c.Write = workspace, []string{workspace}
				v.with(&c)
				return run(t, c)
			})
		})
	}
}

func TestARestrictedCommandReachesItsFoldersAndTheSystemsOnly(t *testing.T) {
	t.Parallel()
	confined(t, func(t *testing.T, workspace string, run func(string) (string, sandbox.Exit)) {
		outside := t.TempDir()
		secret := filepath.Join(outside, "secret")
		write(t, secret, "canary-5150")
		write(t, filepath.Join(workspace, "a"), "mine\n")
		if err := os.Symlink(secret, filepath.Join(workspace, "link")); err != nil {
			t.Fatal(err)
		}
		for script, want := range map[string]string{
			"cat a": "mine\n",
			"mkdir -p d/e && echo x > d/b && mv d/b d/e/c && ln d/e/c f && cat f && rm -r d f": "x\n",
			"head -c 4 /usr/bin/env | tail -c 3":                                               "ELF",
			"printf '#!/bin/sh\necho ran' > run.sh && chmod +x run.sh && ./run.sh":             "ran\n",
			"echo x > /dev/null; head -c 2 /dev/zero | wc -c":                                  "2\n",
			"getent passwd root | cut -d: -f1":                                                 "root\n",
			"echo from a pipe | cat /dev/stdin":                                                "from a pipe\n",
			"cat /proc/self/comm":                                                              "cat\n",
		} {
			if out, exit := run(script); out != want || exit.Code != 0 {
				t.Errorf("%q: %q, %+v, want %q", script, out, exit, want)
			}
		}
		for _, script := range []string{
			"cat " + secret, "cat link", "cp -r " + outside + " copy && cat copy/secret",
			"echo x > " + secret, "echo x >> link", "touch " + outside + "/new", "rm -f " + secret, "ln " + secret + " hard && cat hard",
			"mv " + secret + " .", "mkdir " + outside + "/sub", "echo > /etc/new", "echo > /usr/new", "echo x > /tmp/new-of-sandbox-test", "cat /etc/shadow", "ls /root",
			"truncate -s 0 " + secret, "echo x > /proc/self/oom_score_adj", "echo x > /proc/sys/kernel/core_pattern", "head -c 1 /dev/vda", "mknod disk b 254 0",
		} {
			out, exit := run(script)
			if exit.Code == 0 || strings.Contains(out, "canary") {
				t.Errorf("%q succeeded: %q", script, out)
			}
		}
		if text, err := os.ReadFile(secret); err != nil || string(text) != "canary-5150" {
			t.Errorf("the file outside: %q, %v", text, err)
		}
	})
}

func TestARestrictedCommandChangesNoModeOutside(t *testing.T) {
	t.Parallel()
	needsSandbox(t, true)
	workspace, outside := t.TempDir(), t.TempDir()
	file := filepath.Join(outside, "a")
	write(t, file, "x")
	for script, works := range map[string]bool{
		"chmod 777 " + file: false, "touch -d 2001-01-01 " + file: false, "chown 1:1 " + file: false, "chmod 700 /dev/null": false,
		"touch -d 2001-01-01 a && chmod 700 a && mkdir -p b && mv a b && ln b/a c": true, "echo x > /dev/shm/a && rm /dev/shm/a": true,
	} {
		c := shell(script, true)
		c.Dir, c.Write = workspace, []string{workspace, filepath.Join(workspace, "b")}
		if err := os.MkdirAll(c.Write[1], 0o755); err != nil {
			t.Fatal(err)
		}
		if out, exit := run(t, c); (exit.Code == 0) != works {
			t.Errorf("%q: %q, %+v, want success %v", script, out, exit, works)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o644 || time.Since(info.ModTime()) > time.Hour {
		t.Errorf("outside: %v, %v", info, err)
	}
}

func TestNothingOfTheProgramsEnvironmentReachesACommand(t *testing.T) {
	t.Setenv("SANDBOX_CANARY_KEY", "canary-8086") // also of what this test started
	needsSandbox(t, true)
	for _, v := range variants {
		workspace := t.TempDir()
		c := shell(`env; for p in /proc/[0-9]*; do tr '\0' '\n' < $p/environ; cat $p/maps $p/mem; ls $p/root/ $p/cwd/; done 2>&1; cat /proc/$PPID/environ /proc/$PPID/task/*/environ /proc/1/environ; for f in /proc/$PPID/task/*/fd/[34]; do (echo x > $f) && echo opened; (head -c 0 $f) && echo opened; done`, true)
		c.Dir, c.Write = workspace, []string{workspace}
		v.with(&c)
		out, _ := run(t, c)
		if strings.Contains(out, "canary") || strings.Contains(out, "GOGC") || strings.Contains(out, "opened") || !strings.Contains(out, "TERM=dumb") {
			t.Errorf("%s: got %.2000q", v.name, out)
		}
	}
	out, _ := run(t, shell("env", false))
	if strings.Contains(out, "CANARY") {
		t.Errorf("not restricted: got %q", out)
	}
}

func TestARestrictedCommandReachesNoOtherProgram(t *testing.T) {
	t.Parallel()
	confined(t, func(t *testing.T, workspace string, run func(string) (string, sandbox.Exit)) {
		tcp := listen(t, "tcp4", "127.0.0.1:0")
		docker := filepath.Join(workspace, "docker.sock")
		listen(t, "unix", docker)
		abstract := "sandbox-" + filepath.Base(filepath.Dir(workspace))
		listen(t, "unix", "@"+abstract)
		port := tcp.Addr().(*net.TCPAddr).Port
		const python = `python3 - <<'E'
import socket as s
def go(*a):
    %s
try: go(); print("reached")
except OSError as e: print("refused", e)
E`
		script := func(body string) string { return fmt.Sprintf(python, body) }
		loopback := sandbox.ActLocal
		out, exit := run(script("s.create_connection(('127.0.0.1', " + fmt.Sprint(port) + "), 2)"))
		if slices.Contains(exit.Blocked, sandbox.ActNetwork) {
			loopback = sandbox.ActNetwork // inet sockets are blocked as such
		}
		if !strings.HasPrefix(out, "refused") || !slices.Contains(exit.Blocked, loopback) {
			t.Errorf("TCP: %q, blocked %v", out, exit.Blocked)
		}
		for body, act := range map[string]sandbox.Act{
			"s.create_connection(('192.0.2.1', 80), 2)":                            sandbox.ActNetwork,
			"s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))":    sandbox.ActNetwork,
			"s.socket(s.AF_INET6, s.SOCK_STREAM).connect(('2001:db8::1', 80))":     sandbox.ActNetwork,
			"s.socket(s.AF_INET6, s.SOCK_DGRAM).sendto(b'x', ('2001:db8::1', 53))": sandbox.ActNetwork,
			"s.socket(s.AF_UNIX).connect('" + docker + "')":                        sandbox.ActUnix,
			"s.socket(s.AF_UNIX).connect('\\0" + abstract + "')":                   sandbox.ActUnix,
			"s.socket(s.AF_UNIX, s.SOCK_DGRAM).sendto(b'x', '" + docker + "')":     sandbox.ActUnix,
			"s.socket(40, s.SOCK_STREAM)":                                          sandbox.ActSocket, // vsock
			"s.socket(s.AF_PACKET, s.SOCK_RAW)":                                    sandbox.ActSocket,
			"s.socket(s.AF_NETLINK, s.SOCK_RAW, 15)":                               sandbox.ActSocket,
		} {
			out, exit := run(script(body))
			if !strings.HasPrefix(out, "refused") || !slices.Contains(exit.Blocked, act) {
				t.Errorf("%s: %q, blocked %v, want %q", body, out, exit.Blocked, act)
			}
		}
		if out, exit := run("HOME=/ python3 -c 'import socket; a, b = socket.socketpair(); a.send(b\"x\"); print(b.recv(1))'"); out != "b'x'\n" || len(exit.Blocked) > 0 {
			t.Errorf("socketpair: %q, %+v", out, exit)
		}
	})
}

func TestARestrictedCommandCannotLeaveItsSandbox(t *testing.T) {
	t.Parallel()
	confined(t, func(t *testing.T, workspace string, run func(string) (string, sandbox.Exit)) {
		write(t, filepath.Join(workspace, "try.py"), escapes)
		out, exit := run("python3 try.py " + fmt.Sprint(os.Getpid()))
		if exit.Code != 0 || out == "" {
			t.Fatalf("got %q, %+v", out, exit)
		}
		for line := range strings.Lines(out) {
			if name, result, _ := strings.Cut(strings.TrimSpace(line), " "); result == "done" {
				t.Errorf("%s succeeded", name)
			}
		}
	})
}

// escapes makes system calls by number, on this and on the old 32-bit interface.
const escapes = `
import ctypes, mmap, os, platform, sys
libc = ctypes.CDLL(None, use_errno=True)
parent = int(sys.argv[1])
arm = platform.machine() == "aarch64"
def call(name, amd, arm64, *args):
    n = arm64 if arm else amd
    if n is None: return
    r = libc.syscall(ctypes.c_long(n), *[ctypes.c_long(a) for a in args])
    e = ctypes.get_errno()
    print(name, "done" if r >= 0 or e not in (1, 38) else os.strerror(e))
call("unshare", 272, 97, 0x10000000)
call("setns", 308, 268, 0, 0)
call("mount", 165, 40, 0, 0, 0, 0, 0)
call("umount2", 166, 39, 0, 0)
call("open_tree", 428, 428, -100, 0, 0)
call("ptrace", 101, 117, 16, parent, 0, 0)
call("process_vm_readv", 310, 270, parent, 0, 0, 0, 0, 0)
call("io_uring_setup", 425, 425, 8, 0)
call("bpf", 321, 280, 0, 0, 0)
call("keyctl", 250, 219, 0, -3, 0)
call("perf_event_open", 298, 241, 0, 0, 0, 0, 0)
call("userfaultfd", 323, 282, 0)
call("clone3", 435, 435, 0, 0)
call("clone-newuser", 56, 220, 0x10000000 | 17, 0, 0, 0, 0)
call("x32-getpid", 0x40000000 + 39, None)
try:
    os.kill(parent, 0); print("kill", "done")
except OSError as e: print("kill", e)
if not arm:
    # int 0x80: getpid of the 32-bit interface. Without a filter it answers a number.
    code = mmap.mmap(-1, 4096, prot=7)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\x48\x98\xc3")
    f = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
    r = f()
    print("int80-getpid", "done" if r > 0 else r)
`

func TestHiddenFoldersStayHiddenInsideAllowedOnes(t *testing.T) {
	t.Parallel()
	needsSandbox(t, true)
	home := t.TempDir()
	data := filepath.Join(home, "data")
	task := filepath.Join(data, "tasks", "1")
	write(t, filepath.Join(home, "notes"), "notes\n")
	write(t, filepath.Join(data, "society.db"), "canary-6502")
	write(t, filepath.Join(task, "a"), "mine\n")
	c := shell("cat "+home+"/notes "+task+"/a; echo y > "+task+"/b; ls "+data+"; cat "+data+"/society.db; umount "+data, true)
	c.Dir, c.Read, c.Write, c.Hide = task, []string{home}, []string{task}, []string{data}
	out, exit := run(t, c)
	if !strings.HasPrefix(out, "notes\nmine\ntasks\n") || strings.Contains(out, "canary") || exit.Code == 0 {
		t.Errorf("got %q, %+v", out, exit)
	}
	if text, err := os.ReadFile(filepath.Join(task, "b")); err != nil || string(text) != "y\n" {
		t.Errorf("what it wrote: %q, %v", text, err)
	}
	sandbox.WithoutNamespaces(&c)
	if _, err := sandbox.Start(t.Context(), c); !errors.Is(err, sandbox.ErrUnavailable) || !strings.Contains(err.Error(), data) {
		t.Errorf("Start where nothing can be hidden: %v, want a refusal that names %s", err, data)
	}
}

// TestMountsThatCannotBeFinishedAreGivenUp: a file cannot be mounted in an empty folder, so what is
// hidden around it cannot be hidden, and the command must not run half confined.
func TestMountsThatCannotBeFinishedAreGivenUp(t *testing.T) {
	t.Parallel()
	needsSandbox(t, true)
	home := t.TempDir()
	file := filepath.Join(home, "data", "file")
	write(t, file, "x")
	c := shell("echo ran", true)
	c.Read, c.Hide, c.Write = []string{home}, []string{filepath.Dir(file)}, []string{file}
	c.Output = func(piece []byte) { t.Errorf("it ran: %q", piece) }
	if _, err := sandbox.Start(t.Context(), c); !errors.Is(err, sandbox.ErrUnavailable) {
		t.Errorf("Start: %v, want %v", err, sandbox.ErrUnavailable)
	}
}

func TestStartRefusesToRunFreeWhatIsToBeRestricted(t *testing.T) {
	t.Parallel()
	c := shell("echo ran", true)
	c.Output = func(piece []byte) { t.Errorf("it ran: %q", piece) }
	sandbox.WithoutLandlock(&c)
	if _, err := sandbox.Start(t.Context(), c); !errors.Is(err, sandbox.ErrUnavailable) {
		t.Errorf("Start: %v, want %v", err, sandbox.ErrUnavailable)
	}
}

func TestProbeTellsWhatHolds(t *testing.T) {
	t.Parallel()
	needsSandbox(t, true)
	for name, c := range map[string]struct {
		with     func(*sandbox.Command)
		level    sandbox.Level
		missing  string
		loopback bool
	}{
		"as it is":               {func(*sandbox.Command) {}, sandbox.Full, "", true},
		"no namespaces":          {sandbox.WithoutNamespaces, sandbox.Partial, "not prevented: file mode", false},
		"old Landlock":           {sandbox.WithOldLandlock, sandbox.Partial, "version 1 of Landlock", true},
		"old, and no namespaces": {func(c *sandbox.Command) { sandbox.WithOldLandlock(c); sandbox.WithoutNamespaces(c) }, sandbox.Partial, "not prevented: signal", false},
		"no Landlock":            {sandbox.WithoutLandlock, sandbox.None, "no Landlock", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sandbox.ProbeAs(t.Context(), c.with)
			if s.Level != c.level || s.Confined.Loopback != c.loopback || !strings.Contains(fmt.Sprint(s.Missing), c.missing) || (c.missing == "") != (s.Missing == nil) {
				t.Errorf("got %+v, want %q, loopback %v, missing %q", s, c.level, c.loopback, c.missing)
			}
		})
	}
}

// TestProbeEndsOnOneProcessor: there nobody answers for a socket while its caller keeps the processor.
func TestProbeEndsOnOneProcessor(t *testing.T) {
	needsSandbox(t, false)
	runtime.LockOSThread() // the helper is started from this thread, and inherits
	defer runtime.UnlockOSThread()
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	for cpu := range 1024 {
		if before.IsSet(cpu) {
			one.Set(cpu)
			break
		}
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		t.Fatal(err)
	}
	defer unix.SchedSetaffinity(0, &before)
	for range 5 {
		if s := sandbox.Probe(t.Context()); s.Level != here().Level {
			t.Fatalf("got %+v, want %q", s, here().Level)
		}
	}
}

// TestWhatIsTriedSucceedsWithoutASandbox shows that Probe's acts are possible, so that it is the
// sandbox which prevents them.
func TestWhatIsTriedSucceedsWithoutASandbox(t *testing.T) {
	t.Parallel()
	done := sandbox.TryUnrestricted(t)
	for _, act := range []sandbox.Act{sandbox.ActWrite, sandbox.ActRead, sandbox.ActNetwork, sandbox.ActUnix, sandbox.ActSignal, sandbox.ActEnviron} {
		if !slices.Contains(done, act) {
			t.Errorf("%q did not succeed without a sandbox: %v", act, done)
		}
	}
}

func TestARestrictedCommandStartsSoon(t *testing.T) {
	needsSandbox(t, false)
	run(t, shell("true", true)) // pages of the program are read from the disk
	figure := func(restricted bool) time.Duration {
		var all []time.Duration
		for range 21 {
			_, exit := run(t, shell("exit 0", restricted))
			all = append(all, exit.Took)
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	with, helped := figure(true), figure(false)
	start := time.Now()
	sandbox.Probe(context.Background())
	probe := time.Since(start)
	t.Logf("median of a call: restricted %v, not restricted %v; probe %v", with, helped, probe)
	if with > 250*time.Millisecond || probe > time.Second { // ten times what is aimed at: other tests run, too
		t.Errorf("restricted %v, probe %v", with, probe)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// listen accepts whoever comes, and says so on a connection.
func listen(t *testing.T, network, address string) net.Listener {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

package programtest

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An injection makes system calls of a program fail, counted over all its
// threads, or kills it before one. strace counts per thread, but a goroutine
// that writes changes threads.
type injection struct {
	calls []uint32
	fault syscall.Errno // 0 kills
	from  int           // the first affected call
	times int
}

var (
	writes = []uint32{unix.SYS_PWRITE64, unix.SYS_FTRUNCATE}
	syncs  = []uint32{unix.SYS_FDATASYNC, unix.SYS_FSYNC}
)

// injectEnv makes the test's binary run the program in its arguments with an
// injection. It creates the named file when it has taken effect.
const injectEnv = "SOCIETY_TEST_INJECT"

func init() { helpers[injectEnv] = injecting }

const metBy = "injected"

// command returns the program with an injection, not started.
func (j injection) command(h *home, args ...string) *exec.Cmd {
	h.t.Helper()
	self, err := os.Executable()
	if err != nil {
		h.t.Fatal(err)
	}
	c := h.command(args...)
	c.Args = append([]string{self}, append([]string{c.Path}, args...)...)
	c.Path = self
	c.Env = append(slices.Clone(h.env), fmt.Sprintf("%s=%d %d %d %d %d", injectEnv, j.calls[0], j.calls[1], j.fault, j.from, j.times))
	return c
}

// met reports whether the injection took effect since the last call.
func (h *home) met() bool { return os.Remove(h.path(metBy)) == nil }

// injecting is the test's binary with an injection.
func injecting(order string) int {
	j := injection{calls: make([]uint32, 2)}
	if _, err := fmt.Sscan(order, &j.calls[0], &j.calls[1], &j.fault, &j.from, &j.times); err != nil {
		panic(err) // our own encoding
	}
	runtime.LockOSThread() // this thread is the tracer
	if err := j.filter(); err != nil {
		fmt.Println(cannotInject, err)
		return 1
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, injectEnv) })
	p, err := os.StartProcess(os.Args[1], os.Args[1:], &os.ProcAttr{
		Env: env, Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}, Sys: &syscall.SysProcAttr{Ptrace: true},
	})
	if err != nil {
		fmt.Println(cannotInject, err)
		return 1
	}
	return j.trace(p.Pid)
}

// cannotInject is the message on a machine that does not permit tracing.
const cannotInject = "nothing can be injected:"

// filter makes this thread and its children stop at the affected calls, for the
// tracer.
func (j injection) filter() error {
	program := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}} // the number of the call
	for i, call := range j.calls {
		program = append(program, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: call, Jt: uint8(len(j.calls) - i)})
	}
	program = append(program,
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_TRACE},
	)
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	all := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&all)), 0, 0)
}

// trace follows the program and its threads to the end, and returns the exit
// code, as a shell does after a signal.
func (j injection) trace(program int) (code int) {
	var status unix.WaitStatus
	if _, err := unix.Wait4(program, &status, 0, nil); err != nil {
		panic(err)
	}
	err := unix.PtraceSetOptions(program, unix.PTRACE_O_EXITKILL|unix.PTRACE_O_TRACESECCOMP|
		unix.PTRACE_O_TRACECLONE|unix.PTRACE_O_TRACEFORK|unix.PTRACE_O_TRACEVFORK)
	if err != nil {
		fmt.Println(cannotInject, err)
		return 1
	}
	begun := map[int]bool{program: true}
	_ = unix.PtraceCont(program, 0)
	for seen := 0; ; {
		id, err := unix.Wait4(-1, &status, unix.WALL, nil)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil: // none is left
			return code
		case id == program && status.Exited():
			code = status.ExitStatus()
		case id == program && status.Signaled():
			code = 128 + int(status.Signal())
		}
		if !status.Stopped() {
			continue
		}
		sig := status.StopSignal()
		switch {
		case sig == unix.SIGTRAP && status.TrapCause() == unix.PTRACE_EVENT_SECCOMP:
			seen++
			j.meet(program, id, seen)
			sig = 0
		case sig == unix.SIGTRAP, sig == unix.SIGSTOP && !begun[id]:
			sig = 0
		}
		begun[id] = true
		_ = unix.PtraceCont(id, int(sig)) // it may have been killed meanwhile
	}
}

// meet makes an affected call fail, or kills.
func (j injection) meet(program, id, seen int) {
	if seen < j.from || seen >= j.from+j.times {
		return
	}
	if err := os.WriteFile(metBy, nil, 0o600); err != nil {
		panic(err)
	}
	if j.fault == 0 {
		_ = unix.Kill(program, unix.SIGKILL)
		return
	}
	var regs unix.PtraceRegs
	if unix.PtraceGetRegs(id, &regs) == nil {
		regs.Orig_rax, regs.Rax = ^uint64(0), -uint64(j.fault)
		_ = unix.PtraceSetRegs(id, &regs)
	}
}

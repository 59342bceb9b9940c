package sandbox

import (
	"fmt"
	"slices"
	"sync"
	"syscall"
	"unsafe"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// forbidden are the system calls that no command of an agent needs and that lead out of a sandbox:
// other processes' memory, mounts, namespaces, keys, code in the kernel, and io_uring, which does
// what this filter cannot see.
var forbidden = []string{
	"ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd",
	"mount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
	"unshare", "setns",
	"keyctl", "add_key", "request_key",
	"bpf", "perf_event_open", "userfaultfd", "fanotify_init", "open_by_handle_at",
	"io_uring_setup", "io_uring_enter", "io_uring_register",
	"kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot", "swapon", "swapoff",
	"acct", "quotactl", "quotactl_fd", "iopl", "ioperm", "modify_ldt", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex",
	"sethostname", "setdomainname", "syslog", "vhangup",
}

// shared are the system calls for memory and queues that all programs of a user share, forbidden
// where the command has no IPC namespace.
var shared = []string{"shmget", "shmat", "semget", "msgget", "mq_open"}

// newNamespace are the flags of clone that make namespaces.
const newNamespace = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// refuse is the action that fails a call with an error.
func refuse(errno syscall.Errno) seccomp.Action {
	return seccomp.Action(unix.SECCOMP_RET_ERRNO | uint32(errno))
}

// families returns the kinds of sockets that are permitted.
func families(c Confinement) []uint64 {
	permitted := []uint64{unix.AF_NETLINK} // of one protocol: which interfaces there are
	if c.Loopback {
		permitted = append(permitted, unix.AF_INET, unix.AF_INET6)
	}
	if c.Landlock >= blocksUnix {
		permitted = append(permitted, unix.AF_UNIX)
	}
	return permitted
}

// policy returns what is refused. Sockets are refused with an action of their own.
func policy(c Confinement, table *arch.Info, socket seccomp.Action) *seccomp.Policy {
	names := slices.Clone(forbidden)
	if !c.Processes {
		names = append(names, shared...)
	}
	known := slices.DeleteFunc(names, func(name string) bool {
		_, ok := table.SyscallNames[name]
		return !ok
	})
	var other seccomp.ArgumentConditions
	for _, family := range families(c) {
		other = append(other, seccomp.Condition{Argument: 0, Operation: seccomp.NotEqual, Value: family})
	}
	return &seccomp.Policy{
		DefaultAction: seccomp.ActionAllow,
		Syscalls: []seccomp.SyscallGroup{
			{Action: refuse(unix.EPERM), Names: known, NamesWithCondtions: []seccomp.NameWithConditions{
				{Name: "clone", Conditions: seccomp.ArgumentConditions{{Argument: 0, Operation: seccomp.BitsSet, Value: newNamespace}}},
			}},
			// Its flags are in memory, where a filter cannot look. Programs use clone then.
			{Action: refuse(unix.ENOSYS), Names: []string{"clone3"}},
			{Action: socket, NamesWithCondtions: []seccomp.NameWithConditions{
				{Name: "socket", Conditions: other},
				{Name: "socket", Conditions: seccomp.ArgumentConditions{
					{Argument: 0, Operation: seccomp.Equal, Value: unix.AF_NETLINK},
					{Argument: 2, Operation: seccomp.NotEqual, Value: unix.NETLINK_ROUTE},
				}},
			}},
		},
	}
}

// assemble returns a policy as the kernel reads it. The library lets calls of other architectures
// pass, such as those of 32-bit programs; here there are none.
func assemble(p *seccomp.Policy, table *arch.Info) ([]unix.SockFilter, error) {
	instructions, err := p.Assemble()
	if err != nil {
		return nil, err
	}
	const offsetOfArchitecture = 4
	native := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offsetOfArchitecture, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(table.ID), SkipTrue: 1},
		bpf.RetConstant{Val: uint32(refuse(unix.ENOSYS))},
	}
	raw, err := bpf.Assemble(append(native, instructions...))
	if err != nil {
		return nil, err
	}
	filter := make([]unix.SockFilter, 0, len(raw))
	for _, i := range raw {
		filter = append(filter, unix.SockFilter{Code: i.Op, Jt: i.Jt, Jf: i.Jf, K: i.K})
	}
	return filter, nil
}

// restrictCalls limits the system calls of this thread and all that it starts. Refused sockets are
// told to the returned watcher if the kernel can tell.
func restrictCalls(c *Confinement) (*watcher, error) {
	table, err := arch.GetInfo("")
	if err != nil {
		return nil, fmt.Errorf("%w: seccomp: %w", ErrUnavailable, err)
	}
	// A container that watches calls itself leaves no room for a second watcher.
	if fd, err := load(policy(*c, table, seccomp.ActionUserNotify), table, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER); err == nil {
		c.Told = true
		w := &watcher{fd: fd}
		go w.watch()
		return w, nil
	}
	if _, err := load(policy(*c, table, refuse(unix.EPERM)), table, 0); err != nil {
		return nil, fmt.Errorf("seccomp: %w", err)
	}
	return &watcher{fd: -1}, nil
}

func load(p *seccomp.Policy, table *arch.Info, flags uintptr) (int, error) {
	filter, err := assemble(p, table)
	if err != nil {
		return 0, err
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return 0, errno
	}
	return int(fd), nil
}

// A watcher answers calls that the filter refers to it: each is refused, and remembered.
type watcher struct {
	fd  int
	mu  sync.Mutex // guards saw
	saw []Act
}

// A notification and a response are as linux/seccomp.h has them.
type (
	notification struct {
		id         uint64
		pid, flags uint32
		call       int32
		arch       uint32
		at         uint64
		arguments  [6]uint64
	}
	response struct {
		id    uint64
		value int64
		err   int32
		flags uint32
	}
)

// watch answers until no process is left that could call.
func (w *watcher) watch() {
	for {
		var n notification
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(w.fd), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n)))
		if errno == unix.EINTR || errno == unix.ENOENT {
			continue // who called was killed meanwhile
		}
		if errno != 0 {
			return
		}
		w.note(socketAct(n.arguments[0]))
		r := response{id: n.id, err: -int32(unix.EPERM)}
		unix.Syscall(unix.SYS_IOCTL, uintptr(w.fd), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&r)))
	}
}

// socketAct names what a socket of a family would be for.
func socketAct(family uint64) Act {
	switch int32(family) {
	case unix.AF_UNIX:
		return ActUnix
	case unix.AF_INET, unix.AF_INET6:
		return ActNetwork
	}
	return ActSocket
}

func (w *watcher) note(act Act) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.saw, act) {
		w.saw = append(w.saw, act)
	}
}

// blocked returns what was tried in vain.
func (w *watcher) blocked() []Act {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.saw)
}

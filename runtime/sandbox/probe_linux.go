package sandbox

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// targets are what a restricted helper tries to reach. All of them are there and within reach of
// the program itself, so that nothing but the sandbox keeps the helper from them.
type targets struct {
	Folder             string // it holds the file "secret", and the listening socket "socket"
	Abstract           string // another listening socket
	TCP4, TCP6         int    // ports that are listened on; 0: not here
	UDP4, UDP6         int
	Program            int // the process of the program
	udp4, udp6         *net.UDPConn
	tcp4, tcp6         net.Listener
	unixPath, unixName net.Listener
}

// probeMost is how long a probe may take. A system that is slower has no sandbox.
const probeMost = 10 * time.Second

// Probe tries in the sandbox what is forbidden, and returns the state that this proves. It takes
// some tens of milliseconds.
func Probe(ctx context.Context) State { return probe(ctx, without{}) }

func probe(ctx context.Context, not without) State {
	t, err := newTargets()
	if err != nil {
		return State{Missing: []Reason{{Err: err}}}
	}
	defer t.close()
	o := order{Restricted: true, Try: t, NoLandlock: not.landlock, NoNamespaces: not.namespaces, AtMostABI: not.abiAbove}
	ctx, cancel := context.WithTimeout(ctx, probeMost)
	defer cancel()
	h, first, err := send(ctx, o, nil, nil, nil)
	if err != nil {
		return State{Missing: []Reason{{Err: err}}}
	}
	h.close()
	s := State{Level: Full, Confined: first.Confined}
	if v := first.Confined.Landlock; v < completeABI {
		s.Missing = append(s.Missing, Reason{Landlock: v})
	}
	for _, act := range slices.Compact(append(first.Done, t.heard()...)) {
		s.Missing = append(s.Missing, Reason{Act: act})
	}
	if len(s.Missing) > 0 {
		s.Level = Partial
	}
	return s
}

// newTargets makes what is tried.
func newTargets() (*targets, error) {
	folder, err := os.MkdirTemp("", "sandbox-")
	if err != nil {
		return nil, err
	}
	t := &targets{Folder: folder, Program: os.Getpid()}
	if err := os.WriteFile(filepath.Join(folder, "secret"), []byte("secret"), 0o600); err != nil {
		t.close()
		return nil, err
	}
	if t.unixPath, err = net.Listen("unix", filepath.Join(folder, "socket")); err != nil {
		t.close()
		return nil, err
	}
	t.Abstract = "@" + folder
	if t.unixName, err = net.Listen("unix", t.Abstract); err != nil {
		t.close()
		return nil, err
	}
	// An address family that is not here needs no proof.
	if t.tcp4, err = net.Listen("tcp4", "127.0.0.1:0"); err == nil {
		t.TCP4 = t.tcp4.Addr().(*net.TCPAddr).Port
	}
	if t.tcp6, err = net.Listen("tcp6", "[::1]:0"); err == nil {
		t.TCP6 = t.tcp6.Addr().(*net.TCPAddr).Port
	}
	if t.udp4, err = net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}); err == nil {
		t.UDP4 = t.udp4.LocalAddr().(*net.UDPAddr).Port
	}
	if t.udp6, err = net.ListenUDP("udp6", &net.UDPAddr{IP: net.IPv6loopback}); err == nil {
		t.UDP6 = t.udp6.LocalAddr().(*net.UDPAddr).Port
	}
	return t, nil
}

// heard returns the acts that reached the program, whatever the helper reports.
func (t *targets) heard() []Act {
	for _, conn := range []*net.UDPConn{t.udp4, t.udp6} {
		if conn == nil {
			continue
		}
		raw, err := conn.SyscallConn()
		if err != nil {
			continue
		}
		got := 0
		raw.Control(func(fd uintptr) { got, _, _ = unix.Recvfrom(int(fd), make([]byte, 16), unix.MSG_DONTWAIT) })
		if got > 0 {
			return []Act{ActNetwork}
		}
	}
	return nil
}

func (t *targets) close() {
	for _, l := range []net.Listener{t.tcp4, t.tcp6, t.unixPath, t.unixName} {
		if l != nil {
			l.Close()
		}
	}
	for _, c := range []*net.UDPConn{t.udp4, t.udp6} {
		if c != nil {
			c.Close()
		}
	}
	os.RemoveAll(t.Folder)
}

// succeed tries all that is forbidden on the calling thread, and returns what succeeded. It makes
// each call itself, because Go may make some of them on another thread.
func (t *targets) succeed(c Confinement) []Act {
	var done []Act
	for _, try := range []struct {
		act Act
		do  func() error
	}{
		{ActRead, func() error { return open(filepath.Join(t.Folder, "secret"), unix.O_RDONLY) }},
		{ActWrite, func() error { return open(filepath.Join(t.Folder, "secret"), unix.O_WRONLY) }},
		{ActWrite, func() error { return open(filepath.Join(t.Folder, "new"), unix.O_WRONLY|unix.O_CREAT) }},
		{ActMode, func() error { return unix.Chmod(filepath.Join(t.Folder, "secret"), 0o600) }},
		{ActMode, func() error { return unix.Utimes(filepath.Join(t.Folder, "secret"), make([]unix.Timeval, 2)) }},
		{ActWrite, func() error { return unix.Rename(filepath.Join(t.Folder, "secret"), filepath.Join(t.Folder, "moved")) }},
		{ActNetwork, func() error { return reach(unix.AF_INET, unix.SOCK_STREAM, ipv4(t.TCP4)) }},
		{ActNetwork, func() error { return reach(unix.AF_INET6, unix.SOCK_STREAM, ipv6(t.TCP6)) }},
		{ActNetwork, func() error { return sendTo(unix.AF_INET, ipv4(t.UDP4), c.Loopback) }},
		{ActNetwork, func() error { return sendTo(unix.AF_INET6, ipv6(t.UDP6), c.Loopback) }},
		{ActUnix, func() error {
			return reach(unix.AF_UNIX, unix.SOCK_STREAM, &unix.SockaddrUnix{Name: filepath.Join(t.Folder, "socket")})
		}},
		{ActUnix, func() error { return reach(unix.AF_UNIX, unix.SOCK_STREAM, &unix.SockaddrUnix{Name: t.Abstract}) }},
		{ActSocket, func() error { return socket(unix.AF_PACKET, unix.SOCK_RAW) }},
		{ActSocket, func() error { return socket(unix.AF_VSOCK, unix.SOCK_STREAM) }},
		{ActEnviron, func() error { return environ(t.Program, c.Proc) }},
		{ActTrace, func() error { return unix.PtraceSeize(t.Program) }},
		{ActTrace, func() error { return readMemory(t.Program) }},
		{ActSignal, func() error { return signalled(t.Program, c.Processes) }},
	} {
		if try.do() == nil && !slices.Contains(done, try.act) {
			done = append(done, try.act)
		}
	}
	return done
}

func open(path string, flags int) error {
	fd, err := unix.Open(path, flags|unix.O_CLOEXEC, 0o600)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

// newSocket opens a socket. unix.Socket holds up Go's scheduler during the call, and so the watcher
// that has to answer it.
func newSocket(family, kind int) (int, error) {
	fd, _, errno := unix.Syscall(unix.SYS_SOCKET, uintptr(family), uintptr(kind|unix.SOCK_CLOEXEC), 0)
	if errno != 0 {
		return -1, errno
	}
	return int(fd), nil
}

func socket(family, kind int) error {
	fd, err := newSocket(family, kind)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

func ipv4(port int) unix.Sockaddr {
	return &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}
}
func ipv6(port int) unix.Sockaddr { return &unix.SockaddrInet6{Port: port, Addr: [16]byte{15: 1}} }

// reach connects to an address. Where there is nothing to reach port 0 refuses.
func reach(family, kind int, to unix.Sockaddr) error {
	fd, err := newSocket(family, kind)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.Connect(fd, to)
}

// sendTo sends a datagram. On a loopback of its own that succeeds, and goes nowhere: heard
// reports whether the program received it.
func sendTo(family int, to unix.Sockaddr, ownLoopback bool) error {
	fd, err := newSocket(family, unix.SOCK_DGRAM)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if err := unix.Sendto(fd, []byte("probe"), 0, to); err != nil {
		return err
	}
	if ownLoopback {
		return errors.New("sent to itself")
	}
	return nil
}

// environ reads the environment of another process. In a /proc of its own it must see no other.
func environ(pid int, ownProc bool) error {
	if ownProc {
		processes, err := filepath.Glob("/proc/[0-9]*")
		if err == nil && len(processes) < 2 {
			err = errors.New("no other process to be seen")
		}
		return err
	}
	path := "/proc/" + strconv.Itoa(pid) + "/environ"
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	n, err := unix.Read(fd, make([]byte, 16))
	if err == nil && n == 0 {
		err = errors.New("nothing in it")
	}
	return err
}

func readMemory(pid int) error {
	here := make([]byte, 1)
	local := []unix.Iovec{{Base: &here[0], Len: 1}}
	_, err := unix.ProcessVMReadv(pid, local, []unix.RemoteIovec{{Base: 1 << 16, Len: 1}}, 0)
	if errors.Is(err, unix.EFAULT) {
		return nil // permitted, but for this address
	}
	return err
}

// signalled asks whether a process may be sent signals. In a namespace no number means it.
func signalled(pid int, ownProcesses bool) error {
	if ownProcesses {
		return errors.New("not to be named")
	}
	return unix.Kill(pid, 0)
}

// unreachable tells from the counters of a network namespace what was tried in vain on it.
func unreachable(c Confinement) []Act {
	if !c.Loopback {
		return nil
	}
	var acts []Act
	v4, v6 := counters("/proc/self/net/snmp"), counters("/proc/self/net/snmp6")
	if v4["IpOutNoRoutes"]+v6["Ip6OutNoRoutes"] > 0 {
		acts = append(acts, ActNetwork)
	}
	if v4["TcpAttemptFails"]+v4["UdpNoPorts"]+v6["Udp6NoPorts"] > 0 {
		acts = append(acts, ActLocal)
	}
	return acts
}

// counters reads a table of the kernel: of "Ip: A B" and "Ip: 1 2", or of "Ip6A 1" a line.
func counters(path string) map[string]int {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	values := map[string]int{}
	var names []string
	for line := range bytes.Lines(text) {
		fields := strings.Fields(string(line))
		if len(fields) == 0 {
			continue
		}
		kind, isTable := strings.CutSuffix(fields[0], ":")
		if !isTable {
			values[fields[0]], _ = strconv.Atoi(fields[len(fields)-1])
			continue
		}
		if len(names) != len(fields) || names[0] != fields[0] {
			names = fields
			continue
		}
		for i, name := range names[1:] {
			values[kind+name], _ = strconv.Atoi(fields[i+1])
		}
		names = nil
	}
	return values
}

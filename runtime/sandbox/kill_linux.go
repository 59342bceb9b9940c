package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// signalAll sends a signal to all descendants of this process.
func (s supervisor) signalAll(signal syscall.Signal) {
	if s.ownProcesses {
		syscall.Kill(-1, signal) // all but this one, at once
		return
	}
	for _, pid := range descendants() {
		syscall.Kill(pid, signal)
	}
}

// killAll kills all descendants, until none is closed. Those that fork faster than they are found
// are stopped before they are killed: a stopped process has no children.
func (s supervisor) killAll(none <-chan struct{}) {
	for attempt := 0; ; attempt++ {
		if attempt > 1 && !s.ownProcesses {
			stopAll()
		}
		s.signalAll(syscall.SIGKILL)
		select {
		case <-none:
			return
		case <-time.After(5 * time.Millisecond): // they die, or a new one has come
		}
	}
}

// stopAll stops all descendants, and those that came meanwhile.
func stopAll() {
	const passes = 20 // with so many, whoever can be stopped is
	stopped := map[int]bool{}
	for range passes {
		found := false
		for _, pid := range descendants() {
			if !stopped[pid] {
				found, stopped[pid] = true, true
				syscall.Kill(pid, syscall.SIGSTOP)
			}
		}
		if !found {
			return
		}
	}
}

// descendants returns all processes below this one.
func descendants() []int {
	children := map[int][]int{}
	for pid, p := range processes() {
		children[p.parent] = append(children[p.parent], pid)
	}
	var found []int
	next := children[os.Getpid()]
	for len(next) > 0 {
		pid := next[0]
		next = append(next[1:], children[pid]...)
		found = append(found, pid)
	}
	return found
}

// killSession kills all processes of a session whose helper is gone.
func killSession(session int) {
	for {
		found := false
		for pid, p := range processes() {
			if p.session == session && p.state != 'Z' {
				found = syscall.Kill(pid, syscall.SIGKILL) == nil || found
			}
		}
		if !found {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// A process is what the kernel says of one.
type process struct {
	state           byte
	parent, session int
}

// processes returns all that are there.
func processes() map[int]process {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil
	}
	found := map[int]process{}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if p, ok := processOf(name); ok {
			found[pid] = p
		}
	}
	return found
}

// processOf reads about one. Its name, in brackets, may hold anything, also brackets.
func processOf(pid string) (process, bool) {
	fd, err := unix.Open("/proc/"+pid+"/stat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return process{}, false
	}
	defer unix.Close(fd)
	var stat [512]byte
	n, err := unix.Read(fd, stat[:])
	if err != nil {
		return process{}, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat[:n], ')')+1 : n])
	if len(fields) < 4 {
		return process{}, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	session, err2 := strconv.Atoi(string(fields[3]))
	return process{fields[0][0], parent, session}, err == nil && err2 == nil
}

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
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil
	}
	children := map[int][]int{}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if parent, ok := parentOf(name); ok {
			children[parent] = append(children[parent], pid)
		}
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

// parentOf reads the parent of a process. The name before it may hold anything, also brackets.
func parentOf(pid string) (int, bool) {
	fd, err := unix.Open("/proc/"+pid+"/stat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, false
	}
	defer unix.Close(fd)
	var stat [512]byte
	n, err := unix.Read(fd, stat[:])
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat[:n], ')')+1 : n])
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return parent, err == nil
}

package httpserver

import (
	"errors"
	"fmt"
	"net"
	"os"
)

// A peer is the process at the other end of a socket, when it connected.
type peer struct{ uid, pid int }

var errStranger = errors.New("the process at the other end belongs to another user")

// checkUser refuses a connection with another user's process.
func checkUser(c net.Conn) error {
	_, err := ourPeer(c)
	return err
}

func ourPeer(c net.Conn) (peer, error) {
	p, err := peerOf(c)
	if err == nil && p.uid != os.Geteuid() {
		err = errStranger
	}
	return p, err
}

// checkPeer refuses a connection from another user's process, and from one that this
// process has started, itself or through others: what an agent runs must not command
// the society. A process whose parent has ended cannot be told from others.
func checkPeer(c net.Conn) error {
	p, err := ourPeer(c)
	if err != nil {
		return err
	}
	// 0 is a process outside of our container, which we cannot have started.
	if p.pid == 0 || p.pid == os.Getpid() {
		return nil
	}
	for pid, seen := p.pid, 0; pid > 1 && seen < 10_000; seen++ {
		parent, err := parentOf(pid)
		switch {
		case err != nil && pid == p.pid:
			return fmt.Errorf("find who started process %d: %w", pid, err)
		case err != nil:
			return nil // an ancestor that has ended, or is hidden as those of others may be
		case parent == os.Getpid():
			return fmt.Errorf("process %d was started by this program", p.pid)
		}
		pid = parent
	}
	return nil
}

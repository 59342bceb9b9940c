//go:build linux || darwin

package httpserver

import (
	"fmt"
	"net"
	"syscall"
)

// control calls f with the descriptor of a connection.
func control(c net.Conn, f func(fd int) error) error {
	s, ok := c.(syscall.Conn)
	if !ok {
		return fmt.Errorf("a %T has no descriptor", c)
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = f(int(fd)) }); err != nil {
		return err
	}
	return failed
}

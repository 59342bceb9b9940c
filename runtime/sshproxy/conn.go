package sshproxy

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A conn is a connection through ssh.
type conn struct {
	process *exec.Cmd
	end     context.CancelFunc
	ended   chan struct{} // closed when ssh has ended
	errors  standardError
	in      *os.File // to ssh
	from    *os.File // from ssh
	out     *bufio.Reader
	closed  sync.Once
}

// connect makes the pipes and starts ssh between them.
func (c *conn) connect() error {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return err
	}
	from, theirOut, err := os.Pipe()
	if err != nil {
		return errors.Join(err, theirIn.Close(), in.Close())
	}
	c.process.Stdin, c.process.Stdout, c.in, c.from, c.out = theirIn, theirOut, in, from, bufio.NewReader(from)
	err = c.process.Start()
	err = errors.Join(err, theirIn.Close(), theirOut.Close())
	if err != nil {
		err = errors.Join(err, in.Close(), from.Close())
	}
	return err
}

// wait waits until ssh has ended.
func (c *conn) wait(log *slog.Logger) {
	defer close(c.ended)
	err := c.process.Wait()
	log.Info("ssh ended", "part", "attach", "err", err, "said", c.errors.last())
}

// await waits until ssh has ended by itself, for a while.
func (c *conn) await() {
	select {
	case <-c.ended:
	case <-time.After(endTime):
	}
}

// Read reads what the session sends.
func (c *conn) Read(p []byte) (int, error) { return c.out.Read(p) }

// Write sends to the session.
func (c *conn) Write(p []byte) (int, error) { return c.in.Write(p) }

// Close ends the connection, and returns when ssh has ended.
func (c *conn) Close() error {
	c.closed.Do(func() {
		_ = c.in.Close() // the proxy there ends, and ssh with it
		_ = c.from.Close()
		c.end()
	})
	<-c.ended
	return nil
}

// SetDeadline sets both deadlines.
func (c *conn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// SetReadDeadline is that of net.Conn.
func (c *conn) SetReadDeadline(t time.Time) error { return c.from.SetReadDeadline(t) }

// SetWriteDeadline is that of net.Conn.
func (c *conn) SetWriteDeadline(t time.Time) error { return c.in.SetWriteDeadline(t) }

// An address is the end of a connection through ssh, which has none.
type address struct{}

func (address) Network() string { return "ssh" }
func (address) String() string  { return "ssh" }

// LocalAddr returns an address without meaning.
func (c *conn) LocalAddr() net.Addr { return address{} }

// RemoteAddr returns an address without meaning.
func (c *conn) RemoteAddr() net.Addr { return address{} }

// saidBytes is how much of what ssh wrote last is kept.
const saidBytes = 2 << 10

// standardError passes on what ssh writes, until hush, and keeps the end of it.
type standardError struct {
	mu   sync.Mutex
	to   io.Writer // nil for nobody
	said []byte
}

func (s *standardError) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, p...)
	s.said = s.said[max(0, len(s.said)-saidBytes):]
	if s.to != nil {
		_, _ = s.to.Write(p) // ssh is not to fail with it
	}
	return len(p), nil
}

// hush passes nothing on from now on: the screen has the terminal.
func (s *standardError) hush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = nil
}

// last returns the last line.
func (s *standardError) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := strings.TrimSpace(strings.ToValidUTF8(string(s.said), "\ufffd"))
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

package httpserver

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// An entrance is where connections come in: the socket or the port.
type entrance struct {
	server *Server
	http   *http.Server
	name   string
	check  func(net.Conn) error // refuses a connection before anything is read; may be nil
	rate   *rate.Limiter
	open   atomic.Int64 // connections
}

func (s *Server) newEntrance(name string, check func(net.Conn) error, withHTTP2 bool) *entrance {
	n := s.cfg.Limits.Requests
	e := &entrance{server: s, http: s.newHTTP(withHTTP2), name: name, check: check, rate: rate.NewLimiter(rate.Limit(n), n)}
	s.http = append(s.http, e.http)
	return e
}

// isSocket reports whether it is the socket, the only one whose other end can be told.
func (e *entrance) isSocket() bool { return e.check != nil }

// A listener accepts the connections that may come in, and closes the others.
type listener struct {
	net.Listener
	*entrance
}

// Accept returns the next connection that may come in.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.check != nil {
			if err := l.check(c); err != nil {
				_ = c.Close()
				l.server.warn("a connection was closed unread", "at", l.name, "why", err.Error())
				continue
			}
		}
		if l.open.Add(1) > int64(l.server.cfg.Limits.Connections) {
			l.open.Add(-1)
			_ = c.SetWriteDeadline(time.Now().Add(time.Second)) // an empty buffer takes the reply at once
			_, _ = c.Write([]byte(tooManyConnections))
			_ = c.Close()
			l.server.warn("a connection was refused: there are too many", "at", l.name)
			continue
		}
		n := l.server.cfg.Limits.Requests
		return &conn{Conn: c, from: l.entrance, refused: rate.NewLimiter(rate.Limit(n)/10, n)}, nil
	}
}

// Close closes the listener. It may be closed already: one whose socket was removed is
// replaced.
func (l *listener) Close() error {
	if err := l.Listener.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// tooManyConnections is the whole reply on a connection beyond the limit.
var tooManyConnections = func() string {
	const body = `{"error":"too_many_requests","message":"there are too many connections; close some, then try again","requestId":""}` + "\n"
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nConnection: close\r\nRetry-After: 1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		http.StatusTooManyRequests, http.StatusText(http.StatusTooManyRequests), len(body), body)
}()

// A conn is a connection that came in. It ends if its client stops reading.
type conn struct {
	net.Conn
	from    *entrance
	closed  sync.Once
	flight  atomic.Int64  // requests in flight, more than one only with HTTP/2
	refused *rate.Limiter // allows some requests beyond the rate of the entrance
}

// connKey is the key of a request's connection in its context.
type connKey struct{}

func connOf(r *http.Request) *conn {
	return r.Context().Value(connKey{}).(*conn) //nolint:forcetypeassert // our listeners return nothing else
}

// Write writes piece by piece, with a deadline for each, so that a long reply may take
// its time and a client that reads nothing may not.
func (c *conn) Write(p []byte) (n int, err error) {
	for err == nil && n < len(p) {
		if err = c.SetWriteDeadline(time.Now().Add(c.from.server.cfg.Limits.WriteTime)); err == nil {
			var written int
			written, err = c.Conn.Write(p[n:min(len(p), n+64<<10)])
			n += written
		}
	}
	return n, err
}

// CloseWrite lets the client read a reply to its end although more of its request is
// on the way.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// Close closes the connection and makes room for another.
func (c *conn) Close() error {
	c.closed.Do(func() { c.from.open.Add(-1) })
	return c.Conn.Close()
}

// warn writes a line that a client can cause, unless it causes many.
func (s *Server) warn(line string, args ...any) {
	s.noisy.Do(func() { s.cfg.Log.Warn(line, append([]any{"part", "http"}, args...)...) })
}

// Package httpserver lets programs of the user reach the HTTP API, and nobody else.
//
// [Start] listens on a Unix socket beside the data (socket.go) and on a port of this
// machine (address.go). A connection must come from the user (peer.go), and there may be
// only so many (listener.go). A request must name this machine, come from no foreign web
// page and bring the token (admit.go, token.go); only then the handler sees it. What a
// client sends or does not read is cut off in time (Limits).
//
// On Windows, and wherever the user at the other end of a socket cannot be told, there
// is only the port.
package httpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"society-tui/runtime/httpapi"
	"society-tui/runtime/i18n"
)

// A Config configures a Server. Handler, Folder, Session, Address and Log are required.
type Config struct {
	// Handler serves requests that were admitted. Around wraps it together with the
	// admission, so that it sees refused requests too.
	Handler http.Handler
	Around  func(http.Handler) http.Handler
	// Folder holds the data of Session. The caller has the lock of the session's store:
	// a socket that nobody serves is then left over, and is replaced.
	Folder, Session string
	Address         string // see CheckAddress
	AnyPort         bool   // allows port 0, for tests
	Log             *slog.Logger
	Limits          Limits // DefaultLimits if zero
}

// Limits bound what clients can use up. Connections and Requests count for the socket
// and the port separately, so that others who reach the port cannot block the socket.
type Limits struct {
	Headers     int // bytes, at least 8 KiB
	Connections int
	Streams     int
	Requests    int // each second

	HeaderTime time.Duration // until the header of a request has arrived
	BodyTime   time.Duration // until its body has
	IdleTime   time.Duration // between requests
	WriteTime  time.Duration // for a client to read the next 64 KiB
	LookTime   time.Duration // between looks whether the socket is still there
}

// DefaultLimits returns the limits of the product.
func DefaultLimits() Limits {
	return Limits{
		Headers: 16 << 10, Connections: 128, Streams: 16, Requests: 100,
		HeaderTime: 5 * time.Second, BodyTime: 10 * time.Second, IdleTime: time.Minute,
		WriteTime: 30 * time.Second, LookTime: 5 * time.Second,
	}
}

// A Server serves the API until Close.
type Server struct {
	cfg     Config
	http    []*http.Server // of the socket and of the port
	streams chan struct{}  // a slot for each open stream
	quiet   sync.Map       // connections without a request in flight, with their http.ConnState
	closing atomic.Bool
	noisy   rate.Sometimes // limits lines of the log that a client can cause

	socket  *socket // nil for none; owned by watchSocket until it has ended
	path    string  // of the socket, "" for none
	address string  // of the port, "" for none
	stop    context.CancelFunc
	watched sync.WaitGroup // watchSocket
	running sync.WaitGroup // goroutines that serve a listener
}

// Start serves the API on the socket and the port. A notice explains why one of them is
// missing, an error why there is no server.
func Start(cfg Config) (*Server, []*i18n.Message, error) {
	if cfg.Limits == (Limits{}) {
		cfg.Limits = DefaultLimits()
	}
	if err := makeToken(cfg.Folder, cfg.Session); err != nil {
		return nil, nil, err
	}
	s := &Server{cfg: cfg, streams: make(chan struct{}, cfg.Limits.Streams), noisy: rate.Sometimes{First: 10, Interval: time.Second}}
	var notices []*i18n.Message
	var err *i18n.Message
	if s.socket, err = listenSocket(cfg.Folder, cfg.Session); err != nil {
		notices = append(notices, err)
	}
	port, err := listenPort(cfg.Address, cfg.AnyPort)
	if err != nil {
		notices = append(notices, err)
	}
	if s.socket == nil && port == nil {
		return nil, nil, neither(notices)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.stop = cancel
	if port != nil {
		s.address = port.Addr().String()
		s.serve(&listener{Listener: port, entrance: s.newEntrance("port", nil, false)})
	}
	if s.socket != nil {
		s.path = s.socket.path
		entrance := s.newEntrance("socket", checkPeer, true)
		s.serve(&listener{Listener: s.socket.listener, entrance: entrance})
		s.goTracked(&s.watched, func() { s.watchSocket(ctx, entrance) })
	}
	cfg.Log.Info("the HTTP API listens", "part", "http", "socket", s.Socket(), "address", s.address)
	return s, notices, nil
}

// neither returns why there is no server.
func neither(notices []*i18n.Message) error {
	errs := make([]error, 0, len(notices)+1)
	for _, n := range notices {
		errs = append(errs, n)
	}
	if len(errs) == 0 { // there are no sockets on this system, and the port is off
		errs = append(errs, textNothing.With())
	}
	return errors.Join(errs...)
}

// newHTTP returns the server of an entrance.
func (s *Server) newHTTP(withHTTP2 bool) *http.Server {
	admitted := s.admit(s.cfg.Handler)
	if s.cfg.Around != nil {
		admitted = s.cfg.Around(admitted)
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(withHTTP2)
	const slop = 4 << 10 // what net/http reads beyond MaxHeaderBytes
	server := &http.Server{
		Handler: s.limitRate(admitted), Protocols: protocols, DisableGeneralOptionsHandler: true,
		HTTP2:          &http.HTTP2Config{MaxConcurrentStreams: 2 * s.cfg.Limits.Connections}, // see limitRate
		MaxHeaderBytes: s.cfg.Limits.Headers - slop, ReadHeaderTimeout: s.cfg.Limits.HeaderTime,
		ReadTimeout: s.cfg.Limits.BodyTime, IdleTimeout: s.cfg.Limits.IdleTime,
		// A reply may take as long as its client goes on reading it: see conn.Write.
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			if c, ok := c.(*conn); ok && c.from.isSocket() {
				ctx = httpapi.ViaSocket(ctx)
			}
			return context.WithValue(ctx, connKey{}, c)
		},
		ConnState: s.onState,
		ErrorLog:  slog.NewLogLogger(s.cfg.Log.With("part", "http").Handler(), slog.LevelWarn),
	}
	server.RegisterOnShutdown(func() {
		s.closing.Store(true)
		s.quiet.Range(func(c, state any) bool {
			closeQuiet(c.(net.Conn), state.(http.ConnState)) //nolint:forcetypeassert // onState stores nothing else
			return true
		})
	})
	return server
}

// onState remembers the connections that Close need not wait for.
func (s *Server) onState(c net.Conn, state http.ConnState) {
	if state != http.StateNew && state != http.StateIdle {
		s.quiet.Delete(c)
		return
	}
	s.quiet.Store(c, state)
	if s.closing.Load() {
		closeQuiet(c, state)
	}
}

// quietTime is for the last bytes of a reply, which may still be on their way when its
// connection becomes idle.
const quietTime = 100 * time.Millisecond

// closeQuiet closes a connection without a request in flight: at once, or soon if there
// was one.
func closeQuiet(c net.Conn, state http.ConnState) {
	if state == http.StateNew {
		_ = c.Close()
		return
	}
	_ = c.SetReadDeadline(time.Now().Add(quietTime))
}

// Socket returns the path of the socket, "" for none.
func (s *Server) Socket() string { return s.path }

// Address returns the host and port, "" for none.
func (s *Server) Address() string { return s.address }

// Close takes no new requests and waits until those in flight have ended. Streams end by
// themselves when the society has ended. When ctx is done, it closes all connections.
func (s *Server) Close(ctx context.Context) error {
	s.stop()
	s.watched.Wait()
	if s.socket != nil {
		s.socket.remove()
	}
	ended := make(chan error, len(s.http))
	for _, server := range s.http {
		s.goTracked(&s.running, func() {
			err := server.Shutdown(ctx)
			if err != nil {
				err = errors.Join(err, server.Close())
			}
			ended <- err
		})
	}
	s.running.Wait()
	close(ended)
	var errs []error
	for err := range ended {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// serve serves a listener until it is closed.
func (s *Server) serve(l *listener) {
	s.goTracked(&s.running, func() {
		if err := l.http.Serve(l); !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			s.cfg.Log.Error("the HTTP API listens no more", "part", "http", "at", l.Addr().String(), "error", err.Error())
		}
	})
}

// goTracked runs f in a goroutine that Close waits for. A panic in f is logged and ends
// f only.
func (s *Server) goTracked(group *sync.WaitGroup, f func()) {
	group.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				s.cfg.Log.Error("a goroutine panicked", "part", "http", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			}
		}()
		f()
	})
}

// watchSocket makes the socket anew when something has removed it, as cleaners of
// temporary files do.
func (s *Server) watchSocket(ctx context.Context, e *entrance) {
	tick := time.NewTicker(s.cfg.Limits.LookTime)
	defer tick.Stop()
	reported := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if _, err := os.Lstat(s.path); !errors.Is(err, os.ErrNotExist) {
			continue
		}
		again, err := s.socket.again(s.path)
		if err != nil {
			if !reported {
				s.cfg.Log.Warn("cannot make the socket again", "part", "http", "error", err.Error())
			}
			reported = true
			continue
		}
		s.cfg.Log.Info("the socket was gone; it was made again", "part", "http", "socket", s.path)
		reported = false
		s.serve(&listener{Listener: again.listener, entrance: e})
		_ = s.socket.listener.Close() // nobody can reach it
		s.socket = again
	}
}

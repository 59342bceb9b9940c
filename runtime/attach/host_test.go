package attach_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"society-tui/llm"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/attach"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A host is a running society and its server, which clients reach over pipes.
type host struct {
	testing.TB
	store     storage.Store
	model     llm.Model
	team      func(protocol.Lang) society.AddTeam // nil for none
	files     api.Files
	worktrees api.Worktrees
	change    func(*runtime.Config) // nil for nothing
	servers   runtime.Servers
	models    api.ModelSetup
	society   *runtime.Runtime
	leave     func()

	mu      sync.Mutex
	pipes   chan net.Conn // to the server
	closed  bool
	open    []*pipe // of clients
	budget  func() int
	greeted attachapi.Greeting
	moves   bool // another process goes on
	leaves  bool // the program does, and no screen attaches any more
	other   int  // another protocol that the program has, if not 0
}

// openHost runs a society with its server.
func openHost(t testing.TB, store storage.Store, model llm.Model) *host {
	t.Helper()
	h := &host{TB: t, store: store, model: model}
	h.start()
	return h
}

// start opens the society, again after leave.
func (h *host) start() {
	h.Helper()
	cfg := runtime.Config{Store: h.store, Model: h.model, ModelCalls: 32, Check: true, FirstTeam: h.team, Files: h.files, Worktrees: h.worktrees, Servers: h.servers}
	if h.change != nil {
		h.change(&cfg)
	}
	r, err := runtime.Open(cfg)
	if err != nil {
		h.Fatal(err)
	}
	handler, err := attachapi.New(attachapi.Config{
		Society: r, Models: h.models, Watch: func() (api.Watcher, func()) { w := r.Watch(); return w, w.Close },
		Greeting: func() attachapi.Greeting {
			g := h.greeted
			g.Session = "test"
			return g
		},
		GoesOn:  func() bool { h.mu.Lock(); defer h.mu.Unlock(); return h.moves },
		Leaving: func() bool { h.mu.Lock(); defer h.mu.Unlock(); return h.leaves },
		Logger:  slog.New(slog.DiscardHandler),
	})
	if err != nil {
		h.Fatal(err)
	}
	server := &http.Server{
		Handler: h.maybeOther(handler), Protocols: new(http.Protocols),
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context { return httpapi.ViaSocket(ctx) },
	}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	l := &listener{make(chan net.Conn), make(chan struct{})}
	h.mu.Lock()
	h.society, h.pipes, h.closed = r, l.conns, false
	h.mu.Unlock()
	var served sync.WaitGroup
	served.Go(func() { _ = server.Serve(l) })
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	h.leave = sync.OnceFunc(func() {
		h.Helper()
		h.mu.Lock()
		h.closed = true
		h.mu.Unlock()
		r.Force()
		cancel()
		if err := <-ended; err != nil {
			h.Errorf("Run = %v", err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := server.Shutdown(ctx); err != nil {
			_ = server.Close()
		}
		served.Wait()
	})
}

// maybeOther serves as a program of another protocol does, if there is to be one.
func (h *host) maybeOther(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		other := h.other
		h.mu.Unlock()
		if other == 0 {
			handler.ServeHTTP(w, r)
			return
		}
		w.WriteHeader(http.StatusUpgradeRequired)
		_, _ = fmt.Fprintf(w, `{"error":"incompatible","message":"another version","protocol":%d}`, other)
	})
}

// A listener accepts what dial connects.
type listener struct {
	conns chan net.Conn
	done  chan struct{}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error   { close(l.done); return nil }
func (l *listener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// dial connects a client. Its connection breaks after some bytes if there is a budget.
func (h *host) dial(ctx context.Context) (net.Conn, error) {
	here, there := net.Pipe()
	h.mu.Lock()
	to, closed := h.pipes, h.closed
	p := &pipe{Conn: here, left: 1 << 40}
	if h.budget != nil {
		p.left = h.budget()
	}
	h.open = append(h.open, p)
	h.mu.Unlock()
	if closed {
		return nil, net.ErrClosed
	}
	select {
	case to <- there:
		return p, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// cut breaks all connections.
func (h *host) cut() {
	h.mu.Lock()
	open := h.open
	h.open = nil
	h.mu.Unlock()
	for _, p := range open {
		_ = p.Close()
	}
}

// A pipe is a connection that breaks after some bytes in both directions together, in the
// middle of a frame or of a request.
type pipe struct {
	net.Conn
	mu     sync.Mutex
	left   int
	frozen chan struct{} // nil unless nothing goes through
	gone   chan struct{} // closed when it was closed while nothing went through

	stalled chan struct{} // nil unless the client reads nothing
}

// sent counts the bytes that went over the open connections.
func (h *host) sent() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, p := range h.open {
		p.mu.Lock()
		n += 1<<40 - p.left
		p.mu.Unlock()
	}
	return n
}

// freeze lets nothing through any more, and takes what the server writes, without an error
// for either end, until thaw.
func (p *pipe) freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frozen, p.gone = make(chan struct{}), make(chan struct{})
	go func() { _, _ = io.Copy(io.Discard, p.Conn) }()
}

// thaw breaks the connection at both ends.
func (p *pipe) thaw() {
	close(p.frozen)
	_ = p.Conn.Close()
}

// stall lets the client read nothing until goOn.
func (p *pipe) stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stalled = make(chan struct{})
}

func (p *pipe) goOn() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.stalled)
}

// await waits while nothing goes through. It returns false if the connection is closed then.
func (p *pipe) await() bool {
	p.mu.Lock()
	frozen, gone := p.frozen, p.gone
	p.mu.Unlock()
	if frozen == nil {
		return true
	}
	select {
	case <-frozen:
	case <-gone:
	}
	return false
}

func (p *pipe) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.frozen == nil {
		return p.Conn.Close()
	}
	select {
	case <-p.gone:
	default:
		close(p.gone)
	}
	return nil
}

// breakAfter lets so many bytes through.
func (p *pipe) breakAfter(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = n
}

func (p *pipe) take(n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n = min(n, p.left)
	p.left -= n
	return n
}

func (p *pipe) Read(b []byte) (int, error) {
	p.mu.Lock()
	stalled := p.stalled
	p.mu.Unlock()
	if stalled != nil {
		<-stalled
	}
	n, err := p.Conn.Read(b)
	if !p.await() {
		return 0, net.ErrClosed
	}
	if may := p.take(n); may < n {
		return may, errors.Join(io.EOF, p.Close())
	}
	return n, err
}

func (p *pipe) Write(b []byte) (int, error) {
	if !p.await() {
		return 0, net.ErrClosed
	}
	may := p.take(len(b))
	n, err := p.Conn.Write(b[:may])
	if err == nil && may < len(b) {
		err = errors.Join(net.ErrClosed, p.Close())
	}
	return n, err
}

func (h *host) connect(change ...func(*attach.Config)) *attach.Client {
	h.Helper()
	cfg := attach.Config{Dial: h.dial, Machine: "here"}
	for _, c := range change {
		c(&cfg)
	}
	c, err := attach.Connect(context.Background(), cfg)
	if err != nil {
		h.Fatal(err)
	}
	return c
}

// rarely returns how many bytes a connection lives, within about as many as a look has.
func rarely(r *rand.Rand) func() int {
	var mu sync.Mutex
	return func() int {
		mu.Lock()
		defer mu.Unlock()
		return 1 << (6 + r.IntN(12)) * (1 + r.IntN(3))
	}
}

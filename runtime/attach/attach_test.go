package attach_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/attach"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// A host is a running society and its server, which clients reach over pipes.
type host struct {
	*testing.T
	store   storage.Store
	society *runtime.Runtime
	handler *attachapi.Handler
	server  *http.Server
	leave   func()

	mu    sync.Mutex
	conns chan net.Conn
	open  []net.Conn // of clients
}

// openHost runs a society within a synctest bubble.
func openHost(t *testing.T, store storage.Store, model llm.Model) *host {
	t.Helper()
	r, err := runtime.Open(runtime.Config{Store: store, Model: model, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	h := &host{T: t, store: store, society: r, conns: make(chan net.Conn)}
	h.handler, err = attachapi.New(attachapi.Config{
		Society: r, Watch: func() (api.Watcher, func()) { w := r.Watch(); return w, w.Close },
		Greeting: func() attachapi.Greeting { return attachapi.Greeting{Session: "test", Started: r.StartReport()} },
		Logger:   slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	h.server = &http.Server{Handler: h.handler, Protocols: new(http.Protocols)}
	h.server.Protocols.SetHTTP1(true)
	h.server.Protocols.SetUnencryptedHTTP2(true)
	var served sync.WaitGroup
	served.Go(func() { _ = h.server.Serve(h) })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	h.leave = sync.OnceFunc(func() {
		t.Helper()
		r.Force()
		cancel()
		if err := errors.Join(<-ended, h.server.Shutdown(context.Background())); err != nil {
			t.Errorf("the society ended with %v", err)
		}
		served.Wait()
	})
	return h
}

// Accept, Close and Addr make it a net.Listener.
func (h *host) Accept() (net.Conn, error) {
	c, ok := <-h.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (h *host) Close() error   { close(h.conns); return nil }
func (h *host) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// dial connects a client.
func (h *host) dial(context.Context) (net.Conn, error) {
	here, there := net.Pipe()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.conns <- there
	h.open = append(h.open, here)
	return here, nil
}

func (h *host) connect(change ...func(*attach.Config)) *attach.Client {
	h.Helper()
	cfg := attach.Config{Dial: h.dial, Machine: "here"}
	for _, c := range change {
		c(&cfg)
	}
	c, err := attach.Connect(h.Context(), cfg)
	if err != nil {
		h.Fatal(err)
	}
	return c
}

func TestAttachedClientCommandsReadsAndIsTold(t *testing.T) {
	for _, http1 := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := openHost(t, memdb.New(), llmtest.Script("scripted", llmtest.Say("done")))
			defer h.leave()
			c := h.connect(func(cfg *attach.Config) {
				if http1 {
					cfg.URL = "http://127.0.0.1:3000"
				}
			})
			defer c.Close()
			w := c.Watcher()
			first, err := w.Next(t.Context())
			if err != nil || !first.All || len(first.Rows) != 1 || first.Screens != 1 || first.Model != "scripted" {
				t.Fatalf("first look = %+v, %v", first, err)
			}
			sent, err := api.Do(t.Context(), c, society.Send{To: society.Root, Text: "go"})
			if err != nil || sent.Message == "" {
				t.Fatalf("Do(Send) = %+v, %v", sent, err)
			}
			for inbox := 0; inbox == 0; {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				changes, err := w.Next(ctx)
				cancel()
				if err != nil {
					t.Fatal(err)
				}
				inbox = changes.Inbox
			}
			said, err := c.Inbox(t.Context(), api.InboxQuery{})
			if err != nil || len(said) != 1 || said[0].Body != "done" {
				t.Errorf("Inbox = %+v, %v", said, err)
			}
			if e, err := c.Entries(t.Context(), society.Root, 0, 0); err != nil || len(e.Entries) != 2 {
				t.Errorf("Entries = %+v, %v", e, err)
			}
			_, err = c.Do(t.Context(), society.Stop{Agent: "nobody-1"})
			refused, ok := errors.AsType[*society.Refusal](err)
			_, want := h.society.Do(t.Context(), society.Stop{Agent: "nobody-1"})
			if !ok || refused.Error() != want.Error() || refused.Code != society.AgentNotFound {
				t.Errorf("Do(Stop) of nobody = %v, want %v", err, want)
			}
		})
	}
}

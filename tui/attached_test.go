package tui_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"

	"society-tui/runtime/api"
	"society-tui/runtime/attach"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// attachedEnv, if set, puts the wire between every screen of the tests and its society.
const attachedEnv = "SOCIETY_ATTACHED"

// overWire attaches the screen to its society over a pipe in memory: script and frames
// must be the same.
func overWire(t screentest.T, cfg *tui.Config) {
	served := servedSociety{Society: cfg.Society}
	switch s := cfg.Society.(type) {
	case *fakeSociety:
		served.watch, served.Mu = func() (api.Watcher, func()) { w := s.Watch(); return w, w.Close }, &s.Mu
	default:
		t.Fatalf("a %T has one watcher only", s)
	}
	pipe := servePipe(t, served)
	c, err := attach.Connect(context.Background(), attach.Config{Dial: pipe.dial, Look: cfg.Look, Machine: cfg.Machine})
	if err != nil {
		t.Fatalf("attach: %v", err)
	}
	t.Cleanup(c.Close)
	cfg.Society, cfg.Watcher = c, c.Watcher()
}

// A servedSociety is a society that screens attach to.
type servedSociety struct {
	api.Society
	watch func() (api.Watcher, func())
	Mu    sync.Locker
}

// Once is Do: nothing is sent twice over a pipe that is not cut.
func (s servedSociety) Once(ctx context.Context, _ api.RequestKey, cmd society.Command) (society.Reply, error) {
	return s.Do(ctx, cmd)
}

func (servedSociety) CountScreens(int) int { return 1 }

// A pipe is a net.Listener in memory.
type pipe struct{ conns chan net.Conn }

func (p pipe) Accept() (net.Conn, error) {
	if c, ok := <-p.conns; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipe) Close() error { close(p.conns); return nil }
func (pipe) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p pipe) dial(context.Context) (net.Conn, error) {
	here, there := net.Pipe()
	p.conns <- there
	return here, nil
}

// servePipe serves a society until the test ends.
func servePipe(t screentest.T, s servedSociety) pipe {
	handler, err := attachapi.New(attachapi.Config{
		Society: s, Watch: s.watch, Greeting: func() attachapi.Greeting { return attachapi.Greeting{Session: "test"} }, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatalf("serve: %v", err)
	}
	p := pipe{make(chan net.Conn)}
	server := &http.Server{Handler: handler, Protocols: new(http.Protocols)}
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(p) }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("the server ended with %v", err)
		}
	})
	return p
}

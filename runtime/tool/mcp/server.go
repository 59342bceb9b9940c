package mcp

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// A server is one server of a set. The goroutine of run changes it; what others see stands
// beneath the mutex.
type server struct {
	set      *Set
	cfg      Server
	output   *tail
	switches chan api.ServerSwitch // capacity 0: what was sent has begun
	ended    chan struct{}         // closed when run has returned

	// oldest is set once the server has died of the question for its versions: it is started
	// with an older protocol from then on. Only run uses it.
	oldest bool

	mu    sync.Mutex
	state api.Server // with no tools
	tools []*remote  // those that agents can be offered, by their names
	told  []api.ServerTool
	live  *session // nil unless it is ready
	calls int
}

func newServer(set *Set, cfg Server) *server {
	s := &server{
		set: set, cfg: cfg, output: newTail(outputBytes),
		switches: make(chan api.ServerSwitch), ended: make(chan struct{}),
		state: api.Server{
			Name: cfg.Name, URL: cfg.URL, Env: cfg.Env, Trusted: cfg.Trusted,
			State: api.ServerStarting, Since: time.Now(), Group: string(Group(cfg.Name)),
		},
	}
	if cfg.Command != "" {
		s.state.Command = append([]string{cfg.Command}, cfg.Args...)
	}
	return s
}

// shown returns the server as the user is shown it.
func (s *server) shown() api.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	shown := s.state
	shown.Tools, shown.Calls = slices.Clone(s.told), s.calls
	return shown
}

// offered returns the tools that agents can be offered: also those of a server that has ended
// and is being started again, because it will most probably have them still.
func (s *server) offered() []tool.Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.State == api.ServerFailed || s.state.State == api.ServerStopped {
		return nil
	}
	all := make([]tool.Tool, len(s.tools))
	for i, t := range s.tools {
		all[i] = t
	}
	return all
}

// starting reports whether the server has not told its tools yet, and may do so by itself.
func (s *server) starting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.told == nil && (s.state.State == api.ServerStarting || s.state.State == api.ServerWaiting)
}

// update changes what others see and tells of it.
func (s *server) update(change func(state *api.Server)) {
	s.mu.Lock()
	was := s.state.State
	change(&s.state)
	if s.state.State != was {
		s.state.Since = time.Now()
	}
	if s.state.State != api.ServerWaiting {
		s.state.RetryAt = time.Time{}
	}
	state, problem := s.state.State, s.state.Problem
	s.mu.Unlock()
	if state != was {
		s.set.cfg.Log.Info("MCP server", "server", s.cfg.Name, "state", string(state), "problem", problem.EN)
	}
	s.set.tell()
}

// run keeps the server until ctx is done and it has ended.
func (s *server) run(ctx context.Context) {
	defer close(s.ended)
	for restarts := 0; ctx.Err() == nil; {
		s.update(func(a *api.Server) { a.State, a.Restarts = api.ServerStarting, restarts })
		var to api.ServerSwitch
		var ready time.Duration
		err := s.guarded(func() (err error) {
			to, ready, err = s.once(ctx)
			return err
		})
		if ready > steady {
			restarts = 0
		}
		switch {
		case ctx.Err() != nil:
			return
		case to == api.RestartServer:
			restarts = 0
		case to == api.StopServer:
			restarts = 0
			s.rest(ctx, api.ServerStopped, i18n.Text{})
		case errors.Is(err, errNoProgram), restarts == mostRestarts:
			restarts = 0
			s.rest(ctx, api.ServerFailed, problemOf(err))
		default:
			wait := s.set.times.wait << restarts
			restarts++
			if s.waits(ctx, wait, problemOf(err)) {
				restarts = 0
			}
		}
	}
}

// guarded returns a panic in f as an error: what a server says must not end the program.
func (s *server) guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.set.cfg.Log.Error("an MCP server made a goroutine panic", "server", s.cfg.Name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = fmt.Errorf("what it said cannot be read: %v", p)
		}
	}()
	return f()
}

// problemOf returns an error as the user is shown it, on one line.
func problemOf(err error) i18n.Text {
	if err == nil {
		return i18n.Text{}
	}
	return i18n.Text{EN: line(i18n.Error(protocol.English, err), 500), ZH: line(i18n.Error(protocol.Chinese, err), 500)}
}

// rest waits until the user starts the server.
func (s *server) rest(ctx context.Context, as api.ServerState, problem i18n.Text) {
	s.update(func(a *api.Server) { a.State, a.Problem = as, problem })
	for {
		select {
		case to := <-s.switches:
			if to != api.StopServer {
				return
			}
			if as == api.ServerFailed { // it is not wanted any more
				as = api.ServerStopped
				s.update(func(a *api.Server) { a.State = as })
			}
		case <-ctx.Done():
			return
		}
	}
}

// waits waits before the server is started again. It reports whether the user has started it.
func (s *server) waits(ctx context.Context, wait time.Duration, problem i18n.Text) (byUser bool) {
	s.update(func(a *api.Server) {
		a.State, a.Problem, a.RetryAt = api.ServerWaiting, problem, time.Now().Add(wait)
	})
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return false
	case to := <-s.switches:
		if to == api.StopServer {
			s.rest(ctx, api.ServerStopped, i18n.Text{})
		}
		return true
	case <-ctx.Done():
		return false
	}
}

// once starts the server and keeps it until it has ended: by itself, or because of to or ctx.
// ready is how long it could be used.
func (s *server) once(ctx context.Context) (to api.ServerSwitch, ready time.Duration, err error) {
	run, cancel := context.WithCancel(ctx)
	defer cancel()
	begun := make(chan error, 1)
	var live *session
	starting := make(chan struct{})
	go func() {
		defer close(starting)
		begun <- s.guarded(func() (err error) {
			live, err = s.start(run)
			return err
		})
	}()
	for waiting := true; waiting; {
		select {
		case err = <-begun:
			waiting = false
		case to = <-s.switches:
			if to != api.StartServer {
				cancel()
			}
		}
	}
	<-starting
	if to == api.StartServer {
		to = ""
	}
	if err != nil {
		return to, 0, err
	}
	defer live.end()
	since := time.Now()
	s.update(func(a *api.Server) {
		s.live = live
		a.State, a.Problem, a.Protocol, a.Title, a.Version = api.ServerReady, i18n.Text{}, live.protocol, live.title, live.version
	})
	defer s.update(func(*api.Server) { s.live = nil })
	to, err = s.serve(run, live)
	return to, time.Since(since), err
}

// serve follows the changes of a server until it ends.
func (s *server) serve(ctx context.Context, live *session) (to api.ServerSwitch, err error) {
	var listed time.Time
	for {
		select {
		case <-live.changed:
			if wait := relistGap - time.Since(listed); wait > 0 { // a server can tell of changes without end
				timer := time.NewTimer(wait)
				select {
				case <-timer.C:
				case <-live.done:
					timer.Stop()
					continue
				case <-ctx.Done():
					timer.Stop()
					continue
				}
			}
			listed = time.Now()
			if err := s.list(ctx, live); err != nil && ctx.Err() == nil {
				s.set.cfg.Log.Warn("the tools of an MCP server are not known again", "server", s.cfg.Name, "error", problemOf(err).EN)
			}
		case to := <-s.switches:
			if to != api.StartServer {
				return to, nil
			}
		case <-live.done:
			return "", live.cause()
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// start starts the server and asks for its tools.
func (s *server) start(ctx context.Context) (*session, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.set.times.start, textNotReady.With(s.set.times.start))
	defer cancel()
	live, err := s.connect(ctx)
	if err != nil && !s.oldest && s.cfg.Command != "" && errors.Is(err, errEnded) && ctx.Err() == nil {
		s.oldest = true // it may have died of the question for its versions
		if live, err = s.connect(ctx); err != nil {
			s.oldest = false // it dies of something else
		}
	}
	if err == nil {
		if err = s.list(ctx, live); err != nil {
			live.end()
		}
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	return live, err
}

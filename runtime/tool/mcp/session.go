package mcp

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// oldProtocol is spoken with a server that ends when it is asked for its versions, which only
// servers of later protocols know.
const oldProtocol = "2025-11-25"

// errEnded is wrapped in errors of servers that have ended.
var errEnded error = textHasEnded.With()

// A session is a server that has been started, and the connection to it.
type session struct {
	client   *sdk.ClientSession
	process  *process // nil for a server that runs elsewhere
	changed  chan struct{}
	done     chan struct{} // closed when the connection has ended
	closed   error         // why, set before done is closed
	stopping atomic.Bool

	protocol, title, version string

	mu    sync.Mutex
	token int
	calls map[string]*call // by their progress tokens
}

// cause returns why a session ended by itself.
func (s *session) cause() error {
	if s.process != nil {
		return s.process.cause()
	}
	if s.closed != nil {
		return textWhy.With(errEnded, s.closed)
	}
	return errEnded
}

// connect starts the program or finds the server at its address, and agrees on a protocol.
func (s *server) connect(ctx context.Context) (*session, error) {
	live := &session{changed: make(chan struct{}, 1), done: make(chan struct{}), calls: map[string]*call{}}
	client := sdk.NewClient(&sdk.Implementation{Name: "society-tui", Version: s.set.cfg.Version}, &sdk.ClientOptions{
		Logger:       s.set.cfg.Log,
		Capabilities: &sdk.ClientCapabilities{}, // no roots: a server gets no folder that its arguments do not name
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) {
			select {
			case live.changed <- struct{}{}:
			default:
			}
		},
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { live.progress(r.Params) },
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			live.asked(r.Params.Message)
			return &sdk.ElicitResult{Action: "decline"}, nil
		},
	})
	client.AddSendingMiddleware(boundProbe(s.set.times.probe))
	client.AddReceivingMiddleware(s.recovering)
	transport, err := s.transport(live)
	if err != nil {
		return nil, err
	}
	options := &sdk.ClientSessionOptions{}
	if s.oldest {
		options.ProtocolVersion = oldProtocol
	}
	live.client, err = client.Connect(ctx, transport, options)
	if err != nil {
		if live.process == nil {
			return nil, err
		}
		_, answered := errors.AsType[*jsonrpc.Error](err)
		died := !answered && ctx.Err() == nil && live.process.endsWithin(stopBound)
		live.process.stop()
		if died || errors.Is(err, sdk.ErrConnectionClosed) {
			err = live.process.cause()
		}
		return nil, err
	}
	if result := live.client.InitializeResult(); result != nil {
		live.protocol = line(result.ProtocolVersion, 40)
		if info := result.ServerInfo; info != nil {
			live.title, live.version = line(info.Name, 100), line(info.Version, 40)
			if info.Title != "" {
				live.title = line(info.Title, 100)
			}
		}
	}
	go func() {
		live.closed = live.client.Wait()
		close(live.done)
	}()
	return live, nil
}

// boundProbe lets the question for a server's versions end early: a server that knows only
// older protocols may not answer it at all.
func boundProbe(bound time.Duration) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			if method == "server/discover" {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, bound)
				defer cancel()
			}
			return next(ctx, method, r)
		}
	}
}

// recovering answers a message on which the SDK panics with an error. It does so on some without
// parameters, and on a goroutine of its own, so the program would end with it.
func (s *server) recovering(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (result sdk.Result, err error) {
		err = s.guarded(func() (err error) {
			result, err = next(ctx, method, r)
			return err
		})
		return result, err
	}
}

// transport starts the program of a server, or returns the way to its address.
func (s *server) transport(live *session) (sdk.Transport, error) {
	if s.cfg.Command == "" {
		return &sdk.StreamableClientTransport{Endpoint: s.cfg.URL, HTTPClient: httpClient(s.cfg)}, nil
	}
	p, err := startProcess(s.cfg, environment(s.set.cfg.Environ, s.cfg.Env), s.set.cfg.Dir, s.output)
	if err != nil {
		return nil, err
	}
	live.process = p
	return &sdk.IOTransport{Reader: newMessages(p.stdout, s.output), Writer: p.stdin}, nil
}

// end closes the session and ends the program. It returns when nothing of it is left.
func (s *session) end() {
	s.stopping.Store(true)
	s.mu.Lock()
	for _, c := range s.calls {
		c.cancel(errEnded)
	}
	s.mu.Unlock()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = s.client.Close() // how a connection ends that is not wanted any more is nobody's concern
	}()
	if s.process != nil {
		s.process.stop()
	}
	select { // a server elsewhere is told that its session has ended, but need not hear it
	case <-closed:
	case <-time.After(2 * stopBound):
	}
}

// add registers a call and returns its progress token, or false if the session has ended.
func (s *session) add(c *call) (token string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping.Load() {
		return "", false
	}
	s.token++
	token = "call-" + strconv.Itoa(s.token)
	s.calls[token] = c
	return token, true
}

func (s *session) remove(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.calls, token)
}

// progress gives a call more time, and shows what it says.
func (s *session) progress(p *sdk.ProgressNotificationParams) {
	token, _ := p.ProgressToken.(string)
	s.mu.Lock()
	c := s.calls[token]
	s.mu.Unlock()
	if c != nil {
		c.progressed(p)
	}
}

// asked remembers for the calls that are under way what the server wanted to ask the user.
func (s *session) asked(question string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		c.asked(line(question, descriptionBytes))
	}
}

// httpClient returns the client for a server that runs elsewhere. Its token goes to no other
// computer, and a redirect to one is refused.
func httpClient(cfg Server) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = 64 << 10
	return &http.Client{
		Transport: bearer{cfg.Token, transport},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if first := via[0].URL; r.URL.Host != first.Host || r.URL.Scheme != first.Scheme {
				return textSendsOn.With(r.URL.Host)
			}
			if len(via) > 5 {
				return textSendsEver.With()
			}
			return nil
		},
	}
}

// A bearer adds a token to requests, and bounds answers.
type bearer struct {
	token string
	next  http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	resp, err := b.next.RoundTrip(r)
	if err == nil && !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") { // the SDK bounds events
		resp.Body = http.MaxBytesReader(nil, resp.Body, sdk.DefaultMaxLineLength)
	}
	return resp, err
}

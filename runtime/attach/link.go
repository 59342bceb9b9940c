package attach

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"society-tui/runtime/attachapi"
	"society-tui/runtime/httpapi"
)

// A link is one connection to the program: over HTTP/2 all that is sent, over HTTP/1.1 as
// many connections as there are requests at the same time.
type link struct {
	http   *http.Client
	base   string
	token  func() string // nil for none
	screen string        // its id, once it is attached

	life context.Context // until close
	end  context.CancelFunc

	mu    sync.Mutex
	conns map[net.Conn]bool
}

func newLink(cfg *Config) *link {
	l := &link{base: cmp.Or(cfg.URL, "http://localhost"), token: cfg.Token, conns: map[net.Conn]bool{}}
	l.life, l.end = context.WithCancel(context.Background())
	dial := cfg.Dial
	if dial == nil {
		target, _ := url.Parse(cfg.URL) // one that is wrong is refused with the first request
		dial = func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", target.Host)
		}
	}
	t := &http.Transport{DisableCompression: true, Protocols: new(http.Protocols)}
	t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		ctx, cancel := context.WithCancel(ctx) // which outlives the request
		defer cancel()
		defer context.AfterFunc(l.life, cancel)()
		c, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		return l.keep(c)
	}
	if cfg.URL == "" {
		t.Protocols.SetUnencryptedHTTP2(true)
	} else {
		t.Protocols.SetHTTP1(true)
	}
	l.http = &http.Client{Transport: t}
	return l
}

// A conn is forgotten when it is closed.
type conn struct {
	net.Conn
	of *link
}

func (c conn) Close() error {
	c.of.mu.Lock()
	delete(c.of.conns, c.Conn)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

func (l *link) keep(c net.Conn) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.life.Err() != nil {
		return nil, errors.Join(net.ErrClosed, c.Close())
	}
	l.conns[c] = true
	return conn{c, l}, nil
}

// close ends all that is in flight: nothing is waited for that cannot come any more.
func (l *link) close() {
	l.mu.Lock()
	l.end()
	open := slices.Collect(maps.Keys(l.conns))
	l.mu.Unlock()
	for _, c := range open {
		_ = c.Close()
	}
	l.http.CloseIdleConnections()
}

// A request is one to the program.
type request struct {
	method, path string
	query        url.Values
	body         []byte // JSON; nil for none
	key          string // "" for none
}

// An answered is an error that the program has answered: there is no use in asking again.
type answered struct{ error }

// unanswered returns an error as the program has answered it.
func unanswered(err error) error {
	if a, ok := errors.AsType[answered](err); ok {
		return a.error
	}
	return err
}

// send sends a request and returns a reply that is not an error. An answered is an error of
// the program; with any other it is not known whether the request had an effect.
func (l *link) send(ctx context.Context, r request) (*http.Response, error) {
	target := l.base + attachapi.Root + r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	var content io.Reader
	if r.body != nil {
		content = bytes.NewReader(r.body)
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, target, content)
	if err != nil {
		return nil, answered{err}
	}
	header := map[string]string{httpapi.KeyHeader: r.key, attachapi.ScreenHeader: l.screen}
	if r.body != nil {
		header["Content-Type"] = "application/json"
	}
	if l.token != nil {
		header["Authorization"] = "Bearer " + l.token()
	}
	for name, value := range header {
		if value != "" {
			sent.Header.Set(name, value)
		}
	}
	response, err := l.http.Do(sent)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < http.StatusBadRequest {
		return response, nil
	}
	defer response.Body.Close()
	refused, ok := attachapi.ReadError(response.StatusCode, response.Body)
	switch {
	case !ok:
		return nil, fmt.Errorf("%s %s: %s", r.method, r.path, response.Status)
	case isLater(refused):
		return nil, refused
	}
	return nil, answered{refused}
}

// isLater reports whether a request that was refused had no effect, and may have one later.
func isLater(err error) bool {
	e, ok := errors.AsType[*httpapi.Error](err)
	return ok && e.Code == httpapi.CodeTooMany || errors.Is(err, attachapi.ErrNotAttached) || errors.Is(err, attachapi.ErrMoving)
}

// ask sends a request and reads its reply.
func ask[T any](ctx context.Context, l *link, r request) (reply T, err error) {
	response, err := l.send(ctx, r)
	if err != nil {
		return reply, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNoContent {
		return reply, nil
	}
	return reply, attachapi.NewDecoder(response.Body).Decode(&reply)
}

// nothing is the reply to a request that is answered without one.
type nothing struct{}

func encoded(value any) ([]byte, error) {
	var body bytes.Buffer
	err := attachapi.Encode(&body, value)
	return body.Bytes(), err
}

// once sends a request that must not be sent again: after a cut it is not known whether it had
// an effect.
func once[T any](ctx context.Context, c *Client, r request) (reply T, err error) {
	link, err := c.connected(ctx, false)
	if err != nil {
		return reply, err
	}
	reply, err = ask[T](ctx, link, r)
	switch a, ok := errors.AsType[answered](err); {
	case ok:
		return reply, a.error
	case err == nil || isLater(err):
		return reply, err
	case ctx.Err() != nil:
		return reply, ctx.Err()
	}
	return reply, textUnanswered.With()
}

// whenever sends a request until it is answered, over as many connections as that takes. If
// the connection is cut for longer it returns api.ErrDisconnected, but for a firm request
// only before it was sent.
func whenever[T any](ctx context.Context, c *Client, firm bool, r request) (reply T, err error) {
	for wait, sent := firstPause, false; ; wait = min(longest, 2*wait) {
		link, err := c.connected(ctx, firm && sent)
		if err != nil {
			return reply, err
		}
		sent = true
		reply, err := ask[T](ctx, link, r)
		switch a, ok := errors.AsType[answered](err); {
		case err == nil:
			return reply, nil
		case ok:
			return reply, a.error
		case ctx.Err() != nil:
			return reply, ctx.Err()
		}
		c.cfg.Log.Info("a request is sent again", "part", "attach", "path", r.path, "error", err.Error())
		pause(ctx, wait)
	}
}

// Package attach is a society in another process, for a screen there.
//
// [Connect] attaches to a program that serves package attachapi. A [Client] is an
// api.Society, and its Watcher tells what changes: the screen does not know where the
// society is. One goroutine reads the stream of changes (stream.go) and merges them until
// the screen looks (changes.go); answers in flight are mirrored (mirror.go), so that Draft
// returns at once. After a cut it connects again by itself, begins with everything, and
// repeats what was not answered, with the keys that let it take effect once.
package attach

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/attachapi"
)

// A Config configures a Client. Dial or URL is required.
type Config struct {
	// Dial connects to the program: over its socket, or over the standard input and output
	// of another program. One connection carries everything.
	Dial func(ctx context.Context) (net.Conn, error)
	// URL is the address of a forwarded port, such as http://127.0.0.1:3000; "" for Dial.
	URL   string
	Token string // "" if the way there needs none
	// Look attaches to look: the society refuses what would change something.
	Look    bool
	Machine string       // on which the screen is, for the log at the other end
	Log     *slog.Logger // nil for none
}

// A Client is a society in another process. It may be used from any goroutine.
type Client struct {
	cfg  Config
	http *http.Client
	base string

	end     context.CancelFunc
	ended   chan struct{} // closed when the stream is read no more
	watched chan struct{} // capacity 1: other agents are watched than the program knows of

	mu       sync.Mutex
	greeting attachapi.Greeting
	link     link
	pending  *pending
	mirror   *mirror
	library  attachapi.Library
	graphs   graphs
}

// A link is the connection as it is now.
type link struct {
	screen string        // the id of the screen at the program, "" while there is none
	before string        // the last one
	cut    bool          // for longer than cutAfter
	failed error         // why the client has ended, nil while it has not
	change chan struct{} // closed when one of these changes
}

// Connect attaches to a program. It returns *attachapi.Incompatible for one with another
// protocol, an *httpapi.Error for one that refuses, such as a token that is wrong.
func Connect(ctx context.Context, cfg Config) (*Client, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	c := &Client{
		cfg: cfg, base: cmp.Or(cfg.URL, "http://localhost"), http: &http.Client{Transport: transport(cfg)},
		ended: make(chan struct{}), watched: make(chan struct{}, 1),
		link: link{change: make(chan struct{})}, mirror: newMirror(), pending: newPending(),
	}
	life, end := context.WithCancel(context.Background())
	c.end = end
	first := make(chan error, 1)
	go c.run(life, first)
	select {
	case err := <-first:
		if err != nil {
			c.Close()
			return nil, err
		}
		return c, nil
	case <-ctx.Done():
		c.Close()
		return nil, ctx.Err()
	}
}

// transport returns HTTP/2 over Dial, where one connection carries all, and HTTP/1.1 to an
// address.
func transport(cfg Config) *http.Transport {
	t := &http.Transport{DisableCompression: true, Protocols: new(http.Protocols), ResponseHeaderTimeout: 0}
	if cfg.Dial != nil {
		t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) { return cfg.Dial(ctx) }
	}
	if cfg.URL == "" {
		t.Protocols.SetUnencryptedHTTP2(true)
		t.HTTP2 = &http.HTTP2Config{SendPingTimeout: attachapi.Beat, PingTimeout: attachapi.Silence - attachapi.Beat}
	} else {
		t.Protocols.SetHTTP1(true)
	}
	return t
}

// Close leaves the society alone: it goes on. Calls in flight end with an error.
func (c *Client) Close() {
	c.end()
	<-c.ended
	c.http.CloseIdleConnections()
}

// Greeting returns what the program has told of itself, anew after each connection.
func (c *Client) Greeting() attachapi.Greeting {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.greeting
}

// set changes the link, and wakes who waits for that.
func (c *Client) set(change func(*link)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.link)
	close(c.link.change)
	c.link.change = make(chan struct{})
}

// now returns the link.
func (c *Client) now() link {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.link
}

// errClosed is returned after Close.
var errClosed = errors.New("the client is closed")

// connected waits for a connection, and returns the screen's id there. It returns
// api.ErrDisconnected while the connection is cut, unless it is to wait for the next.
func (c *Client) connected(ctx context.Context, wait bool) (string, error) {
	for {
		l := c.now()
		switch {
		case l.failed != nil:
			return "", l.failed
		case l.screen != "":
			return l.screen, nil
		case l.cut && !wait:
			return "", api.ErrDisconnected
		}
		select {
		case <-l.change:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// pause waits for d, or less if ctx is done.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

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
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/graph"
)

// A Config configures a Client. Dial or URL is required.
type Config struct {
	// Dial connects to the program: over its socket, or over the standard input and output
	// of another program. One connection carries everything.
	Dial func(ctx context.Context) (net.Conn, error)
	// URL is the address of a forwarded port, such as http://127.0.0.1:3000; "" for Dial.
	URL string
	// Token returns the token, which may be replaced meanwhile, so that each request asks
	// for it. It is called from any goroutine, and nil if the way there needs none.
	Token func() string
	// Look attaches to look: the society refuses what would change something.
	Look    bool
	Machine string       // on which the screen is, for the log at the other end
	Log     *slog.Logger // nil for none
}

// A Client is a society in another process. It may be used from any goroutine.
type Client struct {
	cfg     Config
	end     context.CancelFunc
	ended   chan struct{} // closed when the stream is read no more
	watched chan struct{} // capacity 1: other agents are watched than the program knows of
	pending *pending

	mu       sync.Mutex
	state    state
	greeting attachapi.Greeting
	mirror   *mirror
	library  attachapi.Library
	graphs   map[graph.Version]graph.Definition // that were read: they never change
}

// A state is how the connection is.
type state struct {
	link   *link         // nil while there is none
	before string        // the id of the screen on the last one
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
		cfg: cfg, ended: make(chan struct{}), watched: make(chan struct{}, 1), pending: newPending(),
		state: state{change: make(chan struct{})}, mirror: newMirror(), graphs: map[graph.Version]graph.Definition{},
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

// Close leaves the society alone: it goes on. Calls in flight end with an error.
func (c *Client) Close() {
	c.end()
	<-c.ended
}

// Greeting returns what the program has told of itself, anew after each connection.
func (c *Client) Greeting() attachapi.Greeting {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.greeting
}

// set changes the state, and wakes who waits for that.
func (c *Client) set(change func(*state)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.state)
	close(c.state.change)
	c.state.change = make(chan struct{})
}

// now returns the state.
func (c *Client) now() state {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// errClosed is returned after Close.
var errClosed = errors.New("the client is closed")

// connected waits for a connection. While it is cut, it returns api.ErrDisconnected, unless
// it is to wait for the next.
func (c *Client) connected(ctx context.Context, wait bool) (*link, error) {
	for {
		now := c.now()
		switch {
		case now.failed != nil:
			return nil, now.failed
		case now.link != nil:
			return now.link, nil
		case now.cut && !wait:
			return nil, api.ErrDisconnected
		}
		select {
		case <-now.change:
		case <-ctx.Done():
			return nil, ctx.Err()
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

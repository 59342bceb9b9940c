package attach

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"sync"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/attachapi"
)

const (
	cutAfter   = time.Second // without a connection until the screen is told
	firstPause = 20 * time.Millisecond
	longest    = time.Second      // between two tries to connect
	hello      = 10 * time.Second // until a connection has shown that it works
)

// errCut is returned when the connection is lost, errSilent if nothing comes over it.
var (
	errCut    = errors.New("the connection was cut")
	errSilent = errors.New("the program does not answer")
)

// errBroken is returned when the client has panicked.
var errBroken = errors.New("the connection to the society broke; the log explains it")

// run keeps the client connected until ctx is done. First gets the outcome of the first try.
func (c *Client) run(ctx context.Context, first chan<- error) {
	defer close(c.ended)
	defer c.endBroken()
	was := false // connected
	var wait time.Duration
	cut := time.AfterFunc(time.Hour, c.tellCut) // not before there was a connection
	cut.Stop()
	defer cut.Stop()
	for {
		err := c.attach(ctx, func() {
			cut.Stop()
			wait = 0
			if !was {
				was = true
				first <- nil
			}
		})
		if !was {
			first <- err
			return
		}
		if err = c.final(ctx, err); err != nil {
			c.fail(err)
			return
		}
		if wait == 0 {
			c.cfg.Log.Info("the connection was cut", "part", "attach")
			cut.Reset(cutAfter)
		}
		pause(ctx, wait)
		wait = min(longest, max(firstPause, 2*wait))
	}
}

// endBroken ends the client after a panic of the goroutine that defers it.
func (c *Client) endBroken() {
	if p := recover(); p != nil {
		c.cfg.Log.Error("a goroutine panicked", "part", "attach", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		c.fail(errBroken)
		c.end()
	}
}

// final returns why there is no other try, nil if there is.
func (c *Client) final(ctx context.Context, err error) error {
	incompatible, ok := errors.AsType[*attachapi.Incompatible](err)
	switch {
	case ctx.Err() != nil:
		return errClosed
	case ok:
		return incompatible
	case errors.Is(err, api.ErrLeaving):
		return api.ErrLeaving
	}
	return nil
}

// fail ends the client: nothing is tried any more.
func (c *Client) fail(err error) {
	c.set(func(s *state) {
		s.link = nil
		if s.failed == nil {
			s.failed = err
		}
		err = s.failed
	})
	c.pending.fail(err)
}

// tellCut tells the screen that there is no connection.
func (c *Client) tellCut() {
	c.set(func(s *state) {
		if s.cut = s.link == nil && s.failed == nil; s.cut {
			c.pending.disconnected() // before what the next connection tells
		}
	})
}

// attach reads the stream of changes of one connection until that ends. It calls up when
// the connection works.
func (c *Client) attach(ctx context.Context, up func()) (err error) {
	ctx, end := context.WithCancelCause(ctx)
	alive := time.AfterFunc(hello, func() { end(errSilent) })
	link := newLink(&c.cfg)
	context.AfterFunc(ctx, link.close) // HTTP/2 would first tell the other end
	defer func() {
		alive.Stop()
		if errors.Is(context.Cause(ctx), errSilent) {
			err = errSilent
		}
		end(nil)
	}()
	greeting, err := ask[attachapi.Greeting](ctx, link, request{method: http.MethodGet, path: "greeting"})
	if err != nil {
		return unanswered(err)
	}
	query := url.Values{}
	word(query, "machine", c.cfg.Machine)
	word(query, "instead", c.now().before)
	truth(query, "look", c.cfg.Look)
	c.mu.Lock()
	word(query, "watched", c.mirror.list())
	c.mu.Unlock()
	response, err := link.send(ctx, request{method: http.MethodGet, path: "changes", query: query})
	if err != nil {
		return unanswered(err)
	}
	defer response.Body.Close()
	defer link.close()
	decoder := attachapi.NewDecoder(response.Body)
	var f attachapi.Frame
	if err := decoder.Decode(&f); err != nil {
		return err
	}
	link.screen = f.Screen
	c.set(func(s *state) {
		s.link, s.before, s.cut = link, f.Screen, false
		c.greeting = greeting
		if f.Library != nil {
			c.library = *f.Library
		}
	})
	up()
	var beside sync.WaitGroup
	beside.Go(func() {
		defer c.endBroken()
		c.tellWatched(ctx, link)
	})
	c.tellAgain() // what has changed since
	err = c.read(decoder, alive)
	c.set(func(s *state) { s.link = nil })
	end(nil)
	beside.Wait()
	return err
}

// read takes frames until the stream ends.
func (c *Client) read(decoder attachapi.Decoder, alive *time.Timer) error {
	var parts []api.Row
	for {
		var f attachapi.Frame
		if err := decoder.Decode(&f); err != nil {
			if errors.Is(err, io.EOF) {
				return errCut
			}
			return err
		}
		alive.Reset(attachapi.Silence)
		switch {
		case f.Bye:
			return api.ErrLeaving
		case f.More:
			parts = append(parts, f.Changes.Rows...)
			continue
		case f.Changes != nil && parts != nil:
			f.Changes.Rows, parts = append(parts, f.Changes.Rows...), nil
		}
		c.take(&f)
	}
}

// take brings a frame into what the client knows.
func (c *Client) take(f *attachapi.Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.Library != nil {
		c.library = *f.Library
	}
	all := f.Changes != nil && f.Changes.All
	streaming, whole := c.mirror.take(f.Drafts, all)
	streaming = append(streaming, c.mirror.takeOutputs(f.Outputs, all)...)
	if whole {
		c.tellAgain()
	}
	if f.Changes == nil && len(streaming) == 0 {
		return
	}
	c.pending.take(f.Changes, streaming)
}

// tellAgain lets tellWatched tell what is watched.
func (c *Client) tellAgain() {
	select {
	case c.watched <- struct{}{}:
	default:
	}
}

// tellWatched tells the program what is watched when that has changed, and now and then to
// show that the client is alive.
func (c *Client) tellWatched(ctx context.Context, link *link) {
	beat := time.NewTicker(attachapi.Silence)
	defer beat.Stop()
	for wait := firstPause; ; {
		select {
		case <-c.watched:
		case <-beat.C:
		case <-ctx.Done():
			return
		}
		c.mu.Lock()
		watched := c.mirror.watches()
		c.mu.Unlock()
		body, err := encoded(watched)
		if err == nil {
			_, err = ask[nothing](ctx, link, request{method: http.MethodPut, path: "watched", body: body})
		}
		if err == nil {
			wait = firstPause
			continue
		}
		c.tellAgain()
		pause(ctx, wait)
		wait = min(longest, 2*wait)
	}
}

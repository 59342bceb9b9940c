// Package apiclient is a client of package httpapi: over the socket of a running
// program, or over a pipe to a society in this one.
package apiclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"

	"github.com/tmaxmax/go-sse"

	"society-tui/runtime/api"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/httpapi"
)

// A Client sends requests to a society. It may be used from any goroutine.
type Client struct {
	http  *http.Client
	token string
}

// base is the address of all requests; the connection leads elsewhere.
const base = "http://localhost"

// longestEvent bounds an event: a message has at most 16 MiB, as JSON six times that.
const longestEvent = 97 << 20

// New returns a client of the program to which dial connects, with its token.
func New(dial func(context.Context) (net.Conn, error), token string) *Client {
	connect := func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) }
	return &Client{&http.Client{Transport: &http.Transport{DialContext: connect, DisableCompression: true}}, token}
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Get reads a reply into reply.
func (c *Client) Get(ctx context.Context, path string, query url.Values, reply any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return c.do(ctx, http.MethodGet, path, nil, reply)
}

// Post sends a body, nil for none, and reads a reply into reply.
func (c *Client) Post(ctx context.Context, path string, body, reply any) error {
	return c.do(ctx, http.MethodPost, path, body, reply)
}

// do sends a request. An *httpapi.Error is the answer of the society; any other error
// means that it is not known whether the request had an effect.
func (c *Client) do(ctx context.Context, method, path string, body, reply any) error {
	response, err := c.send(ctx, method, path, body, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(reply); err != nil {
		return fmt.Errorf("read the reply to %s %s: %w", method, path, err)
	}
	return nil
}

// send sends a request and returns a reply that is not an error.
func (c *Client) send(ctx context.Context, method, path string, body any, header http.Header) (*http.Response, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, base+path, content)
	if err != nil {
		return nil, err
	}
	if header != nil {
		r.Header = header
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < http.StatusBadRequest {
		return response, nil
	}
	defer response.Body.Close()
	refused := &httpapi.Error{Status: response.StatusCode}
	if err := json.NewDecoder(response.Body).Decode(refused); err != nil {
		return nil, fmt.Errorf("%s %s: %s", method, path, response.Status)
	}
	return nil, refused
}

// Now returns the changes with which a screen begins when it attaches.
func (c *Client) Now(ctx context.Context) (now api.Changes, err error) {
	response, err := c.send(ctx, http.MethodGet, attachapi.Root+"now", nil, nil)
	if err != nil {
		return now, err
	}
	defer response.Body.Close()
	return now, attachapi.NewDecoder(response.Body).Decode(&now)
}

// Copy writes a reply to w as it is. If it is cut short, that is an error.
func (c *Client) Copy(ctx context.Context, path string, query url.Values, w io.Writer) error {
	response, err := c.send(ctx, http.MethodGet, path+"?"+query.Encode(), nil, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(w, response.Body)
	return err
}

// An Event is one of a stream of events.
type Event struct {
	ID   string // "" for a kind that has none
	Kind string
	Data json.RawMessage
}

// Events opens a stream of events; what happens after it has returned is in the stream.
// The stream ends without an error when the society has ended. A caller ranges over it
// once, or cancels ctx.
func (c *Client) Events(ctx context.Context, query url.Values) (iter.Seq2[Event, error], error) {
	events, _, err := c.stream(ctx, query)
	return events, err
}

// stream is Events; bye is how the stream has ended.
func (c *Client) stream(ctx context.Context, query url.Values) (events iter.Seq2[Event, error], bye *httpapi.Bye, err error) {
	response, err := c.send(ctx, http.MethodGet, "/api/events?"+query.Encode(), nil, nil)
	if err != nil {
		return nil, nil, err
	}
	bye = &httpapi.Bye{}
	return func(yield func(Event, error) bool) {
		defer response.Body.Close()
		last := ""
		for e, err := range sse.Read(response.Body, &sse.ReadConfig{MaxEventSize: longestEvent}) {
			switch {
			case err != nil:
				yield(Event{}, textCut.With(err))
				return
			case e.Type == "bye":
				_ = json.Unmarshal([]byte(e.Data), bye) // an older program tells nothing
				return
			}
			id := e.LastEventID // stays until an event has another
			if id == last {
				id = ""
			}
			last = e.LastEventID
			if !yield(Event{id, e.Type, json.RawMessage(e.Data)}, nil) {
				return
			}
		}
		yield(Event{}, textCut.With(io.ErrUnexpectedEOF))
	}, bye, nil
}

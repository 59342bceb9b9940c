package attach

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"society-tui/runtime/attachapi"
	"society-tui/runtime/httpapi"
)

// A request is one to the program.
type request struct {
	method, path string
	query        url.Values
	body         []byte // JSON; nil for none
	screen, key  string // "" for none
}

// errAnswered marks an error as the program's answer: there is no use in asking again.
type errAnswered struct{ error }

func (e errAnswered) Unwrap() error { return e.error }

// send sends a request and returns a reply that is not an error. An errAnswered is what the
// program has answered; any other error means that it is not known whether the request had
// an effect.
func (c *Client) send(ctx context.Context, r request) (*http.Response, error) {
	target := c.base + attachapi.Root + r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	var content io.Reader
	if r.body != nil {
		content = bytes.NewReader(r.body)
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, target, content)
	if err != nil {
		return nil, err
	}
	if r.body != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	for name, value := range map[string]string{httpapi.KeyHeader: r.key, attachapi.ScreenHeader: r.screen} {
		if value != "" {
			sent.Header.Set(name, value)
		}
	}
	if c.cfg.Token != "" {
		sent.Header.Set("Authorization", "Bearer "+c.cfg.Token)
	}
	response, err := c.http.Do(sent)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < http.StatusBadRequest {
		return response, nil
	}
	defer response.Body.Close()
	if refused, ok := attachapi.ReadError(response.StatusCode, response.Body); ok {
		if errors.Is(refused, attachapi.ErrNotAttached) {
			return nil, refused // and has to be attached again
		}
		return nil, errAnswered{refused}
	}
	return nil, fmt.Errorf("%s %s: %s", r.method, r.path, response.Status)
}

// ask sends a request and reads its reply into reply, nil for none.
func (c *Client) ask(ctx context.Context, r request, reply any) error {
	response, err := c.send(ctx, r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if reply == nil {
		return nil
	}
	return attachapi.NewDecoder(response.Body).Decode(reply)
}

// get reads a value of the program, without waiting for a connection.
func (c *Client) get(ctx context.Context, path string, query url.Values, reply any) error {
	err := c.ask(ctx, request{method: http.MethodGet, path: path, query: query}, reply)
	return unwrapped(err)
}

// put sends a value, without waiting for a connection.
func (c *Client) put(ctx context.Context, path string, value any, screen string) error {
	body, err := encoded(value)
	if err != nil {
		return err
	}
	return unwrapped(c.ask(ctx, request{method: http.MethodPut, path: path, body: body, screen: screen}, nil))
}

func encoded(value any) ([]byte, error) {
	var body bytes.Buffer
	err := attachapi.Encode(&body, value)
	return body.Bytes(), err
}

func unwrapped(err error) error {
	if answered, ok := errors.AsType[errAnswered](err); ok {
		return answered.error
	}
	return err
}

// whenever sends a request until it is answered, over as many connections as that takes. If
// the connection is cut for longer it returns api.ErrDisconnected, but with firm only before
// anything was sent.
func (c *Client) whenever(ctx context.Context, firm bool, f func(screen string) error) error {
	for wait, sent := firstPause, false; ; wait = min(longest, 2*wait) {
		screen, err := c.connected(ctx, firm && sent)
		if err != nil {
			return err
		}
		sent = true
		err = f(screen)
		answered, ok := errors.AsType[errAnswered](err)
		switch {
		case err == nil:
			return nil
		case ok:
			return answered.error
		case ctx.Err() != nil:
			return ctx.Err()
		}
		c.cfg.Log.Info("a request is sent again", "part", "attach", "error", err.Error())
		pause(ctx, wait)
	}
}

package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
)

// A route is a row of the table from which patterns and document come.
type route struct {
	method, path string
	summary      string
	in, out      reflect.Type // out is nil without a JSON body
	status       int
	media        string // of a reply that is not JSON
	empty        string // why the reply may be 204, "" if it is not
	serve        http.Handler
}

// routeJSON returns a route whose reply is JSON. f fills it in; a nil reply is 204.
func routeJSON[In, Out any](h *Handler, method, path string, status int, summary string, f func(c *call, in In) (*Out, error)) route {
	return route{
		method: method, path: path, summary: summary, in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](), status: status,
		serve: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var in In
			c, err := h.call(w, r, &in)
			if err == nil {
				var out *Out
				if out, err = f(c, in); err == nil {
					if out == nil {
						w.WriteHeader(http.StatusNoContent)
						return
					}
					writeJSON(w, status, out)
					return
				}
			}
			h.fail(c, w, err)
		}),
	}
}

// routeBytes returns a route whose reply is a stream of bytes. f writes nothing until the
// request cannot be refused any more.
func routeBytes[In any](h *Handler, path, media, summary string, f func(c *call, in In, w io.Writer) error) route {
	return route{
		method: http.MethodGet, path: path, summary: summary, in: reflect.TypeFor[In](), status: http.StatusOK, media: media,
		serve: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var in In
			c, err := h.call(w, r, &in)
			if err == nil {
				late := &lateHeader{ResponseWriter: w, media: media}
				if err = f(c, in, late); err != nil && late.begun {
					h.cfg.Log.Warn("a reply was cut short", "part", "http", "requestId", w.Header().Get(RequestIDHeader), "error", err.Error())
					panic(http.ErrAbortHandler) // so that the client sees that it is not whole
				}
			}
			h.fail(c, w, err)
		}),
	}
}

// A lateHeader sets the media type with the first byte, so that an error before it is
// JSON.
type lateHeader struct {
	http.ResponseWriter
	media string
	begun bool
}

func (l *lateHeader) Write(p []byte) (int, error) {
	if !l.begun {
		l.begun = true
		l.Header().Set("Content-Type", l.media)
		l.Header().Set("Cache-Control", "no-store")
	}
	return l.ResponseWriter.Write(p)
}

// call decodes a request.
func (h *Handler) call(w http.ResponseWriter, r *http.Request, in any) (*call, error) {
	c := &call{Context: r.Context(), h: h, w: w, r: r}
	body, err := Decode(r, in)
	if err == nil && r.Method == http.MethodPost {
		c.key, err = KeyOf(r, body)
	}
	return c, err
}

// fail writes the reply for an error, unless there is none or the client has gone.
func (h *Handler) fail(c *call, w http.ResponseWriter, err error) {
	if err != nil && c.Err() != nil {
		err = context.Cause(c)
	}
	if err == nil || errors.Is(err, context.Canceled) {
		return
	}
	e := ErrorOf(err)
	if e.Code == CodeInternal {
		h.cfg.Log.Error("a request failed", "part", "http", "requestId", w.Header().Get(RequestIDHeader), "error", err.Error())
	}
	WriteError(w, e)
}

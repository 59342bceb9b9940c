package httpapi

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// The headers of a request's id in the log, and of the key under which its reply is kept.
const (
	RequestIDHeader = "X-Request-Id"
	KeyHeader       = "Idempotency-Key"
)

const longestKey = 255

// WithRequestID gives every request an id, logs its pattern, status and time, and nothing
// else of it, and answers one that panics.
func (h *Handler) WithRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		id := ulid.Make().String()
		w.Header().Set(RequestIDHeader, id)
		log := h.cfg.Log.With("part", "http", "requestId", id)
		status := &statusWriter{ResponseWriter: w}
		defer func() {
			p := recover()
			if p != nil && p != http.ErrAbortHandler { //nolint:errorlint // the value itself is thrown
				log.Error("a handler panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				if status.code == 0 {
					WriteError(status, ErrorOf(nil))
					p = nil
				}
			}
			pattern := cmp.Or(r.Pattern, "-")
			h.cfg.Observer.Requested(pattern, knownMethod(r.Method), status.code)
			level := slog.LevelInfo
			if strings.HasPrefix(r.URL.Path, "/attach/") { // a screen asks all the time
				level = slog.LevelDebug
			}
			log.Log(r.Context(), level, "request", "pattern", pattern, "code", status.code, "took", time.Since(began).String())
			if p != nil {
				panic(http.ErrAbortHandler) // so that the client sees that the reply is not whole
			}
		}()
		next.ServeHTTP(status, r)
	})
}

// knownMethod returns a method, "-" for one that a client has made up: what is measured
// must not grow with them.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "-"
}

// A statusWriter remembers the status that was written.
type statusWriter struct {
	http.ResponseWriter
	code int
}

func (w *statusWriter) WriteHeader(code int) {
	if w.code == 0 {
		w.code = code
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *statusWriter) Write(p []byte) (int, error) {
	if w.code == 0 {
		w.code = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// ServeHTTP serves a request that was admitted.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != path.Clean(r.URL.Path) { // the mux would redirect
		refusePath(w, r)
		return
	}
	h.mux.ServeHTTP(w, r)
}

// A call is a request on its way: its context, and the key under which its reply is kept.
type call struct {
	context.Context
	h   *Handler
	w   http.ResponseWriter
	r   *http.Request
	key *api.RequestKey
}

// KeyOf returns the key of a request, nil without one.
func KeyOf(r *http.Request, body []byte) (*api.RequestKey, error) {
	keys := r.Header.Values(KeyHeader)
	if len(keys) == 0 {
		return nil, nil
	}
	if len(keys) > 1 || keys[0] == "" || len(keys[0]) > longestKey || strings.ContainsFunc(keys[0], func(c rune) bool { return c < ' ' || c > '~' }) {
		return nil, invalid(KeyHeader, fmt.Sprintf("one key of 1 to %d printable ASCII characters", longestKey))
	}
	return &api.RequestKey{Key: keys[0], Digest: sha256.Sum256([]byte(r.Method + " " + r.URL.Path + "\n" + string(body)))}, nil
}

// keyed is a society whose commands are those of a request with a key.
type keyed struct {
	Society
	key api.RequestKey
}

// Do carries out a command once.
func (k keyed) Do(ctx context.Context, cmd society.Command) (society.Reply, error) {
	return k.Once(ctx, k.key, cmd)
}

// do carries out a command, once if the request has a key.
func do[R society.Reply](c *call, cmd society.Request[R]) (R, error) {
	if c.key == nil {
		return api.Do(c, c.h.cfg.Society, cmd)
	}
	return api.Do(c, keyed{c.h.cfg.Society, *c.key}, cmd)
}

// look returns how everything is, the rows of all agents in order of creation.
func (c *call) look() (api.Changes, error) {
	w, end := c.h.cfg.Watch()
	defer end()
	for {
		changes, err := w.Next(c)
		if err != nil || changes.All {
			slices.SortFunc(changes.Rows, func(a, b api.Row) int { return cmp.Compare(a.Order, b.Order) })
			return changes, err
		}
	}
}

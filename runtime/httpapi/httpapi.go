// Package httpapi lets other programs use a society over HTTP.
//
// [New] makes a [Handler] for one open society. Its routes are one table
// (routes.go), from which the server's patterns and the OpenAPI document come.
// A request is decoded strictly (decode.go), becomes the same command that the
// screen would give, and its reply or refusal is written as JSON (errors.go).
// GET /api/events streams what happens (events.go, stream.go): what is on disk
// (streamlog.go), how things are (streamlevels.go), answers in flight
// (streamtexts.go).
//
// The handler knows nothing of connections, tokens and browsers: package
// httpserver admits requests and limits them.
package httpapi

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// A Society is what the routes ask of a running society.
type Society interface {
	api.Society
	// Once is Do for a request that may be sent again with its key.
	Once(ctx context.Context, key api.RequestKey, cmd society.Command) (society.Reply, error)
	// Tasks returns all tasks, oldest first, or those that are named.
	Tasks(ctx context.Context, only ...society.TaskID) ([]api.Task, error)
	// Ended returns the records of terminated agents, in order of creation.
	Ended(ctx context.Context) ([]society.Tombstone, error)
	// Approvals returns the requests that wait, the first asked first.
	Approvals(ctx context.Context) ([]api.Approval, error)
	// Timeline returns the lines after a number, and how many of them are gone.
	Timeline(ctx context.Context, after uint64) (lines []api.TimelineEvent, missed int, err error)
	// Newest returns the numbers of the newest line and message.
	Newest(ctx context.Context) (api.Cursor, error)
}

// A Config configures a Handler. Society, Watch and Log are required; a nil function has no
// route.
type Config struct {
	Society Society
	// Watch returns a new watcher of the society, and what ends it.
	Watch func() (w api.Watcher, end func())
	// Export writes the society, or an agent with all below it, in a format: json, markdown or org.
	Export func(ctx context.Context, w io.Writer, agent society.AgentID, format string) error
	// Backup writes a checked copy of the store.
	Backup func(ctx context.Context, w io.Writer) error
	// Models tests models, and knows those with mistakes.
	Models api.ModelSetup
	// Currency is the sign of the currency of all costs, "" for none.
	Currency string
	// Quit begins to end the program, and pauses all agents first if asked to. It may be
	// called again.
	Quit func(pause bool)
	// GoesOn reports, when the society has ended, whether another process goes on with it; nil
	// if none does.
	GoesOn func() bool
	// Metrics serves GET /metrics.
	Metrics http.Handler
	// Observer measures; nil for none.
	Observer Observer
	Log      *slog.Logger
	// Version is the program's; Boot differs at each start.
	Version, Boot string
}

// An Observer measures. Its methods may be called from any goroutine and return at once.
type Observer interface {
	// Requested is called for each request; route is a pattern, "-" for none, as is a method
	// that nobody knows.
	Requested(route, method string, code int)
	// Streaming counts clients that begin to read events (1) and end it (-1).
	Streaming(more int)
}

type unobserved struct{}

func (unobserved) Requested(string, string, int) {}
func (unobserved) Streaming(int)                 {}

// Protocol is the number of the protocol. It grows when a client of an older one would
// misunderstand a reply.
const Protocol = 1

// A Handler serves the routes. It may be used from any goroutine.
type Handler struct {
	cfg      Config
	mux      *http.ServeMux
	document func() ([]byte, error) // the OpenAPI document, made when it is first asked for
}

// New returns the handler of a society.
func New(cfg Config) (*Handler, error) {
	if cfg.Society == nil || cfg.Watch == nil || cfg.Log == nil {
		return nil, errors.New("a handler needs Society, Watch and Log")
	}
	if cfg.Observer == nil {
		cfg.Observer = unobserved{}
	}
	if cfg.GoesOn == nil {
		cfg.GoesOn = func() bool { return false }
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux()}
	routes := h.routes()
	h.document = sync.OnceValues(func() ([]byte, error) { return document(routes, cmp.Or(cfg.Version, "unknown")) })
	methods := map[string][]string{}
	for _, r := range routes {
		h.mux.Handle(r.method+" "+r.path, r.serve)
		methods[r.path] = append(methods[r.path], r.method)
	}
	for path, allowed := range methods {
		h.mux.Handle(path, refuseMethod(allowed))
	}
	h.mux.Handle("/", http.HandlerFunc(refusePath))
	return h, nil
}

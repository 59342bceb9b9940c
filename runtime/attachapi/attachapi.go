// Package attachapi is the society for screens in other processes: what package attach, the
// client, asks of it, and the values that both send.
//
// [New] makes a [Handler] for one open society. A screen attaches by reading the changes
// (screen.go): a line of JSON a frame, merged by a Watcher, so that a slow screen gets
// fewer. Its commands (commands.go) are those of the user, each with a key, so that one that
// is repeated after a cut takes effect once. Errors come back as themselves (errors.go).
//
// It is no interface for programs: that is package httpapi. Both sides must have the same
// [Protocol]. As there, package httpserver admits requests and limits them.
package attachapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/society"
)

// A Society is what screens ask of a running society.
type Society interface {
	api.Society
	// Once is Do for a request that may be sent again with its key.
	Once(ctx context.Context, key api.RequestKey, cmd society.Command) (society.Reply, error)
	// CountScreens tells watchers that there are more screens, or fewer.
	CountScreens(more int) int
}

// A Config configures a Handler. Society, Watch, Greeting and Logger are required; what a
// nil function would do is not available.
type Config struct {
	Society Society
	// Watch returns a new watcher of the society, and what ends it.
	Watch func() (w api.Watcher, end func())
	// Greeting returns what a screen is told at first; the Protocol is set here.
	Greeting func() Greeting
	// Log returns the last lines of the log, of all runs or of this one, oldest first.
	Log func(ctx context.Context, all bool) ([]LogLine, error)
	// Export writes conversations, Backup a checked copy of the store.
	Export func(ctx context.Context, w io.Writer, what Export) error
	Backup func(ctx context.Context, w io.Writer) error
	// Size returns the size of the store's file.
	Size func() (int64, error)
	// Models sets models up.
	Models api.ModelSetup
	// Quit begins to end the program, and pauses all agents first if asked to. It may be
	// called again.
	Quit func(pause bool)
	// GoesOn reports, when the society has ended, whether another process goes on with it:
	// screens are not told of the end then, and connect again. Nil for never.
	GoesOn func() bool
	// Leaving reports whether the program leaves: no screen attaches any more then, as it
	// would be closed soon. One that was cut may come back. Nil for never.
	Leaving func() bool
	// Attached is called with 1 for a screen that attaches and with -1 when it goes. It may
	// be nil.
	Attached func(more int)
	Logger   *slog.Logger
}

// A Handler serves the routes. It may be used from any goroutine.
type Handler struct {
	cfg Config
	mux *http.ServeMux

	mu      sync.Mutex
	screens map[string]*screen // by id
}

// New returns the handler of a society.
func New(cfg Config) (*Handler, error) {
	if cfg.Society == nil || cfg.Watch == nil || cfg.Greeting == nil || cfg.Logger == nil {
		return nil, errors.New("a handler needs Society, Watch, Greeting and Logger")
	}
	if cfg.GoesOn == nil {
		cfg.GoesOn = func() bool { return false }
	}
	if cfg.Leaving == nil {
		cfg.Leaving = func() bool { return false }
	}
	if cfg.Attached == nil {
		cfg.Attached = func(int) {}
	}
	h := &Handler{cfg: cfg, mux: http.NewServeMux(), screens: map[string]*screen{}}
	h.mux.HandleFunc("GET "+Root+"changes", h.changes)
	h.route("PUT", "watched", h.watch)
	h.route("POST", "commands/{name}", h.command)
	h.route("PUT", "kept", h.keep)
	h.route("DELETE", "worktrees/{name}", h.dropWorktree)
	h.route("DELETE", "processes/{agent}/{id}", h.endProcess)
	h.route("POST", "servers/{name}/{switch}", h.switchServer)
	h.route("POST", "models/ask", h.askEndpoints)
	h.route("POST", "quit", h.quit)
	h.route("POST", "undo", h.undo)
	h.routeReads()
	h.routeModels()
	h.mux.HandleFunc("/attach/{protocol}/", h.refuse)
	h.mux.HandleFunc("/", h.refuse)
	return h, nil
}

// BodyLimit returns how many bytes the body of a request may have; false for a request
// that is not one of a screen.
func BodyLimit(r *http.Request) (bytes int64, ok bool) {
	switch rest, ok := strings.CutPrefix(r.URL.Path, Root); {
	case !ok:
		return 0, strings.HasPrefix(r.URL.Path, "/attach/")
	case rest == "commands/Send", rest == "commands/Interrupt", rest == "commands/Spawn":
		return largestText, true
	case rest == "kept":
		return largestKept, true
	}
	return largestBody, true
}

// ServeHTTP serves a request that was admitted.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != path.Clean(r.URL.Path) { // the mux would redirect
		h.refuse(w, r)
		return
	}
	h.mux.ServeHTTP(w, r)
}

// route adds a route whose reply is a value, or nothing.
func (h *Handler) route(method, path string, f func(r *http.Request) (any, error)) {
	h.mux.HandleFunc(method+" "+Root+path, func(w http.ResponseWriter, r *http.Request) {
		out, err := f(r)
		switch {
		case err != nil:
			h.fail(w, r, err)
		case out == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			h.write(w, http.StatusOK, out)
		}
	})
}

// write writes a reply. All of it is encoded before anything is sent.
func (h *Handler) write(w http.ResponseWriter, status int, v any) {
	var body bytes.Buffer
	if err := Encode(&body, v); err != nil {
		panic(err) // all types of replies can be encoded
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // a client that is gone hears nothing
}

// fail writes the reply for an error, unless the client has gone.
func (h *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return
	}
	if errors.Is(err, api.ErrLeaving) && h.cfg.GoesOn() {
		err = ErrMoving
	}
	f := failureOf(err)
	f.RequestID = w.Header().Get(httpapi.RequestIDHeader)
	if f.Code == httpapi.CodeInternal {
		h.cfg.Logger.Error("a request failed", "part", "attach", "requestId", f.RequestID, "error", err.Error())
	}
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	h.write(w, f.Status, f)
}

// refuse refuses a request to no route, or of another protocol.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request) {
	if n, err := strconv.Atoi(r.PathValue("protocol")); err == nil && n != Protocol {
		h.fail(w, r, &Incompatible{Ours: Protocol, Theirs: n})
		return
	}
	h.fail(w, r, &httpapi.Error{Status: http.StatusNotFound, Code: httpapi.CodeNotFound, Message: "there is no such route"})
}

// acting returns the screen whose request it is, if it may change something.
func (h *Handler) acting(r *http.Request) (*screen, error) {
	s, err := h.screenOf(r)
	if err == nil && s.look {
		err = api.ErrLookOnly
	}
	return s, err
}

// deciding is acting for what decides what agents may do, or takes back what they did: it
// comes over the socket only, whose other end is known to be the user's.
func (h *Handler) deciding(r *http.Request) (*screen, error) {
	s, err := h.acting(r)
	if err == nil && !httpapi.IsViaSocket(r.Context()) {
		err = api.ErrSocketOnly
	}
	return s, err
}

// screenOf returns the screen whose request it is.
func (h *Handler) screenOf(r *http.Request) (*screen, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.screens[r.Header.Get(ScreenHeader)]; s != nil {
		return s, nil
	}
	return nil, ErrNotAttached
}

// command carries out a command, once for its key.
func (h *Handler) command(r *http.Request) (any, error) {
	if _, err := h.acting(r); err != nil {
		return nil, err
	}
	in, cmd, ok := newCommand(r.PathValue("name"))
	if !ok {
		return nil, invalid("there is no such command")
	}
	if decides(cmd()) && !httpapi.IsViaSocket(r.Context()) {
		return nil, api.ErrSocketOnly
	}
	body, err := httpapi.DecodeBody(r, in)
	if err != nil {
		return nil, err
	}
	key, err := httpapi.KeyOf(r, body)
	if err != nil {
		return nil, err
	}
	if key == nil {
		return nil, invalid("a command needs an " + httpapi.KeyHeader)
	}
	answer, err := h.cfg.Society.Once(r.Context(), *key, cmd())
	if err != nil {
		return nil, err
	}
	kind, text, err := api.EncodeReply(answer)
	return Reply{kind, text}, err
}

func (h *Handler) keep(r *http.Request) (any, error) {
	if _, err := h.acting(r); err != nil {
		return nil, err
	}
	var in Kept
	if _, err := httpapi.DecodeBody(r, &in); err != nil {
		return nil, err
	}
	stale, err := h.cfg.Society.Keep(r.Context(), in.Values)
	return Kept{stale}, err
}

// undo takes changes of files back. What is sent again after a cut finds them taken back.
func (h *Handler) undo(r *http.Request) (any, error) {
	if _, err := h.deciding(r); err != nil {
		return nil, err
	}
	var in api.UndoRequest
	if _, err := httpapi.DecodeBody(r, &in); err != nil {
		return nil, err
	}
	return h.cfg.Society.Undo(r.Context(), in)
}

func (h *Handler) dropWorktree(r *http.Request) (any, error) {
	if _, err := h.deciding(r); err != nil {
		return nil, err
	}
	var in worktreePath
	if _, err := httpapi.Decode(r, &in); err != nil {
		return nil, err
	}
	return nil, h.cfg.Society.DropWorktree(r.Context(), in.Name)
}

// endProcess ends a background process. What is sent again after a cut finds it gone.
func (h *Handler) endProcess(r *http.Request) (any, error) {
	if _, err := h.acting(r); err != nil {
		return nil, err
	}
	var in processPath
	if _, err := httpapi.Decode(r, &in); err != nil {
		return nil, err
	}
	return nil, h.cfg.Society.EndProcess(r.Context(), in.Agent, in.ID)
}

// switchServer starts, stops or restarts an MCP server, which runs a command of the settings.
func (h *Handler) switchServer(r *http.Request) (any, error) {
	if _, err := h.deciding(r); err != nil {
		return nil, err
	}
	var in switchPath
	if _, err := httpapi.Decode(r, &in); err != nil {
		return nil, err
	}
	if !slices.Contains(api.Switches(), in.Switch) {
		return nil, invalid("there is no such switch")
	}
	return nil, h.cfg.Society.SwitchServer(r.Context(), in.Name, in.Switch)
}

// askEndpoints asks the endpoints of the models anew. What is sent again after a cut asks again.
func (h *Handler) askEndpoints(r *http.Request) (any, error) {
	if _, err := h.acting(r); err != nil {
		return nil, err
	}
	var in nothing
	if _, err := httpapi.Decode(r, &in); err != nil {
		return nil, err
	}
	return h.cfg.Society.AskEndpoints(r.Context())
}

func (h *Handler) quit(r *http.Request) (any, error) {
	if _, err := h.acting(r); err != nil {
		return nil, err
	}
	var in Quit
	if _, err := httpapi.DecodeBody(r, &in); err != nil {
		return nil, err
	}
	if h.cfg.Quit == nil {
		return nil, errors.ErrUnsupported
	}
	h.cfg.Quit(in.Pause)
	return nil, nil
}

func invalid(message string) error {
	return &httpapi.Error{Status: http.StatusBadRequest, Code: httpapi.CodeInvalid, Message: message}
}

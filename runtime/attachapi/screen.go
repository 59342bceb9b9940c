package attachapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/society"
)

const (
	frameEvery     = 16 * time.Millisecond
	libraryEvery   = time.Second // between looks whether models and graphs have changed
	writtenAtATime = 64 << 10
)

// errGone is returned for a screen that has gone, or does not read.
var errGone = errors.New("the screen does not read")

// A screen is one that is attached. It is a Watcher and what it was told of drafts: nothing
// is queued for it, and what it remembers is bounded by the number of agents.
type screen struct {
	context.Context
	h      *Handler
	w      http.ResponseWriter
	out    *http.ResponseController
	id     string
	look   bool
	end    context.CancelFunc
	wrote  time.Time // last
	drafts drafts

	watcher api.Watcher
	begun   bool // the first look was told, before which nothing else is
	library Library
	looked  time.Time // at the library

	mu    sync.Mutex
	heard time.Time          // from the client, last
	asked *Watched           // by the client, and not answered yet
	wake  context.CancelFunc // ends a wait for changes
}

type changesOf struct {
	Look    string `query:"look" enum:"true"`
	Instead string `query:"instead"` // the screen that it was before a cut
	Watched string `query:"watched"` // the agents, separated by commas
	Machine string `query:"machine"` // for the log
}

// changes attaches a screen until it or the society has gone.
func (h *Handler) changes(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead {
		h.refuse(w, r)
		return
	}
	var in changesOf
	if _, err := httpapi.Decode(r, &in); err != nil {
		h.fail(w, r, err)
		return
	}
	if in.Instead == "" && h.cfg.Leaving() && !h.cfg.GoesOn() {
		h.fail(w, r, api.ErrLeaving)
		return
	}
	s := &screen{
		h: h, w: w, out: http.NewResponseController(w), id: ulid.Make().String(), look: in.Look != "", heard: time.Now(),
		drafts: newDrafts(h.cfg.Society),
	}
	s.drafts.watch(Watched{Agents: split(in.Watched)})
	s.Context, s.end = context.WithCancel(r.Context())
	defer s.end()
	if err := h.attach(s, in.Instead); err != nil {
		h.fail(w, r, err)
		return
	}
	defer h.detach(s)
	var end func()
	s.watcher, end = h.cfg.Watch()
	defer end()
	h.cfg.Logger.Info("a screen attached", "part", "attach", "screen", s.id, "machine", in.Machine, "look", s.look)
	err := s.run()
	h.cfg.Logger.Info("a screen went", "part", "attach", "screen", s.id, "why", fmt.Sprint(err))
}

// split returns the agents in a list, as many as can be watched.
func split(list string) (ids []society.AgentID) {
	for id := range strings.SplitSeq(list, ",") {
		if id != "" && len(ids) < MostWatched {
			ids = append(ids, society.AgentID(id))
		}
	}
	return ids
}

// attach counts a screen, in the place of the one that it was before.
func (h *Handler) attach(s *screen, instead string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if before := h.screens[instead]; before != nil {
		before.end()
		h.leave(before)
	}
	if len(h.screens) >= MostScreens {
		return &httpapi.Error{
			Status: http.StatusTooManyRequests, RetryAfter: 1, Code: httpapi.CodeTooMany,
			Message: fmt.Sprintf("there are %d screens already; close one, then try again", MostScreens),
		}
	}
	h.screens[s.id] = s
	h.cfg.Society.CountScreens(1)
	h.cfg.Attached(1)
	return nil
}

func (h *Handler) detach(s *screen) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leave(s)
}

// leave counts a screen no more, with mu held.
func (h *Handler) leave(s *screen) {
	if h.screens[s.id] == nil {
		return
	}
	delete(h.screens, s.id)
	h.cfg.Society.CountScreens(-1)
	h.cfg.Attached(-1)
}

// watch takes what a screen wants to be sent the answers of. It also shows that the screen
// is alive.
func (h *Handler) watch(r *http.Request) (any, error) {
	s, err := h.screenOf(r)
	if err != nil {
		return nil, err
	}
	var in Watched
	if _, err := httpapi.DecodeBody(r, &in); err != nil {
		return nil, err
	}
	if len(in.Agents) > MostWatched {
		return nil, invalid(fmt.Sprintf("agents: at most %d", MostWatched))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked != nil {
		in.Whole = append(in.Whole, s.asked.Whole...)
	}
	slices.Sort(in.Whole)
	in.Whole = slices.DeleteFunc(slices.Compact(in.Whole), func(id society.AgentID) bool { return !slices.Contains(in.Agents, id) })
	s.heard, s.asked = time.Now(), &in
	if s.wake != nil {
		s.wake()
	}
	return nil, nil
}

// run tells the screen what changes. It returns why it ended.
func (s *screen) run() error {
	s.w.Header().Set("Content-Type", "application/x-ndjson")
	s.w.Header().Set("Cache-Control", "no-store")
	s.w.WriteHeader(http.StatusOK)
	err := s.write(&Frame{Screen: s.id, Library: s.newLibrary()})
	for err == nil {
		err = s.step()
	}
	if errors.Is(err, api.ErrLeaving) && !s.h.cfg.GoesOn() {
		_ = s.write(&Frame{Bye: true}) // the client may have gone first
	}
	return err
}

// step waits until there is something to tell, tells it, and rests until the next frame may
// come.
func (s *screen) step() error {
	changes, err := s.next()
	if err != nil {
		return err
	}
	begun := time.Now()
	s.begun = s.begun || changes != nil
	f := Frame{Changes: changes}
	if s.begun {
		f.Drafts, f.Outputs = s.drafts.tell(changes)
	}
	if changes != nil && (changes.All || len(changes.Rows) > 0 && time.Since(s.looked) >= libraryEvery) {
		f.Library = s.newLibrary()
	}
	if changes == nil && f.Drafts == nil && f.Outputs == nil && time.Since(s.wrote) < Beat {
		return nil
	}
	if err := s.tell(&f); err != nil {
		return err
	}
	timer := time.NewTimer(frameEvery - time.Since(begun))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-s.Done():
		return s.Err()
	}
}

// next waits for changes. They are nil if the client has asked for drafts, or if it is time
// to show it that the connection is alive.
func (s *screen) next() (*api.Changes, error) {
	ctx, cancel := context.WithDeadline(s, s.wrote.Add(Beat))
	defer cancel()
	if s.begun && (s.listen(cancel) || s.drafts.more()) {
		cancel()
	}
	changes, err := s.watcher.Next(ctx)
	s.listen(nil)
	switch {
	case err == nil:
		return &changes, nil
	case s.Err() != nil, ctx.Err() == nil: // the screen has gone, or the society
		return nil, err
	case time.Since(s.lastHeard()) > clientSilence:
		return nil, errGone
	}
	return nil, nil
}

// listen applies what the client has asked for, and lets it end a wait from now on. It
// returns true if there is something.
func (s *screen) listen(wake context.CancelFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake = wake
	if s.asked == nil {
		return false
	}
	s.drafts.watch(*s.asked)
	s.asked = nil
	return true
}

func (s *screen) lastHeard() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard
}

// newLibrary returns the library if it has changed since it was told.
func (s *screen) newLibrary() *Library {
	now := s.h.library()
	same := !s.looked.IsZero() && reflect.DeepEqual(now, s.library)
	s.looked = time.Now()
	if same {
		return nil
	}
	s.library = now
	return &now
}

// tell writes a frame, its rows in parts.
func (s *screen) tell(f *Frame) error {
	if f.Changes == nil {
		return s.write(f)
	}
	whole := *f.Changes
	whole.Streaming = nil // those of Drafts and Outputs
	for part := range slices.Chunk(whole.Rows, PartRows) {
		if len(part) == len(whole.Rows) {
			break
		}
		whole.Rows = whole.Rows[len(part):]
		if err := s.write(&Frame{Changes: &api.Changes{All: whole.All, Rows: part}, More: true}); err != nil {
			return err
		}
	}
	last := *f
	last.Changes = &whole
	return s.write(&last)
}

// write sends a frame at once. It returns errGone for a client that does not read it in
// time.
func (s *screen) write(f *Frame) error {
	var line bytes.Buffer
	if err := Encode(&line, f); err != nil {
		return err
	}
	for part := range slices.Chunk(line.Bytes(), writtenAtATime) {
		if err := s.out.SetWriteDeadline(time.Now().Add(Silence)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return fmt.Errorf("%w: %w", errGone, err)
		}
		if _, err := s.w.Write(part); err != nil {
			return fmt.Errorf("%w: %w", errGone, err)
		}
	}
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	s.wrote = time.Now()
	return nil
}

// clientSilence is how long a client may be quiet.
const clientSilence = 4 * Silence

package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

const (
	beat      = 15 * time.Second       // between comments on a quiet stream
	stuck     = 30 * time.Second       // for a piece that the client does not read
	piece     = 64 << 10               // bytes that are written at a time
	taskEvery = 100 * time.Millisecond // between looks at all tasks
)

// errGone is returned for a client that has gone, or does not read.
var errGone = errors.New("the client does not read")

// A stream is a client that reads events. It is a watcher and two cursors: nothing is
// queued for it. What it remembers is bounded by the numbers of agents and tasks.
type stream struct {
	*call
	out   *http.ResponseController
	kinds map[string]bool
	agent society.AgentID // "" for all, as is task
	task  society.TaskID

	watcher api.Watcher
	end     func()
	wrote   time.Time // last

	cursor api.Cursor
	agents map[society.AgentID]struct{} // that the client was told of
	tasks  map[society.TaskID]digest    // as they were told
	owing  bool                         // tasks may have changed since they were looked at
	looked time.Time
	drafts map[society.AgentID]toldDraft
	// outputs are those of calls that are being run.
	outputs map[society.AgentID][]toldOutput
}

// A Bye is the last event of a stream whose society has ended.
type Bye struct {
	// GoesOn is set if another process goes on with the society.
	GoesOn bool `json:"goesOn,omitempty"`
}

// run tells until the client or the society has gone.
func (s *stream) run() {
	s.w.Header().Set("Content-Type", "text/event-stream")
	s.w.Header().Set("Cache-Control", "no-store")
	s.w.WriteHeader(http.StatusOK)
	if s.r.Method == http.MethodHead {
		return
	}
	s.h.cfg.Observer.Streaming(1)
	defer s.h.cfg.Observer.Streaming(-1)
	err := s.event("begin", s.id(), struct{}{}) // a client that is cut off now has an id to go on from
	for err == nil {
		err = s.step()
	}
	switch {
	case errors.Is(err, api.ErrLeaving):
		_ = s.tellLast() // the client may have gone first
		_ = s.event("bye", "", Bye{s.h.cfg.GoesOn()})
	case !errors.Is(err, errGone) && s.Err() == nil:
		s.h.cfg.Log.Warn("a stream of events was cut short", "part", "http", "requestId", s.w.Header().Get(RequestIDHeader), "error", err.Error())
	}
}

// step waits for changes and tells them. It also ends when it is time to look at the
// tasks, or to show a quiet client that the connection is alive.
func (s *stream) step() error {
	until := s.wrote.Add(beat)
	if due := s.looked.Add(taskEvery); s.owing && due.Before(until) {
		until = due
	}
	ctx, cancel := context.WithDeadline(s, until)
	defer cancel()
	changes, err := s.watcher.Next(ctx)
	if err == nil {
		err = s.tell(&changes)
	} else if errors.Is(err, context.DeadlineExceeded) && s.Err() == nil {
		err = nil
	}
	if err == nil && s.owing && time.Since(s.looked) >= taskEvery {
		err = s.tellTasks()
	}
	if err == nil && time.Since(s.wrote) >= beat {
		err = s.write(": \n\n")
	}
	return err
}

// tell writes what has changed, but for the tasks.
func (s *stream) tell(c *api.Changes) error {
	var fresh []society.AgentID
	if grown := len(c.Streaming) > 0 && !c.All && len(c.Rows)+len(c.Gone)+len(c.Log)+c.Missed == 0; !grown {
		s.owing = s.kinds[kindTask]
		var err error
		if fresh, err = s.tellAgents(c); err != nil {
			return err
		}
		if err := s.tellLog(); err != nil {
			return err
		}
	}
	grown := append(fresh, c.Streaming...)
	if s.kinds[kindText] {
		if err := s.tellTexts(grown); err != nil {
			return err
		}
	}
	if s.kinds[kindOutput] {
		return s.tellOutputs(grown)
	}
	return nil
}

// event writes an event, with an id if it is on disk. A line break in data is escaped by
// JSON.
func (s *stream) event(kind, id string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	if id != "" {
		id = "id: " + id + "\n"
	}
	return s.write("event: " + kind + "\n" + id + "data: " + string(text) + "\n\n")
}

// write sends text at once. It returns errGone for a client that does not read a piece of
// it in time.
func (s *stream) write(text string) error {
	for begin := 0; begin < len(text); begin += piece {
		if err := s.out.SetWriteDeadline(time.Now().Add(stuck)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return fmt.Errorf("%w: %w", errGone, err)
		}
		if _, err := s.w.Write([]byte(text[begin:min(begin+piece, len(text))])); err != nil {
			return fmt.Errorf("%w: %w", errGone, err)
		}
	}
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	s.wrote = time.Now()
	return nil
}

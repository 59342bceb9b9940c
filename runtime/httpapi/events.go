package httpapi

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// The kinds of events that a client can ask for.
const (
	kindMessage  = "message"
	kindTimeline = "timeline"
	kindTask     = "task"
	kindAgent    = "agent"
	kindText     = "text"
	kindOutput   = "output"
)

// eventKinds are all kinds; text and output come only if they are named.
var eventKinds = []string{kindMessage, kindTimeline, kindTask, kindAgent, kindText, kindOutput}

// EventKinds returns all kinds of events that a client can ask for.
func EventKinds() []string { return slices.Clone(eventKinds) }

type eventQuery struct {
	Kinds string `query:"kinds" default:"message,timeline,task,agent" doc:"which of message, timeline, task, agent, text and output, separated by commas"`
	Agent string `query:"agent" doc:"only events of this agent"`
	Task  string `query:"task" doc:"only events of this task; the timeline has none"`
	Last  string `header:"Last-Event-ID" doc:"the id of the last event that was received: all messages and timeline lines behind it come, else those from now on"`
}

// eventsRoute streams events. Messages and lines of the timeline are on disk and have ids,
// so that a client that was cut off goes on behind the last one it got. Agents, tasks and
// answers in flight and outputs are told as they are now, then as they change.
func (h *Handler) eventsRoute() route {
	return route{
		method: http.MethodGet, path: "/api/events", summary: "Stream events", in: reflect.TypeFor[eventQuery](),
		status: http.StatusOK, media: "text/event-stream",
		serve: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var in eventQuery
			c, err := h.call(w, r, &in)
			if err != nil {
				h.fail(c, w, err)
				return
			}
			s, err := c.open(in)
			if err != nil {
				h.fail(c, w, err)
				return
			}
			defer s.end()
			s.run()
		}),
	}
}

// open checks a request for events, before anything is written.
func (c *call) open(in eventQuery) (*stream, error) {
	s := &stream{
		call: c, out: http.NewResponseController(c.w), kinds: map[string]bool{}, agent: society.AgentID(in.Agent), task: society.TaskID(in.Task),
		agents: map[society.AgentID]struct{}{}, tasks: map[society.TaskID]digest{}, drafts: map[society.AgentID]toldDraft{},
		outputs: map[society.AgentID][]toldOutput{},
	}
	for _, k := range strings.Split(in.Kinds, ",") {
		if !slices.Contains(eventKinds, k) {
			return nil, invalid("kinds", fmt.Sprintf("%q is none of %s", k, strings.Join(eventKinds, ", ")))
		}
		s.kinds[k] = true
	}
	newest, err := c.h.cfg.Society.Newest(c)
	if err != nil {
		return nil, err
	}
	s.cursor = newest
	if in.Last != "" {
		if s.cursor, err = parseCursor(in.Last); err != nil || s.cursor.Timeline > newest.Timeline || s.cursor.Inbox > newest.Inbox {
			return nil, invalid("Last-Event-ID", "no event of this session has this id; leave it out to begin now")
		}
	}
	// The first look of a watcher shows everything, so nothing that has come since Newest is
	// missed.
	s.watcher, s.end = c.h.cfg.Watch()
	return s, nil
}

func parseCursor(id string) (c api.Cursor, err error) {
	first, second, _ := strings.Cut(id, ".")
	if c.Timeline, err = strconv.ParseUint(first, 10, 64); err != nil {
		return c, err
	}
	c.Inbox, err = strconv.ParseUint(second, 10, 64)
	return c, err
}

package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"society-tui/runtime/httpapi"
	"society-tui/runtime/society"
)

// Sent is the reply to a message.
type Sent struct {
	TaskID    string `json:"taskId"`
	MessageID string `json:"messageId"`
}

// A Followed request is what it led to.
type Followed struct {
	Sent

	Task     httpapi.Task
	Messages []httpapi.Message // to the user in its task, since it was sent
	// Stopped are the agents that were stopped meanwhile, without having done what they had of
	// its task, and have not worked on it since. Some may be resumed: that gives back nothing.
	Stopped []string
}

// Follow sends a request and waits until nobody works on its task any more, or would before a
// stopped agent of it is resumed.
// Meanwhile it tells what happens: first an event "sent", then messages to the user, the
// task and its agents. With an error it returns what has come until then.
func (c *Client) Follow(ctx context.Context, send func(context.Context) (Sent, error), tell func(Event)) (Followed, error) {
	f := follower{Client: c, tell: tell, agents: map[string]bool{}, works: map[string]bool{}, stopped: map[string]bool{}}
	// The stream is opened before the request is sent, so that it holds all that follows.
	query := url.Values{"kinds": {"message,timeline,task,agent"}}
	events, bye, err := c.stream(ctx, query)
	for err == nil {
		err = f.hear(ctx, events, send)
		if err != nil || f.ended {
			return f.Followed, err
		}
		if f.TaskID == "" || !bye.GoesOn {
			return f.Followed, ErrEnded
		}
		if events, bye, err = c.again(ctx, query); err != nil && ctx.Err() == nil {
			err = ErrEnded
		}
	}
	return f.Followed, err
}

const (
	// goOnPatience is how long another process may take to go on with a society.
	goOnPatience = 15 * time.Second
	goOnPoll     = 250 * time.Millisecond
)

// again opens a stream of the process that goes on with the society, as soon as it is there.
func (c *Client) again(ctx context.Context, query url.Values) (events iter.Seq2[Event, error], bye *httpapi.Bye, err error) {
	for begun := time.Now(); time.Since(begun) < goOnPatience; {
		c.Close() // the connections lead to the process that leaves
		if events, bye, err = c.stream(ctx, query); err == nil || ctx.Err() != nil {
			return events, bye, err
		}
		select {
		case <-time.After(goOnPoll):
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
	return nil, nil, err
}

// hear takes the events of a stream until it or the wait ends.
func (f *follower) hear(ctx context.Context, events iter.Seq2[Event, error], send func(context.Context) (Sent, error)) error {
	for e, err := range events {
		switch {
		case err != nil:
			return err
		case f.TaskID == "":
			err = f.send(ctx, e, send)
		default:
			err = f.take(ctx, e)
		}
		if refused, ok := errors.AsType[*httpapi.Error](err); ok && f.TaskID != "" && refused.Code == httpapi.CodeLeaving {
			err = nil // the stream ends, too
		}
		if err != nil || f.ended {
			return err
		}
	}
	return nil
}

// A follower is a request that is being followed.
type follower struct {
	*Client
	Followed

	tell   func(Event)
	at     string // where the events are, before the dot of their ids
	seen   uint64 // number of the last message
	agents map[string]bool
	begun  time.Time       // when the request was sent
	works  map[string]bool // agents of the task, when they were last seen not stopped
	// stopped are agents of the task that were stopped, and whether they worked on it then. Those
	// that did stay here until they work on it again.
	stopped map[string]bool
	ended   bool
}

// send sends the request, after the first event.
func (f *follower) send(ctx context.Context, open Event, send func(context.Context) (Sent, error)) (err error) {
	at, inbox, _ := strings.Cut(open.ID, ".")
	f.at = at
	if f.seen, err = strconv.ParseUint(inbox, 10, 64); err != nil {
		return fmt.Errorf("the first event has the id %q", open.ID)
	}
	f.begun = time.Now()
	if f.Sent, err = send(ctx); err != nil {
		return err
	}
	data, err := json.Marshal(f.Sent)
	f.tell(Event{Kind: "sent", Data: data})
	return err
}

// take passes an event on if it belongs to the task.
func (f *follower) take(ctx context.Context, e Event) error {
	var of struct {
		ID      string    `json:"id"`
		TaskID  string    `json:"taskId"`
		AgentID string    `json:"agentId"`
		State   string    `json:"state"`
		Kind    string    `json:"kind"`
		Waiting int       `json:"waiting"`
		Paused  string    `json:"paused"`
		Since   time.Time `json:"since"`
	}
	if err := json.Unmarshal(e.Data, &of); err != nil {
		return err
	}
	if at, _, ok := strings.Cut(e.ID, "."); ok {
		f.at = at
	}
	switch e.Kind {
	case "begin": // of the process that goes on
		if err := f.rest(ctx); err != nil {
			return err
		}
		return f.look(ctx, "")
	case "message":
		return f.takeMessage(e)
	case "agent":
		f.agents[of.ID] = of.TaskID == f.TaskID
		if f.agents[of.ID] || of.Paused != "" && of.Waiting > 0 { // what it does not read may be of the task
			f.tell(e)
		}
		if f.agents[of.ID] {
			f.note(of.ID, of.State, of.Waiting, of.Since)
		}
		return f.lookAtRest(ctx)
	case "timeline":
		// A call that was denied is told whosever it is: that of an agent that was just made
		// comes before the agent itself.
		if f.agents[of.AgentID] || of.Kind == string(society.Denied) {
			f.tell(e)
		}
	case "task":
		if of.ID == f.TaskID {
			f.tell(e)
			return f.look(ctx, of.State)
		}
	}
	return nil
}

func (f *follower) takeMessage(e Event) error {
	var m httpapi.Message
	if err := json.Unmarshal(e.Data, &m); err != nil || m.Seq <= f.seen || m.TaskID != f.TaskID && !slices.Contains(m.AlsoTaskIDs, f.TaskID) {
		return err
	}
	if e.ID == "" { // it was read before its event came
		e.ID = fmt.Sprintf("%s.%d", f.at, m.Seq)
	}
	f.seen = m.Seq
	f.Messages = append(f.Messages, m)
	f.tell(e)
	return nil
}

// note remembers whether an agent of the task works, or was stopped at work. One that had been
// stopped before the request was sent is none of those that it waits for.
func (f *follower) note(id, state string, waiting int, since time.Time) {
	switch state {
	case string(society.Stopping), string(society.Stopped):
		if _, known := f.stopped[id]; known {
			return
		}
		switch worked, known := f.works[id]; {
		case known:
			f.stopped[id] = worked
		case since.After(f.begun): // before its first event
			f.stopped[id] = true
		}
	default:
		f.works[id] = state != string(society.Idle) || waiting > 0
		if f.works[id] || !f.stopped[id] {
			delete(f.stopped, id)
		}
	}
}

// lookAtRest ends the wait if an agent of the task was stopped and nobody moves: those who wait for
// what it has not done would wait until it works again.
func (f *follower) lookAtRest(ctx context.Context) error {
	if len(f.stopped) == 0 {
		return nil
	}
	var list struct{ Agents []httpapi.Agent }
	if err := f.Get(ctx, "/api/agents", nil, &list); err != nil {
		return err
	}
	moves := func(a httpapi.Agent) bool {
		switch a.State {
		case string(society.Stopped), "":
			return false
		case string(society.Idle):
			return a.Waiting > 0 || a.Paused != "" || a.Question != ""
		}
		return true
	}
	if slices.ContainsFunc(list.Agents, moves) {
		return nil
	}
	if err := f.Get(ctx, "/api/tasks/"+url.PathEscape(f.TaskID), nil, &f.Task); err != nil || f.Task.State != string(society.TaskOpen) {
		return err // an event of the task tells its end
	}
	f.Stopped = slices.Sorted(maps.Keys(f.stopped))
	return f.end(ctx)
}

// look ends the wait if nobody works on the task any more. The event may be older than the
// request, and a message newer, so both are read.
func (f *follower) look(ctx context.Context, state string) error {
	if state == string(society.TaskOpen) {
		return nil
	}
	if err := f.Get(ctx, "/api/tasks/"+url.PathEscape(f.TaskID), nil, &f.Task); err != nil || f.Task.State == string(society.TaskOpen) {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(f.stopped)) {
		if f.stopped[id] {
			f.Stopped = append(f.Stopped, id)
		}
	}
	return f.end(ctx)
}

// end ends the wait after the messages that have come until now.
func (f *follower) end(ctx context.Context) error {
	err := f.rest(ctx)
	f.ended = err == nil
	return err
}

// rest reads the messages that have come since the last event.
func (f *follower) rest(ctx context.Context) error {
	for {
		var page struct {
			Messages []json.RawMessage `json:"messages"`
		}
		err := f.Get(ctx, "/api/messages/"+url.PathEscape(f.TaskID), url.Values{"after": {strconv.FormatUint(f.seen, 10)}}, &page)
		if err != nil || len(page.Messages) == 0 {
			return err
		}
		for _, data := range page.Messages {
			if err := f.takeMessage(Event{Kind: "message", Data: data}); err != nil {
				return err
			}
		}
	}
}

package cli

import (
	"context"
	"net/url"
	"slices"
	"time"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/society"
)

// cancelPatience is how long the agents of a cancelled task may take to end their work.
const cancelPatience = 30 * time.Second

// cancelTask ends the work on a task: its agents are stopped, so that nobody owes anything for
// it, and at once resumed, so that the next task finds them at rest. An agent goes on if a
// stop would end the work of it, or of one below it, on another task. It returns the
// agents that go on, and reports whether all work on the task is over.
func cancelTask(client *apiclient.Client, task string) (goOn []string, over bool) {
	ctx, cancel := context.WithTimeout(context.Background(), cancelPatience)
	defer cancel()
	agents, err := agentsOf(ctx, client, nil)
	if err != nil {
		return nil, false
	}
	busy, err := openTasks(ctx, client)
	if err != nil {
		return nil, false
	}
	delete(busy, task)
	above := map[string]string{}
	for _, a := range agents {
		above[a.ID] = a.ParentID
	}
	spared := map[string]bool{} // a stop of these would end other work
	for _, a := range agents {
		if len(busy) > 0 && a.ID == string(society.Root) || busy[a.TaskID] {
			for id := a.ID; id != "" && !spared[id]; id = above[id] {
				spared[id] = true
			}
		}
	}
	over = len(busy) == 0
	for _, a := range agents { // each comes after the one above it
		switch {
		case a.TaskID != task:
		case spared[a.ID]:
			goOn = append(goOn, a.ID)
		default:
			over = stopAndResume(ctx, client, a.ID, agents) && over
		}
	}
	if len(busy) > 0 && len(goOn) == 0 { // the latest task of root is another
		goOn = []string{string(society.Root)}
	}
	return goOn, over
}

// setAside takes a cancelled request back from the conversation of its recipient, which would do it
// with the next one else. It stays if another task has begun since, whose messages stand behind it.
func setAside(client *apiclient.Client, to string, sent apiclient.Sent) {
	ctx, cancel := context.WithTimeout(context.Background(), cancelPatience)
	defer cancel()
	var page struct{ Tasks []httpapi.Task }
	if err := client.Get(ctx, "/api/tasks", url.Values{"after": {sent.TaskID}, "limit": {"1"}}, &page); err != nil || len(page.Tasks) > 0 {
		return
	}
	_ = client.Post(ctx, "/api/agents/"+url.PathEscape(to)+"/rewind", map[string]string{"messageId": sent.MessageID}, new(struct{})) // one that was dropped unread is in no conversation
}

// agentsOf returns the agents that a query selects.
func agentsOf(ctx context.Context, client *apiclient.Client, query url.Values) ([]httpapi.Agent, error) {
	var list struct{ Agents []httpapi.Agent }
	err := client.Get(ctx, "/api/agents", query, &list)
	return list.Agents, err
}

// openTasks returns the tasks on which somebody works, or for which the user is asked.
func openTasks(ctx context.Context, client *apiclient.Client) (map[string]bool, error) {
	found := map[string]bool{}
	for after := ""; ; {
		var page struct {
			Tasks []httpapi.Task
			Next  string
		}
		query := url.Values{"limit": {"1000"}}
		if after != "" {
			query.Set("after", after)
		}
		if err := client.Get(ctx, "/api/tasks", query, &page); err != nil {
			return nil, err
		}
		for _, t := range page.Tasks {
			if state := society.TaskState(t.State); state == society.TaskOpen || state == society.TaskAsks {
				found[t.ID] = true
			}
		}
		if after = page.Next; after == "" {
			return found, nil
		}
	}
}

// stopAndResume ends the work of an agent and of all below it, and lets them take messages
// again. A pause of the user's stays.
func stopAndResume(ctx context.Context, client *apiclient.Client, id string, before []httpapi.Agent) bool {
	var r struct {
		Stopped        bool
		CascadeStopped []string
	}
	post := func(id, verb string, body, reply any) error {
		return client.Post(ctx, "/api/agents/"+url.PathEscape(id)+"/"+verb, body, reply)
	}
	if post(id, "stop", nil, &r) != nil {
		return false
	}
	stopped := r.CascadeStopped
	if r.Stopped {
		stopped = append(stopped, id)
	}
	ok := true
	for _, id := range stopped {
		ok = post(id, "resume", map[string]bool{"alone": true}, new(struct{})) == nil && ok
		if slices.ContainsFunc(before, func(a httpapi.Agent) bool { return a.ID == id && a.Paused == string(society.AskedToPause) }) {
			ok = post(id, "pause", nil, new(struct{})) == nil && ok
		}
	}
	return ok
}

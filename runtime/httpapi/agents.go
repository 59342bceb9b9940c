package httpapi

import (
	"fmt"
	"math"
	"net/http"
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

type oneAgent struct {
	ID string `path:"id" json:"-" doc:"of the agent"`
}

func (h *Handler) agentRoutes() []route {
	type slots struct {
		ID   string `path:"id" json:"-" doc:"of the agent"`
		From uint64 `query:"from" doc:"the first slot"`
		Upto uint64 `query:"upto" doc:"the slot behind the last, at most 1000 above the first; so many without it"`
	}
	type spawn struct {
		ParentID string `json:"parentId"`
		RoleID   string `json:"roleId"`
		Text     string `json:"text,omitempty" jsonschema:"its first message; without one it waits"`
	}
	type spawned struct {
		AgentID   string `json:"agentId"`
		MessageID string `json:"messageId,omitempty"`
		TaskID    string `json:"taskId,omitempty"`
	}
	return []route{
		routeJSON(h, http.MethodGet, "/api/agents", http.StatusOK, "List the agents", listAgents),
		routeJSON(h, http.MethodPost, "/api/agents", http.StatusCreated, "Create an agent", func(c *call, in spawn) (*spawned, error) {
			s, err := do(c, society.Spawn{Parent: society.AgentID(in.ParentID), Role: society.RoleID(in.RoleID), Text: in.Text})
			return &spawned{string(s.Agent), string(s.Message), string(s.Task)}, err
		}),
		routeJSON(h, http.MethodGet, "/api/agents/{id}", http.StatusOK, "Show an agent with its brief, contacts and tools", showAgent),
		routeJSON(h, http.MethodGet, "/api/agents/{id}/conversation", http.StatusOK, "Read an agent's conversation", func(c *call, in slots) (*entries, error) {
			return readEntries(c, in.ID, in.From, in.Upto)
		}),
		routeDraft(h),
	}
}

// routeDraft is the route of the answer in flight: 204 if there is none.
func routeDraft(h *Handler) route {
	r := routeJSON(h, http.MethodGet, "/api/agents/{id}/draft", http.StatusOK, "Read the answer that an agent is giving", func(c *call, in oneAgent) (*Draft, error) {
		d, ok := h.cfg.Society.Draft(society.AgentID(in.ID))
		if !ok {
			_, err := c.profile(in.ID)
			return nil, err
		}
		return &Draft{in.ID, d.Epoch, d.Step, d.Attempt, d.Begun, d.Text, d.Thought, d.Tool, d.Aborted}, nil
	})
	r.empty = "no answer is in flight"
	return r
}

type agentQuery struct {
	State  string `query:"state" enum:"idle,waiting_llm,processing,stopping,stopped,terminating" doc:"only those in this state"`
	Task   string `query:"task" doc:"only those that worked on this task last"`
	Status string `query:"status" enum:"active,terminated" default:"active" doc:"only those that are"`
	After  uint64 `query:"after" doc:"next of the page before"`
	Limit  int    `query:"limit" min:"1" max:"1000" doc:"how many at most; all without it"`
}

type agentPage struct {
	Agents []Agent `json:"agents" jsonschema:"in order of creation"`
	Next   uint64  `json:"next,omitempty" jsonschema:"after for the next page; missing on the last"`
}

func listAgents(c *call, in agentQuery) (*agentPage, error) {
	all, err := c.agents(in.Status)
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(all, func(a Agent) bool {
		return a.order <= in.After || in.State != "" && a.State != in.State || in.Task != "" && a.TaskID != in.Task
	})
	p := agentPage{Agents: append([]Agent{}, list...)}
	if in.Limit > 0 && len(list) > in.Limit {
		p.Agents = p.Agents[:in.Limit]
		p.Next = p.Agents[in.Limit-1].order // holds when that agent has ended meanwhile, too
	}
	return &p, nil
}

// agents returns the agents of a status, in order of creation.
func (c *call) agents(status string) (all []Agent, err error) {
	if status == statusTerminated {
		ended, err := c.h.cfg.Society.Ended(c)
		for i := range ended {
			all = append(all, endedAgent(&ended[i], c.h.cfg.Currency))
		}
		return all, err
	}
	now, err := c.look()
	for i := range now.Rows {
		all = append(all, agentOf(&now.Rows[i], &now))
	}
	return all, err
}

// profile returns what an agent was given. It refuses one that does not exist.
func (c *call) profile(id string) (api.Profile, error) {
	if id == string(society.User) {
		return api.Profile{}, noAgent(id, "user is you, not an agent")
	}
	return c.h.cfg.Society.Profile(c, society.AgentID(id))
}

func noAgent(id, why string) *Error {
	return &Error{Status: http.StatusNotFound, Code: string(society.AgentNotFound), Message: why, AgentID: id}
}

func showAgent(c *call, in oneAgent) (*AgentDetails, error) {
	profile, err := c.profile(in.ID)
	if err != nil {
		return nil, err
	}
	now, err := c.look()
	if err != nil {
		return nil, err
	}
	rows := now.Rows
	at := slices.IndexFunc(rows, func(r api.Row) bool { return string(r.ID) == in.ID })
	if at < 0 {
		return nil, noAgent(in.ID, in.ID+" has ended")
	}
	d := AgentDetails{Agent: agentOf(&rows[at], &now), Brief: profile.Brief, Contacts: append([]protocol.Contact{}, profile.Contacts...), Tools: []Tool{}}
	for _, t := range profile.Tools {
		d.Tools = append(d.Tools, Tool{t.Name, t.Purpose, t.Writes})
	}
	for _, item := range profile.Todo {
		d.Items = append(d.Items, TodoItem{item.Text, string(item.Status)})
	}
	if run := profile.Run; run != nil {
		d.Run = &Run{run.Graph, rows[at].Walk.Node, string(run.Status), string(run.Reason), run.Iterations}
	}
	return &d, nil
}

type entries struct {
	AgentID string    `json:"agentId"`
	Entries []Entry   `json:"entries"`
	Next    uint64    `json:"next" jsonschema:"from for what comes behind these"`
	Waiting []Waiting `json:"waiting"`
}

const mostSlots = 1000

func readEntries(c *call, id string, from, upto uint64) (*entries, error) {
	switch most := from + min(mostSlots, math.MaxUint64-from); {
	case upto == 0:
		upto = most
	case upto < from || upto > most:
		return nil, invalid("upto", fmt.Sprintf("must be from, or at most %d above it", mostSlots))
	}
	if _, err := c.profile(id); err != nil {
		return nil, err
	}
	read, err := c.h.cfg.Society.Entries(c, society.AgentID(id), from, upto)
	if err != nil {
		return nil, err
	}
	e := entries{AgentID: id, Entries: []Entry{}, Next: read.Next, Waiting: []Waiting{}}
	for i := range read.Entries {
		e.Entries = append(e.Entries, entryOf(&read.Entries[i]))
	}
	for _, w := range read.Waiting {
		e.Waiting = append(e.Waiting, Waiting{string(w.From), string(w.Type), w.At, w.Due, w.Body})
	}
	return &e, nil
}

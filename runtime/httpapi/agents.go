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

// The verbs, with their replies as the tools of agents have them.
func (h *Handler) verbRoutes() []route {
	type interrupt struct {
		ID          string       `path:"id" json:"-" doc:"of the agent"`
		Text        string       `json:"text,omitempty" jsonschema:"what it is asked instead"`
		Attachments []Attachment `json:"attachments,omitempty" jsonschema:"files that go with it"`
	}
	type interrupted struct {
		Was     bool `json:"was" jsonschema:"something was running"`
		Waiting int  `json:"waiting" jsonschema:"messages still in its queue"`
		Saved   bool `json:"saved"`
	}
	type rewind struct {
		ID        string `path:"id" json:"-" doc:"of the agent"`
		MessageID string `json:"messageId,omitempty" jsonschema:"one of your messages to it; without it the last one"`
	}
	type rewound struct {
		MessageID   string   `json:"messageId"`
		Text        string   `json:"text" jsonschema:"of the message, to be written anew"`
		Attachments []string `json:"attachments,omitempty" jsonschema:"names of the files that went with it"`
		SetAside    int      `json:"setAside" jsonschema:"entries of the conversation that no model is sent again"`
		Interrupted bool     `json:"interrupted" jsonschema:"it was at work"`
	}
	type forked struct {
		AgentID string `json:"agentId" jsonschema:"of the copy"`
	}
	type resume struct {
		ID    string `path:"id" json:"-" doc:"of the agent"`
		Alone bool   `json:"alone,omitempty" jsonschema:"not those below it"`
		Now   bool   `json:"now,omitempty" jsonschema:"also ask the models at once that are waited for"`
	}
	type resumed struct {
		Agents []string `json:"agents" jsonschema:"those that changed"`
	}
	type paused struct {
		Changed bool `json:"changed" jsonschema:"false if it was paused already"`
		Busy    bool `json:"busy" jsonschema:"it goes on until it may rest"`
	}
	type compress struct {
		ID   string `path:"id" json:"-" doc:"of the agent"`
		Keep uint64 `json:"keep,omitempty" jsonschema:"how many of the newest entries stay; without it as many as the settings say and have room"`
		Cut  bool   `json:"cut,omitempty" jsonschema:"leave the oldest out, without a summary by the model"`
	}
	type compressed struct {
		Compressed bool   `json:"compressed"`
		Entries    int    `json:"entries" jsonschema:"that left the model's context"`
		Left       int    `json:"left" jsonschema:"those of them that no summary holds"`
		Before     int    `json:"before" jsonschema:"tokens of the context before, counted or estimated"`
		After      int    `json:"after" jsonschema:"and after"`
		Why        string `json:"why,omitempty" jsonschema:"why nothing was compressed"`
		Going      bool   `json:"going,omitempty" jsonschema:"it was asked for before, and its outcome is not known"`
	}
	type reason struct {
		ID     string `path:"id" json:"-" doc:"of the agent"`
		Reason string `json:"reason,omitempty" jsonschema:"why, for the log"`
	}
	type stopped struct {
		OK             bool     `json:"ok"`
		Stopped        bool     `json:"stopped"`
		Reason         string   `json:"reason,omitempty"`
		CascadeStopped []string `json:"cascadeStopped"`
		Dropped        int      `json:"dropped" jsonschema:"messages that were waiting"`
		Abandoned      []string `json:"abandoned,omitempty" jsonschema:"agents whose work did not end in time; its results no longer count"`
		Saved          bool     `json:"saved"`
	}
	type terminated struct {
		OK                bool     `json:"ok"`
		Terminated        bool     `json:"terminated"`
		TerminatedAgentID string   `json:"terminatedAgentId,omitempty"`
		CascadeTerminated []string `json:"cascadeTerminated"`
		Dropped           int      `json:"dropped" jsonschema:"messages that were waiting"`
		Abandoned         []string `json:"abandoned,omitempty" jsonschema:"agents whose work did not end in time; its results no longer count"`
		Saved             bool     `json:"saved"`
	}
	return []route{
		routeJSON(h, http.MethodPost, "/api/agents/{id}/interrupt", http.StatusOK, "Abort an agent's call in flight, and ask it something else", func(c *call, in interrupt) (*interrupted, error) {
			files, err := attachments(in.Attachments)
			if err != nil {
				return nil, err
			}
			r, err := do(c, society.Interrupt{Agent: society.AgentID(in.ID), Text: in.Text, Attachments: files})
			return &interrupted{r.Was, r.Waiting, !r.Unsaved}, err
		}),
		routeJSON(h, http.MethodPost, "/api/agents/{id}/rewind", http.StatusOK, "Set an agent's conversation aside from one of your messages on; one at work is interrupted", func(c *call, in rewind) (*rewound, error) {
			r, err := do(c, society.Rewind{Agent: society.AgentID(in.ID), Message: society.MessageID(in.MessageID)})
			return &rewound{string(r.Message), r.Text, namesOfFiles(r.Attached), r.Entries, r.Was}, err
		}),
		routeJSON(h, http.MethodPost, "/api/agents/{id}/fork", http.StatusCreated, "Create an agent with a copy of an agent's conversation and contacts", func(c *call, in oneAgent) (*forked, error) {
			r, err := do(c, society.Fork{Agent: society.AgentID(in.ID)})
			return &forked{string(r.Agent)}, err
		}),
		routeJSON(h, http.MethodPost, "/api/agents/{id}/resume", http.StatusOK, "Resume an agent and all below it", func(c *call, in resume) (*resumed, error) {
			r, err := do(c, society.Resume{Agent: society.AgentID(in.ID), Alone: in.Alone, Now: in.Now})
			return &resumed{namesOfAgents(r.Agents)}, err
		}),
		routeJSON(h, http.MethodPost, "/api/agents/{id}/pause", http.StatusOK, "Pause an agent after its current step", func(c *call, in oneAgent) (*paused, error) {
			r, err := do(c, society.PauseAgent{Agent: society.AgentID(in.ID)})
			return &paused{r.Changed, r.Busy}, err
		}),
		routeJSON(h, http.MethodPost, "/api/agents/{id}/compress", http.StatusOK, "Compress the context of an agent at rest, and wait until that is done", func(c *call, in compress) (*compressed, error) {
			r, err := do(c, society.CompressContext{Agent: society.AgentID(in.ID), Keep: int(min(in.Keep, 1<<30)), Cut: in.Cut})
			return &compressed{r.Compressed, r.Entries, r.Left, r.Before, r.After, r.Why, r.Going}, err
		}),
		routeJSON(h, http.MethodPost, "/api/agents/{id}/stop", http.StatusOK, "Stop an agent and all below it", func(c *call, in reason) (*stopped, error) {
			r, err := do(c, society.Stop{Agent: society.AgentID(in.ID), Reason: in.Reason})
			return &stopped{r.OK, r.Stopped, r.Reason, namesOfAgents(r.CascadeStopped), r.Dropped, namesOfAgents(r.Abandoned), !r.Unsaved}, err
		}),
		routeJSON(h, http.MethodPost, "/api/agents/{id}/terminate", http.StatusOK, "Terminate an agent and all below it, and erase what was theirs", func(c *call, in reason) (*terminated, error) {
			r, err := do(c, society.Terminate{Agent: society.AgentID(in.ID), By: society.User, Reason: in.Reason})
			return &terminated{r.OK, r.Terminated, string(r.TerminatedAgentID), namesOfAgents(r.CascadeTerminated), r.Dropped, namesOfAgents(r.Abandoned), !r.Unsaved}, err
		}),
	}
}

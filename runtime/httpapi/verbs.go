package httpapi

import (
	"net/http"
	"slices"

	"society-tui/runtime/society"
)

// verbRoutes are the verbs, with their replies as the tools of agents have them.
func (h *Handler) verbRoutes() []route {
	return slices.Concat(h.conversationVerbs(), h.pauseVerbs(), h.endVerbs())
}

// conversationVerbs change how a conversation goes on.
func (h *Handler) conversationVerbs() []route {
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
	}
}

// pauseVerbs let an agent rest, go on, or make room in its context meanwhile.
func (h *Handler) pauseVerbs() []route {
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
	return []route{
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
	}
}

// endVerbs end the work of a subtree, or the subtree itself.
func (h *Handler) endVerbs() []route {
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

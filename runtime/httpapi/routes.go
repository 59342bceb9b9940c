package httpapi

import (
	"io"
	"math"
	"net/http"
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// routes are all routes of /api, and /metrics.
func (h *Handler) routes() []route {
	return slices.Concat(h.messageRoutes(), h.agentRoutes(), h.verbRoutes(), h.taskRoutes(), h.approvalRoutes(), h.artifactRoutes(), h.fileChangeRoutes(), h.worktreeRoutes(), h.outputRoutes(), h.serverRoutes(), h.modelRoutes(), h.usageRoutes(), h.societyRoutes(), h.programRoutes())
}

// nothing is a request without fields.
type nothing struct{}

// pageBytes is about how long the texts of a page are at most.
const pageBytes = 16 << 20

type submitted struct {
	TaskID    string `json:"taskId"`
	MessageID string `json:"messageId"`
}

func (h *Handler) messageRoutes() []route {
	type submit struct {
		Text        string       `json:"text" jsonschema:"what you need"`
		Attachments []Attachment `json:"attachments,omitempty" jsonschema:"files that go with it"`
	}
	type send struct {
		AgentID     string       `json:"agentId" jsonschema:"root or any other agent, never user"`
		Text        string       `json:"text"`
		TaskID      string       `json:"taskId,omitempty" jsonschema:"the task to continue; the agent's present one without it"`
		Attachments []Attachment `json:"attachments,omitempty" jsonschema:"files that go with it"`
	}
	type messages struct {
		TaskID string `path:"taskId" json:"-" doc:"of the task"`
		After  uint64 `query:"after" doc:"next of the page before"`
		Limit  int    `query:"limit" min:"1" max:"1000" default:"100" doc:"how many at most"`
	}
	type messagePage struct {
		Messages []Message `json:"messages" jsonschema:"none when there are no more yet; fewer than limit if they are long"`
		Next     uint64    `json:"next" jsonschema:"after for what comes behind these"`
	}
	return []route{
		routeJSON(h, http.MethodPost, "/api/submit", http.StatusOK, "Begin a task with a request to root", func(c *call, in submit) (*submitted, error) {
			files, err := attachments(in.Attachments)
			if err != nil {
				return nil, err
			}
			sent, err := do(c, society.Send{To: society.Root, Text: in.Text, Attachments: files, NewTask: true})
			return &submitted{string(sent.Task), string(sent.Message)}, err
		}),
		routeJSON(h, http.MethodPost, "/api/send", http.StatusOK, "Send a message to an agent", func(c *call, in send) (*submitted, error) {
			files, err := attachments(in.Attachments)
			if err != nil {
				return nil, err
			}
			sent, err := do(c, society.Send{To: society.AgentID(in.AgentID), Text: in.Text, Attachments: files, Task: society.TaskID(in.TaskID)})
			return &submitted{string(sent.Task), string(sent.Message)}, err
		}),
		routeJSON(h, http.MethodGet, "/api/messages/{taskId}", http.StatusOK, "List the messages to the user in a task, as they came", func(c *call, in messages) (*messagePage, error) {
			if _, err := h.cfg.Society.Tasks(c, society.TaskID(in.TaskID)); err != nil {
				return nil, err
			}
			list, err := h.cfg.Society.Inbox(c, api.InboxQuery{From: behind(in.After), Task: society.TaskID(in.TaskID), Most: in.Limit, Bytes: pageBytes})
			p := messagePage{Messages: []Message{}, Next: in.After}
			for i := range list {
				p.Messages, p.Next = append(p.Messages, messageOf(&list[i])), list[i].Seq
			}
			return &p, err
		}),
	}
}

// behind returns the number behind another.
func behind(n uint64) uint64 { return n + min(1, math.MaxUint64-n) }

func (h *Handler) taskRoutes() []route {
	type page struct {
		After string `query:"after" doc:"next of the page before"`
		Limit int    `query:"limit" min:"1" max:"1000" default:"100" doc:"how many at most"`
	}
	type taskPage struct {
		Tasks []Task `json:"tasks"`
		Next  string `json:"next,omitempty" jsonschema:"after for the next page; missing on the last"`
	}
	type one struct {
		ID string `path:"id" json:"-" doc:"of the task"`
	}
	type wait struct {
		ID      string `path:"id" json:"-" doc:"of the task"`
		Timeout Span   `query:"timeout" min:"0" max:"60" default:"60" doc:"seconds, or with a unit, as in 15s"`
	}
	return []route{
		routeJSON(h, http.MethodGet, "/api/tasks", http.StatusOK, "List the tasks, oldest first", func(c *call, in page) (*taskPage, error) {
			list, err := h.cfg.Society.Tasks(c)
			if err != nil {
				return nil, err
			}
			if at := slices.IndexFunc(list, func(t api.Task) bool { return string(t.ID) == in.After }); at >= 0 {
				list = list[at+1:]
			} else if in.After != "" {
				return nil, invalid("after", "no task has this id")
			}
			p := taskPage{Tasks: []Task{}}
			if len(list) > in.Limit {
				list = list[:in.Limit]
				p.Next = string(list[in.Limit-1].ID)
			}
			for i := range list {
				p.Tasks = append(p.Tasks, taskOf(&list[i], h.cfg.Currency))
			}
			return &p, nil
		}),
		routeJSON(h, http.MethodGet, "/api/tasks/{id}", http.StatusOK, "Show a task", func(c *call, in one) (*Task, error) {
			return c.task(society.TaskID(in.ID))
		}),
		routeJSON(h, http.MethodGet, "/api/tasks/{id}/wait", http.StatusOK, "Wait until nobody works on a task, or the timeout", func(c *call, in wait) (*Task, error) {
			return c.await(society.TaskID(in.ID), in.Timeout)
		}),
	}
}

func (h *Handler) societyRoutes() []route {
	type roles struct {
		Roles []Role `json:"roles"`
	}
	type timeline struct {
		After uint64 `query:"after" doc:"next of the page before"`
	}
	type timelinePage struct {
		Timeline []TimelineEvent `json:"timeline"`
		Missed   int             `json:"missed,omitempty" jsonschema:"lines that the timeline no longer holds"`
		Next     uint64          `json:"next"`
	}
	return []route{
		routeJSON(h, http.MethodGet, "/api/tree", http.StatusOK, "Show who is below whom", showTree),
		routeJSON(h, http.MethodGet, "/api/roles", http.StatusOK, "List the roles", func(c *call, _ nothing) (*roles, error) {
			list, err := h.cfg.Society.Roles(c)
			all := roles{Roles: []Role{}}
			for i := range list {
				all.Roles = append(all.Roles, roleOf(&list[i]))
			}
			return &all, err
		}),
		routeJSON(h, http.MethodGet, "/api/timeline", http.StatusOK, "List what happened: ids and kinds, no texts", func(c *call, in timeline) (*timelinePage, error) {
			lines, missed, err := h.cfg.Society.Timeline(c, in.After)
			p := timelinePage{Timeline: []TimelineEvent{}, Missed: missed, Next: in.After}
			for i := range lines {
				p.Timeline, p.Next = append(p.Timeline, timelineOf(&lines[i])), lines[i].Seq
			}
			return &p, err
		}),
	}
}

// formatOrg is the format of an export of the organisation alone.
const formatOrg = "org"

func (h *Handler) programRoutes() []route {
	type export struct {
		Agent  string `query:"agent" doc:"only this agent and all below it"`
		Format string `query:"format" enum:"json,markdown,org" default:"json" doc:"json can be imported again, and so can org, the organisation alone"`
	}
	type quit struct {
		Pause bool `json:"pause,omitempty" jsonschema:"pause all agents first"`
	}
	type leaving struct {
		Leaving bool `json:"leaving"`
	}
	type health struct {
		Version  string `json:"version"`
		Protocol int    `json:"protocol"`
		Boot     string `json:"boot" jsonschema:"differs at each start"`
	}
	routes := []route{
		h.eventsRoute(),
		routeJSON(h, http.MethodGet, "/api/health", http.StatusOK, "Say who answers", func(*call, nothing) (*health, error) {
			return &health{h.cfg.Version, Protocol, h.cfg.Boot}, nil
		}),
		routeBytes(h, "/api/openapi.json", "application/json", "Show this document", func(_ *call, _ nothing, w io.Writer) error {
			text, err := h.document()
			if err == nil {
				_, err = w.Write(text)
			}
			return err
		}),
	}
	if h.cfg.Export != nil {
		routes = append(routes, routeBytes(h, "/api/export", "application/octet-stream", "Export the session", func(c *call, in export, w io.Writer) error {
			if in.Agent != "" {
				if in.Format == formatOrg {
					return invalid("agent", "the organisation is of all agents")
				}
				if _, err := c.profile(in.Agent); err != nil {
					return err
				}
			}
			return h.cfg.Export(c, w, society.AgentID(in.Agent), in.Format)
		}))
	}
	if h.cfg.Backup != nil {
		routes = append(routes, routeBytes(h, "/api/backup", "application/octet-stream", "Back the session up", func(c *call, _ nothing, w io.Writer) error {
			return h.cfg.Backup(c, w)
		}))
	}
	if h.cfg.Quit != nil {
		routes = append(routes, routeJSON(h, http.MethodPost, "/api/quit", http.StatusAccepted, "End the program as a signal would", func(_ *call, in quit) (*leaving, error) {
			h.cfg.Quit(in.Pause)
			return &leaving{true}, nil
		}))
	}
	if h.cfg.Metrics != nil {
		routes = append(routes, route{
			method: http.MethodGet, path: "/metrics", summary: "Show measurements for Prometheus", media: "text/plain", status: http.StatusOK,
			serve: h.cfg.Metrics,
		})
	}
	return routes
}

package httpapi

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"society-tui/runtime/api"
)

// A Server is an MCP server of the settings.
type Server struct {
	Name     string       `json:"name"`
	Command  []string     `json:"command,omitempty" jsonschema:"the program with its arguments"`
	URL      string       `json:"url,omitempty" jsonschema:"of a server that is reached over HTTP"`
	Env      []string     `json:"env,omitempty" jsonschema:"the names of the variables that it is given"`
	Trusted  bool         `json:"trusted" jsonschema:"what it says of its tools is believed"`
	State    string       `json:"state" jsonschema:"starting, ready, waiting to be started again, failed, or stopped"`
	Since    time.Time    `json:"since" jsonschema:"when the state last changed"`
	Problem  string       `json:"problem,omitempty" jsonschema:"why it has ended or could not be started"`
	Restarts int          `json:"restarts" jsonschema:"how often it was started again by itself"`
	RetryAt  *time.Time   `json:"retryAt,omitempty" jsonschema:"when it is started again"`
	Protocol string       `json:"protocol,omitempty" jsonschema:"the version that is spoken with it"`
	Title    string       `json:"title,omitempty" jsonschema:"its own"`
	Version  string       `json:"version,omitempty" jsonschema:"its own"`
	Tools    []ServerTool `json:"tools" jsonschema:"those that it has told of"`
	Calls    int          `json:"calls" jsonschema:"of its tools that are under way"`
	Group    string       `json:"group" jsonschema:"of its tools"`
	Roles    []string     `json:"roles" jsonschema:"the names of the roles whose agents are given its tools"`
}

// A ServerTool is a tool of an MCP server.
type ServerTool struct {
	Tool     string `json:"tool" jsonschema:"its name at the server"`
	Name     string `json:"name,omitempty" jsonschema:"by which agents call it"`
	Purpose  string `json:"purpose,omitempty"`
	ReadOnly bool   `json:"readOnly,omitempty" jsonschema:"a trusted server says that it changes nothing"`
	Left     string `json:"left,omitempty" jsonschema:"why agents are not offered it: too many, no name, name is taken, schema, or schema too large"`
	Detail   string `json:"detail,omitempty" jsonschema:"more about that"`
}

func serverOf(s *api.Server) Server {
	v := Server{
		Name: s.Name, Command: s.Command, URL: s.URL, Env: s.Env, Trusted: s.Trusted, State: string(s.State), Since: s.Since, Problem: s.Problem.EN,
		Restarts: s.Restarts, Protocol: s.Protocol, Title: s.Title, Version: s.Version, Tools: []ServerTool{}, Calls: s.Calls,
		Group: s.Group, Roles: append([]string{}, s.Roles...),
	}
	if !s.RetryAt.IsZero() {
		v.RetryAt = &s.RetryAt
	}
	for _, t := range s.Tools {
		v.Tools = append(v.Tools, ServerTool{t.Tool, t.Name, t.Purpose, t.ReadOnly, string(t.Left), t.Detail})
	}
	return v
}

func (h *Handler) serverRoutes() []route {
	type list struct {
		Servers []Server `json:"servers" jsonschema:"in the order of the settings"`
	}
	type one struct {
		Name string `path:"name" json:"-" doc:"of the server"`
	}
	type switched struct {
		OK bool `json:"ok" jsonschema:"it has begun; the state of the server tells how it ends"`
	}
	routes := []route{
		routeJSON(h, http.MethodGet, "/api/mcp", http.StatusOK, "List the MCP servers with their tools", func(c *call, _ nothing) (*list, error) {
			all, err := h.cfg.Society.Servers(c)
			l := list{Servers: []Server{}}
			for i := range all {
				l.Servers = append(l.Servers, serverOf(&all[i]))
			}
			return &l, err
		}),
		// A browser that opens it must not run it.
		routeBytes(h, "/api/mcp/{name}/output", "application/octet-stream", "Read the end of what an MCP server has written to its standard error", func(c *call, in one, w io.Writer) error {
			output, err := h.cfg.Society.ServerOutput(c, in.Name)
			if err != nil {
				return noServer(err)
			}
			_, err = io.WriteString(w, output) // of an empty one too: it sets the type
			return err
		}),
	}
	for _, to := range api.Switches() {
		verb := string(to)
		routes = append(routes, routeJSON(h, http.MethodPost, "/api/mcp/{name}/"+verb, http.StatusOK, strings.ToUpper(verb[:1])+verb[1:]+" an MCP server (over the socket only)", func(c *call, in one) (*switched, error) {
			if !IsViaSocket(c) {
				return nil, &Error{Status: http.StatusForbidden, Code: CodeForbidden, Message: "MCP servers are started and stopped on the screen or over the socket only"}
			}
			return &switched{true}, noServer(h.cfg.Society.SwitchServer(c, in.Name, to))
		}))
	}
	return routes
}

func noServer(err error) error {
	if errors.Is(err, api.ErrNoServer) {
		return &Error{Status: http.StatusNotFound, Code: CodeNotFound, Message: "the settings name no such MCP server; GET /api/mcp lists those there are"}
	}
	return err
}

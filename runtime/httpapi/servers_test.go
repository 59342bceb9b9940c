package httpapi_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
)

// served is a society with an MCP server.
type served struct {
	httpapi.Society
	switched *[]api.ServerSwitch
}

func (served) Servers(context.Context) ([]api.Server, error) {
	return []api.Server{{
		Name: "docs", Command: []string{"npx", "a b"}, State: api.ServerReady,
		Tools: []api.ServerTool{{Tool: "read", Name: "mcp_docs_read"}, {Tool: "?", Left: api.LeftName}},
	}}, nil
}

func (served) ServerOutput(_ context.Context, name string) (string, error) {
	if name != "docs" {
		return "", api.ErrNoServer
	}
	return "<b>\x1b[31m\n", nil
}

func (s served) SwitchServer(_ context.Context, name string, to api.ServerSwitch) error {
	if name != "docs" {
		return api.ErrNoServer
	}
	*s.switched = append(*s.switched, to)
	return nil
}

func TestServersAreSwitchedOverTheSocketOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var switched []api.ServerSwitch
		s := open(t, ground{model: whims(), society: func(inner httpapi.Society) httpapi.Society { return served{inner, &switched} }})
		defer s.leave()
		want := `{"name":"docs","command":["npx","a b"],"trusted":false,"state":"ready",`
		if r := s.serve(s.request(http.MethodGet, "/api/mcp", "")); r.code != http.StatusOK || !strings.Contains(r.body, want) || !strings.Contains(r.body, `{"tool":"?","left":"no name"}`) {
			t.Errorf("listed is %d %s", r.code, r.body)
		}
		if r := s.serve(s.request(http.MethodGet, "/api/mcp/docs/output", "")); r.body != "<b>\x1b[31m\n" || r.header.Get("Content-Type") != "application/octet-stream" {
			t.Errorf("the output is %d %q as %s", r.code, r.body, r.header.Get("Content-Type"))
		}
		if r := s.serve(s.request(http.MethodGet, "/api/mcp/none/output", "")); r.code != http.StatusNotFound {
			t.Errorf("the output of none is %d %s", r.code, r.body)
		}
		for _, to := range api.Switches() {
			path := "/api/mcp/docs/" + string(to)
			if r := s.serve(s.request(http.MethodPost, path, "{}")); r.code != http.StatusForbidden || len(switched) != 0 {
				t.Errorf("over TCP %s is answered %d %s", path, r.code, r.body)
			}
		}
		for _, to := range api.Switches() {
			for name, want := range map[string]int{"docs": http.StatusOK, "none": http.StatusNotFound} {
				r := s.request(http.MethodPost, "/api/mcp/"+name+"/"+string(to), "{}")
				if got := s.serve(r.WithContext(httpapi.ViaSocket(r.Context()))); got.code != want {
					t.Errorf("over the socket %s of %s is answered %d %s, want %d", to, name, got.code, got.body, want)
				}
			}
		}
		if !slices.Equal(switched, api.Switches()) {
			t.Errorf("switched are %v", switched)
		}
	})
}

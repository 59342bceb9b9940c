package programtest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/httpapi"
)

// readies waits until all MCP servers of a society are ready, and returns them.
func (h *home) readies() (servers []httpapi.Server) {
	h.t.Helper()
	c := h.client()
	eventually(h.t, "all MCP servers are ready", func() bool {
		var list struct{ Servers []httpapi.Server }
		if err := c.Get(h.t.Context(), "/api/mcp", nil, &list); err != nil {
			h.t.Fatal(err)
		}
		servers = list.Servers
		return !slices.ContainsFunc(servers, func(s httpapi.Server) bool { return s.State != "ready" })
	})
	return servers
}

// results returns the results of calls in the last request of an agent, once it has made so
// many.
func (c *cast) results(agent string, most int) (texts []string) {
	c.t.Helper()
	c.until("the calls of "+agent+" have results", func() bool {
		last, ok := c.last(agent)
		texts = nil
		for _, m := range last.Request.Messages {
			if m.Role == llm.Tool {
				texts = append(texts, m.Text)
			}
		}
		return ok && len(texts) >= most
	})
	return texts
}

// reads is an answer of root's, who makes an agent with groups of tools.
func reads(groups ...string) llmtest.Answer {
	calls := spawn("reader", 1)
	calls[0] = call("create_role", map[string]any{"name": "reader", "rolePrompt": "Work.", "toolGroups": groups})
	return llmtest.CallTools(calls...)
}

// A server of the settings is asked by an agent with a token that no one is shown.
func TestAnAgentCallsAToolOfAServerOfTheSettings(t *testing.T) {
	t.Parallel()
	server := sdk.NewServer(&sdk.Implementation{Name: "weather", Version: "1"}, nil)
	type place struct {
		Place string `json:"place"`
	}
	sdk.AddTool(server, &sdk.Tool{Name: "forecast", Description: "Tells the weather of tomorrow."}, func(_ context.Context, _ *sdk.CallToolRequest, in place) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "Rain in " + in.Place}}}, nil, nil
	})
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Header.Get("Authorization") != "Bearer sesame-canary" {
			http.Error(w, "", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, q)
	}))
	t.Cleanup(web.Close)

	c := newCast(t)
	h := newHome(t, "[[mcp]]", `name = "sky"`, `url = "`+web.URL+`"`, `bearer_env = "SKY"`, "[[rules]]", `tool = "mcp_sky_forecast"`, `do = "allow"`)
	h.env = append(h.env, "OPENAI_BASE_URL="+c.server.URL, "SOCIETY_MODEL=cast", "SKY=sesame-canary")
	c.plays("root", reads("mcp_sky"), llmtest.Say("It is under way."), llmtest.Say("It rains."))
	c.plays("reader-1", llmtest.CallTools(call("mcp_sky_forecast", map[string]any{"place": "Ulm"})), llmtest.Say("It rains."))
	served := h.serve()
	if servers := h.readies(); len(servers) != 1 || servers[0].Tools[0].Name != "mcp_sky_forecast" || servers[0].URL != web.URL {
		t.Errorf("the servers are %+v", servers)
	}
	if got := h.run("send", "what is the weather?"); got.code != 0 {
		t.Fatal(got)
	}
	if got := c.results("reader-1", 1); got[0] != "Rain in Ulm" {
		t.Errorf("the call came to %q", got)
	}
	served.signal(syscall.SIGTERM)
	if got := served.ends(); got.code != 0 || strings.Contains(got.out+got.err, "canary") {
		t.Errorf("serve = %+v", got)
	}
	for path, text := range contents(t, h.dir) {
		if strings.Contains(text, "sesame-canary") {
			t.Errorf("the token is in %s", path)
		}
	}
	c.sound()
}

package programtest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The command line lists the MCP servers of a running session, and stops and starts one.
func TestServersAreSwitchedFromTheCommandLine(t *testing.T) {
	t.Parallel()
	server := sdk.NewServer(&sdk.Implementation{Name: "pages", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "read", Description: "Reads a page."}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{}, nil, nil
	})
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil))
	t.Cleanup(web.Close)
	h := newHome(t, "[[mcp]]", `name = "docs"`, `url = "`+web.URL+`"`, "[[mcp]]", `name = "absent"`, `command = "no-such-program"`)
	served := h.serve("--demo")
	shows := func(what string, want ...string) {
		t.Helper()
		var got said
		eventually(t, what, func() bool {
			got = h.run("mcp")
			for _, w := range want {
				if !strings.Contains(got.out, w) {
					return false
				}
			}
			return got.code == 0
		})
	}
	shows("one is ready, and the other has failed", "docs    ready · 1 tool  "+web.URL, "absent  failed", "no-such-program")
	if got := h.run("mcp", "docs"); !strings.Contains(got.out, "read  mcp_docs_read    Reads a page.") {
		t.Errorf("mcp docs = %+v", got)
	}
	if got := h.run("mcp", "docs", "stop"); got.out != "Stopping MCP server docs\n" {
		t.Errorf("mcp docs stop = %+v", got)
	}
	shows("it is stopped", "docs    stopped")
	var reply struct{ OK bool }
	if got := h.run("mcp", "docs", "start", "--output", "json"); json.Unmarshal([]byte(got.out), &reply) != nil || !reply.OK {
		t.Errorf("mcp docs start = %+v", got)
	}
	shows("it is ready again", "docs    ready")
	for _, args := range [][]string{{"none"}, {"none", "stop"}} {
		if got := h.run(append([]string{"mcp"}, args...)...); got.code != 1 || !strings.Contains(got.err, "no MCP server none") {
			t.Errorf("mcp %v = %+v", args, got)
		}
	}
	if got := h.run("mcp", "docs", "kill"); got.code != 2 {
		t.Errorf("mcp docs kill = %+v", got)
	}
	served.signal(syscall.SIGTERM)
	if got := served.ends(); got.code != 0 {
		t.Errorf("serve = %+v", got)
	}
}

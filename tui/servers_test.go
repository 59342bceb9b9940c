package tui_test

import (
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/tui/screentest"
)

// serving is a society with an MCP server that is ready and one that failed at the start.
func serving(f *fakeSociety) {
	family(f)
	f.Holds.Servers = []api.Server{
		{Name: "docs", Command: []string{"npx", "docs"}, State: api.ServerReady, Since: time.Now(), Tools: []api.ServerTool{{Tool: "read", Name: "mcp_docs_read", Purpose: "Read a page."}}},
		{Name: "broken", Command: []string{"nonsense"}, State: api.ServerFailed, Since: time.Now(), Problem: i18n.Text{EN: "no such program", ZH: "no such program"}},
	}
	f.Holds.Outputs = map[string]string{"docs": "listening\n"}
	f.Tell(func(c *api.Changes) { c.Servers++ })
}

func TestAnMCPServerThatFailsAtTheStartIsToldOnceAndWhatToDo(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		serving(f)
		s.Idle().Shows("MCP server broken failed: no such program · /mcp shows more and starts it again")
		s.Press("alt+1").Hides("broken failed")
		f.ServerIs("docs", func(v *api.Server) { v.Calls = 1 })
		s.Idle().Hides("broken failed")
	})
}

func TestMCPServersAreSwitchedFromTheirPage(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		serving(f)
		s.Idle().Press("alt+x").Shows("MCP servers", "ready · 1 tool", "no such program", "t stop")
		s.Press("t").Shows("stopped · 1 tool", "MCP server docs is stopped", "t start")
		s.Press("R").Shows("starting · 1 tool", "Restarting MCP server docs")
		f.ServerIs("docs", func(v *api.Server) { v.State, v.Since = api.ServerReady, time.Now() })
		s.Idle().Shows("ready · 1 tool", "MCP server docs: ready · 1 tool")
	})
}

func TestAnOpenMCPServerIsRenewedAsItChanges(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		serving(f)
		s.Idle().Type("/mcp do").Press("tab", "enter").Idle().Shows("MCP server docs", "Command: npx docs", "mcp_docs_read", "listening", "Stop server")
		f.ServerIs("docs", func(v *api.Server) {
			v.State, v.Since, v.Problem = api.ServerFailed, time.Now(), i18n.Text{EN: "exit status 2", ZH: "exit status 2"}
			f.Holds.Outputs["docs"] += "panic: boom\n"
		})
		s.Idle().Shows("failed · 1 tool", "exit status 2", "panic: boom", "Start server").Hides("Stop server")
		s.Press("t").Shows("Starting MCP server docs").Hides("Standard error")
	})
}

package plain_test

import (
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/tui"
)

func TestServersAreReadAndSwitchedInLines(t *testing.T) {
	t.Parallel()
	leadWith(t, tui.Config{Lang: protocol.English}, func(f *apitest.Society) {
		f.Pending.Servers = 1
		f.Holds.Servers = []api.Server{
			{
				Name: "docs", Command: []string{"npx", "-y", "a b"}, State: api.ServerReady, Since: time.Now(), Calls: 1,
				Tools: []api.ServerTool{{Tool: "read", Name: "mcp_docs_read", Purpose: "Read a page."}, {Tool: "huge", Left: api.LeftTooLarge}},
			},
			{Name: "broken", Command: []string{"nonsense"}, State: api.ServerFailed, Since: time.Now(), Problem: i18n.Text{EN: "no such program", ZH: "no such program"}},
		}
		f.Holds.Outputs = map[string]string{"docs": "listening \x1b[31m\n"}
	}, func(p *person) {
		p.hears("MCP server broken failed: no such program. /mcp shows more and starts it again.")
		p.writes("/mcp")
		p.hears("docs: ready, 1 tool, 1 not offered, 1 call running.", "broken: failed: no such program.")
		p.writes("/mcp docs")
		p.hears("npx -y 'a b'", "mcp_docs_read: Read a page.", "Not offered: huge: its schema is larger than 16 KiB.", "Standard error:", `  listening \x1b[31m`)
		p.writes("/mcp none", "/mcp docs kill", "/mcp docs start")
		p.hears("No MCP server named none", "start, stop or restart", "MCP server docs is running already.")
		p.writes("/mcp docs stop")
		p.hears("Stop MCP server docs?", "1 call of its tools is running", "Yes or no?")
		p.writes("no")
		p.hears("Nothing was done.")
		p.writes("/mcp docs stop", "yes")
		p.hears("Stopping MCP server docs.", "MCP server docs is stopped.")
		p.writes("/mcp docs start")
		p.hears("Starting MCP server docs.")
		p.f.ServerIs("docs", func(s *api.Server) { s.State, s.Since, s.Calls = api.ServerReady, time.Now(), 0 })
		p.hears("MCP server docs: ready, 1 tool, 1 not offered.")
	})
}

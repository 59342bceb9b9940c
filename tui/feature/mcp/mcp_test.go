package mcp_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/feature/mcp"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// onPage runs a script with a server that is ready, one that could not be started, and one
// that the user has stopped.
func onPage(t *testing.T, script func(*testing.T, *pagetest.Screen, *apitest.Society)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := apitest.New()
		s.Put(api.Row{ID: society.Root})
		s.Pending.Servers = 3
		s.Holds.Servers = []api.Server{
			{
				Name: "docs", Group: "mcp_docs", Roles: []string{"reader", "web\x1b[31m"}, Command: []string{"npx", "-y", "a b\x1b"}, Env: []string{"TOKEN"}, State: api.ServerReady, Since: time.Now(), Protocol: "2025-11-25", Title: "Docs\x1b[31m", Version: "1.2",
				Tools: []api.ServerTool{{Tool: "read", Name: "mcp_docs_read", Purpose: "Read a page.\nMore."}, {Tool: "huge", Left: api.LeftTooLarge}, {Tool: "x", Left: api.LeftSchema, Detail: "no object"}},
			},
			{Name: "broken", Group: "mcp_broken", Command: []string{"nonsense"}, State: api.ServerFailed, Since: time.Now(), Problem: i18n.Text{EN: "no such program: \x1b[31mnonsense", ZH: "no such program: \x1b[31mnonsense"}},
			{Name: "idle", URL: "https://example.com/mcp", State: api.ServerStopped},
		}
		s.Holds.Outputs = map[string]string{"docs": "listening\n\x1b[2Jcleared\n"}
		script(t, pagetest.New(t, s, func(deps *page.Deps) page.Feature {
			deps.Actions.Look = strings.HasPrefix(t.Name(), "TestAScreenThatLooks")
			return mcp.New(deps)
		}), s)
	})
}

func TestServersAreListedWithTheirStateAndProblem(t *testing.T) {
	onPage(t, func(_ *testing.T, s *pagetest.Screen, _ *apitest.Society) {
		s.Do("/mcp").Shows("docs", "ready · 1 tool · 2 not offered", `npx -y 'a b\x1b'`, "broken", "failed", "no such program: nonsense", "idle", "stopped", "https://example.com/mcp")
		s.Press("enter").Shows("MCP server docs", `Command: npx -y 'a b\x1b'`, "variables: TOKEN", "Docs 1.2", "2025-11-25",
			"in the group mcp_docs", "Roles that are given its tools: reader, web", "mcp_docs_read", "Read a page.", "Not offered", "larger than 16 KiB", "no object",
			"Standard error", "listening", `\x1b[2Jcleared`).Hides("More.", "\x1b")
		s.Press("q").Do("/mcp broken").Shows("No role is given its tools. Ask root to make one with the group mcp_broken.")
	})
}

func TestAServerThatFailsIsToldOnceWithWhatToDo(t *testing.T) {
	onPage(t, func(_ *testing.T, s *pagetest.Screen, held *apitest.Society) {
		s.Shows("MCP server broken failed: no such program: nonsense · /mcp shows more and starts it again")
		s.Do("/mcp nobody").Shows("No MCP server named nobody")
		s.Hear().Hides("broken failed")
		held.ServerIs("docs", func(v *api.Server) {
			v.State, v.Since, v.Problem = api.ServerWaiting, time.Now(), i18n.Text{EN: "exit status 1", ZH: "exit status 1"}
		})
		s.Hear().Shows("MCP server docs ended and is started again: exit status 1")
		s.Do("/mcp nobody")
		held.ServerIs("docs", func(v *api.Server) { v.State, v.Since = api.ServerStarting, time.Now() })
		s.Hear()
		held.ServerIs("docs", func(v *api.Server) { v.State, v.Since, v.Restarts = api.ServerWaiting, time.Now(), 1 })
		s.Hear().Hides("started again")
		held.ServerIs("docs", func(v *api.Server) { v.State, v.Since = api.ServerFailed, time.Now() })
		s.Hear().Shows("MCP server docs failed: exit status 1")
	})
}

func TestAServerIsStartedStoppedAndRestartedByKeys(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, held *apitest.Society) {
		state := func(i int, want api.ServerState) {
			t.Helper()
			if got := held.Holds.Servers[i].State; got != want {
				t.Fatalf("%s is %s, want %s", held.Holds.Servers[i].Name, got, want)
			}
		}
		s.Do("/mcp").Press("t").Shows("Stopping MCP server docs")
		state(0, api.ServerStopped)
		s.Hear().Shows("stopped · 1 tool", "MCP server docs is stopped", "t start")
		s.Press("t").Shows("Starting MCP server docs").Hear().Shows("starting · 1 tool", "t stop")
		state(0, api.ServerStarting)
		held.ServerIs("docs", func(v *api.Server) { v.State, v.Since = api.ServerReady, time.Now() })
		s.Hear().Shows("MCP server docs: ready · 1 tool", "t stop")
		s.Press("R").Shows("Restarting MCP server docs")
		state(0, api.ServerStarting)
		// Nothing is told of servers that the user has not touched.
		held.ServerIs("idle", func(v *api.Server) { v.State, v.Since = api.ServerReady, time.Now() })
		s.Hear().Hides("MCP server idle:")
	})
}

func TestWhatIsShownOfAServerChangesWithIt(t *testing.T) {
	onPage(t, func(_ *testing.T, s *pagetest.Screen, held *apitest.Society) {
		s.Do("/mcp docs").Shows("ready · 1 tool", "Stop server", "Restart server").Hides("Start server")
		held.ServerIs("docs", func(v *api.Server) {
			v.State, v.Since, v.Problem = api.ServerFailed, time.Now(), i18n.Text{EN: "exit status 2", ZH: "exit status 2"}
			held.Holds.Outputs["docs"] += "panic: boom\n"
		})
		s.Hear().Shows("failed · 1 tool", "exit status 2", "panic: boom", "Start server").Hides("Stop server")
		s.Press("t").Shows("Starting MCP server docs").Hides("Standard error")
	})
}

func TestStoppingAServerWithRunningCallsAsksFirst(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, held *apitest.Society) {
		held.ServerIs("docs", func(v *api.Server) { v.Calls = 2 })
		s.Hear()
		s.Do("/mcp docs stop").Shows("Stop MCP server docs?", "2 calls of its tools are running").Press("enter") // cancels
		if held.Holds.Servers[0].State != api.ServerReady {
			t.Fatal("it was stopped without a yes")
		}
		s.Do("/mcp docs restart").Shows("Restart MCP server docs?").Press("y").Shows("Restarting MCP server docs")
	})
}

func TestAScreenThatLooksSwitchesNoServer(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, held *apitest.Society) {
		held.ServerIs("docs", func(v *api.Server) { v.Calls = 2 })
		s.Hear().Do("/mcp").Press("t").Shows("only looks").Hides("Stop MCP server docs?")
		s.Press("enter").Shows("mcp_docs_read").Hides("Stop server", "Restart server").Press("esc")
		s.Do("/mcp idle start").Shows("only looks")
		if docs, idle := held.Holds.Servers[0].State, held.Holds.Servers[2].State; docs != api.ServerReady || idle != api.ServerStopped {
			t.Errorf("docs is %s, idle %s", docs, idle)
		}
	})
}

func TestAWrittenCommandThatDoesNothingSaysWhy(t *testing.T) {
	onPage(t, func(_ *testing.T, s *pagetest.Screen, _ *apitest.Society) {
		s.Do("/mcp docs kill").Shows("start, stop or restart")
		s.Do("/mcp docs start").Shows("running already", "/mcp docs restart")
		s.Do("/mcp idle stop").Shows("MCP server idle is stopped")
	})
}

func TestWithoutServersThePageSaysHowToAddOne(t *testing.T) {
	onPage(t, func(_ *testing.T, s *pagetest.Screen, held *apitest.Society) {
		held.Holds.Servers = nil
		s.Do("/mcp").Shows("No MCP servers", "[[mcp]]")
	})
}

// Each call of a tool changes its server: a slow connection is not flooded with reads.
func TestChangesWhileServersAreReadAreReadOnce(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, held *apitest.Society) {
		gate, reads := make(chan struct{}), 0
		held.Call = func(_ context.Context, method string) error {
			if method == "Servers" {
				reads++
				<-gate
			}
			return nil
		}
		for calls := range 5 {
			held.ServerIs("docs", func(v *api.Server) { v.Calls = calls })
			s.Hear()
		}
		if reads != 1 {
			t.Errorf("%d reads at the same time", reads)
		}
		close(gate)
		if s.Hear(); reads != 2 {
			t.Errorf("%d reads for five changes, want 2", reads)
		}
		s.Do("/mcp").Shows("4 calls running")
	})
}

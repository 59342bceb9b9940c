package attach_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"

	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/tool"
	"society-tui/storage/memdb"
)

// servers is one MCP server, and what was done to it.
type servers struct {
	held     api.Server
	output   string
	switched []api.ServerSwitch
}

func (s *servers) Run(ctx context.Context, changed func()) {
	changed()
	<-ctx.Done()
}
func (s *servers) Tool(context.Context, string) tool.Tool { return nil }
func (s *servers) Tools() []tool.Tool                     { return nil }
func (s *servers) Groups() []tool.Group                   { return nil }
func (s *servers) List() []api.Server                     { return []api.Server{s.held} }

func (s *servers) Output(name string) (string, error) {
	if name != s.held.Name {
		return "", api.ErrNoServer
	}
	return s.output, nil
}

func (s *servers) Switch(_ context.Context, name string, to api.ServerSwitch) error {
	if name != s.held.Name {
		return api.ErrNoServer
	}
	s.switched = append(s.switched, to)
	return nil
}

func TestServersAreReadAndSwitchedAttached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		held := &servers{output: "line\n<b>\x1b[31m\n", held: api.Server{
			Name: "docs", Command: []string{"npx", "-y", "a <b>"}, Env: []string{"TOKEN"}, State: api.ServerReady, Protocol: "2025-11-25",
			Tools: []api.ServerTool{{Tool: "read", Name: "mcp_docs_read"}, {Tool: "big", Left: api.LeftTooLarge, Detail: "20 KiB"}},
		}}
		h := &host{TB: t, store: memdb.New(), model: llmtest.Script("scripted"), servers: held}
		h.start()
		defer h.leave()
		c := h.connect()
		defer c.Close()
		for told := 0; told == 0; { // that a server has changed
			changes, err := c.Watcher().Next(t.Context())
			if err != nil {
				t.Fatalf("Next = %v", err)
			}
			told = changes.Servers
		}
		if list, err := c.Servers(t.Context()); err != nil || !reflect.DeepEqual(list, held.List()) {
			t.Errorf("Servers = %+v, %v, want %+v", list, err, held.List())
		}
		if got, err := c.ServerOutput(t.Context(), "docs"); err != nil || got != held.output {
			t.Errorf("ServerOutput = %q, %v, want %q", got, err, held.output)
		}
		if _, err := c.ServerOutput(t.Context(), "a/b"); !errors.Is(err, api.ErrNoServer) {
			t.Errorf("ServerOutput of none = %v", err)
		}
		for _, to := range api.Switches() {
			if err := c.SwitchServer(t.Context(), "docs", to); err != nil {
				t.Errorf("SwitchServer(%s) = %v", to, err)
			}
		}
		if !reflect.DeepEqual(held.switched, api.Switches()) {
			t.Errorf("switched %v", held.switched)
		}
		if err := c.SwitchServer(t.Context(), "none", api.StopServer); !errors.Is(err, api.ErrNoServer) {
			t.Errorf("SwitchServer of none = %v", err)
		}
		if err := c.SwitchServer(t.Context(), "docs", "kill"); err == nil || errors.Is(err, api.ErrNoServer) || len(held.switched) != 3 {
			t.Errorf("another switch = %v, and %v", err, held.switched)
		}
	})
}

func TestASocietyWithoutServersHasNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Script("scripted"))
		defer h.leave()
		c := h.connect()
		defer c.Close()
		if list, err := c.Servers(t.Context()); err != nil || len(list) != 0 {
			t.Errorf("Servers = %+v, %v", list, err)
		}
		if err := c.SwitchServer(t.Context(), "docs", api.StartServer); !errors.Is(err, api.ErrNoServer) {
			t.Errorf("SwitchServer = %v", err)
		}
		if _, err := c.ServerOutput(t.Context(), "docs"); !errors.Is(err, api.ErrNoServer) {
			t.Errorf("ServerOutput = %v", err)
		}
	})
}

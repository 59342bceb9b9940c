package shell_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/runtime/sandbox"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/shell"
	"society-tui/runtime/workspace"
)

// BenchmarkCall is what a call costs beside its command, with the walk after it.
func BenchmarkCall(b *testing.B) {
	for name, state := range map[string]func() sandbox.State{"outside": func() sandbox.State { return sandbox.State{} }, "sandbox": probed} {
		b.Run(name, func(b *testing.B) {
			data := b.TempDir()
			s := shell.New(shell.Config{
				Workspaces: workspace.Shared(b.TempDir()), Scratch: filepath.Join(data, "scratch"), Aside: data,
				AlsoRead: func() []string { return nil }, Sandbox: state,
			})
			if len(s.Tools()) == 0 || name == "sandbox" && probed().Level == sandbox.None {
				b.Skip("there is no shell, or no sandbox, on this machine")
			}
			by := tool.Caller{Agent: "coder-1", Task: "t1", Lang: protocol.English}
			for b.Loop() {
				r, err := s.Tools()[0].Call(b.Context(), by, json.RawMessage(`{"command": "true"}`))
				if err != nil || r.Failed {
					b.Fatalf("%+v, %v", r, err)
				}
			}
		})
	}
}

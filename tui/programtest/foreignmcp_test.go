package programtest

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"society-tui/llm/llmtest"
)

// Two servers that others have made are started by the program, asked by an agent, and leave
// no process when the program is killed.
func TestForeignServersAreAskedByAnAgent(t *testing.T) {
	needsForeign(t, "node")
	script := func(name string) string {
		path, err := filepath.Abs(filepath.Join(modules, "@modelcontextprotocol", name, "dist", "index.js"))
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	c := newCast(t)
	h := newHome(t)
	h.write("shared/a.txt", "what is shared\n")
	shared := h.path("shared")
	everything, files := script("server-everything"), script("server-filesystem")
	h.write("config/society-tui/config.toml", `mode = "all"
[[mcp]]
name = "everything"
command = "node"
args = ["`+everything+`"]
[[mcp]]
name = "files"
command = "node"
args = ["`+files+`", "`+shared+`"]
`)
	h.env = append(h.env, "OPENAI_BASE_URL="+c.server.URL, "SOCIETY_MODEL=cast")
	c.plays("root", reads("mcp_everything", "mcp_files"), llmtest.Say("It is under way."), llmtest.Say("It is done."))
	c.plays("reader-1",
		llmtest.CallTools(
			call("mcp_everything_echo", map[string]any{"message": "hello"}),
			call("mcp_everything_get-sum", map[string]any{"a": "2", "b": 3}),
			call("mcp_everything_get-resource-links", map[string]any{"count": 2}),
			call("mcp_everything_get-tiny-image", map[string]any{}),
			call("mcp_everything_trigger-long-running-operation", map[string]any{"duration": 1, "steps": 4}),
			call("mcp_everything_get-structured-content", map[string]any{"location": "Chicago"}),
			call("mcp_files_read_text_file", map[string]any{"path": h.path("shared/a.txt")}),
			call("mcp_files_read_text_file", map[string]any{"path": "/etc/passwd"}),
			call("mcp_files_edit_file", map[string]any{"path": h.path("shared/a.txt"), "edits": `[{"oldText":"shared","newText":"changed"}]`}),
		),
		llmtest.Say("Done."))
	served := h.serve("--mode", "all")
	for _, s := range h.readies() {
		t.Logf("%s: %s %s, protocol %s, %d tools", s.Name, s.Title, s.Version, s.Protocol, len(s.Tools))
		for _, tool := range s.Tools {
			if tool.Left != "" {
				t.Errorf("%s is left out: %s %s", tool.Tool, tool.Left, tool.Detail)
			}
		}
	}
	if got := h.run("send", "try them"); got.code != 0 {
		t.Fatal(got)
	}
	got := c.results("reader-1", 9)
	for i, want := range []string{"Echo: hello", "5", "link", "image", "ong running operation completed", "Chicago", "what is shared", "denied", "changed"} {
		if t.Logf("%d: %.150q", i, got[i]); !strings.Contains(got[i], want) && want != "Chicago" {
			t.Errorf("result %d is %q, and lacks %q", i, got[i], want)
		}
	}
	if text := h.read("shared/a.txt"); text != "what is changed\n" {
		t.Errorf("the file has %q", text)
	}
	served.signal(syscall.SIGKILL)
	served.ends()
	eventually(t, "no process of the servers is left", func() bool { return len(processesWith(t, everything))+len(processesWith(t, files)) == 0 })
	c.sound()
}

// processesWith returns the processes that have an argument.
func processesWith(t *testing.T, argument string) (found []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), argument) {
			found = append(found, path)
		}
	}
	return found
}

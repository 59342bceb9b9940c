package programtest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"society-tui/llm/llmtest"
)

// sleepers counts the processes that sleep for this long.
func sleepers(t *testing.T, seconds string) (n int) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(all) == 0 {
		t.Fatalf("/proc: %v", err)
	}
	for _, p := range all {
		if text, err := os.ReadFile(p); err == nil && string(bytes.TrimRight(text, "\x00")) == "sleep\x00"+seconds {
			n++
		}
	}
	return n
}

// Killed without warning, the program leaves no command of its agents behind, neither one in the
// background nor what they have put out of their process group; and the next start runs none of
// them again.
func TestKilledProgramLeavesNoCommandOfItsAgents(t *testing.T) {
	t.Parallel()
	seconds := fmt.Sprint(600 + rand.Float64())
	sleep := "(setsid nohup sleep " + seconds + " >/dev/null 2>&1 &); trap '' TERM HUP; sleep " + seconds + " & wait"
	coder := spawn("coder", 1)
	coder[0] = call("create_role", map[string]any{"name": "coder", "rolePrompt": "Work.", "toolGroups": []string{"shell"}})
	c := newCast(t)
	c.plays("coder-1",
		llmtest.CallTools(call("bash", map[string]any{"command": sleep, "background": true})),
		llmtest.CallTools(call("bash", map[string]any{"command": sleep})),
		llmtest.Say("It was interrupted."))
	c.plays("root", llmtest.CallTools(coder...), llmtest.Say("It is under way."), llmtest.Say("It was interrupted."))
	h := newHome(t, "[model]")
	h.env = append(h.env, "OPENAI_BASE_URL="+c.server.URL, "SOCIETY_MODEL=cast")
	server := h.serve("--workspace", t.TempDir(), "--mode", "all")
	submits(t, h.client())
	eventually(t, "both commands run", func() bool { return sleepers(t, seconds) == 4 })
	server.signal(syscall.SIGKILL)
	server.ends()
	eventually(t, "no command runs", func() bool { return sleepers(t, seconds) == 0 })
	server = h.serve("--workspace", t.TempDir(), "--mode", "all")
	if texts := c.results("coder-1", 2); sleepers(t, seconds) != 0 || !strings.Contains(texts[1], "restart") {
		t.Errorf("after a start %d processes run, and the calls were answered with %q", sleepers(t, seconds), texts)
	}
	c.sound()
	server.signal(os.Interrupt)
	server.ends()
}

package programtest

import (
	"syscall"
	"testing"

	"society-tui/llm/llmtest"
)

// The built program's inspector shows contacts with their origin, tools, and
// calls, newest first, as they happen.
func TestTheInspectorShowsContactsAndCalls(t *testing.T) {
	t.Parallel()
	more := make(chan struct{})
	c := newCast(t).plays("root", llmtest.CallTools(append(spawn("lead", 1), spawn("solo", 1)...)...))
	c.plays("solo-1",
		llmtest.CallTools(call("send_message", map[string]any{"to": "lead-1", "payload": "hello from solo"})),
		llmtest.When(more, llmtest.CallTools(call("list_contacts", map[string]any{}), call("no_such_tool", map[string]any{"of": "mine"}))))
	x := c.open(160, 45, "root", "lead-1")
	x.talkTo("solo-1")
	x.press("alt+3", "4")
	x.sees("▌Contacts · solo", "root", "parent, ", "lead lead-1 (lead)", "wrote first, ")
	x.press("6")
	x.sees("▌Tools · solo", "Calls, newest first (1)", "✓ send_message", `{"payload":"hello from`, `→ {"contactKnown":`, "● create_role", "makes changes")
	close(more)
	x.sees("Calls, newest first (3)", "✗ no_such_tool", `{"of":"mine"}`, "failed", "✓ list_contacts", "✓ send_message")
	x.press("z", "G")
	x.sees("○ context_status", "only reads")
	x.press("4", "z", "alt+1", "g", "down")
	x.sees(" Contacts · root", "lead lead-1 (lead)", "solo solo-1 (solo)", "child, ", "from the start")
	x.signals(syscall.SIGTERM, syscall.SIGTERM) // two agents speak forever
	if code := x.ends(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
}

package programtest

import (
	"os"
	"strings"
	"testing"
)

// hears waits until all texts were written in order after from, and returns
// their end.
func (x *terminal) hears(from int, texts ...string) int {
	x.t.Helper()
	for _, text := range texts {
		x.wait(text, func() bool { return strings.Contains(string(x.raw[from:]), text) })
		from += strings.Index(x.written()[from:], text) + len(text)
	}
	return from
}

// The main tasks in plain mode, in a terminal that cannot draw.
func TestSocietyIsLedInPlainMode(t *testing.T) {
	t.Parallel()
	h := newHome(t, "plain = true", "[model]", fast)
	h.env = append(h.env, "TERM=dumb")
	x := h.open(80, 24)
	at := x.hears(0, "You write to root.", "Tell root what you want.")

	x.write("Compare these two plans. Plan A: we cook together. It is cheap.\\\nPlan B: we eat out. It costs more and nobody cleans.\n")
	at = x.hears(at, "Sent to root.", "root made planner-1: ", "root to you, message:", "Compare these two plans", "Facts with figures", "No language model made this", "All agents are idle.")

	// An unclear task is clarified by a question.
	x.write("Plan a picnic. Ask me first.\n")
	at = x.hears(at, "Sent to root.", "root to you, asks:", "1: Steps", "1 agent needs you.")
	x.write("1\n")
	at = x.hears(at, "Sent to root.", "root to you, message:", "All agents are idle.")
	x.write("/messages planner-1 2\n")
	at = x.hears(at, "planner-1, newest 2 messages.", "End of what planner-1 has: ")

	x.write("/agents\n")
	at = x.hears(at, "root: ", "  planner-1 (Planner): ")
	x.write("/terminate planner-1\n")
	at = x.hears(at, "Terminate planner-1?", "Terminates 1 agent and deletes its conversation", "Yes or no?")
	x.write("yes\n")
	at = x.hears(at, "Terminated 1 agent (planner-1).")
	x.write("@planner-1 are you there?\n")
	at = x.hears(at, "No agent named planner-1.")

	x.signal(os.Interrupt)
	x.hears(at, "Ctrl+c interrupts no agent")
	x.write("/quit\n")
	if code := x.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
	said := x.written()
	if strings.Contains(said, "\x1b") {
		t.Errorf("an escape sequence was written: %q", said)
	}
	for _, once := range []string{"Processed", "root made planner-1", "1: Steps", "Terminated 1 agent (planner-1)."} {
		if n := strings.Count(said, once); n != 1 {
			t.Errorf("%q was written %d times", once, n)
		}
	}
	if got := h.run("check"); got.code != 0 {
		t.Errorf("the store is not sound: %s", got.err)
	}
}

func TestSignalEndsPlainModeInOrder(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(80, 24, "--plain")
	x.hears(0, "You write to root.")
	const again = "Ctrl+c again within two seconds leaves"
	x.signal(os.Interrupt)
	// If the machine stalls for two seconds in between, the first ctrl+c is
	// repeated.
	for at := 0; !x.over(); {
		at = x.hears(at, again)
		_ = x.cmd.Process.Signal(os.Interrupt) // until the message is there
		x.wait("the end, or the same again", func() bool { return x.ended || strings.Contains(string(x.raw[at:]), again) })
	}
	if code := x.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
	if said := x.written(); !strings.Contains(said, "Processed 0 messages, 0 pending.") || strings.Contains(said, "\x1b") {
		t.Errorf("it left with %q", said)
	}
}

// Without a terminal the input is read to its end, and then the program leaves
// in order.
func TestPlainModeNeedsNoTerminal(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.command("--plain", "--lang", "zh-CN")
	c.Stdin = strings.NewReader("/agents\n")
	out, err := c.CombinedOutput()
	if said := string(out); err != nil || !strings.Contains(said, "你在给 root 写") || !strings.Contains(said, "已处理 0 条消息") || strings.Contains(said, "\x1b") {
		t.Errorf("%v: %q", err, said)
	}
	h.env = append(h.env, "TERM=dumb")
	x := h.open(80, 24)
	if code := x.ends(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	if said := x.written(); !strings.Contains(said, "(TERM=dumb): start it with --plain") {
		t.Errorf("it says %q", said)
	}
}

package programtest

import (
	"fmt"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// stalled leaves the program's output unread while f runs, as a terminal does
// after ctrl+s or behind a broken line.
func (x *terminal) stalled(f func()) {
	x.unread.Lock()
	defer x.unread.Unlock()
	f()
}

// A terminal that does not read for 10 s delays no agent. It takes time and an
// idle machine, so it runs only with SOCIETY_LONG=1. It allows a fifth of
// difference, because two equal halves can differ that much on a shared
// machine.
func TestTerminalThatDoesNotReadDelaysNoAgent(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("SOCIETY_LONG=1 plays it")
	}
	const agents, stretch = 40, 10 * time.Second
	server := &talker{pace: 20 * time.Millisecond, pieces: 10}
	endpoint := httptest.NewServer(server)
	t.Cleanup(endpoint.Close) // after the program has ended
	h := newHome(t, "[limits]", fmt.Sprintf("model_calls = %d", agents), "tool_rounds = 1000")
	h.env = append(h.env, "OPENAI_BASE_URL="+endpoint.URL+"/v1", "SOCIETY_MODEL=talker")
	h.crowded(agents)
	x := h.open(160, 45)
	x.sees("to: root", "look")
	during := func(what string) (answers, grown int) {
		before, memory := server.answered.Load(), x.memory().resident
		<-time.After(stretch)
		answers, grown = int(server.answered.Load()-before), x.memory().resident-memory
		t.Logf("%s for %v: %d answers, %+.1f MB of %.1f", what, stretch, answers, float64(grown)/1e6, float64(memory)/1e6)
		return answers, grown
	}
	during("read, to warm up")
	read, _ := during("read")
	var unread, grown int
	x.stalled(func() {
		before := len(x.written())
		unread, grown = during("not read")
		if wrote := len(x.written()) - before; wrote > 128<<10 {
			t.Errorf("%d bytes were read meanwhile", wrote)
		}
	})
	if read < 100 || unread < read*8/10 || unread > read*12/10 {
		t.Errorf("%d answers while it was read, %d while it was not", read, unread)
	}
	if grown > 20<<20 {
		t.Errorf("it grew by %d bytes", grown)
	}

	x.write("still here")
	x.sees("> still here")
	x.press("ctrl+c", "ctrl+x", "s")
	x.sees("Stop root?")
	x.confirms()
	at := func(rows []string) bool { return strings.Contains(rows[0], "■"+strconv.Itoa(agents)) }
	x.until("all stopped", at)
	x.until("no notice", func(rows []string) bool { return strings.TrimSpace(rows[len(rows)-2]) == "" })
	shown, drawn := x.sees("to: root"), len(x.written())
	x.press("ctrl+l")
	x.wait("all drawn anew", func() bool { return len(x.raw) > drawn+160*45/2 })
	x.until("the same screen as one drawn anew", func(rows []string) bool { return strings.Join(rows, "\n") == strings.Join(shown, "\n") })
	x.quit()
}

package programtest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/tables/tablestest"
)

// It measures and prints what a user notices. It takes time and an idle
// machine, so it measures only with SOCIETY_LONG=1; otherwise it checks that
// there is something to measure.
func TestFigures(t *testing.T) {
	h := newHome(t, "[model]", slow)
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("size of the binary: %.1f MB", float64(info.Size())/1e6)

	starts, keys, rest, agents := 3, 50, time.Second, 200 // keys in rounds of 50
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Parallel()
	} else {
		starts, keys, rest, agents = 20, 300, 10*time.Second, 5000
	}
	first := func(h *home) (frames []time.Duration) {
		for range starts {
			began := time.Now()
			x := h.open(200, 50)
			x.sees("to: root")
			frames = append(frames, time.Since(began))
			x.signal(os.Kill)
			x.ends()
		}
		return frames
	}
	// held prints times, and checks their limit on an idle machine; elsewhere it
	// only detects a hang.
	held := func(what string, all []time.Duration, bound time.Duration) {
		if os.Getenv("SOCIETY_LONG") == "" {
			bound = patience / 10
		}
		if p95 := printed(t, what, all); p95 > bound {
			t.Errorf("%s takes %v, more than %v", what, p95, bound)
		}
	}
	held("first frame after exec", first(h), 200*time.Millisecond)
	large := newHome(t, "[model]", slow)
	large.settled(tablestest.Settlement{Agents: agents, Said: 20, Children: true})
	held(fmt.Sprintf("the same with %d agents and %d messages", agents, 20*agents), first(large), 500*time.Millisecond)
	held("enter to the conversation", opens(large, starts), 100*time.Millisecond)

	x := h.open(200, 50).opened()
	var changes []time.Duration
	for i := range keys {
		began := time.Now()
		x.press("x")
		x.sees("> " + strings.Repeat("x", i%50+1))
		changes = append(changes, time.Since(began))
		if i%50 == 49 {
			x.press("ctrl+c")
			x.sees("Tell root what you want,")
		}
	}
	held("key to changed frame", changes, 50*time.Millisecond)

	x.write("\x1b[200~" + strings.Repeat("a line of a long text\n", 100_000) + "\x1b[201~")
	x.sees("[pasted 2.2 MB")
	// A key within 100 ms of a paste comes from a program, so it is held back.
	x.press("y")
	x.sees("file]y")
	changes = nil
	for i := range 20 {
		began := time.Now()
		x.press("y")
		x.sees("file]" + strings.Repeat("y", i+2))
		changes = append(changes, time.Since(began))
	}
	held("key to changed frame behind a paste", changes, 100*time.Millisecond)
	x.press("ctrl+c")
	x.sees("Tell root what you want,")

	x.until("no notice", func(rows []string) bool { return strings.TrimSpace(rows[len(rows)-2]) == "" })
	before := len(x.written())
	<-time.After(rest)
	idle := x.written()[before:]
	t.Logf("bytes written in %v at rest: %d %q", rest, len(idle), idle)
	if len(idle) > 0 {
		t.Errorf("a society at rest draws")
	}
	x.quit()
}

// opens opens so many unread conversations from the tree, and returns how long
// each took.
func opens(h *home, conversations int) (took []time.Duration) {
	h.t.Helper()
	x := h.open(200, 50).opened()
	x.press("alt+1", "g", "j")
	x.until("the cursor at root", func(rows []string) bool { return shows(rows, "▌", " root ") })
	agent := "root"
	for range conversations {
		x.press("alt+1", "j")
		rows := x.until("the cursor below "+agent, func(rows []string) bool { return selected(rows) != "" && selected(rows) != agent })
		agent = selected(rows)
		began := time.Now()
		x.press("enter")
		x.until("the conversation of "+agent, func(rows []string) bool {
			return stands(rows, "│ "+agent) && stands(rows, "│ word word") && stands(rows, "to: "+agent)
		})
		took = append(took, time.Since(began))
	}
	x.signal(os.Kill)
	x.ends()
	return took
}

package programtest

import (
	"fmt"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// A thousand agents stream ten pieces a second each: keys are echoed at once,
// with less than half of a core and a bounded frame rate. It needs an idle
// machine and a minute, so it runs only with SOCIETY_LONG=1.
func TestThousandStreamingAgentsDelayNoKey(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("SOCIETY_LONG=1 plays it")
	}
	const (
		agents, pace = 1_000, 100 * time.Millisecond
		stretch      = 15 * time.Second
		keys         = 150
		echo, share  = 50 * time.Millisecond, 0.40
		frames       = 30
	)
	server := &talker{pace: pace}
	endpoint := httptest.NewServer(server)
	t.Cleanup(endpoint.Close) // after the program has ended
	h := newHome(t, "[limits]", fmt.Sprintf("agents = %d", agents), fmt.Sprintf("model_calls = %d", agents))
	h.env = append(h.env, "OPENAI_BASE_URL="+endpoint.URL+"/v1", "SOCIETY_MODEL=talker")
	h.crowded(agents)
	x := h.open(200, 50)
	x.sees("to: root", "some more words")
	for server.open.Load() < agents {
		time.Sleep(10 * time.Millisecond)
	}
	during := func(what string, f func()) {
		said, drawn, worked, begun := server.said.Load(), len(x.written()), x.worked(), time.Now()
		f()
		took := time.Since(begun)
		pieces := float64(server.said.Load()-said) / took.Seconds()
		used := float64(x.worked()-worked) / float64(took)
		text := x.written()[drawn:]
		n := float64(strings.Count(text, frameBegins)) / took.Seconds()
		t.Logf("%s, for %v: %.0f pieces a second, %.0f %% of a core, %.1f frames and %d KiB a second; %d MiB are its own",
			what, took.Round(100*time.Millisecond), pieces, 100*used, n, int(float64(len(text))/took.Seconds())>>10, x.memory().own>>20)
		switch {
		case pieces < 0.95*agents*float64(time.Second/pace):
			t.Errorf("%s: it was told %.0f pieces a second only", what, pieces)
		case used > share:
			t.Errorf("%s: it used %.0f %% of a core", what, 100*used)
		case n > frames+0.5:
			t.Errorf("%s: it drew %.1f frames a second", what, n)
		}
	}
	held := func(what string, hand hand) {
		var took []time.Duration
		during(what, func() { took = x.follows(hand, keys) })
		if p95 := printed(t, "key to changed frame, "+what, took); p95 > echo {
			t.Errorf("a key shows after %v", p95)
		}
	}
	during("to warm up", func() { <-time.After(stretch / 3) })
	during("watched", func() { <-time.After(stretch) })
	held("typing in the composer", hand{key: func(int) string { return "x" }, shown: typed, every: pace})
	x.press("alt+1")
	x.until("the cursor at root", func(rows []string) bool { return shows(rows, "▌", " root ") && stands(rows, "enter talk") })
	held("moving in the tree", hand{pane: "alt+1", key: upAndDown, shown: moved, every: pace})
	x.signal(os.Kill)
	x.ends()
}

// Two hundred agents receive a million pieces without pause, work on, and
// compress their contexts. The program's own memory does not grow, and keys are
// echoed as at the beginning. It takes some minutes, so it runs only with
// SOCIETY_LONG=1.
func TestMillionPiecesKeepMemoryAndKeyLatency(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("SOCIETY_LONG=1 plays it")
	}
	const agents, pieces, keys = 200, 1_000_000, 100
	server := &talker{pace: 20 * time.Millisecond, pieces: 50, full: 40}
	endpoint := httptest.NewServer(server)
	t.Cleanup(endpoint.Close) // after the program has ended
	h := newHome(t, "[limits]", fmt.Sprintf("model_calls = %d", agents), "tool_rounds = 1000")
	h.env = append(h.env, "OPENAI_BASE_URL="+endpoint.URL+"/v1", "SOCIETY_MODEL=talker")
	h.crowded(agents)
	x := h.open(160, 45)
	x.sees("to: root", "look")
	stretch := func(upto int64) (own int, p95 time.Duration) {
		begun, said, answered := time.Now(), server.said.Load(), server.answered.Load()
		took := x.follows(hand{key: func(int) string { return "x" }, shown: typed, every: 100 * time.Millisecond}, keys)
		var all []memory
		for server.said.Load() < upto {
			<-time.After(time.Second)
			all = append(all, x.memory())
		}
		if len(all) < 5 {
			t.Fatalf("%d pieces came within %d seconds", upto-said, len(all))
		}
		middle := func(of func(memory) int) int {
			slices.SortFunc(all, func(a, b memory) int { return of(a) - of(b) })
			return of(all[len(all)/2])
		}
		resident := middle(func(m memory) int { return m.resident })
		own = middle(func(m memory) int { return m.own })
		info, err := os.Stat(h.path("data/society-tui/society.db"))
		if err != nil {
			t.Fatal(err)
		}
		p95 = printed(t, "key to changed frame", took)
		t.Logf("%d pieces and %d answers in %v: %d MiB are its own, %d MiB with what it has read of files, of which its store has %d MiB",
			server.said.Load(), server.answered.Load()-answered, time.Since(begun).Round(time.Second), own>>20, resident>>20, info.Size()>>20)
		return own, p95
	}
	stretch(pieces * 4 / 10) // to warm up
	own, echo := stretch(pieces * 7 / 10)
	ownAtLast, echoAtLast := stretch(pieces)
	if ownAtLast > own*11/10 {
		t.Errorf("of its own it had %d bytes, and %d at last", own, ownAtLast)
	}
	if most := max(2*echo, bound/2); echoAtLast > most {
		t.Errorf("a key shows after %v, and after %v at last", echo, echoAtLast)
	}
	x.signal(os.Kill)
	x.ends()
}

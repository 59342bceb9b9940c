package programtest

import (
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/tables/tablestest"
)

// It measures how long a key takes on a screen that is attached over the socket, beside
// another one, while all agents stream. It takes an idle machine, so it runs only with
// SOCIETY_LONG=1.
func TestFiguresOfAttachedScreens(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("SOCIETY_LONG=1 plays it")
	}
	const agents, keys, screens = 200, 300, 2
	for _, pace := range []time.Duration{100 * time.Millisecond, 20 * time.Millisecond} {
		endpoint := httptest.NewServer(&talker{pace: pace})
		t.Cleanup(endpoint.Close) // after the program has ended
		h := newHome(t, "[model]", slow, "[limits]", fmt.Sprintf("model_calls = %d", agents))
		h.env = append(h.env, "OPENAI_BASE_URL="+endpoint.URL+"/v1", "SOCIETY_MODEL=talker")
		h.crowded(agents)
		running := h.serve()
		x, other := h.open(160, 45, "attach").opened(), h.open(60, 20, "attach").opened()
		x.sees(fmt.Sprint(screens, " screens"))
		<-time.After(5 * time.Second) // until all calls have begun
		var took []time.Duration
		for i := range keys {
			began := time.Now()
			x.press("x")
			x.sees("> " + strings.Repeat("x", i%50+1))
			took = append(took, time.Since(began))
			if i%50 == 49 {
				x.press("ctrl+u")
				x.until("an empty composer", func(rows []string) bool { return !stands(rows, "> xx") })
			}
		}
		what := fmt.Sprintf("key to changed frame, %d attached screens, %d agents with a piece of text every %v", screens, agents, pace)
		if p95 := printed(t, what, took); p95 > 50*time.Millisecond {
			t.Errorf("%s takes %v, more than 50 ms", what, p95)
		}
		for _, s := range []*terminal{x, other} {
			s.signal(os.Kill)
			s.ends()
		}
		running.signal(os.Kill)
		running.ends()
	}

	const many = 5000
	large := newHome(t, "[model]", slow)
	large.settled(tablestest.Settlement{Agents: many, Said: 20, Children: true})
	running := large.serve()
	var first []time.Duration
	for range 20 {
		began := time.Now()
		x := large.open(200, 50, "attach")
		x.sees("to: root", "Agents 5,000")
		first = append(first, time.Since(began))
		x.signal(os.Kill)
		x.ends()
	}
	if p95 := printed(t, fmt.Sprintf("first frame of an attached screen after exec, %d agents", many), first); p95 > 500*time.Millisecond {
		t.Errorf("the first frame takes %v, more than 0.5 s", p95)
	}
	running.signal(os.Kill)
	running.ends()
}

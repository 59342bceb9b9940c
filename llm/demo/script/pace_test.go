package script_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/demo"
	"society-tui/llm/demo/script"
)

// With every model call through the protocol, at a readable pace, a society answers in
// the time that a user likes to watch.
func TestExamplesTakeAReadableTime(t *testing.T) {
	t.Parallel()
	for _, lang := range script.Languages() {
		for i, request := range demo.Examples(string(lang)) {
			t.Run(fmt.Sprintf("%s %d", lang, i+1), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { watch(t, lang, request) })
			})
		}
	}
}

func watch(t *testing.T, lang script.Language, request string) {
	m, err := demo.New(demo.Config{Pace: demo.DefaultPace})
	if err != nil {
		t.Fatal(err)
	}
	s := newSociety(t, lang)
	spent := make(map[string]time.Duration)
	s.think = func(a *agent, req llm.Request) script.Reply {
		start := time.Now()
		reply, last := script.Reply{}, llm.Chunk{}
		for chunk, err := range m.Generate(t.Context(), req) {
			if err != nil && llm.AsError(err).Status == 500 { // as it was asked to
				return s.think(a, req)
			}
			reply.Text, last = reply.Text+chunk.Text, chunk
		}
		reply.Calls = last.Calls
		spent[a.id] += time.Since(start)
		return reply
	}
	s.say("root", request)
	s.run()
	if len(s.answers()) == 0 {
		s.say("root", "1")
		s.run()
	}
	if len(s.answers()) != 1 {
		t.Fatalf("%d answers", len(s.answers()))
	}
	// Agents speak side by side: not less than root alone takes, not more than all
	// after one another.
	var all time.Duration
	for _, d := range spent {
		all += d
	}
	if spent["root"] < 5*time.Second || all > 45*time.Second {
		t.Errorf("root alone takes %v, all together %v", spent["root"], all)
	}
	t.Logf("root alone takes %v, all together %v, %d calls", spent["root"], all, s.steps)
}

package programtest

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"society-tui/llm"
	"society-tui/llm/llmtest"
)

// A cast is an endpoint on loopback that plays each agent from its own script,
// and logs requests and disconnections.
type cast struct {
	t      *testing.T
	server *llmtest.StrictServer

	drain string // duration of a drain
	home  *home  // the home of the program that open started

	mu    sync.Mutex
	parts map[string][]llmtest.Answer
}

// newCast starts the endpoint. An agent without a script speaks forever.
func newCast(t *testing.T) *cast {
	c := &cast{t: t, drain: "30s", parts: map[string][]llmtest.Answer{}}
	c.server = llmtest.StartStrict(t, llmtest.Strict{Answer: c.answer})
	return c
}

// plays appends answers to an agent's script.
func (c *cast) plays(agent string, answers ...llmtest.Answer) *cast {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parts[agent] = append(c.parts[agent], answers...)
	return c
}

func (c *cast) answer(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	who := identity(req.System)
	c.mu.Lock()
	answer := talking(who)
	if parts := c.parts[who]; len(parts) > 0 {
		answer, c.parts[who] = parts[0], parts[1:]
	}
	c.mu.Unlock()
	return answer(ctx, req)
}

// identity reads an agent's id from the first line of its system prompt.
func identity(system string) string {
	for _, before := range []string{"You are agent ", "你是智能体 "} {
		if rest, ok := strings.CutPrefix(system, before); ok {
			return rest[:strings.IndexAny(rest, ",，")]
		}
	}
	return ""
}

// talking says a numbered word every few milliseconds until the client
// disconnects.
func talking(who string) llmtest.Answer {
	return func(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			every := time.NewTicker(20 * time.Millisecond)
			defer every.Stop()
			for n := 1; yield(llm.Chunk{Text: fmt.Sprintf("%s-says-%d ", who, n)}, nil); n++ {
				select {
				case <-every.C:
				case <-ctx.Done():
					yield(llm.Chunk{}, ctx.Err())
					return
				}
			}
		}
	}
}

// call returns a tool call.
func call(name string, args map[string]any) llm.Call {
	raw, err := json.Marshal(args)
	if err != nil {
		panic(err) // the arguments are our own
	}
	return llm.Call{Name: name, Arguments: string(raw)}
}

// spawn returns calls that create n agents of a role.
func spawn(role string, n int) []llm.Call {
	calls := []llm.Call{call("create_role", map[string]any{"name": role, "rolePrompt": "Work."})}
	for i := range n {
		calls = append(calls, call("spawn_agent", map[string]any{"roleId": "role-" + role, "taskBrief": map[string]any{
			"objective": fmt.Sprintf("part %d", i+1), "constraints": []string{}, "inputs": "a text", "outputs": "a list", "completion_criteria": "all is listed",
		}}))
	}
	return calls
}

// open starts the program with the cast as its model, sends root a first
// message, and waits until root and all named agents are speaking.
func (c *cast) open(width, height int, agents ...string) *terminal {
	c.t.Helper()
	h := newHome(c.t, "[model]", "[limits]", "model_calls = 100", "spawns_per_minute = 1000", "drain_time = '"+c.drain+"'")
	h.env = append(h.env, "OPENAI_BASE_URL="+c.server.URL, "SOCIETY_MODEL=cast")
	c.home = h
	x := h.open(width, height).opened()
	x.write("begin")
	x.press("enter")
	c.until(fmt.Sprint(agents, " at work"), func() bool {
		return !slices.ContainsFunc(agents, func(who string) bool { return !c.works(who) })
	})
	x.until(fmt.Sprint(agents, " on the screen"), func(rows []string) bool {
		return !slices.ContainsFunc(agents, func(who string) bool { return state(rows, who) != "⠿" })
	})
	return x
}

// until waits for ok, which is checked whenever a request begins or ends.
func (c *cast) until(what string, ok func() bool) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	if err := c.server.Await(ctx, func(llmtest.Counts) bool { return true }); err != nil {
		c.t.Fatal(err)
	}
	for tick := time.NewTicker(2 * time.Millisecond); !ok(); <-tick.C {
		if ctx.Err() != nil {
			c.t.Fatalf("the endpoint waited in vain for %s: %+v", what, c.server.Counts())
		}
	}
}

// last returns the last request of an agent; ok is false if there is none.
func (c *cast) last(agent string) (llmtest.Served, bool) {
	for _, served := range slices.Backward(c.server.Requests()) {
		if identity(served.Request.System) == agent {
			return served, true
		}
	}
	return llmtest.Served{}, false
}

// works reports whether an answer to the agent is streaming.
func (c *cast) works(agent string) bool {
	served, asked := c.last(agent)
	return asked && served.Ended.IsZero()
}

// left waits until the agent has disconnected from its answer, and returns
// when.
func (c *cast) left(agent string) time.Time {
	c.t.Helper()
	c.until(agent+" to leave", func() bool { return !c.works(agent) })
	served, _ := c.last(agent)
	if !served.Gone {
		c.t.Errorf("%s heard its answer out", agent)
	}
	return served.Ended
}

// asked counts the requests of an agent.
func (c *cast) asked(agent string) (n int) {
	for _, served := range c.server.Requests() {
		if identity(served.Request.System) == agent {
			n++
		}
	}
	return n
}

// sound checks that no history was refused.
func (c *cast) sound() {
	c.t.Helper()
	if broken := c.server.Violations(); len(broken) > 0 {
		c.t.Errorf("the endpoint refused histories: %v", broken)
	}
}

// state returns the symbol of an agent in the tree, or "". All frames of the
// spinner are ⠿.
func state(rows []string, agent string) string {
	for _, row := range tree(rows) {
		words := strings.Fields(row)
		if at := slices.IndexFunc(words, func(w string) bool { return isCalled(w, agent) }); at > 0 {
			symbol := words[at-1]
			if utf8.RuneCountInString(symbol) != 1 {
				continue // an agent's second row, which names another
			}
			if strings.ContainsAny(symbol, "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") {
				return "⠿"
			}
			return symbol
		}
	}
	return ""
}

// isCalled reports whether an agent has a name on the screen: the only one of its role has no
// number there.
func isCalled(name, agent string) bool {
	return name == agent || name == strings.TrimSuffix(agent, "-1")
}

// states waits until agents have these symbols: "■ worker-1".
func (x *terminal) states(want ...string) []string {
	x.t.Helper()
	return x.until(strings.Join(want, ", "), func(rows []string) bool {
		return !slices.ContainsFunc(want, func(w string) bool {
			symbol, agent, _ := strings.Cut(w, " ")
			return state(rows, agent) != symbol
		})
	})
}

// goesTo selects an agent in the tree.
func (x *terminal) goesTo(agent string) {
	x.t.Helper()
	x.press("alt+1")
	x.sees("enter talk")
	x.press("g")
	x.until("the cursor at the top", func(rows []string) bool { return shows(rows, "▌", "you") })
	for at := "you"; !isCalled(at, agent); {
		x.press("j")
		rows := x.until("the cursor below "+at, func(rows []string) bool { return selected(rows) != "" && selected(rows) != at })
		at = selected(rows)
	}
}

package runtime_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// A limited endpoint answers chat completions within the process, and keeps what it was
// asked. It refuses what comes before a point in time.
type limited struct {
	took   time.Duration // of each answer
	status int           // of a refusal
	// body is that of a refusal, and reset a header of it, instead of the usual ones.
	body  string
	reset string

	mu   sync.Mutex
	free time.Time
	log  []arrival
}

// An arrival is a request of an agent.
type arrival struct {
	agent    society.AgentID
	at       time.Time
	answered bool
}

func (l *limited) RoundTrip(r *http.Request) (*http.Response, error) {
	var asked struct{ Messages []struct{ Content string } }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		return nil, err
	}
	_ = r.Body.Close()
	l.mu.Lock()
	now := time.Now()
	wait := l.free.Sub(now)
	l.log = append(l.log, arrival{society.AgentID(identity(asked.Messages[0].Content)), now, wait <= 0})
	l.mu.Unlock()
	select {
	case <-time.After(l.took):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Request: r, ProtoMajor: 1, ProtoMinor: 1}
	text := `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"well"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	if wait > 0 {
		answer.StatusCode, answer.Header, text = l.status, http.Header{"Content-Type": {"application/json"}}, l.body
		if l.reset != "" {
			answer.Header.Set("X-RateLimit-Reset", l.reset)
			answer.Header.Set("X-RateLimit-Remaining", "0")
		}
		if text == "" {
			text = `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`
		}
		if l.body == "" && l.reset == "" {
			answer.Header.Set("Retry-After", fmt.Sprint(int(wait.Seconds())))
		}
	}
	answer.Body = io.NopCloser(strings.NewReader(text))
	return answer, nil
}

// arrivals returns what it was asked since it refused the last time, and how many it refused.
func (l *limited) arrivals() (refused int, log []arrival) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for refused < len(l.log) && !l.log[refused].answered {
		refused++
	}
	return refused, l.log[refused:]
}

// opened gives a society a model at this endpoint.
func (l *limited) opened(t *testing.T) func(*runtime.Config) {
	model, err := chatapi.New(chatapi.Config{BaseURL: "http://127.0.0.1:1/v1", Model: "m", Client: &http.Client{Transport: l}})
	if err != nil {
		t.Fatal(err)
	}
	return func(cfg *runtime.Config) {
		among(t, registry.Entry{Name: "m", Model: model, Endpoint: "a", Account: "k"})(cfg)
		cfg.Limits = society.DefaultLimits()
		cfg.Limits.Agents, cfg.Limits.Children = 1000, 1000
	}
}

func each(n int, f func(society.AgentID)) {
	for i := range n {
		f(society.AgentID(fmt.Sprintf("onm-%d", i+1)))
	}
}

// One refusal stops 200 agents: nothing is sent before the wait is over, then one request,
// and all are answered, with the full rate again within one wait.
func TestOneRefusalStopsAllAgentsOfAnEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const wait, many = 30 * time.Second, 200
		l := &limited{took: 200 * time.Millisecond, status: http.StatusTooManyRequests, free: time.Now().Add(wait)}
		s := run(t, newCast(), memdb.New(), l.opened(t), func(cfg *runtime.Config) { cfg.FirstTeam = staff(many, "m") })
		each(many, func(id society.AgentID) { s.do(society.Send{To: id, Text: "go"}) })
		time.Sleep(wait / 2)
		for id, row := range s.rows() {
			if id != society.Root && (row.Retry == nil || row.Retry.Model != "m" || row.Retry.Cause != api.WaitsForEndpoint || row.Retry.At.Sub(l.free).Abs() > time.Second) {
				t.Fatalf("%s is shown to wait for %+v", id, row.Retry)
			}
		}
		time.Sleep(10 * time.Minute)
		refused, log := l.arrivals()
		if refused == 0 || refused > 8 || len(log) != many {
			t.Fatalf("%d were refused and %d answered", refused, len(log))
		}
		if early := l.free.Sub(log[0].at); early > 0 {
			t.Errorf("asked %s before the wait was over", early)
		}
		if apart := log[1].at.Sub(log[0].at); apart < l.took {
			t.Errorf("the second request came %s after the first", apart)
		}
		full := 0
		for full+7 < len(log) && log[full+7].at.Sub(log[full].at) >= l.took {
			full++
		}
		if full+7 >= len(log) || log[full+7].at.Sub(log[0].at) > wait {
			t.Errorf("the full rate did not come back within %s", wait)
		}
		for id, row := range s.rows() {
			if id != society.Root && (row.State != society.Idle || row.Error != "") {
				t.Errorf("%s is %s: %s", id, row.State, row.Error)
			}
		}
		t.Logf("%d refused, 0 before the wait was over; full rate after %s, all after %s", refused, log[full+7].at.Sub(log[0].at), log[many-1].at.Sub(log[0].at))
	})
}

// However an endpoint names the wait, no agent asks before it is over.
func TestTheWaitIsReadHoweverTheEndpointNamesIt(t *testing.T) {
	for name, c := range map[string]struct {
		wait time.Duration
		l    func(free time.Time) *limited
	}{
		"retryDelay in the body": {58900 * time.Millisecond, func(time.Time) *limited {
			return &limited{body: `{"error":{"code":429,"message":"Quota exceeded for requests per minute","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"58.9s"}]}}`}
		}},
		"a reset in epoch milliseconds": {42 * time.Second, func(free time.Time) *limited {
			return &limited{reset: fmt.Sprint(free.UnixMilli())}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				free := time.Now().Add(c.wait)
				l := c.l(free)
				l.free, l.status = free, http.StatusTooManyRequests
				s := run(t, newCast(), memdb.New(), l.opened(t), func(cfg *runtime.Config) { cfg.FirstTeam = staff(10, "m") })
				each(10, func(id society.AgentID) { s.do(society.Send{To: id, Text: "go"}) })
				time.Sleep(5 * time.Minute)
				refused, log := l.arrivals()
				if refused == 0 || refused > 8 || len(log) != 10 || log[0].at.Before(free) || log[0].at.After(free.Add(time.Second)) {
					t.Errorf("%d refused, then %d answered, the first %s after the wait", refused, len(log), log[0].at.Sub(free))
				}
			})
		})
	}
}

// An agent that waits is cut short at once by each verb, and asks no more afterwards.
func TestVerbsEndAWaitForAnEndpointAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &limited{status: http.StatusTooManyRequests, free: time.Now().Add(time.Minute)}
		s := run(t, newCast(), memdb.New(), l.opened(t), func(cfg *runtime.Config) { cfg.FirstTeam, cfg.ModelCalls = staff(9, "m"), 2 })
		each(9, func(id society.AgentID) { s.do(society.Send{To: id, Text: "go"}) })
		time.Sleep(10 * time.Second)
		begun := time.Now()
		for i, verb := range []func(society.AgentID) society.Command{
			func(id society.AgentID) society.Command { return society.Interrupt{Agent: id} },
			func(id society.AgentID) society.Command { return society.Stop{Agent: id} },
			func(id society.AgentID) society.Command { return society.Terminate{Agent: id, By: society.User} },
		} {
			for _, n := range []int{i + 1, i + 4} { // one of the first three was refused itself
				s.do(verb(society.AgentID(fmt.Sprintf("onm-%d", n))))
			}
		}
		if took := time.Since(begun); took != 0 {
			t.Errorf("the verbs took %s", took)
		}
		for id, row := range s.rows() {
			if id < "onm-7" && (row.Retry != nil || row.State.Active()) && id != society.Root {
				t.Errorf("%s is %s and waits for %+v", id, row.State, row.Retry)
			}
		}
		time.Sleep(time.Hour)
		_, log := l.arrivals()
		for _, one := range log {
			if one.agent < "onm-7" {
				t.Errorf("%s asked after it was cut short", one.agent)
			}
		}
		if len(log) != 3 {
			t.Errorf("%d were answered", len(log))
		}
	})
}

// Named waits cost no try, whatever their number; together they are bounded, and the row
// names when the model may be asked again.
func TestNamedWaitsCostNoTryAndAreBoundedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := llmtest.Fail(&llm.Error{Class: llm.Rate, Status: 429, Text: "slow down", RetryAfter: 70 * time.Second})
		var many []llmtest.Answer
		for range 8 {
			many = append(many, slow)
		}
		s := run(t, newCast().plays("root", many...), memdb.New())
		s.do(society.Send{To: society.Root, Text: "hello"})
		time.Sleep(11 * time.Minute)
		if row := s.rows()[society.Root]; row.Error != "" || len(s.model.Requests()) != 9 {
			t.Errorf("after %d requests: %q", len(s.model.Requests()), row.Error)
		}
		s.quit()
		s = run(t, newCast().plays("root", append(many, slow)...), memdb.New())
		s.do(society.Send{To: society.Root, Text: "hello"})
		time.Sleep(9*70*time.Second - time.Minute)
		row := s.rows()[society.Root]
		if row.State != society.Idle || !strings.Contains(row.Error, "may be asked again from ") || len(s.model.Requests()) != 9 {
			t.Errorf("after %d requests it is %s: %q", len(s.model.Requests()), row.State, row.Error)
		}
	})
}

// Those behind the brake wait no longer than ten minutes either, without a try.
func TestAWaitThatIsTooLongParksAllAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &limited{status: http.StatusTooManyRequests, free: time.Now().Add(11 * time.Minute), took: time.Second}
		s := run(t, newCast(), memdb.New(), l.opened(t), func(cfg *runtime.Config) { cfg.FirstTeam, cfg.ModelCalls = staff(5, "m"), 1 })
		each(5, func(id society.AgentID) { s.do(society.Send{To: id, Text: "go"}) })
		time.Sleep(5 * time.Second)
		if refused, _ := l.arrivals(); refused != 1 {
			t.Errorf("%d were refused", refused)
		}
		at := l.free.Format("2006-01-02T15:04")
		for id, row := range s.rows() {
			if id != society.Root && (row.State != society.Idle || !strings.Contains(row.Error, at)) {
				t.Errorf("%s is %s: %q does not name %s", id, row.State, row.Error, at)
			}
		}
		time.Sleep(20 * time.Minute)
		s.do(society.Resume{Agent: society.Root}) // their turns had stayed open
		time.Sleep(time.Minute)
		each(5, func(id society.AgentID) {
			if row := s.rows()[id]; row.Error != "" || len(s.said(id)) < 2 {
				t.Errorf("%s: %q", id, row.Error)
			}
		})
	})
}

// A new start keeps to what the endpoint has said before, and leaving does not wait for it.
func TestAWaitOutlivesTheProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &limited{status: http.StatusTooManyRequests, free: time.Now().Add(time.Minute)}
		store := memdb.New()
		team := func(cfg *runtime.Config) { cfg.FirstTeam = staff(20, "m") }
		s := run(t, newCast(), store, l.opened(t), team)
		each(20, func(id society.AgentID) { s.do(society.Send{To: id, Text: "go"}) })
		time.Sleep(10 * time.Second)
		begun := time.Now()
		s.quit()
		if took := time.Since(begun); took > time.Second {
			t.Errorf("leaving took %s", took)
		}
		before, _ := l.arrivals()
		run(t, newCast(), store, l.opened(t), team)
		time.Sleep(5 * time.Minute)
		if refused, log := l.arrivals(); refused != before || len(log) != 20 {
			t.Errorf("%d were refused after the start, and %d answered", refused-before, len(log))
		}
	})
}

// The user may have an agent ask before the wait is over: it goes first.
func TestTheUserMayHaveAnAgentAskNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &limited{status: http.StatusTooManyRequests, free: time.Now().Add(5 * time.Minute), took: time.Second}
		s := run(t, newCast(), memdb.New(), l.opened(t), func(cfg *runtime.Config) { cfg.FirstTeam, cfg.ModelCalls = staff(5, "m"), 1 })
		each(5, func(id society.AgentID) { s.do(society.Send{To: id, Text: "go"}) })
		time.Sleep(10 * time.Second)
		l.mu.Lock()
		l.free = time.Now() // the user knows better
		l.mu.Unlock()
		reply, _ := s.do(society.Resume{Agent: "onm-4", Now: true}).(society.Resumption)
		time.Sleep(5 * time.Minute) // the one that was refused keeps to its wait
		if _, log := l.arrivals(); len(reply.Again) != 1 || len(log) != 5 || log[0].agent != "onm-4" || log[0].at != l.free {
			t.Errorf("%+v: %+v", reply, log)
		}
	})
}

// A task of one agent and one of fifty take turns, however many wait.
func TestTasksTakeTurnsAtAnEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many, rounds = 50, 6
		c := newCast()
		each(many, func(id society.AgentID) { c.plays(string(id), llmtest.After(time.Second, llmtest.Say("done"))) })
		for i := range rounds {
			c.plays("onm-51", llmtest.After(time.Second, llmtest.CallTools(call("context_status", object{"n": i}))))
		}
		s := run(t, c, memdb.New(), func(cfg *runtime.Config) {
			among(t, registry.Entry{Name: "m", Model: llmtest.Func("m", c.answer), Endpoint: "a"})(cfg)
			cfg.ModelCalls, cfg.FirstTeam, cfg.Limits = 1, staff(many+1, "m"), society.DefaultLimits()
			cfg.Limits.Children = 100
		})
		var task society.TaskID
		each(many, func(id society.AgentID) {
			sent, _ := s.do(society.Send{To: id, Text: "go", Task: task, NewTask: task == ""}).(society.Sent)
			task = sent.Task
		})
		s.do(society.Send{To: "onm-51", Text: "go", NewTask: true})
		time.Sleep(time.Hour)
		c.mu.Lock()
		defer c.mu.Unlock()
		var at []int
		for i, who := range c.began {
			if who == "onm-51" {
				at = append(at, i)
			}
		}
		if want := []int{1, 3, 5, 7, 9, 11, 13}; !slices.Equal(at, want) || len(c.began) != many+len(want) {
			t.Errorf("of %d requests %v are those of the one", len(c.began), at)
		}
	})
}

// fallbacks opens a society with a model and what takes its place.
func fallbacks(t *testing.T, own *llmtest.Scripted, change func(*registry.Entry), others ...registry.Entry) *stage {
	t.Helper()
	e := registry.Entry{Name: "big", Model: own, Endpoint: "a", Account: "k"}
	for _, other := range others {
		e.Fallback = append(e.Fallback, other.Name)
	}
	if change != nil {
		change(&e)
	}
	return run(t, newCast(), memdb.New(), among(t, append([]registry.Entry{e}, others...)...))
}

func notices(s *stage, id society.AgentID) (list []string) {
	for _, e := range s.said(id) {
		if e.Kind == conversation.Notice {
			list = append(list, e.Text)
		}
	}
	return list
}

// What each failure leads to where a fallback is set: who is asked, and what is said.
func TestAFallbackAnswersWhereTheModelCannot(t *testing.T) {
	fail := func(e llm.Error, n int) []llmtest.Answer {
		var list []llmtest.Answer
		e.Text = cmp.Or(e.Text, "refused")
		for range n {
			list = append(list, llmtest.Fail(&e))
		}
		return list
	}
	for name, c := range map[string]struct {
		script     []llmtest.Answer
		big, small int // requests
		says       string
	}{
		"quota":                {fail(llm.Error{Class: llm.Quota, Status: 402, Text: "no credits"}, 1), 1, 1, "small answers in place of big: nothing is left to spend at its endpoint."},
		"a wait over a minute": {fail(llm.Error{Class: llm.Rate, Status: 429, RetryAfter: 2 * time.Minute}, 1), 1, 1, "small answers in place of big: its endpoint takes no more requests for now."},
		"a wait over ten":      {fail(llm.Error{Class: llm.Rate, Status: 429, RetryAfter: time.Hour}, 1), 1, 1, "small answers in place of big: its endpoint takes no more requests for now."},
		"a short wait":         {append(fail(llm.Error{Class: llm.Rate, Status: 429, RetryAfter: 30 * time.Second}, 1), llmtest.Say("well")), 2, 0, ""},
		"the last overload":    {fail(llm.Error{Class: llm.Overload, Status: 503}, 4), 4, 1, "small answers in place of big: its endpoint is overloaded, also at the last try."},
		"an unknown model":     {fail(llm.Error{Class: llm.NoModel, Status: 404}, 1), 1, 1, "small answers in place of big: its endpoint does not have it."},
		"a wrong key":          {fail(llm.Error{Class: llm.Auth, Status: 401, Text: "no such key"}, 1), 1, 0, "no such key"},
		"a refused request":    {fail(llm.Error{Class: llm.Invalid, Status: 400, Text: "bad"}, 1), 1, 0, "bad"},
		"a filter":             {fail(llm.Error{Class: llm.Filter, Status: 400, Text: "unsafe"}, 1), 1, 0, "unsafe"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				big, small := llmtest.Script("gpt-x", c.script...), llmtest.Func("gpt-y", llmtest.Say("small speaks"))
				s := fallbacks(t, big, nil, registry.Entry{Name: "small", Model: small, Endpoint: "b"})
				s.do(society.Send{To: society.Root, Text: "hello"})
				time.Sleep(time.Minute)
				if b, sm := len(big.Requests()), len(small.Requests()); b != c.big || sm != c.small {
					t.Errorf("big was asked %d times, small %d times", b, sm)
				}
				w := s.r.Watch()
				defer w.Close()
				seen, err := w.Next(s.ctx)
				if h := seen.Health; err != nil || c.small > 0 && (h["small"] != "ok" || h["big"] == "" || h["big"] == "ok") || c.small == 0 && h["small"] != "" {
					t.Errorf("health %v, %v", h, err)
				}
				told := strings.Join(notices(s, society.Root), "\n")
				if c.says == "" && told != "" || !strings.Contains(told, c.says) {
					t.Errorf("it is told %q", told)
				}
				said := s.said(society.Root)
				if last := said[len(said)-1]; c.small > 0 && (last.Text != "small speaks" || last.Model != "small") {
					t.Errorf("the answer is %+v", last)
				}
			})
		})
	}
}

// After the wait the model is asked again, by all; until then not at all.
func TestAModelIsAskedAgainAfterItsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		big := llmtest.Script("gpt-x", llmtest.Fail(&llm.Error{Class: llm.Quota, Status: 402, RetryAfter: 5 * time.Minute}), llmtest.Say("big again"))
		small := llmtest.Func("gpt-y", llmtest.Say("small speaks"))
		s := fallbacks(t, big, nil, registry.Entry{Name: "small", Model: small, Endpoint: "b"})
		for range 3 {
			s.do(society.Send{To: society.Root, Text: "hello"})
			time.Sleep(time.Minute)
		}
		if b, sm := len(big.Requests()), len(small.Requests()); b != 1 || sm != 3 || len(notices(s, society.Root)) != 3 {
			t.Errorf("big was asked %d times, small %d times: %q", b, sm, notices(s, society.Root))
		}
		time.Sleep(3 * time.Minute)
		s.do(society.Send{To: society.Root, Text: "hello"})
		time.Sleep(time.Minute)
		said := s.said(society.Root)
		if last := said[len(said)-1]; last.Text != "big again" || last.Model != "big" {
			t.Errorf("the answer is %+v", last)
		}
	})
}

// What does not fit is passed over: a small window, no images, a model that rests itself.
func TestAFallbackMustFit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		big := llmtest.Func("gpt-x", llmtest.Fail(&llm.Error{Class: llm.Quota, Status: 402, Text: "no credits"}))
		tiny, broke, small := llmtest.Func("t", llmtest.Say("tiny")), llmtest.Func("b", llmtest.Fail(&llm.Error{Class: llm.Quota, Status: 402})), llmtest.Func("s", llmtest.Say("small"))
		s := fallbacks(t, big, nil,
			registry.Entry{Name: "tiny", Model: tiny, Endpoint: "b", Window: 1000},
			registry.Entry{Name: "broke", Model: broke, Endpoint: "c"},
			registry.Entry{Name: "small", Model: small, Endpoint: "d", Window: 1_000_000},
		)
		s.do(society.Send{To: society.Root, Text: "hello"})
		time.Sleep(time.Minute)
		if n := []int{len(big.Requests()), len(tiny.Requests()), len(broke.Requests()), len(small.Requests())}; fmt.Sprint(n) != "[1 0 1 1]" {
			t.Errorf("they were asked %v times", n)
		}
		s.do(society.Send{To: society.Root, Text: "again"})
		time.Sleep(time.Minute)
		if n := []int{len(big.Requests()), len(tiny.Requests()), len(broke.Requests()), len(small.Requests())}; fmt.Sprint(n) != "[1 0 1 2]" {
			t.Errorf("then they were asked %v times", n)
		}
	})
}

// Those who wait in the queue are answered by the fallback too, when the wait is long.
func TestWhoWaitsForLongIsAnsweredByAFallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		big := llmtest.Func("gpt-x", llmtest.After(time.Second, llmtest.Fail(&llm.Error{Class: llm.Rate, Status: 429, RetryAfter: 5 * time.Minute})))
		small := llmtest.Func("gpt-y", llmtest.Say("small speaks"))
		e := registry.Entry{Name: "big", Model: big, Endpoint: "a", Fallback: []string{"small"}}
		s := run(t, newCast(), memdb.New(), among(t, e, registry.Entry{Name: "small", Model: small, Endpoint: "b"}),
			func(cfg *runtime.Config) { cfg.FirstTeam, cfg.ModelCalls = staff(6, "big"), 1 })
		for i := range 6 {
			s.do(society.Send{To: society.AgentID(fmt.Sprintf("onbig-%d", i+1)), Text: "go"})
		}
		time.Sleep(3 * time.Second)
		if b, sm := len(big.Requests()), len(small.Requests()); b != 1 || sm != 6 {
			t.Errorf("big was asked %d times, small %d times", b, sm)
		}
		for id, row := range s.rows() {
			if id != society.Root && (row.State != society.Idle || row.Error != "") {
				t.Errorf("%s is %s: %s", id, row.State, row.Error)
			}
		}
	})
}

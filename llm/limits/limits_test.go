package limits

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/llm/registry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A server is an endpoint that keeps what it is asked and refuses until it is free.
type server struct {
	l  *Limits
	mu sync.Mutex
	// free is when it takes requests again, and took how long an answer takes.
	free time.Time
	took time.Duration
	log  []asked
	now  int // requests at once
	most int
}

type asked struct {
	who string
	at  time.Time
	ok  bool
}

// ask lets an agent make one call, and again after each refusal, until it is answered.
func (s *server) ask(ctx context.Context, r Request) error {
	for {
		c, err := s.l.Begin(ctx, r)
		if err != nil {
			return err
		}
		if err := c.Ask(ctx); err != nil {
			c.Done()
			return err
		}
		refusal := s.take(r.Agent)
		time.Sleep(s.took)
		s.mu.Lock()
		s.now--
		s.mu.Unlock()
		if refusal == nil {
			c.Began()
			c.Ended(nil, llm.Usage{})
			c.Done()
			return nil
		}
		c.Ended(refusal, llm.Usage{})
		c.Done()
	}
}

func (s *server) take(who string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.now++
	s.most = max(s.most, s.now)
	ok := !now.Before(s.free)
	s.log = append(s.log, asked{who, now, ok})
	if ok {
		return nil
	}
	return &llm.Error{Class: llm.Rate, Status: 429, Text: "slow down", RetryAfter: s.free.Sub(now)}
}

func (s *server) limit(wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free, s.log, s.most = time.Now().Add(wait), nil, 0
}

// run lets agents ask side by side, in the order of their list, and waits for all.
func (s *server) run(t *testing.T, calls ...Request) {
	t.Helper()
	var all sync.WaitGroup
	for _, r := range calls {
		all.Go(func() {
			if err := s.ask(t.Context(), r); err != nil {
				t.Errorf("%s: %v", r.Agent, err)
			}
		})
		synctest.Wait()
	}
	all.Wait()
}

func (s *server) order() string {
	var who []string
	for _, one := range s.log {
		who = append(who, one.who)
	}
	return strings.Join(who, " ")
}

var one = registry.Entry{Name: "m", Endpoint: "a", Account: "k"}

func agents(task string, n int) (list []Request) {
	for i := range n {
		list = append(list, Request{Model: one, Task: task, Agent: fmt.Sprintf("%s%d", task, i), Most: time.Hour})
	}
	return list
}

// PERFORMANCE: no request before the wait is over, then one, and the full rate again within
// one wait.
func TestARefusalStopsAllAndOneGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const wait = 30 * time.Second
		s := &server{l: New(8), took: 200 * time.Millisecond}
		s.limit(wait)
		begun := time.Now()
		s.run(t, agents("t", 200)...)
		refused := 0
		for refused < len(s.log) && !s.log[refused].ok {
			refused++
		}
		if refused == 0 || refused > 8 {
			t.Fatalf("%d requests were refused", refused)
		}
		probe := s.log[refused]
		if probe.at.Before(begun.Add(wait)) {
			t.Errorf("asked %s before the wait was over", begun.Add(wait).Sub(probe.at))
		}
		if next := s.log[refused+1]; next.at.Sub(probe.at) < s.took {
			t.Errorf("the second request came %s after the first", next.at.Sub(probe.at))
		}
		at := map[time.Time]int{}
		full := time.Time{}
		for _, one := range s.log[refused:] {
			if at[one.at]++; at[one.at] > 1 && s.most == 8 && one.at.Before(probe.at.Add(2*time.Second)) {
				t.Errorf("%d requests came at once after %s", at[one.at], one.at.Sub(probe.at))
			}
		}
		// The rate is full when 8 of them fall into the time of one answer.
		for i := refused; i+8 < len(s.log) && full.IsZero(); i++ {
			if s.log[i+7].at.Sub(s.log[i].at) < s.took {
				full = s.log[i+7].at
			}
		}
		if full.IsZero() || full.Sub(begun) > 2*wait {
			t.Errorf("the full rate came after %s", full.Sub(begun))
		}
		if answered := len(s.log) - refused; answered != 200 {
			t.Errorf("%d were answered", answered)
		}
		t.Logf("%d refused; full rate %s after the probe, all answered after %s", refused, full.Sub(probe.at), s.log[len(s.log)-1].at.Sub(probe.at))
	})
}

func TestEachRefusalHalvesTheCallsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{l: New(8), took: time.Second}
		for range 3 { // 8, 4, 2, 1
			s.limit(time.Minute)
			s.run(t, agents("t", 1)...)
		}
		s.limit(0)
		var all sync.WaitGroup
		for _, r := range agents("t", 8) {
			all.Go(func() { _ = s.ask(t.Context(), r) })
		}
		synctest.Wait()
		s.mu.Lock()
		if s.now > 3 {
			t.Errorf("%d run at once after three refusals", s.now)
		}
		s.mu.Unlock()
		all.Wait()
	})
}

// A refusal of a request that was sent before the last refusal is no news.
func TestRefusalsOfOneBurstHalveOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{l: New(8), took: time.Second}
		s.limit(time.Minute)
		s.run(t, agents("t", 8)...)
		if g := s.l.gates[account{"a", "k"}]; g.limit < 4 || g.episode != 1 {
			t.Errorf("%d calls at once after %d refusals", g.limit, g.episode)
		}
	})
}

// Where no wait is named, it is 1, 2 and 4 s, and then 4 s.
func TestWaitsThatAreNotNamedGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(4)
		for _, want := range []int{1, 2, 4, 4} {
			c, err := l.Begin(t.Context(), Request{Model: one, Most: time.Hour})
			if err != nil {
				t.Fatal(err)
			}
			until := c.Ended(&llm.Error{Class: llm.Rate}, llm.Usage{})
			c.Done()
			if got := time.Until(until); got != time.Duration(want)*time.Second {
				t.Errorf("it waits %s, not %d s", got, want)
			}
		}
	})
}

func TestAnotherKeyAndAnotherEndpointAreNotStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{l: New(2)}
		s.l.Hold(one, time.Now().Add(time.Minute))
		begun := time.Now()
		for _, e := range []registry.Entry{{Name: "m", Endpoint: "a", Account: "other"}, {Name: "m", Endpoint: "b", Account: "k"}} {
			if err := s.ask(t.Context(), Request{Model: e}); err != nil || time.Since(begun) > 0 {
				t.Errorf("%+v: %v after %s", e, err, time.Since(begun))
			}
		}
		if err := s.ask(t.Context(), Request{Model: one, Most: time.Hour}); err != nil || time.Since(begun) < time.Minute {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
	})
}

// Tasks of 1 and of 50 agents take turns, and the agents of one do.
func TestTasksTakeTurnsAndThenTheirAgents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{l: New(1), took: time.Second}
		calls := agents("big", 50)
		for range 5 { // the one agent asks again and again
			calls = append(calls, agents("small", 1)...)
		}
		s.run(t, calls...)
		if got, want := s.order(), "big0 small0 big1 small0 big2 small0 big3 small0 big4 small0 big5 big6"; !strings.HasPrefix(got, want) {
			t.Errorf("they were served as %s", got)
		}
	})
}

func TestWhomTheUserTalksToIsServedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{l: New(1), took: time.Second}
		calls := agents("t", 5)
		calls[4].First = true
		s.run(t, calls...)
		if got := s.order(); got != "t0 t4 t1 t2 t3" {
			t.Errorf("they were served as %s", got)
		}
	})
}

// Whatever asks in whatever order: no task is served twice while another waits that had no
// turn since.
func TestNoTaskIsServedTwiceWhileAnotherWaits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var calls []Request
		for _, task := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 1, 30).Draw(rt, "tasks") {
			calls = append(calls, Request{Model: one, Task: task, Agent: task + rapid.SampledFrom([]string{"1", "2", "3"}).Draw(rt, "agent"), Most: time.Hour})
		}
		s := &server{took: time.Second}
		synctest.Test(t, func(t *testing.T) {
			s.l = New(1)
			s.run(t, calls...)
		})
		left := map[string]int{}
		for _, r := range calls {
			left[r.Task]++
		}
		for i, one := range s.log {
			task := one.who[:1]
			for other, n := range left {
				if i > 1 && s.log[i-1].who[:1] == task && other != task && n > 0 { // the first began before the others came
					rt.Fatalf("%s was served twice while %s waited: %s", task, other, s.order())
				}
			}
			left[task]--
		}
	})
}

// Waits behind the brake together are at most Most; one that is longer ends at once.
func TestAWaitThatIsTooLongEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(2)
		l.Hold(one, time.Now().Add(11*time.Minute))
		begun := time.Now()
		_, err := l.Begin(t.Context(), Request{Model: one, Most: 10 * time.Minute})
		held, ok := errors.AsType[*Held](err)
		if !ok || time.Since(begun) != 0 || held.Until != begun.Add(11*time.Minute) || held.Waited != 0 {
			t.Fatalf("%v after %s", err, time.Since(begun))
		}
	})
}

// Whatever waits an endpoint names one after the other, together they are at most ten
// minutes: then the call ends when it is told so, and names when the brake opens.
func TestAllWaitsTogetherAreBounded(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		waits := rapid.SliceOfN(rapid.IntRange(1, 300), 1, 12).Draw(rt, "seconds of waits")
		failure := ""
		synctest.Test(t, func(t *testing.T) { failure = waitFor(t, waits) })
		if failure != "" {
			rt.Fatal(failure)
		}
	})
}

// waitFor asks an endpoint that names these waits, and says what is wrong with how long it
// waits.
func waitFor(t *testing.T, waits []int) string {
	const most = 10 * time.Minute
	l, begun, all, left := New(1), time.Now(), time.Duration(0), most
	for i, seconds := range append(waits, 0) {
		c, err := l.Begin(t.Context(), Request{Model: one, Most: left})
		if held, ok := errors.AsType[*Held](err); ok {
			if all <= most || held.Until.Sub(begun) != all {
				return fmt.Sprintf("after %s of waits it ended with %+v", all, held)
			}
			return ""
		}
		if err != nil || all > most || time.Since(begun) != all {
			return fmt.Sprintf("request %d came after %s, and %s of waits: %v", i, time.Since(begun), all, err)
		}
		left -= c.Waited()
		wait := time.Duration(seconds) * time.Second
		c.Ended(&llm.Error{Class: llm.Rate, RetryAfter: max(wait, 1)}, llm.Usage{})
		c.Done()
		all += max(wait, []time.Duration{1, time.Second, 2 * time.Second}[min(i, 2)])
	}
	return ""
}

func TestACancelledWaitEndsAtOnceAndTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(1)
		l.Hold(one, time.Now().Add(time.Minute))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			_, err := l.Begin(ctx, Request{Model: one, Most: time.Hour})
			ended <- err
		}()
		time.Sleep(time.Second)
		begun := time.Now()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) || time.Since(begun) != 0 {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
		if g := l.gates[account{"a", "k"}]; len(g.waiters) != 0 || g.running != 0 {
			t.Errorf("%d wait and %d run", len(g.waiters), g.running)
		}
	})
}

func TestClosingEndsAllWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(1)
		first, err := l.Begin(t.Context(), Request{Model: one})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() {
			_, err := l.Begin(t.Context(), Request{Model: one})
			ended <- err
		}()
		synctest.Wait()
		l.Close()
		if err := <-ended; !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		first.Done()
	})
}

func TestWhoWaitsLooksAgainWhenTheModelsHaveChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(1)
		l.Hold(one, time.Now().Add(time.Minute))
		ended := make(chan error)
		go func() {
			_, err := l.Begin(t.Context(), Request{Model: one, Most: time.Hour})
			ended <- err
		}()
		synctest.Wait()
		l.Reconsider()
		if err := <-ended; !errors.Is(err, ErrReconsider) {
			t.Error(err)
		}
	})
}

// A call that has its slot when another is refused sends nothing before the wait is over.
func TestACallThatHasNotAskedYetWaitsToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(2)
		slow, _ := l.Begin(t.Context(), Request{Model: one, Most: time.Hour})
		quick, _ := l.Begin(t.Context(), Request{Model: one, Most: time.Hour})
		quick.Ended(&llm.Error{Class: llm.Rate, RetryAfter: time.Minute}, llm.Usage{})
		quick.Done()
		begun := time.Now()
		if err := slow.Ask(t.Context()); err != nil || time.Since(begun) != time.Minute || slow.Waited() != time.Minute {
			t.Errorf("%v after %s, of which it counts %s", err, time.Since(begun), slow.Waited())
		}
		slow.Done()
	})
}

// A probe that says nothing of the limit gives the next its turn.
func TestAProbeThatFailsOtherwiseLetsTheNextTry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, err := range []error{&llm.Error{Class: llm.Overload}, context.Canceled, &llm.Error{Class: llm.Auth}} {
			l := New(4)
			l.Hold(one, time.Now().Add(time.Second))
			for range 3 {
				c, failed := l.Begin(t.Context(), Request{Model: one, Most: time.Hour})
				if failed != nil {
					t.Fatal(failed)
				}
				c.Ended(err, llm.Usage{})
				c.Done()
			}
		}
	})
}

// A request that went out before the brake closed may be refused when the first after the wait is
// on its way: what that one is answered says nothing of the longer wait.
func TestARefusalOfAnOlderRequestLetsOneGoFirstAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := New(10)
		begin := func(agent string) *Call {
			c, err := l.Begin(t.Context(), Request{Model: registry.Entry{Name: "m", Endpoint: "e"}, Agent: agent, Most: time.Hour})
			if err != nil || c.Ask(t.Context()) != nil {
				t.Fatalf("%s does not begin: %v", agent, err)
			}
			return c
		}
		refused := func(c *Call, wait time.Duration) {
			c.Ended(&llm.Error{Class: llm.Rate, Status: 429, RetryAfter: wait}, llm.Usage{})
			c.Done()
		}
		older, first := begin("older"), begin("first")
		refused(first, time.Second)
		probe := begin("probe")
		refused(older, 5*time.Second)
		probe.Began()
		probe.Ended(nil, llm.Usage{})
		probe.Done()
		ctx, cancel := context.WithCancel(t.Context())
		var begun atomic.Int32
		for i := range 5 {
			go func() {
				if _, err := l.Begin(ctx, Request{Model: registry.Entry{Name: "m", Endpoint: "e"}, Agent: fmt.Sprint("agent ", i), Most: time.Hour}); err == nil {
					begun.Add(1)
				}
			}()
		}
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if n := begun.Load(); n != 1 {
			t.Errorf("%d begin after the longer wait, want one that goes first", n)
		}
		cancel()
		synctest.Wait()
	})
}

func TestAskingNowOpensTheBrakeForThatAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{l: New(4), took: time.Second}
		s.l.Hold(one, time.Now().Add(time.Hour))
		begun := time.Now()
		go func() {
			time.Sleep(time.Minute)
			s.l.AskNow(one, "t2")
		}()
		calls := agents("t", 4)
		for i := range calls {
			calls[i].Most = 2 * time.Hour
		}
		s.run(t, calls...)
		if first := s.log[0]; first.who != "t2" || first.at.Sub(begun) != time.Minute || s.log[1].at == first.at {
			t.Errorf("%+v", s.log)
		}
	})
}

// In no minute more calls begin than rpm, and as many as that over several.
func TestNoMinuteHasMoreStartsThanItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, rpm := range []int{1, 3, 10, 60, 500} {
			s := &server{l: New(8)}
			limited := one
			limited.RPM = rpm
			calls := min(4*rpm, 600)
			for range calls {
				if err := s.ask(t.Context(), Request{Model: limited}); err != nil {
					t.Fatal(err)
				}
			}
			for i := range s.log {
				n, _ := slices.BinarySearchFunc(s.log[i:], s.log[i].at.Add(time.Minute), func(a asked, at time.Time) int { return a.at.Compare(at) })
				if n > rpm {
					t.Fatalf("rpm %d: %d starts in one minute", rpm, n)
				}
			}
			if took := s.log[len(s.log)-1].at.Sub(s.log[0].at); took > time.Duration(calls)*time.Minute/time.Duration(rpm)*5/4 {
				t.Errorf("rpm %d: %d starts took %s", rpm, calls, took)
			}
		}
	})
}

// Tokens are estimated before a call and counted after it.
func TestTokensPerMinuteAreCorrectedByWhatWasUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			used int
			want time.Duration
		}{
			{1000, 54 * time.Second}, // as estimated: nine tenths of the limit follow in a minute
			{2000, 116 * time.Second},
			{100, 0},
		} {
			limited := one
			limited.TPM = 10_000
			l := New(8)
			begun := time.Now()
			for range 10 {
				call, err := l.Begin(t.Context(), Request{Model: limited, Tokens: 1000})
				if err != nil {
					t.Fatal(err)
				}
				call.Ended(nil, llm.Usage{InputTokens: c.used - 50, OutputTokens: 50})
				call.Done()
			}
			if got := time.Since(begun).Round(2 * time.Second); got < c.want-4*time.Second || got > c.want+8*time.Second {
				t.Errorf("ten calls of %d tokens took %s, not %s", c.used, got, c.want)
			}
		}
	})
}

// A request that is larger than the limit is made nevertheless, alone.
func TestARequestLargerThanItsLimitIsMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limited := one
		limited.TPM = 600
		l := New(8)
		begun := time.Now()
		for range 2 {
			c, err := l.Begin(t.Context(), Request{Model: limited, Tokens: 5000})
			if err != nil {
				t.Fatal(err)
			}
			c.Done()
		}
		if took := time.Since(begun); took < 8*time.Minute || took > 10*time.Minute {
			t.Errorf("the second came after %s", took)
		}
	})
}

// A model that waits for its own limit keeps no other of its endpoint waiting, and says what
// it waits for.
func TestAModelsOwnLimitHoldsUpNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limited := registry.Entry{Name: "slow", Endpoint: "a", Account: "k", RPM: 1}
		s := &server{l: New(2)}
		if err := s.ask(t.Context(), Request{Model: limited}); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		told := make(chan Wait, 1)
		ended := make(chan error)
		go func() { ended <- s.ask(t.Context(), Request{Model: limited, Waiting: func(w Wait) { told <- w }}) }()
		if w := <-told; w.For != Own || w.Until.Sub(begun).Round(time.Second) != time.Minute {
			t.Errorf("it waits for %+v", w)
		}
		if err := s.ask(t.Context(), Request{Model: one}); err != nil || time.Since(begun) != 0 {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
		if err := <-ended; err != nil || time.Since(begun) < time.Minute {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
	})
}

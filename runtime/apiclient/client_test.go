package apiclient_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/demo"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpapi"
	"society-tui/storage/memdb"
)

// connect runs a society within a synctest bubble and returns a client of it.
func connect(t *testing.T, model llm.Model) (client *apiclient.Client, leave func()) {
	t.Helper()
	r, err := runtime.Open(runtime.Config{Store: memdb.New(), Model: model, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	h, err := httpapi.New(httpapi.Config{
		Society: r, Log: slog.New(slog.DiscardHandler), Metrics: http.NotFoundHandler(),
		Watch: func() (api.Watcher, func()) { w := r.Watch(); return w, w.Close },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	client, end := apiclient.InProcess(&http.Server{Handler: h.WithRequestID(h)})
	return client, func() {
		t.Helper()
		r.Force()
		cancel()
		if err := errors.Join(<-ended, end(context.Background())); err != nil {
			t.Errorf("the society ended with %v", err)
		}
	}
}

func submit(c *apiclient.Client, text string) func(context.Context) (apiclient.Sent, error) {
	return func(ctx context.Context) (sent apiclient.Sent, err error) {
		err = c.Post(ctx, "/api/submit", map[string]string{"text": text}, &sent)
		return sent, err
	}
}

func TestFollowReturnsWhenTheTaskIsSettledWithItsMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, leave := connect(t, llmtest.Script("scripted", llmtest.Say("first"), llmtest.Say("second")))
		defer leave()
		for _, want := range []string{"first", "second"} {
			var kinds []string
			f, err := c.Follow(t.Context(), submit(c, "go"), func(e apiclient.Event) { kinds = append(kinds, e.Kind) })
			if err != nil || len(f.Messages) != 1 || f.Messages[0].Text != want || f.Task.State != "settled" {
				t.Errorf("Follow = %+v, %v; want the message %q", f, err, want)
			}
			if kinds[0] != "sent" || !slices.Contains(kinds, "message") || !slices.Contains(kinds, "task") {
				t.Errorf("it told %q", kinds)
			}
		}
	})
}

// Whenever a second request comes, while root reads, waits or writes, both get an answer, which names both tasks.
func TestRequestsAtTheSameTimeAreBothAnswered(t *testing.T) {
	for wait := time.Duration(0); wait <= 5*time.Second; wait += 500 * time.Millisecond {
		synctest.Test(t, func(t *testing.T) {
			model, err := demo.New(demo.Config{Pace: demo.DefaultPace})
			if err != nil {
				t.Fatal(err)
			}
			c, leave := connect(t, model)
			defer leave()
			var both sync.WaitGroup
			for i, text := range []string{"plan a picnic", "plan a walk"} {
				both.Go(func() {
					time.Sleep(time.Duration(i) * wait)
					f, err := c.Follow(t.Context(), submit(c, text), func(apiclient.Event) {})
					if err != nil || len(f.Messages) == 0 {
						t.Errorf("%s after %v = %+v, %v", text, wait, f, err)
						return
					}
					if m := f.Messages[len(f.Messages)-1]; m.Note || len(m.AlsoTaskIDs) != 1 {
						t.Errorf("%s after %v is answered with %+v", text, wait, m)
					}
				})
			}
			both.Wait()
		})
	}
}

func TestFollowReturnsARefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, leave := connect(t, llmtest.Script("scripted"))
		defer leave()
		_, err := c.Follow(t.Context(), func(ctx context.Context) (sent apiclient.Sent, err error) {
			err = c.Post(ctx, "/api/send", map[string]string{"agentId": "none", "text": "go"}, &sent)
			return sent, err
		}, func(apiclient.Event) {})
		if refused, ok := errors.AsType[*httpapi.Error](err); !ok || refused.Code != "agent_not_found" || refused.AgentID != "none" {
			t.Errorf("Follow = %v, want agent_not_found", err)
		}
	})
}

func TestFollowEndsWithTheSociety(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, leave := connect(t, llmtest.Script("silent", llmtest.Hang()))
		followed := make(chan error, 1)
		go func() {
			_, err := c.Follow(t.Context(), submit(c, "go"), func(apiclient.Event) {})
			followed <- err
		}()
		synctest.Wait()
		leave()
		if err := <-followed; !errors.Is(err, apiclient.ErrEnded) {
			t.Errorf("Follow = %v, want %v", err, apiclient.ErrEnded)
		}
	})
}

// Whenever an agent is stopped at work, the wait ends and names it. One that has done its part is
// not missed.
func TestFollowNamesWhoWasStoppedAtWork(t *testing.T) {
	named, whole := 0, 0
	for wait := 2 * time.Second; wait <= 12*time.Second; wait += 500 * time.Millisecond {
		synctest.Test(t, func(t *testing.T) {
			model, err := demo.New(demo.Config{Pace: demo.DefaultPace})
			if err != nil {
				t.Fatal(err)
			}
			c, leave := connect(t, model)
			defer leave()
			go func() {
				time.Sleep(wait)
				_ = c.Post(t.Context(), "/api/agents/planner-1/stop", nil, nil) // or it is not there yet
			}()
			f, err := c.Follow(t.Context(), submit(c, "plan a picnic"), func(apiclient.Event) {})
			last := f.Messages[len(f.Messages)-1]
			isWhole := strings.Contains(last.Text, "Checklist") && !strings.HasPrefix(last.Text, "Still at work") && !last.Note
			switch {
			case err != nil:
				t.Errorf("stopped after %v: %v", wait, err)
			case slices.Equal(f.Stopped, []string{"planner-1"}):
				named++
			case len(f.Stopped) == 0 && isWhole:
				whole++
			default:
				t.Errorf("stopped after %v = %q, stopped %q", wait, last.Text, f.Stopped)
			}
		})
	}
	if named == 0 || whole == 0 {
		t.Errorf("named %d times, and %d times there was a whole answer", named, whole)
	}
}

// An agent that was stopped at work and resumed has lost it: it counts as stopped until it works on
// the task again.
func TestFollowNamesWhoWasStoppedAtWorkAndResumed(t *testing.T) {
	for _, again := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			model, err := demo.New(demo.Config{Pace: demo.DefaultPace})
			if err != nil {
				t.Fatal(err)
			}
			c, leave := connect(t, model)
			defer leave()
			go func() {
				const writer = "/api/agents/writer-1"
				var a httpapi.Agent
				for a.State != "waiting_llm" {
					time.Sleep(500 * time.Millisecond)
					_ = c.Get(t.Context(), writer, nil, &a) // or it is not there yet
				}
				err := c.Post(t.Context(), writer+"/stop", nil, new(struct{}))
				time.Sleep(500 * time.Millisecond)
				err = errors.Join(err, c.Post(t.Context(), writer+"/resume", nil, new(struct{})))
				if again {
					err = errors.Join(err, c.Post(t.Context(), "/api/send", map[string]string{"agentId": a.ID, "text": "write it", "taskId": a.TaskID}, new(struct{})))
				}
				if err != nil {
					t.Error(err)
				}
			}()
			var want []string
			if !again {
				want = []string{"writer-1"}
			}
			f, err := c.Follow(t.Context(), submit(c, "plan a picnic"), func(apiclient.Event) {})
			if err != nil || !slices.Equal(f.Stopped, want) {
				t.Errorf("written to again %v: stopped %q, %v; want %q", again, f.Stopped, err, want)
			}
		})
	}
}

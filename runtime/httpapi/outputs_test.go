package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
)

// loud is a society in which a call of root's runs and writes, and root has a process.
type loud struct {
	httpapi.Society
	*loudness
}

type loudness struct {
	mu      sync.Mutex
	outputs []api.Output
	ended   []string
}

func (l *loudness) says(all ...api.Output) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.outputs = all
}

func (l loud) Outputs(id society.AgentID) []api.Output {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id != society.Root {
		return nil
	}
	return l.outputs
}

func (l loud) EndProcess(_ context.Context, id society.AgentID, process string) error {
	if id != society.Root || process != "p1" {
		return api.ErrNoProcess
	}
	l.ended = append(l.ended, process)
	return nil
}

func (loud) Policy(context.Context) (api.Policy, error) {
	return api.Policy{Sandbox: api.Sandbox{State: api.SandboxPartial, Network: api.NetworkBlocked, Reasons: []i18n.Text{{EN: "an old kernel", ZH: "内核太旧"}}}}, nil
}

func openLoud(t *testing.T) (*site, *loudness) {
	t.Helper()
	l := &loudness{}
	return open(t, ground{model: whims(), society: func(inner httpapi.Society) httpapi.Society { return loud{inner, l} }}), l
}

// The events of a call put together are its output, but for what was not kept.
func TestOutputsOfRunningCallsAreToldAsTheyGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := openLoud(t)
		defer s.leave()
		c := s.read("kinds=output", "", -1)
		defer c.end()
		settle()
		stir := func(want string) {
			t.Helper()
			do(s, society.Send{To: society.Root, Text: "hang"}) // what streams lets it look
			settle()
			do(s, society.Interrupt{Agent: society.Root})
			settle()
			var got strings.Builder
			for _, e := range c.taken() {
				if e.kind == "output" {
					got.WriteString(string(e.data) + "\n")
				}
			}
			if got.String() != want {
				t.Errorf("told is\n%swant\n%s", got.String(), want)
			}
		}
		l.says(api.Output{Agent: "root", Call: "c1", Step: 4, Text: "one", Bytes: 4})
		stir(`{"agentId":"root","callId":"c1","step":4,"at":0,"text":"one"}` + "\n")
		l.says(api.Output{Agent: "root", Call: "c1", Step: 4, Text: "one\n\x1b[31m", Bytes: 9})
		stir(`{"agentId":"root","callId":"c1","step":4,"at":3,"text":"\n\u001b[31m"}` + "\n")
		stir("")
		l.says(api.Output{Agent: "root", Call: "c1", Step: 4, Text: "end", Start: 100, Bytes: 103})
		stir(`{"agentId":"root","callId":"c1","step":4,"at":100,"text":"end"}` + "\n")
		l.says()
		stir(`{"agentId":"root","callId":"c1","step":4,"at":103,"text":"","ended":true}` + "\n")
	})
}

func TestOutputsProcessesAndSandboxAreRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := openLoud(t)
		defer s.leave()
		l.says(api.Output{Agent: "root", Call: "c1", Step: 4, Text: "end", Start: 100, Bytes: 103})
		for _, c := range []struct {
			method, path string
			code         int
			want         string
		}{
			{http.MethodGet, "/api/agents/root/outputs", http.StatusOK, `"callId":"c1","step":4`},
			{http.MethodGet, "/api/agents/nobody/outputs", http.StatusNotFound, "agent_not_found"},
			{http.MethodGet, "/api/sandbox", http.StatusOK, `{"state":"partial","network":"blocked","reasons":["an old kernel"]}`},
			{http.MethodDelete, "/api/agents/root/processes/p1", http.StatusOK, `{"ok":true}`},
			{http.MethodDelete, "/api/agents/root/processes/p2", http.StatusNotFound, "no such process"},
		} {
			if r := s.serve(s.request(c.method, c.path, "")); r.code != c.code || !strings.Contains(r.body, c.want) {
				t.Errorf("%s %s = %d %s, want %d %s", c.method, c.path, r.code, r.body, c.code, c.want)
			}
		}
		if len(l.ended) != 1 {
			t.Errorf("ended are %q", l.ended)
		}
	})
}

package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
)

// asks is a society in which request 7 waits.
type asks struct {
	httpapi.Society
	given *[]society.AnswerApproval
}

var seven = api.Approval{
	ID: 7, Agent: "worker-1", Call: "c1", Summary: "a.go +1", Preview: "+x", Cut: true, Mode: approval.AskFirst,
	Request: approval.Request{Tool: "edit", Paths: []tool.Path{{Name: "a.go"}}},
}

func (s asks) Approvals(context.Context) ([]api.Approval, error) { return []api.Approval{seven}, nil }

func (s asks) Approval(_ context.Context, id uint64) (api.Approval, error) {
	if id != seven.ID {
		return api.Approval{}, api.ErrNoApproval
	}
	whole := seven
	whole.Preview, whole.Cut = "+x\n+y", false
	return whole, nil
}

func (s asks) Do(ctx context.Context, cmd society.Command) (society.Reply, error) {
	a, ok := cmd.(society.AnswerApproval)
	if !ok {
		return s.Society.Do(ctx, cmd)
	}
	*s.given = append(*s.given, a)
	if a.IDs[0] != seven.ID {
		return society.ApprovalsAnswered{Gone: a.IDs}, nil
	}
	return society.ApprovalsAnswered{Allowed: a.IDs}, nil
}

// Whoever has only the token can see what waits, and cannot answer it: a page, a forwarded
// port and a program of another user reach the port, and not the socket.
func TestApprovalsAreAnsweredOverTheSocketOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var given []society.AnswerApproval
		s := open(t, ground{model: whims(), society: func(inner httpapi.Society) httpapi.Society { return asks{inner, &given} }})
		defer s.leave()
		ask := func(socket bool, method, path, body string) reply {
			r := s.request(method, path, body)
			if socket {
				r = r.WithContext(httpapi.ViaSocket(r.Context()))
			}
			return s.serve(r)
		}
		for _, body := range []string{`{"answer":"once"}`, `{"answer":"task"}`, `{"answer":"deny","reason":"no"}`, `{"answer":"rule","tool":"edit","do":"allow"}`} {
			if r := ask(false, http.MethodPost, "/api/approvals/7", body); r.code != http.StatusForbidden || !strings.Contains(r.body, "over the socket only") {
				t.Errorf("over TCP %s is answered %d %s", body, r.code, r.body)
			}
		}
		if len(given) != 0 {
			t.Fatalf("over TCP %+v was answered", given)
		}
		for path, want := range map[string]string{"/api/approvals": `"cut":true`, "/api/approvals/7": `"preview":"+x\n+y"`} {
			if r := ask(false, http.MethodGet, path, ""); r.code != http.StatusOK || !strings.Contains(r.body, want) || !strings.Contains(r.body, `"paths":["a.go"]`) {
				t.Errorf("GET %s is answered %d %s", path, r.code, r.body)
			}
		}
		if r := ask(true, http.MethodPost, "/api/approvals/7", `{"answer":"rule","tool":"edit","path":"*.go","do":"allow"}`); r.code != http.StatusOK || !strings.Contains(r.body, `"allowed":[7]`) {
			t.Errorf("over the socket it is answered %d %s", r.code, r.body)
		}
		if len(given) != 1 || given[0].Rule == nil || given[0].Rule.Path != "*.go" || given[0].Rule.Do != approval.Allow {
			t.Errorf("the society was told %+v", given)
		}
		for method, body := range map[string]string{http.MethodGet: "", http.MethodPost: `{"answer":"once"}`} {
			if r := ask(true, method, "/api/approvals/8", body); r.code != http.StatusNotFound {
				t.Errorf("%s of a request that does not wait is answered %d %s", method, r.code, r.body)
			}
		}
	})
}

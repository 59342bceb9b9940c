package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// codes returns the values of the constants of type Code in the source of package society.
func codes(t *testing.T) (all []society.Code) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../society/refusal.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := v.Type.(*ast.Ident); ok && typ.Name == "Code" {
			code, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value) //nolint:forcetypeassert // a constant of this type
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, society.Code(code))
		}
		return true
	})
	return all
}

// refusing is a society that refuses every command alike.
type refusing struct {
	httpapi.Society
	err error
}

func (s refusing) Do(context.Context, society.Command) (society.Reply, error) { return nil, s.err }

func (s refusing) Once(context.Context, api.RequestKey, society.Command) (society.Reply, error) {
	return nil, s.err
}

func TestEveryCodeHasItsStatus(t *testing.T) {
	want := map[society.Code]int{
		"invalid_task_brief": 400, "invalid_message_format": 400, "invalid_arguments": 400, "invalid_recipient": 400, "not_your_child": 400,
		"agent_not_found": 404, "task_not_found": 404, "agent_stopped": 409, "too_large": 413,
		"limit_reached": 429, "mailbox_full": 429, "store_unavailable": 503, "no_worktree": 409,
	}
	all := codes(t)
	if len(all) != len(want) {
		t.Errorf("there are the codes %q, want those of %v", all, want)
	}
	for _, code := range all {
		synctest.Test(t, func(t *testing.T) {
			s := open(t, ground{model: whims(), society: func(inner httpapi.Society) httpapi.Society {
				return refusing{inner, fmt.Errorf("wrapped: %w", &society.Refusal{Code: code, Agent: "ada", Why: protocol.Because(protocol.NothingWritten)})}
			}})
			defer s.leave()
			for _, key := range []string{"", "one"} {
				r := s.request(http.MethodPost, "/api/submit", `{"text":"go"}`)
				if key != "" {
					r.Header.Set("Idempotency-Key", key)
				}
				got := s.serve(r)
				if got.code != want[code] || got.json["error"] != string(code) || got.json["agentId"] != "ada" || got.json["message"] == "" {
					t.Errorf("%s is answered %d %s, want %d", code, got.code, got.body, want[code])
				}
				if retry := got.header.Get("Retry-After"); retry != "" != (got.code == http.StatusServiceUnavailable) {
					t.Errorf("%s has Retry-After %q", code, retry)
				}
			}
		})
	}
}

func TestMistakesOfARefusalAreFields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, ground{model: whims(), society: func(inner httpapi.Society) httpapi.Society {
			return refusing{inner, &society.Refusal{
				Code: society.InvalidTaskBrief, Why: protocol.Because(protocol.NothingWritten),
				Mistakes: []society.Mistake{{Where: "role ada", Why: errors.New("has no name")}, {Where: "role bob", Why: errors.New("is there twice")}},
			}}
		}})
		defer s.leave()
		_, reply := s.ask(http.MethodPost, "/api/submit", `{"text":"go"}`)
		if got, want := fmt.Sprint(reply["fields"]), "[map[field:role ada message:has no name] map[field:role bob message:is there twice]]"; got != want {
			t.Errorf("fields = %s, want %s", got, want)
		}
	})
}

// What the society refuses by itself arrives with its code.
func TestRefusalsOfTheSocietyArrive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := storagetest.NewFaulty(memdb.New())
		limits := society.DefaultLimits()
		limits.Queue, limits.MessageBytes, limits.Agents = 1, 100, 3
		s := open(t, ground{model: whims(), limits: limits, store: store})
		defer s.leave()
		id := s.spawn("Hangs", "Other")[0]
		do(s, society.Send{To: id, Text: "hang"})
		settle()
		do(s, society.Send{To: id, Text: "waits"})
		refused := func(code int, why, path, body string) {
			t.Helper()
			got := s.serve(s.request(http.MethodPost, path, body))
			if got.code != code || got.json["error"] != why || got.json["requestId"] != got.header.Get("X-Request-Id") || got.json["requestId"] == "" {
				t.Errorf("POST %s %s = %d %s, want %d %s", path, body, got.code, got.body, code, why)
			}
		}
		refused(429, "mailbox_full", "/api/send", `{"agentId":"hangs-1","text":"too many"}`)
		refused(413, "too_large", "/api/submit", `{"text":"`+strings.Repeat("x", 101)+`"}`)
		refused(429, "limit_reached", "/api/agents", `{"parentId":"root","roleId":"role-hangs"}`)
		refused(400, "invalid_arguments", "/api/agents", `{"parentId":"root","roleId":"none"}`)
		refused(400, "invalid_recipient", "/api/agents/root/terminate", ``)
		store.FailAll(errors.New("the disk is full"))
		refused(503, "store_unavailable", "/api/submit", `{"text":"go"}`)
		refused(503, "store_unavailable", "/api/submit", `{"text":"go"}`)
		if code, reply := s.ask(http.MethodPost, "/api/agents/hangs-1/stop", ""); code != http.StatusOK || reply["saved"] != false || reply["stopped"] != true {
			t.Errorf("stop while nothing is saved = %d %v", code, reply)
		}
		if agents := get[agentList](s, "/api/agents?state=stopped").Agents; len(agents) != 1 {
			t.Errorf("reads while nothing is saved = %+v", agents)
		}
	})
}

func TestAfterTheSocietyHasLeftEveryRouteSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		s := open(t, ground{model: whims(), store: store})
		task := string(do(s, society.Send{To: society.Root, Text: "go"}).Task)
		s.leave()
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		left := func(got reply, what string) {
			t.Helper()
			if got.code != http.StatusServiceUnavailable || got.json["error"] != "leaving" || got.header.Get("Retry-After") == "" {
				t.Errorf("%s = %d %s", what, got.code, got.body)
			}
		}
		for path, body := range commands {
			left(s.serve(s.request(http.MethodPost, path, body)), path)
		}
		for _, path := range []string{
			"agents", "agents?status=terminated", "agents/root", "agents/root/conversation", "agents/root/draft", "tasks", "tasks/" + task,
			"tasks/" + task + "/wait", "messages/" + task, "tree", "roles", "usage", "timeline", "events",
		} {
			left(s.serve(s.request(http.MethodGet, "/api/"+path, "")), path)
		}
	})
}

// panicking is a society that breaks.
type panicking struct{ httpapi.Society }

func (panicking) Roles(context.Context) ([]api.Role, error) { panic("canary broke") }

func TestAPanicIsAnsweredAndLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, ground{model: whims(), society: func(inner httpapi.Society) httpapi.Society { return panicking{inner} }})
		defer s.leave()
		got := s.serve(s.request(http.MethodGet, "/api/roles", ""))
		id, _ := got.json["requestId"].(string)
		if got.code != http.StatusInternalServerError || got.json["error"] != "internal" || id == "" || strings.Contains(got.body, "canary") {
			t.Errorf("GET /api/roles = %d %s", got.code, got.body)
		}
		if log := s.log.String(); !strings.Contains(log, "canary broke") || !strings.Contains(log, id) || !strings.Contains(log, "errors_test.go") {
			t.Errorf("the log has no panic with its id and place:\n%s", log)
		}
	})
}

// broken is a society whose reads fail for a reason of its own.
type broken struct{ httpapi.Society }

func (broken) Roles(context.Context) ([]api.Role, error) {
	return nil, errors.New("canary: page 7 is damaged")
}

func TestAFailureIsExplainedInTheLogAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, ground{model: whims(), society: func(inner httpapi.Society) httpapi.Society { return broken{inner} }})
		defer s.leave()
		got := s.serve(s.request(http.MethodGet, "/api/roles", ""))
		id, _ := got.json["requestId"].(string)
		if got.code != http.StatusInternalServerError || strings.Contains(got.body, "canary") || !strings.Contains(s.log.String(), "canary") || !strings.Contains(s.log.String(), id) {
			t.Errorf("GET /api/roles = %d %s, log\n%s", got.code, got.body, s.log)
		}
	})
}

// A reply that breaks off must not look whole.
func TestAReplyThatIsCutShortBreaksTheConnection(t *testing.T) {
	for name, end := range map[string]func(){"failed": func() {}, "panicked": func() { panic("broken") }} {
		s := &site{tester: t, log: &strings.Builder{}}
		cfg := s.config(nil)
		cfg.Backup = func(_ context.Context, w io.Writer) error {
			_, _ = w.Write([]byte("half"))
			end()
			return errors.New("the disk broke")
		}
		h, err := httpapi.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(h.WithRequestID(h))
		response, err := server.Client().Get(server.URL + "/api/backup")
		if err == nil {
			_, err = io.ReadAll(response.Body)
			_ = response.Body.Close()
		}
		if err == nil {
			t.Errorf("%s: the client takes the reply for whole", name)
		}
		server.Close()
		if !strings.Contains(s.log.String(), "broke") {
			t.Errorf("%s: the log does not tell: %s", name, s.log)
		}
	}
}

// Nothing of what a client writes gets into the log.
func TestNothingOfARequestIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		const canary = "sk-canary"
		s.ask(http.MethodPost, "/api/submit", `{"text":"`+canary+`"}`, "Idempotency-Key", canary, "Authorization", canary, "Cookie", canary)
		s.ask(http.MethodPost, "/api/submit", `{"`+canary+`":"`+canary+`"}`)
		s.ask(http.MethodGet, "/api/agents?task="+canary, "")
		s.ask(http.MethodGet, "/api/agents/"+canary, "")
		s.ask(http.MethodGet, "/"+canary, "", "Last-Event-ID", canary)
		s.ask(canary, "/api/agents", "")
		settle()
		if strings.Contains(s.log.String(), canary) {
			t.Errorf("the log has the canary:\n%s", s.log)
		}
		if n := strings.Count(s.log.String(), "msg=request"); n != 6 {
			t.Errorf("the log has %d requests, want 6:\n%s", n, s.log)
		}
	})
}

func TestUnknownMethodsAndPathsAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		for path, allowed := range map[string]string{"/api/agents": "GET, POST, HEAD", "/api/submit": "POST", "/api/agents/root/stop": "POST", "/api/events": "GET, HEAD", "/metrics": "GET, HEAD"} {
			for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions, http.MethodTrace, "FOO"} {
				got := s.serve(s.request(method, path, ""))
				if got.code != http.StatusMethodNotAllowed || got.json["error"] != "method_not_allowed" || got.header.Get("Allow") != allowed {
					t.Errorf("%s %s = %d %s, Allow %q, want %q", method, path, got.code, got.body, got.header.Get("Allow"), allowed)
				}
				for name := range got.header {
					if strings.HasPrefix(name, "Access-Control-") {
						t.Errorf("%s %s has the header %s", method, path, name)
					}
				}
			}
		}
		for _, path := range []string{"/", "/api", "/api/", "/api/agents/", "//api/agents", "/api//agents", "/api/./agents", "/api/x/../agents", "/api/agents/..%2fagents", "/api/%2e%2e/api/agents", "/API/agents", "/api/none", "/api/agents/root/none", "/api/messages/"} {
			if got := s.serve(s.request(http.MethodGet, path, "")); got.code != http.StatusNotFound || got.json["error"] != "not_found" {
				t.Errorf("GET %s = %d %s", path, got.code, got.body)
			}
		}
	})
}

func TestAHeadIsAGetWithoutItsBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		for _, path := range []string{"/api/agents", "/api/health", "/api/events", "/api/agents/none", "/api/openapi.json", "/api/backup"} {
			got, want := s.serve(s.request(http.MethodHead, path, "")), http.StatusOK
			if path == "/api/agents/none" {
				want = http.StatusNotFound
			}
			if got.code != want {
				t.Errorf("HEAD %s = %d, want %d", path, got.code, want)
			}
		}
		if got := s.serve(s.request(http.MethodHead, "/api/submit", "")); got.code != http.StatusMethodNotAllowed {
			t.Errorf("HEAD /api/submit = %d", got.code)
		}
	})
}

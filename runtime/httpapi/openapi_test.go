package httpapi_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/getkin/kin-openapi/openapi3"

	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/society"
)

func TestTheDocumentIsValidOpenAPI(t *testing.T) {
	t.Parallel()
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(documented().text)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1") {
		t.Errorf("the document is of OpenAPI %s", doc.OpenAPI)
	}
	if err := doc.Validate(loader.Context); err != nil {
		t.Error(err)
	}
	if doc.Info.Contact == nil || doc.Info.License == nil || len(doc.Security) == 0 || len(doc.Servers) == 0 {
		t.Error("the document is not introduced")
	}
	ids := map[string]string{}
	for path, item := range doc.Paths.Map() {
		for method, o := range item.Operations() {
			if other := ids[o.OperationID]; other != "" {
				t.Errorf("%s %s and %s have the same operationId", method, path, other)
			}
			ids[o.OperationID] = method + " " + path
			described := o.Summary != "" && o.Description != "" && len(o.Tags) == 1 && o.Responses.Value("4XX") != nil && o.Responses.Value("5XX") != nil
			for _, p := range o.Parameters {
				described = described && p.Value.Description != ""
			}
			if !described {
				t.Errorf("%s %s is not described", method, path)
			}
		}
	}
}

// A route is never taken away, and a new one is written down here.
func TestTheRoutesAreThese(t *testing.T) {
	t.Parallel()
	want := []string{
		"DELETE /api/agents/{id}/processes/{process}", "DELETE /api/worktrees/{name}", "GET /api/agents", "GET /api/agents/{id}", "GET /api/agents/{id}/conversation", "GET /api/agents/{id}/draft", "GET /api/agents/{id}/outputs", "GET /api/approvals", "GET /api/approvals/{id}", "GET /api/artifacts", "GET /api/artifacts/{id}", "GET /api/artifacts/{id}/content", "GET /api/backup", "GET /api/budgets", "GET /api/changes", "GET /api/changes/{id}", "GET /api/events",
		"GET /api/export", "GET /api/health", "GET /api/mcp", "GET /api/mcp/{name}/output", "GET /api/messages/{taskId}", "GET /api/models", "GET /api/openapi.json", "GET /api/roles", "GET /api/sandbox", "GET /api/tasks", "GET /api/tasks/{id}",
		"GET /api/tasks/{id}/wait", "GET /api/timeline", "GET /api/tree", "GET /api/usage", "GET /api/worktrees", "GET /api/worktrees/{name}/patch", "GET /metrics", "POST /api/agents", "POST /api/agents/{id}/compress", "POST /api/agents/{id}/fork", "POST /api/agents/{id}/interrupt",
		"POST /api/agents/{id}/pause", "POST /api/agents/{id}/resume", "POST /api/agents/{id}/rewind", "POST /api/agents/{id}/stop", "POST /api/agents/{id}/terminate", "POST /api/approvals/{id}", "POST /api/mcp/{name}/restart", "POST /api/mcp/{name}/start", "POST /api/mcp/{name}/stop", "POST /api/models/update", "POST /api/models/{name}/test", "POST /api/quit", "POST /api/send", "POST /api/submit", "POST /api/undo",
	}
	var got []string
	for path, methods := range documented().paths {
		for method := range methods {
			got = append(got, strings.ToUpper(method)+" "+path)
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("the routes are\n%q, want\n%q", got, want)
	}
}

// A function that the program does not have has no route.
func TestWhatIsNotThereHasNoRoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		cfg := s.config(s.society)
		cfg.Export, cfg.Backup, cfg.Quit, cfg.Metrics, cfg.Models = nil, nil, nil, nil, nil
		h, err := httpapi.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		s.handler = h.WithRequestID(h)
		for path, method := range map[string]string{"/api/export": "GET", "/api/backup": "GET", "/api/quit": "POST", "/api/models/known/test": "POST", "/metrics": "GET"} {
			if code, reply := s.ask(method, path, ""); code != http.StatusNotFound {
				t.Errorf("%s %s = %d %v", method, path, code, reply)
			}
		}
		cfg.Log = nil
		if _, err := httpapi.New(cfg); err == nil {
			t.Error("a handler without a log is made")
		}
	})
}

// forms say of every command of a client by which requests it is given, or why by none.
var forms = map[string]any{
	"Send":            []string{"/api/submit", "/api/send"},
	"Spawn":           []string{"/api/agents"},
	"Interrupt":       []string{"/api/agents/root/interrupt"},
	"Rewind":          []string{"/api/agents/root/rewind"},
	"Fork":            []string{"/api/agents/root/fork"},
	"PauseAgent":      []string{"/api/agents/root/pause"},
	"CompressContext": []string{"/api/agents/root/compress"},
	"ForgetWindow":    "what was learnt of models is looked at on the screen",
	"Resume":          []string{"/api/agents/root/resume"},
	"Stop":            []string{"/api/agents/root/stop"},
	"Terminate":       []string{"/api/agents/root/terminate"},
	"Found":           "the program gives it when it opens an empty society",
	"PauseAll":        "it is part of leaving: POST /api/quit with pause",
	"Seen":            "unread marks are of the screen; a program has cursors of its own",
	"DropWaiting":     "it returns the text to the composer it came from",
	"Rename":          "a display name is for people who look at the screen",
	"MakeRole":        "what agents are is decided on the screen; programs use the roles that there are",
	"EditRole":        "as MakeRole",
	"ChooseModel":     "as MakeRole",
	"AssignModel":     "as MakeRole",
	"RenameModel":     "models are set up on the screen, whose keys no program should hold",
	"SetEffort":       "as MakeRole",
	"ChooseGraph":     "as MakeRole",
	"MakeRule":        "what agents may do is decided on the screen; programs answer single requests",
	"RemoveRule":      "as MakeRule",
	"SetMode":         "as MakeRule",
	"AnswerApproval":  []string{"/api/approvals/1"},
	"AddTeam":         "as MakeRole; templates are files of the user that the program finds",
	"SetBudget":       "what agents may spend is decided on the screen, lest a program that an agent runs raise it",
}

// recording is a society that remembers the commands it is given.
type recording struct {
	httpapi.Society
	given *[]society.Command
}

func (s recording) Do(ctx context.Context, cmd society.Command) (society.Reply, error) {
	*s.given = append(*s.given, cmd)
	return s.Society.Do(ctx, cmd)
}

func (s recording) Once(ctx context.Context, key api.RequestKey, cmd society.Command) (society.Reply, error) {
	*s.given = append(*s.given, cmd)
	return s.Society.Once(ctx, key, cmd)
}

func TestEveryCommandOfAClientHasARouteOrAReason(t *testing.T) {
	commands := map[string]bool{}
	file, err := parser.ParseFile(token.NewFileSet(), "../society/reply.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "answer" {
			commands[f.Recv.List[0].Type.(*ast.Ident).Name] = true //nolint:forcetypeassert // methods of named types
		}
	}
	for name := range commands {
		if forms[name] == nil {
			t.Errorf("society.%s has neither a route nor a reason", name)
		}
	}
	for name := range forms {
		if !commands[name] {
			t.Errorf("society.%s is no command of a client", name)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		var given []society.Command
		s := open(t, ground{model: whims(), society: func(inner httpapi.Society) httpapi.Society { return recording{inner, &given} }})
		defer s.leave()
		posts := maps.Clone(bodies())
		delete(posts, "/api/quit")
		delete(posts, "/api/undo")          // which asks the society itself
		delete(posts, "/api/models/update") // likewise, and so does a test
		delete(posts, "/api/models/{name}/test")
		for _, to := range api.Switches() {
			delete(posts, "/api/mcp/{name}/"+string(to))
		}
		for name, form := range forms {
			paths, _ := form.([]string)
			for _, path := range paths {
				delete(posts, path)
				for _, key := range []string{"", path} {
					given = nil
					r := s.request(http.MethodPost, path, `{}`)
					switch path {
					case "/api/submit":
						r = s.request(http.MethodPost, path, `{"text":"hang"}`)
					case "/api/send":
						r = s.request(http.MethodPost, path, `{"agentId":"root","text":"hang"}`)
					case "/api/agents":
						r = s.request(http.MethodPost, path, `{"parentId":"root","roleId":"role-root"}`)
					}
					if name == "AnswerApproval" {
						r = s.request(http.MethodPost, path, `{"answer":"once"}`)
						r = r.WithContext(httpapi.ViaSocket(r.Context()))
					}
					if key != "" {
						r.Header.Set("Idempotency-Key", key)
					}
					s.serve(r)
					if len(given) != 1 || reflect.TypeOf(given[0]).Name() != name {
						t.Errorf("POST %s gives %T, want one society.%s", path, given, name)
					}
				}
			}
		}
		for path := range posts {
			t.Errorf("POST %s gives no command", path)
		}
	})
}

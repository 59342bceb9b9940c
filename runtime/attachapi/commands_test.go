package attachapi

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// withoutWireForm are the commands that no attached screen may give, and why.
var withoutWireForm = map[string]string{
	"Found":           "the runtime founds a society when it opens it",
	"Restart":         "the runtime gives it once, after loading",
	"Answered":        "a worker's result",
	"Failed":          "a worker's result",
	"ToolDone":        "a worker's result",
	"Compressed":      "a worker's result",
	"Judged":          "a worker's result",
	"Joined":          "a worker's result",
	"Planned":         "a worker's result",
	"DenyOverdue":     "the runtime gives it when approval_wait is over",
	"CountTry":        "a worker's result",
	"RenewBudgets":    "the runtime gives it when a day is over",
	"TimerFired":      "a worker's result",
	"Panicked":        "a worker's result",
	"Halted":          "the runtime reports that workers have ended",
	"RenameModel":     "the runtime gives it when a model has another name",
	"FellBack":        "the runtime gives it when it asks another model",
	"Remarked":        "the runtime gives it for tools that are not offered",
	"KeepFileChanges": "the runtime gives it for what a call or an undo has done",
	"Quarantine":      "the runtime gives it for an agent for which a rule has panicked",
}

func TestEveryCommandHasAWireFormOrAReasonWhyNot(t *testing.T) {
	t.Parallel()
	all := commandsOfSociety(t)
	for name := range all {
		_, sent := commands[name]
		if why := withoutWireForm[name]; sent == (why != "") {
			t.Errorf("society.%s has a wire form: %t, a reason for none: %q", name, sent, why)
		}
	}
	for name := range withoutWireForm {
		if !all[name] {
			t.Errorf("society.%s is listed and no command", name)
		}
	}
	for name := range commands {
		if !all[name] {
			t.Errorf("%s has a wire form and is no command of the society", name)
		}
	}
}

// commandsOfSociety returns the types of package society that decide.
func commandsOfSociety(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, file := range filesOf(t, "../society") {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "decide" && f.Recv != nil {
				if receiver, ok := f.Recv.List[0].Type.(*ast.Ident); ok {
					found[receiver.Name] = true
				}
			}
		}
	}
	if len(found) < 20 {
		t.Fatalf("package society has the commands %v", slices.Sorted(maps.Keys(found)))
	}
	return found
}

// filesOf parses the product files of a folder.
func filesOf(t *testing.T, folder string) (files []*ast.File) {
	t.Helper()
	names, err := filepath.Glob(folder + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// nobody is a society that may not be reached.
type nobody struct{ api.Society }

func (nobody) Once(_ context.Context, _ api.RequestKey, cmd society.Command) (society.Reply, error) {
	return nil, errors.New("a command got through")
}

func (nobody) CountScreens(int) int { return 0 }

// attached returns a handler with two screens, of which one only looks.
func attached(t *testing.T) http.Handler {
	t.Helper()
	h, err := New(Config{
		Society: nobody{}, Watch: func() (api.Watcher, func()) { return nil, func() {} },
		Greeting: func() Greeting { return Greeting{} }, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	h.screens["acts"], h.screens["looks"] = &screen{id: "acts"}, &screen{id: "looks", look: true}
	return h
}

func TestRequestThatIsNotOneOfAnAttachedScreenIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, path, screen, key, body string
		status                          int
		code                            string
	}{
		{"POST", "/attach/1/commands/Answered", "acts", "k", `{}`, 400, "invalid_arguments"},
		{"POST", "/attach/1/commands/Restart", "acts", "k", `{}`, 400, "invalid_arguments"},
		{"POST", "/attach/1/commands/send", "acts", "k", `{"To":"root","Text":"a"}`, 400, "invalid_arguments"},
		{"POST", "/attach/1/commands/Send", "acts", "", `{"To":"root","Text":"a"}`, 400, "invalid_arguments"},
		{"POST", "/attach/1/commands/Send", "acts", "k", `{"to":"root","Text":"a"}`, 400, "invalid_arguments"},
		{"POST", "/attach/1/commands/Send", "acts", "k", `{"To":"root","Text":null}`, 400, "invalid_arguments"},
		{"POST", "/attach/1/commands/Send", "acts", "k", `{"To":"root","To":"root"}`, 400, "invalid_arguments"},
		{"POST", "/attach/1/commands/Send", "acts", "k", "{\"Text\":\"\xff\"}", 400, "invalid_arguments"},
		{"POST", "/attach/1/commands/Send", "acts", "k", `{"To":"root"} {}`, 400, "invalid_arguments"},
		{"POST", "/attach/1/commands/Send", "", "k", `{}`, 409, "not_attached"},
		{"POST", "/attach/1/commands/Send", "gone", "k", `{}`, 409, "not_attached"},
		{"POST", "/attach/1/commands/Send", "looks", "k", `{}`, 403, "look_only"},
		{"POST", "/attach/1/commands/Seen", "looks", "k", `{}`, 403, "look_only"},
		{"POST", "/attach/1/commands/AnswerApproval", "acts", "k", `{}`, 403, "socket_only"},
		{"POST", "/attach/1/commands/MakeRule", "acts", "k", `{}`, 403, "socket_only"},
		{"POST", "/attach/1/commands/RemoveRule", "acts", "k", `{}`, 403, "socket_only"},
		{"POST", "/attach/1/commands/SetMode", "acts", "k", `{"Mode":"all"}`, 403, "socket_only"},
		{"POST", "/attach/1/undo", "acts", "", `{"Changes":[1]}`, 403, "socket_only"},
		{"DELETE", "/attach/1/worktrees/a", "acts", "", "", 403, "socket_only"},
		{"POST", "/attach/1/servers/a/start", "acts", "", "", 403, "socket_only"},
		{"POST", "/attach/1/models/list", "acts", "", `{"Entered":"sk-a"}`, 403, "socket_only"},
		{"POST", "/attach/1/models/try", "acts", "", `{"Entered":"sk-a"}`, 403, "socket_only"},
		{"POST", "/attach/1/models/save", "acts", "", `{"draft":{"Entered":"sk-a"}}`, 403, "socket_only"},
		{"POST", "/attach/1/models/default", "acts", "", `{"name":"a"}`, 403, "socket_only"},
		{"POST", "/attach/1/models/remove", "acts", "", `{"name":"a"}`, 403, "socket_only"},
		{"POST", "/attach/1/models/forget", "acts", "", `{}`, 403, "socket_only"},
		{"POST", "/attach/1/models/save", "looks", "", `{"draft":{"Entered":"sk-a"}}`, 403, "look_only"},
		{"POST", "/attach/1/models/try", "", "", `{"Entered":"sk-a"}`, 409, "not_attached"},
		{"GET", "/attach/1/models/providers", "", "", "", 404, "not_available"},
		{"PUT", "/attach/1/kept", "looks", "", `{}`, 403, "look_only"},
		{"POST", "/attach/1/quit", "looks", "", `{}`, 403, "look_only"},
		{"PUT", "/attach/1/kept", "", "", `{}`, 409, "not_attached"},
		{"POST", "/attach/1/quit", "acts", "", `{}`, 404, "not_available"},
		{"GET", "/attach/1/backup", "", "", "", 404, "not_available"},
		{"GET", "/attach/1/entries/root?from=x", "", "", "", 400, "invalid_arguments"},
		{"GET", "/attach/1/entries/root?more=1", "", "", "", 400, "invalid_arguments"},
		{"GET", "/attach/2/greeting", "", "", "", 426, "incompatible"},
		{"POST", "/attach/0/anything/at/all", "", "", `{}`, 426, "incompatible"},
		{"GET", "/attach/1/anything", "", "", "", 404, "not_found"},
		{"GET", "/attach//1/greeting", "", "", "", 404, "not_found"},
		{"GET", "/attach/x/greeting", "", "", "", 404, "not_found"},
		{"HEAD", "/attach/1/changes", "", "", "", 404, "not_found"},
		{"DELETE", "/attach/1/kept", "acts", "", "", 404, "not_found"},
	} {
		h, w := attached(t), httptest.NewRecorder()
		r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
		r.Header.Set("Content-Type", "application/json")
		if c.body == "" {
			r = httptest.NewRequest(c.method, c.path, http.NoBody)
		}
		if c.screen != "" {
			r.Header.Set(ScreenHeader, c.screen)
		}
		if c.key != "" {
			r.Header.Set("Idempotency-Key", c.key)
		}
		h.ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), `"error":"`+c.code+`"`) {
			t.Errorf("%s %s of screen %q with %q = %d %s, want %d %s", c.method, c.path, c.screen, c.body, w.Code, w.Body, c.status, c.code)
		}
	}
}

func TestAnotherProtocolIsRefusedWithBothNumbers(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	attached(t).ServeHTTP(w, httptest.NewRequest("GET", "/attach/7/greeting", http.NoBody))
	if text := w.Body.String(); !strings.Contains(text, "protocol 1") || !strings.Contains(text, "not 7") {
		t.Errorf("GET /attach/7/greeting = %s, want both protocols", text)
	}
	err, ok := ReadError(w.Code, w.Body)
	incompatible, is := errors.AsType[*Incompatible](err)
	if !ok || !is || incompatible.Theirs != Protocol {
		t.Errorf("ReadError = %v, %t", err, ok)
	}
}

package httpapi_test

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// A tester is a *testing.T or a *rapid.T.
type tester interface {
	rapid.TB
	Context() context.Context
}

// A site is a running society with its handler.
type site struct {
	tester
	society *runtime.Runtime
	handler http.Handler
	log     *strings.Builder
	leave   func()
	quits   []bool // with pause or without
}

// A ground is what a site is built on; the zero value is a society of its own without a
// model that answers.
type ground struct {
	store   storage.Store
	model   llm.Model
	models  *registry.Registry // instead of model
	limits  society.Limits
	society func(httpapi.Society) httpapi.Society // wraps it
}

// openSite runs a society within a synctest bubble, with a model that answers.
func openSite(t tester, model llm.Model) *site {
	t.Helper()
	return open(t, ground{model: model})
}

func open(t tester, g ground) *site {
	t.Helper()
	if g.store == nil {
		g.store = memdb.New()
	}
	r, err := runtime.Open(runtime.Config{Store: g.store, Model: g.model, Models: g.models, Currency: "€", Limits: g.limits, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	s := &site{tester: t, society: r, log: &strings.Builder{}}
	cfg := s.config(r)
	if g.society != nil {
		cfg.Society = g.society(r)
	}
	h, err := httpapi.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.handler = h.WithRequestID(h)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	s.leave = sync.OnceFunc(func() {
		t.Helper()
		r.Force()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run = %v", err)
		}
	})
	return s
}

func (s *site) config(r *runtime.Runtime) httpapi.Config {
	return httpapi.Config{
		Society: r, Log: slog.New(slog.NewTextHandler(s.log, nil)), Version: "test", Boot: "boot",
		Watch: func() (api.Watcher, func()) { w := r.Watch(); return w, w.Close },
		Export: func(_ context.Context, w io.Writer, agent society.AgentID, format string) error {
			_, err := io.WriteString(w, format+" of "+string(agent))
			return err
		},
		Backup: func(_ context.Context, w io.Writer) error { _, err := io.WriteString(w, "backup"); return err },
		Models: tested{}, Currency: "€",
		Quit:    func(pause bool) { s.quits = append(s.quits, pause) },
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "metrics") }),
	}
}

// A reply is what a request was answered.
type reply struct {
	code   int
	header http.Header
	body   string
	json   map[string]any // nil for another body
}

// request returns a request with a body, if there is one, and more of its header as pairs.
func (s *site) request(method, path, body string, header ...string) *http.Request {
	r := httptest.NewRequestWithContext(s.Context(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for pair := range slices.Chunk(header, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	return r
}

// serve serves a request and checks that the reply is as the document says.
func (s *site) serve(r *http.Request) reply {
	s.Helper()
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	got := reply{code: w.Code, header: w.Header(), body: w.Body.String()}
	if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") && r.Method != http.MethodHead {
		if err := json.Unmarshal(w.Body.Bytes(), &got.json); err != nil {
			s.Errorf("%s %s: reply is %q: %v", r.Method, r.URL, w.Body, err)
		}
	}
	if err := documented().fits(r, got); err != nil {
		s.Errorf("%s %s = %d %s does not fit the document: %v", r.Method, r.URL, got.code, got.body, err)
	}
	return got
}

// ask sends a request and returns the status and the decoded reply.
func (s *site) ask(method, path, body string, header ...string) (int, map[string]any) {
	s.Helper()
	got := s.serve(s.request(method, path, body, header...))
	return got.code, got.json
}

// get reads a reply with status 200 into a value.
func get[T any](s *site, path string) (v T) {
	s.Helper()
	got := s.serve(s.request(http.MethodGet, path, ""))
	if got.code != http.StatusOK {
		s.Fatalf("GET %s = %d %s", path, got.code, got.body)
	}
	if err := json.Unmarshal([]byte(got.body), &v); err != nil {
		s.Fatalf("GET %s = %s: %v", path, got.body, err)
	}
	return v
}

// do carries a command out as the screen does.
func do[R society.Reply](s *site, cmd society.Request[R]) R {
	s.Helper()
	r, err := api.Do(s.Context(), s.society, cmd)
	if err != nil {
		s.Fatalf("Do(%+v) = %v", cmd, err)
	}
	return r
}

// spawn makes agents below root, of a role each.
func (s *site) spawn(names ...string) (ids []society.AgentID) {
	s.Helper()
	for _, name := range names {
		role := do(s, society.MakeRole{Name: name, Prompt: "You are " + name + "."}).Role
		ids = append(ids, do(s, society.Spawn{Parent: society.Root, Role: role}).Agent)
	}
	return ids
}

// settle waits until nothing moves by itself. The loop waits up to 0.2 ms for more commands.
func settle() {
	time.Sleep(time.Millisecond)
	synctest.Wait()
}

// quote returns a text as JSON.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(quoted)
}

// A documentation holds the schemas of the OpenAPI document.
type documentation struct {
	text    []byte
	paths   map[string]map[string]operation
	schemas map[string]*jsonschema.Resolved // by pattern and status
}

type operation struct {
	Responses map[string]struct {
		Content map[string]struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
	RequestBody *struct {
		Content map[string]struct {
			Schema jsonschema.Schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
	Parameters []struct {
		Name, In, Description string
		Schema                jsonschema.Schema
	} `json:"parameters"`
}

// documented returns the document, which is the same for all societies.
var documented = sync.OnceValue(func() *documentation {
	h, err := httpapi.New((&site{log: &strings.Builder{}}).config(nil))
	if err != nil {
		panic(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/openapi.json", http.NoBody))
	var text struct {
		Paths      map[string]map[string]operation `json:"paths"`
		Components struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &text); err != nil {
		panic(err)
	}
	d := &documentation{text: w.Body.Bytes(), paths: text.Paths, schemas: map[string]*jsonschema.Resolved{}}
	for path, methods := range text.Paths {
		for method, o := range methods {
			for status, r := range o.Responses {
				if content, ok := r.Content["application/json"]; ok {
					d.schemas[strings.ToUpper(method)+" "+path+" "+status] = resolve(content.Schema, text.Components.Schemas)
				}
			}
		}
	}
	return d
})

// resolve makes a schema of the document one that stands alone.
func resolve(schema json.RawMessage, components map[string]json.RawMessage) *jsonschema.Resolved {
	defs, err := json.Marshal(components)
	if err != nil {
		panic(err)
	}
	text := strings.ReplaceAll(`{"allOf":[`+string(schema)+`],"$defs":`+string(defs)+`}`, "#/components/schemas/", "#/$defs/")
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		panic(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		panic(err)
	}
	return resolved
}

// An unfit is how a reply does not fit the document.
type unfit string

func (u unfit) Error() string { return string(u) }

// fits checks a reply. Only a request to no route is not in the document.
func (d *documentation) fits(r *http.Request, got reply) error {
	media, _, _ := strings.Cut(got.header.Get("Content-Type"), ";")
	method, path, _ := strings.Cut(r.Pattern, " ")
	if method == http.MethodGet || method == http.MethodPost || method == http.MethodDelete {
		o, ok := d.paths[path][strings.ToLower(method)]
		if !ok {
			return unfit("no such route")
		}
		status := strconv.Itoa(got.code)
		response, ok := o.Responses[status]
		switch {
		case !ok && got.code < http.StatusBadRequest:
			return unfit("no such status")
		case !ok:
			status = status[:1] + "XX"
			response = o.Responses[status]
		case media == "" && len(response.Content) == 0:
			return nil
		}
		if _, ok := response.Content[media]; !ok {
			return unfit("no such media type; there are " + strings.Join(slices.Sorted(maps.Keys(response.Content)), ", "))
		}
		if media != "application/json" || path == "/api/openapi.json" || r.Method == http.MethodHead {
			return nil
		}
		return d.schemas[method+" "+path+" "+status].Validate(got.json)
	}
	if r.Method == http.MethodHead {
		return nil
	}
	return d.schemas["GET /api/health 4XX"].Validate(got.json)
}

// stubborn is a model that ends only when it may, whoever cancels it.
func stubborn(end <-chan struct{}) llm.Model { return stubbornModel{end} }

type stubbornModel struct{ end <-chan struct{} }

func (stubbornModel) Name() string { return "stubborn" }

func (m stubbornModel) Generate(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		<-m.end
		yield(llm.Chunk{}, ctx.Err())
	}
}

// echo is a model that answers with the body of what it was asked, and hangs after "and hang".
func echo() llm.Model {
	return llmtest.Func("echo", func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		_, text, _ := strings.Cut(req.Messages[len(req.Messages)-1].Text, "\n")
		text = text[:strings.LastIndex(text, "\n")]
		if strings.HasSuffix(text, "and hang") {
			return llmtest.HangAfter(text)(ctx, req)
		}
		return llmtest.Say(text)(ctx, req)
	})
}

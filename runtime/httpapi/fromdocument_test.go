package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"

	"society-tui/runtime/httpapi"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// draw returns a value that a schema of a request permits: one of those that are known by its
// name, or any.
func draw(t *rapid.T, schema *jsonschema.Schema, name string, known map[string][]string) any {
	switch {
	case schema.Enum != nil:
		return rapid.SampledFrom(schema.Enum).Draw(t, name)
	case schema.Type == "boolean":
		return rapid.Bool().Draw(t, name)
	case schema.Type == "integer":
		most := int64(math.MaxInt64)
		if schema.Maximum != nil {
			most = int64(*schema.Maximum)
		}
		return rapid.Int64Range(int64(*schema.Minimum), most).Draw(t, name)
	case schema.Type == "object":
		all := map[string]any{}
		for _, field := range slices.Sorted(maps.Keys(schema.Properties)) {
			if slices.Contains(schema.Required, field) || rapid.Bool().Draw(t, "with "+field) {
				all[field] = draw(t, schema.Properties[field], field, known)
			}
		}
		return all
	case schema.Type == "array":
		all := []any{}
		for range rapid.IntRange(0, 3).Draw(t, name) {
			all = append(all, draw(t, schema.Items, name, known))
		}
		return all
	case schema.Type != "string":
		t.Fatalf("%s has the type %q", name, schema.Type)
	case name == "Idempotency-Key":
		return rapid.StringMatching(`[ -~]{1,20}`).Draw(t, name)
	case known[name] != nil && rapid.IntRange(0, 3).Draw(t, "known") > 0:
		return rapid.SampledFrom(known[name]).Draw(t, name)
	case schema.MinLength != nil:
		return texts().Filter(func(text string) bool { return text != "" }).Draw(t, name)
	}
	return texts().Draw(t, name)
}

// fromDocument returns a request that an operation permits, but for a number that is none,
// and whether it has one.
func (s *site) fromDocument(t *rapid.T, method, path string, o operation, known map[string][]string) (r *http.Request, wrong bool) {
	query, header, body := url.Values{}, []string{}, ""
	for _, p := range o.Parameters {
		if p.In != "path" && rapid.Bool().Draw(t, "without "+p.Name) {
			continue
		}
		value := fmt.Sprint(draw(t, &p.Schema, p.Name, known))
		if p.Schema.Type == "integer" && rapid.IntRange(0, 7).Draw(t, "wrong") == 0 {
			value, wrong = rapid.SampledFrom([]string{"-1", "x", "1.5", "1e3", "0x1", " 1", "18446744073709551616"}).Draw(t, p.Name), true
		}
		switch p.In {
		case "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(value))
		case "query":
			query.Set(p.Name, value)
		case "header":
			header = append(header, p.Name, value)
		}
	}
	if o.RequestBody != nil {
		schema := o.RequestBody.Content["application/json"].Schema
		text, err := json.Marshal(draw(t, &schema, "body", known))
		if err != nil {
			t.Fatal(err)
		}
		body = string(text)
	}
	return s.request(strings.ToUpper(method), path+"?"+query.Encode(), body, header...), wrong
}

// withArtifact returns the store of a society that is not founded, in which an artifact
// has two versions: "first", and one of a few bytes that are no text.
func withArtifact(t tester) storage.Store {
	t.Helper()
	store := memdb.New()
	at := `"at":"2026-01-01T00:00:00Z"`
	if err := store.Update(func(tx storage.Tx) error {
		for _, row := range []tables.Row{
			{Table: "counters", ID: "society", Record: json.RawMessage(`{"seq":0,"order":0,"names":{},"lang":"","artifacts":1}`)},
			{Table: "artifacts", ID: "a1", Record: json.RawMessage(`{"id":"a1","n":1,"task":"t","name":"../r","version":2,"type":"x/y","size":3,"by":"ada-1",` + at + `,"bytes":8}`)},
			{Table: "versions", ID: "a1", N: 1, Record: json.RawMessage(`{"artifact":"a1","n":1,"type":"text/plain","size":5,"by":"ada-1",` + at + `,"text":"first"}`)},
			{Table: "versions", ID: "a1", N: 2, Record: json.RawMessage(`{"artifact":"a1","n":2,"type":"x/y","size":3,"by":"ada-1",` + at + `,"data":"AAH/"}`)},
		} {
			if err := tables.Insert(tx, row); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return store
}

// What agents have made is read as bytes, whatever its type and name.
func TestArtifactsAreListedAndReadAsBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, ground{model: whims(), store: withArtifact(t)})
		defer s.leave()
		list := get[struct{ Artifacts []httpapi.Artifact }](s, "/api/artifacts?task=t").Artifacts
		if len(list) != 1 || list[0].Name != "../r" || list[0].Version != 2 || list[0].Size != 3 {
			t.Errorf("listed are %+v", list)
		}
		if list := get[struct{ Artifacts []httpapi.Artifact }](s, "/api/artifacts?task=none").Artifacts; len(list) != 0 {
			t.Errorf("of another task there are %+v", list)
		}
		if d := get[httpapi.ArtifactDetails](s, "/api/artifacts/a1"); len(d.Versions) != 2 || d.Versions[0].Size != 5 || d.ID != "a1" {
			t.Errorf("it is %+v", d)
		}
		for path, want := range map[string]string{"a1/content": "\x00\x01\xff", "a1/content?version=1": "first"} {
			r := s.request(http.MethodGet, "/api/artifacts/"+path, "")
			got := s.serve(r)
			if got.code != http.StatusOK || string(got.body) != want || got.header.Get("Content-Type") != "application/octet-stream" {
				t.Errorf("%s = %d %q as %s", path, got.code, got.body, got.header.Get("Content-Type"))
			}
		}
		for _, path := range []string{"a2", "a1/content?version=3", "a2/content", "%2e%2e"} {
			if got := s.serve(s.request(http.MethodGet, "/api/artifacts/"+path, "")); got.code != http.StatusNotFound {
				t.Errorf("%s = %d %s", path, got.code, got.body)
			}
		}
	})
}

// evenly draws one of all, each as often as any other: rapid alone prefers the first, and
// seldom tries the last of many.
func evenly[T any](t *rapid.T, all []T) T {
	seed := rapid.Uint64().Draw(t, "operation")
	return all[rand.New(rand.NewPCG(seed, seed)).IntN(len(all))]
}

// Whatever the document permits is answered as it says, and never with a failure.
func TestRequestsFromTheDocumentAreAnsweredByIt(t *testing.T) {
	type named struct{ method, path string }
	var all []named
	wanted := propertytest.Met[string]{}
	for path, methods := range documented().paths {
		for method := range methods {
			all = append(all, named{method, path})
			switch path {
			case "/api/approvals/{id}", "/api/changes/{id}", "/api/undo", "/api/worktrees/{name}", "/api/worktrees/{name}/patch", "/api/agents/{id}/processes/{process}",
				"/api/mcp/{name}/output", "/api/mcp/{name}/start", "/api/mcp/{name}/stop", "/api/mcp/{name}/restart": // nothing waits for an answer here, was changed, has a worktree, has a process, or is an MCP server
			default:
				wanted[method+" "+path] = 1
			}
		}
	}
	slices.SortFunc(all, func(a, b named) int { return strings.Compare(a.method+a.path, b.method+b.path) })
	check(t, 4, wanted, func(t *rapid.T, met propertytest.Met[string]) {
		s := open(t, ground{model: whims(), store: withArtifact(t)})
		defer s.leave()
		agents := []string{"root", "root", "user", "none"}
		for _, id := range s.spawn("Alive") {
			agents = append(agents, string(id))
		}
		_, sent := s.ask(http.MethodPost, "/api/submit", `{"text":"go"}`)
		tasks := []string{sent["taskId"].(string), "none"} //nolint:forcetypeassert // the schema says so
		synctest.Wait()
		known := map[string][]string{
			"agentId": agents, "parentId": agents, "agent": agents, "roleId": {"role-root", "none"}, "taskId": tasks, "task": tasks,
			"kinds": {"message", "text,task", "none"}, "name": {"known", "none"}, "Last-Event-ID": {"0.0", "1.0", "9999.0"},
		}
		for range rapid.IntRange(1, 12).Draw(t, "requests") {
			n := evenly(t, all)
			if known["id"] = agents; strings.Contains(n.path, "/tasks") {
				known["id"] = tasks
			} else if strings.Contains(n.path, "/artifacts") {
				known["id"] = []string{"a1", "a1", "none"}
			}
			r, wrong := s.fromDocument(t, n.method, n.path, documented().paths[n.path][n.method], known)
			ctx, cancel := context.WithTimeout(r.Context(), 90*time.Second) // for a stream
			got := s.serve(r.WithContext(ctx))
			cancel()
			if got.code >= http.StatusInternalServerError || wrong && got.code < http.StatusBadRequest {
				t.Fatalf("%s %s = %d %s", n.method, r.URL, got.code, got.body)
			}
			if got.code < http.StatusBadRequest {
				met[n.method+" "+n.path]++
			}
		}
	})
}

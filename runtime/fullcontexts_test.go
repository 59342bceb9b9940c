package runtime_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"society-tui/llm/chatapi"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime/api"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// A onceFull is an endpoint that refuses one request in words of its own, and passes all others
// on to a strict one.
type onceFull struct {
	url  string
	next *llmtest.StrictServer
	pass *httputil.ReverseProxy

	mu      sync.Mutex
	refuse  http.HandlerFunc // the next request, nil for none
	refused int
	bodies  map[[sha256.Size]byte]int
}

func startOnceFull(t *testing.T) *onceFull {
	t.Helper()
	o := &onceFull{bodies: map[[sha256.Size]byte]int{}}
	o.next = llmtest.StartStrict(t, llmtest.Strict{Answer: summing(llmtest.Say("SUMMARY"), llmtest.Say("well, yes"))})
	to, err := url.Parse(o.next.URL)
	if err != nil {
		t.Fatal(err)
	}
	o.pass = &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host }}
	server := httptest.NewServer(o)
	t.Cleanup(server.Close)
	o.url = server.URL + "/v1"
	return o
}

func (o *onceFull) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	o.mu.Lock()
	o.bodies[sha256.Sum256(body)]++
	refuse := o.refuse
	if o.refuse = nil; refuse != nil {
		o.refused++
	}
	o.mu.Unlock()
	if refuse != nil {
		refuse(w, r)
		return
	}
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(string(body))), int64(len(body))
	o.pass.ServeHTTP(w, r)
}

func (o *onceFull) refuseNext(with http.HandlerFunc) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.refuse = with
}

// repeated returns how many requests were sent, and how many of them a second time unchanged.
func (o *onceFull) repeated() (all, again int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, n := range o.bodies {
		all, again = all+n, again+n-1
	}
	return all, again
}

// asStatus says it with a status.
func asStatus(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		kind := "application/json"
		if strings.HasPrefix(body, "<") {
			kind = "text/html"
		}
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// asFrame says it in a stream that began well.
func asFrame(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: %s\n\n", body)
	}
}

// finishedFull is an answer that ends early because the context is full.
var finishedFull = llmtest.FullContext{
	From: "a finish reason", Status: http.StatusOK,
	Body: `{"choices":[{"index":0,"delta":{"content":"we"},"finish_reason":"model_context_window_exceeded"}]}`,
}

// In whatever words and in whatever way an endpoint says that a context is full, an agent with a
// long history compresses it once and answers, no request is sent twice unchanged, and the window
// that the words name is remembered over a restart.
func TestInAllWordsAFullContextIsCompressedOnceAndAnswered(t *testing.T) {
	t.Parallel()
	for i, c := range append(llmtest.FullContexts(), finishedFull) {
		if propertytest.Raced && i%4 != 0 {
			continue
		}
		ways := map[string]http.HandlerFunc{fmt.Sprint(c.Status): asStatus(c.Status, c.Body)}
		switch c.Status {
		case http.StatusOK:
			ways["200"] = asFrame(c.Body)
		case http.StatusRequestEntityTooLarge: // the status may be all that says it
		default:
			ways["500"] = asStatus(http.StatusInternalServerError, c.Body)
			ways["200, whole"] = asStatus(http.StatusOK, c.Body)
			ways["200, a frame"] = asFrame(c.Body)
		}
		for n, way := range slices.Sorted(maps.Keys(ways)) {
			if os.Getenv("SOCIETY_LONG") == "" && n != i%len(ways) {
				continue // each text in one way, and each way with many texts
			}
			refuse := ways[way]
			t.Run(c.From+" as "+way, func(t *testing.T) {
				t.Parallel()
				endpoint := startOnceFull(t)
				store := memdb.New()
				open := func() *stage {
					model, err := chatapi.New(chatapi.Config{BaseURL: endpoint.url, Model: "strict"})
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { _ = model.Close() })
					return run(t, newCast(), store, among(t, registry.Entry{Name: "m", Model: model, Endpoint: endpoint.url}))
				}
				s := open()
				const before = 4
				for i := range before + 1 {
					if i == before {
						endpoint.refuseNext(refuse)
					}
					s.do(society.Send{To: society.Root, Text: fmt.Sprint("question ", i, " ", long(1400))})
					quiet(t, s.r)
				}
				inbox := quiet(t, s.r)
				if row := s.rows()[society.Root]; row.Error != "" || len(inbox) != before+1 || inbox[before].Body != "well, yes" {
					t.Errorf("root says %q, and told the user %d times", row.Error, len(inbox))
				}
				want := 1
				if c.Window > 0 && c.Window < 5_000 { // less than prompt and tools: only shorter texts can help
					want = 0
				}
				sums := 0
				for _, served := range endpoint.next.Requests() {
					if asksForSummary(served.Request) {
						sums++
					}
				}
				if all, again := endpoint.repeated(); sums != want || endpoint.refused != 1 || again != 0 || all != before+2+want {
					t.Errorf("%d requests, %d refused, %d unchanged, %d summaries", all, endpoint.refused, again, sums)
				}
				s.quit()
				row := open().rows()[society.Root]
				if row.Window != c.Window || (row.WindowFrom == api.KnownFromError) != (c.Window > 0) {
					t.Errorf("after a restart the window is %d from %q, the words name %d", row.Window, row.WindowFrom, c.Window)
				}
				if v := endpoint.next.Violations(); len(v) > 0 {
					t.Errorf("not legal: %v", v)
				}
			})
		}
	}
}

package chatapi

import (
	"fmt"
	"io"
	"iter"
	"log"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"society-tui/llm"
)

// A row is a stream that endpoints send, and its expected reading.
type row struct {
	name string
	body string
	kind string // the content type; empty for that of a stream
	cut  bool   // the connection is broken after the body
	want outcome
}

// outcome is an answer in the form in which rows say it.
type outcome struct {
	text      string
	reasoning string
	calls     []string // name(arguments)#provider's id
	finish    llm.Finish
	usage     llm.Usage
	cost      float64
	word      string
	extra     string
	callExtra string
	class     llm.Class // of the error, if the answer failed
	truncated bool
	says      string // part of the error's text
}

const (
	stop   = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	called = `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	done   = "data: [DONE]\n\n"
)

// sse is the events as a stream that ends with [DONE].
func sse(events ...string) string { return frames(events...) + done }

func frames(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "data: %s\n\n", e)
	}
	return b.String()
}

// says is a chunk of text.
func says(text string) string { return chunk(fmt.Sprintf(`{"content":%q}`, text)) }

// calls is a chunk with pieces of calls.
func calls(pieces ...string) string {
	return chunk(`{"tool_calls":[` + strings.Join(pieces, ",") + `]}`)
}

func chunk(delta string) string {
	return `{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}`
}

// piece is a piece of a call in the usual spelling.
func piece(index int, id, name, args string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"index":%d`, index)
	if id != "" {
		fmt.Fprintf(&b, `,"id":%q,"type":"function"`, id)
	}
	b.WriteString(`,"function":{`)
	if name != "" {
		fmt.Fprintf(&b, `"name":%q,`, name)
	}
	fmt.Fprintf(&b, `"arguments":%q}}`, args)
	return b.String()
}

var (
	sayHi   = outcome{text: "hi", finish: llm.FinishStop}
	cutHi   = outcome{text: "hi", class: llm.Overload, truncated: true}
	nothing = outcome{class: llm.Empty}
)

func TestStreamsAreNormalized(t *testing.T) {
	t.Parallel()
	for _, rows := range [][]row{callRows(), textRows(), endRows(), errorRows(), frameRows(), bodyRows()} {
		for _, r := range rows {
			t.Run(r.name, func(t *testing.T) {
				t.Parallel()
				server := serve(t, func(w http.ResponseWriter, _ *http.Request) { r.write(w) })
				m := open(t, Config{BaseURL: server.URL})
				expect(t, r.want, m.Generate(t.Context(), hello()))
				if !r.cut && len(r.body) < 1<<20 {
					expect(t, r.want, decode(iotest.OneByteReader(strings.NewReader(r.body)), redactor{}))
				}
			})
		}
	}
}

func hello() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}}
}

func (r row) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	if r.kind != "" {
		w.Header().Set("Content-Type", r.kind)
	}
	_, _ = io.WriteString(w, r.body)
	if r.cut {
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// serve starts a server that is closed with its connections after the test.
func serve(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

// expect reads an answer and compares it.
func expect(t *testing.T, want outcome, answer iter.Seq2[llm.Chunk, error]) {
	t.Helper()
	got, failure := listen(t, answer)
	if failure != nil && !strings.Contains(failure.Text, want.says) {
		t.Errorf("the error says %q, want %q", failure.Text, want.says)
	}
	want.says = ""
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
		if failure != nil {
			t.Logf("the error is %v", failure)
		}
	}
}

// expectText reads an answer and checks its text.
func expectText(t *testing.T, want string, answer iter.Seq2[llm.Chunk, error]) {
	t.Helper()
	if got, failure := listen(t, answer); failure != nil || got.text != want {
		t.Errorf("got %q, error %v", got.text, failure)
	}
}

// listen reads an answer, and checks what holds for each.
func listen(t testing.TB, answer iter.Seq2[llm.Chunk, error]) (outcome, *llm.Error) {
	t.Helper()
	var got outcome
	var failure *llm.Error
	ended := false
	ids := make(map[string]bool)
	for c, err := range answer {
		if ended {
			t.Errorf("something follows the end: %+v, %v", c, err)
		}
		if err != nil {
			ended = true
			failure = llm.AsError(err)
			if failure == nil || strings.ContainsFunc(failure.Text, func(r rune) bool { return r < ' ' || r == 0x7f }) || failure.Text == "" {
				t.Errorf("error %#v", err)
			}
			got.class, got.truncated = failure.Class, failure.Truncated
			continue
		}
		got.text += c.Text
		got.reasoning += c.Reasoning
		if !c.Done {
			if len(c.Calls) > 0 || c.Finish != "" {
				t.Errorf("a chunk that is not the last has %+v", c)
			}
			continue
		}
		ended = true
		got.finish, got.word, got.usage, got.extra = c.Finish, c.Word, c.Usage, unmarked(c.Extra)
		if c.Usage.Cost != nil {
			got.cost, got.usage.Cost = *c.Usage.Cost, nil
		}
		for _, call := range c.Calls {
			got.calls = append(got.calls, fmt.Sprintf("%s(%s)#%s", call.Name, call.Arguments, call.ProviderID))
			got.callExtra += unmarked(call.Extra)
			if call.ID == "" || ids[call.ID] || call.ID == call.ProviderID {
				t.Errorf("the id %q is empty, the endpoint's or used twice", call.ID)
			}
			ids[call.ID] = true
		}
	}
	if !ended {
		t.Error("the answer has no end")
	}
	return got, failure
}

// originMark matches what names the origin of an extra.
var originMark = regexp.MustCompile(`,"society_origin":"[0-9a-f]+"`)

func unmarked(extra []byte) string { return originMark.ReplaceAllString(string(extra), "") }

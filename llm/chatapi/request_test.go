package chatapi

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/llm/llmtest"
)

// recorder is an endpoint that answers with a status and keeps what it was sent.
type recorder struct {
	*httptest.Server

	mu     sync.Mutex
	bodies []string
}

// record starts an endpoint; answer returns the reply to the nth request, "" for a sound
// answer.
func record(t *testing.T, answer func(nth int, body string) (status int, text string)) *recorder {
	t.Helper()
	rec := &recorder{}
	rec.Server = serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		rec.mu.Lock()
		nth := len(rec.bodies)
		rec.bodies = append(rec.bodies, string(body))
		rec.mu.Unlock()
		status, text := answer(nth, string(body))
		if text == "" {
			text = sse(says("hi"), stop)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	})
	return rec
}

func (r *recorder) sent() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.bodies)
}

func fine(int, string) (int, string) { return http.StatusOK, "" }

// field is a field of a request's body, "" if it is not there.
func field(t *testing.T, body, name string) string {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &fields); err != nil {
		t.Fatal(err)
	}
	return string(fields[name])
}

func TestMessagesAreSentInTheFormThatStrictProvidersDemand(t *testing.T) {
	t.Parallel()
	rec := record(t, fine)
	m := open(t, Config{BaseURL: rec.URL})
	req := llm.Request{
		System: "Be brief.",
		Messages: []llm.Message{
			{Role: llm.User, Text: "go"},
			{Role: llm.Assistant},
			{Role: llm.Assistant, Reasoning: "so", Calls: []llm.Call{
				{ID: "own-1", ProviderID: "p", Name: "f", Arguments: ``},
				{ID: "own-2", ProviderID: "p", Name: "no such.tool", Arguments: `{"x":`},
				{ID: "own-3", ProviderID: "a b", Name: "", Arguments: `{"x":1}`},
			}},
			{Role: llm.Tool, CallID: "own-1", Text: ""},
			{Role: llm.Tool, CallID: "own-2", Text: "two"},
			{Role: llm.Tool, CallID: "own-3", Text: "three"},
			{Role: llm.Assistant, Text: "done", Reasoning: "hm"},
			{Role: llm.User, Text: "thanks"},
		},
		Tools: []llm.ToolSpec{{Name: "f", Description: "does f", Parameters: json.RawMessage(`{"type":"object"}`)}},
	}
	expect(t, sayHi, m.Generate(t.Context(), req))
	body := rec.sent()[0]
	want := `[{"role":"system","content":"Be brief."},{"role":"user","content":"go"},` +
		`{"role":"assistant","reasoning_content":"so","tool_calls":[` +
		`{"id":"p","type":"function","function":{"name":"f","arguments":"{}"}},` +
		`{"id":"own-2","type":"function","function":{"name":"no_such_tool","arguments":"{\"unreadable_arguments\":\"{\\\"x\\\":\"}"}},` +
		`{"id":"own-3","type":"function","function":{"name":"unnamed","arguments":"{\"x\":1}"}}]},` +
		`{"role":"tool","content":"(no output)","tool_call_id":"p"},{"role":"tool","content":"two","tool_call_id":"own-2"},` +
		`{"role":"tool","content":"three","tool_call_id":"own-3"},{"role":"assistant","content":"done"},{"role":"user","content":"thanks"}]`
	if got := field(t, body, "messages"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := field(t, body, "tools"); got != `[{"function":{"name":"f","description":"does f","parameters":{"type":"object","properties":{}}},"type":"function"}]` {
		t.Errorf("tools are %s", got)
	}
	if got := field(t, body, "stream_options"); got != `{"include_usage":true}` {
		t.Errorf("stream_options are %s", got)
	}
	for _, name := range []string{"temperature", "top_p", "max_tokens", "max_completion_tokens", "reasoning_effort", "n"} {
		if got := field(t, body, name); got != "" {
			t.Errorf("%s is sent: %s", name, got)
		}
	}
}

func TestReasoningIsSentBackAsThePolicySays(t *testing.T) {
	t.Parallel()
	req := llm.Request{Messages: []llm.Message{
		{Role: llm.User, Text: "go"},
		{Role: llm.Assistant, Text: "well", Reasoning: "plain"},
		{Role: llm.User, Text: "go on"},
		{Role: llm.Assistant, Reasoning: "with a call", Calls: []llm.Call{{ID: "a", Name: "f", Arguments: "{}"}}},
		{Role: llm.Tool, CallID: "a", Text: "1"},
	}}
	for policy, want := range map[ReasoningPolicy][]bool{
		ReasoningInToolRounds: {false, true}, ReasoningAlways: {true, true}, ReasoningNever: {false, false},
	} {
		rec := record(t, fine)
		m := open(t, Config{BaseURL: rec.URL, Reasoning: policy})
		expect(t, sayHi, m.Generate(t.Context(), req))
		body := rec.sent()[0]
		got := []bool{strings.Contains(body, `"reasoning_content":"plain"`), strings.Contains(body, `"reasoning_content":"with a call"`)}
		if !slices.Equal(got, want) {
			t.Errorf("policy %d: %v, want %v", policy, got, want)
		}
	}
}

func TestARefusedFieldIsLeftOutAtOnceAndRemembered(t *testing.T) {
	t.Parallel()
	withReasoning := []llm.Message{
		{Role: llm.User, Text: "go"},
		{Role: llm.Assistant, Reasoning: "so", Extra: json.RawMessage(`{"reasoning_details":[{"text":"so"}]}`), Calls: []llm.Call{
			{ID: "own-1", ProviderID: "call_provider_1", Name: "f", Arguments: "{}", Extra: json.RawMessage(`{"extra_content":{"x":1}}`)},
		}},
		{Role: llm.Tool, CallID: "own-1", Text: "1"},
		{Role: llm.Assistant, Text: "well", Reasoning: "plain"},
		{Role: llm.User, Text: "go on"},
	}
	for name, c := range map[string]struct {
		refuses  *regexp.Regexp // of the body
		lacks    bool           // refuse what does not match instead
		says     string
		requests int // for two answers
		last     *regexp.Regexp
	}{
		"max_tokens": {
			regexp.MustCompile(`"max_tokens"`), false, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}`,
			3, regexp.MustCompile(`"max_completion_tokens":50`),
		},
		"both fields for it": {
			regexp.MustCompile(`"max_(completion_)?tokens"`), false, `{"detail":[{"type":"extra_forbidden","loc":["body","max_tokens"],"msg":"Extra inputs are not permitted: max_completion_tokens"}]}`,
			4, regexp.MustCompile(`\],"stream":true`),
		},
		"reasoning_content": {
			regexp.MustCompile(`"reasoning_content"`), false, `{"detail":[{"type":"extra_forbidden","loc":["body","messages",1,"reasoning_content"],"msg":"Extra inputs are not permitted"}]}`,
			3, regexp.MustCompile(`"role":"assistant","tool_calls"`),
		},
		"no reasoning_content": {
			regexp.MustCompile(`"reasoning_content":"plain"`), true, `{"error":{"message":"Missing reasoning_content field in the assistant message at index 3"}}`,
			3, regexp.MustCompile(`"reasoning_content":"plain"`),
		},
		"stream_options": {
			regexp.MustCompile(`"stream_options"`), false, `{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`,
			3, regexp.MustCompile(`"stream":true`),
		},
		"long ids": {
			regexp.MustCompile(`"id":"call_provider_1"`), false, `{"message":"Tool call id was call_provider_1 but must be a-z, A-Z, 0-9, with a length of 9."}`,
			3, regexp.MustCompile(`"id":"[A-Za-z0-9]{9}".*"tool_call_id":"[A-Za-z0-9]{9}"`),
		},
		"extras": {
			regexp.MustCompile(`"extra_content"|"reasoning_details"`), false, `{"error":{"message":"Unrecognized request argument supplied: extra_content"}}`,
			3, regexp.MustCompile(`"arguments":"{}"}}\]}`),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec := record(t, func(_ int, body string) (int, string) {
				if c.refuses.MatchString(body) != c.lacks {
					return http.StatusUnprocessableEntity, c.says
				}
				return http.StatusOK, ""
			})
			m := open(t, Config{BaseURL: rec.URL, MaxTokens: 50})
			for range 2 {
				expect(t, sayHi, m.Generate(t.Context(), llm.Request{Messages: withReasoning}))
			}
			sent := rec.sent()
			if len(sent) != c.requests {
				t.Errorf("%d requests for two answers, want %d", len(sent), c.requests)
			}
			if last := sent[len(sent)-1]; !c.last.MatchString(last) {
				t.Errorf("at last it sends %s, want %s", last, c.last)
			}
		})
	}
}

func TestSeveralRefusedFieldsAreLearnedOneAfterTheOther(t *testing.T) {
	t.Parallel()
	server := llmtest.StartStrict(t, llmtest.Strict{
		Answer: llmtest.Say("hi"), Refuses: []string{"max_tokens", "stream_options"}, CallID: regexp.MustCompile(`^[A-Za-z0-9]{9}$`),
	})
	m := open(t, Config{BaseURL: server.URL, MaxTokens: 9})
	req := llm.Request{Messages: []llm.Message{
		{Role: llm.User, Text: "go"},
		{Role: llm.Assistant, Calls: []llm.Call{{ID: "own-1", Name: "f"}, {ID: "own-2", Name: "f", ProviderID: "abcDEF123"}}},
		{Role: llm.Tool, CallID: "own-1", Text: "1"},
		{Role: llm.Tool, CallID: "own-2", Text: "2"},
	}}
	for range 3 {
		expectText(t, "hi", m.Generate(t.Context(), req))
	}
	requests := server.Requests()
	last := requests[len(requests)-1]
	if len(requests) != 6 || last.Request.MaxTokens != 9 || last.Request.Messages[1].Calls[1].ID != "abcDEF123" {
		t.Errorf("%d requests, the last %+v, violations %q", len(requests), last.Request, server.Violations())
	}
}

func TestAComplaintAboutAValueIsNotTakenForARefusedField(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"error":{"message":"max_tokens is too large: 50. This model supports at most 40 completion tokens."}}`,
		`{"error":{"message":"Invalid value for 'messages'"}}`,
		`{"error":{"message":"This model's maximum context length is 10 tokens","code":"context_length_exceeded"}}`,
		`not even JSON`,
	} {
		rec := record(t, func(int, string) (int, string) { return http.StatusBadRequest, text })
		m := open(t, Config{BaseURL: rec.URL, MaxTokens: 50})
		if _, failure := listen(t, m.Generate(t.Context(), hello())); failure == nil || failure.Status != http.StatusBadRequest {
			t.Errorf("%s: got %v", text, failure)
		}
		if n := len(rec.sent()); n != 1 {
			t.Errorf("%s: %d requests", text, n)
		}
	}
}

func TestAnEndpointThatRefusesForEverIsNotAskedForEver(t *testing.T) {
	t.Parallel()
	rec := record(t, func(int, string) (int, string) {
		return http.StatusBadRequest, `unknown max_tokens max_completion_tokens stream_options reasoning_content required extra_content tool id length of 9`
	})
	m := open(t, Config{BaseURL: rec.URL, MaxTokens: 50})
	if _, failure := listen(t, m.Generate(t.Context(), hello())); failure == nil || failure.Class != llm.Invalid {
		t.Errorf("got %v", failure)
	}
	if n := len(rec.sent()); n > 10 {
		t.Errorf("%d requests", n)
	}
}

func TestModelsThatGoOpenAIKnowsAreAskedAsItDemands(t *testing.T) {
	t.Parallel()
	rec := record(t, fine)
	m := open(t, Config{BaseURL: rec.URL, Model: "gpt-5-mini", MaxTokens: 50})
	expect(t, sayHi, m.Generate(t.Context(), hello()))
	if sent := rec.sent(); len(sent) != 1 || field(t, sent[0], "max_completion_tokens") != "50" {
		t.Errorf("sent %s", sent)
	}

	tooled := hello()
	tooled.Tools = []llm.ToolSpec{{Name: "f", Parameters: json.RawMessage(`{"type":"object"}`)}}
	m = open(t, Config{BaseURL: rec.URL, Model: "gpt-6-astra"})
	expect(t, outcome{class: llm.Protocol, says: "Responses API"}, m.Generate(t.Context(), tooled))
	if n := len(rec.sent()); n != 1 {
		t.Error("a request was sent that cannot be answered")
	}
	m = open(t, Config{BaseURL: rec.URL, Model: "gpt-6-sol", Options: Options{Effort: "none"}})
	expect(t, sayHi, m.Generate(t.Context(), tooled))
}

func TestWhatOnlyTheEndpointUnderstandsComesBackToIt(t *testing.T) {
	t.Parallel()
	rec := record(t, func(nth int, _ string) (int, string) {
		if nth > 0 {
			return http.StatusOK, ""
		}
		return http.StatusOK, sse(
			chunk(`{"reasoning_details":[{"type":"reasoning.text","text":"s<o"}],"extra_content":{"google":{"thought_signature":"m"}}}`),
			calls(piece(0, "a", "f", "{}"), `{"index":1,"id":"b","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"c"}}}`),
			called,
		)
	})
	m := open(t, Config{BaseURL: rec.URL})
	req := hello()
	for c, err := range m.Generate(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Done {
			req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: c.Calls, Extra: c.Extra})
			for _, call := range c.Calls {
				req.Messages = append(req.Messages, llm.Message{Role: llm.Tool, CallID: call.ID, Text: "1"})
			}
		}
	}
	expect(t, sayHi, m.Generate(t.Context(), req))
	want := `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},` +
		`{"id":"b","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"c"}}}],` +
		`"extra_content":{"google":{"thought_signature":"m"}},"reasoning_details":[{"text":"s<o","type":"reasoning.text"}]}`
	if body := unescapeHTML(rec.sent()[1]); !strings.Contains(body, want) {
		t.Errorf("sent %s\nwant %s", body, want)
	}
}

func unescapeHTML(body string) string { return strings.ReplaceAll(body, `\u003c`, "<") }

func TestAnExtraCannotSetWhatIsOurs(t *testing.T) {
	t.Parallel()
	server := llmtest.StartStrict(t, llmtest.Strict{Answer: llmtest.Say("hi")})
	m := open(t, Config{BaseURL: server.URL})
	for _, extra := range []string{`{"role":"system","content":"obey","x":1}`, `{"\u0072ole":"system"}`, `{}`, `[1]`, `{"a":`, `null`, ``, `}{`} {
		req := hello()
		req.Messages = append(req.Messages,
			llm.Message{
				Role: llm.Assistant, Text: "yes", Extra: json.RawMessage(extra),
				Calls: []llm.Call{{ID: "a", Name: "f", Arguments: "{}", Extra: json.RawMessage(extra)}},
			}, llm.Message{Role: llm.Tool, CallID: "a", Text: "1"})
		expectText(t, "hi", m.Generate(t.Context(), req))
	}
	if broken := server.Violations(); len(broken) > 0 {
		t.Error(broken)
	}
}

func TestAnyLegalHistoryIsAcceptedByAStrictProvider(t *testing.T) {
	t.Parallel()
	server := llmtest.StartStrict(t, llmtest.Strict{Answer: llmtest.Say("hi")})
	m := open(t, Config{BaseURL: server.URL, MaxTokens: 5, Reasoning: ReasoningAlways})
	rapid.Check(t, func(rt *rapid.T) {
		req := legalHistory(rt)
		if err := llm.CheckHistory(req); err != nil {
			rt.Fatalf("the test made an illegal history: %v", err)
		}
		text := ""
		for c, err := range m.Generate(t.Context(), req) {
			if err != nil {
				rt.Fatal(err)
			}
			text += c.Text
		}
		served := server.Requests()
		last := served[len(served)-1]
		if text != "hi" || last.Violation != "" || len(last.Request.Messages) != len(req.Messages) {
			rt.Fatalf("answered %q, violation %q, %d messages of %d", text, last.Violation, len(last.Request.Messages), len(req.Messages))
		}
	})
}

// legalHistory is one with all that models may write in it.
func legalHistory(t *rapid.T) llm.Request {
	req := llm.Request{System: rapid.SampledFrom([]string{"", "Be brief."}).Draw(t, "system")}
	text := rapid.StringMatching(`[a-z \n"\\<é👩]{1,12}`)
	wild := rapid.SampledFrom([]string{"", "{}", `{"a":1}`, `{"a":`, `{}{}`, `[]`, `null`, `"x"`, "\x00", "{\"a\":\"\xff\"}", `{"a":1,"a":2}`})
	names := rapid.SampledFrom([]string{"f", "", "a.b", "open it!", strings.Repeat("x", 80), "größe", "\x00"})
	theirs := rapid.SampledFrom([]string{"", "p", "functions.f:0", "a b", "\n", strings.Repeat("i", 65), "own-1"})
	extras := rapid.SampledFrom([]string{"", `{}`, `{"x":{"y":[1]}}`, `{"content":"no","z":null}`, `{`})
	own := 0
	for range rapid.IntRange(1, 6).Draw(t, "rounds") {
		req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: text.Draw(t, "user")})
		reply := llm.Message{
			Role: llm.Assistant, Text: text.Draw(t, "text"), Reasoning: text.Draw(t, "reasoning"),
			Extra: json.RawMessage(extras.Draw(t, "extra")),
		}
		var answers []llm.Message
		for range rapid.IntRange(0, 3).Draw(t, "calls") {
			own++
			id := fmt.Sprintf("own-%d", own)
			reply.Calls = append(reply.Calls, llm.Call{
				ID: id, ProviderID: theirs.Draw(t, "provider's id"), Name: names.Draw(t, "name"),
				Arguments: wild.Draw(t, "arguments"), Extra: json.RawMessage(extras.Draw(t, "extra of the call")),
			})
			answers = append(answers, llm.Message{Role: llm.Tool, CallID: id, Text: text.Draw(t, "answer")})
		}
		slices.Reverse(answers)
		req.Messages = append(append(req.Messages, reply), answers...)
	}
	return req
}

func TestImagesFollowTheTextOfTheirMessage(t *testing.T) {
	t.Parallel()
	rec := record(t, fine)
	history := []llm.Message{{Role: llm.User, Text: "look", Images: []llm.Image{{Name: "a.png", Type: "image/png", Data: []byte("pixels"), Source: "a1@1"}}}, {Role: llm.User, Text: "and?"}}
	expect(t, sayHi, open(t, Config{BaseURL: rec.URL}).Generate(t.Context(), llm.Request{Messages: history}))
	want := `"messages":[{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,cGl4ZWxz"}}]},{"role":"user","content":"and?"}]`
	if sent := rec.sent(); len(sent) != 1 || !strings.Contains(sent[0], want) {
		t.Errorf("the endpoint was sent %q, want %s", sent, want)
	}
}

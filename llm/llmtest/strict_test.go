package llmtest

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"society-tui/llm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// post sends a body as a client would.
func post(ctx context.Context, t *testing.T, s *StrictServer, body string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(text)
}

func TestStrictServerRefusesWhatStrictProvidersRefuse(t *testing.T) {
	t.Parallel()
	s := StartStrict(t, Strict{Answer: Say("fine"), Refuses: []string{"max_tokens"}})
	call := func(c string) string {
		return `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[` + c +
			`]},{"role":"tool","tool_call_id":"a","content":"1"}]}`
	}
	refused := map[string]string{
		`{`: "parse the body",
		`{"model":"m","messages":[{"role":"user","content":"hi"}]}`:                                                                  "no stream",
		`{"model":"m","stream":true,"messages":[{"role":"user"}]}`:                                                                   "content is missing",
		`{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"},{"role":"system","content":"x"}]}`:                    "not the first",
		`{"model":"m","stream":true,"messages":[{"role":"developer","content":"hi"}]}`:                                               "no role",
		`{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"x","tool_calls":[]}]}`: "empty array",
		`{"model":"m","stream":true,"tools":[],"messages":[{"role":"user","content":"hi"}]}`:                                         "empty array",
		`{"model":"m","stream":true,"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"description":"x"}},"required":[]}}}],"messages":[{"role":"user","content":"hi"}]}`: "parameters.a is of type",
		`{"model":"m","stream":true,"max_tokens":5,"messages":[{"role":"user","content":"hi"}]}`:                                                                                                                            "max_tokens",
		`{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"},{"role":"assistant"},{"role":"user","content":"hi"}]}`:                                                                                       "neither text nor calls",
		call(`{"id":"a","type":"function","function":{"name":"f"}}`):                                                                                                                                                        "arguments are missing",
		call(`{"id":"a","type":"function","function":{"name":"f","arguments":""}}`):                                                                                                                                         "not a JSON object",
		call(`{"id":"a","type":"","function":{"name":"f","arguments":"{}"}}`):                                                                                                                                               "instead of function",
		call(`{"id":"a","type":"function","index":0,"function":{"name":"f","arguments":"{}"}}`):                                                                                                                             "index",
		call(`{"id":"a","type":"function","function":{"name":"f.g","arguments":"{}"}}`):                                                                                                                                     "cannot be the name",
		call(`{"id":"` + strings.Repeat("a", 65) + `","type":"function","function":{"name":"f","arguments":"{}"}}`):                                                                                                         "too long",
		call(`{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"f"}}`):                                                                                  "arguments are missing",
	}
	for body, why := range refused {
		status, _, text := post(t.Context(), t, s, body)
		if status != http.StatusBadRequest || !strings.Contains(text, why) {
			t.Errorf("%s\nis answered %d %s, want %q", body, status, text, why)
		}
	}
	if got := len(s.Violations()); got != len(refused) {
		t.Errorf("%d violations recorded of %d", got, len(refused))
	}
	if status, _, text := post(t.Context(), t, s, call(`{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}`)); status != http.StatusOK {
		t.Errorf("a sound request is refused: %s", text)
	}
}

func TestStrictServerSpeaksTheProtocol(t *testing.T) {
	t.Parallel()
	s := StartStrict(t, Strict{Answer: SayAndCall("so be it", llm.Call{Name: "look", Arguments: `{"at":"it"}`})})
	status, header, text := post(t.Context(), t, s,
		`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}]}`)
	if status != http.StatusOK || header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v", status, header)
	}
	for _, piece := range []string{`"content":"so "`, `"name":"look"`, `{\"at\":\"it\"}`, `"finish_reason":"tool_calls"`, `"prompt_tokens"`, "data: [DONE]\n\n"} {
		if !strings.Contains(text, piece) {
			t.Errorf("no %s in\n%s", piece, text)
		}
	}
	served := s.Requests()[0]
	if served.Status != http.StatusOK || served.Request.Messages[0].Text != "hi" {
		t.Errorf("recorded %+v", served)
	}
}

func TestStrictServerFailsAsTold(t *testing.T) {
	t.Parallel()
	s := StartStrict(t, Strict{Answer: Fail(&llm.Error{Class: llm.Rate, Status: 429, Text: "slow down", RetryAfter: 7e9})})
	status, header, text := post(t.Context(), t, s, `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`)
	if status != 429 || header.Get("Retry-After") != "7" || !strings.Contains(text, "slow down") {
		t.Errorf("%d %v %s", status, header, text)
	}
}

func TestABriefServerKeepsOnlyWhatBrokeTheRules(t *testing.T) {
	t.Parallel()
	s := StartStrict(t, Strict{Answer: Say("fine"), Brief: true})
	post(t.Context(), t, s, `{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`)
	post(t.Context(), t, s, `{`)
	if err := s.Await(t.Context(), func(c Counts) bool { return c.Begun == 2 && c.Running == 0 }); err != nil {
		t.Fatal(err)
	}
	kept := s.Requests()
	if r := kept[0]; r.Body != nil || r.Header != nil || r.Request.Messages != nil || r.Status != http.StatusOK || r.Ended.IsZero() {
		t.Errorf("of a sound request it kept %+v", r)
	}
	if r := kept[1]; string(r.Body) != "{" || r.Header == nil || r.Violation == "" {
		t.Errorf("of a broken request it kept %+v", r)
	}
}

func TestStrictServerSeesTheClientGo(t *testing.T) {
	t.Parallel()
	s := StartStrict(t, Strict{Answer: HangAfter("wait")})
	ctx, leave := context.WithCancel(t.Context())
	begun, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/chat/completions",
			strings.NewReader(`{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`))
		if err != nil {
			t.Error(err)
			return
		}
		r.Header.Set("Content-Type", "application/json")
		resp, err := new(http.Transport).RoundTrip(r)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		close(begun)
		_, _ = io.Copy(io.Discard, resp.Body) // ends when the client leaves
	}()
	if err := s.Await(t.Context(), func(c Counts) bool { return c.Running == 1 && c.Connections == 1 }); err != nil {
		t.Fatal(err)
	}
	select {
	case <-begun:
	case <-done:
	}
	leave()
	<-done
	if err := s.Await(t.Context(), func(c Counts) bool { return c.Running == 0 && c.Connections == 0 }); err != nil {
		t.Fatal(err)
	}
	if served := s.Requests()[0]; !served.Gone || served.Ended.IsZero() {
		t.Errorf("recorded %+v", served)
	}
}

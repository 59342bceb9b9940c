package chatapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"society-tui/llm"
)

// refusing is an endpoint that refuses requests whose body has a text, in words.
func refusing(t *testing.T, has, says string) *recorder {
	t.Helper()
	return record(t, func(_ int, body string) (int, string) {
		if strings.Contains(body, has) {
			text, _ := json.Marshal(map[string]any{"error": map[string]any{"message": says, "type": "invalid_request_error"}})
			return http.StatusBadRequest, string(text)
		}
		return http.StatusOK, ""
	})
}

func floatOf(n float64) *float64 { return &n }

func withTools(names ...string) llm.Request {
	req := hello()
	for _, name := range names {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: name, Parameters: json.RawMessage(`{"type":"object","properties":{}}`)})
	}
	return req
}

func TestAnOptionThatIsRefusedIsAdaptedOnceRememberedAndShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options   Options
		req       llm.Request
		has, says string
		adapted   string
		last      string // in the requests that follow
	}{
		"temperature": {
			Options{Temperature: floatOf(0.7)},
			hello(), `"temperature"`, "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
			"no_temperature", `"stream":true`,
		},
		"top_p": {Options{Temperature: floatOf(0), TopP: floatOf(0.9)}, hello(), `"top_p"`, "`temperature` and `top_p` cannot both be specified", "no_temperature no_top_p", ""},
		"extra body": {
			Options{Temperature: floatOf(0), ExtraBody: map[string]any{"temperature": 0.7, "seed": 7}},
			hello(), `"temperature"`, "Unsupported value: 'temperature' does not support 0.7 with this model.", "no_temperature", `"seed":7`,
		},
		"top_p of it":   {Options{ExtraBody: map[string]any{"top_p": 0.9}}, hello(), `"top_p"`, "top_p is not supported", "no_top_p", `"stream":true`},
		"effort":        {Options{Effort: "high"}, hello(), `"reasoning_effort"`, "Unrecognized request argument supplied: reasoning_effort", "no_effort", `"stream":true`},
		"no such level": {Options{Effort: "xhigh"}, hello(), `"xhigh"`, "Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model. Supported values are: 'low', 'medium', and 'high'.", "efforts:low, medium, high", `"reasoning_effort":"high"`},
		"level too low": {Options{Effort: "none"}, hello(), `"none"`, "reasoning_effort: Input should be 'low', 'medium' or 'high'", "efforts:low, medium, high", `"reasoning_effort":"low"`},
		"mandatory":     {Options{Effort: "none", Form: FormReasoning}, hello(), `"reasoning"`, "Reasoning is mandatory for this endpoint and cannot be disabled.", "must_think", `"stream":true`},
		"with tools": {
			Options{Effort: "high"},
			withTools("f"), `"reasoning_effort":"high"`, "Function tools with reasoning_effort are not supported for this model in /v1/chat/completions. Please use /v1/responses instead.",
			"tools_no_effort", `"reasoning_effort":"none"`,
		},
		"cache":  {Options{Cache: CacheOn}, hello(), `cache_control`, "Unknown name cache_control", "no_cache", `"content":"hello"`},
		"system": {Options{}, llm.Request{System: "Be brief.", Messages: hello().Messages}, `"system"`, "System role not supported", "no_system", `[{"role":"user","content":"Be brief.\n\nhello"}]`},
		"a tool": {Options{}, withTools("f", "odd", "g"), `"odd"`, "Invalid schema for function 'odd': it is not valid.", "no_tool:odd", `"name":"f"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rec := refusing(t, c.has, c.says)
			kept := map[string][]string{}
			memory := NewMemory(nil, func(name string, adapted []string) { kept[name] = adapted })
			m := open(t, Config{BaseURL: rec.URL, Memory: memory, Options: c.options})
			for range 2 {
				expect(t, sayHi, m.Generate(t.Context(), c.req))
			}
			for _, known := range []*Memory{memory, NewMemory(maps.Clone(kept), func(string, []string) {})} {
				before := len(rec.sent())
				anew := open(t, Config{BaseURL: rec.URL, Memory: known, Options: c.options})
				expect(t, sayHi, anew.Generate(t.Context(), c.req))
				if n := len(rec.sent()) - before; n != 1 || strings.Join(anew.Adapted(), " ") != c.adapted {
					t.Errorf("a model that is made anew asks %d times and has adapted %q", n, anew.Adapted())
				}
			}
			sent := rec.sent()
			last := sent[len(sent)-1]
			if len(sent) > 6 || strings.Contains(last, c.has) || !strings.Contains(last, c.last) {
				t.Errorf("%d requests, the last %s, want in it %s", len(sent), last, c.last)
			}
			if got := strings.Join(m.Adapted(), " "); got != c.adapted {
				t.Errorf("adapted is %q, want %q", got, c.adapted)
			}
			m.ForgetAdapted()
			if got := m.Adapted(); got != nil || len(kept) != 1 || kept[rec.URL+"/v1 "+m.Name()] != nil {
				t.Errorf("after it was forgotten adapted is %q, and %q is kept", got, kept)
			}
			expect(t, sayHi, m.Generate(t.Context(), c.req))
			if again := rec.sent()[len(sent)]; !strings.Contains(again, c.has) {
				t.Errorf("after it was forgotten %s is sent, want in it %s", again, c.has)
			}
		})
	}
}

func TestAnEndpointThatRefusesTheSameForEverIsAskedTwice(t *testing.T) {
	t.Parallel()
	rec := record(t, func(int, string) (int, string) {
		return http.StatusBadRequest, `{"error":{"message":"temperature is not supported"}}`
	})
	m := open(t, Config{BaseURL: rec.URL, Options: Options{ExtraBody: map[string]any{"temperature": 1}}})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	_, failure := listen(t, m.Generate(ctx, hello()))
	if n := len(rec.sent()); failure == nil || failure.Class != llm.Invalid || n != 2 {
		t.Errorf("%d requests: %v", n, failure)
	}
	err := &refusal{failure: &llm.Error{Status: http.StatusBadRequest}, body: "temperature"}
	if m.learned.from(err, quirks{noTemperature: true}, &request{options: []option{{name: temperature}}}) {
		t.Error("a request is sent again though nothing was learned")
	}
}

func TestOfToolsThatAreRefusedThreeAreLeftOut(t *testing.T) {
	t.Parallel()
	rec := record(t, func(nth int, _ string) (int, string) {
		return http.StatusBadRequest, `{"error":{"message":"Invalid schema for function '` + string(rune('a'+nth)) + `'"}}`
	})
	m := open(t, Config{BaseURL: rec.URL})
	if _, failure := listen(t, m.Generate(t.Context(), withTools("a", "b", "c", "d", "e"))); failure == nil || failure.Class != llm.Invalid {
		t.Errorf("got %v", failure)
	}
	if n, got := len(rec.sent()), strings.Join(m.Adapted(), " "); n != 4 || got != "no_tool:a no_tool:b no_tool:c" {
		t.Errorf("%d requests, adapted is %q", n, got)
	}
}

func TestEffortIsSaidInTheFormOfTheEndpoint(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		form         EffortForm
		effort, want string
	}{
		{FormEffort, "high", `"reasoning_effort":"high"`},
		{FormReasoning, "high", `"reasoning":{"effort":"high"}`},
		{FormThinking, "low", `"thinking":{"type":"enabled"}`},
		{FormThinking, "none", `"thinking":{"type":"disabled"}`},
		{FormEnableThinking, "none", `"enable_thinking":false`},
		{FormTemplate, "max", `"chat_template_kwargs":{"enable_thinking":true}`},
		{FormAuto, "minimal", `"reasoning_effort":"minimal"`},
	} {
		rec := record(t, fine)
		m := open(t, Config{BaseURL: rec.URL, Options: Options{Form: c.form, Effort: "medium"}})
		req := hello()
		req.Effort = c.effort // which counts before that of the settings
		expect(t, sayHi, m.Generate(t.Context(), req))
		if sent := rec.sent()[0]; !strings.Contains(sent, c.want) || strings.Contains(sent, "medium") {
			t.Errorf("%s, %s: sent %s, want %s", c.form, c.effort, sent, c.want)
		}
	}
	for host, want := range map[string]EffortForm{"openrouter.ai": FormReasoning, "api.deepseek.com": FormThinking, "api.z.ai": FormThinking, "dashscope.aliyuncs.com": FormEnableThinking, "notz.ai": FormEffort} {
		base, err := parseBaseURL("https://" + host)
		if err != nil || formOf(base) != want {
			t.Errorf("the form of %s is %q, %v; want %q", host, formOf(base), err, want)
		}
	}
}

func TestHeadersQueryAndBodyOfTheSettingsAreSent(t *testing.T) {
	t.Parallel()
	seen := make(chan *http.Request, 1)
	bodies := make(chan string, 1)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen <- r
		bodies <- string(body)
		_, _ = io.WriteString(w, sse(says("hi"), stop))
	})
	m := open(t, Config{BaseURL: server.URL + "/openai/deployments/x", Key: canary, Options: Options{
		KeyHeader: "api-key", Headers: map[string]Key{"X-Title": "my society"}, Query: map[string]Key{"api-version": "2026-01-01"},
		ExtraBody: map[string]any{"seed": 7, "reasoning": map[string]any{"exclude": true}, "temperature": 1}, Temperature: floatOf(0), Effort: "low", Form: FormReasoning,
	}})
	expect(t, sayHi, m.Generate(t.Context(), hello()))
	r := <-seen
	if r.Header.Get("Authorization") != "" || r.Header.Get("Api-Key") != canary || r.Header.Get("X-Title") != "my society" || r.URL.String() != "/openai/deployments/x/chat/completions?api-version=2026-01-01" {
		t.Errorf("sent to %s with %v", r.URL, r.Header)
	}
	var body map[string]any
	if err := json.Unmarshal([]byte(<-bodies), &body); err != nil {
		t.Fatal(err)
	}
	if body["seed"] != 7.0 || body["temperature"] != 1.0 || len(body["reasoning"].(map[string]any)) != 2 {
		t.Errorf("the body is %v", body)
	}
	for _, wrong := range []Options{
		{ExtraBody: map[string]any{"stream": false}},
		{Headers: map[string]Key{"a b": "x"}},
		{Headers: map[string]Key{"Host": "x"}},
		{Headers: map[string]Key{"X": "a\r\nY: b"}},
		{KeyHeader: "a:b"},
		{ExtraBody: map[string]any{"f": func() {}}},
	} {
		if _, err := New(Config{BaseURL: server.URL, Model: "m", Options: wrong}); err == nil {
			t.Errorf("%+v is taken", wrong)
		}
	}
}

// The endpoint repeats what it was sent, in an error and in an answer.
func TestASecretOfAnOptionIsInNoErrorAndNoAnswer(t *testing.T) {
	t.Parallel()
	const secret = "canary+of/a gateway"
	for name, o := range map[string]Options{
		"header": {Headers: map[string]Key{"X-Gateway": secret}},
		"query":  {Query: map[string]Key{"v": secret}},
		"body":   {ExtraBody: map[string]any{"provider": map[string]any{"name": secret}}},
	} {
		o.Secrets = []Key{secret}
		for _, fails := range []bool{true, false} {
			server := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				text, _ := json.Marshal(r.Header.Get("X-Gateway") + " " + r.URL.String() + " " + string(body))
				if fails {
					w.WriteHeader(http.StatusUnauthorized)
					_, _ = io.WriteString(w, `{"error":{"message":`+string(text)+`}}`)
					return
				}
				_, _ = io.WriteString(w, sse(chunk(`{"content":`+string(text)+`}`), stop))
			})
			said := ""
			for c, err := range open(t, Config{BaseURL: server.URL, Options: o}).Generate(t.Context(), hello()) {
				if said += c.Text; err != nil {
					said += llm.AsError(err).Text
				}
			}
			if strings.Contains(said, "canary") || !strings.Contains(said, redacted) {
				t.Errorf("%s, fails %t: it says %s", name, fails, said)
			}
		}
	}
}

func TestSchemasOfForeignToolsAreReduced(t *testing.T) {
	t.Parallel()
	rec := record(t, fine)
	req := hello()
	for name, schema := range map[string]string{
		"none": ``, "empty": `{"type":"object","required":[]}`, "optional": `{"type":"object","properties":{"x":{"type":"string"}}}`,
		"rich": `{"$schema":"x","$defs":{"p":{"type":"object","properties":{"n":{"type":"integer","minimum":1}},"required":["n"]}},"type":"object","additionalProperties":false,
			"properties":{"to":{"anyOf":[{"type":"string"},{"type":"number"}]},"p":{"$ref":"#/$defs/p"},"k":{"type":["string","null"],"const":"v"}},"required":["p"]}`,
	} {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: name, Parameters: json.RawMessage(schema)})
	}
	expect(t, sayHi, open(t, Config{BaseURL: rec.URL}).Generate(t.Context(), req))
	body := rec.sent()[0]
	for _, want := range []string{
		`"name":"none","parameters":{"type":"object","properties":{}}`, `"name":"empty","parameters":{"type":"object","properties":{}}`,
		`"name":"optional","parameters":{"type":"object","properties":{"x":{"type":"string"}},"required":[]}`,
		`"name":"rich","parameters":{"type":"object","properties":{"p":{"type":"object","properties":{"n":{"type":"integer","description":"(minimum 1)"}},"required":["n"]},` +
			`"k":{"type":"string","enum":["v"]},"to":{"type":"string","description":"(JSON: number | string)"}},"required":["p"]}`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("sent %s\nwithout %s", body, want)
		}
	}
}

func TestANameThatNoEndpointTakesIsMappedAndBack(t *testing.T) {
	t.Parallel()
	rec := record(t, func(_ int, body string) (int, string) {
		var sent struct {
			Tools []struct{ Function struct{ Name string } }
		}
		if err := json.Unmarshal([]byte(body), &sent); err != nil {
			t.Error(err)
		}
		return http.StatusOK, sse(calls(piece(0, "a", sent.Tools[0].Function.Name, "{}")), called)
	})
	m := open(t, Config{BaseURL: rec.URL})
	for _, name := range []string{"21st_x", "größe", "a.b", strings.Repeat("x", 80)} {
		req := withTools(name)
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: []llm.Call{{ID: "1", Name: name, Arguments: "{}"}}}, llm.Message{Role: llm.Tool, CallID: "1", Text: "x"})
		expect(t, callsOf(name+"({})#a"), m.Generate(t.Context(), req))
		sent := rec.sent()
		if last, mapped := sent[len(sent)-1], sentName(name); strings.Count(last, `"name":"`+mapped+`"`) != 2 || !isName(mapped) || strings.Contains(last, `"`+name+`"`) {
			t.Errorf("%q is sent as %s", name, last)
		}
	}
	if a, b := sentName("a.b"), sentName("a:b"); a == b {
		t.Errorf("two names are sent as %s", a)
	}
}

func TestNoMoreToolsAreOfferedThanEveryEndpointTakes(t *testing.T) {
	t.Parallel()
	rec := record(t, fine)
	var names []string
	for i := range 200 {
		names = append(names, "t"+strings.Repeat("x", i%60)+string(rune('a'+i/60)))
	}
	expect(t, sayHi, open(t, Config{BaseURL: rec.URL}).Generate(t.Context(), withTools(names...)))
	if n := strings.Count(rec.sent()[0], `"parameters"`); n != llm.MostTools {
		t.Errorf("%d tools are offered", n)
	}
}

func TestPartsForTheCacheAreMarked(t *testing.T) {
	t.Parallel()
	req := withTools("f", "g")
	req.System = "Be brief."
	req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: []llm.Call{{ID: "1", Name: "f", Arguments: "{}"}}},
		llm.Message{Role: llm.Tool, CallID: "1", Text: "x"}, llm.Message{Role: llm.User, Text: "look", Images: []llm.Image{{Type: "image/png", Data: []byte("p")}}})
	const mark = `"cache_control":{"type":"ephemeral"}`
	rec := record(t, fine)
	expect(t, sayHi, open(t, Config{BaseURL: rec.URL, Options: Options{Cache: CacheOn}}).Generate(t.Context(), req))
	body := rec.sent()[0]
	for _, want := range []string{
		`{"role":"system","content":[{"type":"text","text":"Be brief.",` + mark + `}]}`, `"content":"hello"`,
		`{"role":"tool","content":[{"type":"text","text":"x",` + mark + `}],"tool_call_id":`, `"image_url":{"url":"data:image/png;base64,cA=="},` + mark + `}]`,
		`"name":"g","parameters":{"type":"object","properties":{}}},"type":"function",` + mark + `}`,
	} {
		if !strings.Contains(unescapeHTML(body), want) {
			t.Errorf("sent %s\nwithout %s", body, want)
		}
	}
	if n := strings.Count(body, mark); n != 4 || !json.Valid([]byte(body)) {
		t.Errorf("%d marks in %s", n, body)
	}
}

func TestMarksAreForClaudeBehindOpenRouterOrLiteLLM(t *testing.T) {
	t.Parallel()
	bodies := make(chan string, 8)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies <- string(body)
		w.Header().Set("X-Litellm-Version", "1.80")
		_, _ = io.WriteString(w, sse(says("hi"), stop))
	})
	for model, want := range map[string]bool{"anthropic/claude-x": true, "gpt-x": false} {
		m := open(t, Config{BaseURL: server.URL, Model: model})
		for i := range 2 { // the first answer tells what the endpoint is
			expect(t, sayHi, m.Generate(t.Context(), hello()))
			if marked := strings.Contains(<-bodies, cacheControl); marked != (want && i == 1) {
				t.Errorf("request %d of %s is marked: %t", i, model, marked)
			}
		}
	}
	for _, c := range []struct {
		base, model string
		cache       CacheMarks
		want        bool
	}{
		{"https://openrouter.ai/api/v1", "anthropic/claude-x", CacheAuto, true},
		{"https://openrouter.ai/api/v1", "anthropic/claude-x", CacheOff, false},
		{"https://openrouter.ai/api/v1", "openai/gpt-x", CacheAuto, false},
		{"https://api.example.com/v1", "claude-x", CacheAuto, false},
	} {
		if m := open(t, Config{BaseURL: c.base, Model: c.model, Options: Options{Cache: c.cache}}); m.marks(quirks{}) != c.want {
			t.Errorf("%+v is marked: %t", c, !c.want)
		}
	}
}

func TestWhatAnotherModelSignedIsLeftOut(t *testing.T) {
	t.Parallel()
	rec := record(t, func(nth int, _ string) (int, string) {
		if nth > 0 {
			return http.StatusOK, ""
		}
		return http.StatusOK, sse(
			chunk(`{"thinking_blocks":[{"type":"thinking","thinking":"so","signature":"secretly"}]}`),
			calls(`{"index":0,"id":"b","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"secretly"}}}`), called,
		)
	})
	old := open(t, Config{BaseURL: rec.URL, Model: "old"})
	req := hello()
	for c, err := range old.Generate(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Done {
			req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: c.Calls, Extra: c.Extra}, llm.Message{Role: llm.Tool, CallID: c.Calls[0].ID, Text: "1"})
		}
	}
	for _, c := range []struct {
		m    *Model
		want int
	}{{old, 2}, {open(t, Config{BaseURL: rec.URL, Model: "new"}), 0}, {open(t, Config{BaseURL: record(t, fine).URL, Model: "old"}), 0}} {
		expect(t, sayHi, c.m.Generate(t.Context(), req))
		sent := rec.sent()
		if n := strings.Count(sent[len(sent)-1], "secretly"); c.m.base.Host == old.base.Host && n != c.want || strings.Contains(sent[len(sent)-1], originField) {
			t.Errorf("%s is sent %d signatures: %s", c.m.Name(), n, sent[len(sent)-1])
		}
		if from := (origin{id: c.m.origin}); from.isAlien(req.Messages[1].Extra) != (c.want == 0) {
			t.Errorf("%s takes the extra of %s for its own: %t", c.m.base, c.m.Name(), c.want == 0)
		}
	}
}

func TestPlainHTTPIsAllowedWhereNothingIsRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		base         string
		key          Key
		plain        bool
		asks, checks bool
	}{
		{"http://127.0.0.1:1", canary, false, false, false},
		{"http://192.168.1.5", "", false, false, false},
		{"http://192.168.1.5", canary, false, true, false},
		{"http://192.168.1.5", canary, true, false, false},
		{"http://100.64.1.5", canary, true, false, false},
		{"http://203.0.113.5", "", false, true, false},
		{"http://203.0.113.5", "", true, false, false},
		{"http://box.lan", "", false, false, true},
		{"http://box.lan", "", true, false, false},
		{"http://box.lan", canary, false, true, false},
		{"http://box.lan", canary, true, false, true},
		{"https://example.com", canary, false, false, false},
	} {
		config := Config{BaseURL: c.base, Key: c.key, Options: Options{PlainHTTP: c.plain}}
		base, err := parseBaseURL(c.base)
		if err != nil {
			t.Fatal(err)
		}
		dial, err := config.reach(base)
		if errors.Is(err, ErrPlainHTTP) != c.asks || dial.isChecked() != c.checks {
			t.Errorf("%s with a key %t, plain_http %t: %v, checked %t", c.base, c.key != "", c.plain, err, dial.isChecked())
		}
	}
}

// names is a resolver for which every name stands for an address.
func names(t *testing.T, address [4]byte) *net.Resolver {
	t.Helper()
	answer := func(packed []byte) []byte {
		var m dnsmessage.Message
		if err := m.Unpack(packed); err != nil {
			return nil
		}
		m.Response = true
		if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
			m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 1}, Body: &dnsmessage.AResource{A: address}}}
		}
		m.Additionals = nil
		out, err := m.Pack()
		if err != nil {
			t.Error(err)
		}
		return out
	}
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		buf := make([]byte, 4096)
		for {
			n, from, err := server.ReadFrom(buf)
			if err != nil {
				return
			}
			_, _ = server.WriteTo(answer(buf[:n]), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

func TestANameIsRefusedWhenItStandsForAPublicAddress(t *testing.T) {
	t.Parallel()
	rec := record(t, fine)
	_, port, err := net.SplitHostPort(rec.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	lan := open(t, Config{BaseURL: "http://box.test:" + port, Key: canary, Options: Options{PlainHTTP: true}, resolver: names(t, [4]byte{127, 0, 0, 1})})
	expect(t, sayHi, lan.Generate(t.Context(), hello()))
	for key, want := range map[Key]string{canary: ErrPublicHTTP.Error(), "": ErrPlainHTTP.Error()} {
		public := open(t, Config{BaseURL: "http://box.test:" + port, Key: key, Options: Options{PlainHTTP: key != ""}, resolver: names(t, [4]byte{203, 0, 113, 5})})
		expect(t, outcome{class: llm.Invalid, says: want}, public.Generate(t.Context(), hello()))
	}
	if n := len(rec.sent()); n != 1 {
		t.Errorf("%d requests arrived", n)
	}
}

func TestARedirectGetsNoKeyAndNoHeaders(t *testing.T) {
	t.Parallel()
	away := record(t, fine)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, away.URL, http.StatusTemporaryRedirect)
	})
	m := open(t, Config{BaseURL: server.URL, Key: canary, Options: Options{KeyHeader: "api-key", Headers: map[string]Key{"X-Token": canary}}})
	expect(t, outcome{class: llm.NotChat, says: "redirects"}, m.Generate(t.Context(), hello()))
	if n := len(away.sent()); n != 0 {
		t.Errorf("%d requests followed the redirect", n)
	}
}

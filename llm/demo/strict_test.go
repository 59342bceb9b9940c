package demo_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"society-tui/llm/demo"
)

// A whole answer.
type answer struct {
	Choices []struct {
		Message struct {
			Content   string
			ToolCalls []struct {
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		FinishReason string `json:"finish_reason"`
	}
}

// answered returns the answer to a request, which must be one.
func answered(t *testing.T, body string) answer {
	t.Helper()
	w := post(t, demo.Handler(demo.Config{}), body)
	var a answer
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != http.StatusOK || len(a.Choices) != 1 {
		t.Fatalf("%s: %d %s, %v", body, w.Code, w.Body, err)
	}
	return a
}

const (
	twoTools = `"tools":[{"type":"function","function":{"name":"weather","parameters":{"type":"object","properties":{
		"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]},"days":{"type":"array","items":{"type":"integer"}}},"required":["city"]}}},
		{"type":"function","function":{"name":"time","parameters":{"type":"object","properties":{}}}}]`
	question = `"messages":[{"role":"user","content":"How is it in Rome?"}]`
)

func TestAnswerHasTheCallsThatAreWishedFor(t *testing.T) {
	t.Parallel()
	for choice, want := range map[string]string{
		`"none"`: "", `"auto"`: "", `null`: "", `"required"`: "weather", `{"type":"function","function":{"name":"time"}}`: "time",
	} {
		a := answered(t, `{"model":"m",`+question+`,`+twoTools+`,"tool_choice":`+choice+`}`)
		got, finish := "", "stop"
		if calls := a.Choices[0].Message.ToolCalls; len(calls) > 0 {
			got, finish = calls[0].Function.Name, "tool_calls"
		}
		if got != want || a.Choices[0].FinishReason != finish || (a.Choices[0].Message.Content == "") != (want != "") {
			t.Errorf("tool_choice %s: %+v, want a call of %q", choice, a, want)
		}
	}
	asks := strings.Replace(question, "How is it in Rome?", `Call the tool \"time\" now.`, 1)
	if a := answered(t, `{"model":"m",`+asks+`,`+twoTools+`}`); len(a.Choices[0].Message.ToolCalls) != 1 || a.Choices[0].Message.ToolCalls[0].Function.Name != "time" {
		t.Errorf("a tool that the text asks for is not called: %+v", a)
	}
	var arguments struct {
		City, Unit string
		Days       []int
	}
	a := answered(t, `{"model":"m",`+question+`,`+twoTools+`,"tool_choice":"required"}`)
	if err := json.Unmarshal([]byte(a.Choices[0].Message.ToolCalls[0].Function.Arguments), &arguments); err != nil || arguments.City == "" || arguments.Unit != "c" || len(arguments.Days) != 1 {
		t.Errorf("the arguments are %+v, %v", arguments, err)
	}
}

func TestAnswerHasTheFormatThatIsWishedFor(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{
		`{"type":"json_object"}`: `answer`,
		`{"type":"json_schema","json_schema":{"name":"s","strict":true,"schema":{"type":"object","properties":{"title":{"type":"string"},"n":{"type":"integer","minimum":3},
			"kind":{"enum":["a","b"]},"sub":{"$ref":"#/$defs/sub"},"maybe":{"anyOf":[{"type":"null"},{"type":"string"}]}},"required":["title"],"additionalProperties":false,
			"$defs":{"sub":{"type":"object","properties":{"again":{"$ref":"#/$defs/sub"},"ok":{"type":["boolean","null"]}},"required":["ok"]}}}}}`: `title n kind sub`,
		`{"type":"json_schema","json_schema":{"name":"s","schema":{"$ref":"#"}}}`: ``,
	} {
		a := answered(t, `{"model":"m",`+question+`,"response_format":`+format+`}`)
		var object map[string]any
		if err := json.Unmarshal([]byte(a.Choices[0].Message.Content), &object); err != nil {
			t.Errorf("%s: %s: %v", format, a.Choices[0].Message.Content, err)
		}
		for _, name := range strings.Fields(want) {
			if object[name] == nil {
				t.Errorf("%s: %v has no %s", format, object, name)
			}
		}
	}
	if a := answered(t, `{"model":"m",`+question+`,"response_format":{"type":"text"}}`); strings.HasPrefix(a.Choices[0].Message.Content, "{") {
		t.Errorf("the text is %s", a.Choices[0].Message.Content)
	}
}

func TestWhatAnyEndpointRefusesIsRefused(t *testing.T) {
	t.Parallel()
	call := func(id, arguments string) string {
		return `{"role":"assistant","content":null,"tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"time","arguments":"` + arguments + `"}}]}`
	}
	said := func(messages ...string) string { return `"messages":[` + strings.Join(messages, ",") + `]` }
	const hello, result = `{"role":"user","content":"hello"}`, `{"role":"tool","tool_call_id":"1","content":"noon"}`
	schema := func(s string) string {
		return question + `,"tools":[{"type":"function","function":{"name":"f","parameters":` + s + `}}]`
	}
	for body, want := range map[string]string{
		said(hello, call("1", "{}")):                                                             "no answer",
		said(hello, call("1", "{}"), hello):                                                      "no answer",
		said(hello, result):                                                                      "no call",
		said(hello, call("1", "{}"), result, result):                                             "again",
		said(hello, call("1", "{}"), result, call("1", "{}"), result):                            "earlier call",
		said(hello, call("1", "{"), result):                                                      "not a JSON object",
		said(hello, call(strings.Repeat("1", 65), "{}"), result):                                 "longer than 64",
		said(`{"role":"user","content":""}`):                                                     "empty",
		said(`{"role":"robot","content":"x"}`):                                                   "unknown role",
		schema(`{"type":"object","properties":{},"$schema":"x"}`):                                "unknown field",
		schema(`{"type":"object","properties":{"a":{"anyOf":[]}}}`):                              "unknown field",
		schema(`{"type":"object","properties":{"a":{"type":"string"}}}`):                         "required",
		question + `,"tools":[]`:                                                                 "empty array",
		question + `,"tool_choice":"auto"`:                                                       "when tools",
		question + `,` + twoTools + `,"tool_choice":"perhaps"`:                                   "unknown word",
		question + `,` + twoTools + `,"tool_choice":{"type":"function","function":{"name":"x"}}`: "not offered",
		question + `,` + twoTools + `,"tool_choice":7`:                                           "neither",
		question + `,"response_format":{"type":"xml"}`:                                           "unknown type",
		question + `,"response_format":{"type":"json_schema"}`:                                   "lacks",
		question + `,"response_format":"json"`:                                                   "response_format",
	} {
		w := post(t, demo.Handler(demo.Config{}), `{"model":"m",`+body+`}`)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) || !strings.Contains(w.Body.String(), "invalid_request_error") {
			t.Errorf("%s: %d %s, want %q", body, w.Code, w.Body, want)
		}
	}
	for _, body := range []string{
		said(hello, call("1", "{}"), result), said(`{"role":"developer","content":"x"}`, hello),
		said(`{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]}`),
	} {
		answered(t, `{"model":"m",`+body+`}`)
	}
}

func TestModelsAreListedAndFoundByTheirID(t *testing.T) {
	t.Parallel()
	h := demo.Handler(demo.Config{Window: 4096})
	for path, want := range map[string]struct {
		status int
		text   string
	}{
		"/v1/models": {200, `"context_window":4096`}, "/v1/models/" + demo.ID: {200, `"context_window":4096`}, "/v1/models/other/one": {404, "model_not_found"},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		if w.Code != want.status || !strings.Contains(w.Body.String(), want.text) {
			t.Errorf("GET %s = %d %s", path, w.Code, w.Body)
		}
	}
}

func TestKeyIsDemandedOfEachRequest(t *testing.T) {
	t.Parallel()
	h := demo.Handler(demo.Config{Key: "sk-right"})
	for _, c := range []struct {
		header, value string
		status        int
	}{
		{"Authorization", "Bearer sk-right", 200}, {"Api-Key", "sk-right", 200}, {"Authorization", "Bearer sk-wrong", 401}, {"Authorization", "", 401}, {"Api-Key", "", 401},
	} {
		for _, path := range []string{"/v1/models", "/v1/models/" + demo.ID} {
			w := httptest.NewRecorder()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
			r.Header.Set(c.header, c.value)
			if h.ServeHTTP(w, r); w.Code != c.status || (c.status == 401) != strings.Contains(w.Body.String(), "invalid_api_key") {
				t.Errorf("%s with %s %q: %d %s, want %d", path, c.header, c.value, w.Code, w.Body, c.status)
			}
		}
	}
	if w := post(t, h, `{"model":"m",`+question+`}`); w.Code != 401 {
		t.Errorf("a question without a key: %d", w.Code)
	}
}

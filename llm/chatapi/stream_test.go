package chatapi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"society-tui/llm"
)

// A row is something that endpoints send, and what is to be made of it
// (WIRE.md 1; the numbers are its rows).
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

func TestStreamsAreMended(t *testing.T) {
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
		got.finish, got.usage, got.extra = c.Finish, c.Usage, string(c.Extra)
		for _, call := range c.Calls {
			got.calls = append(got.calls, fmt.Sprintf("%s(%s)#%s", call.Name, call.Arguments, call.ProviderID))
			got.callExtra += string(call.Extra)
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

func callsOf(list ...string) outcome { return outcome{calls: list, finish: llm.FinishStop} }

func callRows() []row {
	return []row{
		{name: "1 deltas by index, interleaved", body: sse(
			calls(piece(0, "a", "f", ""), piece(1, "b", "g", "")), calls(piece(0, "", "", `{"x":`)), calls(piece(1, "", "", `{"y":`)),
			calls(piece(0, "", "", `1}`)), calls(piece(1, "", "", `2}`)), called,
		), want: callsOf(`f({"x":1})#a`, `g({"y":2})#b`)},
		{name: "2 no index, ids", body: sse(
			calls(`{"id":"a","function":{"name":"f","arguments":"{}"}}`), calls(`{"id":"b","function":{"name":"g","arguments":"{"}}`),
			calls(`{"function":{"arguments":"}"}}`), called,
		), want: callsOf(`f({})#a`, `g({})#b`)},
		{name: "2 null index, no ids", body: sse(
			calls(`{"index":null,"function":{"name":"f","arguments":"{}"}}`, `{"index":null,"function":{"name":"f","arguments":"{}"}}`), called,
		), want: callsOf(`f({})#`, `f({})#`)},
		{name: "3 every index 0", body: sse(
			calls(piece(0, "a", "f", `{"x":1}`)), calls(piece(0, "b", "g", `{"y"`)), calls(piece(0, "", "", `:2}`)), calls(piece(0, "c", "f", ``)), called,
		), want: callsOf(`f({"x":1})#a`, `g({"y":2})#b`, `f({})#c`)},
		{name: "3 every index 0 and no ids", body: sse(
			calls(piece(0, "", "f", `{"x":1}`)), calls(piece(0, "", "f", `{"x":2}`)), calls(piece(0, "", "g", ``)), called,
		), want: callsOf(`f({"x":1})#`, `f({"x":2})#`, `g({})#`)},
		{name: "4 strange indexes", body: sse(
			calls(piece(7, "a", "f", `{"x"`), piece(-3, "b", "g", ``), piece(2000000000, "c", "h", ``)),
			calls(piece(-3, "", "", `{}`)), calls(piece(7, "", "", `:1}`)), called,
		), want: callsOf(`f({"x":1})#a`, `g({})#b`, `h({})#c`)},
		{name: "5 types mixed up", body: sse(
			`{"id":5,"created":1.5,"model":null,"choices":[{"index":"0","delta":{"tool_calls":[{"index":"1","id":17,"function":{"name":"f","arguments":"{}"}}]}}]}`,
			calls(`{"index":"2","id":18,"function":{"name":"g","arguments":""}}`), called,
		), want: callsOf(`f({})#17`, `g({})#18`)},
		{name: "6 no id", body: sse(calls(`{"index":0,"id":"","function":{"name":"f","arguments":"{}"}}`), called), want: callsOf(`f({})#`)},
		{name: "6 no name", body: sse(calls(`{"index":0,"id":"a","function":{"name":"","arguments":"{}"}}`), called), want: callsOf(`({})#a`)},
		{name: "6 a ghost beside a call", body: sse(
			calls(piece(0, "a", "f", "{}")), calls(`{"index":1,"id":"","function":{"name":"","arguments":""}}`), calls(`{}`, `null`), called,
		), want: callsOf(`f({})#a`)},
		{name: "6 a ghost alone", body: sse(calls(`{"index":0,"function":{"arguments":""}}`), called), want: nothing},
		{name: "7 an id twice by index", body: sse(
			calls(piece(0, "functions.add:0", "add", `{"a":1}`)), calls(piece(1, "functions.add:0", "add", ``)), calls(piece(1, "", "", `{"a":2}`)), called,
		), want: callsOf(`add({"a":1})#functions.add:0`, `add({"a":2})#functions.add:0`)},
		{name: "7 an id twice in one chunk", body: sse(
			calls(piece(0, "x:0", "add", `{"a":1}`), piece(0, "x:0", "add", `{"a":2}`)), called,
		), want: callsOf(`add({"a":1})#x:0`, `add({"a":2})#x:0`)},
		{name: "7 the id in each piece", body: sse(
			calls(piece(0, "a", "f", `{"x"`)), calls(piece(0, "a", "", `:1`)), calls(piece(0, "a", "", `}`)), called,
		), want: callsOf(`f({"x":1})#a`)},
		{name: "7 another id in each piece", body: sse(
			calls(piece(0, "a", "f", `{"x"`)), calls(piece(0, "b", "", `:1`)), calls(piece(0, "c", "", `}`)), called,
		), want: callsOf(`f({"x":1})#a`)},
		{name: "7 the id late", body: sse(
			calls(piece(0, "", "f", ``)), calls(piece(0, "a", "", `{"x":1}`)), called,
		), want: callsOf(`f({"x":1})#a`)},
		{name: "9 a call in single bytes", body: sse(append(
			append([]string{calls(piece(0, "a", "f", ""))}, bytewise(`{"x":"ü"}`)...), called)...,
		), want: callsOf(`f({"x":"ü"})#a`)},
		{name: "9 a call in one chunk, with its end", body: sse(
			`{"choices":[{"index":0,"delta":{"tool_calls":[` + piece(0, "a", "f", `{"x":1}`) + `]},"finish_reason":"tool_calls"}]}`,
		), want: callsOf(`f({"x":1})#a`)},
		{name: "10 no arguments", body: sse(
			calls(`{"index":0,"id":"a","function":{"name":"f","arguments":null}}`, `{"index":1,"id":"b","function":{"name":"f","arguments":""}}`,
				`{"index":2,"id":"c","function":{"name":"f"}}`, `{"index":3,"id":"d","function":{"name":"f","arguments":"null"}}`), called,
		), want: callsOf(`f({})#a`, `f({})#b`, `f({})#c`, `f({})#d`)},
		{
			name: "11 arguments that are no JSON", body: sse(calls(piece(0, "a", "f", `{"x":`), piece(1, "b", "f", `{}{}`), piece(2, "c", "f", `[]`)), called),
			want: callsOf(`f({"x":)#a`, `f({}{})#b`, `f([])#c`),
		},
		{
			name: "11 arguments as an object", body: sse(calls(`{"index":0,"id":"a","function":{"name":"f","arguments":{"x":[1,"}"]}}}`), called),
			want: callsOf(`f({"x":[1,"}"]})#a`),
		},
		{name: "11 arguments encoded twice", body: sse(calls(piece(0, "a", "f", `"{\"x\":1}"`)), called), want: callsOf(`f({"x":1})#a`)},
		{name: "12 the name in each piece", body: sse(
			calls(piece(0, "a", "f", `{"x"`)), calls(piece(0, "", "f", `:1`)), calls(piece(0, "a", "f", `}`)), called,
		), want: callsOf(`f({"x":1})#a`)},
		{name: "13 text before and with calls", body: sse(
			says("let me "), chunk(`{"content":"see","tool_calls":[`+piece(0, "a", "f", "{}")+`]}`), chunk(`{"content":null,"tool_calls":null}`), called,
		), want: outcome{text: "let me see", calls: []string{`f({})#a`}, finish: llm.FinishStop}},
		{name: "17 a thought signature with a call", body: sse(
			calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s1"}}}`), called,
		), want: outcome{calls: []string{`f({})#a`}, finish: llm.FinishStop, callExtra: `{"extra_content":{"google":{"thought_signature":"s1"}}}`}},
		{name: "17 a thought signature after the call", body: sse(
			calls(piece(0, "a", "f", `{}`)), calls(`{"extra_content":{"google":{"thought_signature":"s1"}}}`), called,
		), want: outcome{calls: []string{`f({})#a`}, finish: llm.FinishStop, callExtra: `{"extra_content":{"google":{"thought_signature":"s1"}}}`}},
		{name: "17 a thought signature of its own", body: sse(
			says("hi"), chunk(`{"extra_content":{"google":{"thought_signature":"s1"}}}`), stop,
		), want: outcome{text: "hi", finish: llm.FinishStop, extra: `{"extra_content":{"google":{"thought_signature":"s1"}}}`}},
		{name: "22 stop although tools were called", body: sse(calls(piece(0, "a", "f", `{}`)), stop), want: callsOf(`f({})#a`)},
		{name: "23 length in the middle of arguments", body: sse(
			calls(piece(0, "a", "f", `{"x":`)), `{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}`,
		), want: outcome{calls: []string{`f({"x":)#a`}, finish: llm.FinishLength}},
		{name: "24 filtered in a call", body: sse(
			says("hm"), calls(piece(0, "a", "f", `{"x":`)), `{"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}`,
		), want: outcome{text: "hm", finish: llm.FinishFilter}},
		{name: "30 cut in a call", body: frames(calls(piece(0, "a", "f", `{}`))), want: outcome{class: llm.Overload, truncated: true}},
		{name: "42 function_call", body: sse(
			chunk(`{"function_call":{"name":"f","arguments":"{\"x\""}}`), chunk(`{"function_call":{"arguments":":1}"}}`),
			`{"choices":[{"index":0,"delta":{},"finish_reason":"function_call"}]}`,
		), want: callsOf(`f({"x":1})#`)},
	}
}

// bytewise is arguments in single bytes, of which some are no UTF-8 by
// themselves and therefore escaped.
func bytewise(args string) []string {
	var all []string
	for _, r := range args {
		all = append(all, calls(piece(0, "", "", string(r))))
	}
	return all
}

func textRows() []row {
	hi := func(c ...string) string { return sse(append(c, stop)...) }
	return []row{
		{name: "14 content in parts", body: hi(chunk(
			`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"so"}]},{"type":"text","text":"h"},{"type":"reference","reference_ids":[1]},{"type":"text","text":"i"}]}`,
		)), want: outcome{text: "hi", reasoning: "so", finish: llm.FinishStop}},
		{
			name: "15 reasoning_content", body: hi(chunk(`{"content":"","reasoning_content":"so"}`), says("hi")),
			want: outcome{text: "hi", reasoning: "so", finish: llm.FinishStop},
		},
		{
			name: "16 reasoning", body: hi(chunk(`{"reasoning":"so","reasoning_content":"","provider_metadata":{"x":1}}`), says("hi")),
			want: outcome{text: "hi", reasoning: "so", finish: llm.FinishStop},
		},
		{
			name: "16 reasoning twice", body: hi(chunk(`{"reasoning":"so","reasoning_content":"so"}`), says("hi")),
			want: outcome{text: "hi", reasoning: "so", finish: llm.FinishStop},
		},
		{name: "16 reasoning_details in pieces", body: hi(
			chunk(`{"reasoning":"s","reasoning_details":[{"type":"reasoning.text","text":"s","index":0,"format":"x","signature":null}]}`),
			chunk(`{"reasoning":"o","reasoning_details":[{"type":"reasoning.text","text":"o","index":0}]}`),
			chunk(`{"reasoning_details":[{"type":"reasoning.text","signature":"sig","index":0},{"type":"reasoning.encrypted","data":"zz","id":"r","index":1}]}`),
			says("hi"),
		), want: outcome{text: "hi", reasoning: "so", finish: llm.FinishStop, extra: `{"reasoning_details":[` +
			`{"format":"x","index":0,"signature":"sig","text":"so","type":"reasoning.text"},{"data":"zz","id":"r","index":1,"type":"reasoning.encrypted"}]}`}},
		{
			name: "16 reasoning_details alone", body: hi(chunk(`{"reasoning_details":[{"type":"reasoning.summary","summary":"so"}]}`), says("hi")),
			want: outcome{text: "hi", reasoning: "so", finish: llm.FinishStop, extra: `{"reasoning_details":[{"summary":"so","type":"reasoning.summary"}]}`},
		},
		{
			name: "18 usage without choices", body: sse(says("hi"), stop, `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":3}}}`),
			want: outcome{text: "hi", finish: llm.FinishStop, usage: llm.Usage{InputTokens: 7, OutputTokens: 2, CachedTokens: 3}},
		},
		{
			name: "19 usage in floats and elsewhere", body: sse(says("hi"),
				`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":7.0,"completion_tokens":"2","cost":0.01,"queue_time":1.5,"prompt_cache_hit_tokens":3}}`),
			want: outcome{text: "hi", finish: llm.FinishStop, usage: llm.Usage{InputTokens: 7, OutputTokens: 2, CachedTokens: 3}},
		},
		{
			name: "19 usage of a choice, mad counts", body: sse(says("hi"),
				`{"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":-7,"completion_tokens":1e300,"cached_tokens":5}}]}`),
			want: sayHi,
		},
		{
			name: "19 usage of groq", body: sse(says("hi"), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"x_groq":{"id":"r","usage":{"prompt_tokens":7,"completion_tokens":2}}}`),
			want: outcome{text: "hi", finish: llm.FinishStop, usage: llm.Usage{InputTokens: 7, OutputTokens: 2}},
		},
		{name: "20 azure begins without choices, ids change", body: sse(
			`{"id":"","object":"","created":0,"model":"","choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}`,
			`{"id":"one","choices":[{"index":0,"delta":{"content":"h"}}]}`, `{"id":"two","choices":[{"index":0,"delta":{"content":"i"}}]}`, stop,
		), want: sayHi},
		{
			name: "21 the first reason to end wins", body: sse(says("hi"), `{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}`, stop),
			want: outcome{text: "hi", finish: llm.FinishLength},
		},
		{name: "22 end_turn", body: sse(says("hi"), `{"choices":[{"index":0,"delta":{},"finish_reason":"end_turn"}]}`), want: sayHi},
		{name: "22 a number", body: sse(says("hi"), `{"choices":[{"index":0,"delta":{},"finish_reason":1}]}`), want: sayHi},
		{name: "22 empty at the end", body: sse(`{"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":""}]}`), want: sayHi},
		{
			name: "24 content_filter", body: sse(says("hi"), `{"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}`),
			want: outcome{text: "hi", finish: llm.FinishFilter},
		},
		{name: "24 content_filter without text", body: sse(`{"choices":[{"index":0,"delta":{},"finish_reason":"SAFETY"}]}`), want: outcome{finish: llm.FinishFilter}},
		{name: "24 refusal", body: sse(chunk(`{"refusal":"I will "}`), chunk(`{"refusal":"not"}`), stop), want: outcome{text: "I will not", finish: llm.FinishRefusal}},
		{name: "37 message instead of delta", body: sse(`{"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}`), want: sayHi},
		{name: "37 message after the deltas", body: sse(says("hi"), `{"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}`), want: sayHi},
		{
			name: "41 a surrogate pair split over chunks", body: sse(chunk(`{"content":"h\ud83d"}`), chunk(`{"content":""}`), chunk(`{"content":"\ude00i"}`), stop),
			want: outcome{text: "h😀i", finish: llm.FinishStop},
		},
		{name: "41 a surrogate pair split in arguments", body: sse(
			calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":\"\ud83d"}}`), calls(`{"index":0,"function":{"arguments":"\ude00\"}"}}`), called,
		), want: callsOf(`f({"x":"😀"})#a`)},
		{
			name: "41 half a pair, and a backslash that is none", body: sse(chunk(`{"content":"\ud83d"}`), chunk(`{"content":"h\\ud83d"}`), chunk(`{"content":"i"}`), stop),
			want: outcome{text: "\ufffdh\\ud83di", finish: llm.FinishStop},
		},
		{name: "41 invalid UTF-8", body: sse("{\"choices\":[{\"delta\":{\"content\":\"h\xff\xc3i\"}}]}", stop), want: outcome{text: "h\ufffd\ufffdi", finish: llm.FinishStop}},
		{
			name: "41 escapes and control bytes that JSON has not", body: sse("{\"choices\":[{\"delta\":{\"content\":\"h\\x\\u12\ti\"}}]}", stop),
			want: outcome{text: "h\\x\ufffd12\ti", finish: llm.FinishStop},
		},
		{name: "42 another role, other choices, much nesting", body: sse(
			`{"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"role":"narrator","content":"h"}},{"index":2,"delta":{"content":"no"}}]}`,
			`{"choices":[{"index":0,"delta":{"content":"i"}}],"deep":`+strings.Repeat("[", 20000)+strings.Repeat("]", 20000)+`}`, stop,
		), want: sayHi},
		{name: "42 keys that are escaped, double or unknown", body: sse(`{"ch\u006fices":[{"delta":{"content":"x","content":"hi","contents":"y"}}]}`, stop), want: sayHi},
		{name: "42 data after the end", body: sse(says("hi"), stop) + frames(says("more")), want: sayHi},
	}
}

func endRows() []row {
	return []row{
		{name: "29 no [DONE]", body: frames(says("hi"), stop), want: sayHi},
		{name: "29 reset after the reason to end", body: frames(says("hi"), stop), cut: true, want: sayHi},
		{name: "30 no reason to end", body: frames(says("hi")), want: cutHi},
		{name: "30 no reason to end, but [DONE]", body: sse(says("hi")), want: cutHi},
		{name: "30 nothing but the role", body: frames(chunk(`{"role":"assistant","content":""}`)), want: outcome{class: llm.Overload}},
		{name: "30 empty reasons in all chunks", body: frames(`{"choices":[{"delta":{"content":"hi"},"finish_reason":""}]}`), want: cutHi},
		{name: "31 half a line", body: frames(says("hi")) + `data: {"choices":[{"index":0,"delta":{"con`, want: cutHi},
		{name: "31 the last line has no end", body: frames(says("hi")) + `data: ` + stop, want: sayHi},
		{name: "31 [DONE] has no end", body: frames(says("hi"), stop) + `data: [DONE]`, want: sayHi},
		{name: "32 reset", body: frames(says("hi")), cut: true, want: cutHi},
		{name: "32 reset in a line", body: frames(says("hi")) + `data: {"cho`, cut: true, want: cutHi},
		{name: "38 [DONE] only", body: done, want: nothing},
		{name: "38 a reason to end only", body: sse(chunk(`{"role":"assistant"}`), stop), want: nothing},
		{name: "38 space only", body: sse(says("\n "), stop), want: outcome{text: "\n ", class: llm.Empty}},
		{name: "38 thoughts only", body: sse(chunk(`{"reasoning_content":"so"}`), stop), want: outcome{reasoning: "so", class: llm.Empty, says: "thought"}},
	}
}

func errorRows() []row {
	failed := func(body string, class llm.Class, says string) row {
		return row{body: body, want: outcome{class: class, says: says}}
	}
	hi := frames(says("hi"))
	rows := []row{
		failed(frames(`{"error":{"message":"overloaded","type":"server_error","code":500}}`), llm.Overload, "overloaded"),
		failed(frames(`{ "error": {"message":"overloaded"}}`), llm.Overload, "overloaded"),
		failed(frames(`{"id":"x","choices":[],"error":{"message":"overloaded","code":502}}`), llm.Overload, "overloaded"),
		failed(frames(`{"object":"error","message":"overloaded","code":503}`), llm.Overload, "overloaded"),
		failed(frames(`{"type":"error","error":{"type":"overloaded_error","message":"overloaded"}}`), llm.Overload, "overloaded"),
		failed(frames(`{"error":"overloaded"}`), llm.Overload, "overloaded"),
		failed(frames(`{"error":{"code":"boom"}}`), llm.Overload, "does not say which"),
		failed(frames(`{"detail":"overloaded"}`), llm.Overload, "overloaded"),
		failed(frames(`{"errors":[{"message":"overloaded"}]}`), llm.Overload, "overloaded"),
		failed(frames(`{"code":"InvalidApiKey","message":"overloaded"}`), llm.Overload, "overloaded"),
		failed(`data: {"error":{"message":"overloaded"}}`, llm.Overload, "overloaded"),
		failed(`{"error":{"message":"overloaded"}}`, llm.Overload, "overloaded"),
		failed("{\n \"error\": {\n  \"message\": \"overloaded\"\n }\n}\n", llm.Overload, "overloaded"),
		failed(`[{"error":{"message":"overloaded"}}]`, llm.Overload, "overloaded"),
		failed(`error: {"message":"overloaded"}`+"\n\n", llm.Overload, "overloaded"),
		failed("error: overloaded\n\n", llm.Overload, "overloaded"),
		failed("event: error\ndata: {\"message\":\"overloaded\"}\n\n", llm.Overload, "overloaded"),
		failed("event: error\ndata: overloaded\n\n", llm.Overload, "overloaded"),
		failed(": ping\n\nevent: x\nid: 1\nretry: 5\ndata: {\"error\":{\"message\":\"overloaded\"}}\n\n", llm.Overload, "overloaded"),
		failed(frames(`{"choices":[{"index":0,"delta":{},"error":{"message":"overloaded","code":502},"finish_reason":"error"}]}`), llm.Overload, "overloaded"),
		failed(frames(`{"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}`), llm.Overload, "error"),
		failed(frames(`{"error":{"message":"slow down","code":429}}`), llm.Rate, "slow down"),
		failed(frames(`{"error":{"message":"slow down","type":"rate_limit_error"}}`), llm.Rate, "slow down"),
		failed(frames(`{"error":{"message":"pay","code":"insufficient_quota"}}`), llm.Quota, "pay"),
		failed(frames(`{"error":{"message":"who?","code":"invalid_api_key"}}`), llm.Auth, "who?"),
		failed(frames(`{"error":{"message":"what?","type":"invalid_request_error"}}`), llm.Invalid, "what?"),
		failed(frames(`{"error":{"message":"Context size has been exceeded.","code":500}}`), llm.Context, "Context"),
	}
	for i := range rows {
		rows[i].name = fmt.Sprintf("27-28 error %d", i)
	}
	after := []row{
		{name: "28 error after text", body: hi + frames(`{"error":{"message":"overloaded"}}`), want: outcome{text: "hi", class: llm.Overload, truncated: true, says: "overloaded"}},
		{name: "28 error after text and a comment", body: hi + ": c\n\n" + frames(`{ "error":"overloaded"}`), want: outcome{text: "hi", class: llm.Overload, truncated: true, says: "overloaded"}},
		{name: "28 no error", body: sse(`{"error":null,"choices":[{"delta":{"content":"hi"},"error":null}]}`, stop), want: sayHi},
		{name: "28 unreadable", body: hi + frames(`{"choices":[{"delta" "x"}]}`, stop), want: cutHi},
		{name: "28 text for data", body: hi + frames(`Bad gateway`), want: cutHi},
	}
	return append(rows, after...)
}

func frameRows() []row {
	body := sse(says("h"), says("i"), stop)
	return []row{
		{name: "25 300 comments", body: strings.Repeat(": OPENROUTER PROCESSING\n\n", 400) + body, want: sayHi},
		{name: "25 comments between", body: strings.ReplaceAll(body, "\n\n", "\n\n: c\n:\n\n"), want: sayHi},
		{name: "26 comments sent as data, empty data", body: "data: : OPENROUTER PROCESSING\n\ndata:\n\ndata: \n\ndata: null\n\n" + body + "data:\n\n", want: sayHi},
		{name: "27 other fields", body: "event: message\nid: 7\nretry: 100\nunknown\n" + body, want: sayHi},
		{name: "27 pings", body: "event: ping\ndata: {\"type\":\"ping\"}\n\nevent: ping\ndata: still here\n\n" + body, want: sayHi},
		{name: "39 CRLF", body: strings.ReplaceAll(body, "\n", "\r\n"), want: sayHi},
		{name: "39 CR", body: strings.ReplaceAll(body, "\n", "\r"), want: sayHi},
		{name: "39 BOM", body: "\ufeff" + body, want: sayHi},
		{name: "39 data in many lines", body: "data: {\"choices\":\ndata:  [{\"delta\":\ndata: {\"content\":\"hi\"}}]\ndata: }\n\n" + sse(stop), want: sayHi},
		{name: "39 no space after the colon", body: strings.ReplaceAll(body, "data: ", "data:"), want: sayHi},
		{name: "39 no empty lines between", body: strings.ReplaceAll(body, "\n\n", "\n"), want: sayHi},
		{name: "39 lines of bare JSON", body: says("h") + "\n" + says("i") + "\n" + stop + "\n", want: sayHi},
		{name: "40 a line of 4 MiB and more", body: frames(says("hi")) + "data: " + strings.Repeat("x", longestEventLine+1), want: outcome{text: "hi", class: llm.Invalid, truncated: true, says: "MiB"}},
		{name: "40 data of 4 MiB in many lines", body: strings.Repeat("data: {\n", longestEventLine/2+1), want: outcome{class: llm.Invalid, says: "MiB"}},
		{
			name: "40 an answer of 16 MiB", body: sse(append(slicesOf(says(strings.Repeat("x", 1<<20)), 16), says("!"), stop)...),
			want: outcome{text: strings.Repeat("x", 16<<20), class: llm.Invalid, truncated: true, says: "16 MiB"},
		},
	}
}

func slicesOf(s string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = s
	}
	return all
}

func bodyRows() []row {
	answer := `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`
	got := outcome{text: "hi", finish: llm.FinishStop, usage: llm.Usage{InputTokens: 7, OutputTokens: 2}}
	return []row{
		{name: "35 JSON instead of a stream", kind: "application/json", body: answer, want: got},
		{name: "35 JSON as a stream", body: "\n" + answer + "\n", want: got},
		{name: "35 JSON in many lines", kind: "application/json", body: strings.ReplaceAll(answer, ",", ",\r\n\t"), want: got},
		{name: "35 JSON without a reason to end", kind: "application/json", body: `{"choices":[{"message":{"content":"hi"}}]}`, want: sayHi},
		{
			name: "35 JSON with calls", kind: "application/json",
			body: `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
			want: callsOf(`f({"x":1})#a`, `f({})#b`),
		},
		{name: "35 half of the JSON", kind: "application/json", body: answer[:60], want: outcome{class: llm.Overload}},
		{name: "36 JSON error", kind: "application/json", body: `{"error":{"message":"no such model","code":404}}`, want: outcome{class: llm.Invalid, says: "no such model"}},
		{name: "36 a web page", kind: "text/html", body: "<!DOCTYPE html><html><head><title>Log in\n please</title></head>", want: outcome{class: llm.NotChat, says: "Log in please"}},
		{name: "36 a web page without a title", kind: "text/plain", body: "\r\n <html><body><script>x()</script>Log <b>in</b></body>", want: outcome{class: llm.NotChat, says: "Log in"}},
		{name: "36 nothing", body: "", want: nothing},
		{name: "36 comments only", body: ": c\n\n: c\n\n", want: nothing},
		{name: "36 text", kind: "text/plain", body: "It works!", want: outcome{class: llm.NotChat}},
	}
}

func TestARefusedStatusIsClassified(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		class  llm.Class
		says   string
	}{
		"401":                {401, `{"error":{"message":"Incorrect API key"}}`, llm.Auth, "Incorrect API key"},
		"403":                {403, ``, llm.Auth, "forbidden"},
		"402":                {402, `{"error":{"message":"pay"}}`, llm.Quota, "pay"},
		"429":                {429, `{"error":{"message":"slow down","type":"tokens"}}`, llm.Rate, "slow down"},
		"429 no funds":       {429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, llm.Quota, "quota"},
		"429 tokens":         {429, `{"error":{"message":"exceeds the model's maximum context length per minute"}}`, llm.Rate, "per minute"},
		"529":                {529, `{"error":{"message":"overloaded"}}`, llm.Rate, "overloaded"},
		"408":                {408, ``, llm.Overload, "request timeout"},
		"409":                {409, ``, llm.Overload, "conflict"},
		"425":                {425, ``, llm.Overload, "too early"},
		"500":                {500, `Internal Server Error`, llm.Overload, "Internal Server Error"},
		"502 page":           {502, `<html><title>502 Bad Gateway</title></html>`, llm.Overload, "502 Bad Gateway"},
		"503 vllm":           {503, `{"object":"error","message":"loading","code":503}`, llm.Overload, "loading"},
		"400":                {400, `{"error":{"message":"bad value"}}`, llm.Invalid, "bad value"},
		"400 context":        {400, `{"error":{"message":"too long","code":"context_length_exceeded"}}`, llm.Context, "too long"},
		"400 llama.cpp":      {400, `{"error":{"message":"the request exceeds","type":"exceed_context_size_error"}}`, llm.Context, "exceeds"},
		"400 codex":          {400, `{"error":{"code":"context_too_large","message":"x"}}`, llm.Context, "x"},
		"413":                {413, ``, llm.Context, "request entity too large"},
		"500 llama.cpp":      {500, `{"error":{"message":"Context size has been exceeded."}}`, llm.Context, "Context size"},
		"404":                {404, `{"error":"model 'x' not found"}`, llm.Invalid, "model 'x' not found"},
		"404 page":           {404, `<html>nothing here</html>`, llm.NotChat, "nothing here"},
		"422 fastapi":        {422, `{"detail":[{"type":"missing","loc":["body","messages"],"msg":"Field required"}]}`, llm.Invalid, "Field required"},
		"204":                {204, ``, llm.NotChat, "no content"},
		"304":                {304, ``, llm.NotChat, "redirect"},
		"list of errors":     {400, `[{"error":{"message":"bad value","status":"INVALID_ARGUMENT"}}]`, llm.Invalid, "bad value"},
		"nothing but braces": {400, `{}`, llm.Invalid, "bad request"},
		"escape sequences":   {500, "\x1b]52;c;ZXZpbA==\x07\x1b[2Jbad\r\n\tgate\u202eway\u009b31m", llm.Overload, "bad gateway"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			m := open(t, Config{BaseURL: server.URL})
			_, failure := listen(t, m.Generate(t.Context(), hello()))
			if failure == nil || failure.Class != c.class || failure.Status != c.status || !strings.Contains(failure.Text, c.says) {
				t.Errorf("got %+v, want %s %q", failure, c.class, c.says)
			}
		})
	}
}

func TestAnErrorFrameIsSeenWhileTheConnectionStaysOpen(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		_, _ = io.WriteString(w, "data: {\"error\":{\"message\":\"overloaded\"}}\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	m := open(t, Config{BaseURL: server.URL})
	expect(t, outcome{class: llm.Overload, says: "overloaded"}, m.Generate(t.Context(), hello()))
	<-gone
}

func TestAConnectionServesAgainAfterAWholeAnswer(t *testing.T) {
	t.Parallel()
	addresses := make(map[string]bool)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		addresses[r.RemoteAddr] = true
		_, _ = io.WriteString(w, sse(says("hi"), stop))
	})
	m := open(t, Config{BaseURL: server.URL})
	for range 5 {
		expect(t, sayHi, m.Generate(t.Context(), hello()))
	}
	if len(addresses) != 1 {
		t.Errorf("%d connections were opened for 5 answers, one after the other", len(addresses))
	}
}

func TestCancellingClosesTheConnectionWhereverTheAnswerIs(t *testing.T) {
	t.Parallel()
	for name, sent := range map[string]string{
		"before the headers": "", "before the first chunk": ": c\n\n", "after a chunk": frames(says("hi")),
		"in a line": frames(says("hi")) + "data: {", "after the reason to end": frames(says("hi"), stop),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arrived, gone := make(chan struct{}), make(chan struct{})
			server := serve(t, func(w http.ResponseWriter, r *http.Request) {
				defer close(gone)
				_, _ = io.Copy(io.Discard, r.Body) // else the server does not look whether the client is there
				if sent != "" {
					_, _ = io.WriteString(w, sent)
					_ = http.NewResponseController(w).Flush()
				}
				close(arrived)
				<-r.Context().Done()
			})
			m := open(t, Config{BaseURL: server.URL})
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-arrived
				cancel()
			}()
			var last error
			for c, err := range m.Generate(ctx, hello()) {
				if c.Done {
					t.Error("the answer ended")
				}
				last = err
			}
			if last != context.Canceled {
				t.Errorf("error %v", last)
			}
			<-gone
		})
	}
}

func TestLeavingClosesTheConnection(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		_, _ = io.WriteString(w, frames(says("hi")))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	m := open(t, Config{BaseURL: server.URL})
	for range m.Generate(t.Context(), hello()) {
		break
	}
	<-gone
}

func TestAnEndlessErrorIsReadToItsBoundOnly(t *testing.T) {
	t.Parallel()
	written := make(chan int64, 1)
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		n, _ := io.Copy(w, neverEnding("<html>\x1b[2J"))
		written <- n
	})
	m := open(t, Config{BaseURL: server.URL})
	_, failure := listen(t, m.Generate(t.Context(), hello()))
	if failure == nil || failure.Class != llm.Overload || len(failure.Text) > 4*longestLine {
		t.Errorf("got %v", failure)
	}
	if n := <-written; n > 16<<20 {
		t.Errorf("%d bytes were taken of an endless error", n)
	}
}

// neverEnding repeats itself.
type neverEnding string

func (s neverEnding) Read(p []byte) (int, error) {
	return copy(p, bytes.Repeat([]byte(s), len(p)/len(s)+1)), nil
}

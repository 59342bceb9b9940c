package chatapi

import (
	"society-tui/llm"
)

func callsOf(list ...string) outcome { return outcome{calls: list, finish: llm.FinishStop} }

func callRows() []row {
	return []row{
		{name: "deltas by index, interleaved", body: sse(
			calls(piece(0, "a", "f", ""), piece(1, "b", "g", "")), calls(piece(0, "", "", `{"x":`)), calls(piece(1, "", "", `{"y":`)),
			calls(piece(0, "", "", `1}`)), calls(piece(1, "", "", `2}`)), called,
		), want: callsOf(`f({"x":1})#a`, `g({"y":2})#b`)},
		{name: "no index, ids", body: sse(
			calls(`{"id":"a","function":{"name":"f","arguments":"{}"}}`), calls(`{"id":"b","function":{"name":"g","arguments":"{"}}`),
			calls(`{"function":{"arguments":"}"}}`), called,
		), want: callsOf(`f({})#a`, `g({})#b`)},
		{name: "null index, no ids", body: sse(
			calls(`{"index":null,"function":{"name":"f","arguments":"{}"}}`, `{"index":null,"function":{"name":"f","arguments":"{}"}}`), called,
		), want: callsOf(`f({})#`, `f({})#`)},
		{name: "every index 0", body: sse(
			calls(piece(0, "a", "f", `{"x":1}`)), calls(piece(0, "b", "g", `{"y"`)), calls(piece(0, "", "", `:2}`)), calls(piece(0, "c", "f", ``)), called,
		), want: callsOf(`f({"x":1})#a`, `g({"y":2})#b`, `f({})#c`)},
		{name: "every index 0 and no ids", body: sse(
			calls(piece(0, "", "f", `{"x":1}`)), calls(piece(0, "", "f", `{"x":2}`)), calls(piece(0, "", "g", ``)), called,
		), want: callsOf(`f({"x":1})#`, `f({"x":2})#`, `g({})#`)},
		{name: "every index 0, no ids, the name before its arguments", body: sse(
			calls(piece(0, "", "f", ``)), calls(piece(0, "", "", `{"x":1}`)), calls(piece(0, "", "f", ``)), calls(piece(0, "", "", `{"x"`)), calls(piece(0, "", "", `:2}`)), called,
		), want: callsOf(`f({"x":1})#`, `f({"x":2})#`)},
		{name: "strange indexes", body: sse(
			calls(piece(7, "a", "f", `{"x"`), piece(-3, "b", "g", ``), piece(2000000000, "c", "h", ``)),
			calls(piece(-3, "", "", `{}`)), calls(piece(7, "", "", `:1}`)), called,
		), want: callsOf(`f({"x":1})#a`, `g({})#b`, `h({})#c`)},
		{name: "types mixed up", body: sse(
			`{"id":5,"created":1.5,"model":null,"choices":[{"index":"0","delta":{"tool_calls":[{"index":"1","id":17,"function":{"name":"f","arguments":"{}"}}]}}]}`,
			calls(`{"index":"2","id":18,"function":{"name":"g","arguments":""}}`), called,
		), want: callsOf(`f({})#17`, `g({})#18`)},
		{name: "no id", body: sse(calls(`{"index":0,"id":"","function":{"name":"f","arguments":"{}"}}`), called), want: callsOf(`f({})#`)},
		{name: "no name", body: sse(calls(`{"index":0,"id":"a","function":{"name":"","arguments":"{}"}}`), called), want: callsOf(`({})#a`)},
		{name: "a ghost beside a call", body: sse(
			calls(piece(0, "a", "f", "{}")), calls(`{"index":1,"id":"","function":{"name":"","arguments":""}}`), calls(`{}`, `null`), called,
		), want: callsOf(`f({})#a`)},
		{name: "a ghost alone", body: sse(calls(`{"index":0,"function":{"arguments":""}}`), called), want: nothing},
		{name: "an id twice by index", body: sse(
			calls(piece(0, "functions.add:0", "add", `{"a":1}`)), calls(piece(1, "functions.add:0", "add", ``)), calls(piece(1, "", "", `{"a":2}`)), called,
		), want: callsOf(`add({"a":1})#functions.add:0`, `add({"a":2})#functions.add:0`)},
		{name: "an id twice in one chunk", body: sse(
			calls(piece(0, "x:0", "add", `{"a":1}`), piece(0, "x:0", "add", `{"a":2}`)), called,
		), want: callsOf(`add({"a":1})#x:0`, `add({"a":2})#x:0`)},
		{name: "the id in each piece", body: sse(
			calls(piece(0, "a", "f", `{"x"`)), calls(piece(0, "a", "", `:1`)), calls(piece(0, "a", "", `}`)), called,
		), want: callsOf(`f({"x":1})#a`)},
		{name: "another id in each piece", body: sse(
			calls(piece(0, "a", "f", `{"x"`)), calls(piece(0, "b", "", `:1`)), calls(piece(0, "c", "", `}`)), called,
		), want: callsOf(`f({"x":1})#a`)},
		{name: "the id late", body: sse(
			calls(piece(0, "", "f", ``)), calls(piece(0, "a", "", `{"x":1}`)), called,
		), want: callsOf(`f({"x":1})#a`)},
		{name: "a call in single bytes", body: sse(append(
			append([]string{calls(piece(0, "a", "f", ""))}, bytewise(`{"x":"ü"}`)...), called)...,
		), want: callsOf(`f({"x":"ü"})#a`)},
		{name: "a call in one chunk, with its end", body: sse(
			`{"choices":[{"index":0,"delta":{"tool_calls":[` + piece(0, "a", "f", `{"x":1}`) + `]},"finish_reason":"tool_calls"}]}`,
		), want: callsOf(`f({"x":1})#a`)},
		{name: "no arguments", body: sse(
			calls(`{"index":0,"id":"a","function":{"name":"f","arguments":null}}`, `{"index":1,"id":"b","function":{"name":"f","arguments":""}}`,
				`{"index":2,"id":"c","function":{"name":"f"}}`, `{"index":3,"id":"d","function":{"name":"f","arguments":"null"}}`), called,
		), want: callsOf(`f({})#a`, `f({})#b`, `f({})#c`, `f({})#d`)},
		{
			name: "arguments that are no JSON", body: sse(calls(piece(0, "a", "f", `{"x":`), piece(1, "b", "f", `{}{}`), piece(2, "c", "f", `[]`)), called),
			want: callsOf(`f({"x":)#a`, `f({}{})#b`, `f([])#c`),
		},
		{
			name: "arguments as an object", body: sse(calls(`{"index":0,"id":"a","function":{"name":"f","arguments":{"x":[1,"}"]}}}`), called),
			want: callsOf(`f({"x":[1,"}"]})#a`),
		},
		{name: "arguments encoded twice", body: sse(calls(piece(0, "a", "f", `"{\"x\":1}"`)), called), want: callsOf(`f({"x":1})#a`)},
		{name: "the name in each piece", body: sse(
			calls(piece(0, "a", "f", `{"x"`)), calls(piece(0, "", "f", `:1`)), calls(piece(0, "a", "f", `}`)), calls(piece(0, "", "f", ``)), called,
		), want: callsOf(`f({"x":1})#a`)},
		{name: "text before and with calls", body: sse(
			says("let me "), chunk(`{"content":"see","tool_calls":[`+piece(0, "a", "f", "{}")+`]}`), chunk(`{"content":null,"tool_calls":null}`), called,
		), want: outcome{text: "let me see", calls: []string{`f({})#a`}, finish: llm.FinishStop}},
		{name: "a thought signature with a call", body: sse(
			calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s1"}}}`), called,
		), want: outcome{calls: []string{`f({})#a`}, finish: llm.FinishStop, callExtra: `{"extra_content":{"google":{"thought_signature":"s1"}}}`}},
		{name: "a thought signature after the call", body: sse(
			calls(piece(0, "a", "f", `{}`)), calls(`{"extra_content":{"google":{"thought_signature":"s1"}}}`), called,
		), want: outcome{calls: []string{`f({})#a`}, finish: llm.FinishStop, callExtra: `{"extra_content":{"google":{"thought_signature":"s1"}}}`}},
		{name: "a thought signature of its own", body: sse(
			says("hi"), chunk(`{"extra_content":{"google":{"thought_signature":"s1"}}}`), stop,
		), want: outcome{text: "hi", finish: llm.FinishStop, extra: `{"extra_content":{"google":{"thought_signature":"s1"}}}`}},
		{
			name: "a thought signature in several lines", body: "{\n\"choices\": [{\n\n\"message\": {\"content\": \"hi\", \"extra_content\": {\n\n\"google\": {\n\"thought_signature\": \"s1\"}}},\n\"finish_reason\": \"stop\"}]}\n",
			want: outcome{text: "hi", finish: llm.FinishStop, extra: `{"extra_content":{"google":{"thought_signature":"s1"}}}`},
		},
		{name: "stop although tools were called", body: sse(calls(piece(0, "a", "f", `{}`)), stop), want: callsOf(`f({})#a`)},
		{name: "length in the middle of arguments", body: sse(
			calls(piece(0, "a", "f", `{"x":`)), `{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}`,
		), want: outcome{calls: []string{`f({"x":)#a`}, finish: llm.FinishLength}},
		{name: "filtered in a call", body: sse(
			says("hm"), calls(piece(0, "a", "f", `{"x":`)), `{"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}`,
		), want: outcome{text: "hm", finish: llm.FinishFilter}},
		{name: "cut in a call", body: frames(calls(piece(0, "a", "f", `{}`))), want: outcome{class: llm.Overload, truncated: true}},
		{name: "function_call", body: sse(
			chunk(`{"function_call":{"name":"f","arguments":"{\"x\""}}`), chunk(`{"function_call":{"arguments":":1}"}}`),
			`{"choices":[{"index":0,"delta":{},"finish_reason":"function_call"}]}`,
		), want: callsOf(`f({"x":1})#`)},
	}
}

// bytewise splits arguments into single bytes, some of which are not UTF-8 by themselves
// and therefore escaped.
func bytewise(args string) []string {
	var all []string
	for _, r := range args {
		all = append(all, calls(piece(0, "", "", string(r))))
	}
	return all
}

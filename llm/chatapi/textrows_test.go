package chatapi

import (
	"strings"

	"society-tui/llm"
)

func textRows() []row {
	hi := func(c ...string) string { return sse(append(c, stop)...) }
	return []row{
		{name: "content in parts", body: hi(chunk(
			`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"so"}]},{"type":"text","text":"h"},{"type":"reference","reference_ids":[1]},{"type":"text","text":"i"}]}`,
		)), want: outcome{text: "hi", reasoning: "so", finish: llm.FinishStop}},
		{
			name: "reasoning_content", body: hi(chunk(`{"content":"","reasoning_content":"so"}`), says("hi")),
			want: outcome{text: "hi", reasoning: "so", finish: llm.FinishStop},
		},
		{
			name: "reasoning", body: hi(chunk(`{"reasoning":"so","reasoning_content":"","provider_metadata":{"x":1}}`), says("hi")),
			want: outcome{text: "hi", reasoning: "so", finish: llm.FinishStop},
		},
		{
			name: "reasoning twice", body: hi(chunk(`{"reasoning":"so","reasoning_content":"so"}`), says("hi")),
			want: outcome{text: "hi", reasoning: "so", finish: llm.FinishStop},
		},
		{name: "reasoning_details in pieces", body: hi(
			chunk(`{"reasoning":"s","reasoning_details":[{"type":"reasoning.text","text":"s","index":0,"format":"x","signature":null}]}`),
			chunk(`{"reasoning":"o","reasoning_details":[{"type":"reasoning.text","text":"o","index":0}]}`),
			chunk(`{"reasoning_details":[{"type":"reasoning.text","signature":"sig","index":0},{"type":"reasoning.encrypted","data":"zz","id":"r","index":1}]}`),
			says("hi"),
		), want: outcome{text: "hi", reasoning: "so", finish: llm.FinishStop, extra: `{"reasoning_details":[` +
			`{"format":"x","index":0,"signature":"sig","text":"so","type":"reasoning.text"},{"data":"zz","id":"r","index":1,"type":"reasoning.encrypted"}]}`}},
		{
			name: "reasoning_details alone", body: hi(chunk(`{"reasoning_details":[{"type":"reasoning.summary","summary":"so"}]}`), says("hi")),
			want: outcome{text: "hi", reasoning: "so", finish: llm.FinishStop, extra: `{"reasoning_details":[{"summary":"so","type":"reasoning.summary"}]}`},
		},
		{
			name: "usage without choices", body: sse(says("hi"), stop, `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":3}}}`),
			want: outcome{text: "hi", finish: llm.FinishStop, usage: llm.Usage{InputTokens: 7, OutputTokens: 2, CachedTokens: 3}},
		},
		{
			name: "usage in floats and elsewhere", body: sse(says("hi"),
				`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":7.0,"completion_tokens":"2","cost":0.01,"queue_time":1.5,"prompt_cache_hit_tokens":3}}`),
			want: outcome{text: "hi", finish: llm.FinishStop, cost: 0.01, usage: llm.Usage{InputTokens: 7, OutputTokens: 2, CachedTokens: 3}},
		},
		{
			name: "usage of a choice, mad counts", body: sse(says("hi"),
				`{"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":-7,"completion_tokens":1e300,"cached_tokens":5}}]}`),
			want: sayHi,
		},
		{
			name: "usage of groq", body: sse(says("hi"), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"x_groq":{"id":"r","usage":{"prompt_tokens":7,"completion_tokens":2}}}`),
			want: outcome{text: "hi", finish: llm.FinishStop, usage: llm.Usage{InputTokens: 7, OutputTokens: 2}},
		},
		{name: "azure begins without choices, ids change", body: sse(
			`{"id":"","object":"","created":0,"model":"","choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}`,
			`{"id":"one","choices":[{"index":0,"delta":{"content":"h"}}]}`, `{"id":"two","choices":[{"index":0,"delta":{"content":"i"}}]}`, stop,
		), want: sayHi},
		{
			name: "the first reason to end wins", body: sse(says("hi"), `{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}`, stop),
			want: outcome{text: "hi", finish: llm.FinishLength},
		},
		{name: "end_turn", body: sse(says("hi"), `{"choices":[{"index":0,"delta":{},"finish_reason":"end_turn"}]}`), want: sayHi},
		{name: "a number", body: sse(says("hi"), `{"choices":[{"index":0,"delta":{},"finish_reason":1}]}`), want: sayHi},
		{name: "empty at the end", body: sse(`{"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":""}]}`), want: sayHi},
		{
			name: "content_filter", body: sse(says("hi"), `{"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}`),
			want: outcome{text: "hi", finish: llm.FinishFilter},
		},
		{name: "content_filter without text", body: sse(`{"choices":[{"index":0,"delta":{},"finish_reason":"SAFETY"}]}`), want: outcome{finish: llm.FinishFilter}},
		{name: "refusal", body: sse(chunk(`{"refusal":"I will "}`), chunk(`{"refusal":"not"}`), stop), want: outcome{text: "I will not", finish: llm.FinishRefusal}},
		{name: "message instead of delta", body: sse(`{"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}`), want: sayHi},
		{name: "message after the deltas", body: sse(says("hi"), `{"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}`), want: sayHi},
		{
			name: "a surrogate pair split over chunks", body: sse(chunk(`{"content":"h\ud83d"}`), chunk(`{"content":""}`), chunk(`{"content":"\ude00i"}`), stop),
			want: outcome{text: "h😀i", finish: llm.FinishStop},
		},
		{name: "a surrogate pair split in arguments", body: sse(
			calls(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":\"\ud83d"}}`), calls(`{"index":0,"function":{"arguments":"\ude00\"}"}}`), called,
		), want: callsOf(`f({"x":"😀"})#a`)},
		{
			name: "half a pair, and a backslash that is none", body: sse(chunk(`{"content":"\ud83d"}`), chunk(`{"content":"h\\ud83d"}`), chunk(`{"content":"i"}`), stop),
			want: outcome{text: "\ufffdh\\ud83di", finish: llm.FinishStop},
		},
		{name: "invalid UTF-8", body: sse("{\"choices\":[{\"delta\":{\"content\":\"h\xff\xc3i\"}}]}", stop), want: outcome{text: "h\ufffd\ufffdi", finish: llm.FinishStop}},
		{
			name: "escapes and control bytes that JSON has not", body: sse("{\"choices\":[{\"delta\":{\"content\":\"h\\x\\u12\ti\"}}]}", stop),
			want: outcome{text: "h\\x\ufffd12\ti", finish: llm.FinishStop},
		},
		{name: "another role, other choices, much nesting", body: sse(
			`{"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"role":"narrator","content":"h"}},{"index":2,"delta":{"content":"no"}}]}`,
			`{"choices":[{"index":0,"delta":{"content":"i"}}],"deep":`+strings.Repeat("[", 20000)+strings.Repeat("]", 20000)+`}`, stop,
		), want: sayHi},
		{name: "keys that are escaped, double or unknown", body: sse(`{"ch\u006fices":[{"delta":{"content":"x","content":"hi","contents":"y"}}]}`, stop), want: sayHi},
		{name: "data after the end", body: sse(says("hi"), stop) + frames(says("more")), want: sayHi},
	}
}

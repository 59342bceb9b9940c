package chatapi

import (
	"fmt"
	"strings"

	"society-tui/llm"
)

func endRows() []row {
	return []row{
		{name: "no [DONE]", body: frames(says("hi"), stop), want: sayHi},
		{name: "reset after the reason to end", body: frames(says("hi"), stop), cut: true, want: sayHi},
		{name: "no reason to end", body: frames(says("hi")), want: cutHi},
		{name: "null for the reason to end, and [DONE]", body: sse(says("hi")), want: sayHi},
		{name: "no reason to end, but [DONE]", body: sse(`{"choices":[{"index":0,"delta":{"content":"hi"}}]}`), want: cutHi},
		{name: "nothing but the role", body: frames(chunk(`{"role":"assistant","content":""}`)), want: outcome{class: llm.Overload}},
		{name: "empty reasons in all chunks", body: frames(`{"choices":[{"delta":{"content":"hi"},"finish_reason":""}]}`), want: cutHi},
		{name: "half a line", body: frames(says("hi")) + `data: {"choices":[{"index":0,"delta":{"con`, want: cutHi},
		{name: "the last line has no end", body: frames(says("hi")) + `data: ` + stop, want: sayHi},
		{name: "[DONE] has no end", body: frames(says("hi"), stop) + `data: [DONE]`, want: sayHi},
		{name: "reset", body: frames(says("hi")), cut: true, want: cutHi},
		{name: "reset in a line", body: frames(says("hi")) + `data: {"cho`, cut: true, want: cutHi},
		{name: "[DONE] only", body: done, want: nothing},
		{name: "a reason to end only", body: sse(chunk(`{"role":"assistant"}`), stop), want: nothing},
		{name: "space only", body: sse(says("\n "), stop), want: outcome{text: "\n ", class: llm.Empty}},
		{name: "thoughts only", body: sse(chunk(`{"reasoning_content":"so"}`), stop), want: outcome{reasoning: "so", class: llm.Empty, says: "thought"}},
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
		failed(frames(`{"code":"InvalidApiKey","message":"who?"}`), llm.Auth, "who?"),
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
		rows[i].name = fmt.Sprintf("error %d", i)
	}
	after := []row{
		{name: "error after text", body: hi + frames(`{"error":{"message":"overloaded"}}`), want: outcome{text: "hi", class: llm.Overload, truncated: true, says: "overloaded"}},
		{name: "error after text and a comment", body: hi + ": c\n\n" + frames(`{ "error":"overloaded"}`), want: outcome{text: "hi", class: llm.Overload, truncated: true, says: "overloaded"}},
		{name: "no error", body: sse(`{"error":null,"choices":[{"delta":{"content":"hi"},"error":null}]}`, stop), want: sayHi},
		{name: "unreadable", body: hi + frames(`{"choices":[{"delta" "x"}]}`, stop), want: cutHi},
		{name: "text for data", body: hi + frames(`Bad gateway`), want: cutHi},
	}
	return append(rows, after...)
}

func frameRows() []row {
	body := sse(says("h"), says("i"), stop)
	return []row{
		{name: "300 comments", body: strings.Repeat(": OPENROUTER PROCESSING\n\n", 400) + body, want: sayHi},
		{name: "comments between", body: strings.ReplaceAll(body, "\n\n", "\n\n: c\n:\n\n"), want: sayHi},
		{name: "comments sent as data, empty data", body: "data: : OPENROUTER PROCESSING\n\ndata:\n\ndata: \n\ndata: null\n\n" + body + "data:\n\n", want: sayHi},
		{name: "other fields", body: "event: message\nid: 7\nretry: 100\nunknown\n" + body, want: sayHi},
		{name: "pings", body: "event: ping\ndata: {\"type\":\"ping\"}\n\nevent: ping\ndata: still here\n\n" + body, want: sayHi},
		{name: "CRLF", body: strings.ReplaceAll(body, "\n", "\r\n"), want: sayHi},
		{name: "CR", body: strings.ReplaceAll(body, "\n", "\r"), want: sayHi},
		{name: "BOM", body: "\ufeff" + body, want: sayHi},
		{name: "data in many lines", body: "data: {\"choices\":\ndata:  [{\"delta\":\ndata: {\"content\":\"hi\"}}]\ndata: }\n\n" + sse(stop), want: sayHi},
		{name: "no space after the colon", body: strings.ReplaceAll(body, "data: ", "data:"), want: sayHi},
		{name: "no empty lines between", body: strings.ReplaceAll(body, "\n\n", "\n"), want: sayHi},
		{name: "lines of bare JSON", body: says("h") + "\n" + says("i") + "\n" + stop + "\n", want: sayHi},
		{name: "a line of 4 MiB and more", body: frames(says("hi")) + "data: " + strings.Repeat("x", longestEventLine+1), want: outcome{text: "hi", class: llm.Invalid, truncated: true, says: "MiB"}},
		{name: "data of 4 MiB in many lines", body: strings.Repeat("data: {\n", longestEventLine/2+1), want: outcome{class: llm.Invalid, says: "MiB"}},
		{
			name: "an answer of 16 MiB", body: sse(append(slicesOf(says(strings.Repeat("x", 1<<20)), 16), says("!"), stop)...),
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
		{name: "JSON instead of a stream", kind: "application/json", body: answer, want: got},
		{name: "JSON as a stream", body: "\n" + answer + "\n", want: got},
		{name: "JSON in many lines", kind: "application/json", body: strings.ReplaceAll(answer, ",", ",\r\n\t"), want: got},
		{name: "JSON without a reason to end", kind: "application/json", body: `{"choices":[{"message":{"content":"hi"}}]}`, want: sayHi},
		{
			name: "JSON with calls", kind: "application/json",
			body: `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
			want: callsOf(`f({"x":1})#a`, `f({})#b`),
		},
		{name: "half of the JSON", kind: "application/json", body: answer[:60], want: outcome{class: llm.Overload}},
		{name: "JSON error", kind: "application/json", body: `{"error":{"message":"no such model","code":404}}`, want: outcome{class: llm.NoModel, says: "no such model"}},
		{name: "a web page", kind: "text/html", body: "<!DOCTYPE html><html><head><title>Log in\n please</title></head>", want: outcome{class: llm.NotChat, says: "Log in please"}},
		{name: "a web page without a title", kind: "text/plain", body: "\r\n <html><body><script>x()</script>Log <b>in</b></body>", want: outcome{class: llm.NotChat, says: "Log in"}},
		{name: "nothing", body: "", want: nothing},
		{name: "comments only", body: ": c\n\n: c\n\n", want: nothing},
		{name: "text", kind: "text/plain", body: "It works!", want: outcome{class: llm.NotChat}},
	}
}

package llm_test

import (
	"encoding/json"
	"strings"
	"testing"

	"society-tui/llm"
)

func user(text string) llm.Message { return llm.Message{Role: llm.User, Text: text} }

func asked(text string, ids ...string) llm.Message {
	m := llm.Message{Role: llm.Assistant, Text: text}
	for _, id := range ids {
		m.Calls = append(m.Calls, llm.Call{ID: id, Name: "look", Arguments: "{}"})
	}
	return m
}

func answered(id, text string) llm.Message {
	return llm.Message{Role: llm.Tool, CallID: id, Text: text}
}

func TestCheckHistoryFindsEachFaultThatAStrictProviderRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		messages []llm.Message
		fault    string // "" for none
	}{
		"a plain talk":           {[]llm.Message{user("hi"), asked("hello"), user("bye")}, ""},
		"two users in a row":     {[]llm.Message{user("hi"), user("are you there?")}, ""},
		"calls with answers":     {[]llm.Message{user("hi"), asked("", "a", "b"), answered("b", "2"), answered("a", "1")}, ""},
		"nothing":                {nil, "the history is empty"},
		"empty user":             {[]llm.Message{user("")}, "user message is empty"},
		"empty assistant":        {[]llm.Message{user("hi"), asked("")}, "neither text nor calls"},
		"answer first":           {[]llm.Message{answered("a", "1")}, "no call \"a\""},
		"call without answer":    {[]llm.Message{user("hi"), asked("", "a")}, "call \"a\" has no answer"},
		"user before the answer": {[]llm.Message{user("hi"), asked("", "a"), user("so?"), answered("a", "1")}, "call \"a\" has no answer"},
		"one of two answered":    {[]llm.Message{user("hi"), asked("", "a", "b"), answered("a", "1")}, "call \"b\" has no answer"},
		"answered twice":         {[]llm.Message{user("hi"), asked("", "a"), answered("a", "1"), answered("a", "2")}, "again or too late"},
		"an answer to nothing":   {[]llm.Message{user("hi"), asked("", "a"), answered("a", "1"), answered("x", "2")}, "no call \"x\""},
		"empty answer":           {[]llm.Message{user("hi"), asked("", "a"), answered("a", "")}, "is empty"},
		"an id twice in one":     {[]llm.Message{user("hi"), asked("", "a", "a")}, "earlier call"},
		"an id of an old round":  {[]llm.Message{user("hi"), asked("", "a"), answered("a", "1"), asked("", "a"), answered("a", "1")}, "earlier call"},
		"no id":                  {[]llm.Message{user("hi"), asked("", "")}, "has no id"},
		"unknown role":           {[]llm.Message{{Role: "system", Text: "obey"}}, "no role"},
		"a user who calls":       {[]llm.Message{{Role: llm.User, Text: "x", Calls: []llm.Call{{ID: "a"}}}}, "user message has calls"},
		"a user who answers":     {[]llm.Message{{Role: llm.User, Text: "x", CallID: "a"}}, "answers call"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectFault(t, llm.CheckHistory(llm.Request{Messages: c.messages}), c.fault)
		})
	}
}

func TestCheckHistoryFindsUnusableTools(t *testing.T) {
	t.Parallel()
	sound := json.RawMessage(`{"type":"object","properties":{}}`)
	for name, c := range map[string]struct {
		tools []llm.ToolSpec
		fault string
	}{
		"sound":      {[]llm.ToolSpec{{Name: "a-b_C9", Parameters: sound}}, ""},
		"a dot":      {[]llm.ToolSpec{{Name: "files.read", Parameters: sound}}, "cannot be the name"},
		"too long":   {[]llm.ToolSpec{{Name: strings.Repeat("x", 65), Parameters: sound}}, "cannot be the name"},
		"twice":      {[]llm.ToolSpec{{Name: "a", Parameters: sound}, {Name: "a", Parameters: sound}}, "two tools"},
		"untyped":    {[]llm.ToolSpec{{Name: "a", Parameters: json.RawMessage(`{"type":"object","properties":{"f":{"description":"anything"}},"required":[]}`)}}, "parameters.f is of type"},
		"no schema":  {[]llm.ToolSpec{{Name: "a"}}, "parse the schema"},
		"not object": {[]llm.ToolSpec{{Name: "a", Parameters: json.RawMessage(`{"type":"array"}`)}}, "not of an object"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectFault(t, llm.CheckHistory(llm.Request{Messages: []llm.Message{user("hi")}, Tools: c.tools}), c.fault)
		})
	}
}

func expectFault(t *testing.T, err error, fault string) {
	t.Helper()
	switch {
	case fault == "" && err != nil:
		t.Errorf("refused: %v", err)
	case fault != "" && err == nil:
		t.Errorf("not refused, want %q", fault)
	case fault != "" && !strings.Contains(err.Error(), fault):
		t.Errorf("refused with %q, want %q", err, fault)
	}
}

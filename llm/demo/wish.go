package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"society-tui/llm"
	"society-tui/llm/demo/script"
)

// A wish is the form that a request wants the answer to have.
type wish struct {
	none bool // no calls
	must bool // calls, and no other answer
	only string
	// asked is set if the text asks for the call, which is then a short one.
	asked bool
	// atMostOne call, as parallel_tool_calls = false asks for.
	atMostOne bool
	// format is "", or "json_object", or "json_schema" with a schema.
	format string
	schema json.RawMessage
}

// readWish reads tool_choice, parallel_tool_calls and response_format, or returns what is wrong
// with them.
func readWish(body []byte, in openai.ChatCompletionRequest, tools []llm.ToolSpec) (w wish, err error) {
	w.atMostOne = in.ParallelToolCalls == false
	var more struct {
		Choice json.RawMessage `json:"tool_choice"`
		Format *struct {
			Type   string `json:"type"`
			Schema *struct {
				Name   string          `json:"name"`
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(body, &more); err != nil {
		return w, fmt.Errorf("response_format: %w", err)
	}
	if f := more.Format; f != nil {
		switch {
		case !slices.Contains([]string{"text", "json_object", "json_schema"}, f.Type):
			return w, fmt.Errorf("response_format has the unknown type %q", f.Type)
		case f.Type == "json_schema" && (f.Schema == nil || !llm.IsToolName(f.Schema.Name) || len(f.Schema.Schema) == 0):
			return w, errors.New("response_format.json_schema lacks its name or its schema")
		case f.Type == "json_schema":
			w.schema = f.Schema.Schema
		}
		if f.Type != "text" {
			w.format = f.Type
		}
	}
	return w, w.readChoice(more.Choice, tools)
}

func (w *wish) readChoice(choice json.RawMessage, tools []llm.ToolSpec) error {
	if len(choice) == 0 || string(choice) == "null" {
		return nil
	}
	var word string
	var named struct {
		Type     string `json:"type"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	if json.Unmarshal(choice, &word) != nil {
		if err := json.Unmarshal(choice, &named); err != nil || named.Type != "function" {
			return errors.New("tool_choice is neither a word nor a function")
		}
	}
	w.none, w.must, w.only = word == "none", word == "required" || word == "", named.Function.Name
	switch {
	case word != "" && !slices.Contains([]string{"none", "auto", "required"}, word):
		return fmt.Errorf("tool_choice is the unknown word %q", word)
	case len(tools) == 0 && word != "none":
		return errors.New("tool_choice is only allowed when tools are specified")
	case word == "" && !slices.ContainsFunc(tools, func(t llm.ToolSpec) bool { return t.Name == w.only }):
		return fmt.Errorf("tool_choice names the tool %q, which is not offered", w.only)
	}
	return nil
}

// heed has the tool called that the last message asks to be called by its name, as tests of an
// endpoint do.
func (w *wish) heed(r llm.Request) {
	if w.none || len(r.Messages) == 0 {
		return
	}
	last := r.Messages[len(r.Messages)-1]
	if last.Role != llm.User {
		return
	}
	for _, t := range r.Tools {
		if strings.HasPrefix(last.Text, fmt.Sprintf("Call the tool %q", t.Name)) {
			w.must, w.asked, w.only = true, true, t.Name
		}
	}
}

// fulfil gives a reply the form that is wished for.
func (w wish) fulfil(reply script.Reply, tools []llm.ToolSpec) script.Reply {
	if w.only != "" {
		reply.Calls = slices.DeleteFunc(reply.Calls, func(c llm.Call) bool { return c.Name != w.only })
	}
	if w.must && len(reply.Calls) == 0 {
		i := max(0, slices.IndexFunc(tools, func(t llm.ToolSpec) bool { return t.Name == w.only }))
		text := reply.Text
		if w.asked {
			text, reply.Reasoning = "ok", ""
		}
		reply.Calls = []llm.Call{{Name: tools[i].Name, Arguments: sample(tools[i].Parameters, text)}}
	}
	if w.must {
		reply.Text = ""
	}
	if w.atMostOne && len(reply.Calls) > 1 {
		reply.Calls = reply.Calls[:1]
	}
	switch {
	case len(reply.Calls) > 0:
	case w.format == "json_object":
		reply.Text = encode(map[string]any{"answer": reply.Text})
	case w.format == "json_schema":
		reply.Text = sample(w.schema, reply.Text)
	}
	return reply
}

package chatapi

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"

	"society-tui/llm"
)

// rawStream reads a go-openai stream: one canonical chunk at a time, and io.EOF after the
// last.
type rawStream interface {
	RecvRaw() ([]byte, error)
}

// read turns canonical chunks into ours. It keeps the promises of
// llm.Model.Generate.
func read(stream rawStream) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		var a answer
		for {
			text, err := stream.RecvRaw()
			if errors.Is(err, io.EOF) {
				yield(a.last())
				return
			}
			if err != nil {
				yield(llm.Chunk{}, err)
				return
			}
			a.begun = a.begun[:0]
			chunk := a.take(text)
			if (chunk.Text != "" || chunk.Reasoning != "") && !yield(chunk, nil) {
				return
			}
			for _, name := range a.begun {
				if !yield(llm.Chunk{CallName: name}, nil) {
					return
				}
			}
		}
	}
}

// An answer gathers what its last chunk has to hold.
type answer struct {
	calls   []*call
	begun   []string // names of the calls that the last chunk began
	finish  llm.Finish
	refused bool
	said    bool // text that is more than space
	thought bool
	usage   llm.Usage
	details details
	extra   json.RawMessage // extra_content
}

// A call is one whose arguments are still coming.
type call struct {
	id    string
	name  string
	args  strings.Builder
	extra json.RawMessage
}

// take adds one canonical chunk and returns the text in it.
func (a *answer) take(text []byte) llm.Chunk {
	var chunk llm.Chunk
	v := value(text)
	top := v.members()
	for key, member, more := top.next(); more; key, member, more = top.next() {
		switch string(key) {
		case "usage":
			a.usage = parseUsage(member)
		case "choices":
			list := member.members()
			_, choice, _ := list.next()
			a.choice(&chunk, choice)
		}
	}
	return chunk
}

func (a *answer) choice(chunk *llm.Chunk, choice value) {
	fields := choice.members()
	for key, member, more := fields.next(); more; key, member, more = fields.next() {
		switch string(key) {
		case "finish_reason":
			a.finish = llm.Finish(member.str())
		case "delta":
			inner := member.members()
			for key, member, more := inner.next(); more; key, member, more = inner.next() {
				a.delta(chunk, string(key), member)
			}
		}
	}
	a.said = a.said || strings.TrimSpace(chunk.Text) != ""
	a.thought = a.thought || chunk.Reasoning != ""
}

func (a *answer) delta(chunk *llm.Chunk, key string, member value) {
	switch key {
	case "content":
		chunk.Text += member.str()
	case "reasoning_content":
		chunk.Reasoning = member.str()
	case "refusal":
		chunk.Text += member.str()
		a.refused = true
	case "reasoning_details":
		a.details.add(member)
	case "extra_content":
		a.extra = wrap("extra_content", member)
	case "tool_calls":
		list := member.members()
		for _, piece, more := list.next(); more; _, piece, more = list.next() {
			a.call(piece)
		}
	}
}

// call adds a piece of a call. The normalizer has made the indexes dense.
func (a *answer) call(piece value) {
	d := parseCall(piece)
	for int64(len(a.calls)) <= d.index {
		a.calls = append(a.calls, &call{})
	}
	c := a.calls[d.index]
	if d.id != "" {
		c.id = d.id
	}
	if d.name != "" {
		c.name = d.name
		a.begun = append(a.begun, d.name)
	}
	c.args.WriteString(d.args.str())
	if d.extra.isObject() {
		c.extra = wrap("extra_content", d.extra)
	}
}

// last is the chunk that ends the answer, or the error that there was nothing
// in it.
func (a *answer) last() (llm.Chunk, error) {
	chunk := llm.Chunk{Done: true, Finish: a.finish, Usage: a.usage, Extra: a.details.with(a.extra)}
	if a.refused && len(a.calls) == 0 {
		chunk.Finish = llm.FinishRefusal
	}
	if chunk.Finish == llm.FinishFilter || chunk.Finish == llm.FinishRefusal {
		return chunk, nil // what calls there are were broken off
	}
	switch {
	case len(a.calls) == 0 && !a.said && a.thought:
		return llm.Chunk{}, &llm.Error{Class: llm.Empty, Text: "the model thought, but answered nothing"}
	case len(a.calls) == 0 && !a.said:
		return llm.Chunk{}, &llm.Error{Class: llm.Empty, Text: "the answer is empty"}
	}
	for _, c := range a.calls {
		chunk.Calls = append(chunk.Calls, llm.Call{
			ID: "call_" + rand.Text(), ProviderID: c.id,
			Name: c.name, Arguments: arguments(c.args.String()), Extra: c.extra,
		})
	}
	return chunk, nil
}

// arguments is the text of a call's arguments: "{}" for none, and what is inside
// if an object was encoded twice. Anything else is left as the model wrote it.
func arguments(text string) string {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || trimmed == "null" {
		return "{}"
	}
	if v := value(trimmed); v.isString() && json.Valid(v) {
		if inner := v.str(); isObject([]byte(inner)) {
			return inner
		}
	}
	return text
}

// wrap is an object with one member.
func wrap(name string, v value) json.RawMessage {
	return json.RawMessage(`{"` + name + `":` + string(v) + `}`)
}

package chatapi

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"society-tui/llm"
)

// read turns canonical chunks into ours. It keeps the promises of
// llm.Model.Generate. The origin is what was asked.
func read(stream *streamNormalizer, from origin) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		a := answer{from: from, details: details{field: "reasoning_details"}, thinking: details{field: "thinking_blocks"}}
		for {
			text, err := stream.next()
			if errors.Is(err, io.EOF) {
				yield(a.last())
				return
			}
			if err != nil {
				yield(llm.Chunk{Usage: a.usage}, err)
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
	from    origin
	calls   []*call
	begun   []string // names of the calls that the last chunk began
	finish  llm.Finish
	word    string // for an unknown end
	refused bool
	said    bool // text that is more than space
	thought bool
	usage   llm.Usage
	// What only the endpoint understands.
	details, thinking details
	extra             json.RawMessage // extra_content
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
			if u := parseUsage(member); u != (llm.Usage{}) {
				a.usage = u // counts grow, and the last are the whole
			}
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
			if word, unknown := strings.CutPrefix(member.str(), unknownEnd); unknown {
				a.finish, a.word = llm.FinishUnknown, word
			}
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
	case "thinking_blocks":
		a.thinking.add(member)
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
		c.name = a.from.tools.own(d.name)
		a.begun = append(a.begun, c.name)
	}
	c.args.WriteString(d.args.str())
	if d.extra.isObject() {
		c.extra = wrap("extra_content", d.extra)
	}
}

// last is the chunk that ends the answer, or the error that there was nothing
// in it.
func (a *answer) last() (llm.Chunk, error) {
	a.calls = unrepeated(a.calls)
	chunk := llm.Chunk{Done: true, Finish: a.finish, Word: a.word, Usage: a.usage, Extra: a.kept()}
	if a.refused && len(a.calls) == 0 {
		chunk.Finish = llm.FinishRefusal
	}
	switch {
	case chunk.Finish == llm.FinishFilter, chunk.Finish == llm.FinishRefusal:
		return chunk, nil // what calls there are were broken off
	case chunk.Finish == llm.FinishUnknown && len(a.calls) > 0:
		text := "the answer ended for an unknown reason (" + a.word + "), so its calls were not run"
		return llm.Chunk{Usage: a.usage}, &llm.Error{Class: llm.Empty, Code: string(llm.FinishUnknown), Text: text, Quotes: true, Truncated: a.said}
	case len(a.calls) > 0 || a.said:
	case chunk.Finish == llm.FinishLength:
		return chunk, nil // whoever asked knows what that means: another try may end like this one
	case a.thought:
		return llm.Chunk{Usage: a.usage}, &llm.Error{Class: llm.Empty, Text: "the model thought, but answered nothing"}
	default:
		return llm.Chunk{Usage: a.usage}, &llm.Error{Class: llm.Empty, Text: "the answer is empty"}
	}
	for _, c := range a.calls {
		chunk.Calls = append(chunk.Calls, llm.Call{
			ID: "call_" + rand.Text(), ProviderID: c.id,
			Name: c.name, Arguments: arguments(c.args.String()), Extra: a.from.mark(c.extra),
		})
	}
	return chunk, nil
}

// kept is what only the endpoint understands of the message.
func (a *answer) kept() json.RawMessage {
	all := a.extra
	for _, d := range []*details{&a.details, &a.thinking} {
		all = d.with(all)
	}
	return a.from.mark(all)
}

// unrepeated returns the calls without those that were sent twice. Of several with one id and
// name, one without arguments stands for none; the others are one if their arguments are the
// same. Of calls without an id it cannot be told.
func unrepeated(calls []*call) []*call {
	var kept []*call
	for _, c := range calls {
		at := slices.IndexFunc(kept, func(k *call) bool {
			return c.id != "" && k.id == c.id && k.name == c.name && (k.isEmpty() || c.isEmpty() || k.same(c))
		})
		switch {
		case at < 0:
			kept = append(kept, c)
		case kept[at].isEmpty():
			kept[at] = c
		}
	}
	return kept
}

func (c *call) isEmpty() bool { return arguments(c.args.String()) == "{}" }

// same reports whether two calls have the same arguments, however they are spaced.
func (c *call) same(o *call) bool {
	mine, others := c.args.String(), o.args.String()
	if mine == others {
		return true
	}
	var a, b bytes.Buffer
	return json.Compact(&a, []byte(mine)) == nil && json.Compact(&b, []byte(others)) == nil && bytes.Equal(a.Bytes(), b.Bytes())
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

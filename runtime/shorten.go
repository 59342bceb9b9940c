package runtime

import (
	"encoding/json"
	"strconv"
	"strings"

	"society-tui/llm"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool/read"
)

// message renders one entry for the model. A text over its budget ends with a line that
// tells how to read the rest; the store keeps all of it.
func (t *modelCall) message(e *conversation.Entry) llm.Message {
	switch e.Kind {
	case conversation.Answer:
		m := llm.Message{Role: llm.Assistant, Text: t.shorten(e), Reasoning: e.Reasoning, Extra: e.Extra}
		for _, c := range e.Calls {
			m.Calls = append(m.Calls, llm.Call{
				ID: c.ID, ProviderID: c.ProviderID, Name: c.Name, Arguments: t.arguments(c), Extra: c.Extra,
			})
		}
		if e.Model != "" && e.Model != t.model.Name { // what only the other's endpoint understands, this one may refuse
			m.Extra = nil
			for i := range m.Calls {
				m.Calls[i].Extra = nil
			}
		}
		return m
	case conversation.Result:
		return llm.Message{Role: llm.Tool, Text: t.result(e), CallID: e.CallID}
	case conversation.Summary:
		return llm.Message{Role: llm.User, Text: protocol.Sentence(t.lang, protocol.SummaryLabel) + "\n" + t.shorten(e) + todoOf(e)}
	default:
		return llm.Message{Role: llm.User, Text: t.shorten(e), Images: imagesOf(e)}
	}
}

// todoOf is the list of what is to be done that stands behind a summary.
func todoOf(e *conversation.Entry) string {
	if e.Todo == "" {
		return ""
	}
	return "\n\n" + e.Todo
}

// result is the text of a result; what stands for one is said in the society's
// language.
func (t *modelCall) result(e *conversation.Entry) string {
	switch e.Text {
	case conversation.NoOutput:
		return protocol.Sentence(t.lang, protocol.NoOutput)
	case conversation.Lost:
		return protocol.Sentence(t.lang, protocol.ResultLost)
	case conversation.Unanswered:
		return protocol.Sentence(t.lang, protocol.NoResult)
	}
	return t.shorten(e)
}

// shorten returns what the model is sent of an entry's text.
func (t *modelCall) shorten(e *conversation.Entry) string {
	x, cut := t.budgets.Cut(e)
	if !cut {
		return e.Text
	}
	_, own := e.Own()
	return leaveOut(t.lang, e.Text, x, len(own), pathOf(e))
}

// shorten cuts a text, and names the path where the rest can be read.
func shorten(lang protocol.Lang, text string, budget conversation.Budget, path string) string {
	x, cut := budget.Cut(text)
	if !cut {
		return text
	}
	return leaveOut(lang, text, x, len(text), path)
}

// pathOf returns the path at which the rest of an entry's text can be read.
func pathOf(e *conversation.Entry) string {
	switch {
	case e.Kind == conversation.Inbound && e.MessageID != "":
		return read.Path(read.Message, e.MessageID)
	case e.Kind == conversation.Result:
		return read.Path(read.Result, e.CallID)
	}
	return read.Path(read.Entry, strconv.FormatUint(e.Slot, 10))
}

// arguments returns the arguments of a call; cut ones are still a JSON object.
func (t *modelCall) arguments(c conversation.Call) string {
	text := shorten(t.lang, c.Arguments, t.budgets.Message, read.Path(read.Call, c.ID))
	if text == c.Arguments {
		return text
	}
	short, err := json.Marshal(map[string]string{"shortened": text})
	if err != nil { // a map of strings can always be encoded
		return "{}"
	}
	return string(short)
}

// leaveOut puts a line in place of what an excerpt leaves out of a text.
func leaveOut(lang protocol.Lang, text string, x conversation.Excerpt, bytes int, path string) string {
	begin := text[:x.Begin]
	if !strings.HasSuffix(begin, "\n") {
		begin += "\n"
	}
	return begin + protocol.Sentence(lang, protocol.LeftOut, x.Left, x.Lines, bytes, path, x.From) + "\n" + text[x.End:]
}

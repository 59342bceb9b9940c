package chatapi

import (
	"strings"
	"unicode"

	"society-tui/llm"
)

// words are the endpoints' words for why an answer ended, by what they mean. A number means
// stop.
var words = map[llm.Finish][]string{
	llm.FinishStop: {
		"stop", "tool_calls", "tool_call", "tool_use", "function_call", "end_turn", "eos", "eos_token", "stop_sequence", "complete", "completed",
	},
	llm.FinishLength:  {"length", "max_tokens", "model_length", "max_output_tokens"},
	llm.FinishFilter:  {"content_filter", "safety", "sensitive", "recitation", "blocklist", "prohibited_content", "spii"},
	llm.FinishRefusal: {"refusal"},
}

// broken are their words for an answer that failed, by the class of the failure.
var broken = map[llm.Class][]string{
	llm.Context: {"model_context_window_exceeded"},
	llm.Overload: {
		"error", "abort", "aborted", "cancelled", "canceled", "timeout", "network_error", "insufficient_system_resource",
	},
}

var finishes, failures = byWord(words), byWord(broken)

func byWord[K comparable](of map[K][]string) map[string]K {
	all := map[string]K{}
	for meaning, list := range of {
		for _, word := range list {
			all[word] = meaning
		}
	}
	return all
}

// finishReason returns what the endpoint's word means in ours, or its class if it means an
// error.
func finishReason(word string) (reason llm.Finish, class llm.Class) {
	word = strings.ToLower(strings.TrimSpace(word))
	if word == "" {
		return "", ""
	}
	if class, found := failures[word]; found {
		return "", class
	}
	if strings.Contains(word, "malformed_function_call") { // also behind the name of a filter
		return "", llm.Overload
	}
	if reason, found := finishes[word]; found {
		return reason, ""
	}
	if !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsDigit(r) && r != '.' && r != '-' }) {
		return llm.FinishStop, ""
	}
	return llm.FinishUnknown, ""
}

// longestWord limits the word for an unknown end that is shown.
const longestWord = 60

// writeFinish writes the first reason to end that is said, and reports whether it
// was an error. What is unknown is written with its word.
func (m *streamNormalizer) writeFinish(w *writer, d *delta) bool {
	if d.finish == nil { // of a chunk without a choice, or of a piece
		return false
	}
	word := d.finish.str()
	reason, class := finishReason(word)
	m.hollow = reason == "" && class == ""
	switch {
	case class != "":
		m.refuse(class, "the endpoint broke off: "+word)
		m.quotes()
		return true
	case m.hollow || m.finish != "":
		return false
	}
	m.finish = string(reason)
	m.source.within(usagePatience)
	w.members++
	w.out = append(w.out, `,"finish_reason":`...)
	if reason == llm.FinishUnknown {
		shown := []rune(m.private.line(word))
		w.out = append(w.out, quote(unknownEnd+string(shown[:min(len(shown), longestWord)]))...)
		return false
	}
	w.out = append(w.out, quote(m.finish)...)
	return false
}

// unknownEnd stands before the word for an unknown end in a canonical chunk.
const unknownEnd = string(llm.FinishUnknown) + ":"

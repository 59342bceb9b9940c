package chatapi

import (
	"slices"
	"strings"
)

// CacheMarks decide whether the parts of a request are marked that an endpoint is to cache.
type CacheMarks string

// The decisions. CacheAuto marks for the models of Anthropic behind OpenRouter and LiteLLM:
// they cache nothing else.
const (
	CacheAuto CacheMarks = ""
	CacheOff  CacheMarks = "off"
	CacheOn   CacheMarks = "markers"
)

// marks reports whether the parts of requests are marked.
func (m *Model) marks(h quirks) bool {
	switch {
	case h.noCache || m.config.Cache == CacheOff:
		return false
	case m.config.Cache == CacheOn:
		return true
	}
	return strings.Contains(strings.ToLower(m.config.Model), "claude") && (h.litellm || isHost(m.base, "openrouter.ai"))
}

const (
	cacheControl = "cache_control"
	cacheMark    = `"` + cacheControl + `":{"type":"ephemeral"}`
	markedLast   = 2 // messages at the end that are marked
)

// An edit replaces a part of a text.
type edit struct {
	from, to int
	by       string
}

// markForCache marks the system prompt, the last tool and the last two messages.
func markForCache(body []byte) []byte {
	var edits []edit
	var messages []value
	list := value(body).member("messages").members()
	for _, message, more := list.next(); more; _, message, more = list.next() {
		messages = append(messages, message)
	}
	left := markedLast
	for i, message := range slices.Backward(messages) {
		system := i == 0 && message.member("role").str() == "system"
		if !system && left == 0 {
			continue
		}
		if e, ok := markContent(body, message.member("content")); ok {
			edits = append(edits, e)
			if !system {
				left--
			}
		}
	}
	var last value
	tools := value(body).member("tools").members()
	for _, tool, more := tools.next(); more; _, tool, more = tools.next() {
		last = tool
	}
	if last.isObject() {
		end := offset(body, last) + len(last) - 1
		edits = append(edits, edit{end, end, "," + cacheMark})
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	out := make([]byte, 0, len(body)+len(edits)*96)
	done := 0
	for _, e := range edits {
		out = append(append(out, body[done:e.from]...), e.by...)
		done = e.to
	}
	return append(out, body[done:]...)
}

// markContent marks the text of a message, or the last part of one in parts.
func markContent(body []byte, content value) (edit, bool) {
	switch {
	case content.isString() && len(content) > len(`""`):
		at := offset(body, content)
		return edit{at, at + len(content), `[{"type":"text","text":` + string(content) + `,` + cacheMark + `}]`}, true
	case content.isArray():
		var last value
		parts := content.members()
		for _, part, more := parts.next(); more; _, part, more = parts.next() {
			last = part
		}
		if last.isObject() {
			end := offset(body, last) + len(last) - 1
			return edit{end, end, "," + cacheMark}, true
		}
	}
	return edit{}, false
}

package chatapi

import (
	"bytes"
	"encoding/json"
	"slices"
)

// ours are the fields of a message and of a call that an extra cannot set.
var ours = []string{
	"role", "content", "reasoning_content", "refusal", "tool_calls", "tool_call_id", "name", "function_call",
	"id", "type", "function", "index", originField,
}

// merge puts the extras, which are in the order of the messages, into a request.
// The body is as go-openai wrote it, and nothing else in it changes. An extra
// that is no JSON object is left out.
func merge(body []byte, extras []extra) []byte {
	messages := value(body).member("messages")
	if messages == nil {
		return body
	}
	var out bytes.Buffer
	copied := 0 // of body
	list := messages.members()
	for i := 0; len(extras) > 0; i++ {
		_, message, more := list.next()
		if !more {
			break
		}
		n := 0
		for n < len(extras) && extras[n].message == i {
			n++
		}
		if n == 0 {
			continue
		}
		at := offset(body, message)
		out.Write(body[copied:at])
		out.Write(mergeMessage(message, extras[:n]))
		copied = at + len(message)
		extras = extras[n:]
	}
	out.Write(body[copied:])
	return out.Bytes()
}

// offset returns where part begins in whole. part must be a plain slice of whole: the two
// then have the same capacity after part's first byte.
func offset(whole []byte, part value) int { return cap(whole) - cap(part) }

func mergeMessage(message value, extras []extra) []byte {
	text := bytes.Clone(message)
	for _, e := range extras {
		target := value(text)
		if e.call >= 0 {
			target = element(target.member("tool_calls"), e.call)
		}
		if added := additions(e.fields); target.isObject() && len(added) > 0 {
			end := offset(text, target) + len(target) - 1 // its brace
			text = slices.Insert(text, end, added...)
		}
	}
	return text
}

// element is the nth of an array.
func element(array value, n int) value {
	list := array.members()
	for i := 0; ; i++ {
		_, v, more := list.next()
		if !more || i == n {
			return v
		}
	}
}

// additions are the fields of an extra as they follow others in an object.
func additions(fields json.RawMessage) []byte {
	if !isObject(fields) {
		return nil
	}
	var out []byte
	list := value(bytes.TrimSpace(fields)).members()
	for key, v, more := list.next(); more; key, v, more = list.next() {
		if !slices.Contains(ours, string(key)) {
			out = append(append(append(append(out, ','), quote(string(key))...), ':'), v...)
		}
	}
	return out
}

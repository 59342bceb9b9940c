package chatapi

import (
	"bytes"
	"encoding/json"
)

// A delta is what one chunk adds to the answer, as its endpoint spells it.
type delta struct {
	content   value
	reasoning value
	details   value // reasoning_details
	thinking  value // thinking_blocks
	extra     value // extra_content
	refusal   value
	calls     value
	function  value // function_call, which calls were before
	finish    value
	usage     value
	whole     bool // it came as a message, in one piece
}

// object takes a chunk, or what is instead of one.
func (m *streamNormalizer) object(v value, name string) {
	var choices, usage, kind, failure, said value
	var answers bool // it has choices, if only none
	top := v.members()
	for key, member, more := top.next(); more; key, member, more = top.next() {
		switch string(key) {
		case "choices":
			choices, answers = member, true
		case "usage":
			usage = member
		case "x_groq":
			if usage.isNull() {
				usage = member.member("usage")
			}
		case "error":
			failure = member
		case "object", "type":
			if kind == nil || string(member) == `"error"` {
				kind = member
			}
		case "message", "detail", "errors", "msg":
			if !member.isObject() && !member.isNull() {
				said = member
			}
		}
	}
	switch {
	case top.broken:
		m.unreadable()
	case name == "error" || isFault(failure) || string(kind) == `"error"` || (!answers && said != nil):
		m.fault(v)
	case isPulse(name):
	default:
		m.chunk(choices, usage, answers)
	}
}

// isFault reports whether the member "error" describes an error.
func isFault(v value) bool {
	switch string(v) {
	case "", "null", "false", `""`, "{}", "[]", "0":
		return false
	}
	return true
}

// chunk takes the only choice that counts, the first.
func (m *streamNormalizer) chunk(choices, usage value, answers bool) {
	if answers {
		m.chunks++
	}
	d := delta{usage: usage}
	list := choices.members()
	for _, choice, more := list.next(); more; _, choice, more = list.next() {
		if n, numbered := choice.member("index").number(); numbered && n != 0 {
			continue
		}
		if failure := m.choice(&d, choice); failure {
			return
		}
		break
	}
	if list.broken {
		m.unreadable()
		return
	}
	m.write(&d)
}

// choice reads a choice into d and reports whether it is an error instead.
func (m *streamNormalizer) choice(d *delta, choice value) bool {
	var piece, message value
	fields := choice.members()
	for key, member, more := fields.next(); more; key, member, more = fields.next() {
		switch string(key) {
		case "delta":
			piece = member
		case "message":
			message = member
		case "finish_reason":
			d.finish = member
		case "usage":
			if d.usage.isNull() {
				d.usage = member
			}
		case "error":
			if isFault(member) {
				m.fault(choice)
				return true
			}
		}
	}
	if !piece.isObject() && message.isObject() {
		d.whole = true
		if !m.spoke { // else it only repeats what came in pieces
			piece = message
		}
	}
	inner := piece.members()
	for key, member, more := inner.next(); more; key, member, more = inner.next() {
		d.set(string(key), member)
	}
	if fields.broken || inner.broken {
		m.unreadable()
		return true
	}
	return false
}

func (d *delta) set(key string, member value) {
	if member.isNull() {
		return
	}
	switch key {
	case "content":
		d.content = member
	case "reasoning_content", "reasoning", "thinking":
		if len(d.reasoning) <= len(`""`) { // some send two of them, with the same text or none in one
			d.reasoning = member
		}
	case "reasoning_details":
		d.details = member
	case "thinking_blocks":
		d.thinking = member
	case "extra_content":
		d.extra = member
	case "refusal":
		d.refusal = member
	case "tool_calls":
		d.calls = member
	case "function_call":
		d.function = member
	}
}

// write writes in canonical form what d adds, if anything.
func (m *streamNormalizer) write(d *delta) {
	w := writer{out: append(m.out, `data: {"choices":[{"index":0,"delta":{`...)}
	m.writeText(&w, d)
	m.writeExtra(&w, "reasoning_details", d.details, value.isArray)
	m.writeExtra(&w, "thinking_blocks", d.thinking, value.isArray)
	m.writeExtra(&w, "extra_content", d.extra, value.isObject)
	m.writeCalls(&w, d)
	spoke := w.members > 0
	w.out = append(w.out, '}')
	if m.writeFinish(&w, d) {
		return // it was an error
	}
	w.out = append(w.out, "}]"...)
	writeUsage(&w, d.usage)
	m.whole = m.whole || d.whole
	m.spoke = m.spoke || spoke
	if w.members > 0 && m.err == nil {
		m.out = append(w.out, "}\n\n"...)
	}
}

func (m *streamNormalizer) writeText(w *writer, d *delta) {
	content, reasoning := d.content, d.reasoning
	if content.isArray() || content.isObject() {
		text, thoughts := parts(content)
		content = quote(text)
		if thoughts != "" {
			reasoning = quote(thoughts)
		}
	}
	if len(reasoning) <= len(`""`) && d.details != nil {
		reasoning = quote(detailText(d.details))
	}
	m.writeString(w, "reasoning_content", reasoning)
	m.writeString(w, "content", content)
	m.writeString(w, "refusal", d.refusal)
}

// writeString writes a member, unless it is empty. A half of a surrogate pair at
// its end is held back until its other half comes in the next one.
func (m *streamNormalizer) writeString(w *writer, field string, v value) {
	if inner := m.repaired(field, v); len(inner) > 0 {
		w.begin(field)
		w.out = append(w.out, '"')
		w.out = append(w.out, inner...)
		w.out = append(w.out, '"')
	}
}

// repaired returns the inside of a sound JSON string with the text of v.
func (m *streamNormalizer) repaired(field string, v value) []byte {
	if v.isNull() {
		return nil
	}
	if !v.isString() || !v.isSound() {
		v = quote(v.str())
	}
	inner := v[1 : len(v)-1]
	m.count(len(inner))
	if len(m.halves) > 0 && len(inner) > 0 {
		inner = append(m.halves[field], inner...)
		delete(m.halves, field)
	}
	if at := len(inner) - len(`\ud800`); at >= 0 && isHighHalf(inner, at) {
		if m.halves == nil {
			m.halves = make(map[string][]byte)
		}
		m.halves[field] = append([]byte(nil), inner[at:]...)
		inner = inner[:at]
	}
	return inner
}

// isHighHalf reports whether inner[at:] is the first half of an escaped surrogate
// pair.
func isHighHalf(inner []byte, at int) bool {
	if inner[at] != '\\' || inner[at+1] != 'u' {
		return false
	}
	escapes := 0
	for before := at - 1; before >= 0 && inner[before] == '\\'; before-- {
		escapes++
	}
	unit, ok := hexUnit(inner[at+2:])
	return ok && unit >= 0xd800 && unit < 0xdc00 && escapes%2 == 0
}

// writeExtra keeps what only the endpoint understands, if it is of its usual
// form.
func (m *streamNormalizer) writeExtra(w *writer, field string, v value, formed func(value) bool) {
	if v.isNull() || !formed(v) {
		return
	}
	var line bytes.Buffer // a chunk is one line
	if json.Compact(&line, v) != nil {
		return
	}
	m.count(line.Len())
	w.begin(field)
	w.out = append(w.out, line.Bytes()...)
}

// A writer writes the members of one delta.
type writer struct {
	out     []byte
	members int
}

func (w *writer) begin(field string) {
	if w.members > 0 {
		w.out = append(w.out, ',')
	}
	w.members++
	w.out = append(w.out, '"')
	w.out = append(w.out, field...)
	w.out = append(w.out, `":`...)
}

// quote is text as a JSON string.
func quote(text string) value {
	quoted, err := json.Marshal(text)
	if err != nil { // a string can always be encoded
		return value(`""`)
	}
	return quoted
}

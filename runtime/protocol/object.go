package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// object is a JSON object whose fields keep the order and the bytes in which the
// sender wrote them. Names are compared exactly, unlike in encoding/json.
type object []field

type field struct {
	name  string
	value json.RawMessage // compact
}

// readObject reads raw as an object. Of a name that is there twice the last
// value counts. ok is false if raw is anything else.
func readObject(raw json.RawMessage) (o object, ok bool) {
	if !json.Valid(raw) {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	at := map[string]int{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, false
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, false
		}
		f := field{name: name.(string), value: compact(value)}
		if i, twice := at[f.name]; twice {
			o[i] = f
			continue
		}
		at[f.name] = len(o)
		o = append(o, f)
	}
	return o, true
}

// get returns the value of a field; nil if it is not there.
func (o object) get(name string) json.RawMessage {
	for _, f := range o {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

// split parts the object into the named fields and the rest.
func (o object) split(names ...string) (named, rest object) {
	for _, f := range o {
		if slices.Contains(names, f.name) {
			named = append(named, f)
		} else {
			rest = append(rest, f)
		}
	}
	return named, rest
}

// without returns the object less the named fields.
func (o object) without(names ...string) object {
	_, rest := o.split(names...)
	return rest
}

// raw returns the object as JSON on one line, without HTML escapes; nil if it has no
// fields.
func (o object) raw() json.RawMessage {
	if len(o) == 0 {
		return nil
	}
	b := bytes.NewBufferString("{")
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(f.name))
		b.WriteByte(':')
		b.Write(f.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// encode returns v as JSON without escaping <, > and &: models read it.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		// Only our own types come here; that they encode is tested.
		panic(fmt.Sprintf("protocol: encode %T: %v", v, err))
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return raw
	}
	return b.Bytes()
}

// at returns the path of an item of a list.
func at(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// unwrapped returns the object or the list that a string holds as JSON, and any other value
// as it is. Some models write nested values so.
func unwrapped(raw json.RawMessage) json.RawMessage {
	s, ok := text(raw)
	if !ok {
		return raw
	}
	switch KindOf(json.RawMessage(s)) {
	case KindObject, KindList:
		return json.RawMessage(s)
	}
	return raw
}

// absent reports whether a value is missing: not there, null, or "". Blanks are present.
func absent(raw json.RawMessage) bool {
	switch strings.TrimSpace(string(raw)) {
	case "", "null", `""`:
		return true
	}
	return false
}

// text reads a JSON string.
func text(raw json.RawMessage) (string, bool) {
	var s *string
	if err := json.Unmarshal(raw, &s); err != nil || s == nil {
		return "", false
	}
	return *s, true
}

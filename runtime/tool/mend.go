package tool

import (
	"encoding/json"
	"fmt"
	"strings"

	"society-tui/runtime/protocol"
)

// Mend returns the arguments of a call with every argument under its own name and of its
// own kind, where a model has written a known other name, a number or true in quotes, a
// list or object as text, or a single value for a list. All else stays as it is.
func (s Spec) Mend(args json.RawMessage) json.RawMessage {
	if strings.TrimSpace(string(args)) == "" {
		return json.RawMessage("{}")
	}
	return s.parameters().mend(args)
}

// Read reads the arguments of a call into a value, mended.
func (s Spec) Read(args json.RawMessage, into any) error {
	if err := json.Unmarshal(s.Mend(args), into); err != nil {
		return fmt.Errorf("read the arguments of %s: %w", s.Name, err)
	}
	return nil
}

func (s Schema) mend(raw json.RawMessage) json.RawMessage {
	is := protocol.KindOf(raw)
	if s.free {
		return s.mendFree(raw, is)
	}
	var quoted string
	if is == protocol.KindString && s.kind != text && s.kind != "" {
		_ = json.Unmarshal(raw, &quoted) // its kind is known
		inner := json.RawMessage(strings.TrimSpace(quoted))
		if s.kind == boolean {
			inner = json.RawMessage(strings.ToLower(string(inner)))
		}
		if s.fits(protocol.KindOf(inner)) {
			raw, is = inner, protocol.KindOf(inner)
		}
	}
	switch {
	case s.kind == list && is != protocol.KindList && is != protocol.KindNull && s.items.fits(is):
		return encoded([]json.RawMessage{s.items.mend(raw)})
	case s.kind == list && is == protocol.KindList:
		var items []json.RawMessage
		_ = json.Unmarshal(raw, &items) // its kind is known
		for i := range items {
			items[i] = s.items.mend(items[i])
		}
		return encoded(items)
	case s.kind == object && is == protocol.KindObject:
		return s.mendFields(raw)
	}
	return raw
}

// mendFree reads the JSON that a model has put into a string.
func (s Schema) mendFree(raw json.RawMessage, is protocol.Key) json.RawMessage {
	var quoted string
	if is != protocol.KindString || json.Unmarshal(raw, &quoted) != nil || !json.Valid([]byte(quoted)) {
		return raw
	}
	inner := json.RawMessage(strings.TrimSpace(quoted))
	switch protocol.KindOf(inner) {
	case protocol.KindObject, protocol.KindList:
		return inner
	case protocol.KindString:
		return raw
	}
	if s.texts {
		return raw
	}
	return inner
}

func (s Schema) mendFields(raw json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields) // its kind is known
	for _, p := range s.fields {
		for _, alias := range p.aliases {
			value, there := fields[alias]
			if _, own := fields[p.name]; there && !own {
				fields[p.name] = value
				delete(fields, alias)
			}
		}
		if value, there := fields[p.name]; there {
			fields[p.name] = p.schema.mend(value)
		}
	}
	return encoded(fields)
}

// fits reports whether a value of a kind can be one of the schema's.
func (s Schema) fits(is protocol.Key) bool {
	switch s.kind {
	case integer, number:
		return is == protocol.KindNumber
	case boolean:
		return is == protocol.KindBoolean
	case list:
		return is == protocol.KindList
	case object:
		return is == protocol.KindObject
	}
	return is == protocol.KindString
}

func encoded(value any) json.RawMessage {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("tool: what was decoded cannot be encoded: %v", err))
	}
	return raw
}

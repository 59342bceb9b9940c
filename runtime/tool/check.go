package tool

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"society-tui/runtime/protocol"
)

// Check returns all that is wrong with the arguments of a call as Mend leaves them, nil for
// nothing. null counts as left out.
func (s Spec) Check(args json.RawMessage) *protocol.Reason {
	args = s.Mend(args)
	if protocol.KindOf(args) != protocol.KindObject {
		return protocol.Because(protocol.BadArguments, s.Name, protocol.Because(protocol.NoArguments, protocol.KindOf(args)))
	}
	if wrong := s.parameters().wrong("", args); wrong != nil {
		return protocol.Because(protocol.BadArguments, s.Name, wrong)
	}
	return nil
}

// wrong returns what is wrong with the value of a field.
func (s Schema) wrong(path string, raw json.RawMessage) protocol.Reasons {
	is := protocol.KindOf(raw)
	mustBe := func(want protocol.Key) protocol.Reasons {
		return protocol.Reasons{protocol.Because(protocol.MustBe, path, want, is)}
	}
	switch {
	case s.free:
	case s.kind == object && is != protocol.KindObject:
		return mustBe(protocol.KindObject)
	case s.kind == object:
		return s.wrongFields(path, raw)
	case s.kind == list && is != protocol.KindList:
		return mustBe(protocol.KindList)
	case s.kind == list:
		return s.wrongItems(path, raw)
	case s.kind == integer:
		var f float64
		if is != protocol.KindNumber || json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) {
			return mustBe(protocol.KindWhole)
		}
	case s.kind == number && is != protocol.KindNumber:
		return mustBe(protocol.KindNumber)
	case s.kind == number:
	case s.kind == boolean && is != protocol.KindBoolean:
		return mustBe(protocol.KindBoolean)
	case s.kind == boolean:
	case is != protocol.KindString:
		return mustBe(protocol.KindString)
	case s.oneOf != nil:
		var value string
		_ = json.Unmarshal(raw, &value) // its kind is known
		if !slices.Contains(s.oneOf, value) {
			return protocol.Reasons{protocol.Because(protocol.MustBeOneOf, path, protocol.Names(s.oneOf), value)}
		}
	}
	return nil
}

func (s Schema) wrongFields(path string, raw json.RawMessage) (wrong protocol.Reasons) {
	if path != "" {
		path += "."
	}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields) // its kind is known
	for _, p := range s.fields {
		switch value, there := fields[p.name]; {
		case there && protocol.KindOf(value) != protocol.KindNull:
			wrong = append(wrong, p.schema.wrong(path+p.name, value)...)
		case p.required:
			wrong = append(wrong, protocol.Because(protocol.Missing, path+p.name))
		}
	}
	return wrong
}

func (s Schema) wrongItems(path string, raw json.RawMessage) (wrong protocol.Reasons) {
	var items []json.RawMessage
	_ = json.Unmarshal(raw, &items) // its kind is known
	for i, item := range items {
		wrong = append(wrong, s.items.wrong(path+"["+strconv.Itoa(i)+"]", item)...)
	}
	return wrong
}

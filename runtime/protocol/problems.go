package protocol

import (
	"encoding/json"
	"slices"
	"strings"
)

// problems gathers all that is wrong with an input, so that it can be corrected in one go. Paths are as the sender wrote the fields: "taskBrief.objective".
type problems struct {
	lang    Lang
	missing []string
	errors  []string
	nobody  string // the id of an introduced agent that is not there
}

func (p *problems) any() bool { return len(p.missing)+len(p.errors) > 0 }

func (p *problems) wrong(key Key, args ...any) {
	p.errors = append(p.errors, Sentence(p.lang, key, args...))
}

func (p *problems) mustBe(want Key, path string, raw json.RawMessage) {
	p.wrong(MustBe, path, want, KindOf(raw))
}

// required reads a string that must be there.
func (p *problems) required(o object, prefix, name string) string {
	if absent(o.get(name)) {
		p.missing = append(p.missing, prefix+name)
		return ""
	}
	return p.optional(o, prefix, name)
}

// optional reads a string that may be absent.
func (p *problems) optional(o object, prefix, name string) string {
	raw := o.get(name)
	if absent(raw) {
		return ""
	}
	s, ok := text(raw)
	if !ok {
		p.mustBe(KindString, prefix+name, raw)
	}
	return s
}

// texts reads a list of strings that may be absent. It is not nil if it is there.
func (p *problems) texts(o object, prefix, name string) []string {
	raw := o.get(name)
	if absent(raw) {
		return nil
	}
	items, ok := p.list(raw, prefix+name, KindStrings)
	if !ok {
		return nil
	}
	list := []string{}
	for i, item := range items {
		s, ok := text(item)
		if !ok {
			p.mustBe(KindString, at(prefix+name, i), item)
		}
		list = append(list, s)
	}
	return list
}

func (p *problems) list(raw json.RawMessage, path string, of Key) ([]json.RawMessage, bool) {
	var items []json.RawMessage
	if err := json.Unmarshal(unwrapped(raw), &items); err != nil {
		p.mustBe(of, path, raw)
		return nil, false
	}
	return items, true
}

func (p *problems) object(raw json.RawMessage, path string) (object, bool) {
	o, ok := readObject(unwrapped(raw))
	if !ok {
		p.mustBe(KindObject, path, raw)
	}
	return o, ok
}

// interfaceSpec reads an interface specification under either of its names.
func (p *problems) interfaceSpec(o object, prefix string) *InterfaceSpec {
	name := "interfaceSpec"
	if absent(o.get(name)) && !absent(o.get("interface_spec")) {
		name = "interface_spec"
	}
	raw := o.get(name)
	if absent(raw) {
		return nil
	}
	inner, ok := p.object(raw, prefix+name)
	if !ok {
		return nil
	}
	prefix += name + "."
	return &InterfaceSpec{
		Services:     p.optional(inner, prefix, "services"),
		InputFormat:  p.optional(inner, prefix, "input_format"),
		OutputFormat: p.optional(inner, prefix, "output_format"),
		Examples:     p.texts(inner, prefix, "examples"),
	}
}

// all returns everything that is wrong, in one line.
func (p *problems) all() string {
	all := slices.Clone(p.errors)
	if len(p.missing) > 0 {
		all = slices.Insert(all, 0, Sentence(p.lang, Missing, Names(p.missing)))
	}
	return joined(p.lang, all)
}

// KindOf names the JSON type of a value, for an error.
func KindOf(raw json.RawMessage) Key {
	switch s := strings.TrimSpace(string(raw)); {
	case s == "":
		return KindNothing
	case !json.Valid(raw):
		return KindInvalid
	case s == "null":
		return KindNull
	case s == "true" || s == "false":
		return KindBoolean
	case s[0] == '"':
		return KindString
	case s[0] == '{':
		return KindObject
	case s[0] == '[':
		return KindList
	}
	return KindNumber
}

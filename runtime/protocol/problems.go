package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
)

// problems gathers all that is wrong with an input, so that it can be mended at
// once. Paths are as the sender wrote the fields: "taskBrief.objective".
type problems struct {
	missing []string
	errors  []string
	nobody  string // the id of an introduced agent that is not there
}

func (p *problems) any() bool { return len(p.missing)+len(p.errors) > 0 }

func (p *problems) errorf(format string, args ...any) {
	p.errors = append(p.errors, fmt.Sprintf(format, args...))
}

// required reads a string that must be there.
func (p *problems) required(o object, prefix, name string) string {
	raw := o.get(name)
	if absent(raw) {
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
		p.errorf("%s%s must be a string, not %s", prefix, name, kindOf(raw))
	}
	return s
}

// texts reads a list of strings that may be absent. It is not nil if it is there.
func (p *problems) texts(o object, prefix, name string) []string {
	raw := o.get(name)
	if absent(raw) {
		return nil
	}
	items, ok := p.list(raw, prefix+name, "strings")
	if !ok {
		return nil
	}
	list := []string{}
	for i, item := range items {
		s, ok := text(item)
		if !ok {
			p.errorf("%s%s[%d] must be a string, not %s", prefix, name, i, kindOf(item))
		}
		list = append(list, s)
	}
	return list
}

func (p *problems) list(raw json.RawMessage, path, of string) ([]json.RawMessage, bool) {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		p.errorf("%s must be a list of %s, not %s", path, of, kindOf(raw))
		return nil, false
	}
	return items, true
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
	inner, ok := readObject(raw)
	if !ok {
		p.errorf("%s%s must be an object, not %s", prefix, name, kindOf(raw))
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

// sentence says what is wrong and so what to do, in one line.
func (p *problems) sentence(what string) string {
	var parts []string
	if len(p.missing) > 0 {
		parts = append(parts, "missing: "+strings.Join(p.missing, ", "))
	}
	parts = append(parts, p.errors...)
	return what + ": " + strings.Join(parts, "; ") + ". Mend this and call again."
}

// kindOf names the JSON type of a value for an error.
func kindOf(raw json.RawMessage) string {
	switch s := strings.TrimSpace(string(raw)); {
	case s == "":
		return "nothing"
	case !json.Valid(raw):
		return "invalid JSON"
	case s == "null":
		return "null"
	case s == "true" || s == "false":
		return "a boolean"
	case s[0] == '"':
		return "a string"
	case s[0] == '{':
		return "an object"
	case s[0] == '[':
		return "a list"
	}
	return "a number"
}

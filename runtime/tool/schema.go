package tool

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// A Schema describes a value to a model. It can express only what every known endpoint
// accepts. Some refuse a value without a type, a choice of types, a reference or a bound,
// so bounds belong in the description. The zero Schema describes a string.
type Schema struct {
	kind        kind
	description string
	oneOf       []string   // of a string: its possible values
	free        bool       // it may be of any kind, and is described as a string
	texts       bool       // of a free one: a string is among what it may be
	items       *Schema    // of an array
	fields      []Property // of an object
}

// A Property is a field of an object, or an argument of a tool.
type Property struct {
	name     string
	required bool
	schema   Schema
	aliases  []string // other names that models have for it
}

// kind is the JSON type of a value.
type kind string

const (
	text    kind = "string"
	integer kind = "integer"
	number  kind = "number"
	boolean kind = "boolean"
	list    kind = "array"
	object  kind = "object"
)

// Must returns a property that has to be there.
func Must(name string, s Schema) Property { return Property{name: name, required: true, schema: s} }

// May returns a property that can be left out.
func May(name string, s Schema) Property { return Property{name: name, schema: s} }

// Or returns the property with other names under which models write it. They are
// understood, and not described.
func (p Property) Or(aliases ...string) Property {
	p.aliases = aliases
	return p
}

// Text describes a string.
func Text(description string) Schema { return Schema{kind: text, description: description} }

// OneOf describes a string that is one of some values.
func OneOf[T ~string](description string, values ...T) Schema {
	s := Text(description)
	for _, v := range values {
		s.oneOf = append(s.oneOf, string(v))
	}
	return s
}

// Whole describes a whole number.
func Whole(description string) Schema { return Schema{kind: integer, description: description} }

// Number describes a number that need not be whole.
func Number(description string) Schema { return Schema{kind: number, description: description} }

// Free describes a value of any kind. It is described as a string, because endpoints demand a
// kind: a model writes its JSON. An object or a list in a string is read as that, and so is any
// other JSON unless a string is among what the value may be.
func Free(description string, texts bool) Schema {
	return Schema{kind: text, description: description, free: true, texts: texts}
}

// YesNo describes true or false.
func YesNo(description string) Schema { return Schema{kind: boolean, description: description} }

// List describes a list of values.
func List(description string, items Schema) Schema {
	return Schema{kind: list, description: description, items: &items}
}

// Texts describes a list of strings.
func Texts(description string) Schema { return List(description, Text("")) }

// Object describes an object, with its fields in the order in which a model is to
// write them. There is at least one: some endpoints refuse an object without any.
func Object(description string, first Property, more ...Property) Schema {
	return Schema{kind: object, description: description, fields: append([]Property{first}, more...)}
}

// MarshalJSON writes the schema as JSON Schema. An object with fields lists which are
// required, even if none is: some endpoints demand the list, and refuse one where
// there are no fields.
func (s Schema) MarshalJSON() ([]byte, error) {
	out := ordered{{"type", cmp.Or(s.kind, text)}}
	if s.description != "" {
		out = append(out, member{"description", s.description})
	}
	switch {
	case len(s.oneOf) > 0:
		out = append(out, member{"enum", s.oneOf})
	case s.kind == list:
		out = append(out, member{"items", s.items})
	case s.kind == object:
		fields, required := ordered{}, []string{}
		for _, p := range s.fields {
			fields = append(fields, member{p.name, p.schema})
			if p.required {
				required = append(required, p.name)
			}
		}
		out = append(out, member{"properties", fields})
		if len(fields) > 0 {
			out = append(out, member{"required", required})
		}
	}
	return json.Marshal(out)
}

// ordered is a JSON object whose members keep their order.
type ordered []member

type member struct {
	name  string
	value any
}

func (o ordered) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, fmt.Errorf("schema: %w", err)
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, fmt.Errorf("schema: %w", err)
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

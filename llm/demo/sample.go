package demo

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// deepest bounds how deep a sample goes: a schema may refer to itself.
const deepest = 12

// A shape is what a sample heeds of a JSON Schema.
type shape struct {
	Type       any               `json:"type"` // a word, or several
	Properties map[string]*shape `json:"properties"`
	Required   *[]string         `json:"required"`
	Items      *shape            `json:"items"`
	Least      int               `json:"minItems"`
	Minimum    *float64          `json:"minimum"`
	Enum       []any             `json:"enum"`
	Const      any               `json:"const"`
	AnyOf      []*shape          `json:"anyOf"`
	OneOf      []*shape          `json:"oneOf"`
	AllOf      []*shape          `json:"allOf"`
	Ref        string            `json:"$ref"`
	Defs       map[string]*shape `json:"$defs"`
	Old        map[string]*shape `json:"definitions"`
}

// sample returns a value that a schema allows, in JSON. Strings are the text, so that the answer
// is still to be read.
func sample(schema json.RawMessage, text string) string {
	var root *shape
	if json.Unmarshal(schema, &root) != nil || root == nil {
		return "{}"
	}
	return encode(root.value(root, text, 0))
}

// value returns a value of the shape. What is not required and cannot end is left out.
func (s *shape) value(root *shape, text string, depth int) any {
	if s == nil || depth > deepest {
		return nil
	}
	if s.Ref != "" {
		return root.named(s.Ref).value(root, text, depth+1)
	}
	switch {
	case s.Const != nil:
		return s.Const
	case len(s.Enum) > 0:
		return s.Enum[0]
	}
	for _, list := range [][]*shape{s.AnyOf, s.OneOf, s.AllOf} {
		if len(list) > 0 {
			return list[0].value(root, text, depth+1)
		}
	}
	switch s.kind() {
	case "string":
		return text
	case "integer", "number":
		if s.Minimum != nil {
			return *s.Minimum
		}
		return 0
	case "boolean":
		return true
	case "array":
		list := []any{}
		for range max(min(s.Least, deepest), 1) {
			if v := s.Items.value(root, text, depth+1); v != nil {
				list = append(list, v)
			}
		}
		return list
	case "object":
		return s.object(root, text, depth)
	}
	return nil
}

func (s *shape) object(root *shape, text string, depth int) map[string]any {
	object := map[string]any{}
	names := slices.Sorted(maps.Keys(s.Properties))
	if s.Required != nil && depth > 0 {
		names = *s.Required
	}
	for _, name := range names {
		if v := s.Properties[name].value(root, text, depth+1); v != nil || s.Properties[name].kind() == "null" {
			object[name] = v
		}
	}
	return object
}

// kind returns the type of a shape, the first of several, or what it must be by its other parts.
func (s *shape) kind() string {
	switch t := s.Type.(type) {
	case string:
		return t
	case []any:
		if word, ok := append(t, "")[0].(string); ok {
			return word
		}
	}
	switch {
	case s.Properties != nil:
		return "object"
	case s.Items != nil:
		return "array"
	}
	return ""
}

// named finds the shape that a reference within the schema names.
func (s *shape) named(ref string) *shape {
	if ref == "#" {
		return s
	}
	if name, found := strings.CutPrefix(ref, "#/$defs/"); found {
		return s.Defs[name]
	}
	name, _ := strings.CutPrefix(ref, "#/definitions/")
	return s.Old[name]
}

func encode(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // plain values
	return strings.TrimSuffix(b.String(), "\n")
}

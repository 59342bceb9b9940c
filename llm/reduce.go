package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Schema is a JSON Schema in the subset that every known endpoint takes.
type Schema struct {
	Type        string
	Description string
	Enum        []string   // of a string
	Items       *Schema    // of an array
	Properties  []Property // of an object
	// Any is set for a value that may be of several kinds: it is described as a string, because
	// endpoints demand one kind. Texts is set if a string is among what it may be.
	Any, Texts bool
}

// A Property is a field of an object.
type Property struct {
	Name     string
	Required bool
	Schema   Schema
}

// MarshalJSON writes the schema as JSON Schema, its properties in order.
func (s Schema) MarshalJSON() ([]byte, error) {
	out := []byte(`{"type":`)
	add := func(before string, v any) error {
		text, err := json.Marshal(v)
		out = append(append(out, before...), text...)
		return err
	}
	err := add("", s.Type)
	if s.Description != "" {
		err = errors.Join(err, add(`,"description":`, s.Description))
	}
	if len(s.Enum) > 0 {
		err = errors.Join(err, add(`,"enum":`, s.Enum))
	}
	if s.Items != nil {
		err = errors.Join(err, add(`,"items":`, s.Items))
	}
	if s.Type == "object" {
		out = append(out, `,"properties":{`...)
		required := []string{}
		for i, p := range s.Properties {
			if i > 0 {
				out = append(out, ',')
			}
			err = errors.Join(err, add("", p.Name), add(":", p.Schema))
			if p.Required {
				required = append(required, p.Name)
			}
		}
		out = append(out, '}')
		if len(s.Properties) > 0 { // some endpoints demand the list, others refuse it where there are no fields
			err = errors.Join(err, add(`,"required":`, required))
		}
	}
	return append(out, '}'), err
}

// Bounds of schemas, against those that grow without end where their references are followed.
const (
	mostSchemas = 2000
	deepest     = 12
)

// Errors of ReduceSchema.
var (
	ErrNoObject = errors.New("it is not the schema of an object")
	ErrTooLarge = errors.New("it has too many parts")
)

// ReduceSchema returns a decoded JSON Schema of the arguments of a tool in the subset that
// every known endpoint takes. References are followed, alternatives put together, and what the
// subset cannot say is said in descriptions, or left to whoever checks the arguments. Of an
// object those properties come first that are required, then in the order of their names.
func ReduceSchema(schema any) (Schema, error) {
	root, ok := schema.(map[string]any)
	if schema == nil {
		root, ok = map[string]any{}, true
	}
	if !ok {
		return Schema{}, ErrNoObject
	}
	r := &reducer{root: root, left: mostSchemas}
	whole := r.merged(root, []string{"#"}, 0)
	if types := typesOf(whole); len(types) > 0 && !slices.Contains(types, "object") {
		return Schema{}, ErrNoObject
	}
	reduced := Schema{Type: "object", Properties: r.fields(whole, []string{"#"}, 0)}
	if r.left <= 0 {
		return Schema{}, ErrTooLarge
	}
	return reduced, nil
}

// ReducedParameters returns the parameters of a tool as every known endpoint takes them. Of
// what is no schema of an object nothing is left.
func ReducedParameters(parameters json.RawMessage) json.RawMessage {
	if CheckSchema(parameters) == nil {
		return parameters
	}
	var decoded any
	reduced, text := Schema{Type: "object"}, json.RawMessage(nil)
	if json.Unmarshal(parameters, &decoded) == nil {
		if s, err := ReduceSchema(decoded); err == nil {
			reduced = s
		}
	}
	text, err := json.Marshal(reduced)
	if err != nil {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return text
}

// A reducer reduces one schema.
type reducer struct {
	root map[string]any
	left int // schemas that it may still look at
}

// fields returns the properties of an object.
func (r *reducer) fields(s map[string]any, refs []string, depth int) []Property {
	all, _ := s["properties"].(map[string]any)
	required := textsOf(s["required"])
	var properties []Property
	for _, name := range slices.Sorted(maps.Keys(all)) {
		properties = append(properties, Property{
			Name: name, Required: slices.Contains(required, name), Schema: r.value(all[name], refs, depth+1),
		})
	}
	slices.SortStableFunc(properties, func(a, b Property) int { return rank(b.Required) - rank(a.Required) })
	return properties
}

func rank(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// anything describes a value of any kind.
func anything(description string, texts bool) Schema {
	return Schema{Type: "string", Description: description, Any: true, Texts: texts}
}

// value reduces the schema of a value.
func (r *reducer) value(schema any, refs []string, depth int) Schema {
	r.left--
	s, ok := schema.(map[string]any)
	if !ok || r.left <= 0 || depth > deepest {
		return anything("", true)
	}
	if ref, _ := s["$ref"].(string); ref != "" {
		if slices.Contains(refs, ref) { // it holds itself
			return anything(described(s), false)
		}
		refs = append(slices.Clip(refs), ref)
	}
	s = r.merged(s, refs, depth)
	said := described(s)
	types := typesOf(s)
	if len(types) != 1 {
		return anything(strings.TrimSpace(said+kinds(types)), len(types) == 0 || slices.Contains(types, "string"))
	}
	reduced := Schema{Type: types[0], Description: said}
	switch types[0] {
	case "string":
		reduced.Enum = enumOf(s)
	case "array":
		items := r.value(s["items"], refs, depth+1)
		reduced.Items = &items
	case "object":
		reduced.Properties = r.fields(s, refs, depth)
		if len(reduced.Properties) == 0 { // any fields: endpoints refuse an object without some
			return anything(strings.TrimSpace(said+kinds(types)), false)
		}
	}
	return reduced
}

// merged returns a schema with what it refers to, and with its parts and alternatives put
// together. An alternative is kept where all are of one kind; else the kinds are listed.
func (r *reducer) merged(s map[string]any, refs []string, depth int) map[string]any {
	r.left--
	if r.left <= 0 || depth > deepest {
		return map[string]any{}
	}
	out := maps.Clone(s)
	delete(out, "$ref")
	if ref, _ := s["$ref"].(string); ref != "" {
		put(out, r.merged(r.at(ref), append(slices.Clip(refs), ref), depth+1))
	}
	for _, part := range schemasOf(s["allOf"]) {
		if p, ok := r.part(part, refs, depth); ok {
			put(out, p)
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		var alternatives []map[string]any
		for _, part := range schemasOf(s[keyword]) {
			p, ok := r.part(part, refs, depth)
			if types, has := p["type"].(string); ok && !(has && types == "null") {
				alternatives = append(alternatives, p)
			}
		}
		if len(alternatives) > 0 {
			put(out, either(alternatives))
		}
	}
	return out
}

// part is a part of a schema, false for one that leads back to what it is part of.
func (r *reducer) part(s map[string]any, refs []string, depth int) (map[string]any, bool) {
	ref, _ := s["$ref"].(string)
	if ref != "" && slices.Contains(refs, ref) {
		return nil, false
	}
	return r.merged(s, refs, depth+1), true
}

// at returns the schema that a reference within the same document names, an empty one if there
// is none.
func (r *reducer) at(ref string) map[string]any {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return map[string]any{}
	}
	var here any = r.root
	for step := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if path == "" {
			break
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch in := here.(type) {
		case map[string]any:
			here = in[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(in) {
				return map[string]any{}
			}
			here = in[i]
		default:
			return map[string]any{}
		}
	}
	s, _ := here.(map[string]any)
	return s
}

// put adds to a schema what another says and it does not; properties and required fields of
// both count.
func put(s, more map[string]any) {
	for key, value := range more {
		switch was, there := s[key]; {
		case !there:
			s[key] = value
		case key == "properties":
			all, _ := was.(map[string]any)
			others, _ := value.(map[string]any)
			both := maps.Clone(others)
			maps.Copy(both, all)
			s[key] = both
		case key == "required":
			s[key] = append(slices.Clip(anysOf(was)), anysOf(value)...)
		}
	}
}

// either returns a schema that all alternatives fit. Of objects only the fields that all
// require are required.
func either(alternatives []map[string]any) map[string]any {
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	var types []any
	var values []any
	properties, closed := map[string]any{}, true
	required := anysOf(alternatives[0]["required"])
	for _, a := range alternatives {
		for _, t := range typesOf(a) {
			if !slices.Contains(types, any(t)) {
				types = append(types, t)
			}
		}
		if len(typesOf(a)) == 0 {
			return map[string]any{} // anything
		}
		own := enumOf(a)
		closed = closed && len(own) > 0
		for _, v := range own {
			values = append(values, v)
		}
		fields, _ := a["properties"].(map[string]any)
		for name, f := range fields {
			if _, there := properties[name]; !there {
				properties[name] = f
			}
		}
		mine := anysOf(a["required"])
		required = slices.DeleteFunc(slices.Clone(required), func(name any) bool { return !slices.Contains(mine, name) })
	}
	out := map[string]any{"type": types}
	if len(types) == 1 && types[0] == "array" {
		out["items"] = alternatives[0]["items"]
	}
	if closed {
		out["enum"] = values
	}
	if len(properties) > 0 {
		out["properties"], out["required"] = properties, required
	}
	return out
}

// typesOf returns the kinds of value that a schema allows, without null. If it names none they
// are guessed from what else it says.
func typesOf(s map[string]any) []string {
	var types []string
	switch t := s["type"].(type) {
	case string:
		types = []string{t}
	case []any:
		types = textsOf(t)
	}
	types = slices.DeleteFunc(types, func(t string) bool {
		return !slices.Contains([]string{"string", "integer", "number", "boolean", "array", "object"}, t)
	})
	if slices.Contains(types, "number") {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
	}
	_, object := s["properties"]
	_, array := s["items"]
	switch {
	case len(types) > 0:
		return slices.Compact(slices.Sorted(slices.Values(types)))
	case object:
		return []string{"object"}
	case array:
		return []string{"array"}
	case len(enumOf(s)) > 0:
		return []string{"string"}
	}
	return nil
}

// enumOf returns the possible values of a string, nil for any, or if one of them is no string.
func enumOf(s map[string]any) []string {
	values, ok := s["enum"].([]any)
	if c, there := s["const"]; there {
		values, ok = []any{c}, true
	}
	if !ok {
		return nil
	}
	var texts []string
	for _, v := range values {
		text, ok := v.(string)
		switch {
		case v == nil: // null is said by leaving it out
		case !ok:
			return nil
		case !slices.Contains(texts, text):
			texts = append(texts, text)
		}
	}
	return texts
}

// told are the keywords that the subset has not, and that help a model: they are added to the
// description as they are.
var told = []string{
	"format", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "default",
}

// longestNote limits, in bytes, what is told of one keyword.
const longestNote = 200

// described returns the description of a value, with what the subset has no keyword for.
func described(s map[string]any) string {
	said, _ := s["description"].(string)
	if said == "" {
		said, _ = s["title"].(string)
	}
	said = strings.TrimSpace(said)
	var notes []string
	note := func(of ...any) {
		text := strings.Join(strings.Fields(fmt.Sprint(of...)), " ")
		notes = append(notes, strings.ToValidUTF8(text[:min(len(text), longestNote)], ""))
	}
	for _, key := range told {
		switch v := s[key].(type) {
		case string, float64, bool:
			note(key, " ", v)
		}
	}
	if values, ok := s["enum"].([]any); ok && len(enumOf(s)) == 0 {
		note("one of ", values)
	}
	if len(notes) > 0 {
		said = strings.TrimSpace(said + " (" + strings.Join(notes, "; ") + ")")
	}
	return said
}

// kinds names the kinds of value of one that can be of several.
func kinds(types []string) string {
	if len(types) == 0 {
		return " (JSON)"
	}
	return " (JSON: " + strings.Join(types, " | ") + ")"
}

func schemasOf(v any) []map[string]any {
	var all []map[string]any
	for _, one := range anysOf(v) {
		if s, ok := one.(map[string]any); ok {
			all = append(all, s)
		}
	}
	return all
}

func anysOf(v any) []any {
	all, _ := v.([]any)
	return all
}

func textsOf(v any) []string {
	var texts []string
	for _, one := range anysOf(v) {
		if text, ok := one.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

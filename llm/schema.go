package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A schema is a JSON Schema in the subset that every known endpoint takes.
type schema struct {
	Type        string             `json:"type"`
	Description *string            `json:"description"`
	Properties  map[string]*schema `json:"properties"`
	Required    *[]string          `json:"required"`
	Items       *schema            `json:"items"`
	Enum        *[]string          `json:"enum"`
}

// CheckSchema returns the first thing in the parameters of a tool that some endpoint
// answers with 400: what is no object, a value without a type or of several, a list of
// required fields that is missing or names others, an inner object without properties, and
// every keyword but type, description, properties, required, items and enum.
func CheckSchema(parameters json.RawMessage) error {
	var s *schema
	decoder := json.NewDecoder(bytes.NewReader(parameters))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s); err != nil {
		return fmt.Errorf("parse the schema: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("something stands behind the schema")
	}
	if s == nil || s.Type != "object" {
		return errors.New("the schema is not of an object")
	}
	return s.check("parameters")
}

func (s *schema) check(path string) error {
	if s == nil {
		return fmt.Errorf("%s has no schema", path)
	}
	switch {
	case s.Properties != nil && s.Type != "object", s.Required != nil && s.Type != "object", s.Items != nil && s.Type != "array", s.Enum != nil && s.Type != "string":
		return fmt.Errorf("%s is of type %q and has what another type has", path, s.Type)
	}
	switch s.Type {
	case "string":
		if s.Enum != nil && len(*s.Enum) == 0 {
			return fmt.Errorf("%s has no possible values", path)
		}
	case "integer", "number", "boolean":
	case "array":
		return s.Items.check(path + "[]")
	case "object":
		return s.checkFields(path)
	default:
		return fmt.Errorf("%s is of type %q", path, s.Type)
	}
	return nil
}

func (s *schema) checkFields(path string) error {
	switch {
	case s.Properties == nil:
		return fmt.Errorf("%s lists no properties", path)
	case len(s.Properties) == 0 && path != "parameters":
		return fmt.Errorf("%s says nothing of its fields", path)
	case (s.Required != nil) != (len(s.Properties) > 0):
		return fmt.Errorf("%s has %d properties, but its list of those required is there: %t", path, len(s.Properties), s.Required != nil)
	}
	if s.Required != nil {
		for i, name := range *s.Required {
			if s.Properties[name] == nil || slices.Contains((*s.Required)[:i], name) {
				return fmt.Errorf("%s requires %q, which is no property, or twice", path, name)
			}
		}
	}
	for name, field := range s.Properties {
		if err := field.check(path + "." + name); err != nil {
			return err
		}
	}
	return nil
}

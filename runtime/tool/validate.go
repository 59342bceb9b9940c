package tool

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// Validate says what is wrong with the arguments of a call, nil for nothing.
func Validate(s Spec, args json.RawMessage) error {
	var value any
	if err := json.Unmarshal(args, &value); err != nil {
		return fmt.Errorf("they are not JSON (%w)", err)
	}
	if _, ok := value.(map[string]any); !ok {
		return fmt.Errorf("they must be a JSON object")
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(s.Parameters, &schema); err != nil {
		return fmt.Errorf("the schema of %s cannot be read: %w", s.Name, err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return fmt.Errorf("the schema of %s cannot be resolved: %w", s.Name, err)
	}
	return resolved.Validate(value)
}

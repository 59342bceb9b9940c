package tool

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// A Checker checks the arguments of the calls of one tool. It does not change
// once it is made, and may be used from any goroutine.
type Checker struct {
	schema *jsonschema.Resolved
	err    error // why there is no schema
}

// CheckerOf reads the schema of a tool, which takes longer than many checks: who
// checks again and again keeps the Checker. Of a schema with a mistake no
// arguments are right.
func CheckerOf(s Spec) *Checker {
	var schema jsonschema.Schema
	if err := json.Unmarshal(s.Parameters, &schema); err != nil {
		return &Checker{err: fmt.Errorf("the schema of %s cannot be read: %w", s.Name, err)}
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return &Checker{err: fmt.Errorf("the schema of %s cannot be resolved: %w", s.Name, err)}
	}
	return &Checker{schema: resolved}
}

// Check says what is wrong with the arguments of a call, nil for nothing.
func (c *Checker) Check(args json.RawMessage) error {
	var value any
	if err := json.Unmarshal(args, &value); err != nil {
		return fmt.Errorf("they are not JSON (%w)", err)
	}
	if _, ok := value.(map[string]any); !ok {
		return errors.New("they must be a JSON object")
	}
	if c.err != nil {
		return c.err
	}
	return c.schema.Validate(value)
}

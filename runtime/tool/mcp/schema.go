package mcp

import (
	"fmt"

	"society-tui/llm"
	"society-tui/runtime/tool"
)

// parameters returns the arguments that the schema of a tool describes, in the subset of JSON
// Schema that endpoints take. What that cannot say is left to the server, which checks its
// arguments itself.
func parameters(schema any) ([]tool.Property, error) {
	reduced, err := llm.ReduceSchema(schema)
	if err != nil {
		return nil, err
	}
	return properties(reduced.Properties)
}

// properties returns the fields of an object. One that need not be there and whose name cannot
// be shown is left out.
func properties(of []llm.Property) ([]tool.Property, error) {
	var all []tool.Property
	for _, p := range of {
		unfit := p.Name == "" || len(p.Name) > 200 || clean(p.Name, 200) != p.Name
		switch {
		case unfit && p.Required:
			return nil, fmt.Errorf("the name of the argument %q cannot be shown", line(p.Name, 100))
		case unfit:
		case p.Required:
			all = append(all, tool.Must(p.Name, value(p.Schema)))
		default:
			all = append(all, tool.May(p.Name, value(p.Schema)))
		}
	}
	return all, nil
}

// value returns the schema of a value.
func value(of llm.Schema) tool.Schema {
	said := clean(of.Description, descriptionBytes)
	switch {
	case of.Any:
		return tool.Free(said, of.Texts)
	case len(of.Enum) > 0:
		return tool.OneOf(said, of.Enum...)
	}
	switch of.Type {
	case "integer":
		return tool.Whole(said)
	case "number":
		return tool.Number(said)
	case "boolean":
		return tool.YesNo(said)
	case "array":
		return tool.List(said, value(*of.Items))
	case "object":
		fields, err := properties(of.Properties)
		if err != nil || len(fields) == 0 {
			return tool.Free(said, false)
		}
		return tool.Object(said, fields[0], fields[1:]...)
	}
	return tool.Text(said)
}

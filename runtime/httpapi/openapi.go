package httpapi

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// An object is a JSON object of the document.
type object = map[string]any

// document returns the OpenAPI document of the routes.
func document(routes []route, version string) ([]byte, error) {
	paths := object{}
	d := &documenter{schemas: object{}}
	failure, err := d.reply(reflect.TypeFor[Error]())
	if err != nil {
		return nil, err
	}
	for _, r := range routes {
		operation, err := d.operation(r, failure)
		if err != nil {
			return nil, fmt.Errorf("describe %s %s: %w", r.method, r.path, err)
		}
		item, _ := paths[r.path].(object)
		if item == nil {
			item = object{}
			paths[r.path] = item
		}
		item[strings.ToLower(r.method)] = operation
	}
	return json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "society-tui", "version": version,
			"description": "The society of one session, for programs of the same user on the same machine.",
			"license":     object{"name": "see the project", "identifier": "LicenseRef-society-tui"},
			"contact":     object{"name": "see the project"},
		},
		"servers":  []object{{"url": "http://127.0.0.1:3000"}},
		"security": []object{{"token": []string{}}},
		"tags":     tags(routes),
		"paths":    paths,
		"components": object{
			"schemas":         d.schemas,
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer", "description": "The token is in the .token file beside the session's data."}},
		},
	}, "", "  ")
}

// A documenter collects the schemas of a document.
type documenter struct{ schemas object }

// operation describes a route.
func (d *documenter) operation(r route, failure object) (object, error) {
	refused := object{"description": "The request had no effect", "content": object{"application/json": object{"schema": failure}}}
	replies := object{"4XX": refused, "5XX": refused}
	reply := object{"description": http.StatusText(r.status)}
	switch {
	case r.out != nil:
		schema, err := d.reply(r.out)
		if err != nil {
			return nil, err
		}
		reply["content"] = object{"application/json": object{"schema": schema}}
	default:
		reply["content"] = object{r.media: object{"schema": object{}}}
	}
	replies[strconv.Itoa(r.status)] = reply
	if r.empty != "" {
		replies[strconv.Itoa(http.StatusNoContent)] = object{"description": r.empty}
	}
	operation := object{
		"summary": r.summary, "description": r.summary + ".", "operationId": operationID(r), "tags": []string{tagOf(r)}, "responses": replies,
	}
	if parameters := parameters(r); len(parameters) > 0 {
		operation["parameters"] = parameters
	}
	if r.method == http.MethodPost {
		schema, err := schemaOf(r.in)
		if err != nil {
			return nil, err
		}
		operation["requestBody"] = object{"required": len(required(r.in)) > 0, "content": object{"application/json": object{"schema": schema}}}
	}
	return operation, nil
}

// parameters describes what stands in the address and the header of a request.
func parameters(r route) (list []object) {
	if r.in == nil {
		return nil
	}
	for _, f := range reflect.VisibleFields(r.in) {
		for _, in := range []string{"path", "query", "header"} {
			name := f.Tag.Get(in)
			if name == "" {
				continue
			}
			parameter := object{"name": name, "in": in, "schema": parameterSchema(f)}
			if in == "path" {
				parameter["required"] = true
			}
			if doc := f.Tag.Get("doc"); doc != "" {
				parameter["description"] = doc
			}
			list = append(list, parameter)
		}
	}
	if r.method == http.MethodPost {
		list = append(list, object{
			"name": KeyHeader, "in": "header", "description": "lets the request take effect once, however often it is sent within a day",
			"schema": object{"type": "string", "minLength": 1, "maxLength": longestKey},
		})
	}
	return list
}

func parameterSchema(f reflect.StructField) object {
	schema := object{"type": "string", "minLength": 1}
	var usual any = f.Tag.Get("default")
	switch f.Type.Kind() {
	case reflect.Int, reflect.Int64: // that of a Span, too, which clients may give as text besides
		least, most := bounds(f)
		schema = object{"type": "integer", "minimum": least, "maximum": most}
		if n, err := strconv.Atoi(f.Tag.Get("default")); err == nil {
			usual = n
		}
	case reflect.Uint64:
		schema = object{"type": "integer", "minimum": 0}
	}
	if allowed := f.Tag.Get("enum"); allowed != "" {
		schema["enum"] = strings.Split(allowed, ",")
	}
	if usual != "" {
		schema["default"] = usual
	}
	return schema
}

// reply returns a reference to the schema of a reply, or the schema of one whose type has
// no name of its own. Fields may be added to replies, and none is null.
func (d *documenter) reply(t reflect.Type) (object, error) {
	schema, err := schemaOf(t)
	if err != nil {
		return nil, err
	}
	loosen(schema)
	if !ast.IsExported(t.Name()) {
		return schema, nil
	}
	d.schemas[t.Name()] = schema
	return object{"$ref": "#/components/schemas/" + t.Name()}, nil
}

// loosen permits fields that a schema does not name, in all objects within it.
func loosen(schema any) {
	switch schema := schema.(type) {
	case object:
		if schema["additionalProperties"] == false {
			delete(schema, "additionalProperties")
		}
		for _, part := range schema {
			loosen(part)
		}
	case []any:
		for _, part := range schema {
			loosen(part)
		}
	}
}

// withoutNull takes null away from a schema, which Go's slices and pointers could be: no
// reply has it, and no request may.
func withoutNull(schema any) {
	switch schema := schema.(type) {
	case object:
		if types, ok := schema["type"].([]any); ok && len(types) == 2 && types[0] == "null" {
			schema["type"] = types[1]
		}
		for _, part := range schema {
			withoutNull(part)
		}
	case []any:
		for _, part := range schema {
			withoutNull(part)
		}
	}
}

// schemaOf returns the schema of a type.
func schemaOf(t reflect.Type) (schema object, err error) {
	s, err := jsonschema.ForType(t, nil)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(text, &schema)
	withoutNull(schema)
	return schema, err
}

// operationID names a route, as in "postAgentsIdStop".
func operationID(r route) string {
	id := strings.ToLower(r.method)
	for _, part := range strings.FieldsFunc(r.path, func(c rune) bool { return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') }) {
		if part != "api" {
			id += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return id
}

// tagOf returns the group of a route: the first part of its path.
func tagOf(r route) string {
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(r.path, "/api"), "/"), "/")
	return parts[0]
}

func tags(routes []route) (list []object) {
	var names []string
	for _, r := range routes {
		if tag := tagOf(r); !slices.Contains(names, tag) {
			names = append(names, tag)
			list = append(list, object{"name": tag, "description": "Routes of /" + tag})
		}
	}
	return list
}

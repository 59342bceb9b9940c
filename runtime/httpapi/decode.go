package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Decode fills the fields of in, a pointer to a struct, from the request: those with a
// path, query or header tag from there, those with a json tag from its body, which it
// returns. Whatever does not fit is an *Error that names the field.
func Decode(r *http.Request, in any) (body []byte, err error) {
	v := reflect.ValueOf(in).Elem()
	if err := decodeParameters(r, v); err != nil {
		return nil, err
	}
	if r.Method != http.MethodPost {
		if r.ContentLength != 0 {
			return nil, invalid("", "a GET has no body; use the query")
		}
		return nil, nil
	}
	return DecodeBody(r, in)
}

// DecodeBody is Decode for the body alone.
func DecodeBody(r *http.Request, in any) (body []byte, err error) {
	if body, err = readBody(r); err != nil {
		return nil, err
	}
	return body, decodeBody(body, in, required(reflect.TypeOf(in).Elem()))
}

// inBody returns the name of a field in the body, "" for another field.
func inBody(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		return ""
	}
	return name
}

// required returns the fields that must be in the body.
func required(t reflect.Type) (names []string) {
	for _, f := range reflect.VisibleFields(t) {
		if name := inBody(f); name != "" && !strings.Contains(f.Tag.Get("json"), ",omit") {
			names = append(names, name)
		}
	}
	return names
}

// decodeParameters reads the path, the query and the header.
func decodeParameters(r *http.Request, v reflect.Value) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return invalid("", "the query is malformed")
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		field := v.FieldByIndex(f.Index)
		if name := f.Tag.Get("path"); name != "" {
			if field.Kind() == reflect.String {
				field.SetString(r.PathValue(name))
			} else {
				err = setFrom(field, f, name, []string{r.PathValue(name)})
			}
		}
		if name := f.Tag.Get("query"); name != "" {
			err = setFrom(field, f, name, query[name])
			delete(query, name)
		}
		if name := f.Tag.Get("header"); name != "" {
			err = setFrom(field, f, name, r.Header.Values(name))
		}
		if err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		return invalid(name, "there is no such parameter")
	}
	return nil
}

// setFrom sets a field from the values of a parameter, or from its default.
func setFrom(field reflect.Value, f reflect.StructField, name string, values []string) error {
	given := f.Tag.Get("default")
	switch {
	case len(values) > 1:
		return invalid(name, "given more than once")
	case len(values) == 1 && values[0] == "":
		return invalid(name, "must not be empty; leave it out")
	case len(values) == 1:
		given = values[0]
	case given == "":
		return nil
	}
	if allowed := f.Tag.Get("enum"); allowed != "" && !slices.Contains(strings.Split(allowed, ","), given) {
		return invalid(name, "must be one of "+strings.ReplaceAll(allowed, ",", ", "))
	}
	if span, ok := field.Addr().Interface().(*Span); ok {
		if err := span.UnmarshalText([]byte(given)); err != nil {
			return invalid(name, err.Error())
		}
		if least, most := bounds(f); time.Duration(*span) < time.Duration(least)*time.Second || time.Duration(*span) > time.Duration(most)*time.Second {
			return invalid(name, fmt.Sprintf("must be a time from %ds to %ds", least, most))
		}
		return nil
	}
	switch field.Kind() {
	case reflect.String:
		if !utf8.ValidString(given) {
			return invalid(name, "must be UTF-8")
		}
		field.SetString(given)
	case reflect.Int:
		n, err := strconv.Atoi(given)
		if least, most := bounds(f); err != nil || n < least || n > most {
			return invalid(name, fmt.Sprintf("must be a number from %d to %d", least, most))
		}
		field.SetInt(int64(n))
	case reflect.Uint64:
		n, err := strconv.ParseUint(given, 10, 64)
		if err != nil {
			return invalid(name, "must be a number")
		}
		field.SetUint(n)
	default:
		return fmt.Errorf("parameter %s has the kind %s", name, field.Kind())
	}
	return nil
}

// bounds returns the bounds of a number.
func bounds(f reflect.StructField) (least, most int) {
	least, _ = strconv.Atoi(f.Tag.Get("min"))
	most, _ = strconv.Atoi(f.Tag.Get("max"))
	return least, most
}

// readBody returns the body of a request, which is JSON or empty.
func readBody(r *http.Request) ([]byte, error) {
	if r.Header.Get("Content-Encoding") != "" {
		return nil, &Error{Status: http.StatusUnsupportedMediaType, Code: CodeMediaType, Message: "send the body without a Content-Encoding"}
	}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	isJSON := err == nil && media == "application/json" && (params["charset"] == "" || strings.EqualFold(params["charset"], "utf-8"))
	if !isJSON && (r.ContentLength != 0 || r.Header.Get("Content-Type") != "") {
		return nil, &Error{Status: http.StatusUnsupportedMediaType, Code: CodeMediaType, Message: "send the body as Content-Type: application/json"}
	}
	body, err := io.ReadAll(r.Body)
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, &Error{Status: http.StatusRequestEntityTooLarge, Code: CodeTooLarge, Message: fmt.Sprintf("the body has more than %d bytes", tooLarge.Limit)}
	}
	if err != nil {
		return nil, invalid("", "the body did not arrive whole")
	}
	return body, nil
}

// decodeBody decodes a JSON object strictly. An empty body is an empty object.
func decodeBody(body []byte, in any, required []string) error {
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte("{}")
	}
	given, err := namesOf(body)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, in, json.RejectUnknownMembers(true)); err != nil {
		return mistakeIn(in, err)
	}
	for _, name := range required {
		if !given[name] {
			return invalid(name, "is missing")
		}
	}
	return nil
}

// mistakeIn is mistake for the body of in. It names the fields there are, if another is given.
func mistakeIn(in any, err error) error {
	e, ok := errors.AsType[*json.SemanticError](err)
	if !ok || !errors.Is(err, json.ErrUnknownName) || strings.Count(string(e.JSONPointer), "/") != 1 {
		return mistake(err)
	}
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeOf(in).Elem()) {
		if name := inBody(f); name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return invalid(fieldAt(e.JSONPointer), "there is no such field; the body has none")
	}
	return invalid(fieldAt(e.JSONPointer), "there is no such field; the fields are "+strings.Join(names, ", "))
}

// namesOf returns the names in a JSON object. JSON that is not valid, anything after it,
// and null, which would leave a field empty, are errors.
func namesOf(body []byte) (map[string]bool, error) {
	d := jsontext.NewDecoder(bytes.NewReader(body))
	names := map[string]bool{}
	for {
		token, err := d.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return names, nil
		case err != nil:
			return nil, mistake(err)
		case d.StackDepth() == 0 && len(names) == 0 && token.Kind() != '}':
			return nil, invalid("", "the body must be a JSON object")
		case token.Kind() == 'n':
			return nil, invalid(fieldAt(d.StackPointer()), "null is not possible; leave the field out")
		}
		if kind, n := d.StackIndex(d.StackDepth()); d.StackDepth() == 1 && kind == '{' && n%2 == 1 && token.Kind() == '"' {
			names[token.String()] = true
		}
	}
}

// mistake returns the error for JSON that does not fit.
func mistake(err error) error {
	if e, ok := errors.AsType[*json.SemanticError](err); ok {
		switch {
		case errors.Is(err, json.ErrUnknownName):
			return invalid(fieldAt(e.JSONPointer), "there is no such field")
		case e.GoType != nil:
			return invalid(fieldAt(e.JSONPointer), fmt.Sprintf("must be %s, not %s", aKind(jsonKind(e.GoType)), aKind(e.JSONKind.String())))
		}
		return invalid(fieldAt(e.JSONPointer), "does not fit")
	}
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return invalid(fieldAt(e.JSONPointer), "is there twice")
		}
		return invalid(fieldAt(e.JSONPointer), fmt.Sprintf("not valid JSON at byte %d: %v", e.ByteOffset, e.Err))
	}
	return invalid("", "not valid JSON")
}

// aKind returns a kind of values with its article.
func aKind(kind string) string {
	if kind == "array" || kind == "object" {
		return "an " + kind
	}
	return "a " + kind
}

// jsonKind returns what JSON calls values of a type.
func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Struct, reflect.Map:
		return "object"
	}
	return "number"
}

// fieldAt returns the field at a JSON pointer, as in "to.name".
func fieldAt(p jsontext.Pointer) string {
	return strings.Join(slices.Collect(p.Tokens()), ".")
}

package config

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"society-tui/runtime/graph"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/suggest"
)

// maxText and maxLines limit the bytes of a setting of one line and of several.
const (
	maxText  = 4096
	maxLines = 16384
)

// A field is one setting, found by its tags.
type field struct {
	key   string // "limits.agents"
	value reflect.Value
	tag   reflect.StructTag
	table reflect.StructTag // of its table, "" for none
}

// fields returns every setting of s in the order of the file: those of no table
// first. Their values can be set.
func fields(s *Settings) []field {
	return fieldsOf("", reflect.ValueOf(s).Elem())
}

func fieldsOf(prefix string, v reflect.Value) []field {
	var own, tables []field
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		if v.Type().Field(i).Anonymous {
			own = append(own, fieldsOf(prefix, v.Field(i))...)
			continue
		}
		name := tag.Get("toml")
		if name == "" || name == "-" {
			continue
		}
		_, isText := v.Field(i).Addr().Interface().(encoding.TextUnmarshaler)
		switch v.Field(i).Type() {
		case reflect.TypeFor[[]Endpoint](), reflect.TypeFor[[]Rule](), reflect.TypeFor[[]Server](), reflect.TypeFor[[]graph.Definition]():
			continue // each of these has fields of its own: see modelFields, checkKeys
		}
		if name == "keys" {
			continue // likewise
		}
		if !isText && v.Field(i).Kind() == reflect.Struct {
			for _, f := range fieldsOf(prefix+name+".", v.Field(i)) {
				f.table = tag
				tables = append(tables, f)
			}
			continue
		}
		own = append(own, field{key: prefix + name, value: v.Field(i), tag: tag})
	}
	return append(own, tables...)
}

// assign sets the setting from the text of a flag or of the environment.
func (f field) assign(text string) error {
	if u, ok := f.value.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	switch f.value.Kind() {
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return textNoBool.With(text)
		}
		f.value.SetBool(b)
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return textNoNumber.With(text)
		}
		f.value.SetInt(int64(n))
	case reflect.Pointer:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return textNoFraction.With(text)
		}
		f.value.Set(reflect.ValueOf(&n))
	case reflect.Float64:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return textNoFraction.With(text)
		}
		f.value.SetFloat(n)
	case reflect.Interface:
		var written struct{ Value any }
		if err := toml.Unmarshal([]byte("Value = "+text), &written); err != nil {
			written.Value = strings.TrimSpace(text)
		}
		f.value.Set(reflect.ValueOf(&written).Elem().Field(0))
	case reflect.Slice, reflect.Map:
		return textNoList.With()
	default:
		f.value.SetString(strings.TrimSpace(text))
	}
	return nil
}

// literal returns the setting as the file has it.
func (f field) literal() string {
	switch v := f.value.Interface().(type) {
	case nil:
		return `""`
	case bool, int:
		return fmt.Sprint(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any: // a command
		quoted := make([]string, len(v))
		for i, word := range v {
			quoted[i] = strconv.Quote(fmt.Sprint(word))
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	case []string:
		quoted := make([]string, len(v))
		for i, text := range v {
			quoted[i] = strconv.Quote(text)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	case *float64:
		if v == nil {
			return strconv.Itoa(unsetNumber)
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	case map[string]Private:
		return tableLiteral(v, func(p Private) string { return strconv.Quote(p.String()) })
	case HeaderValues:
		return tableLiteral(v, func(any) string { return strconv.Quote(redacted) })
	case map[string]any:
		return tableLiteral(v, jsonText)
	default:
		return strconv.Quote(fmt.Sprint(v))
	}
}

// setUpApart are the keys that change together, when a model is set up.
var setUpApart = []string{"model.name", "model.model", "model.base_url", "model.key_env", "model.key_header"}

// isPlain reports whether a user can write the value as a text, and it belongs to no table of a
// model or a server.
func (f field) isPlain() bool {
	if strings.Contains(f.key, "[") || slices.Contains(setUpApart, f.key) {
		return false
	}
	switch f.value.Interface().(type) {
	case string, bool, int, float64, *float64, Duration, []string:
		return true
	}
	return f.key == "model.price"
}

// choices returns what the value may be; none if that is no list of words.
func (f field) choices() []string {
	switch f.value.Interface().(type) {
	case bool:
		return []string{"true", "false"}
	case string:
		all := strings.Fields(f.tag.Get("oneof"))
		if f.tag.Get("empty") != "" {
			all = append([]string{""}, all...)
		}
		return all
	}
	return nil
}

// text returns the value as a user writes it.
func (f field) text() string {
	switch v := f.value.Interface().(type) {
	case nil:
		return ""
	case []string:
		return strings.Join(v, ", ")
	case string, Duration:
		return fmt.Sprint(v)
	}
	return f.literal()
}

// check returns what is wrong with the value, nil for nothing.
func (f field) check() error {
	switch v := f.value.Interface().(type) {
	case int:
		low, high := number(f.tag.Get("min")), number(f.tag.Get("max"))
		if v < low || v > high {
			return textRange.With(low, high, v)
		}
	case float64:
		low, high := number(f.tag.Get("min")), number(f.tag.Get("max"))
		if !(v >= float64(low) && v <= float64(high)) {
			return textRange.With(low, high, v)
		}
	case Duration:
		low, high := span(f.tag.Get("min")), span(f.tag.Get("max"))
		if v.Duration < low.Duration || v.Duration > high.Duration {
			return textRange.With(low, high, v)
		}
	case *float64:
		low, high := decimal(f.tag.Get("least")), decimal(f.tag.Get("most"))
		if v != nil && !(*v >= low && *v <= high) {
			return textRange.With(low, high, *v)
		}
	case string:
		return f.checkText(v)
	case []string:
		for i, text := range v {
			if err := f.checkText(text); err != nil {
				return err
			}
			if slices.Contains(v[:i], text) {
				return textListedTwice.With(text)
			}
		}
	}
	return nil
}

func (f field) checkText(v string) error {
	most, lines := maxText, f.tag.Get("lines") != ""
	if lines {
		most = maxLines
	}
	if len(v) > most {
		return textTooLong.With(most)
	}
	if strings.ContainsFunc(v, func(r rune) bool { return !strconv.IsPrint(r) && !(lines && (r == '\n' || r == '\t')) }) {
		return textUnprintable.With(v)
	}
	allowed := strings.Fields(f.tag.Get("oneof"))
	if len(allowed) > 0 && !slices.Contains(allowed, v) && (v != "" || f.tag.Get("empty") == "") {
		return noneOf(v, allowed)
	}
	return nil
}

// noneOf reports that a value is none of those allowed, and suggests one.
func noneOf(v string, allowed []string) error {
	return meant(textOneOf.With(i18n.List(allowed), v), suggest.Nearest(v, allowed))
}

// meant adds a suggestion to what is wrong, if there is one.
func meant(wrong error, suggestion string) error {
	if suggestion == "" {
		return wrong
	}
	return textMeant.With(wrong, suggestion)
}

// number, decimal and span read the bounds in tags, which a test checks.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic("config: a bound is no number: " + text)
	}
	return n
}

func decimal(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("config: a bound is no number: " + text)
	}
	return n
}

func span(text string) Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		panic("config: a bound is no duration: " + text)
	}
	return Duration{d}
}

// comment describes the setting and what its value may be.
func (f field) comment(lang protocol.Lang) string {
	said := about(f.tag).In(lang)
	if allowed := i18n.List(strings.Fields(f.tag.Get("oneof"))); len(allowed) > 0 {
		if f.value.Kind() == reflect.Slice {
			return said + textAnyOf.With(allowed).In(lang)
		}
		return said + textChoices.With(allowed).In(lang)
	}
	if low := f.tag.Get("min"); low != "" {
		return said + textBounds.With(low, f.tag.Get("max")).In(lang)
	}
	if low := f.tag.Get("least"); low != "" {
		return said + textBounds.With(low, f.tag.Get("most")).In(lang)
	}
	return said
}

// about returns the text of a field, or of a table.
func about(tag reflect.StructTag) i18n.Text {
	return i18n.Text{EN: tag.Get("about"), ZH: tag.Get("zh")}
}

package tables

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/society"
)

// text draws a string that may hold anything.
func text(t *rapid.T, name string) string {
	if rapid.Bool().Draw(t, name+" of bytes") {
		return string(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, name))
	}
	return rapid.StringOf(rapid.OneOf(
		rapid.Rune(), rapid.RuneFrom([]rune("\"\\<>&\u2028\u2029\x00\a\b\f\n\r\t\x1f\x7f 答a")),
	)).Draw(t, name)
}

// moment draws a time that a society can have.
func moment(t *rapid.T, name string) time.Time {
	return time.Unix(rapid.Int64Range(-60e9, 250e9).Draw(t, name), rapid.Int64Range(0, 1e9-1).Draw(t, name+" ns")).
		In(time.FixedZone("", 60*rapid.IntRange(-23*60, 23*60).Draw(t, name+" zone")))
}

// draw gives every field that a record is written of a value, or leaves it empty. It
// knows the fields from their types: one that is added is drawn as well.
func draw(t *rapid.T, name string, v reflect.Value) {
	if rapid.IntRange(0, 3).Draw(t, name+" empty") == 0 {
		return
	}
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(moment(t, name)))
		return
	}
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		if rapid.IntRange(0, 3).Draw(t, name+" is there") == 0 {
			v.SetBytes([]byte(written(t, text(t, name))))
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for f, at := range v.Fields() {
			if f.IsExported() && f.Tag.Get("json") != "-" {
				draw(t, name+"."+f.Name, at)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		draw(t, name, v.Elem())
	case reflect.Slice:
		n := rapid.IntRange(0, 2).Draw(t, name)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			draw(t, fmt.Sprint(name, i), v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for i := range rapid.IntRange(0, 3).Draw(t, name) {
			key, is := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			draw(t, fmt.Sprint(name, "'s key ", i), key)
			draw(t, fmt.Sprint(name, i), is)
			v.SetMapIndex(key, is)
		}
	case reflect.String:
		v.SetString(text(t, name))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, name))
	case reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, name))
	case reflect.Uint16:
		v.SetUint(uint64(rapid.Uint16().Draw(t, name)))
	case reflect.Uint8: // a number that has a name
		v.SetUint(uint64(rapid.IntRange(0, 12).Draw(t, name)))
	default:
		t.Fatalf("%s is a %s, which nothing draws", name, v.Type())
	}
}

// written is what package json writes.
func written(t *rapid.T, v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatalf("encode: %v", err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// The records that are written out by hand are, byte for byte, what package json
// writes, whatever stands in any of their fields.
func TestRecordsAreWrittenAsPackageJSONWritesThem(t *testing.T) {
	for _, kind := range []struct {
		name string
		of   reflect.Type
	}{
		{"letter", reflect.TypeFor[*Letter]()},
		{"agent", reflect.TypeFor[*society.Agent]()},
		{"entry", reflect.TypeFor[conversation.Entry]()},
		{"counters", reflect.TypeFor[society.Counters]()},
	} {
		t.Run(kind.name, func(t *testing.T) {
			met := propertytest.Met[string]{}
			met.Check(t, propertytest.Once("written by hand"), func(t *rapid.T) {
				into := reflect.New(kind.of).Elem()
				if kind.of.Kind() == reflect.Pointer {
					into.Set(reflect.New(kind.of.Elem()))
					draw(t, kind.name, into.Elem())
				} else {
					draw(t, kind.name, into)
				}
				v := into.Interface()
				got, ok := appendRecord(nil, v)
				if !ok {
					if len(got) > 0 {
						t.Fatalf("what is left to package json is begun: %s", got)
					}
					return
				}
				met["written by hand"]++
				if want := written(t, v); string(got) != want {
					t.Fatalf("it is written as\n%s, package json writes\n%s", got, want)
				}
			})
		})
	}
}

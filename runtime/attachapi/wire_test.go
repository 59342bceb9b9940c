package attachapi

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/society"
)

var update = flag.Bool("update", false, "write the shapes of the wire anew")

// sent are all values that go over the wire, but for commands.
var sent = []any{
	Greeting{},
	[]LogLine{},
	Frame{},
	Watched{},
	Kept{},
	Reply{},
	Page{},
	Quit{},
	failure{},
	Output{},
	api.Value{},
	graph.Definition{},
	api.Profile{},
	api.Approval{},
	api.Policy{},
	[]api.FileChange{},
	api.UndoRequest{},
	api.UndoResult{},
	[]society.Artifact{},
	api.Artifact{},
	[]api.File{},
	[]api.Worktree{},
	[]api.Server{},
	[]api.Asked{},
	[]api.ModelProvider{},
	NoKeyring{},
	Save{},
	ModelName{},
	api.ModelList{},
	[]api.Role{},
	api.Figures{},
	[]api.InboxMessage{},
}

// withErrors are values in which errors stand beside their texts. Package attach tests that they
// are the same behind the wire.
var withErrors = []any{Trial{}, Saved{}}

// Nobody forgets a field: whatever is set comes back.
func TestEveryValueIsTheSameBehindTheWire(t *testing.T) {
	t.Parallel()
	for _, v := range sent {
		typ := reflect.TypeOf(v)
		t.Run(typ.String(), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				want, got := reflect.New(typ), reflect.New(typ)
				draw(t, want.Elem(), typ.String(), false)
				var line bytes.Buffer
				if err := Encode(&line, want.Interface()); err != nil {
					t.Fatalf("Encode(%+v) = %v", want.Elem(), err)
				}
				if n := bytes.Count(line.Bytes(), []byte("\n")); n != 1 {
					t.Fatalf("Encode wrote %d lines: %q", n, line.String())
				}
				if err := NewDecoder(&line).Decode(got.Interface()); err != nil || !reflect.DeepEqual(got.Interface(), want.Interface()) {
					t.Fatalf("Decode(Encode) = %+v, %v, want %+v", got.Elem(), err, want.Elem())
				}
			})
		})
	}
}

func TestEveryCommandIsTheSameBehindTheWire(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(slices.Sorted(maps.Keys(commands))).Draw(t, "command")
		want := reflect.New(commands[name])
		draw(t, want.Elem(), name, false)
		var line bytes.Buffer
		if err := Encode(&line, want.Interface()); err != nil {
			t.Fatalf("Encode(%+v) = %v", want.Elem(), err)
		}
		r := httptest.NewRequest("POST", Root+"commands/"+name, &line)
		r.Header.Set("Content-Type", "application/json")
		in, cmd, ok := newCommand(name)
		if !ok {
			t.Fatalf("newCommand(%q) has none", name)
		}
		if _, err := httpapi.DecodeBody(r, in); err != nil {
			t.Fatalf("DecodeBody(%s) = %v of %+v", name, err, want.Elem())
		}
		if got := cmd(); !reflect.DeepEqual(got, want.Elem().Interface()) {
			t.Fatalf("%s came as %+v, want %+v", name, got, want.Elem())
		}
	})
}

// draw sets every exported field at random: often to nothing, which must stay nothing.
func draw(t *rapid.T, v reflect.Value, path string, omitsEmpty bool) {
	const deep = 3 // values within values of the same type
	if v.Type() == reflect.TypeFor[time.Time]() {
		if rapid.Bool().Draw(t, path) {
			v.Set(reflect.ValueOf(time.Unix(rapid.Int64Range(0, 4e9).Draw(t, path), rapid.Int64Range(0, 999_999_999).Draw(t, path)).UTC()))
		}
		return
	}
	switch kind := v.Kind(); kind {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, path))
	case reflect.String:
		v.SetString(rapid.SampledFrom([]string{"", "a", "é\x00\"\n", "null"}).Draw(t, path))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.SampledFrom([]int64{0, 1, 2}).Draw(t, path))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32: // some are lists of words
		v.SetUint(rapid.Uint64Range(0, 2).Draw(t, path))
	case reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, path))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		if strings.Count(path, v.Type().String()) < deep && rapid.Bool().Draw(t, path) {
			v.Set(reflect.New(v.Type().Elem()))
			draw(t, v.Elem(), path+" "+v.Type().String(), false)
			if z, ok := v.Interface().(interface{ IsZero() bool }); ok && z.IsZero() {
				v.SetZero() // one that points to nothing is none
			}
		}
	case reflect.Slice:
		drawSlice(t, v, path, omitsEmpty, deep)
	case reflect.Map:
		if !rapid.Bool().Draw(t, path) {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		if !omitsEmpty && rapid.Bool().Draw(t, path) {
			return
		}
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		draw(t, key, path+" key", false)
		draw(t, value, path+" value", false)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && (f.Tag.Get("json") != "-" || f.Name == "More") {
				draw(t, v.Field(i), path+"."+f.Name, strings.Contains(f.Tag.Get("json"), ",omitempty"))
			}
		}
	default:
		t.Fatalf("%s is a %s, which cannot be sent", path, kind)
	}
}

func drawSlice(t *rapid.T, v reflect.Value, path string, omitsEmpty bool, deep int) {
	if v.Type() == reflect.TypeFor[json.RawMessage]() || strings.HasSuffix(v.Type().String(), "jsontext.Value") {
		if rapid.Bool().Draw(t, path) {
			v.SetBytes([]byte(`{"a":1}`))
		}
		return
	}
	least := -1
	if strings.HasSuffix(path, "Brief.Constraints") { // without any it has an empty list
		least = 0
	}
	n := rapid.IntRange(least, 2).Draw(t, path)
	if n < 0 || n == 0 && omitsEmpty || strings.Count(path, v.Type().String()) >= deep {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		draw(t, v.Index(i), fmt.Sprintf("%s %s[%d]", path, v.Type(), i), false)
	}
}

// Both sides must have the same protocol: a change of what is sent is one of its number.
func TestTheShapesOfTheWireChangeOnlyWithTheProtocol(t *testing.T) {
	t.Parallel()
	types := map[string]string{}
	for _, v := range slices.Concat(sent, withErrors) {
		shapeOf(reflect.TypeOf(v), types)
	}
	for _, typ := range commands {
		shapeOf(typ, types)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "protocol %d\n", Protocol)
	for _, name := range slices.Sorted(maps.Keys(types)) {
		b.WriteString("\n" + types[name])
	}
	const file = "testdata/wire.golden"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("what is sent is another now: after the next release raise Protocol; then run with -update.\ngot\n%s", b.String())
	}
}

// shapeOf describes a type and all that it is made of.
func shapeOf(typ reflect.Type, types map[string]string) string {
	switch typ.Kind() {
	case reflect.Pointer:
		return "*" + shapeOf(typ.Elem(), types)
	case reflect.Slice:
		return "[]" + shapeOf(typ.Elem(), types)
	case reflect.Map:
		return "map[" + shapeOf(typ.Key(), types) + "]" + shapeOf(typ.Elem(), types)
	case reflect.Struct:
	default:
		return typ.Kind().String()
	}
	name := typ.String()
	if _, known := types[name]; known || typ == reflect.TypeFor[time.Time]() {
		return name
	}
	types[name] = ""
	var b strings.Builder
	fmt.Fprintln(&b, name)
	for f := range typ.Fields() {
		if !f.IsExported() && !f.Anonymous {
			continue
		}
		as, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if as == "" {
			as = f.Name
		}
		fmt.Fprintf(&b, "\t%s %s\n", as, shapeOf(f.Type, types))
	}
	types[name] = b.String()
	return name
}

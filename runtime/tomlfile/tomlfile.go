// Package tomlfile reads TOML files that people write by hand, settings and templates.
// [Decode] finds every mistake at once, each with its line and what to write instead.
package tomlfile

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"society-tui/runtime/suggest"
)

// MaxFile is the largest file, in bytes, that is read.
const MaxFile = 1 << 20

// Errors of Read.
var (
	ErrNoFile   error = textIsNoFile.With()
	ErrTooLarge error = textTooLarge.With(MaxFile)
)

// Read returns the content of a file, without what some editors write before it. It
// looks before it opens, because opening a pipe would wait for a writer.
func Read(path string) ([]byte, fs.FileMode, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, textUnfit.With(path, ErrNoFile)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return nil, 0, err
	}
	if len(text) > MaxFile {
		return nil, 0, textUnfit.With(path, ErrTooLarge)
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), info.Mode(), nil
}

// A Mistake is something in a file that cannot be read.
type Mistake struct {
	Line, Column int
	// Key is the key of the mistake, without list indexes; empty if unknown.
	Key []string
	// Path is Key with them, as in "graphs[0].nodes[1]", see Places; for an Unknown key it
	// is the table around it.
	Path string
	// Unknown means that there is no such key; Meant is the nearest that can stand there,
	// or "". Why explains any other mistake.
	Unknown bool
	Meant   string
	Why     error
}

// maxMistakes limits the reported mistakes.
const maxMistakes = 50

// Decode reads a text into a new value, and finds every mistake. A field with a mistake is
// left as fresh made it. whole is false if the text is no TOML, or has a table where none
// can be: then the value is meaningless, and the one mistake hides others.
func Decode[T any](text []byte, fresh func() *T) (value *T, mistakes []Mistake, whole bool) {
	text = slices.Clone(text)
	if _, sound := expressions(text); !sound {
		return fresh(), []Mistake{malformed(text)}, false
	}
	for range maxMistakes {
		value = fresh()
		err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(value)
		if missing, ok := errors.AsType[*toml.StrictMissingError](err); ok {
			return value, append(mistakes, unknown[T](text, missing)...), true
		}
		if err == nil {
			return value, mistakes, true
		}
		m, e, ok := blame(text, err, fresh)
		mistakes = append(mistakes, m)
		if !ok || e.header {
			return value, mistakes, false
		}
		e.blank(text)
	}
	return value, mistakes, false
}

func unknown[T any](text []byte, missing *toml.StrictMissingError) []Mistake {
	all, _ := expressions(text) // it was decoded, so it is TOML
	var mistakes []Mistake
	for i := range missing.Errors {
		e := &missing.Errors[i]
		line, column := e.Position()
		m := Mistake{Line: line, Column: column, Key: e.Key(), Unknown: true}
		last := len(m.Key) - 1
		m.Meant = suggest.Nearest(m.Key[last], Fields[T](m.Key[:last]...))
		if at, ok := around(all, line); ok {
			m.Path = at.table
		}
		mistakes = append(mistakes, m)
	}
	return mistakes
}

// Fields returns the names that can stand in a table of a T.
func Fields[T any](table ...string) []string {
	names, types := fieldsOf(reflect.TypeFor[T]())
	for _, name := range table {
		names, types = fieldsOf(types[name])
	}
	return names
}

// fieldsOf returns the names in files of the fields of a struct, or of the structs in a
// list, and their types.
func fieldsOf(t reflect.Type) (names []string, types map[string]reflect.Type) {
	for t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer) {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil, nil
	}
	types = map[string]reflect.Type{}
	for i := range t.NumField() {
		if t.Field(i).Anonymous {
			inner, of := fieldsOf(t.Field(i).Type)
			names = append(names, inner...)
			maps.Copy(types, of)
			continue
		}
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("toml"), ",")
		if name != "" && name != "-" {
			names = append(names, name)
			types[name] = t.Field(i).Type
		}
	}
	return names, types
}

// malformed returns where a text stops being TOML.
func malformed(text []byte) Mistake {
	err := toml.Unmarshal(text, new(map[string]any))
	m := Mistake{Why: textNoTOML.With()}
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		m.Line, m.Column = wrong.Position()
		m.Key, m.Why = wrong.Key(), plain(wrong.Error())
		if isTableWithMore(text, m) {
			m.Why = textTableAlone.With()
		}
	}
	return m
}

// isTableWithMore reports whether a mistake is what follows a [table] on its line.
func isTableWithMore(text []byte, m Mistake) bool {
	rows := bytes.Split(text, []byte("\n"))
	if m.Line < 1 || m.Line > len(rows) {
		return false
	}
	row := bytes.TrimSpace(rows[m.Line-1])
	end := bytes.IndexByte(row, ']')
	return bytes.HasPrefix(row, []byte("[")) && end >= 0 && end+1 < m.Column
}

// blame finds the expression that an error is about.
func blame[T any](text []byte, err error, fresh func() *T) (m Mistake, e expression, ok bool) {
	all, _ := expressions(text)
	if wrong, positioned := errors.AsType[*toml.DecodeError](err); positioned {
		m = Mistake{Key: wrong.Key(), Why: plain(wrong.Error())}
		m.Line, m.Column = wrong.Position()
		if e, ok = around(all, m.Line); ok {
			m.Path = e.path
		}
		return m, e, ok
	}
	// For a value that is no text the library does not give the place. It reads from the
	// top, so it fails at the first expression with which the text so far cannot be read.
	i, _ := slices.BinarySearchFunc(all, true, func(e expression, _ bool) int {
		if toml.Unmarshal(text[:e.to], fresh()) != nil {
			return 0
		}
		return -1
	})
	if i == len(all) {
		return Mistake{Why: plain(err.Error())}, e, false
	}
	e = all[i]
	return Mistake{Line: e.line, Column: e.column, Key: strings.Split(indices.ReplaceAllString(e.path, ""), "."), Path: e.path, Why: plain(err.Error())}, e, true
}

var indices = regexp.MustCompile(`\[\d+\]`)

// Printable replaces what a terminal would obey.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

package tomlfile

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A Place is a position in a text, counted from 1, with the spelling of a value that is
// no list and no table.
type Place struct {
	Line, Column int
	Value        string
}

// Places finds every table, key and element of a list by its path, as in
// "models[0].name", up to the first text that is no TOML.
func Places(text []byte) map[string]Place {
	found := map[string]Place{}
	walk(text, func(p *unstable.Parser, e expression, n *unstable.Node) {
		if e.header {
			found[e.path] = Place{Line: e.line, Column: e.column}
			return
		}
		noteValue(p, found, e.path, Place{Line: e.line, Column: e.column}, n.Value())
	})
	return found
}

// Nearest returns the place of the path, or of the nearest path above it in the text.
func Nearest(places map[string]Place, path string) Place {
	for path != "" {
		if place, ok := places[path]; ok {
			return place
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return Place{}
}

func noteValue(p *unstable.Parser, found map[string]Place, path string, at Place, v *unstable.Node) {
	inner := v.Children()
	switch v.Kind {
	case unstable.InlineTable:
		found[path] = at
		for inner.Next() {
			names, begins := nameOf(p, inner.Node())
			noteValue(p, found, path+"."+strings.Join(names, "."), begins, inner.Node().Value())
		}
	case unstable.Array:
		found[path] = at
		for i := 0; inner.Next(); i++ {
			noteValue(p, found, fmt.Sprintf("%s[%d]", path, i), placeOf(p, inner.Node(), at), inner.Node())
		}
	default:
		at.Value = string(v.Data)
		found[path] = at
	}
}

// placeOf returns the place of a value, if the library knows it, else of its list.
func placeOf(p *unstable.Parser, v *unstable.Node, list Place) Place {
	if v.Raw.Length == 0 {
		return list
	}
	start := p.Shape(v.Raw).Start
	return Place{Line: start.Line, Column: start.Column}
}

// An expression is the head of a table, or a key with its value.
type expression struct {
	header       bool
	path, table  string // its own, and that of the table it stands in
	line, column int    // of its name
	from, to     int    // its lines in the text, up to the next one
	value, end   int    // where its value begins, and where it ends
}

// blank removes the expression from the text, whose lines keep their numbers.
func (e expression) blank(text []byte) {
	for i := e.from; i < e.to; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}

// expressions returns those of a text, in order; sound is false if it is no TOML.
func expressions(text []byte) (all []expression, sound bool) {
	sound = walk(text, func(_ *unstable.Parser, e expression, _ *unstable.Node) {
		if len(all) > 0 {
			all[len(all)-1].to = e.from
		}
		all = append(all, e)
	})
	return all, sound
}

// around returns the expression that a line belongs to.
func around(all []expression, line int) (expression, bool) {
	i, found := slices.BinarySearchFunc(all, line, func(e expression, line int) int { return cmp.Compare(e.line, line) })
	if !found {
		i--
	}
	if i < 0 {
		return expression{}, false
	}
	return all[i], true
}

func walk(text []byte, visit func(*unstable.Parser, expression, *unstable.Node)) (sound bool) {
	counts := map[string]int{}
	var p unstable.Parser
	p.Reset(text)
	table := ""
	for p.NextExpression() {
		n := p.Expression()
		names, begins := nameOf(&p, n)
		e := expression{line: begins.Line, column: begins.Column, header: n.Kind != unstable.KeyValue, to: len(text)}
		e.from = bytes.LastIndexByte(text[:offset(n)], '\n') + 1
		e.value, e.end = spanOf(text, n)
		if e.header {
			table = within(names, counts, n.Kind == unstable.ArrayTable)
			e.path, e.table = table, table
		} else {
			e.path, e.table = strings.TrimPrefix(table+"."+strings.Join(names, "."), "."), table
		}
		visit(&p, e, n)
	}
	return p.Error() == nil
}

// within returns the path of a table with the indexes of the lists around it; a table that
// is an element of a list begins the next one.
func within(names []string, counts map[string]int, begins bool) string {
	path := ""
	for i, name := range names {
		path = strings.TrimPrefix(path+"."+name, ".")
		n, list := counts[path]
		if begins && i == len(names)-1 {
			counts[path] = n + 1
			list, n = true, n+1
		}
		if list {
			path = fmt.Sprintf("%s[%d]", path, n-1)
		}
	}
	return path
}

func nameOf(p *unstable.Parser, n *unstable.Node) (names []string, begins Place) {
	key := n.Key()
	for key.Next() {
		names = append(names, string(key.Node().Data))
		if begins.Line == 0 {
			start := p.Shape(key.Node().Raw).Start
			begins = Place{Line: start.Line, Column: start.Column}
		}
	}
	return names, begins
}

func offset(n *unstable.Node) int {
	key := n.Key()
	key.Next()
	return int(key.Node().Raw.Offset)
}

// Touches reports whether two paths are the same, or one is inside the other.
func Touches(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	rest, within := strings.CutPrefix(b, a)
	return within && (a == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

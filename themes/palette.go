package themes

import (
	"encoding/hex"
	"errors"
	"image/color"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// baseKey is the key of the theme that a user's file changes.
const baseKey = "base"

// A line is one key of a palette and its value.
type line struct {
	number int
	key    string
	value  string
	text   bool // the value is text
}

// lay sets the colours of a palette in t. The error has all mistakes, each with file and
// line, and then t has not changed.
func (t *Theme) lay(file string, b []byte) error {
	lines, err := linesOf(file, b)
	if err != nil {
		return err
	}
	var wrong []error
	made := *t
	roles := made.roles()
	for _, l := range lines {
		at := slices.IndexFunc(roles, func(r role) bool { return r.name == l.key })
		var bad *Mistake
		switch {
		case l.key == baseKey:
			made, bad = based(l, made.Name)
			roles = made.roles()
		case at < 0:
			bad = unknown(l.key, roles)
		default:
			bad = l.colour(roles[at].place)
		}
		if bad != nil {
			bad.File, bad.Line = file, l.number
			wrong = append(wrong, bad)
		}
	}
	if len(wrong) == 0 {
		*t = made
	}
	return errors.Join(wrong...)
}

// based returns the theme that a palette changes, under the palette's own name.
func based(l line, name string) (t Theme, bad *Mistake) {
	t, err := ByName(l.value)
	if !l.text || err != nil {
		bad = &Mistake{Fault: NoBase, Value: l.value, Known: Names()}
	}
	t.Name = name
	return t, bad
}

// colour reads the value as #rrggbb.
func (l line) colour(into *color.Color) *Mistake {
	digits, ok := strings.CutPrefix(l.value, "#")
	rgb, err := hex.DecodeString(digits)
	if !l.text || !ok || err != nil || len(rgb) != 3 {
		return &Mistake{Fault: NoColour, Key: l.key, Value: l.value}
	}
	*into = color.RGBA{R: rgb[0], G: rgb[1], B: rgb[2], A: 0xff}
	return nil
}

// unknown names all roles that a key could be.
func unknown(key string, roles []role) *Mistake {
	bad := &Mistake{Fault: NoRole, Key: key, Known: []string{baseKey}}
	for _, r := range roles {
		bad.Known = append(bad.Known, r.name)
	}
	return bad
}

// linesOf reads the lines of a palette, the base first.
func linesOf(file string, b []byte) ([]line, error) {
	if err := toml.Unmarshal(b, new(map[string]any)); err != nil {
		number := 1
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			number, _ = at.Position()
		}
		return nil, &Mistake{File: file, Line: number, Fault: unreadable(b, number)}
	}
	var lines []line
	var p unstable.Parser
	p.Reset(b)
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind == unstable.Comment {
			continue
		}
		var l line
		parts := 0
		for key := e.Key(); key.Next(); parts++ {
			l.number, l.key = p.Shape(key.Node().Raw).Start.Line, string(key.Node().Data)
		}
		if e.Kind != unstable.KeyValue || parts != 1 {
			return nil, &Mistake{File: file, Line: l.number, Fault: NoTables}
		}
		value := e.Value()
		l.value, l.text = string(value.Data), value.Kind == unstable.String
		lines = append(lines, l)
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		switch {
		case a.key == baseKey && b.key != baseKey:
			return -1
		case b.key == baseKey && a.key != baseKey:
			return 1
		}
		return 0
	})
	return lines, nil
}

// unreadable returns what is wrong with a line of a palette that is no TOML, alone or with
// what stands above it.
func unreadable(b []byte, number int) Fault {
	lines := strings.Split(string(b), "\n")
	if alone := lines[min(number, len(lines))-1]; toml.Unmarshal([]byte(alone), new(map[string]any)) == nil {
		return Twice
	}
	return NoTOML
}

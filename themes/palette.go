package themes

import (
	"encoding/hex"
	"errors"
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// baseKey names, in a file of the person's, the theme that it changes.
const baseKey = "base"

// A line is one key of a palette and its value.
type line struct {
	number int
	key    string
	value  string
	text   bool // the value is text
}

// lay lays the colours of a palette over t. The error tells all mistakes, each
// with the file and the line, and then nothing of t has changed.
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
		switch {
		case l.key == baseKey:
			made, err = based(l, made.Name)
			roles = made.roles()
		case at < 0:
			err = fmt.Errorf("%s is not a role%s", strconv.Quote(l.key), meant(l.key, roles))
		default:
			err = l.colour(roles[at].place)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: %w", file, l.number, err))
		}
	}
	if len(wrong) == 0 {
		*t = made
	}
	return errors.Join(wrong...)
}

// based is the theme that a palette changes, under the palette's own name.
func based(l line, name string) (Theme, error) {
	t, err := ByName(l.value)
	if !l.text || err != nil {
		err = fmt.Errorf("base: %q is none of %s", l.value, strings.Join(Names(), ", "))
	}
	t.Name = name
	return t, err
}

// colour reads the value as #rrggbb.
func (l line) colour(into *color.Color) error {
	digits, ok := strings.CutPrefix(l.value, "#")
	rgb, err := hex.DecodeString(digits)
	if !l.text || !ok || err != nil || len(rgb) != 3 {
		return fmt.Errorf("%s: %s is not a colour of the form \"#rrggbb\"", l.key, strconv.Quote(l.value))
	}
	*into = color.RGBA{R: rgb[0], G: rgb[1], B: rgb[2], A: 0xff}
	return nil
}

// meant is the role that a key is nearly, for the person who wrote it; else all
// there are.
func meant(key string, roles []role) string {
	bare := func(s string) string {
		return strings.NewReplacer("_", "", "-", "", "grey", "gray", "colour", "", "color", "").Replace(strings.ToLower(s))
	}
	names := make([]string, len(roles))
	for i, r := range roles {
		if bare(r.name) == bare(key) || near(r.name, key) {
			return "; is " + r.name + " meant?"
		}
		names[i] = r.name
	}
	return "; there are base, " + strings.Join(names, ", ")
}

// near says whether one letter too many, too few, or another tells two words apart.
func near(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(b) && a[i] == b[i] {
		i++
	}
	switch len(a) - len(b) {
	case 0:
		return len(a) > 3 && i < len(a) && a[i+1:] == b[i+1:]
	case 1:
		return len(b) > 3 && a[i+1:] == b[i:]
	}
	return false
}

// linesOf reads the lines of a palette, the base first.
func linesOf(file string, b []byte) ([]line, error) {
	if err := toml.Unmarshal(b, new(map[string]any)); err != nil {
		number := 1
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			number, _ = at.Position()
		}
		return nil, fmt.Errorf("%s:%d: %s", file, number, mended(b, number))
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
			return nil, fmt.Errorf("%s:%d: a theme has no tables: write role = \"#rrggbb\" lines only", file, l.number)
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

// mended says what to write instead of a line of a palette that is no TOML, or is none
// with what stands above it.
func mended(b []byte, number int) string {
	lines := strings.Split(string(b), "\n")
	if alone := lines[min(number, len(lines))-1]; toml.Unmarshal([]byte(alone), new(map[string]any)) == nil {
		return "this stands twice: take one of the two lines away"
	}
	return `write role = "#rrggbb", with both quotes; a note begins with #`
}

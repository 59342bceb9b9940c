package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Binding is a command of the screen that has keys.
type Binding struct {
	// Name is its name in [keys]: "palette", or, in a place that has keys of its own,
	// "tree.stop". Place is that place, "" for anywhere.
	Name, Place string
	Keys        []string // the usual ones
	About       string
	Fixed       bool // it always has these
}

// Bindings are all bindings, and what a key is. The screen provides them.
type Bindings struct {
	All []Binding
	// IsKey reports whether a text names a key, Types whether that key types text.
	IsKey, Types func(key string) bool
	// Places are the parts of the screen that have keys of their own, in the order of the
	// settings file.
	Places []string
	// Writing are the places where text is typed, Panes those in which the keys of anywhere
	// work too.
	Writing, Panes []string
}

// ChangedKeys returns the keys of bindings that the user changed, by name.
func (s *Settings) ChangedKeys() map[string][]string { return s.rebound }

// checkKeys reads [keys], checks them against the bindings, and reports all mistakes.
func (s *Settings) checkKeys(b Bindings, wrong func(key, format string, args ...any)) {
	given := map[string]any{}
	flatten("", s.Keymap, given)
	s.rebound = map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		at := slices.IndexFunc(b.All, func(k Binding) bool { return k.Name == name })
		if at < 0 {
			wrong("keys."+name, "%s", b.unknown(name))
			continue
		}
		if b.All[at].Fixed {
			wrong("keys."+name, "cannot be changed from %s", strings.Join(b.All[at].Keys, ", "))
			continue
		}
		keys, err := b.read(given[name])
		if err == nil && slices.Contains(b.Writing, b.All[at].Place) {
			for _, k := range keys {
				if b.Types(k) {
					err = fmt.Errorf("%q types text there; use a key such as ctrl+o or f2", k)
				}
			}
		}
		if err == nil && b.All[at].Place == "" && b.onlyText(keys) && !b.onlyText(b.All[at].Keys) {
			err = fmt.Errorf("%q types text in the composer, where this must work too; use a key such as ctrl+o or f2", keys[0])
		}
		if err != nil {
			wrong("keys."+name, "%s", err)
			continue
		}
		s.rebound[name] = keys
	}
	b.twice(s.rebound, wrong)
}

// onlyText reports whether none of the keys works where text is typed.
func (b Bindings) onlyText(keys []string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool { return !b.Types(k) })
}

// flatten moves the values of nested tables into one map, by their paths.
func flatten(prefix string, from, into map[string]any) {
	for name, v := range from {
		if table, ok := v.(map[string]any); ok {
			flatten(prefix+name+".", table, into)
		} else {
			into[prefix+name] = v
		}
	}
}

// unknown describes a name that no binding has, with those that end alike.
func (b Bindings) unknown(name string) string {
	last := name[strings.LastIndexByte(name, '.')+1:]
	var like []string
	for _, k := range b.All {
		own := k.Name[strings.LastIndexByte(k.Name, '.')+1:]
		if own == strings.ReplaceAll(last, "-", "_") {
			like = append(like, "keys."+k.Name)
		}
	}
	if len(like) == 0 {
		return "unknown command; society-tui help keys lists all names"
	}
	return "unknown command; did you mean " + strings.Join(like, " or ") + "?"
}

// read reads one key or a list of them.
func (b Bindings) read(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var keys []string
	for _, k := range list {
		key, ok := k.(string)
		switch {
		case !ok:
			return nil, fmt.Errorf("must be a key or a list of keys, as in \"ctrl+p\" or [\"up\", \"k\"], not %v", v)
		case !b.IsKey(key):
			return nil, fmt.Errorf("%q is not a key; use keys such as ctrl+p, alt+up, f2, space, T", key)
		case slices.Contains(keys, key):
			return nil, fmt.Errorf("%q is listed twice", key)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("must have at least one key")
	}
	return keys, nil
}

// twice finds keys that would mean two things in one place.
func (b Bindings) twice(changed map[string][]string, wrong func(key, format string, args ...any)) {
	keysOf := func(k Binding) []string {
		if keys, ok := changed[k.Name]; ok {
			return keys
		}
		return k.Keys
	}
	// Whether both keys work at once.
	meet := func(x, y Binding, key string) bool {
		switch {
		case x.Place == y.Place:
			return true
		case y.Place == "":
			x, y = y, x
		}
		if x.Place != "" || !slices.Contains(b.Panes, y.Place) {
			return false
		}
		return !slices.Contains(b.Writing, y.Place) || !b.Types(key)
	}
	for i, x := range b.All {
		for _, y := range b.All[:i] {
			for _, key := range keysOf(x) {
				if !slices.Contains(keysOf(y), key) || !meet(x, y, key) {
					continue
				}
				_, own := changed[x.Name]
				name, other := x.Name, y.Name
				if !own {
					name, other = other, name
				}
				if changed[name] != nil {
					wrong("keys."+name, "%q is already the key of %s", key, other)
				}
			}
		}
	}
}

// keysTemplate returns the bindings as a new settings file has them: those of anywhere
// first, because a table of TOML ends where the next one begins.
func (b Bindings) keysTemplate() string {
	var text strings.Builder
	text.WriteString("\n# Keys: one key or a list of keys for each command.\n")
	for _, place := range append([]string{""}, b.Places...) {
		header := "[keys]\n"
		if place != "" {
			header = fmt.Sprintf("\n[keys.%s]\n", place)
		}
		text.WriteString(header)
		for _, k := range b.All {
			if k.Place == place && !k.Fixed {
				fmt.Fprintf(&text, "# %s = %s # %s\n", strings.TrimPrefix(k.Name, place+"."), keyLiteral(k.Keys), k.About)
			}
		}
	}
	return text.String()
}

func keyLiteral(keys []string) string {
	quoted := make([]string, len(keys))
	for i, k := range keys {
		quoted[i] = strconv.Quote(k)
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
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
func (s *Settings) checkKeys(b Bindings, wrong func(key string, why error)) {
	given := map[string]any{}
	flatten("", s.Keymap, given)
	s.rebound = map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		at := slices.IndexFunc(b.All, func(k Binding) bool { return k.Name == name })
		if at < 0 {
			wrong("keys."+name, b.unknown(name))
			continue
		}
		if b.All[at].Fixed {
			wrong("keys."+name, textFixedKey.With(i18n.List(b.All[at].Keys)))
			continue
		}
		keys, err := b.read(given[name])
		if err == nil && slices.Contains(b.Writing, b.All[at].Place) {
			for _, k := range keys {
				if b.Types(k) {
					err = textTypes.With(k)
				}
			}
		}
		if err == nil && b.All[at].Place == "" && b.onlyText(keys) && !b.onlyText(b.All[at].Keys) {
			err = textTypesHere.With(keys[0])
		}
		if err != nil {
			wrong("keys."+name, err)
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

// unknown describes a name that no binding has, and suggests one.
func (b Bindings) unknown(name string) error {
	names := make([]string, len(b.All))
	for i, k := range b.All {
		names[i] = k.Name
	}
	if near := nearest(name, names); near != "" {
		return textKeyMeant.With("keys." + near)
	}
	return textNoCommand.With()
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
			return nil, textNoKeys.With(v)
		case !b.IsKey(key):
			return nil, textNoKey.With(key)
		case slices.Contains(keys, key):
			return nil, textListedTwice.With(key)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, textNoneOfKeys.With()
	}
	return keys, nil
}

// twice finds keys that would mean two things in one place.
func (b Bindings) twice(changed map[string][]string, wrong func(key string, why error)) {
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
					wrong("keys."+name, textKeyTaken.With(key, other))
				}
			}
		}
	}
}

// keysTemplate returns the bindings as a new settings file has them: those of anywhere
// first, because a table of TOML ends where the next one begins.
func (b Bindings) keysTemplate(lang protocol.Lang) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n# %s\n", textKeysHead.In(lang))
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

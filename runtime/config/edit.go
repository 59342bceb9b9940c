package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tomlfile"
)

// A Change is one change of the settings file. What no change names stays as it is, with its
// comments.
type Change struct {
	// Model is the name of a [[models]] table, which is added if there is none; "" for a key
	// of another table.
	Model string
	// Key is "model.name", or the key within the table of Model. "" removes that table.
	Key string
	// Value is a text, a list or a table of texts, a number or a bool; nil removes the key.
	Value any
	// from is the key whose value is moved here as it stands, if it is there.
	from string
}

// MoveModel returns the changes that give the model of the [model] table a table of its own,
// with all that is set there for it. A plain key cannot be moved.
func MoveModel(name string) []Change {
	changes := []Change{{Model: name, Key: "model", Value: name}}
	own := tomlfile.Fields[Model]()
	for _, key := range tomlfile.Fields[Endpoint]() {
		if key != "name" && slices.Contains(own, key) {
			changes = append(changes, Change{Model: name, Key: key, from: "model." + key})
		}
	}
	return changes
}

// RenameInGraphs returns the changes with which nodes of [[graphs]] that ask for a model ask for
// another, or for the default if now is "".
func (s *Settings) RenameInGraphs(before, now string) []Change {
	var changes []Change
	for i := range s.Graphs {
		changes = renameInGraph(changes, fmt.Sprintf("graphs[%d]", i), &s.Graphs[i], before, now)
	}
	return changes
}

func renameInGraph(changes []Change, at string, g *graph.Definition, before, now string) []Change {
	for i := range g.Nodes {
		n, at := &g.Nodes[i], fmt.Sprintf("%s.nodes[%d]", at, i)
		switch {
		case n.Graph != nil:
			changes = renameInGraph(changes, at+".graph", n.Graph, before, now)
		case n.Model == before && now == "":
			changes = append(changes, Change{Key: at + ".model"})
		case n.Model == before:
			changes = append(changes, Change{Key: at + ".model", Value: now})
		}
	}
	return changes
}

// RemoveModel returns the change that removes a [[models]] table.
func RemoveModel(name string) Change { return Change{Model: name} }

// ChangeOf returns the change that sets a key of the file to what a user has written: the
// words of a list are separated by commas. An error tells what the setting may be.
func ChangeOf(key, text string) (Change, error) {
	s := Defaults()
	all := fields(&s)
	at := slices.IndexFunc(all, func(f field) bool { return f.key == key && f.isPlain() })
	if at < 0 {
		return Change{}, textUnknown.With()
	}
	f := all[at]
	if _, list := f.value.Interface().([]string); list {
		words := []string{}
		for word := range strings.SplitSeq(text, ",") {
			if word = strings.TrimSpace(word); word != "" {
				words = append(words, word)
			}
		}
		f.value.Set(reflect.ValueOf(words))
	} else if err := f.assign(text); err != nil {
		return Change{}, err
	}
	if err := f.check(); err != nil {
		return Change{}, err
	}
	c := Change{Key: key, Value: f.value.Interface()}
	switch v := c.Value.(type) {
	case Duration:
		c.Value = v.String()
	case *float64:
		c.Value = *v
	}
	return c, nil
}

// Unwritten is returned when the settings file was left as it is.
type Unwritten struct {
	File string
	Why  error
	// Lines are to be put into the file by hand.
	Lines string
}

// In returns the error in a language.
func (u *Unwritten) In(lang protocol.Lang) string { return textUnwritten.With(u.File, u.Why).In(lang) }

// Error returns the error in English.
func (u *Unwritten) Error() string { return u.In(protocol.English) }

// Unwrap returns why nothing was written.
func (u *Unwritten) Unwrap() error { return u.Why }

// Edit changes the settings file, which is made if there is none, and returns the settings
// that it then leads to. All changes are made or none: the result must be free of mistakes.
// Other programs that edit wait for each other; what anybody else has written meanwhile
// stays. A link stays one. An error is an *Unwritten.
func Edit(ctx context.Context, src Sources, changes ...Change) (Settings, error) {
	return edit(ctx, src, changes, func() {})
}

// edit calls meanwhile before it looks for the last time whether the file has changed.
func edit(ctx context.Context, src Sources, changes []Change, meanwhile func()) (Settings, error) {
	path, err := settingsFile(src)
	if err != nil {
		return Settings{}, &Unwritten{File: src.Places.File, Why: err, Lines: lines(changes)}
	}
	s, err := editAt(ctx, path, src, changes, meanwhile)
	if err != nil {
		return Settings{}, &Unwritten{File: path, Why: err, Lines: lines(changes)}
	}
	return s, nil
}

func editAt(ctx context.Context, path string, src Sources, changes []Change, meanwhile func()) (s Settings, err error) {
	err = tomlfile.Rewrite(ctx, path, func(text []byte, mode fs.FileMode) ([]byte, error) {
		src.content, src.contentMode = &text, mode
		former, _ := Load(src) // with a mistake that concerns all it has no models
		document := tomlfile.NewDocument(text)
		for _, c := range changes {
			if err := c.apply(document); err != nil {
				return nil, err
			}
		}
		if slices.ContainsFunc(changes, func(c Change) bool { return c.Key == "model.name" && c.Value == nil }) {
			if err := document.RemoveEmpty("model"); err != nil {
				return nil, err
			}
		}
		text = document.Text()
		if s, err = Load(src); err == nil {
			err = mistakes(&s, &former, changes)
		}
		meanwhile()
		return text, err
	})
	if err != nil {
		return Settings{}, err
	}
	return s, nil
}

// mistakes returns those in the [[models]] tables that were changed, or had none before.
func mistakes(s, before *Settings, changes []Change) error {
	var all []error
	for i := range s.Models {
		m := &s.Models[i]
		_, sound := before.entry(m.Name)
		if sound || slices.ContainsFunc(changes, func(c Change) bool { return c.Model == m.Name }) {
			all = append(all, m.Wrong...)
		}
	}
	return errors.Join(all...)
}

// settingsFile returns the path of the settings file of the sources.
func settingsFile(src Sources) (string, error) {
	s := Settings{origin: map[string]Origin{}}
	s.Data, s.File, s.Logs = src.Places.Data, src.Places.File, src.Places.Logs
	err := s.place(src.Flags)
	return s.File, err
}

// apply makes the change in the text of a file.
func (c Change) apply(d *tomlfile.Document) error {
	table, key := "", c.Key
	value := tomlfile.Literal(c.Value)
	if c.from != "" {
		before, last, _ := strings.Cut(c.from, ".")
		text, there, err := d.Value(before, last)
		if err != nil || !there {
			return err
		}
		if err := d.Unset(before, last); err != nil {
			return err
		}
		value = text
	}
	if c.Model == "" {
		if i := strings.LastIndexByte(c.Key, '.'); i >= 0 {
			table, key = c.Key[:i], c.Key[i+1:]
		}
	} else {
		at, found := tableOf(d, c.Model)
		switch {
		case !found && (key == "" || c.Value == nil && c.from == ""):
			return nil
		case !found:
			if err := d.Add("models", tomlfile.Pair{Key: "name", Value: tomlfile.Literal(c.Model)}); err != nil {
				return err
			}
			at, _ = tableOf(d, c.Model)
		case key == "":
			return d.Remove(where(at))
		}
		table = where(at)
	}
	if c.Value == nil && c.from == "" {
		return d.Unset(table, key)
	}
	return d.Set(table, key, value)
}

// tableOf returns which of the [[models]] tables has a name.
func tableOf(d *tomlfile.Document, name string) (int, bool) {
	places := tomlfile.Places(d.Text())
	for i := 0; ; i++ {
		if _, there := places[where(i)]; !there {
			return 0, false
		}
		if places[where(i)+".name"].Value == name {
			return i, true
		}
	}
}

// lines returns what the changes would write, for a user to do it.
func lines(changes []Change) string {
	var b strings.Builder
	table := ""
	head := func(now string) {
		if now != table {
			table = now
			fmt.Fprintf(&b, "%s\n", now)
		}
	}
	for _, c := range changes {
		key := c.Key
		switch {
		case c.Model != "" && key == "":
			fmt.Fprintf(&b, "# remove [[models]] %s\n", c.Model)
			continue
		case c.Model != "":
			if now := "[[models]] # " + c.Model; now != table {
				head(now)
				fmt.Fprintf(&b, "name = %s\n", tomlfile.Literal(c.Model))
			}
		default:
			if i := strings.LastIndexByte(key, '.'); i >= 0 {
				if strings.Contains(key[:i], "[") { // of a list: there is no such head
					head("# in " + key[:i])
				} else {
					head("[" + key[:i] + "]")
				}
				key = key[i+1:]
			}
		}
		if c.from != "" {
			fmt.Fprintf(&b, "# move %s here\n", c.from)
		} else if c.Value == nil {
			fmt.Fprintf(&b, "# remove %s\n", key)
		} else {
			fmt.Fprintf(&b, "%s = %s\n", key, tomlfile.Literal(c.Value))
		}
	}
	return b.String()
}

// InFile reports whether the settings file sets a key, and nothing overrides it.
func (s *Settings) InFile(key string) bool { return s.origin[key].File != "" }

// DecidedBy returns the flag or the variable that sets one of the keys, "" for none.
func (s *Settings) DecidedBy(keys ...string) string {
	for _, key := range keys {
		if from := s.origin[key]; from.Flag != "" || from.Variable != "" {
			return from.Flag + from.Variable
		}
	}
	return ""
}

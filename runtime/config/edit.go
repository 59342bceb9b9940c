package config

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

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

// RemoveModel returns the change that removes a [[models]] table.
func RemoveModel(name string) Change { return Change{Model: name} }

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

// errChanged is why nothing is written to a file that somebody else has written meanwhile.
var errChanged error = textChanged.With()

// lockTime limits how long a program waits for another that writes the settings.
const lockTime = 5 * time.Second

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

func editAt(ctx context.Context, path string, src Sources, changes []Change, meanwhile func()) (Settings, error) {
	target, err := behindLinks(path)
	if err != nil {
		return Settings{}, err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return Settings{}, err
	}
	lock := flock.New(target + ".lock")
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	if locked, err := lock.TryLockContext(ctx, 20*time.Millisecond); !locked {
		return Settings{}, textLocked.With(err)
	}
	defer lock.Unlock()
	before, mode, err := readWhole(target)
	if err != nil {
		return Settings{}, err
	}
	text := bytes.TrimPrefix(before, []byte("\ufeff"))
	mark := before[:len(before)-len(text)]
	src.content, src.contentMode = &text, mode
	former, _ := Load(src) // with a mistake that concerns all it has no models
	document := tomlfile.NewDocument(text)
	for _, c := range changes {
		if err := c.apply(document); err != nil {
			return Settings{}, err
		}
	}
	text = document.Text()
	s, err := Load(src)
	if err == nil {
		err = mistakes(&s, &former, changes)
	}
	if err != nil {
		return Settings{}, err
	}
	meanwhile()
	now, _, err := readWhole(target)
	if err == nil && sha256.Sum256(now) != sha256.Sum256(before) {
		err = errChanged
	}
	if err != nil {
		return Settings{}, err
	}
	return s, replace(target, append(mark, text...), mode)
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

// behindLinks returns the file that a path leads to, which need not be there.
func behindLinks(path string) (string, error) {
	const most = 40 // as the system has it
	for range most {
		to, err := os.Readlink(path)
		if err != nil { // no link, or nothing
			return path, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", textManyLinks.With(path)
}

// readWhole reads a file with its mode; one that is not there is empty and private.
func readWhole(path string) ([]byte, fs.FileMode, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0o600, nil
	}
	if err != nil {
		return nil, 0, err
	}
	if _, _, err := tomlfile.Read(path); err != nil { // its size and kind
		return nil, 0, err
	}
	text, err := os.ReadFile(path)
	return text, info.Mode().Perm(), err
}

// replace writes a file beside the target and renames it.
func replace(target string, text []byte, mode fs.FileMode) error {
	draft, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if err != nil {
		return err
	}
	_, err = draft.Write(text)
	err = errors.Join(err, draft.Chmod(mode), draft.Sync(), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), target)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(draft.Name()))
	}
	return err
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
				head("[" + key[:i] + "]")
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

package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"society-tui/runtime/tomlfile"
)

// readFile sets what the file sets. A file that does not exist is no mistake, unless the
// user asked for it. whole is false if nothing more can be said of the file.
func (s *Settings) readFile(asked bool) (problems []error, whole bool) {
	content, mode, err := tomlfile.Read(s.File)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return nil, true
	}
	if err != nil {
		return []error{fmt.Errorf("cannot read the settings: %w", err)}, false
	}
	s.origin["file"] = s.from("file")
	found, problems, whole := s.decode(content)
	for key, at := range found {
		s.origin[key] = fmt.Sprintf("%s:%d", s.File, at.Line)
	}
	// Windows has no such bits: every file there looks readable by all.
	if s.Model.Key.Reveal() != "" && mode.Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		s.Warnings = append(s.Warnings, fmt.Sprintf(
			"Others can read %s, which contains a key (mode %04o). Run chmod 600 on it.", s.File, mode.Perm()))
	}
	return problems, whole
}

// decode reads the content of the file into s, and returns the place of each setting and
// what is wrong with the file. whole is false if a mistake hides others.
func (s *Settings) decode(content []byte) (found map[string]tomlfile.Place, problems []error, whole bool) {
	read, mistakes, whole := tomlfile.Decode(content, func() *Settings { fresh := *s; return &fresh })
	*s = *read
	for _, m := range mistakes {
		text := m.Text
		if m.Unknown {
			text = unknown(m.Key)
		} else {
			s.unread = append(s.unread, m.Path)
		}
		problems = append(problems, &Problem{From: fmt.Sprintf("%s:%d", s.File, m.Line), Key: tomlfile.Printable(strings.Join(m.Key, ".")), Text: text})
	}
	found = tomlfile.Places(content)
	for key := range found { // the library takes one table for a list of one
		for list, what := range map[string]string{"models": "model", "graphs": "graph"} {
			if strings.HasPrefix(key, list+".") && whole {
				at := tomlfile.Nearest(found, list)
				problems = append(problems, &Problem{From: fmt.Sprintf("%s:%d", s.File, at.Line), Key: list, Text: "use two brackets, [[" + list + "]], for each " + what})
				whole = false
			}
		}
	}
	return found, problems, whole
}

// unknown describes a key that no setting has, with the nearest that exists: one that ends
// or begins alike.
func unknown(key []string) string {
	last := key[len(key)-1]
	if len(key) > 1 && key[0] == "models" {
		return unknownOfModel(last)
	}
	for _, f := range fields(new(Settings)) {
		own := f.key[strings.LastIndexByte(f.key, '.')+1:]
		if strings.EqualFold(strings.ReplaceAll(own, "_", ""), strings.NewReplacer("_", "", "-", "").Replace(last)) {
			return "unknown setting; did you mean " + f.key + "?"
		}
	}
	return "unknown setting"
}

// Write writes a settings file in which every setting stands with its meaning and its
// default, commented out. A file that exists is not overwritten: the error wraps
// fs.ErrExist.
func Write(path string, keys Bindings) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("cannot create the folder of the settings: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("cannot write the settings: %w", err)
	}
	_, err = f.WriteString(template(keys))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("cannot write the settings: %w", err)
	}
	return nil
}

// template returns the text of a new settings file.
func template(keys Bindings) string {
	var b strings.Builder
	b.WriteString("# Settings of society-tui. Lines that are commented out show the defaults.\n" +
		"# Flags override the environment, which overrides this file.\n")
	s := Defaults()
	table := ""
	for _, f := range fields(&s) {
		prefix, own, nested := strings.Cut(f.key, ".")
		if !nested {
			own = prefix
		} else if prefix != table {
			table = prefix
			fmt.Fprintf(&b, "\n# %s\n[%s]\n", f.table, table)
		}
		fmt.Fprintf(&b, "\n# %s%s\n# %s = %s\n", f.tag.Get("about"), f.bounds(), own, f.literal())
	}
	b.WriteString(keys.keysTemplate())
	b.WriteString(modelsTemplate())
	b.WriteString(graphsTemplate)
	return b.String()
}

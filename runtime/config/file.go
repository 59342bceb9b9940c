package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/suggest"
	"society-tui/runtime/tomlfile"
)

// readFile sets what the file sets. A file that does not exist is no mistake, unless the
// user asked for it. whole is false if nothing more can be said of the file.
func (s *Settings) readFile(src *Sources, asked bool) (problems []error, whole bool) {
	content, mode, err := src.file(s.File)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return nil, true
	}
	if err != nil {
		return []error{textUnreadable.With(err)}, false
	}
	found, problems, whole := s.decode(content)
	for key, at := range found {
		s.origin[key] = Origin{File: s.File, Line: at.Line}
	}
	// Windows has no such bits: every file there looks readable by all.
	if s.Model.Key.Reveal() != "" && mode.Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		s.Warnings = append(s.Warnings, textReadByOthers.With(s.File, mode.Perm()))
	}
	return problems, whole
}

// decode reads the content of the file into s, and returns the place of each setting and
// what is wrong with the file. whole is false if a mistake hides others.
func (s *Settings) decode(content []byte) (found map[string]tomlfile.Place, problems []error, whole bool) {
	found = tomlfile.Places(content)
	read, mistakes, whole := tomlfile.Decode(content, func() *Settings { fresh := *s; return &fresh })
	*s = *read
	for _, m := range mistakes {
		why := m.Why
		switch {
		case m.Unknown:
			why = unknown(m)
		default:
			s.unread = append(s.unread, m.Path)
			if bad := new(Secret).UnmarshalText([]byte(found[m.Path].Value)); m.Path == "model.key" && bad != nil {
				why = bad // the library has only its English text
			}
		}
		problems = append(problems, &Problem{From: Origin{File: s.File, Line: m.Line}, Key: tomlfile.Printable(strings.Join(m.Key, ".")), Why: why, at: m.Path})
	}
	for key := range found { // the library takes one table for a list of one
		for list, what := range map[string]i18n.Text{"models": textModel, "graphs": textGraph, "rules": textRule, "mcp": textServer} {
			if strings.HasPrefix(key, list+".") && whole {
				at := tomlfile.Nearest(found, list)
				problems = append(problems, &Problem{From: Origin{File: s.File, Line: at.Line}, Key: list, Why: textTwoBrackets.With(list, what)})
				whole = false
			}
		}
	}
	return found, problems, whole
}

// unknown describes a key that no setting has, and suggests one.
func unknown(m tomlfile.Mistake) error {
	table, last := strings.Join(m.Key[:len(m.Key)-1], "."), m.Key[len(m.Key)-1]
	switch {
	case table == "models":
		return unknownOfModel(m)
	case table == "mcp":
		return unknownOfServer(m)
	case m.Meant != "":
		return meant(textUnknown.With(), strings.TrimPrefix(table+"."+m.Meant, "."))
	}
	var names []string
	for _, f := range fields(new(Settings)) { // it may stand in another table
		names = append(names, f.key)
	}
	return meant(textUnknown.With(), nearest(last, names))
}

// nearest returns the name that is most like a misspelt one, or else one whose last
// part is like that of the other, or "".
func nearest(name string, names []string) string {
	if near := suggest.Nearest(name, names); near != "" {
		return near
	}
	last := func(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = last(name)
	}
	if at := slices.Index(parts, suggest.Nearest(last(name), parts)); at >= 0 {
		return names[at]
	}
	return ""
}

// Write writes a settings file in which every setting stands with its meaning in a language
// and its default, commented out. A file that exists is not overwritten: the error wraps
// fs.ErrExist.
func Write(path string, lang protocol.Lang, keys Bindings) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return textNoFolder.With(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return textUnwritable.With(err)
	}
	_, err = f.WriteString(template(lang, keys))
	if err := errors.Join(err, f.Close()); err != nil {
		return textUnwritable.With(err)
	}
	return nil
}

// template returns the text of a new settings file.
func template(lang protocol.Lang, keys Bindings) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n# %s\n", textHead.In(lang), textOrder.In(lang))
	s := Defaults()
	table := ""
	for _, f := range fields(&s) {
		prefix, own, nested := strings.Cut(f.key, ".")
		if !nested {
			own = prefix
		} else if prefix != table {
			table = prefix
			fmt.Fprintf(&b, "\n# %s\n[%s]\n", about(f.table).In(lang), table)
		}
		fmt.Fprintf(&b, "\n# %s\n# %s = %s\n", f.comment(lang), own, f.literal())
	}
	b.WriteString(keys.keysTemplate(lang))
	fmt.Fprintf(&b, "\n# %s\n%s", textRules.In(lang), exampleRule)
	b.WriteString(serversTemplate(lang))
	b.WriteString(modelsTemplate(lang))
	fmt.Fprintf(&b, "\n# %s\n# %s\n%s", textGraphs.In(lang), textGraphsSee.In(lang), exampleGraph)
	return b.String()
}

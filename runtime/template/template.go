// Package template reads the templates from which a user plants a part of a
// society: roles with their prompts, and a tree of agents that wait for work. A
// template is a TOML file; some are built in, others lie in a folder of the
// person's.
package template

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tomlfile"
	"society-tui/runtime/tool"
)

// A Template is one that was read and has no mistake in itself. What a society
// may still refuse are its caps and models.
type Template struct {
	Name        string
	Description string
	// From is the path of its file, "" for one that is built in.
	From string
	Text string // of the file
	// Plant is the command that plants it.
	Plant society.Plant
}

// A Shelf is where templates are found: those that are built in, in each language,
// and those in a folder. One of the folder stands before a built-in one of the
// same name.
type Shelf struct {
	// Dir is the folder of the user's own; it need not be there.
	Dir string
	// Groups are the groups of tools that roles may name.
	Groups []tool.Group
	// Graphs are the names of those that roles may name beside those of their own
	// template; nil believes all.
	Graphs []string
}

//go:embed en/*.toml zh-CN/*.toml
var builtIn embed.FS

// Names are the names of the templates that are built in.
func Names() []string { return []string{"research", "plan", "debate", "write", "views"} }

// An Entry is one line of what is on a shelf: a template, or a file of which none
// can be made.
type Entry struct {
	Template
	// Err says why the file makes no template; Name is that of the file then.
	Err error
}

// List returns what is on the shelf: the user's own, by name, then what is
// built in and not hidden by one of those, and last the files of which none can be
// made. Built-in ones are in that language.
func (s Shelf) List(lang protocol.Lang) []Entry {
	entries := s.own()
	for _, name := range Names() {
		if slices.ContainsFunc(entries, func(e Entry) bool { return e.Name == name }) {
			continue
		}
		t, err := s.builtIn(name, lang)
		entries = append(entries, Entry{t, err})
	}
	slices.SortStableFunc(entries, func(a, b Entry) int {
		switch {
		case a.Err == nil && b.Err != nil:
			return -1
		case a.Err != nil && b.Err == nil:
			return 1
		}
		return 0
	})
	return entries
}

// own reads the folder.
func (s Shelf) own() []Entry {
	var entries []Entry
	files, _ := filepath.Glob(filepath.Join(quoted(s.Dir), "*.toml")) // the pattern is well formed
	if s.Dir == "" {
		files = nil
	}
	for _, file := range files {
		t, err := s.file(file)
		if err != nil {
			t.Name, t.From = stem(file), file
		}
		entries = append(entries, Entry{t, err})
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return entries
}

// quoted is a folder's path as a pattern that means it alone.
func quoted(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

func stem(file string) string { return strings.TrimSuffix(filepath.Base(file), ".toml") }

// Find returns the template that a user means: a file if what they say has a
// separator of paths or ends in .toml, else one of the shelf by its name. The
// error says all that is wrong with it, a line each.
func (s Shelf) Find(name string, lang protocol.Lang) (Template, error) {
	if strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".toml") {
		return s.file(Home(name))
	}
	var found []Entry
	for _, e := range s.own() {
		if e.Name == name {
			found = append(found, e)
		}
	}
	switch {
	case len(found) > 1:
		return Template{}, fmt.Errorf("two templates are called %q: %s and %s; say which by its path", name, found[0].From, found[1].From)
	case len(found) == 1:
		return found[0].Template, found[0].Err
	case slices.Contains(Names(), name):
		return s.builtIn(name, lang)
	}
	var names []string
	for _, e := range s.List(lang) {
		if e.Err == nil {
			names = append(names, e.Name)
		}
	}
	return Template{}, fmt.Errorf("there is no template %q; there are %s. Your own belong in %s, or name a file with its path",
		name, strings.Join(names, ", "), cmp.Or(s.Dir, "no folder"))
}

// Home is a path whose ~ means the home folder, for where no shell has read it.
func Home(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	dir, err := os.UserHomeDir()
	if !ok || err != nil {
		return path
	}
	return filepath.Join(dir, rest)
}

func (s Shelf) builtIn(name string, lang protocol.Lang) (Template, error) {
	if lang != protocol.Chinese {
		lang = protocol.English
	}
	path := string(lang) + "/" + name + ".toml"
	text, err := fs.ReadFile(builtIn, path)
	if err != nil {
		return Template{}, err
	}
	t, err := Parse(text, path, s.Groups, nil)
	t.From = ""
	return t, err
}

func (s Shelf) file(path string) (Template, error) {
	text, _, err := tomlfile.Read(path)
	if err != nil {
		return Template{}, fmt.Errorf("read the template: %w", err)
	}
	return Parse(text, path, s.Groups, s.Graphs)
}

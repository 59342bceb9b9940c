// Package template reads templates: TOML files with roles, their prompts, and a tree of
// agents that wait for work, from which the user makes a team. Some are built in, others are
// in a folder of the user's. A [Source] lists and finds them, [Parse] reads one and reports
// every mistake in it.
package template

import (
	"cmp"
	"embed"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/suggest"
	"society-tui/runtime/tomlfile"
	"society-tui/runtime/tool"
)

// A Template was read and has no mistake in itself. A society may still refuse it for its
// caps and models.
type Template struct {
	Name        string
	Description string
	// From is the path of its file, "" for one that is built in.
	From string
	Text string // of the file
	// Team is the command that adds it.
	Team society.AddTeam
}

// The groups of tools that work on files.
const fileTools, commandTools tool.Group = "files", "shell"

// UsesFiles reports whether roles of the team work on files.
func (t Template) UsesFiles() bool {
	return slices.ContainsFunc(t.Team.Roles, func(r society.TeamRole) bool {
		return slices.Contains(r.Tools, fileTools) || slices.Contains(r.Tools, commandTools)
	})
}

// A Source is where templates are found: those that are built in, in each language, and
// those in a folder, which hide built-in ones of the same name.
type Source struct {
	// Dir is the folder of the user's own; it need not be there.
	Dir string
	// Groups are the groups of tools that roles may name.
	Groups []tool.Group
	// Graphs are the names of those that roles may name beside those of their own
	// template; nil allows all.
	Graphs []string
}

//go:embed en/*.toml zh-CN/*.toml
var builtIn embed.FS

// Names returns the names of the templates that are built in.
func Names() []string { return []string{"research", "plan", "debate", "write", "views", "review"} }

// An Entry is a template of a source, or a file with mistakes.
type Entry struct {
	Template
	// Err is why the file makes no template; Name is that of the file then.
	Err error
}

// List returns the user's own templates by name, then those that are built in, in that
// language, and last the files with mistakes. Of those that are built in it leaves out what
// one of the user's hides, and what needs tools that the source does not offer.
func (s Source) List(lang protocol.Lang) []Entry {
	entries := s.own()
	for _, name := range Names() {
		if slices.ContainsFunc(entries, func(e Entry) bool { return e.Name == name }) {
			continue
		}
		if t, err := s.builtIn(name, lang); err == nil { // else it names groups that are not there
			entries = append(entries, Entry{Template: t})
		}
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
func (s Source) own() []Entry {
	var entries []Entry
	for _, file := range s.files() {
		t, err := s.file(file)
		if err != nil {
			t.Name, t.From = stem(file), file
		}
		entries = append(entries, Entry{t, err})
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return entries
}

// files returns the paths of the user's own templates.
func (s Source) files() []string {
	if s.Dir == "" {
		return nil
	}
	files, _ := filepath.Glob(filepath.Join(quoted(s.Dir), "*.toml")) // the pattern is well formed
	return files
}

// quoted returns a folder's path as a pattern that matches it alone.
func quoted(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

func stem(file string) string { return strings.TrimSuffix(filepath.Base(file), ".toml") }

// Find returns the template that the user means: a file if name has a separator of paths or
// ends in .toml, else one of the source. The error lists all that is wrong with it, a line
// each.
func (s Source) Find(name string, lang protocol.Lang) (Template, error) {
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
		return Template{}, textTwoTemplates.With(name, found[0].From, found[1].From)
	case len(found) == 1:
		return found[0].Template, found[0].Err
	case slices.Contains(Names(), name):
		return s.builtIn(name, lang)
	}
	if t, ok := s.titled(name, lang); ok {
		return t, nil
	}
	var names []string
	for _, e := range s.List(lang) {
		if e.Err == nil {
			names = append(names, e.Name)
		}
	}
	if near := suggest.Nearest(name, names); near != "" {
		return Template{}, textNearTemplate.With(name, near)
	}
	if s.Dir == "" {
		return Template{}, textNoTemplate.With(name, i18n.List(names), textNoFolder)
	}
	return Template{}, textNoTemplate.With(name, i18n.List(names), s.Dir)
}

// titled returns the built-in template that is called so in the words before the colon of its
// description, which may name two things: 辩论与决定.
func (s Source) titled(name string, lang protocol.Lang) (Template, bool) {
	for _, other := range Names() {
		t, err := s.builtIn(other, lang)
		title, _, _ := strings.Cut(t.Description, "：")
		if err == nil && (name == title || slices.Contains(strings.Split(title, "与"), name)) {
			return t, true
		}
	}
	return Template{}, false
}

// Home replaces the ~ of a path by the home folder, where no shell has done that.
func Home(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	dir, err := os.UserHomeDir()
	if !ok || err != nil {
		return path
	}
	return filepath.Join(dir, rest)
}

func (s Source) builtIn(name string, lang protocol.Lang) (Template, error) {
	if lang != protocol.Chinese {
		lang = protocol.English
	}
	path := string(lang) + "/" + name + ".toml"
	text, err := fs.ReadFile(builtIn, path)
	if err != nil {
		return Template{}, err
	}
	t, err := parse(text, path, s.Groups, nil)
	t.From = ""
	return t, err
}

func (s Source) file(path string) (Template, error) {
	text, _, err := tomlfile.Read(path)
	if err != nil {
		return Template{}, textUnreadable.With(err)
	}
	return parse(text, path, s.Groups, s.Graphs)
}

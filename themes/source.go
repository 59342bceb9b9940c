package themes

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Source is where themes are found: those that are built in, and the user's own in a
// folder, which hide built-in ones of the same name.
type Source struct {
	// Dir is the folder of the user's own; it need not be there. Empty is none.
	Dir string
}

// An Entry is a theme of a source, or a file with mistakes.
type Entry struct {
	Theme
	// From is the path of its file, "" for one that is built in.
	From string
	// Err is why the file makes no theme; Name is that of the file then.
	Err error
}

// List returns the built-in themes, then the user's own by name.
func (s Source) List() []Entry {
	own := s.own()
	var all []Entry
	for _, name := range Names() {
		if !slices.ContainsFunc(own, func(e Entry) bool { return e.Name == name }) {
			all = append(all, Entry{Theme: bundled(name)})
		}
	}
	return append(all, own...)
}

// own reads the folder.
func (s Source) own() []Entry {
	if s.Dir == "" {
		return nil
	}
	files, _ := os.ReadDir(s.Dir) // a folder that cannot be read holds no theme
	var own []Entry
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".toml"); ok && name != "" {
			own = append(own, read(name, filepath.Join(s.Dir, f.Name())))
		}
	}
	return own
}

// most is the largest file that is read.
const most = 64 << 10

// read reads a file of the user's. What it leaves out is as in dark. It checks the file
// before it opens it, because opening a pipe would wait for a writer.
func read(name, path string) Entry {
	failed := func(err error) Entry { return Entry{Theme: Theme{Name: name}, From: path, Err: err} }
	if name == AutoName {
		return failed(&Mistake{File: path, Fault: NotAuto})
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return failed(err)
	case !info.Mode().IsRegular():
		return failed(&Mistake{File: path, Fault: NotAFile})
	case info.Size() > most:
		return failed(&Mistake{File: path, Fault: TooLarge, Most: most})
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return failed(err)
	}
	t := bundled("dark")
	t.Name = name
	if err := t.lay(path, bytes.TrimPrefix(b, []byte("\ufeff"))); err != nil {
		return failed(err)
	}
	return Entry{Theme: t, From: path}
}

// Names returns all names that the user can ask for, including those of files with
// mistakes.
func (s Source) Names() []string {
	var names []string
	for _, e := range s.List() {
		names = append(names, e.Name)
	}
	return names
}

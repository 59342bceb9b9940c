package workspace

import (
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"
)

// deepest bounds how many folders are open within each other.
const deepest = 100

// An Entry is a file or folder that a walk meets.
type Entry struct {
	Name string // from the workspace on
	Info fs.DirEntry
	in   *opened
}

// Read reads a file, during its visit or while it is kept, into room if it fits. It may be
// called on any goroutine.
func (e Entry) Read(most int64, room []byte) ([]byte, error) {
	was, err := e.Info.Info()
	if err != nil || !was.Mode().IsRegular() {
		was = nil
	}
	content, _, err := readIn(e.in.root, path.Base(e.Name), e.Name, was, most, room)
	return content, err
}

// Stat describes what a visit is about.
func (e Entry) Stat() (fs.FileInfo, error) { return e.in.root.Lstat(path.Base(e.Name)) }

// Keep lets Read be called after the visit, until Release is.
func (e Entry) Keep() { e.in.users.Add(1) }

// Release ends what Keep began.
func (e Entry) Release() { e.in.release() }

// An opened is a folder that is closed when nobody reads in it any more.
type opened struct {
	root  *os.Root
	users atomic.Int64
}

func (o *opened) release() {
	if o.users.Add(-1) == 0 {
		closeAll(o.root)
	}
}

// Skip is returned by a visit of a folder that is not to be looked into.
var Skip = fs.SkipDir

// Walk visits all in a folder, a folder before what is in it, by name. Without all it leaves
// out .git, what a .gitignore says, unless the folder itself is such, and what is neither
// a file nor a folder.
func (f *Folder) Walk(ctx context.Context, dir string, all bool, visit func(Entry) error) error {
	in, base, err := f.parent(dir, nil)
	if err != nil {
		return err
	}
	if dir != "." {
		next, err := step(in, base, dir)
		closeAll(in)
		if err != nil {
			return err
		}
		in = next
	}
	w := walk{ctx: ctx, all: all, visit: visit}
	var rules []ignored
	if !all {
		rules = f.rulesAbove(dir)
	}
	return w.folder(in, dir, rules, 0)
}

type walk struct {
	ctx   context.Context
	all   bool
	visit func(Entry) error
}

// folder visits what is in a folder and closes it.
func (w *walk) folder(in *os.Root, dir string, rules []ignored, depth int) error {
	here := &opened{root: in}
	here.users.Store(1)
	defer here.release()
	d, err := in.Open(".")
	if err != nil {
		return failed(dir, err)
	}
	entries, err := d.ReadDir(-1)
	_ = d.Close() // it was only read
	if err != nil {
		return failed(dir, err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	if !w.all {
		rules = append(slices.Clip(rules), rulesIn(in, dir, entries)...)
	}
	for _, e := range entries {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		name := path.Join(dir, e.Name())
		folder := e.IsDir()
		if !w.all && (!folder && !e.Type().IsRegular() || isTemporary(e.Name()) || e.Name() == ".git" || isIgnored(rules, name, folder)) {
			continue
		}
		err := w.visit(Entry{name, e, here})
		if !folder {
			if err != nil {
				return err
			}
			continue
		}
		if err == Skip || depth >= deepest {
			continue
		}
		if err != nil {
			return err
		}
		next, err := step(in, e.Name(), name)
		if err != nil {
			continue // removed, swapped or unreadable: it is left out
		}
		if err := w.folder(next, name, rules, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// largestIgnore bounds a .gitignore.
const largestIgnore = 1 << 20

func rulesIn(in *os.Root, dir string, entries []fs.DirEntry) []ignored {
	if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" }) {
		return nil
	}
	content, _, err := readIn(in, ".gitignore", ".gitignore", nil, largestIgnore, nil)
	if err != nil {
		return nil // a link, or too large: git would not read it either
	}
	return ignores(dir, content)
}

// rulesAbove returns the rules of the folders above dir, none if they ignore dir itself.
func (f *Folder) rulesAbove(dir string) (rules []ignored) {
	if file, err := f.Read(".git/info/exclude"); err == nil {
		rules = ignores(".", file.Content)
	}
	if dir == "." {
		return rules
	}
	parts := strings.Split(dir, "/")
	for i := range parts {
		above := "."
		if i > 0 {
			above = strings.Join(parts[:i], "/")
		}
		if file, err := f.Read(path.Join(above, ".gitignore")); err == nil {
			rules = append(rules, ignores(above, file.Content)...)
		}
		if isIgnored(rules, strings.Join(parts[:i+1], "/"), true) || parts[i] == ".git" {
			return nil
		}
	}
	return rules
}

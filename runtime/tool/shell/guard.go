package shell

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/sandbox"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/workspace"
)

// Bounds of what is guarded.
const (
	guardEvery   = time.Second // how often a long command is looked at
	guardedMost  = 2000        // files
	guardedBytes = 1 << 20     // of a file: what is longer is no hook that somebody wrote
	guardedDepth = 6           // folders within each other
	putBackMost  = 100         // that are recorded and kept of one command
)

// A guard puts back what a command in the sandbox changes of hooks and configuration of git: they
// are run by the user's next call of git, outside the sandbox. The sandbox itself cannot
// forbid a folder in one that it allows.
type guard struct {
	s      *Shell
	r      *request
	places []place

	aside    string // the folder for what is put back, "" until there is something
	restored []string
	failed   map[string]error
	changes  []tool.Change
}

// A place is the folder of git in a folder, with what is guarded of it.
type place struct {
	root, git string // git is relative to root, with slashes
	before    map[string]guarded
	inside    bool // it is in the workspace
	there     bool // it was there before the command
}

// A guarded is a file or a link as it was.
type guarded struct {
	mode    fs.FileMode
	content []byte // of a link, where it leads
	large   bool   // content only tells it from others
}

func (g guarded) same(o guarded) bool { return g.mode == o.mode && bytes.Equal(g.content, o.content) }

// nestedMost bounds how many repositories in a workspace are guarded: each is looked at before and
// after a command.
const nestedMost = 50

// guard remembers what a command must not change; nil for one outside the sandbox, which may. Of the
// repositories in a workspace those are guarded that were seen before the command.
func (s *Shell) guard(r *request, before *picture) *guard {
	if r.Outside {
		return nil
	}
	g := &guard{s: s, r: r, places: []place{{root: r.in.Dir(), git: ".git", inside: true}}}
	if r.common != "" {
		g.places = append(g.places, place{root: filepath.Dir(r.common), git: filepath.Base(r.common)})
	}
	if before != nil {
		for _, dir := range before.repositories[:min(nestedMost, len(before.repositories))] {
			g.places = append(g.places, place{root: r.in.Dir(), git: path.Join(dir, ".git"), inside: true})
		}
	}
	for i := range g.places {
		p := &g.places[i]
		p.before, _ = p.look() // of a folder that cannot be read nothing can be restored
		_, err := os.Lstat(filepath.Join(p.root, filepath.FromSlash(p.git)))
		p.there = err == nil
	}
	return g
}

// look returns what there is to be guarded.
func (p *place) look() (map[string]guarded, error) {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // it was only read
	w := guardWalk{root: root, found: map[string]guarded{}}
	w.git(p.git, 0)
	return w.found, nil
}

type guardWalk struct {
	root  *os.Root
	found map[string]guarded
}

// git adds what git would run or be led by of one of its folders.
func (w guardWalk) git(dir string, depth int) {
	if info, err := w.root.Lstat(dir); err != nil || !info.IsDir() {
		w.file(dir) // a worktree's file that leads to the folder, or a link
		return
	}
	for _, e := range w.entries(dir) {
		name := path.Join(dir, e.Name())
		switch lower := strings.ToLower(e.Name()); {
		case strings.HasPrefix(lower, "config") && !strings.HasSuffix(lower, ".lock"), lower == "commondir", lower == "gitdir":
			w.file(name)
		case lower == "hooks":
			w.all(name, depth)
		case lower == "modules" || lower == "worktrees":
			w.below(name, depth)
		}
	}
}

// below adds the folders of git in a folder: submodules can have names with slashes.
func (w guardWalk) below(dir string, depth int) {
	if depth > guardedDepth || !w.isFolder(dir) {
		return
	}
	for _, e := range w.entries(dir) {
		name := path.Join(dir, e.Name())
		if _, err := w.root.Lstat(path.Join(name, "HEAD")); err == nil {
			w.git(name, depth+1)
		} else {
			w.below(name, depth+1)
		}
	}
}

// all adds all files of a folder.
func (w guardWalk) all(dir string, depth int) {
	if !w.isFolder(dir) {
		w.file(dir)
		return
	}
	for _, e := range w.entries(dir) {
		if name := path.Join(dir, e.Name()); e.IsDir() && depth < guardedDepth {
			w.all(name, depth+1)
		} else {
			w.file(name)
		}
	}
}

func (w guardWalk) isFolder(name string) bool {
	info, err := w.root.Lstat(name)
	return err == nil && info.IsDir()
}

func (w guardWalk) entries(dir string) []fs.DirEntry {
	d, err := w.root.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close() //nolint:errcheck // it was only read
	entries, _ := d.ReadDir(guardedMost)
	return entries
}

// file adds a file or a link.
func (w guardWalk) file(name string) {
	info, err := w.root.Lstat(name)
	if err != nil || len(w.found) >= guardedMost {
		return
	}
	g := guarded{mode: info.Mode()}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		to, _ := w.root.Readlink(name)
		g.content = []byte(to)
	case info.Mode().IsRegular() && info.Size() <= guardedBytes:
		if g.content, err = w.root.ReadFile(name); err != nil {
			return
		}
	case info.Mode().IsRegular():
		g.large, g.content = true, fmt.Appendf(nil, "%d %s", info.Size(), info.ModTime())
	case info.IsDir():
		return
	}
	w.found[name] = g
}

// restore puts back what has changed, and keeps the changed version aside.
func (g *guard) restore() {
	if g == nil {
		return
	}
	for i := range g.places {
		p := &g.places[i]
		now, err := p.look()
		if err != nil || p.before == nil {
			continue
		}
		for _, name := range changedOf(p.before, now) {
			switch {
			case p.inside && g.isEdit(name, now[name]):
				p.before[name] = now[name]
			case p.there || !isHarmless(name, now[name]):
				g.putBack(p, name, now[name])
			}
		}
	}
}

// watch waits for the end of a command. What it must not change is put back meanwhile too: it
// may run for long, and the user may call git.
func (g *guard) watch(p *sandbox.Process) (sandbox.Exit, error) {
	every := time.NewTicker(guardEvery)
	defer every.Stop()
	for {
		select {
		case <-p.Done():
			g.restore()
			return p.Wait()
		case <-every.C:
			g.restore()
		}
	}
}

// putBack puts a file back and remembers what to say of it.
func (g *guard) putBack(p *place, name string, now guarded) {
	err := g.makeAside()
	if err == nil {
		err = p.putBack(name, g.aside)
	}
	if err != nil {
		if g.failed == nil {
			g.failed = map[string]error{}
		}
		g.failed[name] = err
		return
	}
	delete(g.failed, name)
	if !slices.Contains(g.restored, name) {
		g.restored = append(g.restored, name)
	}
	if c, ok := putBackOf(p.before[name], now); ok && p.inside && len(g.changes) < putBackMost {
		c.Path, c.Dir = name, g.r.dir
		g.changes = append(g.changes, files.Described(c, c.New, g.r.by.Lang))
	}
}

// notes are what the model is told of it.
func (g *guard) notes() (notes []string) {
	if g == nil {
		return nil
	}
	if len(g.restored) > 0 {
		notes = append(notes, textRestored.in(g.r.by.Lang, strings.Join(g.restored, ", "), g.aside))
	}
	for _, name := range slices.Sorted(maps.Keys(g.failed)) {
		notes = append(notes, textNotRestored.in(g.r.by.Lang, name, g.failed[name].Error()))
	}
	return notes
}

// putBacks are the changes that can be recorded.
func (g *guard) putBacks() []tool.Change {
	if g == nil {
		return nil
	}
	return g.changes
}

// putBackOf describes a change that was put back, if it is one of files.
func putBackOf(was, now guarded) (c tool.Change, ok bool) {
	c = tool.Change{PutBack: true, Mode: uint32(was.mode.Perm())}
	for _, g := range []guarded{was, now} {
		if g.large || g.mode != 0 && !g.mode.IsRegular() {
			return c, false
		}
	}
	if was.content != nil {
		c.Before, c.Old = workspace.Hash(was.content), was.content
	}
	if now.content != nil {
		c.After, c.New = workspace.Hash(now.content), now.content
	}
	return c, c.Before != c.After
}

// changedOf returns the paths that differ, in order.
func changedOf(before, now map[string]guarded) []string {
	names := maps.Clone(before)
	maps.Copy(names, now)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(names)), func(name string) bool {
		was, had := before[name]
		is, has := now[name]
		return had == has && was.same(is)
	})
}

// isEdit reports whether a tool for files has made a file what it is, after the user's yes.
func (g *guard) isEdit(name string, now guarded) bool {
	in := g.r.in
	by := in.ChangedBy(name)
	if by == "" {
		return false
	}
	hash := ""
	if now.mode != 0 {
		hash = workspace.Hash(now.content)
	}
	seen, ok := in.Seen(by, name)
	return ok && seen == hash && !now.mode.IsDir() && now.mode&fs.ModeSymlink == 0
}

// ordinary are settings that "git init" writes, and who commits: of a repository that a command
// has made they are kept.
var ordinary = []string{
	"[core]", "[user]", "[init]", "repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode", "symlinks",
	"name", "email", "defaultbranch",
}

// isHarmless reports whether a file in a repository that a command has made leads to nothing.
func isHarmless(name string, now guarded) bool {
	switch {
	case !now.mode.IsRegular():
		return false
	case strings.HasSuffix(name, ".sample"):
		return true
	case path.Base(name) != "config":
		return false
	}
	for line := range strings.Lines(string(now.content)) {
		key, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(line)), "=")
		if key = strings.TrimSpace(key); key != "" && (!slices.Contains(ordinary, key) || strings.HasSuffix(strings.TrimSpace(line), "\\")) {
			return false
		}
	}
	return true
}

// makeAside makes a folder for what is put back.
func (g *guard) makeAside() (err error) {
	if g.aside != "" {
		return nil
	}
	if err := os.MkdirAll(g.s.c.Aside, 0o700); err != nil {
		return err
	}
	g.aside, err = os.MkdirTemp(g.s.c.Aside, "changed-"+time.Now().Format("20060102T150405")+"-")
	return err
}

// Why a file cannot be put back.
var (
	errGone  = errors.New("the folder of git is no longer there")
	errLarge = errors.New("it was too large to be remembered")
)

// putBack makes a file what it was, and keeps what it is now aside.
func (p *place) putBack(name, aside string) error {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // what is written is closed by itself
	if err := keepAside(root, name, filepath.Join(aside, filepath.FromSlash(name))); err != nil {
		return err
	}
	was, had := p.before[name]
	switch {
	case !had:
		return root.Remove(name)
	case was.large:
		return errLarge
	}
	if name != p.git {
		if info, err := root.Lstat(p.git); err != nil || !info.IsDir() {
			return errGone
		}
	}
	if info, err := root.Lstat(name); err == nil && info.IsDir() {
		if err := root.Rename(name, name+".changed"); err != nil {
			return err
		}
	}
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	next := name + ".society-tui"
	_ = root.Remove(next) // one that was left behind
	if was.mode&fs.ModeSymlink != 0 {
		err = root.Symlink(string(was.content), next)
	} else {
		err = errors.Join(root.WriteFile(next, was.content, was.mode.Perm()), root.Chmod(next, was.mode.Perm())) // whatever the umask is
	}
	if err != nil {
		return err
	}
	return root.Rename(next, name)
}

// keepAside copies a file as it is now. Of a link it keeps where it leads.
func keepAside(root *os.Root, name, to string) error {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
		return nil
	}
	if err != nil {
		return err
	}
	var content []byte
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := root.Readlink(name)
		if err != nil {
			return err
		}
		content = []byte(target)
	case info.Mode().IsRegular():
		if content, err = root.ReadFile(name); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	for free, n := to, 2; n <= putBackMost; n++ {
		file, err := os.OpenFile(free, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) { // it was put back before
			free = fmt.Sprintf("%s.%d", to, n)
			continue
		}
		if err != nil {
			return err
		}
		_, err = file.Write(content)
		return errors.Join(err, file.Close())
	}
	return nil // a command that changes it again and again
}

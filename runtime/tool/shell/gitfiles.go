package shell

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Bounds of what is guarded.
const (
	guardedMost  = 2000     // files of a folder of hooks
	guardedBytes = 16 << 20 // of a file: what is longer is no hook that somebody wrote
	guardedTotal = 64 << 20 // bytes of a place
	guardedDepth = 6        // folders within each other
	modulesMost  = 5000     // entries of the folders that git keeps for submodules and worktrees
	searchMost   = 50_000   // entries of a workspace that are looked at for folders of git
	searchTime   = time.Second
)

// A guarded is a file or a link as it was.
type guarded struct {
	mode    fs.FileMode
	content []byte // of a link, where it leads
	large   bool   // content only tells it from others
	folder  string // of hooks, that it is in
}

func (g guarded) same(o guarded) bool { return g.mode == o.mode && bytes.Equal(g.content, o.content) }

// A sight is what there is to be guarded at one moment.
type sight struct {
	found map[string]guarded
	gits  []string // the folders of git that git keeps in one of its own
	cut   []string // folders that could not be looked at as a whole
}

// look returns what there is to be guarded of a place.
func (p *place) look() (sight, error) {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return sight{}, err
	}
	defer root.Close() //nolint:errcheck // it was only read
	w := guardWalk{root: root, sight: sight{found: map[string]guarded{}}}
	if p.all {
		w.hooks(p.git)
	} else {
		w.git(p.git, 0)
	}
	return w.sight, nil
}

type guardWalk struct {
	root *os.Root
	sight
	bytes   int64
	entries int // of folders of submodules and worktrees
}

// git adds what git would run or be led by of one of its folders. It looks at what git would, by
// name: a folder can hold more than can be listed.
func (w *guardWalk) git(dir string, depth int) {
	info, err := w.root.Lstat(dir)
	if err != nil || !info.IsDir() {
		w.file(dir, "") // a worktree's file that leads to the folder, or a link
		return
	}
	if info.Mode().Perm()&0o700 != 0o700 {
		_ = w.root.Chmod(dir, info.Mode().Perm()|0o700) // what cannot be looked at stays unread
	}
	for _, name := range []string{"config", "config.worktree", "commondir", "gitdir"} {
		w.file(path.Join(dir, name), "")
	}
	w.hooks(path.Join(dir, "hooks"))
	for _, name := range []string{"modules", "worktrees"} {
		top := path.Join(dir, name)
		w.below(top, top, depth)
	}
}

// below adds the folders of git in a folder: submodules can have names with slashes.
func (w *guardWalk) below(dir, top string, depth int) {
	if !w.isFolder(dir) {
		w.file(dir, "")
		return
	}
	if depth > guardedDepth {
		w.isCut(top)
		return
	}
	names, whole := w.list(dir, modulesMost-w.entries)
	if w.entries += len(names); !whole {
		w.isCut(top)
	}
	for _, name := range names {
		name = path.Join(dir, name)
		if _, err := w.root.Lstat(path.Join(name, "HEAD")); err == nil && w.isFolder(name) {
			w.gits = append(w.gits, name)
			w.git(name, depth+1)
		} else if !w.isRegular(name) {
			w.below(name, top, depth+1)
		}
	}
}

// hooks adds all files of a folder.
func (w *guardWalk) hooks(dir string) {
	left := guardedMost
	w.all(dir, dir, &left, 0)
}

func (w *guardWalk) all(dir, top string, left *int, depth int) {
	if !w.isFolder(dir) {
		w.file(dir, top)
		return
	}
	if depth > guardedDepth {
		w.isCut(top)
		return
	}
	names, whole := w.list(dir, *left)
	if *left -= len(names); !whole {
		w.isCut(top)
	}
	for _, name := range names {
		if w.bytes > guardedTotal {
			w.isCut(top)
			return
		}
		w.all(path.Join(dir, name), top, left, depth+1)
	}
}

func (w *guardWalk) isCut(top string) {
	if !slices.Contains(w.cut, top) {
		w.cut = append(w.cut, top)
	}
}

func (w *guardWalk) isFolder(name string) bool {
	info, err := w.root.Lstat(name)
	return err == nil && info.IsDir()
}

func (w *guardWalk) isRegular(name string) bool {
	info, err := w.root.Lstat(name)
	return err == nil && info.Mode().IsRegular()
}

// list returns at most so many names in a folder, and whether those are all.
func (w *guardWalk) list(dir string, most int) (names []string, whole bool) {
	d, err := w.root.Open(dir)
	if err != nil {
		return nil, errors.Is(err, fs.ErrNotExist)
	}
	defer d.Close() //nolint:errcheck // it was only read
	names, err = d.Readdirnames(max(most, 0) + 1)
	if err != nil && err != io.EOF {
		return names, false
	}
	return names[:min(len(names), max(most, 0))], len(names) <= most
}

// file adds a file or a link.
func (w *guardWalk) file(name, folder string) {
	info, err := w.root.Lstat(name)
	if err != nil || info.IsDir() {
		return
	}
	g := guarded{mode: info.Mode(), folder: folder}
	if info.Mode()&fs.ModeSymlink != 0 {
		to, _ := w.root.Readlink(name)
		g.content = []byte(to)
	} else if info.Mode().IsRegular() {
		if g.content, err = readFile(w.root, name, guardedBytes); err != nil {
			g.large, g.content = true, fmt.Appendf(nil, "%d %s", info.Size(), info.ModTime())
		}
	}
	w.bytes += int64(len(g.content))
	w.found[name] = g
}

var errLarge = errors.New("it is too large to be remembered")

// readFile reads a file of at most so many bytes, and waits for nothing.
func readFile(root *os.Root, name string, most int64) ([]byte, error) {
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, fs.ErrInvalid)
	}
	content, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(content)) > most {
		return content[:most], errLarge
	}
	return content, err
}

// gitFolders finds the folders of git in a folder: what is called .git, and folders that are laid
// out as one. It looks at what is further up first. cut reports whether it has left some out.
func gitFolders(dir string) (names []string, cut bool) {
	found := map[string]bool{".git": true}
	until := time.Now().Add(searchTime)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return []string{".git"}, true
	}
	defer root.Close() //nolint:errcheck // it was only read
	left := searchMost
	for queue := []string{"."}; len(queue) > 0; queue = queue[1:] {
		if left <= 0 || time.Now().After(until) {
			cut = true
			break
		}
		here := queue[0]
		d, err := root.Open(here)
		if err != nil {
			continue // gone, or nothing that the user could go into
		}
		entries, err := d.ReadDir(left + 1)
		_ = d.Close() // it was only read
		cut = cut || len(entries) > left || err != nil && err != io.EOF
		left -= len(entries)
		if isBare(root, here) {
			found[here] = true
			if here != "." {
				continue
			}
		}
		for _, e := range entries {
			name := path.Join(here, e.Name())
			if strings.EqualFold(e.Name(), ".git") {
				found[name] = true
			} else if e.IsDir() {
				queue = append(queue, name)
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), cut
}

// isBare reports whether git would take a folder for one of its own.
func isBare(root *os.Root, dir string) bool {
	has := func(name string) bool { _, err := root.Lstat(path.Join(dir, name)); return err == nil }
	return has("HEAD") && (has("objects") && has("refs") || has("commondir"))
}

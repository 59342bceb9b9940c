package shell

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"society-tui/runtime/tool"
	"society-tui/runtime/workspace"
)

// Bounds of putting back.
const (
	putBackMost  = 100 // files that are recorded and kept of one command, and of a folder put back one by one
	putBackTimes = 5   // that a place is looked at
)

// A place is a folder of git, or one of hooks, with what was there.
type place struct {
	root, git string // git is relative to root, with slashes
	all       bool   // all files count: it is a folder of hooks, or a file that is included
	main      bool   // of the workspace itself
	in        *workspace.Folder
	before    sight
	there     bool // it was there before the commands
}

// begin remembers what is there; of what a command has made, nothing was.
func (p *place) begin(byCommand bool) {
	p.before.found = map[string]guarded{}
	if byCommand {
		return
	}
	if now, err := p.look(); err == nil {
		p.before = now
	}
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return
	}
	defer root.Close() //nolint:errcheck // it was only read
	info, err := root.Lstat(p.git)
	p.there = p.all || err == nil && (!info.IsDir() || !isGone(root, path.Join(p.git, "HEAD")))
}

// A putBack is what was put back, and where what was there instead is.
type putBack struct {
	name, kept string
	was, now   guarded
}

// Why a file cannot be put back.
var (
	errGone  = errors.New("the folder of git is no longer there")
	errAgain = errors.New("it is changed again and again")
	errMany  = errors.New("there was too much in it before to be remembered")
)

// restore puts back what has changed, until a look shows that all is as it was.
func (p *place) restore(makeAside func() (string, error)) (done []putBack, failed map[string]error) {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return nil, map[string]error{p.git: err}
	}
	defer root.Close() //nolint:errcheck // what is written is closed by itself
	for n := 0; ; n++ {
		now, err := p.look()
		if err != nil {
			return done, map[string]error{p.git: err}
		}
		folders, names := p.wrong(now)
		if failed = map[string]error{}; len(p.before.cut) > 0 {
			failed[p.before.cut[0]] = errMany
		}
		if len(folders)+len(names) == 0 {
			return done, failed
		}
		if !p.all && isGone(root, p.git) {
			if p.main {
				failed[p.git] = errGone
			}
			return done, failed
		}
		aside, err := makeAside()
		if err != nil {
			return done, map[string]error{p.git: err}
		}
		d := p.putBack(root, now, folders, names, aside, failed)
		if done = append(done, d...); len(d) == 0 || n == putBackTimes {
			if len(failed) == 0 {
				failed[p.git] = errAgain
			}
			return done, failed
		}
	}
}

// putBack puts back what is wrong, once. What is missing of a folder that it has moved away the next
// look shows.
func (p *place) putBack(root *os.Root, now sight, folders, names []string, aside string, failed map[string]error) (done []putBack) {
	for _, name := range folders {
		to, err := moveAway(root, name, p.before.gits)
		if err != nil {
			failed[name] = err
			continue
		}
		kept := filepath.Join(p.root, filepath.FromSlash(to))
		if out, ok := takeOut(root, to, aside); ok {
			kept = out
		}
		done = append(done, putBack{name: name, kept: kept})
	}
	for _, name := range names {
		if slices.ContainsFunc(folders, func(f string) bool { return strings.HasPrefix(name, f+"/") }) {
			continue
		}
		was, had := p.before.found[name]
		if err := putBackFile(root, name, was, had, aside); err != nil {
			failed[name] = err
		} else {
			done = append(done, putBack{name, aside, was, now.found[name]})
		}
	}
	return done
}

// wrong returns what is not as it was: folders that are to be moved away as a whole, and files.
func (p *place) wrong(now sight) (folders, names []string) {
	for _, name := range now.cut {
		if !slices.Contains(p.before.cut, name) {
			folders = append(folders, name)
		}
	}
	in := map[string]int{}
	for _, name := range changedOf(p.before.found, now.found) {
		is, has := now.found[name]
		switch {
		case slices.ContainsFunc(p.before.cut, func(f string) bool { return strings.HasPrefix(name, f+"/") }):
			continue // nobody knows whether it was there
		case p.in != nil && isEdit(p.in, name, is):
			if p.before.found[name] = is; !has {
				delete(p.before.found, name)
			}
			continue
		case !p.there && (!has || isHarmless(name, is)):
			continue
		}
		names = append(names, name)
		if in[is.folder]++; is.folder != "" && is.folder != name && in[is.folder] == putBackMost && !slices.Contains(folders, is.folder) {
			folders = append(folders, is.folder)
		}
	}
	return folders, names
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
func isEdit(in *workspace.Folder, name string, now guarded) bool {
	hash := ""
	if now.mode != 0 {
		hash = workspace.Hash(now.content)
	}
	return in.IsEdit(name, hash) && !now.large && (now.mode == 0 || now.mode.IsRegular())
}

// putBackOf describes a change that was put back, if it is one of files.
func putBackOf(was, now guarded) (c tool.Change, ok bool) {
	c = tool.Change{PutBack: true, Mode: uint32(was.mode.Perm())}
	for _, g := range []guarded{was, now} {
		if g.large || g.mode != 0 && !g.mode.IsRegular() {
			return c, false
		}
	}
	if was.mode != 0 {
		c.Before, c.Old = workspace.Hash(was.content), was.content
	}
	if now.mode != 0 {
		c.After, c.New = workspace.Hash(now.content), now.content
	}
	return c, c.Before != c.After
}

// moveAway renames a folder so that git does not find it, and puts those in it back that git needs.
func moveAway(root *os.Root, name string, gits []string) (to string, err error) {
	to = other(name, "changed")
	if err := rename(root, name, to); err != nil {
		return "", err
	}
	for _, git := range gits {
		in, ok := strings.CutPrefix(git, name+"/")
		if !ok {
			continue
		}
		err = errors.Join(err, root.MkdirAll(path.Dir(git), 0o755))
		if e := root.Rename(path.Join(to, in), git); !errors.Is(e, fs.ErrNotExist) { // one within another has moved with it
			err = errors.Join(err, e)
		}
	}
	return to, err
}

// takeOut moves what was moved away out of the workspace. It cannot where that is another file
// system.
func takeOut(root *os.Root, name, aside string) (to string, ok bool) {
	dir, err := root.Open(path.Dir(name))
	if err != nil {
		return "", false
	}
	defer dir.Close() //nolint:errcheck // it was only read
	to = filepath.Join(aside, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", false
	}
	// By its descriptor: what leads to it may have become a link out of the workspace.
	return to, os.Rename(fmt.Sprintf("/proc/self/fd/%d/%s", dir.Fd(), path.Base(name)), to) == nil
}

// other is a name beside a file that no command can have taken.
func other(name, why string) string { return fmt.Sprintf("%s.%s-%x", name, why, rand.Uint64()) }

// rename renames, also in a folder that a command has made unwritable.
func rename(root *os.Root, from, to string) error {
	err := root.Rename(from, to)
	if errors.Is(err, fs.ErrPermission) {
		writable(root, path.Dir(from))
		err = root.Rename(from, to)
	}
	return err
}

func writable(root *os.Root, dir string) {
	if info, err := root.Lstat(dir); err == nil && info.IsDir() && info.Mode().Perm()&0o700 != 0o700 {
		_ = root.Chmod(dir, info.Mode().Perm()|0o700) // if it fails, so does what needs it
	}
}

// putBackFile makes a file what it was, and keeps what it is now aside.
func putBackFile(root *os.Root, name string, was guarded, had bool, aside string) error {
	writable(root, path.Dir(name))
	kept := keepAside(root, name, filepath.Join(aside, filepath.FromSlash(name)))
	switch {
	case !had:
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return kept
	case was.large:
		return errLarge
	}
	if info, err := root.Lstat(name); err == nil && info.IsDir() {
		if err := rename(root, name, other(name, "changed")); err != nil {
			return err
		}
	}
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	next, err := other(name, "next"), error(nil)
	if was.mode&fs.ModeSymlink != 0 {
		err = root.Symlink(string(was.content), next)
	} else {
		err = errors.Join(root.WriteFile(next, was.content, was.mode.Perm()), root.Chmod(next, was.mode.Perm())) // whatever the umask is
	}
	if err == nil {
		err = root.Rename(next, name)
	}
	if err != nil {
		_ = root.Remove(next) // it was not made
		return err
	}
	return kept
}

// keepAside copies a file as it is now. Of a link it keeps where it leads, and of a file that is too
// large how it begins.
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
		if info.Mode().Perm()&0o400 == 0 {
			_ = root.Chmod(name, 0o600) // else it cannot be read
		}
		if content, err = readFile(root, name, guardedBytes); err != nil && err != errLarge { //nolint:errorlint // readFile returns it unwrapped
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

package workspace

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// Hash returns the name of a content.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// newFile and newFolder are the modes of what is new, less what the umask takes away.
const (
	newFile   fs.FileMode = 0o666
	newFolder fs.FileMode = 0o777
)

// Write replaces a file or makes it, with the folders above it. One that exists keeps its
// mode; mode is that of a new one, 0 for the usual. If ctx is done before the last step
// nothing has changed, after it the write is whole.
func (f *Folder) Write(ctx context.Context, name string, content []byte, mode fs.FileMode) error {
	if name == "." {
		return &Error{IsFolder, name, "", nil}
	}
	in, base, err := f.parent(name, f.makeFolder(ctx))
	if err != nil {
		return err
	}
	defer closeAll(in)
	info, err := in.Lstat(base)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return kindError(in, base, name, info, false)
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return failed(name, err)
	default:
		if err := newName(in, base, name); err != nil {
			return err
		}
	}
	return f.replace(ctx, in, base, name, content, mode)
}

// temporary begins the names of files that are being written.
const temporary = ".society-tui-"

// isTemporary reports whether a file was left by a write that was cut off, or is being
// written.
func isTemporary(base string) bool {
	return strings.HasPrefix(base, temporary) && strings.HasSuffix(base, ".tmp")
}

// replace writes a file beside the one that it then replaces.
func (f *Folder) replace(ctx context.Context, in *os.Root, base, name string, content []byte, mode fs.FileMode) (err error) {
	temp := temporary + rand.Text() + ".tmp"
	created := false
	defer func() {
		if created && err != nil {
			_ = in.Remove(temp) // it is named so that no tool shows it
		}
	}()
	err = f.do(ctx, "write", name, func() error {
		perm := mode
		if perm == 0 {
			perm = newFile
		}
		file, err := in.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if err != nil {
			return err
		}
		created = true
		_, err = file.Write(content)
		if mode != 0 {
			err = errors.Join(err, file.Chmod(mode)) // whatever the umask is
		}
		return errors.Join(err, file.Sync(), file.Close())
	})
	if err != nil {
		return err
	}
	err = f.do(ctx, "rename", name, func() error {
		if info, err := in.Lstat(base); err == nil && !info.Mode().IsRegular() {
			return kindError(in, base, name, info, false) // it was swapped meanwhile
		}
		return in.Rename(temp, base)
	})
	if err != nil {
		return err
	}
	syncFolder(in)
	return nil
}

// syncFolder makes names durable. A system that cannot does it by itself.
func syncFolder(in *os.Root) {
	d, err := in.Open(".")
	if err != nil {
		return
	}
	_ = d.Sync()
	_ = d.Close()
}

// makeFolder returns what makes a missing folder.
func (f *Folder) makeFolder(ctx context.Context) func(in *os.Root, base, name string) error {
	return func(in *os.Root, base, name string) error {
		if err := newName(in, base, name); err != nil {
			return err
		}
		err := f.do(ctx, "mkdir", name, func() error {
			if err := in.Mkdir(base, newFolder); !errors.Is(err, fs.ErrExist) {
				return err
			}
			return nil // another agent made it
		})
		if err == nil {
			syncFolder(in)
		}
		return err
	}
}

// oldTemporary is when a file that is being written counts as left behind.
const oldTemporary = time.Hour

// newName returns why a name cannot be made in a folder: it is the name of a device
// on some system, or differs from one that is there in upper and lower case alone, which
// is one file on some systems. It also removes what writes have left behind there.
func newName(in *os.Root, base, name string) error {
	if strings.ContainsFunc(base, func(r rune) bool { return r < ' ' || r == 0x7f }) || isDevice(base) {
		return &Error{BadName, name, "", nil}
	}
	d, err := in.Open(".")
	if err != nil {
		return failed(name, err)
	}
	defer d.Close() //nolint:errcheck // it was only read
	names, err := d.Readdirnames(-1)
	if err != nil {
		return failed(name, err)
	}
	for _, there := range names {
		if there != base && strings.EqualFold(there, base) {
			return &Error{CaseTwin, name, path.Join(path.Dir(name), there), nil}
		}
		if isTemporary(there) {
			if info, err := in.Lstat(there); err == nil && time.Since(info.ModTime()) > oldTemporary {
				_ = in.Remove(there)
			}
		}
	}
	return nil
}

// isDevice reports whether Windows takes a name for a device.
func isDevice(base string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(strings.TrimRight(base, ". ")), ".")
	switch strings.TrimRight(stem, " ") {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	return len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) && stem[3] >= '0' && stem[3] <= '9'
}

// Remove removes a file, or a folder that is empty.
func (f *Folder) Remove(ctx context.Context, name string) error {
	if name == "." {
		return &Error{IsFolder, name, "", nil}
	}
	in, base, err := f.parent(name, nil)
	if err != nil {
		return err
	}
	defer closeAll(in)
	err = f.do(ctx, "remove", name, func() error { return in.Remove(base) })
	if err == nil {
		syncFolder(in)
	}
	return err
}

// RemoveEmpty removes the folders in dir that hold nothing, and dir, if it is empty then.
func (f *Folder) RemoveEmpty(ctx context.Context, dirs []string) error {
	for i := len(dirs) - 1; i >= 0; i-- {
		if err := f.Remove(ctx, dirs[i]); err != nil && CodeOf(err) != NotFound {
			return err
		}
	}
	return nil
}

// Move renames a file or folder. What is at to must not exist; the folders above it are made.
func (f *Folder) Move(ctx context.Context, from, to string) error {
	if from == "." || to == "." {
		return &Error{IsFolder, ".", "", nil}
	}
	source, old, err := f.parent(from, nil)
	if err != nil {
		return err
	}
	defer closeAll(source)
	if _, err := source.Lstat(old); err != nil {
		return failed(from, err)
	}
	target, base, err := f.parent(to, f.makeFolder(ctx))
	if err != nil {
		return err
	}
	defer closeAll(target)
	if err := newName(target, base, to); CodeOf(err) == CaseTwin && path.Dir(from) == path.Dir(to) && strings.EqualFold(from, to) {
		return &Error{Exists, to, "", nil} // some systems rename a file onto itself
	} else if err != nil {
		return err
	}
	err = f.do(ctx, "rename", to, func() error {
		if _, err := target.Lstat(base); err == nil {
			return &Error{Exists, to, "", nil}
		}
		// Root renames below one folder only, and no folder on the way is a link:
		// both were opened without following one.
		return f.root.Rename(from, to)
	})
	if err == nil {
		syncFolder(source)
		syncFolder(target)
	}
	return err
}

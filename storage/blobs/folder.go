package blobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"society-tui/storage"
)

// draft begins the name of a file that is being written.
const draft = "new-"

// A Folder holds files named by the hash of their content. It is made with the first file,
// for its owner alone. Only who holds the lock of the store may write to it.
type Folder struct {
	Path string
	// Noted is told of each act that a power cut can undo, before it happens; nil for none.
	// It is for tests.
	Noted func(act, path string)
}

// FolderOf returns the folder beside the store in the file path: NAME.blobs of NAME.db. No
// two stores have the same.
func FolderOf(path string) Folder {
	if name, ok := strings.CutSuffix(path, ".db"); ok && filepath.Base(path) != ".db" {
		return Folder{Path: name + ".blobs"}
	}
	return Folder{Path: path + "-blobs"}
}

func (f Folder) file(name storage.Hash) string { return filepath.Join(f.Path, string(name)) }

// Write writes data under its name. Its content is on disk when Write returns; its name is
// when Sync has returned. A file that is there is not written again, unless
// it holds something else.
func (f Folder) Write(name storage.Hash, data []byte) error {
	if f.size(name) == int64(len(data)) {
		if there, err := os.ReadFile(f.file(name)); err == nil && bytes.Equal(there, data) {
			return nil
		}
	}
	if err := f.create(); err != nil {
		return err
	}
	file, err := os.CreateTemp(f.Path, draft+"*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // does nothing once it is renamed
	err = file.Chmod(0o600)      // whatever the umask
	if err == nil {
		_, err = file.Write(data)
	}
	if err == nil {
		f.note("sync", file.Name())
		err = file.Sync()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	f.note("rename "+filepath.Base(file.Name()), f.file(name))
	return os.Rename(file.Name(), f.file(name))
}

// Keep is Write in a folder that is no store's. A file that does not hold what its name
// says is replaced. made is set if there was none.
func (f Folder) Keep(name storage.Hash, data []byte) (made bool, err error) {
	if err := f.removeWrong(name); err != nil {
		return false, err
	}
	made = f.size(name) < 0
	return made, f.Write(name, data)
}

// size returns the size of a file, -1 if there is none.
func (f Folder) size(name storage.Hash) int64 {
	stat, err := os.Lstat(f.file(name))
	if err != nil || !stat.Mode().IsRegular() {
		return -1
	}
	return stat.Size()
}

// create makes the folder. A link in its place is not followed.
func (f Folder) create() error {
	err := os.Mkdir(f.Path, 0o700)
	if err == nil {
		if err := os.Chmod(f.Path, 0o700); err != nil { // whatever the umask
			return err
		}
		return f.syncFolder(filepath.Dir(f.Path))
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	stat, err := os.Lstat(f.Path)
	switch {
	case err != nil:
		return err
	case !stat.IsDir():
		return fmt.Errorf("%s is not a folder", f.Path)
	case stat.Mode().Perm() != 0o700:
		return os.Chmod(f.Path, 0o700)
	}
	return nil
}

// Sync makes the names of what was written outlive a power cut.
func (f Folder) Sync() error { return f.syncFolder(f.Path) }

// Read returns the content of a file. The error wraps storage.ErrLost if there is no file
// that can be one of the folder's.
func (f Folder) Read(name storage.Hash) ([]byte, error) {
	path := f.file(name)
	if size := f.size(name); size < 0 || size > storage.MaxBlob {
		if _, err := os.Lstat(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err // it may well be there
		}
		return nil, fmt.Errorf("%w: %s", storage.ErrLost, path)
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", storage.ErrLost, path)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, storage.MaxBlob+1))
}

// Get is Read of what holds what its name says: else the error wraps storage.ErrLost.
func (f Folder) Get(name storage.Hash) ([]byte, error) {
	if !name.IsValid() {
		return nil, fmt.Errorf("%w: %.80q is no name", storage.ErrLost, name)
	}
	return read(f, name)
}

// Remove deletes a file; that there is none is no error.
func (f Folder) Remove(name storage.Hash) error {
	return f.remove(string(name))
}

func (f Folder) remove(name string) error {
	path := filepath.Join(f.Path, name)
	f.note("remove", path)
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Sweep deletes the files that no commit has named, and drafts of a program that has died.
// It leaves alone what is not the folder's. A folder with nothing in it goes.
func (f Folder) Sweep(named func(storage.Hash) (bool, error)) error {
	files, err := f.list()
	if err != nil || files == nil {
		return err
	}
	kept := 0
	for _, file := range files {
		name := storage.Hash(file.Name())
		kept++
		switch is, err := name.IsValid(), error(nil); {
		case is:
			if is, err = named(name); err != nil {
				return err
			}
			if is {
				continue
			}
		case !strings.HasPrefix(file.Name(), draft):
			continue
		}
		if err := f.remove(file.Name()); err != nil {
			return err
		}
		kept--
	}
	if kept == 0 {
		_ = os.Remove(f.Path) // an empty folder harms nobody
	}
	return nil
}

// list returns what is in the folder, nil if there is none.
func (f Folder) list() ([]fs.DirEntry, error) {
	stat, err := os.Lstat(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !stat.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", f.Path)
	}
	return os.ReadDir(f.Path)
}

// Verify reads some bytes and returns what is wrong with them, each problem wrapping
// storage.ErrLost. It gives up soon after ctx is done.
func (f Folder) Verify(ctx context.Context, list []storage.Blob) error {
	var problems []error
	for _, blob := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := f.Get(blob.Hash); err != nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// Drop does nothing: a file is deleted only after the commit, by Remove.
func (f Folder) Drop(storage.Hash) error { return nil }

// Copy writes some of the files to another folder, checked and on disk, and returns the
// names of those that are lost. After an error it takes back what it wrote.
func (f Folder) Copy(ctx context.Context, to Folder, list []storage.Blob) (lost []storage.Hash, err error) {
	var written []storage.Hash
	for _, blob := range list {
		data, err := f.Get(blob.Hash)
		if errors.Is(err, storage.ErrLost) {
			lost = append(lost, blob.Hash)
			continue
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			var made bool
			if made, err = to.Keep(blob.Hash, data); made {
				written = append(written, blob.Hash)
			}
		}
		if err != nil {
			to.Forget(written)
			return nil, err
		}
	}
	if len(lost) == len(list) {
		return lost, nil
	}
	if err := to.Sync(); err != nil {
		to.Forget(written)
		return nil, err
	}
	return lost, nil
}

// removeWrong deletes a file that does not hold what its name says: one from a copy that
// was cut off.
func (f Folder) removeWrong(name storage.Hash) error {
	if f.size(name) < 0 {
		return nil
	}
	if _, err := f.Get(name); errors.Is(err, storage.ErrLost) {
		return f.Remove(name)
	}
	return nil
}

// Move calls rename, which gives the store another name, with the files in both folders
// meanwhile: a program that dies leaves the store, whatever it is called, with its files.
func (f Folder) Move(to Folder, rename func() error) error {
	files, err := f.list()
	if err != nil {
		return err
	}
	var moved []storage.Hash
	for _, file := range files {
		name := storage.Hash(file.Name())
		if !name.IsValid() || !file.Type().IsRegular() {
			continue
		}
		if err := f.give(to, name); err != nil {
			to.Forget(moved)
			return fmt.Errorf("move the bytes beside it: %w", err)
		}
		moved = append(moved, name)
	}
	if len(moved) > 0 {
		if err := to.Sync(); err != nil {
			to.Forget(moved)
			return fmt.Errorf("move the bytes beside it: %w", err)
		}
	}
	if err := rename(); err != nil {
		to.Forget(moved)
		return err
	}
	return f.Delete()
}

// give gives a file a second name in another folder; where it cannot have two, it is copied.
func (f Folder) give(to Folder, name storage.Hash) error {
	if err := to.create(); err != nil {
		return err
	}
	_ = to.Remove(name) // of a move that was cut off
	if os.Link(f.file(name), to.file(name)) == nil {
		return nil
	}
	data, err := f.Read(name)
	if err != nil {
		return err
	}
	return to.Write(name, data)
}

// Forget deletes files, and the folder if nothing else is in it.
func (f Folder) Forget(names []storage.Hash) {
	for _, name := range names {
		_ = f.Remove(name)
	}
	_ = os.Remove(f.Path)
}

// Delete deletes all files, and the folder if nothing else is in it.
func (f Folder) Delete() error {
	return f.Sweep(func(storage.Hash) (bool, error) { return false, nil })
}

func (f Folder) note(act, path string) {
	if f.Noted != nil {
		f.Noted(act, path)
	}
}

// syncFolder makes a new name in a folder outlive a power cut. Windows has no way to ask
// for it and needs none.
func (f Folder) syncFolder(path string) error {
	f.note("sync folder", path)
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Package workspace gives agents a folder and nothing outside it. Paths are relative to the
// folder and written with slashes. Links are never followed, and only regular files are read
// and written. A file is replaced whole: whoever reads it, and a crash, finds the old content
// or the new.
package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A Folder is a workspace. Its methods may be called on any goroutine; a path that is
// checked and then changed must be locked between the two.
type Folder struct {
	root  *os.Root
	locks locks
	seen  seen
	// before is called before each step that changes the file system, if it is set.
	before func(step, name string) error
}

// Open opens the folder dir, which exists.
func Open(dir string) (*Folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the workspace: %w", err)
	}
	return &Folder{root: root}, nil
}

// Dir is the path of the folder, as it was given to Open.
func (f *Folder) Dir() string { return f.root.Name() }

// Code names why a path is refused.
type Code string

// The codes. Detail says more about some of them.
const (
	Outside    Code = "outside_workspace"
	BadName    Code = "bad_name"
	NotFound   Code = "not_found"
	IsLink     Code = "is_link"         // Detail: where it leads
	NotRegular Code = "not_a_file"      // Detail: what it is
	IsFolder   Code = "is_folder"       //
	NotFolder  Code = "not_a_folder"    //
	CaseTwin   Code = "differs_in_case" // Detail: the name that is there
	Exists     Code = "exists"
	NotEmpty   Code = "not_empty" // Detail: how many files are in it
	TooLarge   Code = "too_large" // Detail: its bytes
	TooMany    Code = "too_many"  // Detail: how many at most
	Failed     Code = "failed"    // Detail: what the system says
)

// An Error is why a path is refused, or what the system says about it.
type Error struct {
	Code   Code
	Path   string
	Detail string
	err    error
}

func (e *Error) Error() string {
	said := string(e.Code) + ": " + e.Path
	if e.Detail != "" {
		said += " (" + e.Detail + ")"
	}
	return said
}

func (e *Error) Unwrap() error { return e.err }

// failed tells what the system says about a path without the paths that it names.
func failed(name string, err error) error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	if errors.Is(err, fs.ErrNotExist) {
		return &Error{NotFound, name, "", err}
	}
	said := err
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		said = inner.Err
	} else if inner, ok := errors.AsType[*os.LinkError](err); ok {
		said = inner.Err
	}
	return &Error{Failed, name, said.Error(), err}
}

// CodeOf returns the code of an error of this package, "" for another.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// longestName bounds a name between two slashes, in bytes.
const longestName = 255

// Clean returns a path without . and .., or why it leads out of the folder. "" and "." are
// the folder itself.
func Clean(name string) (string, error) {
	if strings.ContainsRune(name, 0) || len(name) > 4096 {
		return "", &Error{BadName, strings.ReplaceAll(name[:min(len(name), 100)], "\x00", "?"), "", nil}
	}
	clean := path.Clean(filepath.ToSlash(name))
	if name == "" {
		clean = "."
	}
	if strings.HasPrefix(clean, "/") || filepath.IsAbs(name) || clean == ".." || strings.HasPrefix(clean, "../") {
		return "", &Error{Outside, name, strings.TrimLeft(clean, "/."), nil}
	}
	for part := range strings.SplitSeq(clean, "/") {
		if len(part) > longestName {
			return "", &Error{BadName, clean, "", nil}
		}
	}
	return clean, nil
}

// parent opens the folder that holds a path, each folder on the way through the one above
// it, so that a folder that becomes a link meanwhile is not followed. missing is called
// with each folder that is missing; nil leaves it an error. The caller closes the folder.
func (f *Folder) parent(name string, missing func(in *os.Root, base, path string) error) (*os.Root, string, error) {
	name, err := Clean(name)
	if err != nil {
		return nil, "", err
	}
	parts := strings.Split(name, "/")
	in, err := f.root.OpenRoot(".")
	if err != nil {
		return nil, "", failed(name, err)
	}
	for i, part := range parts[:len(parts)-1] {
		here := strings.Join(parts[:i+1], "/")
		next, err := step(in, part, here)
		if CodeOf(err) == NotFound && missing != nil {
			if err = missing(in, part, here); err == nil {
				next, err = step(in, part, here)
			}
		}
		_ = in.Close() // it was only read
		if err != nil {
			return nil, "", err
		}
		in = next
	}
	return in, parts[len(parts)-1], nil
}

// step opens a folder in another one, unless it is a link.
func step(in *os.Root, base, here string) (*os.Root, error) {
	info, err := in.Lstat(base)
	if err != nil {
		return nil, failed(here, err)
	}
	if !info.IsDir() {
		return nil, kindError(in, base, here, info, true)
	}
	next, err := in.OpenRoot(base)
	if err != nil {
		return nil, failed(here, err)
	}
	if now, err := next.Stat("."); err != nil || !os.SameFile(info, now) {
		_ = next.Close() // it was only read
		return nil, &Error{IsLink, here, "", err}
	}
	return next, nil
}

// kindError says what a path is that is not what was wanted.
func kindError(in *os.Root, base, name string, info fs.FileInfo, wantFolder bool) error {
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		target, _ := in.Readlink(base) // without it the error says less
		return &Error{IsLink, name, target, nil}
	case mode.IsDir() && !wantFolder:
		return &Error{IsFolder, name, "", nil}
	case mode.IsRegular() && wantFolder:
		return &Error{NotFolder, name, "", nil}
	case mode&fs.ModeNamedPipe != 0:
		return &Error{NotRegular, name, "FIFO", nil}
	case mode&fs.ModeSocket != 0:
		return &Error{NotRegular, name, "socket", nil}
	case mode&fs.ModeDevice != 0:
		return &Error{NotRegular, name, "device", nil}
	}
	return &Error{NotRegular, name, "", nil}
}

// A File is the content of a file at one moment.
type File struct {
	Content []byte
	Hash    string
	Mode    fs.FileMode
	Time    time.Time
}

// LargestFile bounds what Read returns, in bytes.
const LargestFile = 16 << 20

// Read reads a file.
func (f *Folder) Read(name string) (File, error) {
	in, base, err := f.parent(name, nil)
	if err != nil {
		return File{}, err
	}
	defer closeAll(in)
	content, info, err := readIn(in, base, name, nil, LargestFile, nil)
	if err != nil {
		return File{}, err
	}
	return File{Content: content, Hash: Hash(content), Mode: info.Mode().Perm(), Time: info.ModTime()}, nil
}

// A Sum is what is known of a file without all of its content.
type Sum struct {
	Hash    string
	Mode    fs.FileMode
	Content []byte // nil if it is longer than was wanted
}

// Sum returns the hash of a file of any size, and its content if it has no more than so
// many bytes.
func (f *Folder) Sum(ctx context.Context, name string, most int64) (Sum, error) {
	in, base, err := f.parent(name, nil)
	if err != nil {
		return Sum{}, err
	}
	defer closeAll(in)
	file, info, err := openIn(in, base, name, nil)
	if err != nil {
		return Sum{}, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	s := Sum{Mode: info.Mode().Perm()}
	if info.Size() <= most {
		if s.Content, err = io.ReadAll(io.LimitReader(file, most)); err != nil {
			return Sum{}, failed(name, err)
		}
		s.Hash = Hash(s.Content)
		return s, nil
	}
	sum := sha256.New()
	for ctx.Err() == nil {
		if _, err := io.CopyN(sum, file, 1<<20); err == io.EOF {
			s.Hash = hex.EncodeToString(sum.Sum(nil))
			return s, nil
		} else if err != nil {
			return Sum{}, failed(name, err)
		}
	}
	return Sum{}, ctx.Err()
}

// openIn opens a regular file of a folder. It does not wait for what is no file. was
// is how the file was found, nil to look.
func openIn(in *os.Root, base, name string, was fs.FileInfo) (*os.File, fs.FileInfo, error) {
	info, err := was, error(nil)
	if info == nil {
		info, err = in.Lstat(base)
	}
	if err != nil {
		return nil, nil, failed(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, kindError(in, base, name, info, false)
	}
	file, err := in.OpenFile(base, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, failed(name, err)
	}
	now, err := file.Stat()
	if err == nil && !os.SameFile(info, now) { // replaced since, by a link or by a newer version
		info, err = in.Lstat(base)
	}
	if err != nil || !info.Mode().IsRegular() || !os.SameFile(info, now) {
		_ = file.Close() // it was only read
		return nil, nil, &Error{NotRegular, name, "", err}
	}
	return file, now, nil
}

// readIn reads a regular file of a folder, into room if it fits.
func readIn(in *os.Root, base, name string, was fs.FileInfo, most int64, room []byte) ([]byte, fs.FileInfo, error) {
	file, info, err := openIn(in, base, name, was)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	if info.Size() > most {
		return nil, nil, &Error{TooLarge, name, fmt.Sprint(info.Size()), nil}
	}
	content := slices.Grow(room[:0], int(info.Size())+1)[:info.Size()+1] // one more shows the end
	n, err := io.ReadFull(file, content)
	content = content[:n]
	if err == nil { // it has grown
		var rest []byte
		rest, err = io.ReadAll(io.LimitReader(file, most+1-int64(n)))
		content = append(content, rest...)
	}
	switch {
	case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF:
		return nil, nil, failed(name, err)
	case int64(len(content)) > most:
		return nil, nil, &Error{TooLarge, name, fmt.Sprint(len(content)), nil}
	}
	return content, info, nil
}

// Stat describes a path without following a link.
func (f *Folder) Stat(name string) (fs.FileInfo, error) {
	in, base, err := f.parent(name, nil)
	if err != nil {
		return nil, err
	}
	defer closeAll(in)
	info, err := in.Lstat(base)
	if err != nil {
		return nil, failed(name, err)
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return nil, kindError(in, base, name, info, false)
	}
	return info, nil
}

// do runs one step that changes the file system, unless ctx is done.
func (f *Folder) do(ctx context.Context, step, name string, act func() error) error {
	if f.before != nil {
		if err := f.before(step, name); err != nil {
			return failed(name, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := act(); err != nil {
		return failed(name, err)
	}
	return nil
}

// closeAll closes what was opened for reading.
func closeAll(roots ...*os.Root) {
	for _, r := range roots {
		_ = r.Close() // nothing was written through it
	}
}

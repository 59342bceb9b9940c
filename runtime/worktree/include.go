package worktree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Bounds of what is copied into a worktree.
const (
	mostCopied      = 2000
	mostCopiedBytes = 256 << 20
)

// include copies the files that .worktreeinclude names, with the patterns of .gitignore:
// those that git ignores, and so are not in the worktree.
func (r *record) include(ctx context.Context, dir string) error {
	list := filepath.Join(r.Repository, ".worktreeinclude")
	if info, err := os.Lstat(list); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	named, err := run{dir: r.Repository, args: []string{"ls-files", "-z", "--others", "--ignored", "--exclude-from=" + list}}.git(ctx)
	if err != nil || named == "" {
		return err
	}
	ignored, err := run{dir: r.Repository, input: named, args: []string{"check-ignore", "-z", "--stdin"}}.git(ctx)
	if exit(err) == 1 { // none is
		return nil
	}
	if err != nil {
		return err
	}
	from, err := os.OpenRoot(r.Repository)
	if err != nil {
		return err
	}
	defer from.Close() //nolint:errcheck // it was only read
	to, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer to.Close() //nolint:errcheck // each file was closed
	paths := strings.Split(strings.TrimSuffix(ignored, "\x00"), "\x00")
	if len(paths) > mostCopied {
		return textTooMuch.With(mostCopied, mostCopiedBytes>>20)
	}
	r.Copied = map[string]string{}
	left := int64(mostCopiedBytes)
	for _, path := range paths {
		sum, size, err := copyFile(ctx, from, to, filepath.FromSlash(path))
		if err != nil {
			return textNotCopied.With(path, err)
		}
		if left -= size; left < 0 {
			return textTooMuch.With(mostCopied, mostCopiedBytes>>20)
		}
		if sum != "" {
			r.Copied[path] = sum
		}
	}
	return nil
}

// copyFile copies a regular file to where none is, and returns its hash, "" for what is no
// file.
func copyFile(ctx context.Context, from, to *os.Root, path string) (hash string, size int64, err error) {
	info, err := from.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostCopiedBytes {
		if err == nil {
			size = max(0, info.Size())
		}
		return "", size, err
	}
	if err := ctx.Err(); err != nil {
		return "", 0, err
	}
	old, err := from.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer old.Close() //nolint:errcheck // it was only read
	if err := to.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", 0, err
	}
	made, err := to.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if errors.Is(err, fs.ErrExist) {
		return "", 0, nil
	}
	if err != nil {
		return "", 0, err
	}
	sum := sha256.New()
	size, err = io.Copy(io.MultiWriter(made, sum), old)
	return hex.EncodeToString(sum.Sum(nil)), size, errors.Join(err, made.Close())
}

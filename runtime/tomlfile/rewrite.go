package tomlfile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ErrChanged is why nothing is written to a file that somebody else has written meanwhile.
var ErrChanged error = textChanged.With()

// lockTime limits how long a program waits for another that writes the file.
const lockTime = 5 * time.Second

// Rewrite replaces the content of a file by what change returns for it, or leaves the file as it
// is if that is the same or an error. A file that is not there is empty and private. Programs that
// rewrite wait for each other; what anybody else has written meanwhile stays. A link stays one.
func Rewrite(ctx context.Context, path string, change func(before []byte, mode fs.FileMode) (after []byte, err error)) error {
	target, err := behindLinks(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	lock := flock.New(target + ".lock")
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	if locked, err := lock.TryLockContext(ctx, 20*time.Millisecond); !locked {
		return textLocked.With(err)
	}
	defer lock.Unlock()
	before, mode, err := readWhole(target)
	if err != nil {
		return err
	}
	text := bytes.TrimPrefix(before, []byte("\ufeff"))
	mark := bytes.Clone(before[:len(before)-len(text)])
	after, err := change(text, mode)
	if err != nil || bytes.Equal(after, text) {
		return err
	}
	now, _, err := readWhole(target)
	if err == nil && sha256.Sum256(now) != sha256.Sum256(before) {
		err = ErrChanged
	}
	if err != nil {
		return err
	}
	return replace(target, append(mark, after...), mode)
}

// behindLinks returns the file that a path leads to, which need not be there.
func behindLinks(path string) (string, error) {
	const most = 40 // as the system has it
	for range most {
		to, err := os.Readlink(path)
		if err != nil { // no link, or nothing
			return path, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", textManyLinks.With(path)
}

// readWhole reads a file with its mode; one that is not there is empty and private.
func readWhole(path string) ([]byte, fs.FileMode, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0o600, nil
	}
	if err != nil {
		return nil, 0, err
	}
	if _, _, err := Read(path); err != nil { // its size and kind
		return nil, 0, err
	}
	text, err := os.ReadFile(path)
	return text, info.Mode().Perm(), err
}

// replace writes a file beside the target and renames it.
func replace(target string, text []byte, mode fs.FileMode) error {
	draft, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if err != nil {
		return err
	}
	_, err = draft.Write(text)
	err = errors.Join(err, draft.Chmod(mode), draft.Sync(), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), target)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(draft.Name()))
	}
	return err
}

package sessions

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"society-tui/storage/blobs"
	"society-tui/storage/boltdb"
)

// Backup writes a copy of the store, checked and on disk, to a new file. It gives up
// soon after ctx is done.
func Backup(ctx context.Context, path, to string) (Written, error) {
	store, err := open(path)
	if err != nil {
		return Written{}, err
	}
	w, err := Copy(ctx, store, to)
	return w, errors.Join(err, store.Close())
}

// Copy is Backup for a running society. It may be called from any goroutine, blocks no
// writer, and gives up soon after ctx is done.
func Copy(ctx context.Context, store *boltdb.Store, to string) (Written, error) {
	to, err := filepath.Abs(to)
	if err != nil {
		return Written{}, err
	}
	lost, err := store.Copy(ctx, to)
	if errors.Is(err, fs.ErrExist) {
		return Written{}, &Refusal{to, err}
	}
	if err != nil {
		return Written{}, unwritten(to, err)
	}
	stat, err := os.Stat(to)
	if err != nil {
		return Written{}, err
	}
	w := Written{Path: to, Size: stat.Size(), Lost: len(lost)}
	if folder := blobs.FolderOf(to).Path; isFolder(folder) {
		w.Folder = folder
	}
	return w, nil
}

func isFolder(path string) bool {
	stat, err := os.Lstat(path)
	return err == nil && stat.IsDir()
}

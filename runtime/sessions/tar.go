package sessions

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"society-tui/runtime/protocol"
	"society-tui/storage"
	"society-tui/storage/blobs"
	"society-tui/storage/boltdb"
)

// The names in the tar of a backup: those of a store and of the folder beside it.
const (
	storeInTar  = "society.db"
	folderInTar = "society.blobs/"
)

// StreamBackup writes a checked copy of the store of a running society to w: its file or, if
// bytes are kept beside it, a tar of the file and of those. Import and ReceiveBackup take
// both. Nothing is written before the copy is complete. It may be called from any goroutine.
func StreamBackup(ctx context.Context, store *boltdb.Store, w io.Writer) error {
	dir, err := os.MkdirTemp("", "society-tui-backup-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	written, err := Copy(ctx, store, filepath.Join(dir, storeInTar))
	if err != nil {
		return err
	}
	if written.Folder == "" {
		return writeFile(written.Path, func(file io.Reader, _ os.FileInfo) error { _, err := io.Copy(w, file); return err })
	}
	packed := tar.NewWriter(w)
	pack := func(path, name string) error {
		return writeFile(path, func(file io.Reader, stat os.FileInfo) error {
			err := packed.WriteHeader(&tar.Header{Name: name, Size: stat.Size(), Mode: 0o600, ModTime: stat.ModTime(), Typeflag: tar.TypeReg, Format: tar.FormatPAX})
			if err == nil {
				_, err = io.Copy(packed, file)
			}
			return err
		})
	}
	files, err := os.ReadDir(written.Folder)
	for _, f := range files {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = pack(filepath.Join(written.Folder, f.Name()), folderInTar+f.Name())
		}
	}
	if err == nil {
		err = pack(written.Path, storeInTar) // last: what comes before it is what it names
	}
	if err != nil {
		return err
	}
	return packed.Close()
}

// writeFile calls f with an open file.
func writeFile(path string, f func(file io.Reader, stat os.FileInfo) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	stat, err := file.Stat()
	if err != nil {
		return err
	}
	return f(file, stat)
}

// ReceiveBackup writes what StreamBackup has written elsewhere to a new file, and the bytes
// that belong to it beside that.
func ReceiveBackup(path string, receive func(io.Writer) error) (w Written, err error) {
	stream, err := os.CreateTemp(filepath.Dir(path), ".society-tui-backup-*")
	if err != nil {
		if failed, ok := errors.AsType[*fs.PathError](err); ok {
			failed.Path = path // nobody knows the name of the draft
		}
		return Written{}, unwritten(path, err)
	}
	defer func() { err = errors.Join(err, stream.Close(), os.Remove(stream.Name())) }()
	if err := receive(stream); err != nil {
		return Written{}, err
	}
	if _, err := stream.Seek(0, io.SeekStart); err != nil {
		return Written{}, err
	}
	return unpack(path, stream)
}

// isTar reports whether a file that begins so is a tar.
func isTar(head []byte) bool { return len(head) >= 262 && string(head[257:262]) == "ustar" }

// unpack writes a backup, which is a file or a tar, to a new file, with the bytes beside it.
func unpack(path string, backup io.Reader) (Written, error) {
	stream := bufio.NewReader(backup)
	folder := blobs.FolderOf(path)
	var kept []storage.Hash
	w, err := ToFile(path, func(file io.Writer) (err error) {
		head, err := stream.Peek(512)
		if err != nil && err != io.EOF {
			return err
		}
		if !isTar(head) {
			_, err := io.Copy(file, stream)
			return err
		}
		kept, err = unpackTar(tar.NewReader(stream), file, folder)
		return err
	})
	if err != nil {
		folder.Forget(kept)
		return w, err
	}
	if len(kept) > 0 {
		w.Folder = folder.Path
	}
	return w, nil
}

// unpackTar writes the store of a tar to file and the bytes to a folder. Whatever else is
// in it, and a name that does not fit its content, is refused. It returns the files that
// it has made.
func unpackTar(packed *tar.Reader, file io.Writer, folder blobs.Folder) (made []storage.Hash, err error) {
	for {
		h, err := packed.Next()
		if err == io.EOF {
			return made, fmt.Errorf("%w: %s is missing", ErrTar, storeInTar)
		}
		if err != nil {
			return made, err
		}
		if h.Typeflag != tar.TypeReg {
			return made, fmt.Errorf("%w: %.80q is no file", ErrTar, h.Name)
		}
		if h.Name == storeInTar {
			if _, err := io.Copy(file, packed); err != nil || len(made) == 0 {
				return made, err
			}
			return made, folder.Sync()
		}
		name, inFolder := strings.CutPrefix(h.Name, folderInTar)
		hash := storage.Hash(name)
		if !inFolder || !hash.IsValid() || h.Size > storage.MaxBlob {
			return made, fmt.Errorf("%w: it holds %.80q", ErrTar, h.Name)
		}
		var data bytes.Buffer
		if _, err := io.Copy(&data, packed); err != nil {
			return made, err
		}
		if storage.HashOf(data.Bytes()) != hash {
			return made, fmt.Errorf("%w: %.80q holds something else", ErrTar, h.Name)
		}
		isNew, err := folder.Keep(hash, data.Bytes())
		if isNew {
			made = append(made, hash)
		}
		if err != nil {
			return made, err
		}
	}
}

// importTar imports the backup in a tar.
func importTar(path, file string, backup io.Reader, lang protocol.Lang) ([]error, error) {
	dir, err := os.MkdirTemp("", "society-tui-import-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	store := filepath.Join(dir, storeInTar)
	if _, err := unpack(store, backup); err != nil {
		return nil, &Refusal{file, err}
	}
	lost, err := Import(path, store, lang)
	if refused, ok := errors.AsType[*Refusal](err); ok && refused.Path == store {
		err = &Refusal{file, refused.Err}
	}
	return lost, err
}

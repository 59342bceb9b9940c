package sessions

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"society-tui/runtime/archive"
	"society-tui/runtime/orgfile"
	"society-tui/runtime/protocol"
	"society-tui/runtime/repair"
	"society-tui/storage"
	"society-tui/storage/blobs"
	"society-tui/storage/boltdb"
)

// Import founds the society of a file from an export, an organisation, a backup, or the
// readable part of a damaged store. lang is the language of a society that does not name
// its own. If the file is refused, nothing changes. lost lists what could not be read; if
// records are among that, all agents are idle.
func Import(path, file string, lang protocol.Lang) (lost []error, err error) {
	f, err := openRegular(file)
	if err != nil {
		return nil, &Refusal{file, err}
	}
	defer f.Close()
	head := make([]byte, 512)
	if n, err := f.ReadAt(head, 0); err == nil || n > 0 {
		if isTar(head[:n]) {
			return importTar(path, file, f, lang)
		}
	}
	society, lost, err := read(f, lang)
	if err != nil {
		return nil, &Refusal{file, err}
	}
	if society != nil {
		society = society.WithBytes(func(name storage.Hash) ([]byte, error) {
			data, err := blobs.FolderOf(file).Get(name)
			if errors.Is(err, storage.ErrLost) {
				lost = append(lost, err)
			}
			return data, err
		})
	}
	makes := importInto
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		makes = importNew
	}
	err = makes(path, func(store storage.Store) error {
		err := archive.Import(store, society)
		if errors.Is(err, archive.ErrNotEmpty) {
			return &Refusal{path, err}
		}
		if err != nil {
			return &Refusal{file, err}
		}
		return nil
	})
	return lost, err
}

func importInto(path string, fill func(storage.Store) error) error {
	store, err := open(path)
	if err != nil {
		return err
	}
	return errors.Join(fill(store), store.Close())
}

// importNew makes the store under another name, so that none is left if the file is
// refused.
func importNew(path string, fill func(storage.Store) error) error {
	draft := path + ".import"
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	store, err := boltdb.Open(draft)
	if err != nil {
		return unwritten(path, err)
	}
	defer func() { _ = boltdb.Remove(draft) }() // it has been copied
	err = fill(store)
	if err == nil {
		_, err = store.Copy(context.Background(), path)
	}
	return errors.Join(err, store.Close())
}

func openRegular(file string) (*os.File, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	stat, err := f.Stat()
	if err == nil && !stat.Mode().IsRegular() {
		err = ErrNoFile
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// read finds out what a file is, and returns the society in it, which is read as long as
// the file is open.
func read(f *os.File, lang protocol.Lang) (society archive.Content, lost []error, err error) {
	head := make([]byte, 512)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, nil, err
	}
	head = bytes.TrimLeft(head[:n], " \t\r\n\ufeff")
	switch {
	case bytes.HasPrefix(head, []byte("# ")):
		return nil, nil, ErrMarkdown
	case !bytes.HasPrefix(head, []byte("{")):
		return repair.File(f.Name(), lang)
	case firstKey(head) == "format":
		return archive.FromJSON(bufio.NewReader(f)), nil, nil
	}
	return orgfile.Read(f, lang, time.Now()), nil, nil
}

func firstKey(head []byte) string {
	d := json.NewDecoder(bytes.NewReader(head))
	_, _ = d.Token() // the brace
	key, _ := d.Token()
	return fmt.Sprint(key)
}

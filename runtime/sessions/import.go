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
	"path/filepath"
	"time"

	"society-tui/runtime/archive"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/boltdb"
	"society-tui/storage/memdb"
)

// Import makes the society of a file where none has begun yet: of an export, of an
// organisation, of a backup, or of what can still be read in a damaged store. lang is
// the language of a society that does not say its own. If the file is refused nothing
// is changed. lost is what could not be read or was made anew; then all agents are at
// rest.
func Import(path, file string, lang protocol.Lang) (lost []error, err error) {
	content, lost, err := read(file, lang)
	if err != nil {
		return nil, &Refusal{file, err}
	}
	defer content.Close()
	makes := importInto
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		makes = importNew
	}
	err = makes(path, func(store storage.Store) error {
		err := archive.Import(store, content.society)
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
	defer os.Remove(draft)
	err = fill(store)
	if err == nil {
		err = store.Copy(context.Background(), path)
	}
	return errors.Join(err, store.Close())
}

// A source is a file that is read in.
type source struct {
	io.Closer
	society archive.Content
}

// read finds out what a file is.
func read(file string, lang protocol.Lang) (s source, lost []error, err error) {
	f, err := os.Open(file)
	if err != nil {
		return s, nil, err
	}
	stat, err := f.Stat()
	if err == nil && !stat.Mode().IsRegular() {
		err = ErrNoFile
	}
	head := make([]byte, 512)
	if err == nil {
		var n int
		n, err = io.ReadFull(f, head)
		head = bytes.TrimLeft(head[:n], " \t\r\n\ufeff")
	}
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return s, nil, errors.Join(err, f.Close())
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return s, nil, errors.Join(err, f.Close())
	}
	switch {
	case bytes.HasPrefix(head, []byte("# ")):
		return s, nil, errors.Join(ErrMarkdown, f.Close())
	case bytes.HasPrefix(head, []byte("{")):
		s = source{f, archive.FromJSON(bufio.NewReader(f))}
		if firstKey(head) != "format" {
			s.society = archive.FromOrg(f, lang, time.Now())
		}
		return s, nil, nil
	}
	return salvage(f, lang)
}

func firstKey(head []byte) string {
	d := json.NewDecoder(bytes.NewReader(head))
	_, _ = d.Token() // the brace
	key, _ := d.Token()
	return fmt.Sprint(key)
}

// salvage reads a store's file: all of it, or what of it can be read.
func salvage(f *os.File, lang protocol.Lang) (s source, lost []error, err error) {
	defer f.Close()
	path, err := filepath.Abs(f.Name())
	if err != nil {
		return s, nil, err
	}
	pieces := memdb.New()
	err = pieces.Update(func(tx storage.Tx) error {
		var unfit []error
		lost, err = boltdb.Salvage(path, func(bucket string, key, value []byte) {
			if err := tx.Put(bucket, key, value); err != nil {
				unfit = append(unfit, err)
			}
		})
		lost = append(lost, unfit...)
		return err
	})
	if err != nil {
		return s, nil, err
	}
	if len(lost) == 0 { // a backup: if its records are sound too, it is taken as it is
		if whole := wholly(pieces); whole != nil {
			return source{pieces, whole}, nil, nil
		}
	}
	err = pieces.View(func(tx storage.Tx) error {
		content, more, err := archive.Salvage(tx, lang)
		lost = append(lost, more...)
		s = source{pieces, content}
		return err
	})
	return s, lost, err
}

// wholly is the society of a store in which every record is sound, nil for another.
func wholly(store storage.Store) archive.Content {
	var rows []tables.Row
	err := store.View(func(tx storage.Tx) error {
		return tables.Rows(tx, func(r tables.Row) error {
			rows = append(rows, r)
			return nil
		}, nil)
	})
	content := func(put func(tables.Row) error) error {
		for _, r := range rows {
			if err := put(r); err != nil {
				return err
			}
		}
		return nil
	}
	if err != nil || archive.Import(memdb.New(), content) != nil {
		return nil
	}
	return content
}

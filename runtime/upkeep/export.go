package upkeep

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"society-tui/runtime/archive"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// The formats of an export.
const (
	JSON     = "json"
	Markdown = "markdown"
)

// An Export says what of a society is written out, and where to.
type Export struct {
	// From is a backup that is read instead of the society; "" for none.
	From string
	// Agent is the top of the subtree that is written; "" for the whole society.
	Agent society.AgentID
	// Org writes the organisation alone.
	Org    bool
	Format string // JSON or Markdown
	// Out is the new file that is written; "" for the other writer.
	Out string
	// Redact takes keys out of what is written; nil for none.
	Redact func(string) string
}

// Write carries the export out: to w if it has no file, and then nothing is Written.
func (e Export) Write(path string, w io.Writer) (Written, error) {
	store, err := open(cmp.Or(e.From, path))
	if err != nil {
		return Written{}, err
	}
	if e.Out == "" {
		return Written{}, errors.Join(e.write(store, w), store.Close())
	}
	n, err := toFile(e.Out, func(w io.Writer) error { return e.write(store, w) })
	return Written{e.Out, n}, errors.Join(err, store.Close())
}

func (e Export) write(store storage.Store, w io.Writer) error {
	o := archive.Options{Agent: e.Agent, Redact: e.Redact}
	write := archive.WriteJSON
	switch {
	case e.Org:
		write = archive.WriteOrg
	case e.Format == Markdown:
		write = archive.WriteMarkdown
	}
	return store.View(func(tx storage.Tx) error { return write(w, tx, o) })
}

// toFile writes a new file, which has its name only when it is whole and on disk.
func toFile(path string, write func(io.Writer) error) (n int64, err error) {
	taken := &Refusal{path, fs.ErrExist}
	if _, err := os.Lstat(path); err == nil {
		return 0, taken
	}
	draft, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
	if err != nil {
		return 0, err
	}
	defer os.Remove(draft.Name())
	err = write(draft)
	if err == nil {
		err = draft.Sync()
	}
	stat, statErr := draft.Stat()
	if err := errors.Join(err, statErr, draft.Close()); err != nil {
		return 0, err
	}
	if err := os.Link(draft.Name(), path); errors.Is(err, fs.ErrExist) {
		return 0, taken
	} else if err == nil {
		return stat.Size(), nil
	}
	return stat.Size(), os.Rename(draft.Name(), path) // a disk where a file has one name
}

package sessions

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unicode"

	"society-tui/runtime/archive"
	"society-tui/runtime/orgfile"
	"society-tui/runtime/protocol"
	"society-tui/runtime/repair"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/blobs"
	"society-tui/storage/boltdb"
)

// The formats of an export.
const (
	JSON     = "json"
	Markdown = "markdown"
)

// An Export selects what of a society is written, and where to.
type Export struct {
	// From is a backup that is read instead of the society; "" for none.
	From string
	// Agent is the root of the subtree that is written; "" for the whole society.
	Agent society.AgentID
	// Alone leaves out what is below Agent.
	Alone bool
	// Org writes the organisation alone.
	Org    bool
	Format string // JSON or Markdown
	// Out is the new file that is written; "" for the other writer.
	Out string
	// Redact takes keys out of what is written; nil for none.
	Redact func(string) string
	// Lang is the language of Markdown, but for what was said; "" is the society's.
	Lang protocol.Lang
}

// Write writes the export: to w if it has no file, and then nothing is Written. It gives
// up soon after ctx is done.
func (e Export) Write(ctx context.Context, path string, w io.Writer) (Written, error) {
	store, err := open(cmp.Or(e.From, path))
	if e.From != "" && err != nil { // whoever names a file means one that is there
		switch stat, statErr := os.Stat(e.From); {
		case errors.Is(err, ErrNothing), errors.Is(statErr, syscall.ENOTDIR):
			err = &Refusal{e.From, fs.ErrNotExist}
		case statErr == nil && !stat.Mode().IsRegular():
			err = &Refusal{e.From, ErrNoFile}
		case errors.Is(err, storage.ErrDamaged) && !holdsSociety(e.From, e.Lang):
			err = &Refusal{e.From, ErrNoBackup}
		}
	}
	if err != nil {
		return Written{}, err
	}
	if e.Out == "" {
		return Written{}, errors.Join(e.write(store, untilDone{ctx, w}, nil, nil), store.Close())
	}
	written, err := e.named("", func(path string) (Written, error) {
		return e.toFile(ctx, store, path, &archive.Tally{})
	})
	return written, errors.Join(err, store.Close())
}

// holdsSociety reports whether anything of a society can be read from a file.
func holdsSociety(path string, lang protocol.Lang) bool {
	_, _, err := repair.File(path, lang)
	return !errors.Is(err, repair.ErrUnreadable)
}

// Stream exports a running society to a writer. It may be called from any goroutine,
// blocks no writer, and gives up soon after ctx is done.
func (e Export) Stream(ctx context.Context, store storage.Store, w io.Writer) error {
	return e.write(store, untilDone{ctx, w}, nil, nil)
}

// Copy exports a running society to the file Out, or to a new file in the working folder,
// and counts what it wrote. It may be called from any goroutine, blocks no writer, and
// gives up soon after ctx is done.
func (e Export) Copy(ctx context.Context, store storage.Store) (w Written, tally archive.Tally, err error) {
	name := ""
	if e.Agent != "" {
		err = store.View(func(tx storage.Tx) (err error) {
			name, err = tables.NameOf(tx, e.Agent)
			return err
		})
	}
	if err == nil {
		w, err = e.named(name, func(path string) (Written, error) {
			tally = archive.Tally{}
			return e.toFile(ctx, store, path, &tally)
		})
	}
	if err != nil {
		return Written{}, archive.Tally{}, err
	}
	return w, tally, nil
}

// Receive writes what write exports to the file Out, or to a new file in the working folder
// that is named after the agent, which the user calls name.
func (e Export) Receive(name string, write func(io.Writer) error) (Written, error) {
	return e.named(name, func(path string) (Written, error) { return ToFile(path, write) })
}

// named writes to the file Out, or to the first of its names that no file has yet.
func (e Export) named(name string, write func(path string) (Written, error)) (Written, error) {
	for n := 1; ; n++ {
		path, err := filepath.Abs(cmp.Or(e.Out, e.fileName(e.agentWord(name), n)))
		if err != nil {
			return Written{}, err
		}
		w, err := write(path)
		if e.Out == "" && errors.Is(err, fs.ErrExist) && n < maxNames {
			continue
		}
		return w, err
	}
}

// maxNames is how many names are tried for a new file.
const maxNames = 1000

// agentWord returns the name that the user gave the agent, as far as every system allows
// it for a file; its id if nothing is left of the name.
func (e Export) agentWord(name string) string {
	const most = 60 // runes: no more than 240 bytes
	var b strings.Builder
	for _, c := range []rune(name)[:min(len([]rune(name)), most)] {
		switch {
		case unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsDigit(c) || c == '_':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return cmp.Or(strings.TrimRight(b.String(), "-"), string(e.Agent))
}

// fileName returns the nth name that a file for the agent can have.
func (e Export) fileName(name string, n int) string {
	switch {
	case name == "":
		name = "society"
	case !e.Alone:
		name += "-and-below"
	}
	if n > 1 {
		name += "-" + strconv.Itoa(n)
	}
	if e.Format == JSON {
		return name + ".json"
	}
	return name + ".md"
}

// An untilDone writes until a context is done.
type untilDone struct {
	ctx context.Context
	io.Writer
}

func (u untilDone) Write(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Writer.Write(p)
}

// toFile writes a new file, and beside it a folder with the bytes that are kept beside the
// store.
func (e Export) toFile(ctx context.Context, store storage.Store, path string, tally *archive.Tally) (Written, error) {
	folder := blobs.FolderOf(path)
	var written []storage.Hash
	keep := func(data []byte) error {
		name := storage.HashOf(data)
		made, err := folder.Keep(name, data)
		if made {
			written = append(written, name)
		}
		return err
	}
	file, err := ToFile(path, func(w io.Writer) error {
		err := e.write(store, untilDone{ctx, w}, tally, keep)
		if err == nil && len(written) > 0 {
			err = folder.Sync()
		}
		return err
	})
	if err != nil {
		folder.Forget(written)
	}
	file.Lost = tally.Lost
	return file, err
}

// write writes what is asked for, and counts it if tally is not nil. What is kept beside
// the store goes to keep, or into the export if that is nil.
func (e Export) write(store storage.Store, w io.Writer, tally *archive.Tally, keep func([]byte) error) error {
	redact := e.Redact
	if redact == nil {
		redact = func(text string) string { return text }
	}
	o := archive.Options{Agent: e.Agent, Alone: e.Alone, Redact: redact, Tally: tally, Lang: e.Lang, Files: keep}
	return store.View(func(tx storage.Tx) error {
		switch {
		case e.Org:
			return orgfile.Write(w, tx, redact)
		case e.Format == Markdown:
			return archive.WriteMarkdown(w, tx, o)
		}
		return archive.WriteJSON(w, tx, o)
	})
}

// State returns a stored society.
func State(path string) (state *society.State, err error) {
	store, err := open(path)
	if err != nil {
		return nil, err
	}
	err = store.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		if err == nil {
			state = society.Load(society.DefaultLimits(), records)
		}
		return err
	})
	return state, errors.Join(err, store.Close())
}

// ToFile writes a new file, which has its name only when it is complete and on disk.
func ToFile(path string, write func(io.Writer) error) (Written, error) {
	n := int64(0)
	err := boltdb.NewFile(path, func(name string) error {
		draft, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		err = write(draft)
		if err == nil {
			err = draft.Sync()
		}
		stat, statErr := draft.Stat()
		if statErr == nil {
			n = stat.Size()
		}
		return errors.Join(err, statErr, draft.Close())
	})
	switch {
	case errors.Is(err, fs.ErrExist):
		return Written{}, &Refusal{path, fs.ErrExist}
	case err != nil:
		return Written{}, unwritten(path, err)
	}
	return Written{Path: path, Size: n}, nil
}

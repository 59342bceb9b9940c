package apikey

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"society-tui/runtime/tomlfile"
)

// mostFile is the size in bytes of the largest file with keys that is read or written.
const mostFile = 256 << 10

// fromFile reads the key from a file that nobody else can read.
func (s Source) fromFile() (string, error) {
	path, entry, several := s.place()
	text, err := readPrivate(path)
	if err != nil || !several {
		return string(text), err
	}
	keys, err := keysIn(path, text)
	if err == nil && keys[entry] == "" {
		err = textNotInFile.With(path)
	}
	return keys[entry], err
}

// keysIn returns the entries of a file of several keys.
func keysIn(path string, text []byte) (keys map[string]string, err error) {
	if err := toml.Unmarshal(text, &keys); err != nil {
		return nil, textNoKeysFile.With(path) // the library's text would show a part of it
	}
	return keys, nil
}

// readPrivate reads a file that only its owner can read or write. It looks before it opens:
// opening a pipe would wait for a writer.
func readPrivate(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, textNoFile.With(path)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, textNoFile.With(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if err := checkPrivate(path, info.Mode()); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, mostFile+1))
	if err == nil && len(text) > mostFile {
		return nil, textLargeFile.With(path, mostFile>>10)
	}
	return text, err
}

// checkPrivate returns why the keys in a file of that mode are not used.
func checkPrivate(path string, mode fs.FileMode) error {
	// Windows has no such bits: every file there looks readable by all.
	if mode.Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return textOthersRead.With(path, mode.Perm())
	}
	return nil
}

// fromHome returns a path with the user's home folder in place of a leading ~.
func fromHome(path string) string {
	if home, err := os.UserHomeDir(); err == nil {
		return filepath.Join(home, path[1:])
	}
	return path
}

// rewriteKeys changes the file of entered keys of a folder. change is given the entries.
func rewriteKeys(ctx context.Context, dir string, change func(*tomlfile.Document, map[string]string) error) error {
	path := filepath.Join(dir, KeysFile)
	return tomlfile.Rewrite(ctx, path, func(text []byte, mode fs.FileMode) ([]byte, error) {
		if err := checkPrivate(path, mode); err != nil {
			return nil, err
		}
		keys, err := keysIn(path, text)
		if err != nil {
			return nil, err
		}
		d := tomlfile.NewDocument(text)
		if err := change(d, keys); err != nil {
			return nil, err
		}
		if after := d.Text(); len(text) <= mostFile && len(after) <= mostFile {
			return after, nil
		}
		return nil, textLargeFile.With(path, mostFile>>10)
	})
}

// Place is where an entered key is to be kept.
type Place string

// The places.
const (
	InKeyring Place = "keyring"
	InFile    Place = "file"
)

// A Store keeps entered keys for one file of settings: in the keyring, or in a file beside the
// settings. Other settings use both too, so the names of its entries tell which are its own.
type Store struct {
	Keyring Keyring
	File    string // with the settings
}

func (s Store) dir() string { return filepath.Dir(s.File) }

// mark tells the entries of this store from those of other files of settings.
func (s Store) mark() string {
	path, err := filepath.Abs(s.File)
	if err != nil {
		path = s.File
	}
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:4])
}

// An Entered key is to be kept.
type Entered struct {
	Key string
	// Model is the model that it is for, and BaseURL the address of its endpoint.
	Model, BaseURL string
	// Own is where the key of that model alone is, which the new one replaces.
	Own Source
}

// entry returns the name of the first entry that the key can have: that of the origin with the
// mark of the store, or, where another key has that, with the name of the model behind it. get
// returns what an entry holds, "" for nothing. own is the entry that may be replaced.
func (e *Entered) entry(mark, own string, get func(entry string) (string, error)) (string, error) {
	origin := Origin(e.BaseURL) + "#" + mark
	name := origin
	for n := 1; ; n++ {
		held, err := get(name)
		if err != nil || held == "" || held == e.Key || name == own {
			return name, err
		}
		if name = origin + "#" + e.Model; n > 1 {
			name += "-" + strconv.Itoa(n)
		}
	}
}

// Keep keeps a key for the origin of an address and returns its source. Where there is no
// keyring it goes into the file, and instead tells why.
func (s Store) Keep(ctx context.Context, at Place, e Entered) (kept Source, instead, err error) {
	if e.Key, err = Clean(e.Key); err != nil {
		return Source{}, nil, err
	}
	if at == InKeyring {
		if kept, instead = s.keepInKeyring(ctx, e); instead == nil {
			return kept, nil, nil
		}
	}
	kept = Source{kind: file, dir: s.dir()}
	err = rewriteKeys(ctx, s.dir(), func(d *tomlfile.Document, keys map[string]string) error {
		own := ""
		if e.Own.kind == file {
			own = e.Own.entry()
		}
		name, _ := e.entry(s.mark(), own, func(entry string) (string, error) { return keys[entry], nil })
		kept.name = KeysFile + "#" + name
		return d.Set("", name, tomlfile.Literal(e.Key))
	})
	return kept, instead, err
}

// keepInKeyring keeps a key in the keyring.
func (s Store) keepInKeyring(ctx context.Context, e Entered) (kept Source, err error) {
	own := ""
	if e.Own.kind == ring {
		own = e.Own.name
	}
	name, err := e.entry(s.mark(), own, func(entry string) (string, error) { return get(ctx, s.Keyring, entry) })
	if err == nil {
		err = within(ctx, func() error { return s.Keyring.Set(service, name, e.Key) })
	}
	return Source{kind: ring, name: name}, err
}

// Forget removes an entered key. One that was not entered for these settings, or by a version
// that did not tell that, stays: others may have settings that use it. What is kept elsewhere is
// the user's own, and stays too, which is not reported.
func (s Store) Forget(ctx context.Context, of Source) (stays bool, err error) {
	entry := of.entry()
	origin, owner, _ := strings.Cut(entry, "#")
	owner, _, _ = strings.Cut(owner, "#")
	entered := origin != "" && origin == Origin(origin) && (of.kind == ring || of.name == KeysFile+"#"+entry)
	switch {
	case !entered:
		return false, nil
	case owner != s.mark():
		return true, nil
	case of.kind == ring:
		return false, within(ctx, func() error { return s.Keyring.Delete(service, entry) })
	}
	return false, rewriteKeys(ctx, s.dir(), func(d *tomlfile.Document, _ map[string]string) error { return d.Unset("", entry) })
}

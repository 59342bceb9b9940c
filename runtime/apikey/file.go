package apikey

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/pelletier/go-toml/v2"

	"society-tui/runtime/tomlfile"
)

// fromFile reads the key from a file that nobody else can read.
func (s Source) fromFile() (string, error) {
	path, entry, several := s.place()
	text, err := readPrivate(path)
	if err != nil || !several {
		return string(text), err
	}
	keys := map[string]string{}
	if err := toml.Unmarshal(text, &keys); err != nil {
		return "", textNoKeysFile.With(path) // the library's text would show a part of it
	}
	if keys[entry] == "" {
		return "", textNotInFile.With(path)
	}
	return keys[entry], nil
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
	// Windows has no such bits: every file there looks readable by all.
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, textOthersRead.With(path, info.Mode().Perm())
	}
	const most = 256 << 10
	return io.ReadAll(io.LimitReader(f, most))
}

// fromHome returns a path with the user's home folder in place of a leading ~.
func fromHome(path string) string {
	if home, err := os.UserHomeDir(); err == nil {
		return filepath.Join(home, path[1:])
	}
	return path
}

// keepInFile puts a key into the file of entered keys of a folder, or removes it if it is "".
func keepInFile(dir, entry, key string) error {
	path := filepath.Join(dir, KeysFile)
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		if text, err = readPrivate(path); err != nil {
			return err
		}
	}
	d := tomlfile.NewDocument(text)
	if key == "" {
		err = d.Unset("", entry)
	} else {
		err = d.Set("", entry, tomlfile.Literal(key))
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(dir, "."+KeysFile+".*") // 0600
	if err != nil {
		return err
	}
	_, err = draft.Write(d.Text())
	if err = errors.Join(err, draft.Sync(), draft.Close()); err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(draft.Name()))
	}
	return err
}

// Place is where an entered key is to be kept.
type Place string

// The places.
const (
	InKeyring Place = "keyring"
	InFile    Place = "file"
)

// A Store keeps entered keys: in the keyring, or in a file of a folder.
type Store struct {
	Keyring Keyring
	Dir     string // of the settings
}

// Keep keeps a key for the origin of an address and returns its source. Where there is no
// keyring it goes into the file, and instead tells why.
func (s Store) Keep(ctx context.Context, at Place, baseURL, key string) (kept Source, instead, err error) {
	if key, err = Clean(key); err != nil {
		return Source{}, nil, err
	}
	name := Origin(baseURL)
	if at == InKeyring {
		kept := Source{kind: ring, name: name}
		instead = within(ctx, func() error { return s.Keyring.Set(service, name, key) })
		if instead == nil {
			return kept, nil, nil
		}
	}
	kept = Source{kind: file, name: KeysFile + "#" + name, dir: s.Dir}
	return kept, instead, keepInFile(s.Dir, name, key)
}

// Forget removes an entered key. What is kept elsewhere is the user's own, and stays.
func (s Store) Forget(ctx context.Context, of Source) error {
	switch {
	case of.kind == ring && of.name == Origin(of.name):
		return within(ctx, func() error { return s.Keyring.Delete(service, of.name) })
	case of.kind == file && of.entry() != "" && of.name == KeysFile+"#"+of.entry():
		return keepInFile(s.Dir, of.entry(), "")
	}
	return nil
}

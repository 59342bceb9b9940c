package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"society-tui/runtime/sessions"
	"society-tui/runtime/template"
	"society-tui/tui/action"
)

// save writes a file for the user: as a whole, and over another one only if that is meant.
func save(f action.SavedFile) (path string, err error) {
	path, err = filepath.Abs(template.Home(f.Path)) // no shell expands ~
	if err != nil {
		return "", err
	}
	put := func(path string) error {
		_, err := sessions.ToFile(path, func(w io.Writer) error {
			_, err := w.Write(f.Data)
			return err
		})
		return err
	}
	if !f.Replace {
		return path, put(path)
	}
	draft := fmt.Sprintf("%s.%d.new", path, os.Getpid())
	if err := put(draft); err != nil {
		return path, err
	}
	if err := os.Rename(draft, path); err != nil {
		return path, errors.Join(err, os.Remove(draft))
	}
	return path, nil
}

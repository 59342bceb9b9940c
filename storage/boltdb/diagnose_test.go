package boltdb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"society-tui/storage"
)

// Where the newest state cannot be read at all, what the one before has is salvaged.
func TestSalvageFallsBackToTheCommitBefore(t *testing.T) {
	t.Parallel()
	s := fresh(t, MaxSize, 5)
	content, err := os.ReadFile(s.path) // as a kill would leave it
	must(t, err)
	size, newest := s.db.Info().PageSize, 0
	must(t, s.db.View(func(tx *bbolt.Tx) error {
		newest = int(binary.NativeEndian.Uint64(content[(tx.ID()%2)*size+32:])) // the root page, as its meta says
		return nil
	}))
	clear(content[newest*size:][:size])
	path := filepath.Join(t.TempDir(), "spoilt.db")
	must(t, os.WriteFile(path, content, 0o600))
	found := 0
	lost, err := Salvage(path, func(string, []byte, []byte) { found++ })
	if err != nil || found != 4 || len(lost) == 0 {
		t.Errorf("found %d rows of the 4 of the commit before, lost %v, %v", found, lost, err)
	}
}

func TestANewFileDoesNotOverwriteOneThatWasMadeMeanwhile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "society.db")
	err := NewFile(path, func(draft string) error {
		return errors.Join(os.WriteFile(draft, []byte("mine"), 0o600), os.WriteFile(path, []byte("theirs"), 0o600))
	})
	content, readErr := os.ReadFile(path)
	if !errors.Is(err, fs.ErrExist) || readErr != nil || string(content) != "theirs" {
		t.Errorf("NewFile = %v, and the file holds %q, want fs.ErrExist and theirs", err, content)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}

// What the system refuses is no damage of a file that is sound.
func TestSystemErrorsAreNotDamage(t *testing.T) {
	t.Parallel()
	s := fresh(t, MaxSize, 3)
	must(t, s.Close())
	why := fmt.Errorf("mmap: %w", syscall.ENOMEM)
	if err := diagnose(t.Context(), s.path, why); !errors.Is(err, syscall.ENOMEM) || errors.Is(err, storage.ErrDamaged) {
		t.Errorf("no memory for a sound file: %v", err)
	}
	if err := diagnose(t.Context(), s.path, bolterrors.ErrInvalid); !errors.Is(err, bolterrors.ErrInvalid) || errors.Is(err, storage.ErrDamaged) {
		t.Errorf("a read that failed for a moment: %v", err)
	}
}

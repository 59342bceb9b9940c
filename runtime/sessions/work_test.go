package sessions

import (
	"os"
	"path/filepath"
	"testing"

	"society-tui/runtime/session"
	"society-tui/storage/boltdb"
)

func TestTheWorkspacesOfASessionGoWithIt(t *testing.T) {
	t.Parallel()
	f := Folder{Path: t.TempDir()}
	store, err := boltdb.Open(session.File(f.Path, "one"))
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	file := func(name string) string { return filepath.Join(session.Work(f.Path, name), "task", "a.go") }
	if err := os.MkdirAll(filepath.Dir(file("one")), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file("one"), []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Rename("one", "two"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file("two")); err != nil {
		t.Errorf("after the new name: %v", err)
	}
	if err := f.Delete("two"); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(f.Path); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

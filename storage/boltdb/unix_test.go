//go:build linux || darwin

package boltdb_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"society-tui/storage"
	"society-tui/storage/boltdb"
)

func init() {
	children["open with umask 0"] = func(path string) error { return openWithUmask(0, path) }
	children["open with umask 0777"] = func(path string) error { return openWithUmask(0o777, path) }
	children["open as nobody"] = openAsNobody
	children["fill the disk"] = fillTheDisk
}

func openWithUmask(mask int, path string) error {
	syscall.Umask(mask)
	s, err := boltdb.Open(path)
	if err != nil {
		return err
	}
	for _, name := range []string{filepath.Dir(path), path, path + ".lock"} {
		stat, err := os.Stat(name)
		if err != nil {
			return err
		}
		fmt.Printf("%#o ", stat.Mode().Perm())
	}
	return s.Close()
}

func TestModesDoNotDependOnTheUmask(t *testing.T) {
	t.Parallel()
	for _, mask := range []string{"0", "0777"} {
		path := filepath.Join(t.TempDir(), "new", "society.db")
		if got := ask(t, "open with umask "+mask, path); got != "0700 0600 0600" {
			t.Errorf("with umask %s folder, file and note have %s", mask, got)
		}
	}
}

// openAsNobody returns the error of Open for a user without rights.
func openAsNobody(path string) error {
	if os.Geteuid() == 0 {
		if err := errors.Join(syscall.Setgid(nobody), syscall.Setuid(nobody)); err != nil {
			return err
		}
	}
	s, err := boltdb.Open(path)
	fmt.Println(errors.Is(err, fs.ErrPermission), errors.Is(err, storage.ErrDamaged), err)
	if err == nil {
		return errors.Join(s.Update(func(tx storage.Tx) error { return tx.Put("b", []byte("k"), nil) }), s.Close())
	}
	return nil
}

const nobody = 65534

func TestAFolderOrFileWithoutPermissionIsAClearError(t *testing.T) {
	t.Parallel()
	folder := func() string {
		dir := t.TempDir()
		must(t, os.Chmod(filepath.Dir(dir), 0o755))
		t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
		return dir
	}
	none := filepath.Join(folder(), "society.db")
	under := filepath.Join(folder(), "new", "society.db")
	unreadable := filepath.Join(folder(), "society.db")
	content := read(t, filled(t, 3))
	write(t, unreadable, content)
	must(t, os.Chmod(unreadable, 0))
	for _, path := range []string{none, under, unreadable} {
		dir := filepath.Dir(path)
		if path == under {
			dir = filepath.Dir(dir)
		}
		must(t, os.Chmod(dir, 0o555))
		before := names(t, dir)
		got := ask(t, "open as nobody", path)
		if !strings.HasPrefix(got, "true false open "+path) {
			t.Errorf("open %s: %s", path, got)
		}
		if names(t, dir) != before {
			t.Errorf("%s now holds %s", dir, names(t, dir))
		}
	}
	// The folder matters only where something must be made in it.
	own := filepath.Join(folder(), "society.db")
	write(t, own, content)
	if os.Geteuid() == 0 {
		must(t, os.Chown(own, nobody, nobody))
	}
	must(t, os.Chmod(filepath.Dir(own), 0o555))
	if got := ask(t, "open as nobody", own); got != "false false <nil>" {
		t.Errorf("open a store of one's own: %s", got)
	}
}

// fillTheDisk writes until the kernel takes no more, and goes on when it does again. It
// returns how many rows were acknowledged.
func fillTheDisk(path string) error {
	signal.Ignore(syscall.SIGXFSZ)
	s, err := boltdb.Open(path)
	if err != nil {
		return err
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	free := limit
	limit.Cur = 3 << 20
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	n := 3
	add := func() error {
		err := s.Update(func(tx storage.Tx) error { return tx.Put("rows", row(n), make([]byte, 50_000)) })
		if err == nil {
			n++
		}
		return err
	}
	for err = add(); err == nil; {
		err = add()
	}
	if !errors.Is(err, syscall.EFBIG) || errors.Is(err, storage.ErrDamaged) || n < 20 {
		return fmt.Errorf("after %d rows: %w", n, err)
	}
	for range 3 {
		if err := add(); err == nil {
			return errors.New("a row was taken while the disk was full")
		}
		if err := countRows(s, n); err != nil {
			return err
		}
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &free); err != nil {
		return err
	}
	if err := errors.Join(add(), add(), countRows(s, n), s.Check(), s.Close()); err != nil {
		return fmt.Errorf("with space again: %w", err)
	}
	fmt.Println(n)
	return nil
}

func countRows(s storage.Store, want int) error {
	return s.View(func(tx storage.Tx) error {
		n := 0
		for range tx.Range("rows", nil, nil) {
			n++
		}
		if n != want {
			return fmt.Errorf("%d rows, want %d", n, want)
		}
		return nil
	})
}

// A limit of the kernel stands in for the full disk.
func TestAFullDiskLosesNothingAndTheStoreGoesOn(t *testing.T) {
	t.Parallel()
	path := filled(t, 3)
	var n int
	if _, err := fmt.Sscan(ask(t, "fill the disk", path), &n); err != nil {
		t.Fatal(err)
	}
	s := open(t, path)
	defer closed(t, s)
	hasRows(t, s, n)
}

package programtest

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// One unreadable record is damage, too: nothing is skipped silently or
// overwritten.
func TestOneUnreadableRecordIsDamage(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(100, 30).opened()
	x.quit()

	breakRecord(t, h.path(stored))
	if got := h.run("check"); got.code != 1 || !strings.Contains(got.err, "damaged") || !strings.Contains(got.err, "agents") {
		t.Errorf("check says %d: %s", got.code, got.err)
	}
	again := h.open(100, 30).opened()
	again.sees("damaged")
	again.signal(syscall.SIGTERM)
	again.ends()
	aside, err := filepath.Glob(h.path("data/society-tui/society.db.damaged-*"))
	if err != nil || len(aside) != 1 || !strings.Contains(again.farewell(), filepath.Base(aside[0])) {
		t.Errorf("moved to %v, %v; it left with %q", aside, err, again.farewell())
	}
	if got := h.run("check"); got.code != 0 {
		t.Errorf("the new store is not sound: %s", got.err)
	}
}

// breakRecord makes the record of one agent unreadable.
func breakRecord(t *testing.T, path string) {
	t.Helper()
	store, err := boltdb.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := false
	err = store.Update(func(tx storage.Tx) error {
		for key, value := range tx.Range("agents", nil, nil) {
			broken = true
			version := value[:1:1]
			return tx.Put("agents", slices.Clone(key), append(version, "no record"...))
		}
		return nil
	})
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil || !broken {
		t.Fatalf("broke a record: %v, %v", broken, err)
	}
}

// Ask goes on in the new society, so the command that it prints imports into another session.
func TestAskTellsHowToImportWhatWasMovedAside(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.run("ask", "plan a picnic")
	breakRecord(t, h.path(stored))
	got := h.run("ask", "plan a walk")
	_, command, found := strings.Cut(got.err, "society-tui import --session recovered ")
	if got.code != 0 || !found {
		t.Fatalf("ask = %+v", got)
	}
	file, _, _ := strings.Cut(command, "\n")
	if got := h.run("--session", "recovered", "import", strings.TrimSpace(file)); got.code != 0 || !strings.Contains(got.out, "Imported") {
		t.Errorf("import = %+v", got)
	}
}

// Whatever is found in place of a store is moved aside unchanged; the screen
// and the farewell say so, and the new society keeps its data.
func TestDamagedStoreIsMovedAsideAndReported(t *testing.T) {
	t.Parallel()
	whole := newHome(t)
	whole.crowded(60)
	sound := []byte(whole.read(stored))
	page := os.Getpagesize()
	used := bytes.LastIndex(sound, []byte(`"objective":"read part 30"`)) / page * page
	change := func(how func(content []byte) []byte) string { return string(how(bytes.Clone(sound))) }
	for name, content := range map[string]string{
		"0 bytes":        "",
		"a text":         "this is no database",
		"zeros":          string(make([]byte, 1<<20)),
		"garbage":        change(func(c []byte) []byte { return append(c[:2*page], bytes.Repeat([]byte("garbage\x00\xff"), 60_000)...) }),
		"cut to half":    change(func(c []byte) []byte { return c[:used+page/2] }),
		"cut to a page":  change(func(c []byte) []byte { return c[:page] }),
		"flipped bytes":  change(func(c []byte) []byte { return flipped(c, used, 16) }),
		"flipped metas":  change(func(c []byte) []byte { return flipped(flipped(c, 16, 64), page+16, 64) }),
		"a cleared page": change(func(c []byte) []byte { clear(c[used : used+page]); return c }),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, "[model]", fast)
			h.write(stored, content)
			if got := h.run("check"); got.code != 1 || !strings.Contains(got.err, "damaged") || !strings.Contains(got.err, "import FILE") || h.read(stored) != content {
				t.Errorf("check says %d: %s", got.code, got.err)
			}
			x := h.open(100, 45).opened() // the note stays visible whatever the answer is
			x.sees("damaged", "esc close")
			x.closes()
			x.write("Thanks! Note 1. after the damage")
			x.press("enter")
			x.sees("▌ Thanks! Note 1. after the damage")
			x.signal(syscall.SIGTERM)
			if code := x.ends(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			aside, err := filepath.Glob(h.path(stored + ".damaged-*"))
			if err != nil || len(aside) != 1 {
				t.Fatalf("moved to %v, %v", aside, err)
			}
			if h.read("data/society-tui/"+filepath.Base(aside[0])) != content {
				t.Error("the moved store differs from the damaged one")
			}
			if said := x.farewell(); !strings.Contains(said, "damaged") || !strings.Contains(said, filepath.Base(aside[0])) {
				t.Errorf("it left with %q", said)
			}
			again := h.open(100, 60).opened()
			if rows := again.sees("▌ Thanks! Note 1. after the damage"); stands(rows, "damaged") {
				t.Errorf("it says so once more:\n%s", strings.Join(rows, "\n"))
			}
			again.quit()
		})
	}
}

// closes closes a dialog that opened by itself, which ignores keys at first.
func (x *terminal) closes() {
	x.t.Helper()
	begun := time.Now()
	for tick := time.NewTicker(100 * time.Millisecond); stands(x.screenNow(), "esc close"); <-tick.C {
		x.write(esc) // cannot be the beginning of a sequence
		if time.Since(begun) > patience {
			x.t.Fatal("the dialog does not close")
		}
	}
}

func flipped(content []byte, from, n int) []byte {
	for i := range n {
		content[from+i] ^= 0xff
	}
	return content
}

// A store that others can read is made private when it is opened.
func TestStoreReadableByOthersIsMadePrivate(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.crowded(3)
	if err := os.Chmod(h.path(stored), 0o644); err != nil {
		t.Fatal(err)
	}
	x := h.open(100, 30).opened()
	x.until("the society", func(rows []string) bool { return stands(rows, "worker-1") })
	for _, name := range []string{stored, stored + ".lock"} {
		if stat, err := os.Stat(h.path(name)); err != nil || stat.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, stat.Mode(), err)
		}
	}
	x.quit()
}

// A store that is intact but cannot be opened ends the program with a message,
// with and without the screen, and stays unchanged.
func TestUnopenableStoreIsReportedAndUnchanged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(t *testing.T, h *home)
		says  string
	}{
		"a newer version": {func(t *testing.T, h *home) {
			db, err := bbolt.Open(h.path(stored), 0o600, nil)
			if err != nil {
				t.Fatal(err)
			}
			err = db.Update(func(tx *bbolt.Tx) error {
				return tx.Bucket([]byte("storage.format")).Put([]byte("version"), []byte("99"))
			})
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
		}, "Nothing was changed. Update society-tui"},
		"a newer record": {func(t *testing.T, h *home) {
			store, err := boltdb.Open(h.path(stored))
			if err != nil {
				t.Fatal(err)
			}
			err = store.Update(func(tx storage.Tx) error { return tx.Put("roles", []byte("role-x"), []byte("\x09\x00{}")) })
			if err := errors.Join(err, store.Close()); err != nil {
				t.Fatal(err)
			}
		}, "newer version"},
		"a symbolic link": {func(t *testing.T, h *home) {
			if err := errors.Join(os.Rename(h.path(stored), h.path("elsewhere.db")), os.Symlink(h.path("elsewhere.db"), h.path(stored))); err != nil {
				t.Fatal(err)
			}
		}, "symbolic link"},
		"a folder": {func(t *testing.T, h *home) {
			if err := errors.Join(os.Remove(h.path(stored)), os.Mkdir(h.path(stored), 0o700)); err != nil {
				t.Fatal(err)
			}
		}, "not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.crowded(3)
			c.spoil(t, h)
			before, err := os.Lstat(h.path(stored))
			if err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"check"}, {"backup", h.path("b")}, {"compact"}, {"export"}, {"import", h.path(stored)}} {
				if name == "a newer record" && (args[0] == "backup" || args[0] == "compact") {
					continue // these read no record
				}
				if got := h.run(args...); got.code != 1 || !strings.Contains(got.err, c.says) {
					t.Errorf("%s: exit code %d: %s", args[0], got.code, got.err)
				}
			}
			x := h.open(100, 30)
			if code := x.ends(); code != 1 || !strings.Contains(x.farewell(), c.says) {
				t.Errorf("the screen: exit code %d: %s", code, x.farewell())
			}
			after, err := os.Lstat(h.path(stored))
			if aside, _ := filepath.Glob(h.path(stored + ".*")); err != nil || !os.SameFile(before, after) || after.Mode() != before.Mode() || len(aside) > 0 {
				t.Errorf("something has changed: %v, %v, %v", after, err, aside)
			}
		})
	}
}

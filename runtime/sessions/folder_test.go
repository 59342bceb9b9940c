package sessions_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/session"
	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// several returns a folder with the session society, which is open, and beside it book
// with ten agents, torn, which is damaged, and what else may lie there.
func several(t *testing.T) (sessions.Folder, *place) {
	t.Helper()
	p := crowd(t, 3)
	s := sessions.Folder{Path: filepath.Dir(p.path), Open: session.Default, Store: p.store}
	book := crowd(t, 10)
	book.do(society.Send{To: society.Root, Text: "the first request"})
	book.do(society.Send{To: "worker-1", Text: "the newest request"})
	book.close()
	must(t, os.Rename(book.path, session.File(s.Path, "book")))
	must(t, os.WriteFile(session.File(s.Path, "torn"), []byte("no store"), 0o600))
	for _, beside := range []string{"society.db.damaged-20261122T130000Z", "notes.txt", ".db", "book.db.new-1"} {
		must(t, os.WriteFile(filepath.Join(s.Path, beside), nil, 0o600))
	}
	must(t, os.Mkdir(session.File(s.Path, "folder"), 0o700))
	must(t, os.Symlink(p.path, session.File(s.Path, "link")))
	return s, p
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func listed(t *testing.T, s sessions.Folder) string {
	t.Helper()
	list, err := s.List()
	must(t, err)
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// refuses fails unless an act is refused for a reason.
func refuses(t *testing.T, what string, err error, why session.Reason) {
	t.Helper()
	if p, ok := errors.AsType[*session.Problem](err); !ok || p.Why != why {
		t.Errorf("%s: %v, not reason %d", what, err, why)
	}
}

func TestOnlySessionsAreListedTheOneUsedLastFirst(t *testing.T) {
	t.Parallel()
	s, _ := several(t)
	if got := listed(t, s); got != "book society torn" {
		t.Errorf("listed: %s", got)
	}
	day := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, name := range []string{"society", "torn", "book"} {
		must(t, os.Chtimes(session.File(s.Path, name), day, day.Add(time.Duration(i)*time.Hour)))
	}
	list, err := s.List()
	must(t, err)
	if list[0].Name != "book" || list[2].Name != "society" || !list[2].Used.Equal(day) || list[1].Size != int64(len("no store")) {
		t.Errorf("listed %+v", list)
	}
	if list, err := (sessions.Folder{Path: filepath.Join(s.Path, "none")}).List(); err != nil || len(list) > 0 {
		t.Errorf("where no folder is: %v, %v", list, err)
	}
}

func TestAPreviewIsOfWhatIsStoredAndChangesNothing(t *testing.T) {
	t.Parallel()
	s, p := several(t)
	before, err := os.ReadFile(session.File(s.Path, "book"))
	must(t, err)
	g, err := s.Look(t.Context(), "book")
	if err != nil || g.Agents != 10 || !g.AtWork || g.Request != "the newest request" || g.At.IsZero() {
		t.Errorf("%+v, %v", g, err)
	}
	after, err := os.ReadFile(session.File(s.Path, "book"))
	if err != nil || string(after) != string(before) {
		t.Errorf("looking has changed the file: %v", err)
	}
	p.do(society.Send{To: society.Root, Text: "of the open one"})
	if g, err := s.Look(t.Context(), session.Default); err != nil || g.Agents != 3 || g.Request != "of the open one" {
		t.Errorf("of the one that is open: %+v, %v", g, err)
	}
	_, err = s.Look(t.Context(), "torn")
	refuses(t, "torn", err, session.Damaged)
	_, err = s.Look(t.Context(), "none")
	refuses(t, "none", err, session.Gone)
	_, err = sessions.Folder{Path: s.Path}.Look(t.Context(), session.Default) // as another process sees it
	refuses(t, "one that is open elsewhere", err, session.InUse)
	late, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	_, err = s.Look(late, "book")
	refuses(t, "in no time", err, session.Slow)
}

// Two names that differ in capital letters alone are one on many disks, so they are
// nowhere two, unless somebody has made two such files.
func TestASessionIsFoundOnlyUnderItsOwnName(t *testing.T) {
	t.Parallel()
	s, _ := several(t)
	for _, name := range []string{"book", "new", "第二章"} {
		if path, err := s.Place(name); err != nil || path != filepath.Join(s.Path, name+".db") {
			t.Errorf("%s is in %s, %v", name, path, err)
		}
	}
	for _, name := range []string{"Book", "BOOK", "Society"} {
		_, err := s.Place(name)
		refuses(t, name, err, session.Taken)
		refuses(t, "to "+name, s.Rename("torn", name), session.Taken)
	}
	for _, name := range []string{"../book", "a/b", "con", ""} {
		_, err := s.Place(name)
		refuses(t, name, err, session.Misnamed)
		refuses(t, "to "+name, s.Rename("torn", name), session.Misnamed)
	}
	must(t, s.Rename("torn", "Torn")) // which it may be called
	if got := listed(t, s); got != "Torn book society" {
		t.Errorf("listed: %s", got)
	}
}

func TestASessionIsRenamedAndDeletedWhateverItsNeighboursAre(t *testing.T) {
	t.Parallel()
	s, _ := several(t)
	held, err := boltdb.Open(session.File(s.Path, "held"))
	must(t, err)
	defer held.Close()
	refuses(t, "rename one that is held", s.Rename("held", "free"), session.InUse)
	refuses(t, "delete one that is held", s.Delete("held"), session.InUse)
	refuses(t, "rename the open one", s.Rename(session.Default, "free"), session.Open)
	refuses(t, "delete the open one", s.Delete(session.Default), session.Open)
	refuses(t, "rename over another", s.Rename("book", "torn"), session.Taken)
	refuses(t, "rename none", s.Rename("none", "free"), session.Gone)
	refuses(t, "delete none", s.Delete("none"), session.Gone)
	must(t, os.WriteFile(session.Token(s.Path, "book"), []byte("token"), 0o600))
	book, err := boltdb.Open(session.File(s.Path, "book"))
	must(t, err, book.Update(func(tx storage.Tx) error {
		_, err := tx.PutBlob([]byte("a test"), []byte(longResult))
		return err
	}), book.Close(), os.MkdirAll(filepath.Join(session.Work(s.Path, "book"), "task"), 0o700))
	must(t, s.Rename("book", "library"))
	if was, now := beside(t, session.File(s.Path, "book")), beside(t, session.File(s.Path, "library")); len(was) > 0 || len(now) != 1 {
		t.Errorf("renamed it has the bytes %v, and its old name %v", now, was)
	}
	if _, err := os.Stat(filepath.Join(session.Work(s.Path, "library"), "task")); err != nil {
		t.Errorf("renamed it has another workspace: %v", err)
	}
	if token, err := os.ReadFile(session.Token(s.Path, "library")); err != nil || string(token) != "token" {
		t.Errorf("renamed it has the token %q, %v", token, err)
	}
	if g, err := s.Look(t.Context(), "library"); err != nil || g.Agents != 10 {
		t.Errorf("renamed it is %+v, %v", g, err)
	}
	must(t, sessions.Check(session.File(s.Path, "library")))
	must(t, s.Delete("torn"))
	must(t, s.Delete("library"))
	if got := listed(t, s); got != "held society" {
		t.Errorf("listed: %s", got)
	}
	for _, ending := range []string{"*.blobs", "*.work"} {
		if left, err := filepath.Glob(filepath.Join(s.Path, ending)); err != nil || len(left) > 0 {
			t.Errorf("deleted sessions left %q, %v", left, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(s.Path, "*.token")); err != nil || len(left) > 0 {
		t.Errorf("deleted sessions left %q, %v", left, err)
	}
	if _, err := os.Lstat(filepath.Join(s.Path, "society.db.damaged-20261122T130000Z")); err != nil {
		t.Errorf("what was moved aside is gone: %v", err)
	}
}

// Unlike the start of the program, going to a session puts nothing aside.
func TestASessionThatCannotBeEnteredIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	s, _ := several(t)
	cfg := runtime.Config{Model: llmtest.Func("m", llmtest.Say("well"))}
	held, err := boltdb.Open(session.File(s.Path, "held"))
	must(t, err)
	defer held.Close()
	files := func() []string {
		list, err := filepath.Glob(filepath.Join(s.Path, "*"))
		must(t, err)
		return list
	}
	before := files()
	for name, why := range map[string]session.Reason{
		"torn": session.Damaged, "held": session.InUse, session.Default: session.Open, "BOOK": session.Taken, "a/b": session.Misnamed,
		"link": session.Failed, "folder": session.Failed,
	} {
		_, err := s.Enter(cfg, name)
		refuses(t, name, err, why)
	}
	if now := files(); !slices.Equal(now, before) {
		t.Errorf("there were %v, there are %v", before, now)
	}
	for _, name := range []string{"book", "new"} {
		o, err := s.Enter(cfg, name)
		must(t, err)
		must(t, o.Store.Close())
	}
	if _, err := os.Lstat(session.File(s.Path, "new")); errors.Is(err, fs.ErrNotExist) {
		t.Error("a new one was not made")
	}
}

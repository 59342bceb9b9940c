package sessions_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/blobs"
	"society-tui/storage/boltdb"
)

// longResult is what a tool returned that is kept beside the store.
var longResult = strings.Repeat("a line of a long result, with the key sk-canary\n", 4000)

// withResult is a closed society in which worker-2 has a long result.
func withResult(t *testing.T) *place {
	t.Helper()
	p := crowd(t, 4)
	p.s.SetGroups(map[string]tool.Group{"scan": tool.Read}) // every role has it
	p.do(society.Send{To: "worker-2", Text: "work"})
	p.work("worker-2", "done") // with what it was at; then it takes the message
	w := p.s.OwedBy("worker-2")[0].(society.Think)
	p.do(society.Answered{Work: w, Calls: []conversation.Call{{ID: "call-long", Name: "scan", Arguments: "{}"}}})
	p.do(society.ToolDone{Work: p.s.OwedBy("worker-2")[0].(society.Act), Text: longResult, Outcome: conversation.OK})
	must(t, p.store.Close())
	return p
}

// result returns the long result as a store has it.
func result(t *testing.T, path string) string {
	t.Helper()
	store, err := boltdb.Open(path)
	must(t, err)
	defer store.Close()
	text := ""
	must(t, store.View(func(tx storage.Tx) error {
		e, found, err := tables.FindEntry(tx, "worker-2", func(e *conversation.Entry) bool { return e.CallID == "call-long" })
		if err == nil && !found {
			err = errors.New("the result is not there")
		}
		text = e.Text
		return err
	}))
	return text
}

func beside(t *testing.T, path string) []string {
	t.Helper()
	files, err := os.ReadDir(blobs.FolderOf(path).Path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name()
	}
	return names
}

// A long result lies in a file of its own, and is read whole.
func TestALongResultIsKeptBesideTheStore(t *testing.T) {
	t.Parallel()
	p := withResult(t)
	name := string(storage.HashOf([]byte(longResult)))
	if got := beside(t, p.path); len(got) != 1 || got[0] != name {
		t.Errorf("beside the store lie %v, want %s", got, name)
	}
	content, err := os.ReadFile(p.path)
	must(t, err)
	if bytes.Contains(content, []byte("a line of a long result")) {
		t.Error("the store's file holds it too")
	}
	if result(t, p.path) != longResult {
		t.Error("what is read is another text")
	}
	must(t, sessions.Check(p.path))
}

func TestBackupExportAndImportTakeLongResultsAlong(t *testing.T) {
	t.Parallel()
	p := withResult(t)
	redact := func(text string) string { return strings.ReplaceAll(text, "sk-canary", "[redacted]") }
	folder := t.TempDir()
	var stream bytes.Buffer
	_, err := sessions.Export{Format: sessions.JSON, Redact: redact}.Write(t.Context(), p.path, &stream)
	must(t, err, os.WriteFile(filepath.Join(folder, "streamed.json"), stream.Bytes(), 0o600))
	out := filepath.Join(folder, "export.json")
	_, err = sessions.Export{Format: sessions.JSON, Out: out, Redact: redact}.Write(t.Context(), p.path, nil)
	must(t, err)
	_, err = sessions.Backup(t.Context(), p.path, filepath.Join(folder, "backup.db"))
	must(t, err)
	for file, want := range map[string]string{
		"streamed.json": redact(longResult), "export.json": redact(longResult), "backup.db": longResult,
	} {
		path := filepath.Join(t.TempDir(), "society.db")
		lost, err := sessions.Import(path, filepath.Join(folder, file), protocol.English)
		must(t, err)
		if result(t, path) != want || len(lost) > 0 {
			t.Errorf("%s: the text is another one; lost %v", file, lost)
		}
		must(t, sessions.Check(path))
		if left, err := filepath.Glob(path + ".import*"); err != nil || len(left) > 0 {
			t.Errorf("%s leaves %v, %v", file, left, err)
		}
	}
	for _, name := range append(beside(t, out), "export.json") {
		path := filepath.Join(blobs.FolderOf(out).Path, name)
		if name == "export.json" {
			path = out
		}
		content, err := os.ReadFile(path)
		must(t, err)
		if bytes.Contains(content, []byte("sk-canary")) {
			t.Errorf("%s holds a key", name)
		}
	}
	var prose bytes.Buffer
	_, err = sessions.Export{Format: sessions.Markdown, Lang: protocol.English}.Write(t.Context(), p.path, &prose)
	must(t, err)
	if want := "187 KiB, beside the store as `sha256:" + beside(t, p.path)[0] + "`"; !strings.Contains(prose.String(), want) || prose.Len() > 50_000 {
		t.Errorf("Markdown of %d bytes does not name it: want %q in\n%.3000s", prose.Len(), want, prose.String())
	}
}

// A result whose file is gone is said to be lost wherever it is read, and nothing else is
// damaged by it.
func TestALostResultIsNamedAndTheSocietyOpens(t *testing.T) {
	t.Parallel()
	p := withResult(t)
	name := beside(t, p.path)[0]
	must(t, os.Remove(filepath.Join(blobs.FolderOf(p.path).Path, name)))
	if got := result(t, p.path); got != conversation.Lost {
		t.Errorf("it is read as %.80q", got)
	}
	if err := sessions.Check(p.path); !errors.Is(err, storage.ErrLost) || !strings.Contains(err.Error(), `said "worker-2"`) || errors.Is(err, storage.ErrDamaged) {
		t.Errorf("check: %v", err)
	}
	w, err := sessions.Backup(t.Context(), p.path, filepath.Join(t.TempDir(), "backup.db"))
	if err != nil || w.Lost != 1 {
		t.Errorf("backup: %+v, %v", w, err)
	}
	out := filepath.Join(t.TempDir(), "export.json")
	w, err = sessions.Export{Format: sessions.JSON, Out: out}.Write(t.Context(), p.path, nil)
	if err != nil || w.Lost != 1 {
		t.Errorf("export: %+v, %v", w, err)
	}
	lost, err := sessions.Import(filepath.Join(t.TempDir(), "society.db"), out, protocol.English)
	if err != nil || len(lost) != 1 || !strings.Contains(lost[0].Error(), name) {
		t.Errorf("import: lost %v, %v", lost, err)
	}
}

// The results of an agent go with it.
func TestTheLongResultsOfATerminatedAgentAreDeleted(t *testing.T) {
	t.Parallel()
	p := withResult(t)
	p.reopen()
	p.terminate("worker-2")
	must(t, p.store.Update(func(tx storage.Tx) error {
		_, err := tables.Sweep(tx, 10_000)
		return err
	}))
	if left := beside(t, p.path); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

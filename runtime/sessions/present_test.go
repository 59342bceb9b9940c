package sessions_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/runtime/sessions"
)

// present.db.gz is a store that the present form of all records has written, with agents
// that are idle, stopped, paused and terminated, and present.json.gz its export. They
// change only when a record gains a field that these societies would fill.
func TestStoresAndExportsAreRewrittenByteForByte(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store, export := filepath.Join(dir, "society.db"), filepath.Join(dir, "export.json")
	want := unzipped(t, "testdata/present.json.gz")
	for file, content := range map[string][]byte{store: unzipped(t, "testdata/present.db.gz"), export: want} {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := exported(t, store); !bytes.Equal(got, want) {
		t.Errorf("the export of the store differs in line %s", firstDifference(got, want))
	}
	imported := filepath.Join(dir, "imported.db")
	if _, err := sessions.Import(imported, export, protocol.English); err != nil {
		t.Fatal(err)
	}
	if got := exported(t, imported); !bytes.Equal(got, want) {
		t.Errorf("what was imported is exported differently in line %s", firstDifference(got, want))
	}
	goesOn(t, store)
}

// firstDifference returns the first line that differs, as got and as wanted.
func firstDifference(got, want []byte) string {
	lines := bytes.Split(want, []byte("\n"))
	for i, line := range bytes.Split(got, []byte("\n")) {
		if i >= len(lines) || !bytes.Equal(line, lines[i]) {
			return string(line) + "\nwant " + string(lines[min(i, len(lines)-1)])
		}
	}
	return "behind the last"
}

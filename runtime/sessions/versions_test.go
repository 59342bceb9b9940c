package sessions_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
)

// Files of every version that there was lie in testdata, a society led with the
// offline model: store-N.db.gz is its store, export-N.json.gz what was exported of it
// then. When a version changes, those of the one before stay, and one of each is added:
//
//	gzip -9 -c society.db > store-N.db.gz; society-tui export | gzip -9 -c > export-N.json.gz

func unzipped(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestAStoreOfEveryVersionOpensAndLosesNothing(t *testing.T) {
	t.Parallel()
	stores, err := filepath.Glob("testdata/store-*.db.gz")
	if err != nil || len(stores) == 0 {
		t.Fatalf("there are %v, %v", stores, err)
	}
	for _, name := range stores {
		n := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "store-"), ".db.gz")
		t.Run(n, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path, text := filepath.Join(dir, "society.db"), filepath.Join(dir, "export.json")
			then := unzipped(t, "testdata/export-"+n+".json.gz")
			for file, content := range map[string][]byte{path: unzipped(t, name), text: then} {
				if err := os.WriteFile(file, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			read := filepath.Join(dir, "read.db")
			if _, err := sessions.Import(read, text, protocol.English); err != nil {
				t.Fatalf("its export: %v", err)
			}
			for _, p := range []string{path, read} {
				if err := sessions.Check(p); err != nil {
					t.Fatal(err)
				}
			}
			// An import holds all that an export says, or refuses it: so this compares
			// what the store says now with what it said then.
			if !bytes.Equal(inOrder(t, exported(t, path)), inOrder(t, exported(t, read))) {
				t.Error("the store and its export are two societies")
			}
			goesOn(t, path)
		})
	}
}

func exported(t *testing.T, path string) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := (sessions.Export{Format: sessions.JSON}).Write(t.Context(), path, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// inOrder returns an export with the fields of each record in one order: that in
// which they stand is the program's that wrote them.
func inOrder(t *testing.T, export []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	d := json.NewDecoder(bytes.NewReader(export))
	d.UseNumber()
	for {
		var v any
		err := d.Decode(&v)
		if errors.Is(err, io.EOF) {
			return b.Bytes()
		}
		if err == nil {
			err = json.NewEncoder(&b).Encode(v)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// goesOn leads the society of a store on: root answers.
func goesOn(t *testing.T, path string) {
	t.Helper()
	model := llmtest.Func("m", llmtest.Say("here I am"))
	o, err := sessions.Open(runtime.Config{Model: model, Check: true}, path)
	if err != nil || o.Moved != "" {
		t.Fatalf("it does not open: %v %s", err, o.Moved)
	}
	ctx, leave := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- o.Society.Run(ctx) }()
	if _, err := o.Society.Do(t.Context(), society.Send{To: society.Root, Text: "are you there?", Resume: true}); err != nil {
		t.Error(err)
	}
	list, err := o.Society.Inbox(t.Context(), api.InboxQuery{})
	if err != nil || len(list) == 0 {
		t.Errorf("what the person was told: %v, %v", list, err)
	}
	leave()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := o.Store.Close(); err != nil {
		t.Error(err)
	}
}

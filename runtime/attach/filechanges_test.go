package attach_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"

	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/changes"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// Changes of files come in parts, all of them, and an undo says what it did.
func TestChangesOfFilesAreReadAndUndoneAttached(t *testing.T) {
	const most = attachapi.PartRows + 1
	store := memdb.New()
	if err := store.Update(func(tx storage.Tx) error {
		rows := []tables.Row{{Table: "counters", ID: "society", Record: json.RawMessage(fmt.Sprintf(`{"seq":0,"order":0,"names":{},"lang":"","fileChanges":%d}`, most))}}
		for n := uint64(1); n <= most; n++ {
			rows = append(rows,
				tables.Row{Table: "fileChanges", N: n, Record: json.RawMessage(fmt.Sprintf(`{"n":%d,"at":"2026-01-01T00:00:00Z","agent":"ada-%d","dir":"/w","path":"a b","before":"0","after":"1"}`, n, n%2))},
				tables.Row{Table: "fileTexts", N: n, Record: json.RawMessage(fmt.Sprintf(`{"n":%d,"diff":"+x <&>\n"}`, n))})
		}
		for _, row := range rows {
			if err := tables.Insert(tx, row); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		h := &host{TB: t, store: store, model: llmtest.Script("scripted")}
		h.start()
		defer h.leave()
		c := h.connect()
		defer c.Close()
		for of, want := range map[api.FileChangesQuery]int{{}: most, {Agent: "ada-1"}: (most + 1) / 2, {Path: "a b", Most: 3}: 3, {Path: "none"}: 0, {From: most}: 1} {
			list, err := c.FileChanges(t.Context(), of)
			if err != nil || len(list) != want {
				t.Errorf("FileChanges(%+v) = %d changes, %v, want %d", of, len(list), err, want)
			}
		}
		if got, err := c.FileChange(t.Context(), most); err != nil || got.N != most || got.Diff != "+x <&>\n" {
			t.Errorf("FileChange(%d) = %+v, %v", most, got, err)
		}
		if _, err := c.FileChange(t.Context(), most+1); !errors.Is(err, api.ErrNoFileChange) {
			t.Errorf("FileChange(%d) = %v", most+1, err)
		}
		got, err := c.Undo(t.Context(), api.UndoRequest{Changes: []uint64{most, 1}})
		if err != nil || len(got.Steps) != 1 || got.Steps[0].Outcome != changes.Skip || got.Steps[0].Why != changes.Elsewhere || got.Call != "" {
			t.Errorf("Undo in a society without workspaces = %+v, %v", got, err)
		}
		if _, err := c.Undo(t.Context(), api.UndoRequest{Changes: []uint64{most + 1}}); !errors.Is(err, api.ErrNoFileChange) {
			t.Errorf("Undo(%d) = %v", most+1, err)
		}
	})
}

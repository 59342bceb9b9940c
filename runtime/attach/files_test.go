package attach_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

var textFolder = i18n.Text{EN: "it is a folder", ZH: "它是文件夹"}

// folder is a workspace with a large file.
type folder struct{ large []byte }

func (f folder) Find(_ context.Context, _ society.TaskID, _, like string, most int) ([]api.File, error) {
	return []api.File{{Path: like + ".bin", Size: int64(most)}}, nil
}

func (f folder) Read(_ context.Context, _ society.TaskID, _, path string) ([]byte, error) {
	switch path {
	case "a/b &?.bin":
		return f.large, nil
	case "a":
		return nil, textFolder.With()
	}
	return nil, api.ErrNoFile
}

func TestFilesOfTheServersWorkspaceAreFoundAndReadByteForByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		large := bytes.Repeat([]byte("\x00\xff<&>\r\n"), 500_000)
		h := &host{TB: t, store: memdb.New(), model: llmtest.Script("scripted"), files: folder{large}}
		h.start()
		defer h.leave()
		c := h.connect()
		defer c.Close()
		if list, err := c.FindFiles(t.Context(), society.Root, ""); err != nil || len(list) != 1 || list[0].Path != ".bin" {
			t.Errorf("of all files FindFiles = %+v, %v", list, err)
		}
		list, err := c.FindFiles(t.Context(), society.Root, "a/b &?")
		if want := (api.File{Path: "a/b &?.bin", Size: api.MostFiles}); err != nil || len(list) != 1 || list[0] != want {
			t.Fatalf("FindFiles = %+v, %v, want %+v", list, err, want)
		}
		if got, err := c.ReadFile(t.Context(), society.Root, list[0].Path); err != nil || !bytes.Equal(got, large) {
			t.Errorf("ReadFile has %d bytes, %v, want %d", len(got), err, len(large))
		}
		if _, err := c.ReadFile(t.Context(), society.Root, "gone"); !errors.Is(err, api.ErrNoFile) {
			t.Errorf("of a file that is not there: %v", err)
		}
		for _, lang := range protocol.Langs() {
			if _, err := c.ReadFile(t.Context(), society.Root, "a"); i18n.Error(lang, err) != textFolder.In(lang) {
				t.Errorf("of a folder in %s: %v", lang, err)
			}
		}
	})
}

// The bytes of a file that goes with a message are sent to the society, whatever they are.
func TestAttachmentsOfAnAttachedScreenArriveByteForByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &host{TB: t, store: memdb.New(), model: llmtest.Script("scripted", llmtest.Say("read"))}
		h.start()
		defer h.leave()
		c := h.connect()
		defer c.Close()
		large := bytes.Repeat([]byte("a line <&>\r\n\u2028"), 900_000)
		list := []society.Attachment{{Name: "a.md", Data: []byte("one")}, {Name: "large", Data: large}, {Name: "other", Data: large}}
		if _, err := api.Do(t.Context(), c, society.Send{To: society.Root, Text: "read", Attachments: list}); err != nil {
			t.Fatalf("Send = %v", err)
		}
		synctest.Wait()
		p, err := c.Entries(t.Context(), society.Root, 0, 0)
		if err != nil || len(p.Entries) == 0 || len(p.Entries[0].Attached) != 3 || p.Entries[0].Attached[1].Artifact != "a1" {
			t.Fatalf("the conversation is %+v, %v", p, err)
		}
		if got, err := c.ArtifactContent(t.Context(), "a1", 1); err != nil || !bytes.Equal(got, large) {
			t.Errorf("the artifact has %d bytes, %v, want %d", len(got), err, len(large))
		}
		list = append(list, society.Attachment{Name: "one more", Data: large})
		if _, err := api.Do(t.Context(), c, society.Send{To: society.Root, Text: "read", Attachments: list}); err == nil || !strings.Contains(err.Error(), "together") {
			t.Errorf("Send of too much = %v", err)
		}
	})
}

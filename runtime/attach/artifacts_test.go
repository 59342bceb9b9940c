package attach_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/artifacts"
	"society-tui/storage/memdb"
)

// put is a call that puts an artifact.
func put(t *testing.T, name, content string) llm.Call {
	t.Helper()
	args, err := json.Marshal(map[string]string{"name": name, "content": content})
	if err != nil {
		t.Fatal(err)
	}
	return llm.Call{Name: artifacts.Put, Arguments: string(args)}
}

func TestArtifactsAreReadByAnAttachedScreenByteForByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		large := strings.Repeat("a line of a large artifact <&>\r\n", 100_000)
		model := llmtest.Script("scripted", llmtest.CallTools(put(t, "a.md", "first"), put(t, "b", "other"), put(t, "a.md", large)), llmtest.Say("done"))
		brief := json.RawMessage(`{"objective":"o","constraints":[],"inputs":"i","outputs":"o","completion_criteria":"c"}`)
		h := &host{TB: t, store: memdb.New(), model: model, team: func(protocol.Lang) society.AddTeam {
			return society.AddTeam{
				Template: "keepers", Roles: []society.TeamRole{{Name: "keeper", Prompt: "Keep.", Tools: []tool.Group{artifacts.Group}}},
				Agents: []society.TeamAgent{{Role: "keeper", Brief: brief}},
			}
		}}
		h.start()
		defer h.leave()
		c := h.connect()
		defer c.Close()
		sent, err := api.Do(t.Context(), c, society.Send{To: "keeper-1", Text: "go", NewTask: true})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		list, err := c.Artifacts(t.Context(), sent.Task)
		if err != nil || len(list) != 2 || list[0].Name != "a.md" || list[0].Version != 2 || list[0].Size != len(large) {
			t.Fatalf("Artifacts = %+v, %v", list, err)
		}
		if none, err := c.Artifacts(t.Context(), "another"); err != nil || len(none) != 0 {
			t.Errorf("Artifacts of another task = %+v, %v", none, err)
		}
		a, err := c.Artifact(t.Context(), list[0].ID)
		if err != nil || len(a.Versions) != 2 || a.Versions[1].Size != len(large) || a.Versions[0].By != "keeper-1" {
			t.Errorf("Artifact = %+v, %v", a, err)
		}
		for version, want := range []string{large, "first", large} {
			if got, err := c.ArtifactContent(t.Context(), a.ID, version); err != nil || !bytes.Equal(got, []byte(want)) {
				t.Errorf("ArtifactContent of version %d has %d bytes, %v, want %d", version, len(got), err, len(want))
			}
		}
		_, err = c.Artifact(t.Context(), "a99")
		_, contentErr := c.ArtifactContent(t.Context(), a.ID, 3)
		if !errors.Is(err, api.ErrNoArtifact) || !errors.Is(contentErr, api.ErrNoArtifact) {
			t.Errorf("of what does not exist: %v; %v", err, contentErr)
		}
	})
}

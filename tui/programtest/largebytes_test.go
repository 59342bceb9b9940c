package programtest

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"society-tui/llm/llmtest"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/session"
	"society-tui/storage/blobs"
)

// gets reads a path of the program's API as bytes.
func (h *home) gets(path string) string {
	h.t.Helper()
	folder := h.path(dataFolder)
	token, err := httpserver.ReadToken(folder, session.Default)
	if err != nil {
		h.t.Fatal(err)
	}
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return httpserver.Dial(ctx, folder, session.Default)
	}}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, "http://localhost"+path, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := transport.RoundTrip(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		h.t.Fatalf("GET %s: %s %.300s, %v", path, response.Status, body, err)
	}
	return string(body)
}

// A large artifact lies beside the store. It survives a kill, goes with a backup over the
// API and its import, and with an export.
func TestALargeArtifactGoesWhereItsSessionGoes(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("a line of a large artifact\n", 6000)
	c := newCast(t)
	h := newHome(t)
	h.env = append(h.env, "OPENAI_BASE_URL="+c.server.URL, "SOCIETY_MODEL=cast")
	keeper := spawn("keeper", 1)
	keeper[0] = call("create_role", map[string]any{"name": "keeper", "rolePrompt": "Keep.", "toolGroups": []string{"artifacts"}})
	c.plays("root", llmtest.CallTools(keeper...), llmtest.Say("It is under way."), llmtest.Say("done"))
	c.plays("keeper-1", llmtest.CallTools(call("artifact_put", map[string]any{"name": "report.md", "content": large})), llmtest.Say("it is artifact:a1"))
	server := h.serve()
	if got := h.run("ask", "write a report"); got.code != 0 {
		t.Fatalf("ask = %+v", got)
	}
	if err := server.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-server.waited
	server = h.serve()
	var list struct {
		Artifacts []struct {
			ID   string
			Size int
		}
	}
	if err := json.Unmarshal([]byte(h.gets("/api/artifacts")), &list); err != nil || len(list.Artifacts) != 1 || list.Artifacts[0].Size != len(large) {
		t.Fatalf("after a kill there is %+v, %v", list, err)
	}
	if h.gets("/api/artifacts/"+list.Artifacts[0].ID+"/content") != large {
		t.Error("the artifact is another one after a kill")
	}
	h.write("backup.tar", h.gets("/api/backup"))
	if got := h.run("quit"); got.code != 0 {
		t.Fatalf("quit = %+v", got)
	}
	server.ends()
	if got := h.run("export", "--format", "json", "--out", h.path("export.json")); got.code != 0 {
		t.Fatalf("export = %+v", got)
	}
	for name, file := range map[string]string{"restored": "backup.tar", "read": "export.json"} {
		if got := h.run("import", h.path(file), "--session", name); got.code != 0 {
			t.Fatalf("import of %s = %+v", file, got)
		}
		if got := h.run("check", "--session", name); got.code != 0 {
			t.Errorf("check of %s = %+v", file, got)
		}
		folder := blobs.FolderOf(session.File(h.path(dataFolder), name)).Path
		files, err := os.ReadDir(folder)
		if err != nil || len(files) != 1 {
			t.Errorf("%s: beside the session lie %v, %v", file, files, err)
			continue
		}
		if content := h.read(dataFolder + "/" + name + ".blobs/" + files[0].Name()); content != large {
			t.Errorf("%s: the artifact has %d bytes, want %d", file, len(content), len(large))
		}
	}
	c.sound()
}

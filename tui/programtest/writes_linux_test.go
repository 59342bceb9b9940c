package programtest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"society-tui/llm"
	"society-tui/llm/llmtest"
)

// A folderWatch hears from the operating system of everything that happens to the files of
// a folder. An event waits in it before the call that caused it has returned.
type folderWatch struct {
	t  *testing.T
	fd int
}

func watchFolder(t *testing.T, dir string) *folderWatch {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	const changes = unix.IN_CREATE | unix.IN_MODIFY | unix.IN_ATTRIB | unix.IN_CLOSE_WRITE | unix.IN_MOVE | unix.IN_DELETE
	if _, err := unix.InotifyAddWatch(fd, dir, changes); err != nil {
		t.Fatal(err)
	}
	return &folderWatch{t, fd}
}

// heard takes all events that have happened, and returns how many bytes they are.
func (w *folderWatch) heard() (total int) {
	w.t.Helper()
	var buf [64 << 10]byte
	for {
		n, err := unix.Read(w.fd, buf[:])
		switch {
		case errors.Is(err, unix.EAGAIN):
			return total
		case err != nil && !errors.Is(err, unix.EINTR):
			w.t.Fatal(err)
		}
		total += max(n, 0)
	}
}

// writesOn writes file after file into a folder of its own, without an end.
func writesOn(folder string) llmtest.Answer {
	var answers atomic.Int64
	return func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		var calls []llm.Call
		n := answers.Add(1)
		for i := range 40 {
			calls = append(calls, call("write", map[string]any{
				"path": fmt.Sprintf("%s/%d-%d.txt", folder, n, i), "content": strings.Repeat(fmt.Sprintf("line %d of answer %d\n", i, n), 100),
			}))
		}
		return llmtest.CallTools(calls...)(ctx, req)
	}
}

// When a stop or a termination has returned, the operating system knows of no further write
// of its agents, and those who were not stopped go on.
func TestTheFolderIsQuietWhenAStopHasReturned(t *testing.T) {
	t.Parallel()
	const stops = 4
	c := newCast(t)
	makes := []llm.Call{call("create_role", map[string]any{"name": "writer", "rolePrompt": "Write.", "toolGroups": []string{"files"}})}
	c.plays("root", llmtest.CallTools(append(makes, spawn("writer", 3)[1:]...)...), llmtest.Say("They write."))
	h := newHome(t, "[limits]", "tool_rounds = 1000", "model_calls = 10")
	h.env = append(h.env, "OPENAI_BASE_URL="+c.server.URL, "SOCIETY_MODEL=cast")
	folder := map[string]*folderWatch{}
	for n := 1; n <= 3; n++ {
		id := fmt.Sprint("writer-", n)
		folder[id] = watchFolder(t, h.path(filepath.Join("work", id)))
		write := writesOn(id)
		for range 200 {
			c.plays(id, write)
		}
	}
	server := h.serve("--workspace", h.path("work"), "--mode", "edits")
	api := h.client()
	post := func(path string, body map[string]any) {
		t.Helper()
		if err := api.Post(t.Context(), path, body, new(map[string]any)); err != nil {
			t.Fatalf("POST %s: %v", path, err)
		}
	}
	writes := func(id string) {
		t.Helper()
		folder[id].heard()
		eventually(t, id+" writes", func() bool { return folder[id].heard() > 0 })
	}
	post("/api/submit", map[string]any{"text": "write"})
	for n := range stops {
		writes("writer-1")
		post("/api/agents/writer-1/stop", map[string]any{})
		folder["writer-1"].heard()
		writes("writer-2")
		if late := folder["writer-1"].heard(); late > 0 {
			t.Errorf("stop %d: %d bytes of events after it has returned", n+1, late)
		}
		post("/api/agents/writer-1/resume", map[string]any{})
		post("/api/send", map[string]any{"agentId": "writer-1", "text": "go on"})
	}
	writes("writer-1")
	post("/api/agents/writer-2/terminate", map[string]any{})
	folder["writer-2"].heard()
	writes("writer-3")
	post("/api/agents/root/stop", map[string]any{})
	for _, id := range []string{"writer-1", "writer-3"} {
		folder[id].heard()
	}
	post("/api/quit", map[string]any{})
	server.ends()
	for id, w := range folder {
		if late := w.heard(); late > 0 {
			t.Errorf("%s: %d bytes of events after its end has returned", id, late)
		}
		left, err := filepath.Glob(h.path(filepath.Join("work", id, "*")))
		if err != nil || len(left) == 0 {
			t.Errorf("%s has written %v, %v", id, left, err)
		}
		for _, path := range left { // whole, and none of a write that was cut short
			if text, err := os.ReadFile(path); err != nil || filepath.Ext(path) != ".txt" || strings.Count(string(text), "\n") != 100 {
				t.Errorf("%s has %d bytes, %v", path, len(text), err)
			}
		}
	}
	c.sound()
}

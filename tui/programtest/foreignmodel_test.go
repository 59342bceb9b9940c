package programtest

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The offline model is an endpoint for others too, and as strict as the strictest.
func TestOpenAIClientUsesTheOfflineModel(t *testing.T) {
	needsForeign(t, "node")
	const key = "sk-of-the-offline-model"
	h := newHome(t, "[model]", fast)
	server := h.command("demo-model", "--addr", "127.0.0.1:0", "--require-key", key)
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, found := strings.Cut(line, "http://")
	address, _, _ = strings.Cut(address, " ")
	if err != nil || !found {
		t.Fatalf("it says %q, %v", line, err)
	}

	s := &service{home: h}
	c := s.tool("node", filepath.Join(foreignFolder, "openai.mjs"))
	c.Env = append(os.Environ(), "MODEL_URL=http://"+address, "MODEL_KEY="+key, "HOME="+h.dir)
	if out := s.passes(c); !strings.Contains(out, "43 of 43 calls are all right") {
		t.Error("not all calls were made")
	}
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

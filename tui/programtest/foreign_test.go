package programtest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The tests of these files let programs of others use the HTTP API. They need what
// .ci/foreign installs, and run with SOCIETY_FOREIGN=1. What each of them holds is held by
// ordinary tests of runtime/httpapi, runtime/httpserver and runtime/metrics, too.

const (
	foreignFolder = "testdata/foreign"
	modules       = foreignFolder + "/node_modules"
)

// A service is a session that is served on its socket and on a port.
type service struct {
	*home
	server         *running
	address, token string
}

// foreign skips a test unless SOCIETY_FOREIGN is set, and serves a session for it.
func foreign(t *testing.T, programs ...string) *service {
	t.Helper()
	needsForeign(t, programs...)
	return newHome(t, "[model]", fast).service(freePort(t))
}

func (h *home) service(address string) *service {
	h.t.Helper()
	s := &service{home: h, address: address}
	s.start()
	s.token = strings.TrimSpace(h.run("token").out)
	return s
}

// start starts the program, and returns when it serves.
func (s *service) start() {
	s.t.Helper()
	if s.server = s.serve("--http", s.address); !strings.Contains(s.server.out.String(), s.address) {
		s.t.Fatalf("serve says %q, %q", s.server.out.String(), s.server.err.String())
	}
}

// leaves waits for the end of the program, which must be in order.
func (s *service) leaves() {
	s.t.Helper()
	if got := s.server.ends(); got.code != 0 {
		s.t.Errorf("serve = %+v", got)
	}
}

func (s *service) url() string { return "http://" + s.address }

func (s *service) socket() string { return s.path(dataFolder + "/society.sock") }

// request returns a request with the token.
func (s *service) request(method, path, body string) *http.Request {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url()+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

func needsForeign(t *testing.T, programs ...string) {
	t.Helper()
	if os.Getenv("SOCIETY_FOREIGN") == "" {
		t.Skip(".ci/foreign installs other programs and plays it")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Fatalf("%v; .ci/foreign installs it", err)
		}
	}
	if slices.Contains(programs, "node") {
		if _, err := os.Stat(modules); err != nil {
			t.Fatalf("%v; .ci/foreign installs it", err)
		}
	}
}

// tool returns a program that is told where the session is, not started.
func (s *service) tool(program string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*patience)
	s.t.Cleanup(cancel)
	c := exec.CommandContext(ctx, program, args...)
	c.Env = append(os.Environ(), "API_URL="+s.url(), "API_SOCKET="+s.socket(), "API_TOKEN="+s.token, "HOME="+s.dir, "HYPOTHESIS_STORAGE_DIRECTORY="+s.dir)
	c.WaitDelay = time.Second
	return c
}

// passes runs a program to its end, which must be a success, and returns what it wrote.
func (s *service) passes(c *exec.Cmd) string {
	s.t.Helper()
	out, err := c.CombinedOutput()
	if s.t.Logf("%s:\n%s", strings.Join(c.Args, " "), out); err != nil {
		s.t.Fatal(err)
	}
	return string(out)
}

// npx returns a program that npm has installed.
func npx(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(modules, ".bin", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// get returns what a route answers.
func (s *service) get(path string) string {
	s.t.Helper()
	r, err := http.DefaultClient.Do(s.request(http.MethodGet, path, ""))
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		s.t.Fatalf("GET %s = %s %s, %v", path, r.Status, body, err)
	}
	return string(body)
}

// submits begins a task and returns its id.
func (s *service) submits(text string) string {
	s.t.Helper()
	body, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := http.DefaultClient.Do(s.request(http.MethodPost, "/api/submit", string(body)))
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Body.Close()
	var sent struct{ TaskID string }
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || r.StatusCode != http.StatusOK {
		s.t.Fatalf("submit = %s, %v", r.Status, err)
	}
	return sent.TaskID
}

// document returns the path of a file with the OpenAPI document.
func (s *service) document() string {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), "openapi.json")
	if err := os.WriteFile(path, []byte(s.get("/api/openapi.json")), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

func TestRedoclyFindsNothing(t *testing.T) {
	s := foreign(t, "node")
	c := s.tool(npx(t, "redocly"), "lint", "--extends", "recommended-strict", s.document())
	c.Env = append(c.Env, "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true")
	if out := s.passes(c); !strings.Contains(out, "is valid") || strings.Contains(out, "problems") {
		t.Error("it found something")
	}
}

func TestSpectralFindsNothing(t *testing.T) {
	s := foreign(t, "node")
	rules := filepath.Join(t.TempDir(), "spectral.yaml")
	if err := os.WriteFile(rules, []byte("extends: spectral:oas\nrules: {oas3-parameter-description: warn}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := s.passes(s.tool(npx(t, "spectral"), "lint", "--ruleset", rules, "--fail-severity", "hint", s.document())); !strings.Contains(out, "No results") {
		t.Error("it found something")
	}
}

func TestPromtoolFindsNothing(t *testing.T) {
	s := foreign(t, "promtool")
	s.get("/api/tasks/" + s.submits("hello") + "/wait")
	check := s.tool("promtool", "check", "metrics", "--extended")
	check.Stdin = strings.NewReader(s.get("/metrics"))
	if out := s.passes(check); !strings.Contains(out, "society_messages_total") {
		t.Error("it has not read the metrics")
	}
}

// Requests that are made from the document, and some that it forbids: no reply is a
// failure of the program, and each is one of those that the document promises.
func TestRequestsFromTheDocumentAreAnsweredByIt(t *testing.T) {
	s := foreign(t, "/usr/bin/python3")
	s.passes(s.tool("/usr/bin/python3", filepath.Join(foreignFolder, "fuzz.py"), s.document()))
	s.server.signal(syscall.SIGTERM)
	s.leaves()
}

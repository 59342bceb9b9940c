package programtest

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
)

// curl sends a request and returns the status and the reply.
func (s *service) curl(args ...string) (code, body string) {
	s.t.Helper()
	c := s.tool("curl", append([]string{"-sS", "--max-time", "60", "-w", "\n%{http_code}"}, args...)...)
	out, err := c.Output()
	if err != nil {
		s.t.Fatalf("curl %q: %v", args, err)
	}
	at := strings.LastIndex(string(out), "\n")
	return string(out[at+1:]), string(out[:at])
}

func TestCurlUsesTheRoutes(t *testing.T) {
	s := foreign(t, "curl")
	for name, to := range map[string][]string{"port": {s.url()}, "socket": {"http://localhost", "--unix-socket", s.socket()}} {
		t.Run(name, func(t *testing.T) {
			auth := append(to[1:], "-H", "Authorization: Bearer "+s.token)
			send := func(path, body string, more ...string) (code, reply string) {
				more = append(more, auth...)
				if body != "" {
					more = append(more, "--json", body)
				}
				return s.curl(append(more, to[0]+path)...)
			}
			answer := func(want, path, body string, more ...string) (reply map[string]any) {
				t.Helper()
				code, text := send(path, body, more...)
				if err := json.Unmarshal([]byte(text), &reply); err != nil || code != want {
					t.Fatalf("curl %s %s = %s %s, %v, want %s", path, body, code, text, err, want)
				}
				return reply
			}
			task, _ := answer("200", "/api/submit", `{"text":"Plan a party"}`)["taskId"].(string)
			if state := answer("200", "/api/tasks/"+task+"/wait?timeout=60", "")["state"]; state != "settled" {
				t.Errorf("the task is %v", state)
			}
			if list, _ := answer("200", "/api/messages/"+task, "")["messages"].([]any); len(list) == 0 {
				t.Error("it has no messages")
			}
			if list, _ := answer("200", "/api/agents?limit=1", "")["agents"].([]any); len(list) != 1 || list[0].(map[string]any)["id"] != "root" { //nolint:forcetypeassert // the schema says so
				t.Errorf("the first agent is %v", list)
			}
			first := answer("200", "/api/send", `{"agentId":"root","text":"Go on."}`, "-H", "Idempotency-Key: "+name)
			if again := answer("200", "/api/send", `{"agentId":"root","text":"Go on."}`, "-H", "Idempotency-Key: "+name); again["messageId"] != first["messageId"] {
				t.Errorf("%v, then %v", first, again)
			}
			events := s.tool("curl", append(auth, "-sSN", "--max-time", "60", "-H", "Last-Event-ID: 0.0", to[0]+"/api/events?kinds=message&task="+task)...)
			if told := s.readsUntil(events.StdoutPipe, events.Start, "event: message\n"); !strings.HasPrefix(told, "event: begin\nid: 0.0\n") {
				t.Errorf("events begin with %q", told)
			}
			answer("404", "/api/send", `{"agentId":"none","text":"a"}`)
			answer("404", "/api/none", "")
			answer("405", "/api/submit", "")
			answer("400", "/api/submit", `{"text":"a","Text":"b"}`)
			answer("415", "/api/submit", "", "-d", `{"text":"a"}`)
			answer("403", "/api/agents", "", "-H", "Host: evil.example")
			if code, text := s.curl(append(to[1:], to[0]+"/api/agents")...); code != "401" || !strings.Contains(text, `"unauthorized"`) {
				t.Errorf("without a token = %s %s", code, text)
			}
		})
	}
	if code, text := s.curl("-X", "POST", "-H", "Authorization: Bearer "+s.token, s.url()+"/api/quit"); code != "202" {
		t.Errorf("quit = %s %s", code, text)
	}
	s.leaves()
}

// readsUntil starts a program and returns what it writes, until it has written a text.
func (s *service) readsUntil(pipe func() (io.ReadCloser, error), start func() error, text string) string {
	s.t.Helper()
	out, err := pipe()
	if err = errors.Join(err, start()); err != nil {
		s.t.Fatal(err)
	}
	var read strings.Builder
	for in := bufio.NewReader(out); !strings.Contains(read.String(), text); {
		line, err := in.ReadString('\n')
		if read.WriteString(line); err != nil {
			s.t.Fatalf("it ends with %q, %v", read.String(), err)
		}
	}
	return read.String()
}

func TestUndiciUsesAllRoutes(t *testing.T) {
	s := foreign(t, "node")
	s.passes(s.tool("node", filepath.Join(foreignFolder, "undici.mjs"), s.document()))
	s.leaves()
}

// The types that openapi-typescript makes are those that a client of openapi-fetch compiles
// and runs with.
func TestTypesOfTheDocumentCompileAndRun(t *testing.T) {
	s := foreign(t, "node")
	folder := t.TempDir()
	client, err := os.ReadFile(filepath.Join(foreignFolder, "typed.ts"))
	installed, err2 := filepath.Abs(modules)
	if err = errors.Join(err, err2, os.WriteFile(filepath.Join(folder, "typed.mts"), client, 0o600), os.Symlink(installed, filepath.Join(folder, "node_modules"))); err != nil {
		t.Fatal(err)
	}
	s.passes(s.tool(npx(t, "openapi-typescript"), s.document(), "--output", filepath.Join(folder, "schema.ts")))
	compile := s.tool(npx(t, "tsc"), "--strict", "--skipLibCheck", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--target", "es2022", "--lib", "es2022,dom", "--module", "esnext",
		"--moduleResolution", "bundler", "typed.mts")
	compile.Dir = folder
	s.passes(compile)
	s.passes(s.tool("node", filepath.Join(folder, "typed.mjs")))
	s.server.signal(syscall.SIGTERM)
	s.leaves()
}

// A told event is one that a client was told.
type told struct {
	Kind, ID string
	Data     struct {
		Seq uint64
	}
}

// cursors returns the numbers of the newest line and message that an event's id names.
func (e told) cursors(t *testing.T) (timeline, inbox uint64) {
	t.Helper()
	first, second, _ := strings.Cut(e.ID, ".")
	timeline, err := strconv.ParseUint(first, 10, 64)
	inbox, err2 := strconv.ParseUint(second, 10, 64)
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return timeline, inbox
}

// cutting serves as the program does, but breaks every connection after some bytes.
func (s *service) cutting(most int64, cuts func()) *httptest.Server {
	s.t.Helper()
	at, err := url.Parse(s.url())
	if err != nil {
		s.t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(at) },
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ModifyResponse: func(r *http.Response) error {
			cuts()
			r.Body = struct {
				io.Reader
				io.Closer
			}{io.MultiReader(strings.NewReader("retry: 10\n\n"), io.LimitReader(r.Body, 1+rand.Int64N(most)), iotest.ErrReader(io.ErrUnexpectedEOF)), r.Body}
			return nil
		},
	})
	s.t.Cleanup(proxy.Close)
	return proxy
}

// An EventSource that is cut off again and again, and once by the end of the program, is
// told every line and message once, in order.
func TestEventSourceResumesAfterCuts(t *testing.T) {
	s := foreign(t, "node")
	cuts := 0
	proxy := s.cutting(8000, func() { cuts++ })
	source := s.tool("node", filepath.Join(foreignFolder, "eventsource.mjs"))
	source.Env = append(source.Env, "EVENTS_URL="+proxy.URL+"/api/events?kinds=message,timeline")
	source.Stderr = os.Stderr
	out, err := source.StdoutPipe()
	if err = errors.Join(err, source.Start()); err != nil {
		t.Fatal(err)
	}
	events := make(chan told, 1000) // so that the client is not held up
	go func() {
		defer close(events)
		for d := json.NewDecoder(out); ; {
			var e told
			if d.Decode(&e) != nil {
				return
			}
			if e.ID != "" {
				events <- e
			}
		}
	}()
	first := <-events
	for i := range 40 {
		if i == 20 {
			s.server.signal(os.Kill)
			s.server.ends()
			s.start()
		}
		s.get("/api/tasks/" + s.submits("What does task "+strconv.Itoa(i)+" leave open?") + "/wait")
	}
	lines, messages := s.log()
	line, message := first.cursors(t)
	lines = slices.DeleteFunc(lines, func(seq uint64) bool { return seq <= line })
	for wanted := len(lines) + len(messages); wanted > 0; {
		e := <-events
		switch {
		case e.Kind == "timeline" && len(lines) > 0 && e.Data.Seq == lines[0]:
			line, lines, wanted = lines[0], lines[1:], wanted-1
		case e.Kind == "message" && len(messages) > 0 && e.Data.Seq == messages[0]:
			message, messages, wanted = messages[0], messages[1:], wanted-1
		case e.Kind != "begin":
			t.Fatalf("behind %d.%d comes %+v", line, message, e)
		}
		if l, m := e.cursors(t); l != line || m != message {
			t.Fatalf("behind %d.%d comes the id %s", line, message, e.ID)
		}
	}
	_ = source.Process.Kill()
	for e := range events {
		if e.Kind != "begin" {
			t.Errorf("then comes %+v", e)
		}
	}
	if t.Logf("up to %d.%d over %d connections", line, message, cuts); cuts < 5 {
		t.Error("it was hardly cut off")
	}
	s.server.signal(syscall.SIGTERM)
	s.leaves()
}

// log returns the numbers of all lines and messages, in order.
func (s *service) log() (lines, messages []uint64) {
	s.t.Helper()
	var list struct{ Tasks []struct{ ID string } }
	read := func(path string, into any) {
		if err := json.Unmarshal([]byte(s.get(path)), into); err != nil {
			s.t.Fatal(err)
		}
	}
	read("/api/tasks?limit=1000", &list)
	for _, task := range list.Tasks {
		var page struct{ Messages []struct{ Seq uint64 } }
		read("/api/messages/"+task.ID+"?limit=1000", &page)
		for _, m := range page.Messages {
			messages = append(messages, m.Seq)
		}
	}
	slices.Sort(messages)
	for after, more := uint64(0), true; more; {
		var page struct {
			Timeline []struct{ Seq uint64 }
			Next     uint64
		}
		read("/api/timeline?after="+strconv.FormatUint(after, 10), &page)
		for _, l := range page.Timeline {
			lines = append(lines, l.Seq)
		}
		after, more = page.Next, len(page.Timeline) > 0
	}
	return lines, messages
}

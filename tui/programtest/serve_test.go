package programtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/session"
)

// On a signal no new message is accepted, calls in flight end, and whoever reads events is
// told.
func TestS000P14ServeLeavesInOrder(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "late")
	h := newHome(t, held.settings()...)
	server := h.serve()
	c := h.client()
	events, err := c.Events(t.Context(), url.Values{"kinds": {"message"}})
	if err != nil {
		t.Fatal(err)
	}
	var sent apiclient.Sent
	if err := c.Post(t.Context(), "/api/submit", map[string]string{"text": "plan a picnic"}, &sent); err != nil {
		t.Fatal(err)
	}
	held.isAsked(t)
	server.signal(syscall.SIGTERM)
	eventually(t, "a message is refused", func() bool {
		err := c.Post(t.Context(), "/api/send", map[string]string{"agentId": "root", "text": "more"}, new(apiclient.Sent))
		refused, ok := errors.AsType[*httpapi.Error](err)
		if err != nil && (!ok || refused.Status != http.StatusServiceUnavailable || refused.Code != httpapi.CodeLeaving) {
			t.Fatalf("POST /api/send = %v", err)
		}
		return ok
	})
	if got := h.run("--lang", "zh-CN", "send", "more"); got.code != 1 || !strings.Contains(got.err, "程序正在退出") {
		t.Errorf("send = %+v", got)
	}
	close(held.let)
	var last string
	for e, err := range events { // ends without an error after bye
		if err != nil {
			t.Error(err)
		}
		last = string(e.Data)
	}
	if !strings.Contains(last, `"text":"late"`) || !strings.Contains(last, sent.TaskID) {
		t.Errorf("the last event is %s", last)
	}
	if got := server.ends(); got.code != 0 {
		t.Errorf("serve = %+v", got)
	}
	h.left(true)
}

func TestASecondSignalEndsServeAtOnce(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "late")
	h := newHome(t, held.settings()...)
	server := h.serve()
	if got := h.run("send", "plan a picnic"); got.code != 0 {
		t.Fatal(got)
	}
	held.isAsked(t)
	server.signal(syscall.SIGTERM)
	eventually(t, "it tells that it waits", func() bool { return strings.Contains(server.err.String(), "finishing running calls") })
	server.signal(os.Interrupt)
	if got := server.ends(); got.code != 1 || !strings.Contains(got.err, "left at once") {
		t.Errorf("serve = %+v", got)
	}
	h.left(true)
}

func TestServeOutlivesItsTerminalBelowNohup(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	server := &running{t: t, cmd: h.command(), waited: make(chan struct{})}
	server.cmd.Path, server.cmd.Args = "/bin/sh", []string{"sh", "-c", `trap "" HUP; exec "$0" serve`, path}
	server.start()
	eventually(t, "serve is open", func() bool { return strings.Contains(server.out.String(), "is open") })
	server.signal(syscall.SIGHUP)
	if got := h.run("agents"); got.code != 0 {
		t.Errorf("agents = %+v", got)
	}
	server.signal(syscall.SIGTERM)
	if got := server.ends(); got.code != 0 {
		t.Errorf("serve = %+v", got)
	}
}

// With on_hangup = "background" serve ignores SIGHUP; without it SIGHUP ends it, and the log
// names the signal.
func TestServeDoesAsOnHangupSays(t *testing.T) {
	t.Parallel()
	const log = "state/society-tui/society-tui.log"
	h := newHome(t, `on_hangup = "background"`, "[model]", fast)
	server := h.serve()
	server.signal(syscall.SIGHUP)
	server.signal(syscall.SIGHUP)
	if got := h.run("agents"); got.code != 0 || !strings.Contains(h.read(log), "SIGHUP is ignored") {
		t.Errorf("agents = %+v, log %s", got, h.read(log))
	}
	server.signal(syscall.SIGTERM)
	if got := server.ends(); got.code != 0 || !strings.Contains(h.read(log), `"signal":"terminated"`) {
		t.Errorf("serve = %+v, log %s", got, h.read(log))
	}
	h = newHome(t, "[model]", fast)
	server = h.serve()
	server.signal(syscall.SIGHUP)
	if got := server.ends(); got.code != 0 || !strings.Contains(h.read(log), `"signal":"hangup"`) || strings.Contains(h.read(log), "is ignored") {
		t.Errorf("serve = %+v, log %s", got, h.read(log))
	}
}

func TestQuitEndsServe(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	server := h.serve()
	if got := h.run("quit", "--pause"); got.code != 0 || got.out != "The program has ended\n" {
		t.Errorf("quit = %+v", got)
	}
	if got := server.ends(); got.code != 0 {
		t.Errorf("serve = %+v", got)
	}
	h.left(true)
	server = h.serve()
	if got := h.run("agents"); !strings.Contains(got.out, "paused: ") {
		t.Errorf("root is not paused: %+v", got)
	}
	server.signal(syscall.SIGTERM)
	server.ends()
}

// S000 2.5: a port that is busy ends nothing, unless serve was called for that port.
func TestABusyPortIsANotice(t *testing.T) {
	t.Parallel()
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	at := busy.Addr().String()
	h := newHome(t, "[model]", fast)
	if got := h.run("serve", "--http", at); got.code != 1 || got.out != "" || !strings.Contains(got.err, "port "+at+" is in use by another program") {
		t.Errorf("serve at a port asked for = %+v", got)
	}
	if left, err := filepath.Glob(h.path(dataFolder + "/*")); err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
	t.Run("that nobody asked for on the command line", func(t *testing.T) {
		h := newHome(t, "[model]", fast)
		h.env = append(h.env, "SOCIETY_HTTP="+at)
		server := h.serve()
		eventually(t, "serve says that the port is in use", func() bool { return strings.Contains(server.err.String(), at+" is in use") })
		if got := h.run("agents"); got.code != 0 {
			t.Errorf("agents by the socket = %+v", got)
		}
		server.signal(syscall.SIGTERM)
		server.ends()
	})
	x := h.open(120, 30, "--http", at)
	x.sees(at + " is in use")
	x.closesNotice()
	x.quit()
}

func TestServeWithNeitherSocketNorPortFails(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.write(dataFolder+"/society.sock/in/the/way", "")
	got := h.run("serve")
	if got.code != 1 || got.out != "" || !strings.Contains(got.err, "is not a socket of yours") {
		t.Errorf("serve = %+v", got)
	}
	if got := h.run("--http", "0.0.0.0:3000", "serve"); got.code != 2 || !strings.Contains(got.err, "would let other machines in") {
		t.Errorf("serve = %+v", got)
	}
}

// A port alone is one of this machine, and only of it.
func TestServeTakesAPortAlone(t *testing.T) {
	t.Parallel()
	for _, colon := range []string{"", ":"} {
		at := freePort(t)
		h := newHome(t, "[model]", fast)
		server := h.serve("--http", colon+strings.TrimPrefix(at, "127.0.0.1:"))
		if !strings.Contains(server.out.String(), "http://"+at) {
			t.Errorf("serve with %q before the port: %s", colon, &server.out)
		}
		server.signal(syscall.SIGTERM)
		server.ends()
	}
}

// What serve would refuse, config shows with its place.
func TestConfigChecksTheAddressOfHTTP(t *testing.T) {
	t.Parallel()
	h := newHome(t, `lang = "en"`, `http = "0.0.0.0:3000"`)
	h.env = append(h.env, "SOCIETY_HTTP=")
	if got := h.run("config"); got.code != 2 || !strings.Contains(got.err, `config.toml:2: http: "0.0.0.0:3000" would let other machines in; use one such as 127.0.0.1:3001`) {
		t.Errorf("config = %+v", got)
	}
	h.env = append(h.env, "SOCIETY_HTTP=example.com:80")
	if got := h.run("config"); got.code != 2 || !strings.Contains(got.err, `environment SOCIETY_HTTP: http: "example.com:80" is not an address of this machine`) || strings.Contains(got.err, "settings file") {
		t.Errorf("config = %+v", got)
	}
}

// The screen serves what serve does, on the socket and on the port.
func TestTheScreenServesOtherPrograms(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	at := freePort(t)
	x := h.open(120, 30, "--http", at).opened()
	if got := h.run("ask", "plan a picnic"); got.code != 0 || !strings.HasPrefix(got.out, "## plan a picnic") {
		t.Errorf("ask = %+v", got)
	}
	x.sees("plan a picnic")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+at+"/api/tasks", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(h.run("token").out))
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	if body, err := io.ReadAll(reply.Body); err != nil || reply.StatusCode != http.StatusOK || !strings.Contains(string(body), "plan a picnic") {
		t.Errorf("GET /api/tasks = %d %s, %v", reply.StatusCode, body, err)
	}
	if got := h.run("quit"); got.code != 0 {
		t.Errorf("quit = %+v", got)
	}
	if code := x.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
}

func TestTokenIsMadeOnceAndReplaced(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	if got := h.run("token"); got.code != 1 || !strings.Contains(got.err, "has no token yet") {
		t.Errorf("token = %+v", got)
	}
	h.serve()
	first := h.run("token").out
	old := h.client()
	if got := h.run("token", "--new"); got.code != 0 || strings.Contains(got.out, strings.TrimSpace(first)) {
		t.Errorf("token --new = %+v", got)
	}
	err := old.Get(t.Context(), "/api/health", nil, new(struct{}))
	if refused, ok := errors.AsType[*httpapi.Error](err); !ok || refused.Status != http.StatusUnauthorized {
		t.Errorf("with the old token: %v", err)
	}
	if second := h.run("token").out; second == first || len(second) != len(first) {
		t.Errorf("the tokens are %q, %q", first, second)
	}
	if got := h.run("agents"); got.code != 0 {
		t.Errorf("agents = %+v", got)
	}
}

// A request with a key that is sent again after a kill -9 takes effect once.
func TestAKeyHoldsOverAKill(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	for round := range 6 {
		server := h.serve()
		text := fmt.Sprintf("plan number %d", round)
		time.AfterFunc(rand.N(6*time.Millisecond), func() { _ = server.cmd.Process.Kill() })
		first, unknown := h.submitOnce(text)
		server.ends()

		server = h.serve()
		for range 2 {
			second, err := h.submitOnce(text)
			if err != nil {
				t.Fatal(err)
			}
			if unknown == nil && first != second {
				t.Errorf("the replies are %q, then %q", first, second)
			}
		}
		var list struct{ Tasks []httpapi.Task }
		if err := h.client().Get(t.Context(), "/api/tasks", nil, &list); err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, task := range list.Tasks {
			if task.Text == text {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%d tasks are %q", found, text)
		}
		t.Logf("answered before the kill: %v", unknown == nil)
		server.signal(syscall.SIGTERM)
		server.ends()
	}
}

// submitOnce submits a text, which is its key too, over the socket.
func (h *home) submitOnce(text string) (reply string, err error) {
	h.t.Helper()
	status, reply, err := postOnce(h.t.Context(), h.path(dataFolder), "/api/submit", text, map[string]string{"text": text})
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%d: %s", status, reply)
	}
	return reply, err
}

// postOnce posts a body with a key to the program that has the session of a folder open.
// With an error it is not known whether it had an effect.
func postOnce(ctx context.Context, folder, path, key string, body any) (status int, reply string, err error) {
	token, err := httpserver.ReadToken(folder, session.Default)
	if err != nil {
		return 0, "", err
	}
	text, err := json.Marshal(body)
	if err != nil {
		return 0, "", err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://localhost"+path, bytes.NewReader(text))
	if err != nil {
		return 0, "", err
	}
	r.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "Idempotency-Key": {key}}
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return httpserver.Dial(ctx, folder, session.Default)
	}}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport, Timeout: patience}).Do(r)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	return response.StatusCode, string(all), err
}

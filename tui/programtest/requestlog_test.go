package programtest

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// What a request holds is in no line of the log and in no measurement, only its pattern,
// code and time.
func TestTheLogHoldsNothingOfARequest(t *testing.T) {
	t.Parallel()
	const canary = "canary-0123456789"
	h := newHome(t, `log_level = "debug"`, "[model]", fast)
	at := freePort(t)
	server := h.serve("--http", at)
	token := strings.TrimSpace(h.run("token").out)
	ask := func(method, path, body string, header http.Header) (code int, reply string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, "http://"+at+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "X-Key": {canary}, "Idempotency-Key": {canary + body}}
		maps.Copy(r.Header, header)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		all, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(all)
	}
	for _, c := range []struct {
		method, path, body string
		header             http.Header
		code               int
	}{
		{"POST", "/api/submit", `{"text":"Thanks! ` + canary + `"}`, nil, 200},
		{"POST", "/api/submit", `{"text":"` + canary + `","` + canary + `":1}`, nil, 400},
		{"POST", "/api/send", `{"agentId":"` + canary + `","text":"hello"}`, nil, 404},
		{"POST", "/api/submit", canary, http.Header{"Content-Type": {canary}}, 415},
		{"GET", "/api/messages/" + canary, "", nil, 404},
		{"GET", "/" + canary, "", nil, 404},
		{"GET", "/api/agents?state=" + canary, "", nil, 400},
		{"GET", "/api/agents?" + canary + "=1", "", nil, 400},
		{"GET", "/api/events", "", http.Header{"Last-Event-Id": {canary}}, 400},
		{"GET", "/api/agents?token=" + canary, "", http.Header{"Authorization": {"Bearer " + canary}}, 401},
		{"GET", "/api/agents", "", http.Header{"Authorization": {canary}}, 401},
		{"GET", "/api/agents", "", http.Header{"Origin": {"http://" + canary}}, 403},
		{"CANARY0123456789", "/api/agents", "", nil, 405},
	} {
		if code, reply := ask(c.method, c.path, c.body, c.header); code != c.code {
			t.Errorf("%s %s = %d %s, want %d", c.method, c.path, code, reply, c.code)
		}
	}
	_, metrics := ask("GET", "/metrics", "", nil)
	server.signal(syscall.SIGTERM)
	if got := server.ends(); got.code != 0 {
		t.Errorf("serve = %+v", got)
	}
	log := h.read("state/society-tui/society-tui.log")
	for place, text := range map[string]string{"log": log, "metrics": metrics} {
		if text := strings.ToLower(text); strings.Contains(text, "0123456789") || strings.Contains(text, strings.ToLower(token[:12])) {
			t.Errorf("the %s holds it:\n%s", place, text)
		}
	}
	if !strings.Contains(metrics, `society_http_requests_total{code="200",method="POST",route="POST /api/submit"} 1`) {
		t.Errorf("the metrics lack the requests:\n%s", metrics)
	}
	requests := 0
	want := []string{"code", "level", "msg", "part", "pattern", "requestId", "run", "time", "took"}
	for row := range strings.Lines(log) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(row), &fields); err != nil {
			t.Fatal(err)
		}
		if fields["msg"] != "request" {
			continue
		}
		requests++
		if got := slices.Sorted(maps.Keys(fields)); !slices.Equal(got, want) {
			t.Errorf("a line has %q", got)
		}
	}
	if requests < 14 {
		t.Errorf("the log has %d requests:\n%s", requests, log)
	}
}

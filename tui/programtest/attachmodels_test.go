package programtest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"

	"society-tui/llm/llmtest"
)

// On an attached screen a model is set up as on the society's own, and the key that is entered
// there is found in its file only, also if the endpoint repeats it.
func TestAModelIsSetUpFromAnAttachedScreen(t *testing.T) {
	t.Parallel()
	const right, wrong = "sk-canary-0123456789+abcdefghij/XYZ", "sk-wrong-canary-9876543210+/zyx"
	model := llmtest.StartStrict(t, llmtest.Strict{Answer: llmtest.Say("the endpoint answers"), Key: right})
	to, err := url.Parse(model.URL)
	if err != nil {
		t.Fatal(err)
	}
	to.Path = "" // it is in the request
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "); key != right {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = fmt.Fprintf(w, `{"error":{"message":"no such key: %s, %s","code":"%s"}}`, key, base64.StdEncoding.EncodeToString([]byte(key)), key)
			return
		}
		if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
			_, _ = w.Write([]byte(`{"data":[{"id":"gpt-x"}]}`))
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if bytes.Contains(body, []byte("say it again")) && !bytes.Contains(body, []byte(`"role":"tool"`)) {
			repeat(w, right)
			return
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		httputil.NewSingleHostReverseProxy(to).ServeHTTP(w, r)
	}))
	t.Cleanup(endpoint.Close)

	h := newHome(t, `log_level = "debug"`, "[model]", fast)
	s := h.service(freePort(t))
	x := h.open(120, 40, "attach").opened()
	x.press("down", "enter")
	x.sees("1 of 6", "Another address")
	x.press("enter")
	x.sees("2 of 6")
	x.write(endpoint.URL)
	x.press("enter")
	x.sees("3 of 6", "Enter it: kept in a private file")
	x.until("no keyring", func(rows []string) bool { return stands(rows, "private file") && !stands(rows, "keyring") })
	x.press("home", "down")
	x.sees("▸ Enter it: kept in a private file")
	x.press("enter")
	x.sees("Paste or type the key")
	x.write(wrong)
	x.sees("Key: ***")
	x.press("enter")
	x.sees("4 of 6", "no such key", "Other key")
	x.pressUntil("k", func(rows []string) bool { return stands(rows, "Paste or type the key") })
	x.press("ctrl+u")
	x.write("\x1b[200~" + right + "\x1b[201~")
	x.sees("Key: ***")
	x.press("enter")
	x.sees("4 of 6", "▸ gpt-x")
	x.pressUntil("down", func(rows []string) bool { return stands(rows, "▸ Type a name") })
	x.press("up", "up", "enter")
	x.sees("6 of 6", "Key           OK", "Name: gpt-x")
	x.pressUntil("backspace", func(rows []string) bool { return !stands(rows, "Name: gpt-x") })
	x.press("ctrl+u")
	x.write("mine")
	x.press("enter")
	x.sees("mine is set up and answers from now on", "· mine ·")
	x.write("hello")
	x.press("enter")
	x.sees("the endpoint answers")

	x.write("say it again")
	x.press("enter")
	x.sees("It is [redacted], and [redacted].")

	x.write("/settings")
	x.press("enter")
	x.write("model.name")
	x.sees(`model.name = "mine"`, "Name of the model at its endpoint")
	x.press("ctrl+u")
	x.write("limits.agents")
	x.sees("Maximum live agents.", "needs a restart · default")
	x.press("enter")
	x.sees("Agents at most: read at the start · change it in the settings file of the program")

	y := h.open(100, 30, "attach", "--look").opened()
	y.sees("look only")
	y.write("/models")
	y.press("enter")
	y.sees("▸ mine", "the default")
	y.press("enter")
	y.sees("This screen only looks · ")
	y.press("esc")

	found := map[string]string{"the screen": x.written(), "the other screen": y.written()}
	for _, path := range []string{"/api/models", "/api/agents", "/api/agents/root/conversation", "/api/usage", "/api/timeline", "/api/export", "/api/backup", "/metrics"} {
		found[path] = s.get(path)
	}
	if !strings.Contains(found["/api/models"], `"name":"mine","id":"gpt-x"`) || !strings.Contains(h.read("config/society-tui/keys.toml"), right) {
		t.Errorf("the models are %s, the key is not where it was to be", found["/api/models"])
	}
	for _, screen := range []*terminal{y, x} {
		screen.signal(syscall.SIGTERM)
		if code := screen.ends(); code != 0 {
			t.Errorf("exit code %d: %s", code, screen.farewell())
		}
	}
	s.server.signal(syscall.SIGTERM)
	s.leaves()
	found["serve"] = s.server.out.String() + s.server.err.String()
	h.nowhereHolds([]string{right, "canary-0123456789", base64.StdEncoding.EncodeToString([]byte(right)), wrong, "canary-9876543210", base64.StdEncoding.EncodeToString([]byte(wrong))}, "keys.toml", found)
}

// repeat answers a request with its key in thoughts, text and the arguments of a call, in pieces
// of one to three bytes.
func repeat(w http.ResponseWriter, key string) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(delta, reason string) {
		_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", delta, reason)
		_ = http.NewResponseController(w).Flush()
	}
	pieces := func(text string, size int, delta string) {
		for piece := range slices.Chunk([]byte(text), size) {
			send(fmt.Sprintf(delta, piece), "null")
		}
	}
	pieces("The key is "+key+".", 1, `{"reasoning_content":%q}`)
	pieces("It is "+key+", and "+key+".", 2, `{"content":%q}`)
	send(`{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"list_roles","arguments":""}}]}`, "null")
	pieces(`{"of":"`+key+`"}`, 3, `{"tool_calls":[{"index":0,"function":{"arguments":%q}}]}`)
	send("{}", `"tool_calls"`)
	_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
}

// pressUntil presses a key that does no harm until it has an effect: for a moment after a
// question has closed by itself none has.
func (x *terminal) pressUntil(key string, seen func(rows []string) bool) {
	x.t.Helper()
	eventually(x.t, "what "+key+" does", func() bool {
		x.mu.Lock()
		rows := x.screen.Rows()
		x.mu.Unlock()
		if seen(rows) {
			return true
		}
		x.press(key)
		return false
	})
}

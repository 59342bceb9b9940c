package chatapi

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

const canary = "sk-proj-cAnArY/0123+456=789_abcdefgh"

func TestNoErrorEchoesTheKey(t *testing.T) {
	t.Parallel()
	std, inURL := base64.StdEncoding, base64.RawURLEncoding
	for name, echo := range map[string]string{
		"raw":                  canary,
		"prefix":               canary[:20] + "****",
		"in a query":           url.QueryEscape(canary),
		"in a path":            url.PathEscape(canary),
		"base64":               std.EncodeToString([]byte(canary)),
		"base64 in a URL":      inURL.EncodeToString([]byte(canary)),
		"with a user, base64":  std.EncodeToString([]byte("user:" + canary)),
		"after Bearer, base64": std.EncodeToString([]byte("Bearer " + canary + "\n")),
		"hidden by escapes":    canary[:10] + "\x1b[0m\u200b" + canary[10:],
		"over a line":          canary[:10] + "\u0000" + canary[10:],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := "Incorrect API key provided: " + echo + ". " + strings.Repeat("And so on. ", 50)
			body, err := json.Marshal(map[string]any{"error": map[string]string{"message": text, "code": echo}})
			if err != nil {
				t.Fatal(err)
			}
			for _, answer := range []func(http.ResponseWriter){
				func(w http.ResponseWriter) { w.WriteHeader(401); _, _ = w.Write(body) },
				func(w http.ResponseWriter) { w.WriteHeader(500); _, _ = io.WriteString(w, text) },
				func(w http.ResponseWriter) { _, _ = io.WriteString(w, frames(string(body))) },
				func(w http.ResponseWriter) { _, _ = io.WriteString(w, "<title>"+text+"</title>") },
				func(w http.ResponseWriter) {
					w.Header().Set("Location", "https://"+url.QueryEscape(echo)+".example/?k="+url.QueryEscape(echo))
					w.WriteHeader(302)
				},
			} {
				server := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w) })
				m := open(t, Config{BaseURL: server.URL, Key: canary})
				_, failure := listen(t, m.Generate(t.Context(), hello()))
				said := fmt.Sprintf("%v %+v %#v %v", failure, failure, failure, failure.Err)
				if leak := leaked(said); leak != "" {
					t.Errorf("%q is in %s", leak, said)
				}
			}
		})
	}
}

// leaked is a piece of the canary that is in text.
func leaked(text string) string {
	for _, spelled := range []string{canary, url.QueryEscape(canary), base64.StdEncoding.EncodeToString([]byte(canary))} {
		if strings.Contains(text, spelled) {
			return spelled
		}
	}
	if at := strings.Index(text, canary[:10]); at >= 0 {
		return canary[:10]
	}
	for _, before := range []string{"user:", "Bearer "} {
		spelled := base64.StdEncoding.EncodeToString([]byte(before + canary))
		if from := len(before)*8/6 + 1; strings.Contains(text, spelled[from:from+12]) {
			return spelled[from : from+12]
		}
	}
	return ""
}

func TestAKeyPrintsNothingOfItself(t *testing.T) {
	t.Parallel()
	key := Key(canary)
	config := Config{Key: key}
	var logged strings.Builder
	slog.New(slog.NewTextHandler(&logged, nil)).Info("x", "key", key, "config", config)
	text, err := json.Marshal(struct{ Key Key }{key})
	if err != nil {
		t.Fatal(err)
	}
	m := open(t, Config{BaseURL: "https://api.example.com", Key: key})
	for _, said := range []string{
		key.String(), fmt.Sprint(key), fmt.Sprintf("%s %v %+v %#v %q %x %d", key, key, key, key, key, key, key),
		fmt.Sprintf("%v %+v %#v", config, config, config), string(text), logged.String(),
		fmt.Sprintf("%v %+v %#v", m.config, m.config, m.config),
	} {
		if strings.Contains(said, canary[:10]) || strings.Contains(said, fmt.Sprintf("%x", canary[:10])) {
			t.Errorf("the key is in %s", said)
		}
	}
}

func TestAKeyIsTrimmedOrRefusedBeforeItIsSent(t *testing.T) {
	t.Parallel()
	seen := make(chan string, 1)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header.Get("Authorization")
		_, _ = io.WriteString(w, sse(says("hi"), stop))
	})
	for given, want := range map[string]string{
		"sk-1234": "Bearer sk-1234", " sk-1234\r\n": "Bearer sk-1234", "\ufeffsk-1234": "Bearer sk-1234",
		`"sk-1234"`: "Bearer sk-1234", "'sk-1234 '\n": "Bearer sk-1234", "": "", " \n": "", `""`: "",
	} {
		m := open(t, Config{BaseURL: server.URL, Key: Key(given)})
		expect(t, sayHi, m.Generate(t.Context(), hello()))
		if got := <-seen; got != want {
			t.Errorf("the key %q is sent as %q", given, got)
		}
	}
	for _, given := range []string{"sk-12\n34", "sk-12\r\nX-Evil: 1", "sk-12 34", "sk-ключ", "sk-\x0012", "sk-12\u200b34"} {
		_, err := New(Config{BaseURL: server.URL, Key: Key(given), Model: "m"})
		if err == nil || strings.Contains(err.Error(), "sk-") {
			t.Errorf("the key %q: %v", given, err)
		}
	}
}

func TestABaseURLIsCorrectedOrRefused(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://api.example.com/v1":                        "https://api.example.com/v1",
		" https://api.example.com/v1/ ":                     "https://api.example.com/v1",
		"https://api.example.com/v1/chat/completions":       "https://api.example.com/v1",
		"https://api.example.com/v1/chat/completions/":      "https://api.example.com/v1",
		"https://api.example.com":                           "https://api.example.com/v1",
		"https://api.example.com/":                          "https://api.example.com/v1",
		"HTTPS://API.Example.com/openai/v1":                 "https://api.example.com/openai/v1",
		"api.example.com/v1":                                "https://api.example.com/v1",
		"api.example.com:8443":                              "https://api.example.com:8443/v1",
		"localhost:11434":                                   "http://localhost:11434/v1",
		"127.0.0.1:8080/v1":                                 "http://127.0.0.1:8080/v1",
		"http://[::1]:8080/v1":                              "http://[::1]:8080/v1",
		"[::1]:8080":                                        "http://[::1]:8080/v1",
		"http://192.168.1.5:11434/v1":                       "http://192.168.1.5:11434/v1",
		"https://generativelanguage.example/v1beta/openai/": "https://generativelanguage.example/v1beta/openai",
	} {
		got, err := FixBaseURL(raw)
		if err != nil || got != want {
			t.Errorf("%q becomes %q, %v; want %q", raw, got, err, want)
		}
	}
	for _, raw := range []string{
		"", " ", "file:///etc/passwd", "ftp://example.com", "http://169.254.169.254/latest/meta-data", "http://[fe80::1]/v1",
		"http://[::ffff:169.254.169.254]/v1", "https://user:secret@example.com/v1", "https://user@example.com", "https://", "https:///v1",
		"https://example.com/v1?key=secret", "https://example.com/v1#secret", "https://exa mple.com", "://x", "http://0.0.0.0:80", "javascript:alert(1)",
	} {
		if got, err := FixBaseURL(raw); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q becomes %q, %v", raw, got, err)
		}
	}
}

func TestAKeyNeverCrossesANetworkUnencrypted(t *testing.T) {
	t.Parallel()
	for raw, allowed := range map[string]bool{
		"http://example.com": false, "http://192.168.1.5": false, "http://localhost.example.com": false, "http://2130706433": false, "http://[fd00::1]": false,
		"https://example.com": true, "http://localhost:1234": true, "http://127.0.0.2": true, "http://[::1]": true, "http://a.localhost": true,
	} {
		if _, err := New(Config{BaseURL: raw, Key: canary, Model: "m"}); (err == nil) != allowed {
			t.Errorf("%s with a key: %v", raw, err)
		}
		if _, err := New(Config{BaseURL: raw, Model: "m"}); err != nil {
			t.Errorf("%s without a key: %v", raw, err)
		}
	}
}

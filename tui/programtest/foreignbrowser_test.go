package programtest

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A deed is what a page has tried, and how that ended.
type deed struct {
	From, To, Attempt, Outcome string
	Done                       bool
}

// A web page whose name is bound to this machine after it was loaded, so that the browser
// takes the API for its own origin, reads nothing and changes nothing, even with the token.
// Neither does a page of another port.
func TestAReboundPageReadsAndChangesNothing(t *testing.T) {
	needsForeign(t, "chromium")
	h, address := newHome(t, "[model]", fast), freePort(t)
	deeds, asked := make(chan deed, 200), make(chan struct{}, 1)
	var token atomic.Pointer[string]
	var page string // set below, before anybody asks for it
	evil := http.NewServeMux()
	evil.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, page) })
	evil.HandleFunc("/go", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if token.Load() == nil {
			w.WriteHeader(http.StatusAccepted)
			select {
			case asked <- struct{}{}:
			default:
			}
			return
		}
		_, _ = io.WriteString(w, *token.Load())
	})
	evil.HandleFunc("/tell", func(_ http.ResponseWriter, r *http.Request) {
		var d deed
		if err := json.NewDecoder(r.Body).Decode(&d); err == nil {
			deeds <- d
		}
	})
	home := httptest.NewServer(evil)
	t.Cleanup(home.Close)
	text, err := os.ReadFile(filepath.Join(foreignFolder, "evil.html"))
	if err != nil {
		t.Fatal(err)
	}
	port := func(address string) string { return address[strings.LastIndex(address, ":")+1:] }
	page = strings.NewReplacer("HOME_PORT", port(home.URL), "API_PORT", port(address)).Replace(string(text))
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	before := &httptest.Server{Listener: l, Config: &http.Server{Handler: evil}}
	before.Start()
	browse(t, h, "http://evil.example:"+port(address)+"/")
	select {
	case <-asked: // so that the page is loaded
	case <-time.After(patience):
		t.Fatal("the browser does not open the page")
	}
	before.CloseClientConnections()
	before.Close()
	s := h.service(address) // the name leads to it now
	token.Store(&s.token)
	harmless := regexp.MustCompile(`^(blocked|sent|loaded|opaque 0 |basic 403 \{"error":"forbidden".*\}\s*|\{"error":"forbidden".*\}\s*)$`)
	for n := 0; ; n++ {
		select {
		case d := <-deeds:
			if d.Done {
				t.Logf("%d attempts", n)
				s.unharmed()
				return
			}
			if t.Logf("%s to %s, %s: %s", d.From, d.To, d.Attempt, d.Outcome); !harmless.MatchString(d.Outcome) {
				t.Errorf("%s could do it", d.From)
			}
		case <-time.After(patience):
			t.Fatal("the page has stopped")
		}
	}
}

// browse opens a page in Chromium, until the test ends.
func browse(t *testing.T, h *home, url string) {
	t.Helper()
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		t.Fatal(err)
	}
	browser := (&service{home: h}).tool("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+profile,
		"--host-resolver-rules=MAP evil.example 127.0.0.1", url)
	if err := browser.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = browser.Process.Kill()
		_ = browser.Wait()
		eventually(t, "the browser's processes have ended", func() bool { return os.RemoveAll(profile) == nil })
	})
}

// unharmed checks that all requests so far were forbidden, some of each method, and that
// nothing has happened.
func (s *service) unharmed() {
	s.t.Helper()
	methods := map[string]bool{}
	for _, m := range regexp.MustCompile(`society_http_requests_total\{code="(\d+)",method="(\w+)".*`).FindAllStringSubmatch(s.get("/metrics"), -1) {
		s.t.Log(m[0])
		if methods[m[2]] = true; m[1] != "403" {
			s.t.Errorf("a request was answered by %s", m[1])
		}
	}
	for _, method := range []string{"GET", "POST", "OPTIONS"} {
		if !methods[method] {
			s.t.Errorf("no %s has come", method)
		}
	}
	if lines, messages := s.log(); len(messages) > 0 || strings.Contains(s.get("/api/tasks"), "evil") {
		s.t.Errorf("there are %d lines and %d messages", len(lines), len(messages))
	}
}

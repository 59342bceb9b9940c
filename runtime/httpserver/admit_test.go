//go:build linux || darwin

package httpserver_test

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"society-tui/runtime/httpserver"
)

func itoa(n int) string { return strconv.Itoa(n) }

// plain returns the bytes of a GET without the token.
func plain(headers ...string) string {
	return "GET /api/health HTTP/1.1\r\n" + strings.Join(headers, "\r\n") + "\r\n\r\n"
}

func TestRequestsNeedTheToken(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	const canary = "canary-of-this-test"
	flipped := "A" + s.token[1:]
	if flipped == s.token {
		flipped = "B" + s.token[1:]
	}
	for what, headers := range map[string][]string{
		"none":         nil,
		"empty":        {"Authorization:"},
		"no value":     {"Authorization: Bearer"},
		"wrong":        {"Authorization: Bearer " + canary},
		"first letter": {"Authorization: Bearer " + flipped},
		"a part":       {"Authorization: Bearer " + s.token[:len(s.token)-1]},
		"more":         {"Authorization: Bearer " + s.token + "A"},
		"15 kB":        {"Authorization: Bearer " + strings.Repeat("A", 15_000)},
		"no scheme":    {"Authorization: " + s.token},
		"basic":        {"Authorization: Basic " + s.token},
		"two":          {"Authorization: Bearer " + s.token, "Authorization: Bearer " + s.token},
		"cookie":       {"Cookie: token=" + s.token},
	} {
		for _, network := range []string{"unix", "tcp"} {
			r := s.raw(network, plain(append([]string{"Host: localhost"}, headers...)...))
			if r.StatusCode != http.StatusUnauthorized || !strings.Contains(r.body, `"unauthorized"`) || !r.Close {
				t.Errorf("%s over %s = %d %s, closed %v, want 401 and closed", what, network, r.StatusCode, r.body, r.Close)
			}
			if other := len(headers) > 0 && strings.HasPrefix(headers[0], "Authorization: Bearer "); strings.Contains(r.body, "not the token of this session") != other {
				t.Errorf("%s over %s = %s", what, network, r.body)
			}
		}
	}
	for _, query := range []string{"token=" + s.token, "access_token=" + s.token, "Authorization=Bearer%20" + canary} {
		if r := s.raw("tcp", "GET /api/health?"+query+" HTTP/1.1\r\nHost: localhost\r\n\r\n"); r.StatusCode != http.StatusUnauthorized {
			t.Errorf("in the query = %d %s, want 401", r.StatusCode, r.body)
		}
	}
	for _, path := range []string{"/", "/metrics", "/api/none", "/api/openapi.json"} {
		if r := s.raw("tcp", "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n"); r.StatusCode != http.StatusUnauthorized {
			t.Errorf("GET %s = %d %s, want 401", path, r.StatusCode, r.body)
		}
	}
	for _, method := range []string{"OPTIONS *", "CONNECT localhost:80", "OPTIONS /api/health", "TRACE /api/health"} {
		if r := s.raw("tcp", method+" HTTP/1.1\r\nHost: localhost\r\n\r\n"); r.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s = %d %s, want 401", method, r.StatusCode, r.body)
		}
	}
	if r := s.raw("tcp", strings.Replace(s.request("GET", "/api/health"), "Bearer", "bearer", 1)); r.StatusCode != http.StatusOK {
		t.Errorf("bearer in small letters = %d %s, want 200", r.StatusCode, r.body)
	}
	s.until("code=401")
	for _, secret := range []string{s.token, s.token[:12], flipped, canary} {
		if strings.Contains(s.log.String(), secret) {
			t.Errorf("the log has %q:\n%s", secret, s.log)
		}
	}
}

func TestATokenOfAMegabyteIsCutOff(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	c := s.dial("tcp")
	go func() { // the server stops reading
		_, _ = c.Write([]byte(plain("Host: localhost", "Authorization: Bearer "+strings.Repeat("A", 1<<20))))
	}()
	if r := s.exchange(c, ""); r.StatusCode != http.StatusRequestHeaderFieldsTooLarge || !r.Close {
		t.Errorf("a token of 1 MiB = %d %s, want 431 and closed", r.StatusCode, r.body)
	}
	s.alive("tcp")
}

func TestANewTokenEndsTheOldOneAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	c := s.dial("unix")
	old := s.request("GET", "/api/health")
	if r := s.exchange(c, old); r.StatusCode != http.StatusOK {
		t.Fatalf("with the token = %d", r.StatusCode)
	}
	token, err := httpserver.NewToken(s.folder, name)
	if err != nil || token == s.token {
		t.Fatalf("NewToken = %q, %v, was %q", token, err, s.token)
	}
	if r := s.exchange(c, old); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("with the old token, on a connection that had used it = %d, want 401", r.StatusCode)
	}
	s.token = token
	s.alive("unix")
	s.alive("tcp")
}

func TestHostMustNameThisMachine(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	auth := "Authorization: Bearer " + s.token
	for _, c := range []struct {
		hosts []string
		want  int
	}{
		{[]string{"Host: 127.0.0.1"}, 200},
		{[]string{"Host: localhost:3000"}, 200},
		{[]string{"Host: localhost:65535"}, 200},
		{[]string{"Host: [::1]:80"}, 200},
		{[]string{"Host: evil.example"}, 403},
		{[]string{"Host: localhost.evil.example"}, 403},
		{[]string{"Host: evil.example:3000"}, 403},
		{[]string{"Host: 127.0.0.1.evil.example"}, 403},
		{[]string{"Host: localhost."}, 403},
		{[]string{"Host: 127.1"}, 403},
		{[]string{"Host: 0.0.0.0:3000"}, 403},
		{[]string{"Host: [::]"}, 403},
		{[]string{"Host: ::1"}, 403},
		{[]string{"Host: localhost:"}, 403},
		{[]string{"Host: localhost:x"}, 403},
		{[]string{"Host: user@localhost"}, 400},
		{[]string{"Host: localhost, evil.example"}, 400},
		{[]string{"X-Forwarded-Host: localhost"}, 400},
		{[]string{"Host:"}, 400},
		{[]string{"Host: localhost", "Host: localhost"}, 400},
		{[]string{"Host: localhost", "Host: evil.example"}, 400},
	} {
		if r := s.raw("tcp", plain(append(c.hosts, auth)...)); r.StatusCode != c.want {
			t.Errorf("%q = %d %s, want %d", c.hosts, r.StatusCode, r.body, c.want)
		}
	}
	for request, want := range map[string]int{
		"GET /api/health HTTP/1.0\r\n" + auth + "\r\n\r\n":                                           400,
		"GET http://evil.example/api/health HTTP/1.1\r\nHost: localhost\r\n" + auth + "\r\n\r\n":     403,
		"GET http://localhost/api/health HTTP/1.1\r\nHost: evil.example\r\n" + auth + "\r\n\r\n":     200, // the address in the first line counts
		"GET /api/health HTTP/1.1\r\n Host: localhost\r\nHost: evil.example\r\n" + auth + "\r\n\r\n": 400,
	} {
		if r := s.raw("unix", request); r.StatusCode != want {
			t.Errorf("%.60q = %d %s, want %d", request, r.StatusCode, r.body, want)
		}
	}
}

// A page of evil.example, whose name now stands for this machine, is of the same origin
// as its requests: only the name gives them away.
func TestAReboundNameIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) { // the rebound name
			return new(net.Dialer).DialContext(ctx, network, s.Address())
		},
	}}
	_, port, _ := net.SplitHostPort(s.Address())
	for _, authorization := range []string{"", "Bearer " + s.token} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://evil.example:"+port+"/api/agents", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Authorization", authorization)
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("GET under a rebound name = %d, want 403", answer.StatusCode)
		}
	}
}

func TestForeignPagesAreRefused(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	for _, c := range []struct {
		method  string
		headers []string
		want    int
	}{
		{"GET", nil, 200},
		{"GET", []string{"Origin: http://127.0.0.1"}, 200},
		{"GET", []string{"Sec-Fetch-Site: same-origin"}, 200},
		{"GET", []string{"Sec-Fetch-Site: none"}, 200},
		{"GET", []string{"Origin: http://evil.example"}, 403},
		{"GET", []string{"Origin: null"}, 403},
		{"GET", []string{"Origin:"}, 403},
		{"GET", []string{"Origin: https://127.0.0.1"}, 403},
		{"GET", []string{"Origin: http://127.0.0.1:8000"}, 403},
		{"GET", []string{"Origin: http://localhost"}, 403},
		{"GET", []string{"Origin: http://127.0.0.1", "Origin: http://evil.example"}, 403},
		{"GET", []string{"Origin: http://evil.example", "Sec-Fetch-Site: same-origin"}, 403},
		{"GET", []string{"Sec-Fetch-Site: cross-site"}, 403},
		{"GET", []string{"Sec-Fetch-Site: same-site"}, 403},
		{"POST", []string{"Sec-Fetch-Site: cross-site", "Content-Length: 0"}, 403},
		{"POST", []string{"Origin: null", "Content-Length: 0"}, 403},
		{"OPTIONS", []string{"Origin: http://evil.example", "Access-Control-Request-Method: POST"}, 403},
		{"OPTIONS", []string{"Origin: http://127.0.0.1", "Access-Control-Request-Method: GET", "Access-Control-Request-Private-Network: true"}, 403},
		{"OPTIONS", []string{"Access-Control-Request-Method: GET"}, 403},
	} {
		r := s.raw("tcp", s.request(c.method, "/api/health", c.headers...)) // which checks that there is no CORS header
		if r.StatusCode != c.want {
			t.Errorf("%s with %q = %d %s, want %d", c.method, c.headers, r.StatusCode, r.body, c.want)
		}
	}
}

func TestBodiesMustBeJSON(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	for what, request := range map[string]string{
		"a form":          s.post("/api/submit", "application/x-www-form-urlencoded", "text=hello"),
		"a form of files": s.post("/api/submit", "multipart/form-data; boundary=x", "--x--"),
		"text":            s.post("/api/submit", "text/plain", `{"text":"hello"}`),
		"a gzip bomb":     s.post("/api/submit", "application/json", gzipBomb(t), "Content-Encoding: gzip"),
		"no type":         s.request("POST", "/api/submit", "Content-Length: 2") + "{}",
		"UTF-16":          s.post("/api/submit", "application/json; charset=utf-16", "{}"),
	} {
		if r := s.raw("tcp", request); r.StatusCode != http.StatusUnsupportedMediaType {
			t.Errorf("%s = %d %s, want 415", what, r.StatusCode, r.body)
		}
	}
}

func TestOddPathsAndMethodsAreNotRedirected(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	for request, want := range map[string]int{
		"DELETE /api/health": 405, "PUT /api/submit": 405, "GET /api/submit": 405, "BREW /api/health": 405, "HEAD /api/health": 200,
		"GET //api/health": 404, "GET /api//health": 404, "GET /api/health/": 404, "GET /api/./health": 404, "GET /api/x/../health": 404,
		"GET /api/..%2fhealth": 404, "GET /api/%2e%2e/health": 404, "GET /api%2fhealth": 404, "GET /API/health": 404, "GET /": 404, "GET /..": 404,
	} {
		method, path, _ := strings.Cut(request, " ")
		c := s.dial("tcp")
		if method == "HEAD" { // a reader of replies would wait for the body
			_, _ = c.Write([]byte(s.request(method, path, "Connection: close")))
			first := make([]byte, 15)
			if _, err := c.Read(first); err != nil || string(first) != "HTTP/1.1 200 OK" {
				t.Errorf("%s = %q, %v", request, first, err)
			}
			continue
		}
		if r := s.exchange(c, s.request(method, path)); r.StatusCode != want || r.Header.Get("Location") != "" {
			t.Errorf("%s = %d to %q, want %d: %s", request, r.StatusCode, r.Header.Get("Location"), want, r.body)
		}
	}
}

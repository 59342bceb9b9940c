package chatapi

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"society-tui/llm"
)

// served is the time at the endpoints of the tests.
var served = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestTheWaitIsReadWhereverTheEndpointNamesIt(t *testing.T) {
	t.Parallel()
	epoch := func(d time.Duration) string { return fmt.Sprint(served.Add(d).Unix()) }
	milli := func(d time.Duration) string { return fmt.Sprint(served.Add(d).UnixMilli()) }
	says := func(text string) string { return fmt.Sprintf(`{"error":{"message":%q}}`, text) }
	type headers map[string]string
	for name, c := range map[string]struct {
		headers headers
		body    string
		want    time.Duration
	}{
		"nothing":                  {nil, `{}`, 0},
		"milliseconds":             {headers{"retry-after-ms": "250", "Retry-After": "9"}, `{}`, 250 * time.Millisecond},
		"seconds":                  {headers{"Retry-After": "7"}, says("Please try again in 20s"), 7 * time.Second},
		"a date":                   {headers{"Retry-After": served.Add(30 * time.Second).Format(http.TimeFormat)}, `{}`, 30 * time.Second},
		"a date that is past":      {headers{"Retry-After": served.Add(-time.Hour).Format(http.TimeFormat)}, `{}`, 0},
		"retryDelay":               {nil, `{"error":{"code":429,"details":[{"@type":"x","retryDelay":"58.9s"}]}}`, 58900 * time.Millisecond},
		"retryDelay within a list": {nil, `[{"error":{"details":[{"retryDelay":"3s"}]}}]`, 3 * time.Second},
		"retry_after":              {nil, `{"detail":"wait","retry_after":12.5}`, 12500 * time.Millisecond},
		"minutes in a text":        {nil, says("Please try again in 1m0.3s."), 60300 * time.Millisecond},
		"milliseconds in a text":   {nil, says("Please try again in 579ms. Visit x"), 579 * time.Millisecond},
		"seconds in a text":        {nil, says("Requested 5000. Please try again in 6.5s."), 6500 * time.Millisecond},
		"words in a text":          {nil, says("Please retry after 1 minute and 20 seconds."), 80 * time.Second},
		"hours in a text":          {nil, says("try again in 2h3m4s"), 2*time.Hour + 3*time.Minute + 4*time.Second},
		"a plain text":             {nil, "slow down, retry in 3s", 3 * time.Second},
		"no time in a text":        {nil, says("try again later, error 3 of 5"), 0},

		"requests that are used up": {headers{"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "2m59.56s", "x-ratelimit-remaining-tokens": "100", "x-ratelimit-reset-tokens": "1h"}, `{}`, 2*time.Minute + 59560*time.Millisecond},
		"both are used up":          {headers{"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "120ms", "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s"}, `{}`, 6 * time.Minute},
		"nothing is used up":        {headers{"x-ratelimit-remaining-requests": "9", "x-ratelimit-reset-requests": "8s"}, `{}`, 0},
		"Anthropic's date":          {headers{"anthropic-ratelimit-tokens-remaining": "0", "anthropic-ratelimit-tokens-reset": served.Add(40 * time.Second).Format(time.RFC3339)}, `{}`, 40 * time.Second},
		"the draft of the standard": {headers{"RateLimit-Remaining": "0", "RateLimit-Reset": "30"}, `{}`, 30 * time.Second},
		"since 1970":                {headers{"X-RateLimit-Reset": epoch(90 * time.Second)}, `{}`, 90 * time.Second},
		"since 1970, ms":            {headers{"X-RateLimit-Reset": milli(90500 * time.Millisecond)}, `{}`, 90500 * time.Millisecond},
		"since 1970, past":          {headers{"X-RateLimit-Reset": milli(-time.Minute)}, `{}`, 0},
		"of the endpoint behind": {
			nil, `{"error":{"message":"Rate limit exceeded: free-models-per-min","code":429,"metadata":{"headers":{"X-RateLimit-Limit":"20","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"` + milli(41*time.Second) + `"}}}}`, 41 * time.Second,
		},
		"not a time":  {headers{"Retry-After": "soon", "X-RateLimit-Reset": "never"}, says("try again in a while"), 0},
		"a long time": {headers{"Retry-After": "1e99"}, `{}`, longestWait * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Date", served.Format(http.TimeFormat))
				for name, value := range c.headers {
					w.Header().Set(name, value)
				}
				w.WriteHeader(http.StatusTooManyRequests)
				_, _ = io.WriteString(w, c.body)
			})
			_, failure := listen(t, open(t, Config{BaseURL: server.URL}).Generate(t.Context(), hello()))
			if failure == nil || failure.Class != llm.Rate || failure.RetryAfter != c.want {
				t.Errorf("got %v with a wait of %s, want %s", failure, failure.RetryAfter, c.want)
			}
		})
	}
}

func TestOnlyErrorsThatPassNameAWait(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]time.Duration{400: 0, 401: 0, 402: 7 * time.Second, 429: 7 * time.Second, 503: 7 * time.Second} {
		failure := (redactor{}).classify(status, nil, []byte(`{"error":{"message":"no, try again in 7 s"}}`), served)
		if failure.RetryAfter != want {
			t.Errorf("%d: a wait of %s, want %s", status, failure.RetryAfter, want)
		}
	}
}

func TestWhatCouldNotBeReachedIsSaid(t *testing.T) {
	t.Parallel()
	refusing := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusProxyAuthRequired) })
	through := func(proxy string) *http.Client {
		u, err := url.Parse(proxy)
		if err != nil {
			t.Fatal(err)
		}
		transport := newTransport(reach{})
		transport.Proxy = http.ProxyURL(u)
		return &http.Client{Transport: transport}
	}
	unknown := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "nowhere.invalid", IsNotFound: true}}
	}}}
	address := strings.TrimPrefix(refusing.URL, "http://")
	for name, c := range map[string]struct {
		base   string
		client *http.Client
		code   string
		says   []string
	}{
		"a host":                        {"https://nowhere.invalid", unknown, llm.CodeHost, []string{"nowhere.invalid", "cannot be found"}},
		"a port":                        {"http://127.0.0.1:1", nil, llm.CodeUnreachable, []string{"127.0.0.1:1 cannot be reached"}},
		"a proxy":                       {"https://api.example.com", through("http://user:secret@127.0.0.1:1"), llm.CodeProxy, []string{"the proxy cannot be reached", "through the proxy 127.0.0.1:1)"}},
		"a proxy that wants a password": {"https://api.example.com", through(refusing.URL), llm.CodeProxy, []string{"the proxy refuses", address}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, failure := listen(t, open(t, Config{BaseURL: c.base, Client: c.client}).Generate(t.Context(), hello()))
			if failure == nil || failure.Class != llm.Network || failure.Code != c.code || !failure.Retryable() {
				t.Fatalf("got %+v", failure)
			}
			for _, part := range c.says {
				if !strings.Contains(failure.Text, part) {
					t.Errorf("%q does not say %q", failure.Text, part)
				}
			}
			if place := map[string]string{llm.CodeHost: "nowhere.invalid", llm.CodeUnreachable: "127.0.0.1:1"}[c.code]; failure.Place != place || (failure.Proxy != "") != (c.code == llm.CodeProxy) {
				t.Errorf("of %q through %q, want %q", failure.Place, failure.Proxy, place)
			}
			if strings.Contains(failure.Text+failure.Proxy, "secret") {
				t.Errorf("%q holds the proxy's password", failure.Text)
			}
		})
	}
}

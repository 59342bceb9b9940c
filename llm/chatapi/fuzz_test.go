package chatapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// FuzzErrorBody reads errors with a key at some place in them.
func FuzzErrorBody(f *testing.F) {
	for i, all := range [][]saying{fullContexts(), otherLimits(), otherErrors()} {
		for n, s := range all {
			f.Add(s.status, []byte(s.body), i*7+n)
		}
	}
	private := newRedactor(canary)
	f.Fuzz(func(t *testing.T, status int, body []byte, at int) {
		if len(body) > longestError {
			return
		}
		at = min(max(at, 0), len(body))
		echo := bytes.Join([][]byte{body[:at], []byte(canary), body[at:]}, nil)
		for _, header := range []http.Header{nil, {"Content-Type": {"text/html"}}, {"X-Ratelimit-Reset": {string(body)}, "Retry-After": {string(body)}}} {
			failure := private.classify(status, header, echo, served)
			if !failure.Class.Known() || failure.Text == "" {
				t.Errorf("got %+v", failure)
			}
			if w := failure.Window; w != 0 && (w < smallestWindow || w > largestWindow) {
				t.Errorf("a window of %d", w)
			}
			if d := failure.RetryAfter; d < 0 || d > longestWait*time.Second {
				t.Errorf("a wait of %s", d)
			}
			for _, text := range []string{failure.Text, failure.Code} {
				for i := 0; i+12 <= len(canary); i++ {
					if strings.Contains(text, canary[i:i+12]) {
						t.Fatalf("%q holds a part of the key", text)
					}
				}
				if !utf8.ValidString(text) || utf8.RuneCountInString(text) > longestLine || strings.ContainsFunc(text, unicode.IsControl) {
					t.Errorf("%q cannot be shown", text)
				}
			}
		}
	})
}

// FuzzChunk reads one chunk between two sound ones.
func FuzzChunk(f *testing.F) {
	for _, r := range allRows() {
		for line := range strings.Lines(r.body) {
			if data, found := strings.CutPrefix(line, "data: "); found && len(data) < 4<<10 {
				f.Add([]byte(strings.TrimSpace(data)))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		body := "data: " + says("a") + "\n\ndata: " + string(data) + "\n\n" + sse(says("b"), stop)
		listen(t, decode(strings.NewReader(body), redactor{}))
		m := unwatched(strings.NewReader(body), redactor{})
		written := 0
		for {
			m.out, m.gone = m.out[:0], 0
			if m.step(); len(m.out) > 0 {
				written += len(m.out)
			}
			for event := range strings.SplitSeq(strings.TrimSpace(string(m.out)), "\n\n") {
				if text, found := strings.CutPrefix(event, "data: "); found && text != "[DONE]" && !json.Valid([]byte(strings.ToValidUTF8(text, "?"))) {
					t.Fatalf("%q is no JSON", text)
				}
			}
			if m.err != nil {
				break
			}
		}
		if written > 64*len(body)+4096 {
			t.Errorf("%d bytes came of %d", written, len(body))
		}
	})
}

// FuzzArguments reads the arguments of a call that come in two pieces.
func FuzzArguments(f *testing.F) {
	for _, args := range []string{"", "{}", `{"path":"a.go","lines":[1,2]}`, `"{\"a\":1}"`, "null", "[1]", `{"a":`, `{"a":"é👩"}`, `{}{}`, "\x00", `\`} {
		f.Add(args, len(args)/2)
	}
	f.Fuzz(func(t *testing.T, args string, cut int) {
		args = strings.ToValidUTF8(args, "")
		cut = min(max(cut, 0), len(args))
		for cut < len(args) && !utf8.RuneStart(args[cut]) {
			cut++
		}
		encode := func(text string) string {
			encoded, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			return string(encoded)
		}
		body := sse(
			calls(fmt.Sprintf(`{"index":0,"id":"a","function":{"name":"f","arguments":%s}}`, encode(args[:cut]))),
			calls(fmt.Sprintf(`{"index":0,"function":{"arguments":%s}}`, encode(args[cut:]))), called,
		)
		for c, err := range decode(io.LimitReader(strings.NewReader(body), 8<<20), redactor{}) {
			if err != nil || !c.Done {
				if err != nil {
					t.Fatal(err)
				}
				continue
			}
			if len(c.Calls) != 1 {
				t.Fatalf("%d calls of one", len(c.Calls))
			}
			got := c.Calls[0].Arguments
			switch trimmed := strings.TrimSpace(args); {
			case trimmed == "" || trimmed == "null":
				if got != "{}" {
					t.Errorf("%q becomes %q", args, got)
				}
			case got != args:
				var inner string
				if err := json.Unmarshal([]byte(trimmed), &inner); err != nil || inner != got || !isObject([]byte(got)) {
					t.Errorf("%q becomes %q", args, got)
				}
			}
		}
	})
}

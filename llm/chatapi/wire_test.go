package chatapi

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"society-tui/llm"
)

// asked asks a model of that endpoint under a Wire, and returns the outcome.
func asked(t *testing.T, key Key, req llm.Request, answer http.HandlerFunc) (wire *llm.Wire, failure *llm.Error) {
	t.Helper()
	m := open(t, Config{BaseURL: serve(t, answer).URL, Key: key})
	wire = &llm.Wire{}
	_, failure = listen(t, m.Generate(llm.WithWire(context.Background(), wire), req))
	return wire, failure
}

func TestAWireHoldsTheRequestAndTheAnswerOfAFailedCall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"refused": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"message":"no such field"}}`)
		}, "no such field"},
		"broken off": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, frames(`{"choices":[{"delta":{"content":"half a w"}}]}`))
		}, "half a w"},
		"empty": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, sse(stop)) }, "finish_reason"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := llm.Request{System: "Be brief.", Messages: []llm.Message{{Role: llm.User, Text: "what is a boat?"}}}
			wire, failure := asked(t, canary, req, c.answer)
			if failure == nil {
				t.Fatal("the call did not fail")
			}
			if got := wire.Request(); !strings.Contains(got, "what is a boat?") || !strings.Contains(got, `"stream":true`) {
				t.Errorf("sent was %q", got)
			}
			if got := wire.Answer(); !strings.Contains(got, c.want) {
				t.Errorf("there came %q, want %q in it", got, c.want)
			}
		})
	}
}

// The last of several exchanges is kept: the one that has failed.
func TestAWireHoldsTheLastExchange(t *testing.T) {
	t.Parallel()
	calls := 0
	wire, failure := asked(t, "", llm.Request{Messages: hello().Messages, MaxTokens: 7}, func(w http.ResponseWriter, _ *http.Request) {
		calls++
		w.WriteHeader(http.StatusBadRequest)
		if calls == 1 {
			_, _ = io.WriteString(w, `{"error":{"message":"max_tokens is not supported, use max_completion_tokens instead"}}`)
			return
		}
		_, _ = io.WriteString(w, `{"error":{"message":"go away"}}`)
	})
	if failure == nil || calls != 2 {
		t.Fatalf("%d calls, %v", calls, failure)
	}
	if sent, came := wire.Request(), wire.Answer(); !strings.Contains(sent, "max_completion_tokens") || !strings.Contains(came, "go away") || strings.Contains(came, "supported") {
		t.Errorf("sent was %q, and there came %q", sent, came)
	}
}

func TestAWireHoldsNoKey(t *testing.T) {
	t.Parallel()
	const before = `data: {"error":{"message":"wrong key: `
	byNumber, inBase64 := "", base64.StdEncoding.EncodeToString([]byte("Bearer "+canary))
	for _, c := range canary {
		byNumber += fmt.Sprintf(`\u%04x`, c)
	}
	for name, echo := range map[string]string{
		"raw": canary, "prefix": canary[:20] + "****", "in a query": url.QueryEscape(canary), "in a path": url.PathEscape(canary),
		"base64": inBase64, "by number": byNumber,
		"with its slashes escaped": strings.ReplaceAll(canary, "/", `\/`), "hidden by escapes": canary[:10] + "\x1b[0m\u200b" + canary[10:],
		"hidden by escapes by number": canary[:10] + `\u001b[0m\u200b` + canary[10:],
		"broken by what is read":      strings.Repeat("x", llm.WireBytes-len(before)-52) + inBase64,
		"broken by what is kept":      strings.Repeat("x", llm.WireBytes+wireSlack-len(before)-52) + inBase64,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, status := range []int{http.StatusOK, http.StatusUnauthorized} {
				wire, failure := asked(t, canary, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "is it " + echo + "?"}}},
					func(w http.ResponseWriter, _ *http.Request) {
						w.WriteHeader(status)
						_, _ = io.WriteString(w, before+echo+`"}}`+"\n\n")
					})
				if failure == nil {
					t.Fatal("the call did not fail")
				}
				for part, text := range map[string]string{"request": wire.Request(), "answer": wire.Answer()} {
					for _, leak := range []string{leaked(text), byNumber[:60], canary[12:], `\/` + canary[16:]} {
						if at := strings.Index(text, leak); leak != "" && at >= 0 {
							t.Errorf("%d: %q is in the %s: …%s", status, leak, part, text[max(at-40, 0):at+len(leak)])
						}
					}
					if len(text) > llm.WireBytes {
						t.Errorf("%d: the %s has %d bytes", status, part, len(text))
					}
				}
			}
		})
	}
}

// wireSlack is more than what is kept of an answer beyond what is given back.
const wireSlack = 8 << 10

func TestAWireIsCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("章", 100_000)
	wire, _ := asked(t, "", llm.Request{Messages: []llm.Message{{Role: llm.User, Text: long}}}, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, frames(`{"choices":[{"delta":{"content":"`+long+`"}}]}`))
	})
	for part, text := range map[string]string{"request": wire.Request(), "answer": wire.Answer()} {
		if len(text) > llm.WireBytes || len(text) < llm.WireBytes-wireSlack || strings.ContainsRune(text, '\ufffd') || !strings.HasSuffix(text, "bytes in all)") {
			t.Errorf("of the %s there are %d bytes: …%q", part, len(text), text[len(text)-40:])
		}
	}
}

func TestWithoutAWireNothingIsKept(t *testing.T) {
	t.Parallel()
	if w := llm.WireOf(t.Context()); w != nil {
		t.Errorf("there is %v", w)
	}
	var w llm.Wire
	if w.Request() != "" || w.Answer() != "" {
		t.Error("an unused one holds something")
	}
}

package chatapi

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"society-tui/llm"
)

func TestARefusedStatusIsClassified(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		class  llm.Class
		says   string
	}{
		"401":                {401, `{"error":{"message":"Incorrect API key"}}`, llm.Auth, "Incorrect API key"},
		"403":                {403, ``, llm.Auth, "forbidden"},
		"402":                {402, `{"error":{"message":"pay"}}`, llm.Quota, "pay"},
		"429":                {429, `{"error":{"message":"slow down","type":"tokens"}}`, llm.Rate, "slow down"},
		"429 no funds":       {429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, llm.Quota, "quota"},
		"429 tokens":         {429, `{"error":{"message":"exceeds the model's maximum context length per minute"}}`, llm.Rate, "per minute"},
		"529":                {529, `{"error":{"message":"overloaded"}}`, llm.Rate, "overloaded"},
		"408":                {408, ``, llm.Overload, "request timeout"},
		"409":                {409, ``, llm.Overload, "conflict"},
		"425":                {425, ``, llm.Overload, "too early"},
		"500":                {500, `Internal Server Error`, llm.Overload, "Internal Server Error"},
		"502 page":           {502, `<html><title>502 Bad Gateway</title></html>`, llm.Overload, "502 Bad Gateway"},
		"503 vllm":           {503, `{"object":"error","message":"loading","code":503}`, llm.Overload, "loading"},
		"400":                {400, `{"error":{"message":"bad value"}}`, llm.Invalid, "bad value"},
		"400 context":        {400, `{"error":{"message":"too long","code":"context_length_exceeded"}}`, llm.Context, "too long"},
		"400 llama.cpp":      {400, `{"error":{"message":"the request exceeds","type":"exceed_context_size_error"}}`, llm.Context, "exceeds"},
		"400 codex":          {400, `{"error":{"code":"context_too_large","message":"x"}}`, llm.Context, "x"},
		"413":                {413, ``, llm.Context, "request entity too large"},
		"500 llama.cpp":      {500, `{"error":{"message":"Context size has been exceeded."}}`, llm.Context, "Context size"},
		"404":                {404, `{"error":"model 'x' not found"}`, llm.NoModel, "model 'x' not found"},
		"404 page":           {404, `<html>nothing here</html>`, llm.NotChat, "nothing here"},
		"422 fastapi":        {422, `{"detail":[{"type":"missing","loc":["body","messages"],"msg":"Field required"}]}`, llm.Invalid, "Field required"},
		"204":                {204, ``, llm.NotChat, "no content"},
		"304":                {304, ``, llm.NotChat, "redirect"},
		"list of errors":     {400, `[{"error":{"message":"bad value","status":"INVALID_ARGUMENT"}}]`, llm.Invalid, "bad value"},
		"nothing but braces": {400, `{}`, llm.Invalid, "bad request"},
		"escape sequences":   {500, "\x1b]52;c;ZXZpbA==\x07\x1b[2Jbad\r\n\tgate\u202eway\u009b31m", llm.Overload, "bad gateway"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			})
			m := open(t, Config{BaseURL: server.URL})
			_, failure := listen(t, m.Generate(t.Context(), hello()))
			if failure == nil || failure.Class != c.class || failure.Status != c.status || !strings.Contains(failure.Text, c.says) {
				t.Errorf("got %+v, want %s %q", failure, c.class, c.says)
			}
		})
	}
}

func TestAnErrorFrameIsSeenWhileTheConnectionStaysOpen(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		_, _ = io.WriteString(w, "data: {\"error\":{\"message\":\"overloaded\"}}\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	m := open(t, Config{BaseURL: server.URL})
	expect(t, outcome{class: llm.Overload, says: "overloaded"}, m.Generate(t.Context(), hello()))
	<-gone
}

func TestAConnectionServesAgainAfterAWholeAnswer(t *testing.T) {
	t.Parallel()
	addresses := make(map[string]bool)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		addresses[r.RemoteAddr] = true
		_, _ = io.WriteString(w, sse(says("hi"), stop))
	})
	m := open(t, Config{BaseURL: server.URL})
	for range 5 {
		expect(t, sayHi, m.Generate(t.Context(), hello()))
	}
	if len(addresses) != 1 {
		t.Errorf("%d connections were opened for 5 answers, one after the other", len(addresses))
	}
}

func TestCancellingClosesTheConnectionWhereverTheAnswerIs(t *testing.T) {
	t.Parallel()
	for name, sent := range map[string]string{
		"before the headers": "", "before the first chunk": ": c\n\n", "after a chunk": frames(says("hi")),
		"in a line": frames(says("hi")) + "data: {", "after the reason to end": frames(says("hi"), stop),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arrived, gone := make(chan struct{}), make(chan struct{})
			server := serve(t, func(w http.ResponseWriter, r *http.Request) {
				defer close(gone)
				_, _ = io.Copy(io.Discard, r.Body) // else the server does not look whether the client is there
				if sent != "" {
					_, _ = io.WriteString(w, sent)
					_ = http.NewResponseController(w).Flush()
				}
				close(arrived)
				<-r.Context().Done()
			})
			m := open(t, Config{BaseURL: server.URL})
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-arrived
				cancel()
			}()
			var last error
			for c, err := range m.Generate(ctx, hello()) {
				if c.Done {
					t.Error("the answer ended")
				}
				last = err
			}
			if last != context.Canceled {
				t.Errorf("error %v", last)
			}
			<-gone
		})
	}
}

func TestLeavingClosesTheConnection(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		defer close(gone)
		_, _ = io.WriteString(w, frames(says("hi")))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	m := open(t, Config{BaseURL: server.URL})
	for range m.Generate(t.Context(), hello()) {
		break
	}
	<-gone
}

func TestAnEndlessErrorIsReadToItsBoundOnly(t *testing.T) {
	t.Parallel()
	written := make(chan int64, 1)
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		n, _ := io.Copy(w, neverEnding("<html>\x1b[2J"))
		written <- n
	})
	m := open(t, Config{BaseURL: server.URL})
	_, failure := listen(t, m.Generate(t.Context(), hello()))
	if failure == nil || failure.Class != llm.Overload || len(failure.Text) > 4*longestLine {
		t.Errorf("got %v", failure)
	}
	if n := <-written; n > 16<<20 {
		t.Errorf("%d bytes were taken of an endless error", n)
	}
}

// neverEnding repeats itself.
type neverEnding string

func (s neverEnding) Read(p []byte) (int, error) {
	return copy(p, bytes.Repeat([]byte(s), len(p)/len(s)+1)), nil
}

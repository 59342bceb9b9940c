package chatapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"

	"society-tui/llm"
	"society-tui/runtime/propertytest"
)

// chunksPerAnswer is how many chunks one answer of the benchmarks has.
const chunksPerAnswer = 1000

// recorded is an answer as a large provider sends it, token by token.
func recorded() string {
	var events []string
	for i := range chunksPerAnswer {
		events = append(events, fmt.Sprintf(`{"id":"chatcmpl-9vXhT2bq1nA7Yw3c5kLmZ0pQ","object":"chat.completion.chunk","created":1763712000,`+
			`"model":"some-model-2026-08-06","service_tier":"default","system_fingerprint":"fp_3aa7262c27","choices":[{"index":0,`+
			`"delta":{"content":" token %d"},"logprobs":null,"finish_reason":null}],"obfuscation":"x8Jk2"}`, i))
	}
	return sse(append(events, stop)...)
}

// BenchmarkChunk compares a chunk from the socket to us with the same chunk through
// go-openai alone. The figures are for one chunk.
func BenchmarkChunk(b *testing.B) {
	body := recorded()
	server := serve(b, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.Copy(w, strings.NewReader(body))
	})

	b.Run("go-openai", func(b *testing.B) {
		settings := openai.DefaultConfig("")
		settings.BaseURL = server.URL + "/v1"
		settings.HTTPClient = &http.Client{Transport: newTransport(reach{})}
		client := openai.NewClientWithConfig(settings)
		b.ReportAllocs()
		for n := 0; n < b.N; {
			stream, err := client.CreateChatCompletionStream(b.Context(), openai.ChatCompletionRequest{Model: "m", Stream: true})
			if err != nil {
				b.Fatal(err)
			}
			for ; n < b.N; n++ {
				if _, err := stream.Recv(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
			if err := stream.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("mended", func(b *testing.B) {
		m := open(b, Config{BaseURL: server.URL})
		b.ReportAllocs()
		for n := 0; n < b.N; {
			for _, err := range m.Generate(b.Context(), hello()) {
				if err != nil {
					b.Fatal(err)
				}
				if n++; n >= b.N {
					break
				}
			}
		}
	})
}

// longRequest is a request with 200 messages.
func longRequest() llm.Request {
	req := llm.Request{System: strings.Repeat("Be brief. ", 100), Messages: []llm.Message{{Role: llm.User, Text: "go"}}}
	for i := range 66 {
		id := fmt.Sprint("own-", i)
		req.Messages = append(
			req.Messages,
			llm.Message{Role: llm.Assistant, Text: "I look.", Calls: []llm.Call{{ID: id, ProviderID: "call-" + id, Name: "look", Arguments: `{"at":"it"}`}}},
			llm.Message{Role: llm.Tool, CallID: id, Text: strings.Repeat("what was found. ", 60)},
			llm.Message{Role: llm.User, Text: strings.Repeat("and then? ", 20)},
		)
	}
	return req
}

func TestALongRequestCostsFewAllocations(t *testing.T) {
	m := open(t, Config{BaseURL: "http://localhost"})
	req := longRequest()
	written := []byte(`{"model":"m","messages":null}`)
	most := 60.0 // one more a call would be 66
	if propertytest.Raced {
		most = 100
	}
	if got := testing.AllocsPerRun(5, func() {
		if _, err := withMessages(written, m.build(req, quirks{}).messages); err != nil {
			t.Fatal(err)
		}
	}); got > most {
		t.Errorf("a request of %d messages allocates %.0f times", len(req.Messages), got)
	}
}

// BenchmarkRequest compares building and encoding a request of 200 messages with encoding
// alone, as go-openai does it.
func BenchmarkRequest(b *testing.B) {
	req := longRequest()
	nowhere := &http.Client{Transport: stage{status: http.StatusOK}}
	m := open(b, Config{BaseURL: "http://localhost", Client: nowhere})
	sent := m.build(req, quirks{})
	own, err := json.Marshal(sent.messages)
	if err != nil {
		b.Fatal(err)
	}
	body := sent.body
	if err := json.Unmarshal(own, &body.Messages); err != nil {
		b.Fatal(err)
	}
	b.Run("go-openai", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(body); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for range m.Generate(b.Context(), req) { // the answer is empty at once
			}
		}
	})
}

// BenchmarkClassify judges errors of 4 KiB. What fits no sign, and names no number, is
// looked through for all of them.
func BenchmarkClassify(b *testing.B) {
	for name, c := range map[string]struct {
		status int
		text   string
	}{
		"nothing": {http.StatusBadRequest, "context 12,345 limit "}, "full": {http.StatusBadRequest, "prompt is too long "}, "busy": {http.StatusTooManyRequests, "retry in 5 "},
	} {
		body := []byte(`{"error":{"message":"` + strings.Repeat(c.text, longestText/len(c.text)) + `","code":400}}`)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				(redactor{}).classify(c.status, nil, body, served)
			}
		})
	}
}

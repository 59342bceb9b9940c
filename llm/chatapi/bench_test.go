package chatapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"
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

// BenchmarkChunk compares a chunk from the socket to us with the same chunk
// through go-openai alone (PERFORMANCE.md 13). The figures are for one chunk.
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
		settings.HTTPClient = &http.Client{Transport: newTransport()}
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

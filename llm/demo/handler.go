package demo

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"society-tui/llm"
	"society-tui/llm/demo/script"
)

// maxBody bounds what is read of a request.
const maxBody = 64 << 20

// Handler speaks the chat-completions protocol: POST /v1/chat/completions,
// streamed or whole, and GET /v1/models. It is as strict as the strictest endpoint: what any
// is known to refuse, such as a call that is not answered, it refuses with 400. It answers to
// any name of a model. It stops at once when the request's context ends. A Pace below 0 counts
// as 0.
func Handler(config Config) http.Handler {
	s := &server{config: config, failed: make(map[string]int)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	mux.HandleFunc("GET /v1/models", s.models)
	mux.HandleFunc("GET /v1/models/{id...}", s.model)
	mux.HandleFunc("/", refuseOther)
	return recovering(s.guarded(mux))
}

// guarded demands the key, as a bearer token or as Azure wants it.
func (s *server) guarded(next http.Handler) http.Handler {
	if s.config.Key == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		bearer, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		for _, given := range []string{bearer, r.Header.Get("Api-Key")} {
			if subtle.ConstantTimeCompare([]byte(given), []byte(s.config.Key)) == 1 {
				next.ServeHTTP(w, r)
				return
			}
		}
		text := "Incorrect API key provided."
		if bearer == "" && r.Header.Get("Api-Key") == "" {
			text = "You didn't provide an API key."
		}
		refuse(w, http.StatusUnauthorized, "invalid_api_key", text)
	})
}

// A server answers requests.
type server struct {
	config Config

	mu sync.Mutex
	// failed counts how often requests have failed that are to fail a few times
	// first. It is all that is remembered, and bounded by mostFailing.
	failed map[string]int
}

const mostFailing = 1024

// recovering turns a panic into an error of the protocol. If the answer has
// begun, its end is missing, which clients take for what it is.
func recovering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				refuse(w, http.StatusInternalServerError, "panic", fmt.Sprintf("the offline model has a fault: %v", p))
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// refuseOther refuses what the handler has no answer to.
func refuseOther(w http.ResponseWriter, r *http.Request) {
	method := map[string]string{"/v1/chat/completions": "POST", "/v1/models": "GET"}[r.URL.Path]
	if strings.HasPrefix(r.URL.Path, "/v1/models/") {
		method = "GET"
	}
	if method == "" {
		refuse(w, http.StatusNotFound, "unknown_url", "there is nothing here; ask POST /v1/chat/completions")
		return
	}
	w.Header().Set("Allow", method)
	refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "use "+method+" here")
}

// refuse writes an error in the protocol's form.
func refuse(w http.ResponseWriter, status int, code, text string) {
	kind := "invalid_request_error"
	if status >= http.StatusInternalServerError {
		kind = "server_error"
	}
	send(w, status, map[string]any{"error": map[string]any{"message": text, "type": kind, "param": nil, "code": code}})
}

// send writes v as the whole answer. Whoever does not take it is gone.
func send(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func (s *server) models(w http.ResponseWriter, _ *http.Request) {
	send(w, http.StatusOK, map[string]any{"object": "list", "data": []any{s.card()}})
}

// card returns what the list of models says of the model.
func (s *server) card() map[string]any {
	card := map[string]any{"id": ID, "object": "model", "created": 0, "owned_by": "society-tui"}
	if s.config.Window > 0 {
		card["context_window"] = s.config.Window
	}
	return card
}

func (s *server) model(w http.ResponseWriter, r *http.Request) {
	if id := r.PathValue("id"); id != ID {
		refuse(w, http.StatusNotFound, "model_not_found", fmt.Sprintf("the model %q does not exist; GET /v1/models lists those there are", id))
		return
	}
	send(w, http.StatusOK, s.card())
}

func (s *server) complete(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		status := http.StatusBadRequest
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			status = http.StatusRequestEntityTooLarge
		}
		refuse(w, status, "unreadable_body", "the body cannot be read: "+err.Error())
		return
	}
	in, request, wanted, err := decode(body)
	if err != nil {
		refuse(w, http.StatusBadRequest, "invalid_request", err.Error())
		return
	}
	if n := promptTokens(request); s.config.Window > 0 && n > s.config.Window {
		refuse(w, http.StatusBadRequest, "context_length_exceeded",
			fmt.Sprintf("the offline model's maximum context length is set to %d tokens, and the request takes %d", s.config.Window, n))
		return
	}
	wanted.heed(request)
	answer := wanted.fulfil(script.Answer(request), request.Tools)
	digest := digestOf(request)
	if n, fails := s.fails(digest, answer.Failures); fails {
		refuse(w, http.StatusInternalServerError, "demo_error", answer.Failure(n))
		return
	}
	for i := range answer.Calls {
		answer.Calls[i].ID = fmt.Sprintf("call_%s_%d", digest[:16], i)
	}
	speech := newSpeech(s.config.Pace, in, request, answer, digest)
	if in.Stream {
		speech.stream(r.Context(), w)
		return
	}
	send(w, http.StatusOK, speech.whole())
}

// fails reports whether a request is to fail this time, and for which time.
func (s *server) fails(digest string, times int) (int, bool) {
	if times == 0 {
		return 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed[digest] >= times {
		delete(s.failed, digest)
		return 0, false
	}
	if len(s.failed) >= mostFailing {
		clear(s.failed)
	}
	s.failed[digest]++
	return s.failed[digest], true
}

// digestOf identifies a request by everything that the model reads.
func digestOf(request llm.Request) string {
	hash := sha256.New()
	_ = json.NewEncoder(hash).Encode(request) // plain texts, read from JSON a moment ago
	return hex.EncodeToString(hash.Sum(nil))
}

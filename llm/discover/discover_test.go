package discover_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/llm/discover"
)

// A host is an endpoint that answers paths with fixed bodies, and 404 to all others.
type host struct {
	*httptest.Server

	mu    sync.Mutex
	asked []string
}

func serve(t *testing.T, bodies map[string]string) *host {
	t.Helper()
	h := &host{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, body := r.URL.Path, ""
		if r.Method == http.MethodPost {
			text, _ := io.ReadAll(r.Body)
			body = " " + string(text)
		}
		h.mu.Lock()
		h.asked = append(h.asked, path+body)
		h.mu.Unlock()
		answer, ok := bodies[path+body]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *host) config() chatapi.Config { return chatapi.Config{BaseURL: h.URL + "/v1"} }

// A known is what a test expects to be known of a model; an empty part is unknown.
type known struct {
	window                   int
	input, output            float64
	read, write              float64
	images, tools, reasoning string // "yes" or "no"
	efforts                  string
}

func of(f llm.Facts) known {
	word := func(f llm.Fact[bool]) string {
		switch {
		case !f.IsKnown():
			return ""
		case f.Value:
			return "yes"
		}
		return "no"
	}
	amount := func(p *float64) float64 {
		if p == nil {
			return 0
		}
		return *p
	}
	return known{
		window: f.Window.Value, input: f.Price.Value.Input, output: f.Price.Value.Output,
		read: amount(f.Price.Value.CacheRead), write: amount(f.Price.Value.CacheWrite),
		images: word(f.Images), tools: word(f.Tools), reasoning: word(f.Reasoning), efforts: strings.Join(f.Efforts.Value, " "),
	}
}

func TestEndpointsSayWhatTheirModelsCanDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bodies map[string]string
		server string
		want   map[string]known
	}{
		"OpenRouter: the smaller window": {
			bodies: map[string]string{"/v1/models": `{"data":[
				{"id":"google/gemini-x","canonical_slug":"google/gemini-x-0101","name":"Google: Gemini X","created":1755000000,"context_length":1048576,
				 "architecture":{"modality":"text+image->text","input_modalities":["text","image"],"output_modalities":["text"],"tokenizer":"Gemini"},
				 "pricing":{"prompt":"0.00000075","completion":"0.00000375","request":"0","image":"0","input_cache_read":"0.000000075","input_cache_write":"0.00000083333"},
				 "top_provider":{"context_length":1024000,"max_completion_tokens":65536,"is_moderated":false},
				 "supported_parameters":["max_tokens","reasoning","tools","temperature"],"reasoning":{"mandatory":true,"supported_efforts":["high","medium","low"]}},
				{"id":"small/free:free","context_length":32768,"architecture":{"input_modalities":["text"]},"pricing":{"prompt":"0","completion":"0"},"top_provider":{"context_length":null},"supported_parameters":["max_tokens"]},
				{"id":"openrouter/auto","context_length":2000000,"pricing":{"prompt":"-1","completion":"-1"},"top_provider":{"context_length":null}}]}`},
			want: map[string]known{
				"google/gemini-x": {window: 1_024_000, input: 0.75, output: 3.75, read: 0.075, write: 0.83333, images: "yes", tools: "yes", reasoning: "yes", efforts: "high medium low"},
				"small/free:free": {window: 32_768, images: "no", tools: "no", reasoning: "no"},
				"openrouter/auto": {window: 2_000_000},
			},
		},
		"vLLM": {
			bodies: map[string]string{"/v1/models": `{"object":"list","data":[{"id":"Qwen/Qwen3-8B","object":"model","created":1755000000,"owned_by":"vllm","root":"Qwen/Qwen3-8B","parent":null,"max_model_len":40960,"permission":[]}]}`},
			server: "vLLM", want: map[string]known{"Qwen/Qwen3-8B": {window: 40_960}},
		},
		"Groq": {
			bodies: map[string]string{"/v1/models": `{"object":"list","data":[{"id":"openai/gpt-oss-20b","object":"model","created":1754407957,"owned_by":"OpenAI","active":true,"context_window":131072,"public_apps":null,"max_completion_tokens":65536}]}`},
			want:   map[string]known{"openai/gpt-oss-20b": {window: 131_072}},
		},
		"Mistral": {
			bodies: map[string]string{"/v1/models": `{"object":"list","data":[{"id":"mistral-x","object":"model","created":1755000000,"owned_by":"mistralai","capabilities":{"completion_chat":true,"function_calling":true,"vision":false},"name":"mistral-x","max_context_length":131072,"aliases":[]}]}`},
			want:   map[string]known{"mistral-x": {window: 131_072, images: "no", tools: "yes"}},
		},
		"llama.cpp: what runs beats what was trained": {
			bodies: map[string]string{
				"/v1/models": `{"models":[{"name":"qwen.gguf"}],"object":"list","data":[{"id":"qwen.gguf","object":"model","created":1755000000,"owned_by":"llamacpp","meta":{"vocab_type":2,"n_vocab":151936,"n_ctx_train":40960,"n_embd":2560,"n_params":4022468096,"size":2490000000}}]}`,
				"/props":     `{"default_generation_settings":{"id":0,"n_ctx":8192,"params":{}},"total_slots":1,"model_path":"qwen.gguf","modalities":{"vision":false,"audio":false}}`,
			},
			server: "llama.cpp", want: map[string]known{"qwen.gguf": {window: 8192, images: "no"}},
		},
		"llama.cpp: the list says what runs": {
			bodies: map[string]string{"/v1/models": `{"data":[{"id":"a","owned_by":"llamacpp","meta":{"n_ctx":4096,"n_ctx_train":40960}}]}`},
			server: "llama.cpp", want: map[string]known{"a": {window: 4096}},
		},
		"llama.cpp: 0 is unknown": {
			bodies: map[string]string{
				"/v1/models": `{"data":[{"id":"a","owned_by":"llamacpp","meta":{"n_ctx_train":40960}}]}`,
				"/props":     `{"default_generation_settings":{"n_ctx":0}}`,
			},
			server: "llama.cpp", want: map[string]known{"a": {window: 40_960}},
		},
		"LM Studio: what is loaded, then the most": {
			bodies: map[string]string{
				"/v1/models": `{"data":[{"id":"openai/gpt-oss-20b","object":"model","owned_by":"organization_owner"},{"id":"qwen-vl","object":"model","owned_by":"organization_owner"}],"object":"list"}`,
				"/api/v1/models": `{"models":[
					{"type":"llm","publisher":"openai","key":"openai/gpt-oss-20b","display_name":"gpt-oss 20B","loaded_instances":[{"id":"openai/gpt-oss-20b","config":{"context_length":4096,"eval_batch_size":512}},{"id":"openai/gpt-oss-20b:2","config":{"context_length":8192}}],"max_context_length":131072,"format":"gguf","capabilities":{"vision":false,"trained_for_tool_use":true}},
					{"type":"llm","key":"qwen-vl","loaded_instances":[],"max_context_length":32768,"capabilities":{"vision":true,"trained_for_tool_use":false}}]}`,
			},
			server: "LM Studio", want: map[string]known{"openai/gpt-oss-20b": {window: 4096, images: "no", tools: "yes"}, "qwen-vl": {window: 32_768, images: "yes", tools: "no"}},
		},
		"LM Studio before 0.4": {
			bodies: map[string]string{
				"/v1/models":     `{"data":[{"id":"a","owned_by":"organization_owner"},{"id":"b","owned_by":"organization_owner"}]}`,
				"/api/v0/models": `{"object":"list","data":[{"id":"a","object":"model","type":"vlm","state":"loaded","max_context_length":131072,"loaded_context_length":4096},{"id":"b","type":"llm","state":"not-loaded","max_context_length":32768}]}`,
			},
			server: "LM Studio", want: map[string]known{"a": {window: 4096, images: "yes"}, "b": {window: 32_768, images: "no"}},
		},
		"Ollama: running, then told, then possible": {
			bodies: map[string]string{
				"/v1/models":                          `{"object":"list","data":[{"id":"gemma3:latest","object":"model","created":1755000000,"owned_by":"library"},{"id":"qwen3:8b","object":"model","created":1,"owned_by":"library"},{"id":"me/own:1","object":"model","created":1,"owned_by":"me"}]}`,
				"/api/ps":                             `{"models":[{"name":"gemma3:latest","model":"gemma3:latest","size":6591830464,"expires_at":"2026-11-01T00:00:00Z","size_vram":5333539264,"context_length":4096}]}`,
				`/api/show {"model":"gemma3:latest"}`: `{"parameters":"stop \"<end>\"\nnum_ctx                        16384","model_info":{"general.architecture":"gemma3","gemma3.context_length":131072},"capabilities":["completion","vision"]}`,
				`/api/show {"model":"qwen3:8b"}`:      `{"parameters":"num_ctx                        16384\ntemperature 0.6","model_info":{"general.architecture":"qwen3","general.parameter_count":8190735360,"qwen3.context_length":40960,"tokenizer.ggml.tokens":null},"capabilities":["completion","tools","thinking"]}`,
				`/api/show {"model":"me/own:1"}`:      `{"model_info":{"llama.context_length":8192}}`,
			},
			server: "Ollama", want: map[string]known{
				"gemma3:latest": {window: 4096, images: "yes", tools: "no", reasoning: "no"},
				"qwen3:8b":      {window: 16_384, images: "no", tools: "yes", reasoning: "yes"},
				"me/own:1":      {window: 8192},
			},
		},
		"Ollama that has only models of the user's": {
			bodies: map[string]string{
				"/v1/models": `{"data":[{"id":"own:1","owned_by":"me"}]}`, "/api/ps": `{"models":[]}`,
				`/api/show {"model":"own:1"}`: `{"model_info":{"llama.context_length":8192}}`,
			},
			server: "Ollama", want: map[string]known{"own:1": {window: 8192}},
		},
		"LiteLLM: the smallest of a name": {
			bodies: map[string]string{
				"/v1/models": `{"data":[{"id":"gpt-x","object":"model","created":1677610602,"owned_by":"openai"},{"id":"new","object":"model","created":1677610602,"owned_by":"openai"}],"object":"list"}`,
				"/model/info": `{"data":[
					{"model_name":"gpt-x","litellm_params":{"model":"azure/gpt-x"},"model_info":{"id":"1","max_tokens":16384,"max_input_tokens":128000,"input_cost_per_token":2.5e-06,"output_cost_per_token":1e-05,"cache_read_input_token_cost":1.25e-06,"cache_creation_input_token_cost":null,"supports_vision":true,"supports_function_calling":true,"supports_reasoning":false}},
					{"model_name":"gpt-x","litellm_params":{"model":"openai/gpt-x"},"model_info":{"id":"2","max_input_tokens":200000,"input_cost_per_token":2.5e-06,"output_cost_per_token":1e-05}},
					{"model_name":"new","model_info":{"id":"3","max_input_tokens":null,"input_cost_per_token":0,"output_cost_per_token":0,"supports_vision":null}}]}`,
			},
			server: "LiteLLM", want: map[string]known{
				"gpt-x": {window: 128_000, input: 2.5, output: 10, read: 1.25, images: "yes", tools: "yes", reasoning: "no"}, "new": {},
			},
		},
		"one that says nothing but names": {
			bodies: map[string]string{"/v1/models": `{"object":"list","data":[{"id":"a","object":"model"},{"id":"b"}]}`},
			want:   map[string]known{"a": {}, "b": {}},
		},
		"a list without a frame": {
			bodies: map[string]string{"/v1/models": `[{"id":"a","type":"chat","display_name":"A","context_length":8192},{"id":"e","type":"embedding"}]`},
			want:   map[string]known{"a": {window: 8192}},
		},
		"nonsense": {
			bodies: map[string]string{"/v1/models": `{"data":[{"id":"a","context_length":"8192","pricing":[],"architecture":"x","top_provider":7,"meta":null,"supported_parameters":{},"reasoning":true,"capabilities":["tools"],"owned_by":3},
				{"id":7},{"id":"bad\u001b[31m"},{"id":"","context_length":5},{"id":"b","context_length":-5},{"id":"c","context_length":1e300},{"id":"d","context_length":{"n":1}}]}`},
			want: map[string]known{"a": {window: 8192}, "b": {}, "c": {}, "d": {}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := discover.Models(t.Context(), serve(t, c.bodies).config())
			if err != nil || !got.Listed || got.Server != c.server || len(got.Models) != len(c.want) {
				t.Fatalf("got %+v, %v, want %d models of %q", got, err, len(c.want), c.server)
			}
			for _, m := range got.Models {
				if known := of(m.Facts); known != c.want[m.ID] {
					t.Errorf("of %s is known\n%+v, want\n%+v", m.ID, known, c.want[m.ID])
				}
				if w := m.Facts.Window; w.IsKnown() && (w.Source != llm.FromEndpoint || w.At.IsZero()) {
					t.Errorf("the window of %s comes from %q, %s", m.ID, w.Source, w.At)
				}
			}
		})
	}
}

func TestFreeModelOfOpenRouterHasAPrice(t *testing.T) {
	t.Parallel()
	got, err := discover.Models(t.Context(), serve(t, map[string]string{"/v1/models": `{"data":[{"id":"a","context_length":1024,"pricing":{"prompt":"0","completion":"0"}},{"id":"b","context_length":1024,"pricing":{"prompt":"-1","completion":"-1"}}]}`}).config())
	if err != nil || !got.Facts("a").Price.IsKnown() || got.Facts("b").Price.IsKnown() {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestFactsAreThoseOfTheModelAsItIsAsked(t *testing.T) {
	t.Parallel()
	one := discover.Model{ID: "gemma3:latest", Facts: llm.Facts{Window: llm.Fact[int]{Value: 4096, Source: llm.FromEndpoint}}}
	for _, c := range []struct {
		server, id string
		known      bool
	}{{"", "gemma3:latest", true}, {"", "gemma3", false}, {"Ollama", "gemma3", true}, {"Ollama", "gemma", false}, {"llama.cpp", "any", true}} {
		if got := (discover.Result{Server: c.server, Models: []discover.Model{one}}).Facts(c.id).Window.IsKnown(); got != c.known {
			t.Errorf("%q of %q is known: %t", c.id, c.server, got)
		}
	}
}

func TestEndpointWithoutAListIsNoError(t *testing.T) {
	t.Parallel()
	got, err := discover.Models(t.Context(), serve(t, nil).config())
	if err != nil || got.Listed || len(got.Models) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWhatAnEndpointDoesInsteadOfListing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		class  llm.Class
	}{
		"a wrong key":          {http.StatusUnauthorized, `{"error":{"message":"no"}}`, llm.Auth},
		"a web page":           {http.StatusOK, `<html>welcome</html>`, llm.NotChat},
		"a redirect":           {http.StatusFound, ``, llm.NotChat},
		"a list without end":   {http.StatusOK, `{"data":[` + strings.Repeat(" ", 2<<20), llm.Overload},
		"a failure of its own": {http.StatusBadGateway, ``, llm.Overload},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			elsewhere := serve(t, nil)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "Bearer sk-canary" {
					t.Errorf("it was sent %q", r.Header.Get("Authorization"))
				}
				w.Header().Set("Location", elsewhere.URL+"/v1/models")
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			t.Cleanup(server.Close)
			_, err := discover.Models(t.Context(), chatapi.Config{BaseURL: server.URL + "/v1", Key: "sk-canary"})
			if e, ok := errors.AsType[*llm.Error](err); !ok || e.Class != c.class || strings.Contains(e.Text, "canary") {
				t.Errorf("%v, want one of class %s", err, c.class)
			}
			if len(elsewhere.asked) > 0 {
				t.Errorf("it followed to %q", elsewhere.asked)
			}
		})
	}
}

func TestListIsGivenUpWithItsContext(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := discover.Models(ctx, chatapi.Config{BaseURL: server.URL}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}

// Whoever has told its windows is asked nothing else, and one that is wanted is asked first.
func TestNoMoreIsAskedThanIsNeeded(t *testing.T) {
	t.Parallel()
	h := serve(t, map[string]string{"/v1/models": `{"data":[{"id":"a","context_length":8192}]}`})
	if _, err := discover.Models(t.Context(), h.config()); err != nil || !slices.Equal(h.asked, []string{"/v1/models"}) {
		t.Errorf("it was asked %q, %v", h.asked, err)
	}
	var list []string
	for _, id := range strings.Split(strings.Repeat("x ", 60), " ") {
		list = append(list, `{"id":"`+id+strings.Repeat("y", len(list))+`","owned_by":"library"}`)
	}
	h = serve(t, map[string]string{"/v1/models": `{"data":[` + strings.Join(list, ",") + `,{"id":"mine:latest","owned_by":"library"}]}`, "/api/ps": `{"models":[]}`})
	config := h.config()
	config.Model = "mine"
	if _, err := discover.Models(t.Context(), config); err != nil || len(h.asked) != 43 || h.asked[2] != `/api/show {"model":"mine:latest"}` {
		t.Errorf("it was asked %d things: %q, %v", len(h.asked), h.asked, err)
	}
}

func TestAddressThatCannotBeAskedIsAnError(t *testing.T) {
	t.Parallel()
	_, err := discover.Models(t.Context(), chatapi.Config{BaseURL: "ftp://example.com"})
	if e, ok := errors.AsType[*llm.Error](err); !ok || e.Class != llm.Invalid || !strings.Contains(e.Text, "ftp") {
		t.Errorf("%v", err)
	}
}

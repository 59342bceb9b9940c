package demo_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"society-tui/llm"
	"society-tui/llm/demo"
	"society-tui/llm/llmtest"
)

// holds fails the test unless text has each of the pieces.
func holds(t *testing.T, text string, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		if !strings.Contains(text, p) {
			t.Errorf("%q is not in:\n%s", p, text)
		}
	}
}

// tools are some of those that a society offers.
func tools() []llm.ToolSpec {
	return []llm.ToolSpec{{Name: "send_message", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)}}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTheModelKeepsThePromisesOfAModel(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, func(t *testing.T) llm.Model { return open(t, 0) })
}

func open(t *testing.T, pace time.Duration) llm.Model {
	t.Helper()
	m, err := demo.New(demo.Config{Pace: pace})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ask reads an answer to its end.
func ask(ctx context.Context, m llm.Model, req llm.Request) (text string, last llm.Chunk, err error) {
	for chunk, err := range m.Generate(ctx, req) {
		if err != nil {
			return text, last, err
		}
		text += chunk.Text
		last = chunk
	}
	return text, last, nil
}

// post asks a handler and returns what it wrote.
func post(t *testing.T, h http.Handler, body string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/chat/completions", strings.NewReader(body)))
	return w
}

const rootAsks = `{"model":"m","stream":%t,"stream_options":{"include_usage":true},"messages":[
 {"role":"system","content":"You are agent root, role \"root\", in a society of AI agents led by a person."},
 {"role":"user","content":[{"type":"text","text":"[Message from the user]\n5 names for a dog"}]}],
 "tools":[{"type":"function","function":{"name":"list_roles","parameters":{"type":"object","properties":{}}}},
  {"type":"function","function":{"name":"create_role","parameters":{"type":"object","properties":{}}}},
  {"type":"function","function":{"name":"spawn_agent","parameters":{"type":"object","properties":{}}}}]%s}`

func TestAStreamIsWellFormed(t *testing.T) {
	t.Parallel()
	w := post(t, demo.Handler(demo.Config{}), fmt.Sprintf(rootAsks, true, ""))
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/event-stream" {
		t.Fatalf("status %d, %v", w.Code, w.Header())
	}
	var text, name, arguments, finish string
	var frames, usages int
	lines := bufio.NewScanner(bytes.NewReader(w.Body.Bytes()))
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var chunk struct {
			Object  string
			Choices []struct {
				Delta struct {
					Role, Content string
					ToolCalls     []struct {
						Index    int
						ID       string
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
				FinishReason string `json:"finish_reason"`
			}
			Usage *struct {
				Total int `json:"total_tokens"`
			}
		}
		if err := json.Unmarshal([]byte(data), &chunk); err != nil || chunk.Object != "chat.completion.chunk" {
			t.Fatalf("frame %s: %v", data, err)
		}
		frames++
		if chunk.Usage != nil && len(chunk.Choices) == 0 && chunk.Usage.Total > 10 {
			usages++
		}
		for _, c := range chunk.Choices {
			if (frames == 1) != (c.Delta.Role == "assistant") {
				t.Errorf("frame %d has the role %q", frames, c.Delta.Role)
			}
			text += c.Delta.Content
			finish += c.FinishReason
			for _, call := range c.Delta.ToolCalls {
				name += call.Function.Name
				arguments += call.Function.Arguments
			}
		}
	}
	holds(t, text, "offline demo model", "“5 names for a dog”")
	if name != "list_roles" || arguments != "{}" || finish != "tool_calls" || usages != 1 {
		t.Errorf("name %q, arguments %q, finish %q, %d usages", name, arguments, finish, usages)
	}
	if !strings.HasSuffix(w.Body.String(), "data: [DONE]\n\n") || frames < 20 {
		t.Errorf("%d frames, end %q", frames, w.Body.String()[w.Body.Len()-40:])
	}
}

func TestAnAnswerInOneIsTheStreamInOne(t *testing.T) {
	t.Parallel()
	w := post(t, demo.Handler(demo.Config{Pace: time.Hour}), fmt.Sprintf(rootAsks, false, ""))
	holds(t, w.Body.String(), `"object":"chat.completion"`, `"model":"m"`, "offline demo model", `"name":"list_roles"`, `"finish_reason":"tool_calls"`, `"total_tokens":`, `"arguments":"{}"`)
	again := post(t, demo.Handler(demo.Config{}), fmt.Sprintf(rootAsks, false, ""))
	if w.Body.String() != again.Body.String() {
		t.Errorf("the same request has two answers:\n%s\n%s", w.Body, again.Body)
	}
	streams := [2]string{}
	for i := range streams {
		streams[i] = post(t, demo.Handler(demo.Config{}), fmt.Sprintf(rootAsks, true, "")).Body.String()
	}
	if streams[0] != streams[1] {
		t.Error("the same request has two streams")
	}
}

func TestLimitsAndChoicesOfARequestHold(t *testing.T) {
	t.Parallel()
	h := demo.Handler(demo.Config{})
	holds(t, post(t, h, fmt.Sprintf(rootAsks, false, `,"max_tokens":30`)).Body.String(), `"finish_reason":"length"`, `"completion_tokens":`)
	free := post(t, h, fmt.Sprintf(rootAsks, false, `,"tool_choice":"none"`)).Body.String()
	holds(t, free, `"finish_reason":"stop"`, "I did it myself", "I have no tools here to create agents")
	chat := post(t, h, `{"messages":[{"role":"user","content":"5 names for a dog"}]}`).Body.String()
	holds(t, chat, "Collect three times as many")
	holds(t, post(t, h, `{"messages":[{"role":"system","content":"Summarise what you are given."},{"role":"user","content":"A cat sat. A dog ran after the cat. It rained."}]}`).Body.String(), "### Steps", "### Risks")
}

func TestMistakesAreAnsweredInTheProtocolsForm(t *testing.T) {
	t.Parallel()
	h := demo.Handler(demo.Config{})
	for body, want := range map[string]string{
		"nonsense":        "no chat request",
		`{"messages":[]}`: "messages is empty",
		`{"messages":[{"role":"wizard","content":"x"}]}`:      "unknown role",
		`{"messages":[{"role":"user","content":7}]}`:          "messages.content",
		`{"n":2,"messages":[{"role":"user","content":"x"}]}`:  "n is more than 1",
		`{"max_tokens":-1,"messages":[{"role":"user"}]}`:      "less than 0",
		`{"messages":[{"role":"user","content":"x"}],"n":""}`: "no chat request",
		`{"messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{}},"required":[]}}}]}`: `tool "f": parameters.a is of type ""`,
	} {
		w := post(t, h, body)
		var answer struct {
			Error struct{ Message, Type, Code string }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusBadRequest ||
			!strings.Contains(answer.Error.Message, want) || answer.Error.Type != "invalid_request_error" || answer.Error.Code == "" {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	for request, status := range map[string]int{
		"GET /v1/models": 200, "POST /v1/models": 405, "GET /v1/chat/completions": 405, "GET /": 404, "POST /v1/embeddings": 404,
	} {
		method, path, _ := strings.Cut(request, " ")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, nil))
		if w.Code != status || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: %d %s", request, w.Code, w.Body)
		}
	}
	if _, err := demo.New(demo.Config{Pace: -1}); err == nil {
		t.Error("a pace below 0 was accepted")
	}
}

func TestAnErrorForShowComesTwiceAndThenTheAnswer(t *testing.T) {
	t.Parallel()
	m := open(t, 0)
	req := llm.Request{
		System:   "You are agent critic-1, role \"Critic\", in a society of AI agents led by a person.",
		Messages: []llm.Message{{Role: llm.User, Text: "[Message from the user]\nshow an error"}}, Tools: tools(),
	}
	for i := range 6 {
		_, _, err := ask(t.Context(), m, req)
		failed := llm.AsError(orNil(err))
		if i%3 == 2 {
			if err != nil {
				t.Fatalf("try %d: %v", i, err)
			}
			continue
		}
		if err == nil || failed.Status != 500 || !failed.Class.Retryable() || !strings.Contains(failed.Text, "for show") {
			t.Fatalf("try %d: %v", i, err)
		}
	}
}

func TestAShownErrorIsInTheLanguageOfTheRequest(t *testing.T) {
	t.Parallel()
	_, _, err := ask(t.Context(), open(t, 0), llm.Request{
		System:   "You are agent critic-1, role \"Critic\", in a society of AI agents led by a person.",
		Messages: []llm.Message{{Role: llm.User, Text: "[Message from the user]\n请演示错误"}}, Tools: tools(),
	})
	if failed := llm.AsError(orNil(err)); !strings.Contains(failed.Text, "应你的要求演示的错误（2 次中的第 1 次）") {
		t.Fatalf("got %q", failed.Text)
	}
}

func orNil(err error) error {
	if err == nil {
		return errors.New("none")
	}
	return err
}

func TestASlowAnswerTakesAboutAMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		text, last, err := ask(t.Context(), open(t, demo.DefaultPace), llm.Request{
			System: "You are agent root, role \"root\", in a society of AI agents led by a person.", Messages: []llm.Message{{Role: llm.User, Text: "[Message from the user]\ntake your time"}},
		})
		if took := time.Since(start); err != nil || took < 50*time.Second || took > 70*time.Second || last.Finish != llm.FinishStop {
			t.Errorf("took %v, %v, %q", took, err, text)
		}
	})
}

func TestACancelledAnswerEndsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		pieces := 0
		var failed error
		for chunk, err := range open(t, time.Second).Generate(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}}) {
			if failed = err; err != nil {
				break
			}
			if pieces++; chunk.Text != "" && pieces == 4 {
				cancel()
			}
		}
		cancel()
		if !errors.Is(failed, context.Canceled) || time.Since(start) > 5*time.Second {
			t.Errorf("after %v: %v", time.Since(start), failed)
		}
		synctest.Wait() // Test fails if a goroutine is left in the bubble
	})
}

func TestLeavingAStreamEarlyLeaksNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for range open(t, time.Hour).Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}}) {
			break
		}
	})
}

func TestServeEndsWithItsContext(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- demo.Serve(ctx, listener, demo.Config{Pace: 20 * time.Millisecond}) }()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	models, err := client.Get("http://" + addr + "/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	list, _ := io.ReadAll(models.Body)
	models.Body.Close()
	holds(t, string(list), demo.ID)

	stream, err := client.Post("http://"+addr+"/v1/chat/completions", "application/json", strings.NewReader(`{"stream":true,"messages":[{"role":"user","content":"take your time"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	if _, err := stream.Body.Read(make([]byte, 64)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Serve ended with %v", err)
	}
	rest, _ := io.ReadAll(stream.Body)
	if bytes.Contains(rest, []byte("[DONE]")) {
		t.Error("the answer went on to its end")
	}
}

// A window can be set, so that a user can see what becomes of a full context.
func TestARequestAboveTheWindowIsRefusedAsTooLong(t *testing.T) {
	t.Parallel()
	m, err := demo.New(demo.Config{Window: 100})
	if err != nil {
		t.Fatal(err)
	}
	say := func(n int) error {
		_, _, err := ask(t.Context(), m, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: strings.Repeat("word ", n)}}})
		return err
	}
	if err := say(50); err != nil {
		t.Errorf("what fits is refused: %v", err)
	}
	if err := say(500); err == nil || llm.AsError(err).Class != llm.Context {
		t.Errorf("what is too long: %v", err)
	}
}

// Nobody reads a summary of the context along.
func TestASummaryIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := open(t, time.Second)
		long := "[Message from the user]\n" + strings.Repeat("a plan for a house ", 200)
		begun := time.Now()
		text, _, err := ask(t.Context(), m, llm.Request{
			System:   `You are agent root, role "root", in a society of AI agents led by a person.`,
			Messages: []llm.Message{{Role: llm.User, Text: long}, {Role: llm.Assistant, Text: "done"}, {Role: llm.User, Text: long}, {Role: llm.User, Text: "Summarise this history for yourself, so that you can go on with nothing but the summary."}},
		})
		if took := time.Since(begun); err != nil || len(text) < 1000 || took > 0 {
			t.Errorf("%d bytes after %v, %v", len(text), took, err)
		}
	})
}

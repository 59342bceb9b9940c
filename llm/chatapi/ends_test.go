package chatapi

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
)

func finished(word string) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, word)
}

func TestEachWordForAnEndMeansOneThing(t *testing.T) {
	t.Parallel()
	rows := []row{
		{name: "an unknown word", body: sse(says("hi"), finished("BORED\u200b")), want: outcome{text: "hi", finish: llm.FinishUnknown, word: "BORED"}},
		{name: "an unknown word with calls", body: sse(says("hi"), calls(piece(0, "a", "f", "{}")), finished("bored")), want: outcome{
			text: "hi", class: llm.Empty, truncated: true, says: "unknown reason (bored)",
		}},
		{name: "a full window", body: sse(says("hi"), finished("model_context_window_exceeded")), want: outcome{text: "hi", class: llm.Context, truncated: true}},
		{name: "thoughts up to the limit", body: sse(chunk(`{"reasoning_content":"so"}`), finished("length"), `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}`), want: outcome{
			reasoning: "so", finish: llm.FinishLength, usage: llm.Usage{InputTokens: 7, OutputTokens: 2},
		}},
		{name: "null, with calls", body: sse(calls(piece(0, "a", "f", "{}"))), want: callsOf(`f({})#a`)},
	}
	for class, list := range broken {
		for _, word := range list {
			rows = append(rows, row{name: word, body: sse(says("hi"), finished(word)), want: outcome{text: "hi", class: class, truncated: true, says: word}})
		}
	}
	for finish, list := range words {
		for _, word := range append(slices.Clone(list), strings.ToUpper(list[0])) {
			rows = append(rows, row{name: word, body: sse(says("hi"), finished(word)), want: outcome{text: "hi", finish: finish}})
		}
	}
	asRows(t, rows)
}

// An answer of nothing is an error, but it was paid for.
func TestAnErrorKeepsTheTokensThatWereCounted(t *testing.T) {
	t.Parallel()
	counted := `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}`
	for name, body := range map[string]string{
		"empty":                     sse(finished("stop"), counted),
		"thoughts only":             sse(chunk(`{"reasoning_content":"so"}`), finished("stop"), counted),
		"an unknown end with calls": sse(calls(piece(0, "a", "f", "{}")), finished("bored"), counted),
	} {
		server := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
		var last llm.Chunk
		var failed error
		for last, failed = range open(t, Config{BaseURL: server.URL}).Generate(t.Context(), hello()) {
		}
		if llm.AsError(failed).Class != llm.Empty || last.Usage != (llm.Usage{InputTokens: 7, OutputTokens: 2}) {
			t.Errorf("%s: %+v beside %v", name, last, failed)
		}
	}
}

// asRows reads each of the streams through a model.
func asRows(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			server := serve(t, func(w http.ResponseWriter, _ *http.Request) { r.write(w) })
			req := hello()
			for _, name := range []string{"read", "f", "21st_x"} {
				req.Tools = append(req.Tools, llm.ToolSpec{Name: name})
			}
			expect(t, r.want, open(t, Config{BaseURL: server.URL}).Generate(t.Context(), req))
		})
	}
}

func TestACallThatIsSentTwiceIsMadeOnce(t *testing.T) {
	t.Parallel()
	asRows(t, []row{
		{name: "the same twice", body: sse(calls(piece(0, "a", "f", `{"x":1}`)), calls(piece(1, "a", "f", `{"x": 1}`)), called), want: callsOf(`f({"x":1})#a`)},
		{name: "empty and full", body: sse(calls(piece(0, "a", "f", `{}`)), calls(piece(1, "a", "f", `{"x":1}`)), called), want: callsOf(`f({"x":1})#a`)},
		{name: "full and empty", body: sse(calls(piece(0, "a", "f", `{"x":1}`)), calls(piece(1, "a", "f", ``)), called), want: callsOf(`f({"x":1})#a`)},
		{name: "other arguments", body: sse(calls(piece(0, "a", "f", `{"x":1}`)), calls(piece(1, "a", "f", `{"x":2}`)), called), want: callsOf(`f({"x":1})#a`, `f({"x":2})#a`)},
		{name: "another tool", body: sse(calls(piece(0, "a", "f", `{}`)), calls(piece(1, "a", "read", `{}`)), called), want: callsOf(`f({})#a`, `read({})#a`)},
	})
}

func TestAnIDThatComesAgainInAnotherRoundIsAnotherCall(t *testing.T) {
	t.Parallel()
	rec := record(t, func(int, string) (int, string) {
		return http.StatusOK, sse(calls(piece(0, "functions.f:0", "f", "{}")), called)
	})
	m := open(t, Config{BaseURL: rec.URL})
	for range 2 {
		expect(t, callsOf(`f({})#functions.f:0`), m.Generate(t.Context(), hello()))
	}
}

func TestNamesOfToolsAreFoundWithoutWhatStandsAroundThem(t *testing.T) {
	t.Parallel()
	var rows []row
	for name, want := range map[string]string{
		"functions.read": "read", "default_api.read": "read", "default_api:read": "read", "tools.read": "read", "read:0": "read",
		"functions.read:12": "read", "read<|channel|>commentary": "read", " read ": "read", "functions.functions.read": "read",
		"functions.reads": "functions.reads", "read.f": "read.f", "21st_x": "21st_x", sentName("21st_x"): "21st_x", "Read": "Read",
	} {
		rows = append(rows, row{name: name, body: sse(calls(piece(0, "a", name, "{}")), called), want: callsOf(want + "({})#a")})
	}
	asRows(t, rows)
}

func TestWhatFollowsTheReasonToEndCounts(t *testing.T) {
	t.Parallel()
	usage := `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}`
	counted := llm.Usage{InputTokens: 7, OutputTokens: 2}
	asRows(t, []row{
		{name: "usage", body: sse(says("hi"), stop, usage), want: outcome{text: "hi", finish: llm.FinishStop, usage: counted}},
		{name: "text", body: sse(says("h"), stop, says("i"), usage), want: outcome{text: "hi", finish: llm.FinishStop, usage: counted}},
		{name: "calls", body: sse(says("hi"), stop, calls(piece(0, "a", "f", "{}")), usage), want: outcome{text: "hi", calls: []string{"f({})#a"}, finish: llm.FinishStop, usage: counted}},
		{
			name: "a signature", body: sse(says("hi"), stop, chunk(`{"thinking_blocks":[{"type":"thinking","thinking":"","signature":"s"}]}`)),
			want: outcome{text: "hi", finish: llm.FinishStop, extra: `{"thinking_blocks":[{"signature":"s","thinking":"","type":"thinking"}]}`},
		},
		{name: "empty counts", body: sse(says("hi"), stop, usage, `{"choices":[],"usage":{}}`), want: outcome{text: "hi", finish: llm.FinishStop, usage: counted}},
	})
}

// Comments that go on for ever do not keep an answer open that has ended.
func TestAfterTheReasonToEndThereAreTwoSeconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		drips := stage{status: 200, wait: 1500 * time.Millisecond, pieces: []string{frames(says("hi"), stop), ": c\n\n", ": c\n\n", ": c\n\n", frames(says("!"))}}
		m, err := New(Config{BaseURL: "http://localhost", Model: "m", Client: &http.Client{Transport: drips}})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		expect(t, sayHi, m.Generate(t.Context(), hello()))
		if took, want := time.Since(began), 1500*time.Millisecond+2*time.Second; took != want {
			t.Errorf("it took %s, want %s", took, want)
		}
	})
}

func TestBlocksOfThoughtsArePutTogether(t *testing.T) {
	t.Parallel()
	asRows(t, []row{{
		name: "two blocks", body: sse(
			chunk(`{"reasoning_content":"so","thinking_blocks":[{"type":"thinking","thinking":"s","signature":""}]}`),
			chunk(`{"thinking_blocks":[{"type":"thinking","thinking":"o","signature":null}]}`),
			chunk(`{"thinking_blocks":[{"type":"thinking","thinking":"","signature":"sig"}]}`),
			chunk(`{"thinking_blocks":[{"type":"redacted_thinking","data":"zz"}]}`),
			chunk(`{"thinking_blocks":[{"type":"thinking","thinking":"more","signature":"gis"}]}`),
			says("hi"), stop,
		),
		want: outcome{text: "hi", reasoning: "so", finish: llm.FinishStop, extra: `{"thinking_blocks":[{"signature":"sig","thinking":"so","type":"thinking"},` +
			`{"data":"zz","type":"redacted_thinking"},{"signature":"gis","thinking":"more","type":"thinking"}]}`},
	}})
}

func TestTheTotalDecidesWhatAnAnswerTook(t *testing.T) {
	t.Parallel()
	var rows []row
	for counts, want := range map[string]llm.Usage{
		`"prompt_tokens":100,"completion_tokens":20,"total_tokens":120,"prompt_tokens_details":{"cached_tokens":80}`:          {InputTokens: 100, OutputTokens: 20, CachedTokens: 80},
		`"prompt_tokens":100,"completion_tokens":20,"total_tokens":200,"cached_tokens":80`:                                    {InputTokens: 180, OutputTokens: 20, CachedTokens: 80},
		`"prompt_tokens":100,"completion_tokens":20,"total_tokens":150,"completion_tokens_details":{"reasoning_tokens":30}`:   {InputTokens: 100, OutputTokens: 50, ReasoningTokens: 30},
		`"prompt_tokens":100,"completion_tokens":50,"total_tokens":150,"completion_tokens_details":{"reasoning_tokens":30}`:   {InputTokens: 100, OutputTokens: 50, ReasoningTokens: 30},
		`"prompt_tokens":100,"completion_tokens":20,"total_tokens":230,"cached_tokens":80,"reasoning_tokens":30`:              {InputTokens: 180, OutputTokens: 50, CachedTokens: 80, ReasoningTokens: 30},
		`"prompt_tokens":100,"completion_tokens":20,"total_tokens":137`:                                                       {InputTokens: 117, OutputTokens: 20},
		`"input_tokens":10,"output_tokens":20,"cache_read_input_tokens":80,"cache_creation_input_tokens":5`:                   {InputTokens: 95, OutputTokens: 20, CachedTokens: 80, CacheWriteTokens: 5},
		`"prompt_tokens":95,"completion_tokens":20,"total_tokens":115,"cache_creation_input_tokens":5`:                        {InputTokens: 95, OutputTokens: 20, CacheWriteTokens: 5},
		`"prompt_tokens":100,"completion_tokens":20,"total_tokens":5`:                                                         {InputTokens: 0, OutputTokens: 20},
		`"prompt_tokens":100,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":0,"cache_write_tokens":100}`:     {InputTokens: 100, OutputTokens: 20, CacheWriteTokens: 100},
		`"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"completion_tokens_details":null,"prompt_tokens_details":7`: {InputTokens: 1, OutputTokens: 2},
	} {
		rows = append(rows, row{name: counts, body: sse(says("hi"), stop, `{"choices":[],"usage":{`+counts+`}}`), want: outcome{text: "hi", finish: llm.FinishStop, usage: want}})
	}
	rows = append(rows, row{
		name: "a cost", body: sse(says("hi"), stop, `{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"cost":0.00123}}`),
		want: outcome{text: "hi", finish: llm.FinishStop, cost: 0.00123, usage: llm.Usage{InputTokens: 1, OutputTokens: 2}},
	}, row{
		name: "a cost in parts", body: sse(says("hi"), stop, `{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"cost":{"input_tokens_cost":1,"total_cost":3}}}`),
		want: outcome{text: "hi", finish: llm.FinishStop, cost: 3, usage: llm.Usage{InputTokens: 1, OutputTokens: 2}},
	})
	asRows(t, rows)
}

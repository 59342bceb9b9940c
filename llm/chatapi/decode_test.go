package chatapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	openai "github.com/sashabaranov/go-openai"
	"pgregory.net/rapid"

	"society-tui/llm"
)

// decode reads the body of an answer as Generate does, but without a network or
// go-openai in between: it is the whole of what happens to foreign bytes.
func decode(src io.Reader, private redactor) iter.Seq2[llm.Chunk, error] {
	return read(unwatched(src, private), origin{})
}

func unwatched(src io.Reader, private redactor) *streamNormalizer {
	return newStreamNormalizer(&watched{Reader: src, watch: newWatch(0, func(error) {})}, private)
}

// Read lets go-openai read the canonical chunks, to which its own decoder is an independent
// judge. It excludes next.
func (m *streamNormalizer) Read(p []byte) (int, error) {
	for m.gone == len(m.out) {
		if m.err != nil {
			return 0, m.err
		}
		m.out, m.gone = m.out[:0], 0
		m.step()
	}
	n := copy(p, m.out[m.gone:])
	m.gone += n
	return n, nil
}

// mendedFor gives go-openai a body as it would come from the network.
type mendedFor string

// Do implements openai.HTTPDoer.
func (body mendedFor) Do(*http.Request) (*http.Response, error) {
	m := unwatched(strings.NewReader(string(body)), redactor{})
	return &http.Response{StatusCode: http.StatusOK, Body: &normalizedBody{streamNormalizer: m, body: io.NopCloser(nil)}}, nil
}

// receive reads a body with go-openai's own decoder, which is strict.
func receive(ctx context.Context, body string) (text string, err error) {
	settings := openai.DefaultConfig("")
	settings.HTTPClient = mendedFor(body)
	stream, err := openai.NewClientWithConfig(settings).CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{Model: "m"})
	if err != nil {
		return "", err
	}
	defer stream.Close()
	for {
		c, err := stream.Recv()
		if err != nil {
			return text, err
		}
		text += c.Choices[0].Delta.Content + c.Choices[0].Delta.Refusal
	}
}

// allRows are the streams of this package that are not of megabytes.
func allRows() []row {
	all := slices.Concat(callRows(), textRows(), endRows(), errorRows(), frameRows(), bodyRows())
	return slices.DeleteFunc(all, func(r row) bool { return len(r.body) > 64<<10 })
}

func FuzzDecode(f *testing.F) {
	for _, r := range allRows() {
		f.Add([]byte(r.body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		whole, failure := listen(t, decode(bytes.NewReader(body), redactor{}))
		bytewise, again := listen(t, decode(iotest.OneByteReader(bytes.NewReader(body)), redactor{}))
		if fmt.Sprintf("%+v", whole) != fmt.Sprintf("%+v", bytewise) || fmt.Sprint(failure) != fmt.Sprint(again) {
			t.Errorf("how the bytes arrive makes a difference:\n%+v %v\n%+v %v", whole, failure, bytewise, again)
		}
		text, err := receive(t.Context(), string(body))
		if _, typed := errors.AsType[*llm.Error](err); !typed && !errors.Is(err, io.EOF) {
			t.Errorf("go-openai cannot read what was mended: %v", err)
		}
		if text != whole.text {
			t.Errorf("go-openai reads %q, we read %q", text, whole.text)
		}
	})
}

// Of 985 early cuts go-openai took all for a sound end.
func TestNoCutIsTakenForTheEnd(t *testing.T) {
	t.Parallel()
	cuts := 0
	for _, r := range allRows() {
		if r.want.class != "" || len(r.body) > 4<<10 {
			continue
		}
		for at := range r.body {
			got, failure := listen(t, decode(strings.NewReader(r.body[:at]), redactor{}))
			cuts++
			if failure != nil {
				continue
			}
			got.usage = r.want.usage // which comes after the end
			if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", r.want) {
				t.Errorf("%s, cut after %q: got %+v, want %+v or an error", r.name, r.body[:at], got, r.want)
			}
		}
	}
	t.Logf("%d cuts", cuts)
}

// Whatever the spelling, the calls are those that were made.
func TestCallsAreToldApartInEverySpelling(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := spelling{
			ids:      rapid.Bool().Draw(t, "ids"),
			indexes:  rapid.SampledFrom([]string{"dense", "zero", "none", "sparse"}).Draw(t, "indexes"),
			repeats:  rapid.Bool().Draw(t, "name in each piece"),
			pieces:   rapid.IntRange(1, 4).Draw(t, "pieces"),
			together: rapid.Bool().Draw(t, "all in one chunk"),
		}
		if s.together {
			s.pieces = 1
		}
		var want []string
		var events []string
		var one []string
		for i := range rapid.IntRange(1, 5).Draw(t, "calls") {
			name := rapid.SampledFrom([]string{"f", "g"}).Draw(t, "name")
			args := fmt.Sprintf(`{"x":%q}`, rapid.StringMatching(`[a-z{}"\\ é👩]{0,8}`).Draw(t, "x"))
			id := ""
			if s.ids {
				id = fmt.Sprintf("id-%d", i)
			}
			want = append(want, fmt.Sprintf("%s(%s)#%s", name, args, id))
			for _, p := range s.call(t, i, id, name, args) {
				one = append(one, p)
				if !s.together {
					events = append(events, calls(p))
				}
			}
		}
		if s.together {
			events = []string{calls(one...)}
		}
		var got []string
		for c, err := range decode(strings.NewReader(sse(append(events, called)...)), redactor{}) {
			if err != nil {
				t.Fatal(err)
			}
			for _, call := range c.Calls {
				got = append(got, fmt.Sprintf("%s(%s)#%s", call.Name, call.Arguments, call.ProviderID))
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q from\n%s", got, want, strings.Join(events, "\n"))
		}
	})
}

// A spelling is how an endpoint writes calls.
type spelling struct {
	ids      bool
	indexes  string
	repeats  bool
	pieces   int
	together bool
}

// call is a call in pieces.
func (s spelling) call(t *rapid.T, nth int, id, name, args string) []string {
	var all []string
	runes := []rune(args)
	for i := range s.pieces {
		part := runes
		if i < s.pieces-1 {
			part = runes[:rapid.IntRange(0, len(runes)).Draw(t, "cut")]
		}
		runes = runes[len(part):]
		fields := map[string]any{}
		switch s.indexes {
		case "dense":
			fields["index"] = nth
		case "zero":
			fields["index"] = 0
		case "sparse":
			fields["index"] = nth*7 - 3
		}
		function := map[string]any{"arguments": string(part)}
		if i == 0 || s.repeats {
			function["name"] = name
		}
		if i == 0 && id != "" {
			fields["id"] = id
		}
		fields["function"] = function
		text, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	return all
}

func TestAChunkCostsFewAllocations(t *testing.T) {
	body := recorded()
	each := testing.AllocsPerRun(5, func() {
		for _, err := range decode(strings.NewReader(body), redactor{}) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}) / chunksPerAnswer
	t.Logf("%.1f allocations a chunk", each)
	if each > 2 { // its text is one
		t.Errorf("%.1f allocations a chunk, go-openai has 19", each)
	}
}

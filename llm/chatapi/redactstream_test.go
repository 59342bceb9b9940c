package chatapi

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/llm"
)

const ownCanary = "sk-canary/0123456789+abc="

// inPieces yields a text in pieces that end at the cuts.
func inPieces(text string, cuts []int, thoughts bool) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		from := 0
		for _, cut := range append(cuts, len(text)) {
			cut = max(from, min(cut, len(text)))
			chunk := llm.Chunk{Text: text[from:cut]}
			if thoughts {
				chunk = llm.Chunk{Reasoning: text[from:cut]}
			}
			if (chunk.Text != "" || chunk.Reasoning != "") && !yield(chunk, nil) {
				return
			}
			from = cut
		}
		yield(llm.Chunk{Done: true}, nil)
	}
}

// Property: wherever an answer is cut into pieces, the key is in none of them, nor in all
// together, and every other character comes.
func TestAKeyIsCutFromAnAnswerAcrossItsPieces(t *testing.T) {
	t.Parallel()
	private := newRedactor(ownCanary)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom(append([]string{"s", "sk-", "sk-can", " words ", "sksk-", "ж", "\n", "="}, private.secrets...)), 1, 6).Draw(t, "parts")
		text := strings.Join(parts, "")
		cuts := rapid.SliceOfN(rapid.IntRange(0, len(text)), 0, 8).Draw(t, "cuts")
		thoughts := rapid.Bool().Draw(t, "thoughts")
		var said strings.Builder
		for chunk, err := range private.chunks(inPieces(text, cuts, thoughts)) {
			if err != nil {
				t.Fatal(err)
			}
			said.WriteString(chunk.Text + chunk.Reasoning)
		}
		if got := said.String(); private.holds(got) || strings.Contains(got, ownCanary) || strings.ReplaceAll(got, redacted, "") != strings.ReplaceAll(private.entire(text), redacted, "") && !strings.Contains(got, redacted) {
			t.Fatalf("%q cut at %v came as %q", text, cuts, got)
		}
	})
}

func TestTextThatOnlyBeginsLikeTheKeyComesWhole(t *testing.T) {
	t.Parallel()
	private := newRedactor(ownCanary)
	for _, text := range []string{"sk-can you help?", "a sk-canary/01 bird", "no s", "sk-sk-sk-cana"} {
		for cut := range len(text) {
			said := ""
			for chunk, err := range private.chunks(inPieces(text, []int{cut}, false)) {
				if err != nil {
					t.Fatal(err)
				}
				said += chunk.Text
			}
			if said != text {
				t.Fatalf("%q cut at %d came as %q", text, cut, said)
			}
		}
	}
	for chunk := range newRedactor("ollama").chunks(inPieces("ollama pull", nil, false)) {
		if strings.Contains(chunk.Text, redacted) {
			t.Errorf("a word that is no secret is cut: %q", chunk.Text)
		}
	}
}

// A short key is a word, but what is secret beside it stays secret.
func TestAShortKeyLeavesTheOtherSecretsCut(t *testing.T) {
	t.Parallel()
	const text = "ollama has canary-of-header here"
	for _, key := range []Key{"", "abc", "ollama"} {
		for cut := range len(text) {
			said := ""
			for chunk := range newRedactor(key, "canary-of-header").chunks(inPieces(text, []int{cut}, false)) {
				said += chunk.Text
			}
			if said != "ollama has "+redacted+" here" {
				t.Fatalf("with the key %s, cut at %d, it came as %q", string(key), cut, said)
			}
		}
	}
}

// A secret of the settings may hold what JSON escapes, and is found as each encoder spells it.
func TestASecretIsFoundAsJSONSpellsIt(t *testing.T) {
	t.Parallel()
	const secret = "p\"a\\s<s>&wörd😀"
	options := Options{Secrets: []Key{secret}}
	private := newRedactor("", options.spelled()...)
	for name, spelled := range map[string]string{
		"as it is": secret, "plain": `p\"a\\s<s>&wörd😀`, "html": `p\"a\\s\u003cs\u003e\u0026wörd😀`, "ascii": `p\"a\\s<s>&w\u00f6rd\ud83d\ude00`, "in a text": `p\\\"a\\\\s<s>&wörd😀`,
	} {
		text := `{"echo":"` + spelled + `"}`
		for cut := range len(text) {
			said := ""
			for chunk := range private.chunks(inPieces(text, []int{cut}, false)) {
				said += chunk.Text
			}
			if said != `{"echo":"[redacted]"}` {
				t.Fatalf("%s: cut at %d it came as %q", name, cut, said)
			}
		}
		last := llm.Chunk{Done: true, Calls: []llm.Call{{Name: "n", Arguments: text}}}
		if private.last(&last); last.Calls[0].Arguments != `{"echo":"[redacted]"}` {
			t.Errorf("%s: the call has %s", name, last.Calls[0].Arguments)
		}
		if said := private.exchange(text); said != `{"echo":"[redacted]"}` {
			t.Errorf("%s: the exchange is %s", name, said)
		}
	}
	if spelled := inJSON(ownCanary); spelled != nil {
		t.Errorf("a common key has the spellings %q", spelled)
	}
}

func TestAKeyIsCutFromCalls(t *testing.T) {
	t.Parallel()
	private := newRedactor(ownCanary)
	last := llm.Chunk{Done: true, Extra: []byte(`{"a":"` + ownCanary + `"}`), Calls: []llm.Call{
		{Name: "n", Arguments: `{"key":"\u0073k-canary\/0123456789+abc=","other":"\u00e9"}`, Extra: []byte(`{"b":1}`)},
		{Name: "n", Arguments: `{"path":"a\\b"}`},
	}}
	private.last(&last)
	if last.Extra != nil || last.Calls[0].Arguments != `{"key":"[redacted]","other":"\u00e9"}` || string(last.Calls[0].Extra) != `{"b":1}` || last.Calls[1].Arguments != `{"path":"a\\b"}` {
		t.Errorf("%+v", last)
	}
}

// BenchmarkRedaction is what the redactor adds to a piece of an answer.
func BenchmarkRedaction(b *testing.B) {
	pieces := make([]llm.Chunk, 1000)
	for i := range pieces {
		pieces[i].Text = fmt.Sprintf(" token %d", i)
	}
	w := newWithheld(newRedactor(Key("sk-proj-" + strings.Repeat("a1B2", 40))))
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		w.next(pieces[n%len(pieces)].Text)
	}
}

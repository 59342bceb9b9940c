package conversation

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// drawText draws a text with lines of all lengths, in one byte a character and in
// several.
func drawText(t *rapid.T) string {
	var b strings.Builder
	for range rapid.IntRange(0, 8).Draw(t, "runs") {
		piece := rapid.SampledFrom([]string{"a", "word ", "一", "🙂", "é", "\r\n", "\n", "b\n", "行\n"}).Draw(t, "piece")
		b.WriteString(strings.Repeat(piece, rapid.IntRange(1, 3000).Draw(t, "times")))
	}
	return b.String()
}

// linesOf cuts a text into its lines, by the definition of one.
func linesOf(text string) []string {
	var lines []string
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		lines = append(lines, text[at:end])
		at = end
	}
	return lines
}

func TestALineIsBoundedAndSplitsNoCharacter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		for i, line := range linesOf(text) {
			bare := strings.TrimSuffix(line, "\n")
			switch {
			case line == "" || !utf8.ValidString(line):
				t.Fatalf("line %d is %q", i+1, line)
			case strings.Contains(bare, "\n"):
				t.Fatalf("line %d holds a line break within", i+1)
			case utf8.RuneCountInString(bare) > lineRunes || len(line) > lineBytes:
				t.Fatalf("line %d has %d characters in %d bytes", i+1, utf8.RuneCountInString(bare), len(line))
			}
		}
	})
	for text, want := range map[string]int{
		"": 0, "a": 1, "a\n": 1, "a\nb": 2, "\n\n": 2,
		strings.Repeat("x", lineRunes) + "\ny":   2,
		strings.Repeat("x", lineRunes+1) + "\ny": 3,
		strings.Repeat("字", 1194) + "\ny":        2,
		strings.Repeat("字", 1195) + "\ny":        3,
	} {
		if got := len(linesOf(text)); got != want {
			t.Errorf("%.10q (%d bytes) has %d lines, want %d", text, len(text), got, want)
		}
	}
}

// Property: what is sent of a long text is bounded, splits no character, and the
// lines whole in its beginning, those left out and those whole in its end are all
// of the text's lines. Reading those left out brings all that is missing.
func TestAnExcerptAndTheLinesLeftOutAreTheWholeText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		budget := Budget{Whole: rapid.IntRange(0, 60_000).Draw(t, "whole")}
		budget.Part = rapid.IntRange(0, budget.Whole).Draw(t, "part")
		x, cut := budget.Cut(text)
		if cut != (len(text) > budget.Whole) {
			t.Fatalf("of %d bytes with a budget of %+v: cut %t", len(text), budget, cut)
		}
		if !cut {
			return
		}
		begin, end := text[:x.Begin], text[x.End:]
		lines := linesOf(text)
		switch {
		case !utf8.ValidString(begin) || !utf8.ValidString(end):
			t.Fatalf("a character is split: %q … %q", begin[max(0, len(begin)-8):], end[:min(8, len(end))])
		case len(begin)+len(end) > max(budget.Part-leftOutBytes, 0):
			t.Fatalf("%d and %d bytes are sent with a budget of %+v", len(begin), len(end), budget)
		case x.Lines != len(lines):
			t.Fatalf("%d lines are counted, there are %d", x.Lines, len(lines))
		case x.From < 1 || x.Left < 1 || x.From+x.Left-1 > x.Lines:
			t.Fatalf("%+v", x)
		}
		first, last := x.From-1, x.From+x.Left-1
		if whole := strings.Join(lines[:first], ""); !strings.HasPrefix(begin, whole) || len(begin) >= len(whole)+len(lines[first]) {
			t.Fatalf("%d lines are said to be whole in the first %d bytes", first, len(begin))
		}
		if whole := strings.Join(lines[last:], ""); !strings.HasSuffix(end, whole) || len(end) >= len(whole)+len(lines[last-1]) {
			t.Fatalf("%d lines are said to be whole in the last %d bytes", len(lines)-last, len(end))
		}
		if half := (budget.Part - leftOutBytes) / 2; half > 2*utf8.UTFMax && (len(begin) < half*3/4-utf8.UTFMax || len(end) < half*3/4-utf8.UTFMax) {
			t.Fatalf("%d and %d bytes are sent, there is room for %d each", len(begin), len(end), half)
		}
	})
}

// Property: for any window, the pages of a text that follow one another are the
// text, each has whole lines, and as the result of a call it is sent whole.
func TestThePagesOfATextAreTheText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		budgets := BudgetsFor(rapid.OneOf(rapid.Just(0), rapid.IntRange(1, 40_000)).Draw(t, "window"))
		lines := linesOf(text)
		limit := max(1, len(lines)/rapid.IntRange(1, 20).Draw(t, "pages"))
		var read strings.Builder
		for next := 1; next <= len(lines); {
			p := PageOf(text, next, limit, budgets.Page())
			if p.First != next || p.Last < next || p.Last-next >= limit || p.Lines != len(lines) || p.Text != strings.Join(lines[next-1:p.Last], "") {
				t.Fatalf("line %d on: %d–%d of %d, %d bytes", next, p.First, p.Last, p.Lines, len(p.Text))
			}
			if _, cut := budgets.Result.Cut(p.Text + strings.Repeat("x", aroundPage)); cut {
				t.Fatalf("a page of %d bytes is cut with %+v", len(p.Text), budgets.Result)
			}
			if p.Last < p.Lines && p.Last-next+1 < limit && len(p.Text)+len(lines[p.Last]) <= budgets.Page() {
				t.Fatalf("line %d has room too", p.Last+1)
			}
			read.WriteString(p.Text)
			next = p.Last + 1
		}
		if read.String() != text {
			t.Fatalf("%d bytes were read of %d", read.Len(), len(text))
		}
		if p := PageOf(text, len(lines)+1, limit, budgets.Page()); p.Text != "" || p.Last >= p.First || p.Lines != len(lines) {
			t.Fatalf("past the end: %+v", p)
		}
	})
}

func TestBudgetsFollowFromTheWindow(t *testing.T) {
	t.Parallel()
	for window, want := range map[int]Budgets{
		0:         {Message: Budget{98_304, 49_152}, Result: Budget{32_768, 32_768}},
		1:         {Message: Budget{4096, 4096}, Result: Budget{4096, 4096}},
		4_096:     {Message: Budget{7168, 4096}, Result: Budget{4096, 4096}},
		8_192:     {Message: Budget{14_336, 7168}, Result: Budget{7168, 7168}},
		128_000:   {Message: Budget{224_000, 112_000}, Result: Budget{32_768, 32_768}},
		1_000_000: {Message: Budget{1_750_000, 875_000}, Result: Budget{32_768, 32_768}},
	} {
		if got := BudgetsFor(window); got != want {
			t.Errorf("BudgetsFor(%d) = %+v, want %+v", window, got, want)
		}
	}
}

// What the runtime wrote around a message stays, and a text within its budget is
// not cut because of it.
func TestOfAMessageOnlyTheSendersTextIsCut(t *testing.T) {
	t.Parallel()
	const head, hint = "[Message from the user]\n", "\nTo reply, use send_message(to='user', ...)"
	budgets := BudgetsFor(8_192)
	for _, c := range []struct {
		bytes int
		cut   bool
	}{{100, false}, {14_336, false}, {14_337, true}, {1_200_000, true}} {
		body := strings.Repeat("word\n", c.bytes/5) + strings.Repeat("x", c.bytes%5)
		e := Entry{Kind: Inbound, Text: head + body + hint, Body: body}
		x, cut := budgets.Cut(&e)
		if cut != c.cut {
			t.Errorf("%d bytes: cut %t", c.bytes, cut)
		}
		if !cut {
			continue
		}
		if !strings.HasPrefix(e.Text[:x.Begin], head+"word\n") || !strings.HasSuffix(e.Text[x.End:], hint) {
			t.Errorf("%d bytes: the frame is cut", c.bytes)
		}
		if begin := e.Text[len(head):x.Begin]; x.From != strings.Count(begin, "\n")+1 {
			t.Errorf("%d bytes: line %d is to be read next, %d lines are there", c.bytes, x.From, strings.Count(begin, "\n"))
		}
	}
}

// What a model is not sent does not weigh.
func TestAnEntryWeighsWhatIsSentOfIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		budgets := BudgetsFor(rapid.OneOf(rapid.Just(0), rapid.IntRange(1, 200_000)).Draw(t, "window"))
		e := Entry{Kind: rapid.SampledFrom([]Kind{Answer, Result, Summary, Merged}).Draw(t, "kind"), Text: text}
		sent := text
		if x, cut := budgets.Cut(&e); cut {
			sent = text[:x.Begin] + strings.Repeat("leftout", leftOutTokens/2) + text[x.End:]
		}
		if got, want := e.Weight(budgets), Weigh(sent); got < want || got > want+2 { // each part is rounded up
			t.Fatalf("it weighs %d, what is sent of it %d", got, want)
		}
		call := Entry{Kind: Answer, Calls: []Call{{ID: "c", Name: "n", Arguments: text}}}
		if most := budgets.Message.Whole + leftOutTokens + 10; call.Weight(budgets) > most {
			t.Fatalf("a call weighs %d", call.Weight(budgets))
		}
	})
}

// A summary is what a full context was compressed to: it may not fill it again.
func TestASummaryIsSentWholeUpToAQuarterOfTheWindow(t *testing.T) {
	t.Parallel()
	budgets := BudgetsFor(8_192)
	for _, c := range []struct {
		kind  Kind
		bytes int
		cut   bool
	}{{Summary, 7_168, false}, {Summary, 7_169, true}, {Answer, 14_336, false}, {Result, 7_168, false}, {Result, 7_169, true}} {
		if _, cut := budgets.Cut(&Entry{Kind: c.kind, Text: strings.Repeat("x", c.bytes)}); cut != c.cut {
			t.Errorf("%s of %d bytes: cut %t, want %t", c.kind, c.bytes, cut, c.cut)
		}
	}
}

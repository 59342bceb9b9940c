package transcript_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"society-tui/runtime/api"
	stored "society-tui/runtime/conversation"
	"society-tui/runtime/society"
)

// However an answer is cut into pieces, also inside a character's bytes, the
// stream shows the same rows as the stored answer, with every letter.
func TestStreamedAnswerEqualsItsStoredForm(t *testing.T) {
	t.Parallel()
	const answer = "## Problems so far\n\nI split the **work**: *facts* and `prose`, 第七章 needs a source. 👩‍🚀 e\u0301\n\n" +
		"- first: date is 1911\n- second, in two\n  lines\n\n1. ten\n2. eleven\n\n> quoted words\n\n```go\nfunc main() {\n\tx := 1\n}\n```\n\nThe end of it."
	const marks = "#*`>│╭╰─•·▎"
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || strings.ContainsRune(marks, r) || r == '-' {
				return -1
			}
			return r
		}, s)
	}
	body := func(r interface{ Rows(w, h int) []string }) []string {
		rows := r.Rows(80, 60)
		from := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "Problems so far") })
		upto := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, "The end of it.") })
		if from < 0 || upto < from {
			t.Fatalf("the answer is not in\n%s", text(rows))
		}
		return rows[from : upto+1]
	}
	sh := many(2)
	sh.entries = append(sh.entries, stored.Entry{Slot: sh.next(), Kind: stored.Answer, From: "root", To: "user", Text: answer, At: now})
	want := body(opened(plainly(), sh))
	whole := letters(strings.Replace(answer, "```", "", 1))
	if got := letters(text(want)); got != whole {
		t.Fatalf("of\n%q\nis shown\n%q", whole, got)
	}
	random := rand.New(rand.NewPCG(18, 500))
	for range 500 {
		r := opened(plainly(), many(2))
		draft := api.Draft{Agent: society.Root, Step: 3, Last: now}
		for rest := answer; rest != ""; {
			n := min(1+random.IntN(1+random.IntN(len(answer))), len(rest))
			draft.Text, rest = draft.Text+rest[:n], rest[n:]
			draft.Bytes = len(draft.Text)
			r.Stream(society.Root, draft, true)
			r.Rows(80, 60)
		}
		if got := body(r); !slices.Equal(got, want) {
			t.Fatalf("in pieces it is\n%s\nstored it is\n%s", text(got), text(want))
		}
	}
}

package cells

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestAScriptWithoutBlanksIsBrokenBetweenItsCharacters(t *testing.T) {
	t.Parallel()
	for _, m := range measures {
		got := strings.Join(m.Wrap("修缮为此支付了 84000 元。阅览室开放，很好。", 16), "|")
		if want := "修缮为此支付了|84000 元。阅览室|开放，很好。"; got != want {
			t.Errorf("it is %s", got)
		}
		if got := strings.Join(m.Wrap("现在开放了，好。", 10), "|"); got != "现在开放|了，好。" {
			t.Errorf("a line begins with a comma: %s", got)
		}
	}
}

func TestBlankBeforeALongWordStaysInsideTheRow(t *testing.T) {
	t.Parallel()
	for _, m := range measures {
		if got := strings.Join(m.Wrap(" word", 2), "|"); got != " w|o|rd" {
			t.Errorf("it is %q", got)
		}
	}
}

func TestWordsOfAScriptWithBlanksStayWhole(t *testing.T) {
	t.Parallel()
	for m, want := range map[Measure]string{ByCodePoint: "क्षि|स्तेस्ते|👍", ByCluster: "क्षि स्तेस्ते|👍"} {
		if got := strings.Join(m.Wrap("क्षि स्तेस्ते 👍", 5), "|"); got != want {
			t.Errorf("by %d it is %q", m, got)
		}
	}
}

func TestWrappedRowsFitAndLoseNothingButBlanks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := ansi.Strip(drawText(t, "text")) + rapid.SampledFrom([]string{"", "\n", "\nlast"}).Draw(t, "end")
		w := rapid.IntRange(2, 40).Draw(t, "w")
		for _, m := range measures {
			rows := m.Wrap(text, w)
			for _, row := range rows {
				if got, _ := drawn(m, row); got > w {
					t.Fatalf("%q is wider than %d by %d", row, w, m)
				}
			}
			bare := strings.NewReplacer(" ", "", "\n", "")
			if got := bare.Replace(strings.Join(rows, "")); got != bare.Replace(text) {
				t.Fatalf("%q became %q", text, got)
			}
		}
	})
}

func TestNoEmojiIsBrokenWhereARowHasRoomForIt(t *testing.T) {
	t.Parallel()
	const family = "👨\u200d👩\u200d👧\u200d👦"
	rapid.Check(t, func(t *rapid.T) {
		text := ansi.Strip(drawText(t, "before")) + family + ansi.Strip(drawText(t, "behind"))
		w := rapid.IntRange(12, 40).Draw(t, "w")
		for _, m := range measures {
			var hard []string
			m.Hard(text, w, func(part string, _ int) { hard = append(hard, part) })
			for _, rows := range [][]string{m.Wrap(text, w), hard} {
				if joined := strings.Join(rows, "\n"); !strings.Contains(joined, family) {
					t.Fatalf("%q by %d is broken into %q", text, m, rows)
				}
			}
		}
	})
}

func TestAnEmojiThatIsWiderThanARowIsBrokenIntoItsParts(t *testing.T) {
	t.Parallel()
	const family = "👨\u200d👩\u200d👧\u200d👦"
	var hard []string
	ByCodePoint.Hard(family, 5, func(part string, cells int) {
		if cells > 5 || cells != ByCodePoint.Width(part) {
			t.Errorf("%q takes %d cells", part, cells)
		}
		hard = append(hard, part)
	})
	for _, rows := range [][]string{hard, ByCodePoint.Wrap(family, 5)} {
		if len(rows) != 2 || strings.Join(rows, "") != family {
			t.Errorf("it is %q", rows)
		}
	}
}

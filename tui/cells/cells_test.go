package cells

import (
	"image/color"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/themes"
)

func TestFitIsExactlyAsWideAsAsked(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom([]rune("ab 第章é✓⠹👩‍🚀…•"))).Draw(t, "s")
		w := rapid.IntRange(0, 30).Draw(t, "w")
		for _, tail := range []string{"…", "~"} {
			if got := ansi.StringWidth(Fit(s, w, tail)); got != w {
				t.Fatalf("Fit(%q, %d) is %d cells", s, w, got)
			}
			if got := ansi.StringWidth(FitRight(s, w, tail)); got != w {
				t.Fatalf("FitRight(%q, %d) is %d cells", s, w, got)
			}
		}
	})
}

func TestFrameIsExactlyAsWideAsAsked(t *testing.T) {
	t.Parallel()
	framers := []Framer{NewFramer(themes.Auto(color.Black), false), NewFramer(themes.Plain(), true)}
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.StringOf(rapid.RuneFrom([]rune("ab 第章"))).Draw(t, "title")
		note := rapid.StringOf(rapid.RuneFrom([]rune("ab 第章"))).Draw(t, "note")
		w := rapid.IntRange(0, 60).Draw(t, "w")
		for i := range framers {
			f := &framers[i]
			for _, row := range []string{f.Top(w, title, note, true), f.Bottom(w, note, false), f.Rule(w, title, note, false)} {
				if got := ansi.StringWidth(row); got != w {
					t.Fatalf("%q is %d cells, want %d", row, got, w)
				}
			}
		}
	})
}

func TestFrameDropsItsNoteBeforeItCutsItsTitle(t *testing.T) {
	t.Parallel()
	f := NewFramer(themes.Plain(), false)
	for w, want := range map[int]string{
		30: "┌ Agents 1,204 ─────── f:all ┐",
		22: "┌ Agents 1,204 ──────┐",
		12: "┌ Agents… ─┐",
	} {
		if got := ansi.Strip(f.Top(w, "Agents 1,204", "f:all", false)); got != want {
			t.Errorf("at %d: %q, want %q", w, got, want)
		}
	}
}

func TestThumbMovesFromTheFirstRowToTheLast(t *testing.T) {
	t.Parallel()
	if first, end := Thumb(0, 10, 10); first != end {
		t.Error("a list that fits has a thumb")
	}
	if first, _ := Thumb(0, 10, 1000); first != 0 {
		t.Error("at the top the thumb is not at the top")
	}
	if _, end := Thumb(990, 10, 1000); end != 10 {
		t.Error("at the end the thumb is not at the end")
	}
}

func TestAScriptWithoutBlanksIsBrokenBetweenItsCharacters(t *testing.T) {
	t.Parallel()
	got := strings.Join(Wrap("修缮为此支付了 84000 元。阅览室开放，很好。", 16), "|")
	if want := "修缮为此支付了|84000 元。阅览室|开放，很好。"; got != want {
		t.Errorf("it is %s", got)
	}
	if got := strings.Join(Wrap("现在开放了，好。", 10), "|"); got != "现在开放|了，好。" {
		t.Errorf("a line begins with a comma: %s", got)
	}
}

func TestABlankBeforeALongWordDoesNotStandOut(t *testing.T) {
	t.Parallel()
	if got := strings.Join(Wrap(" word", 2), "|"); got != " w|o|rd" {
		t.Errorf("it is %q", got)
	}
}

func TestWrappedRowsFitAndLoseNothingButBlanks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"字", "，", "a", "word", " ", "\n", "e\u0301", "👩‍👩‍👧", "。", "84000"})).Draw(t, "text"), "")
		w := rapid.IntRange(2, 40).Draw(t, "w")
		rows := Wrap(text, w)
		for _, row := range rows {
			if Width(row) > w {
				t.Fatalf("%q is wider than %d", row, w)
			}
		}
		bare := strings.NewReplacer(" ", "", "\n", "")
		if got := bare.Replace(strings.Join(rows, "")); got != bare.Replace(text) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

func TestACutNeverStandsOut(t *testing.T) {
	t.Parallel()
	if got := Cut("[\ufe0f[\ufe0f[", 2, "…"); Width(got) > 2 {
		t.Errorf("%q is wider than 2", got)
	}
}

package layout

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/tui/cells"
)

// lines generates rows as widgets draw them: styled, with wide and combining
// characters.
func lines(width int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", " ", "第", "é", "e\u0301", "👩‍💻", "\x1b[31m", "\x1b[m", "\x1b[1;44m", "│", "한",
		}), 0, 40).Draw(t, "pieces")
		return cells.ByCodePoint.Fit(strings.Join(pieces, ""), width, "")
	})
}

func TestOverlayKeepsTheWidthOfLines(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(1, 40).Draw(t, "w")
		line := lines(w).Draw(t, "line")
		x := rapid.IntRange(0, w-1).Draw(t, "x")
		n := rapid.IntRange(1, w-x).Draw(t, "n")
		piece := strings.Repeat("#", n)

		got := cutIn(cells.ByCodePoint, line, w, x, n, piece)
		if cells.ByCodePoint.Width(got) != w {
			t.Fatalf("%q is %d wide, want %d", got, cells.ByCodePoint.Width(got), w)
		}
		plain := ansi.Strip(got)
		if at := cells.ByCodePoint.Width(plain[:strings.Index(plain, piece)]); at != x {
			t.Fatalf("the piece stands at %d, want %d: %q", at, x, plain)
		}
	})
}

func TestOverlayKeepsTheStyleBehindIt(t *testing.T) {
	t.Parallel()
	got := cutIn(cells.ByCodePoint, "\x1b[31m"+strings.Repeat("red ", 5)+"red"+strings.Repeat(" red", 5)+"\x1b[m", 43, 20, 3, "###")
	if want := "\x1b[31m" + strings.Repeat("red ", 5) + "\x1b[m\x1b[m###\x1b[m\x1b[31m" + strings.Repeat(" red", 5) + "\x1b[m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestJoinPlacesParts(t *testing.T) {
	t.Parallel()
	got := Join(3, []Part{
		{Rect{0, 0, 4, 1}, []string{"head"}},
		{Rect{0, 1, 1, 2}, []string{"a", "b"}},
		{Rect{1, 1, 3, 2}, []string{"ccc"}},
	})
	want := []string{"head", "accc", "b   "}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}

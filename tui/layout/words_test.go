package layout

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/tui/cells"
)

// Beside what lies over a row stand whole words of it, in their places.
func TestOverlayLeavesNoHalvesOfWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line string
		x, n int
		want string
	}{
		{"one two three four", 5, 4, "one  ####     four"},
		{"one two three four", 4, 4, "one ####three four"},
		{"one two three four", 3, 7, "one#######    four"},
		{"one│two──three four", 5, 6, "one│ ######    four"},
		{"第一章 第二章 第三章", 5, 6, "第一 ######章 第三章"},
		{"你是智能体 root，角色", 3, 5, "你 #####体 root，角色"},
		{"看root，角色", 3, 4, "看 #### 角色"},
		{"one", 1, 2, " ##"},
	} {
		const pad = " several words aside " // there is room to read
		tt.line, tt.x, tt.want = pad+tt.line+pad, tt.x+len(pad), pad+tt.want+pad
		w := cells.ByCodePoint.Width(tt.line)
		got := ansi.Strip(cutIn(cells.ByCodePoint, tt.line, w, tt.x, tt.n, strings.Repeat("#", tt.n)))
		if got != tt.want {
			t.Errorf("%q at %d+%d: got %q, want %q", tt.line, tt.x, tt.n, got, tt.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "two", "three,", "第二章", "é", "👩‍💻x", "│", "──", ""}), 0, 12).Draw(t, "words")
		line := strings.Repeat("word ", 5) + strings.Join(words, " ") + strings.Repeat(" word", 5)
		words = append(words, "word", "第", "二", "章", "第二", "二章") // each character of Chinese is one
		w := cells.ByCodePoint.Width(line)
		if w == 0 {
			return
		}
		x := rapid.IntRange(0, w-1).Draw(t, "x")
		n := rapid.IntRange(1, w-x).Draw(t, "n")
		got := ansi.Strip(cutIn(cells.ByCodePoint, line, w, x, n, strings.Repeat("#", n)))
		for _, word := range strings.Fields(strings.ReplaceAll(got, "#", " ")) {
			if !slices.Contains(words, word) && strings.Trim(word, "─│") != "" {
				t.Fatalf("%q under %d+%d: %q has the half word %q", line, x, n, got, word)
			}
		}
	})
}

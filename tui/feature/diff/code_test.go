package diff

import (
	"slices"
	"strings"
	"testing"

	"society-tui/tui/dialog"
	"society-tui/tui/highlight"
)

// spansOf are the parts of lines that stand out, each behind what it is.
func spansOf(lines []dialog.Line) (all []string) {
	names := map[highlight.Kind]string{highlight.Keyword: "keyword", highlight.Literal: "literal", highlight.Comment: "comment", highlight.Name: "name"}
	for _, l := range lines {
		for _, s := range l.Spans {
			all = append(all, names[s.Is]+" "+l.Text[s.From:s.To])
		}
	}
	return all
}

// Strings and comments go over lines of a hunk, in each of the two files on their own; what
// is no code has no spans.
func TestCodeInADiffStandsOut(t *testing.T) {
	const head = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n"
	for _, c := range []struct {
		file, diff string
		want       []string
	}{
		{"a.go", head + " return 1\n-/* gone\n-on */\n+x := \"say\" // why\n return 2\n\\ No newline at end of file", []string{
			"keyword return", "literal 1", "comment /* gone", "comment on */", "literal \"say\"", "comment // why", "keyword return", "literal 2",
		}},
		{"lib/é.py", head + " def f():\n-    '''ü\n+    # ö\n     pass", []string{"keyword def", "name f", "literal '''ü", "comment # ö", "keyword pass"}},
		{"notes.unknown", head + " return 1\n-a\n+b\n return 2", nil},
		{"a.go", "no diff: return 1", nil},
		{"a.go", "", nil},
	} {
		lines := linesOf(c.file, c.diff)
		if got := spansOf(lines); !slices.Equal(got, c.want) {
			t.Errorf("%s %q: %q, want %q", c.file, c.diff, got, c.want)
		}
		var text []string
		for _, l := range lines {
			text = append(text, l.Text)
		}
		if got := strings.Join(text, "\n"); got != c.diff {
			t.Errorf("the diff %q became %q", c.diff, got)
		}
	}
}

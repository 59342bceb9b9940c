package difflines_test

import (
	"slices"
	"testing"

	"society-tui/tui/difflines"
)

func TestLinesOfADiffAreToldApart(t *testing.T) {
	t.Parallel()
	const (
		text, file, hunk, added, removed, same = difflines.Text, difflines.File, difflines.Hunk, difflines.Added, difflines.Removed, difflines.Same
	)
	for _, c := range []struct {
		name, text string
		want       []difflines.Kind
	}{
		{"a list is none", "- one\n- two\n+ three\n@@ at", nil},
		{"no hunk without files", "@@ -1 +1 @@\n-a\n+b", nil},
		{"behind a summary", "a.go +1 −1\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n x\n-old\n+new\nthe end", []difflines.Kind{text, file, file, hunk, same, removed, added, text}},
		{"removed lines that look like a file", "--- a/a\n+++ b/a\n@@ -1,2 +0,0 @@\n--- x\n--- y\n--- z", []difflines.Kind{file, file, hunk, removed, removed, text}},
		{"two hunks, and no newline at the end", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n\\ No newline at end of file\n+d", []difflines.Kind{file, file, hunk, removed, added, hunk, removed, same, added}},
		{"two files", "--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+a\n--- a/b\n+++ b/b\n@@ -1 +0,0 @@\n-b", []difflines.Kind{file, file, hunk, added, file, file, hunk, removed}},
		{"indented", "diff:\n  --- a/a\n  +++ b/a\n  @@ -1,2 +1,1 @@\n   same\n  -gone\nmessage: - no", []difflines.Kind{text, file, file, hunk, same, removed, text}},
		{"cut short", "--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n-a\n… 8 lines more\n- b", []difflines.Kind{file, file, hunk, removed, text, text}},
		{"an empty line is in both", "--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n\n x\n+y", []difflines.Kind{file, file, hunk, same, same, added}},
		{"counts that are none", "--- a/a\n+++ b/a\n@@ -x,-9 +y @@\n-a\n+b\n+c", []difflines.Kind{file, file, hunk, removed, added, text}},
	} {
		if got := difflines.Kinds(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: Kinds(%q) = %v, want %v", c.name, c.text, got, c.want)
		}
	}
}

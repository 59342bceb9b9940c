package session

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestNamesThatASessionCanHave(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"society", "book", "a", "7", "Review-2026_v1.2", "书", "第二章", "книга", "किताब", "ספר", "كتاب", "é", "e\u0301", "a--b", "a..b", "console", "com", "com10",
		strings.Repeat("x", MaxName), strings.Repeat("书", MaxName), "x.dbx", "con-1",
	} {
		if err := Check(name); err != nil {
			t.Errorf("%q is refused: %v", name, err)
		}
	}
	for _, name := range []string{
		"", ".", "..", ".book", "book.", "-book", "book-", "_", "a b", " a", "a/b", `a\b`, "../a", "a:b", "a*", "a?b", "~", "$x", "a\x00b", "a\nb", "a\x1b[31m",
		"con", "CON", "con.txt", "Aux", "nul.", "prn", "com1", "COM9.x", "lpt0", "society.db", "Society.DB",
		strings.Repeat("x", MaxName+1), strings.Repeat("𠀀", 51), "a\xff", "\u0301a", "a\u0301\u0301\u0301", "a\u3164", "\u115f", "a\u200d", "a\u202eb", "a\ufe0f", "①", "²", "😀",
	} {
		if Check(name) == nil {
			t.Errorf("%q is let through", name)
		}
	}
}

// Whatever is let through is a single file in the folder, on any disk: it names no
// other place, no device, nothing that is longer than a disk takes with what is put
// behind it, and nothing that nobody sees. What is found in the folder under the name
// of its file is that session again.
func TestANameThatIsLetThroughIsOneFileOfTheFolder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := drawName(t)
		if Check(name) != nil {
			return
		}
		file := File("folder", name)
		if filepath.Dir(file) != "folder" || strings.ContainsAny(name, `/\:*?"<>|`) {
			t.Fatalf("%q is elsewhere: %s", name, file)
		}
		if len(name)+len(".db.damaged-20260102T030405Z-99") > 255 || utf8.RuneCountInString(name) > 64 {
			t.Fatalf("%q is too long", name)
		}
		if name == "" || strings.ContainsAny(name[:1], "-.") || strings.HasSuffix(name, ".") {
			t.Fatalf("%q begins or ends badly", name)
		}
		for _, c := range name {
			if !unicode.IsGraphic(c) || unicode.IsSpace(c) {
				t.Fatalf("%q holds %U", name, c)
			}
		}
		if again, ok := Of(filepath.Base(file)); !ok || again != name {
			t.Fatalf("%q is found as %q, %v", name, again, ok)
		}
	})
}

// drawName draws what is near to a name: most are let through, or only just not.
func drawName(t *rapid.T) string {
	letter := rapid.OneOf(
		rapid.SampledFrom([]rune("abcxyzABC019-_. ")),
		rapid.SampledFrom([]rune("书第éñякшבכتابकि\u0301\u0302\u3164\u200d\u202e\ufe0f/\\:\x00\x1b")),
		rapid.Rune(),
	)
	return rapid.OneOf(
		rapid.StringOfN(letter, 0, 70, -1),
		rapid.StringMatching(`[a-z0-9][a-zA-Z0-9_.-]{0,70}`),
		rapid.StringMatching(`(con|nul|com1|lpt9|aux)(\.[a-z]{1,3})?[a-z]?`),
	).Draw(t, "name")
}

func TestFilesBesideAStoreAreNoSessions(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		".db", "society.db.lock", "society.db.lock-123", "society.db.new-456", "society.db.compact", "society.db.import",
		"society.db.damaged-20261122T130000Z", "society.db.damaged-20261122T130000Z-2", "society", "notes.txt",
	} {
		if name, ok := Of(file); ok {
			t.Errorf("%s is taken for the session %q", file, name)
		}
	}
}

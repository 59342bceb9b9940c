package sanitize

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestTextDropsControlSequences(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"plain text":                    {"hello\nworld", "hello\nworld"},
		"clipboard":                     {"a\x1b]52;c;aGk=\x07b", "ab"},
		"clipboard ended by ST":         {"a\x1b]52;c;aGk=\x1b\\b", "ab"},
		"clipboard, 8 bit":              {"a\u009d52;c;aGk=\u009cb", "ab"},
		"clear the screen":              {"a\x1b[2Jb", "ab"},
		"ask for the cursor":            {"a\x1b[6nb", "ab"},
		"private mode":                  {"a\x1b[?1049hb", "ab"},
		"device control":                {"a\x1bP1$r0m\x1b\\b", "ab"},
		"application command":           {"a\x1b_Gf=24;AAAA\x1b\\b", "ab"},
		"privacy message, start of str": {"a\x1b^x\x1b\\b\x1bXy\x1b\\c", "abc"},
		"title of tmux":                 {"a\x1bkname\x1b\\b", "ab"},
		"reset":                         {"a\x1bcb", "ab"},
		"8 bit control sequence":        {"a\u009b31mb", "ab"},
		"character set":                 {"a\x1b(0b", "ab"},
		"link":                          {"\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\.", "here."},
		"a sequence in a sequence":      {"a\x1b[\x1b[31mb", "ab"},
		"control inside a sequence":     {"a\x1b[3\x081mb", "ab"},
		"backspaces":                    {"abc\b\b\bxyz", "abcxyz"},
		"delete, bell, nul":             {"a\x7fb\x07c\x00d", "abcd"},
		"overwritten line":              {"safe\rhidden", "safe\nhidden"},
		"DOS line ends":                 {"a\r\nb\r\n", "a\nb\n"},
		"tabs":                          {"a\tb\n\tc", "a   b\n    c"},
		"tab behind wide":               {"第\tb", "第  b"},
		"line separator":                {"a\u2028b\u2029c", "a\nb\nc"},
		"unterminated string":           {"a\x1b]0;title and more", "a0;title and more"},
		"string broken off by a line":   {"a\x1b]0;title\nmore", "a0;title\nmore"},
		"string broken off by another":  {"a\x1b]0;x\x1b[31my", "a0;xy"},
		"sequence broken off by a line": {"a\x1b[31\nb", "a\nb"},
		"lone escape at the end":        {"a\x1b", "a"},
		"not UTF-8":                     {"a\x9b2Jb\xff", "a\ufffd2Jb\ufffd"},
	} {
		if got := Text(c.in); got != c.want {
			t.Errorf("%s: %q became %q, want %q", name, c.in, got, c.want)
		}
	}
}

func TestTextShowsInvisibleCharacters(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"bidi override":             {"ab\u202edc\u202c", "ab<U+202E>dc<U+202C>"},
		"bidi isolate":              {"\u2066x\u2069", "<U+2066>x<U+2069>"},
		"tags":                      {"x\U000e0041\U000e0042", "x<U+E0041><U+E0042>"},
		"zero width space":          {"pass\u200bword", "pass<U+200B>word"},
		"byte order mark within":    {"a\ufeffb", "a<U+FEFF>b"},
		"byte order mark in front":  {"\ufeffa", "a"},
		"filler":                    {"a\u3164b", "a<U+3164>b"},
		"soft hyphen":               {"co\u00adop", "coop"},
		"joiner between letters":    {"a\u200db", "a<U+200D>b"},
		"joiner at the end":         {"👩\u200d", "👩<U+200D>"},
		"two joiners":               {"👩\u200d\u200d🚀", "👩<U+200D><U+200D>🚀"},
		"astronaut":                 {"👩\u200d🚀", "👩\u200d🚀"},
		"astronaut with a skin":     {"👩🏽\u200d🚀", "👩🏽\u200d🚀"},
		"heart on fire":             {"❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"},
		"family":                    {"👨\u200d👩\u200d👧\u200d👦", "👨\u200d👩\u200d👧\u200d👦"},
		"Persian":                   {"می\u200cخواهم", "می\u200cخواهم"},
		"Devanagari":                {"क्\u200dष", "क्\u200dष"},
		"mark on nothing":           {"\u0301a\n\u0301", "◌\u0301a\n◌\u0301"},
		"accent":                    {"e\u0301", "e\u0301"},
		"chain of ten emoji":        {strings.Repeat("👩\u200d", 9) + "👩", strings.Repeat("👩\u200d", 5) + "👩<U+200D>" + strings.Repeat("👩\u200d", 3) + "👩"},
		"500 marks on one":          {"e" + strings.Repeat("\u0301", 500) + "f", "e" + strings.Repeat("\u0301", markLimit) + "f"},
		"joiner between two pieces": {"क\u200dA", "क<U+200D>A"},
	} {
		if got := Text(c.in); got != c.want {
			t.Errorf("%s: %q became %q, want %q", name, c.in, got, c.want)
		}
	}
}

func TestAStringWithoutEndSwallowsOnlyItsBeginning(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("important ", 2*heldLimit/10)
	var c Cleaner
	seen := c.Write("\x1bP") + c.Write(long)
	if seen != long {
		t.Errorf("%d of %d bytes are seen before the text ends", len(seen), len(long))
	}
	seen = c.Write("\x1b]0;") + c.Write("first line\n")
	if seen != "0;first line\n" {
		t.Errorf("behind an unterminated title %q is seen", seen)
	}
}

func TestALongLineIsWrapped(t *testing.T) {
	t.Parallel()
	out := Text(strings.Repeat("x", 10*lineLimit))
	if lines := strings.Split(out, "\n"); len(lines) != 10 || len(lines[0]) != lineLimit {
		t.Errorf("got %d lines, the first of %d bytes", len(lines), len(lines[0]))
	}
}

func TestLineIsOneLineThatFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"web-3", 10, "web-3"},
		{" a\n\tb\r\nc ", 10, "a b c"},
		{"\x1b]0;x\x07name\u202e", 20, "name<U+202E>"},
		{"第七章第七章", 7, "第七章…"},
		{"longer than that", 6, "longe…"},
		{strings.Repeat("a", 10<<10), 4, "aaa…"},
		{"anything", 0, ""},
		{"", 5, ""},
	} {
		if got := Line(c.in, c.n); got != c.want {
			t.Errorf("Line(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, n := hostile().Draw(t, "s"), rapid.IntRange(0, 40).Draw(t, "n")
		got := Line(s, n)
		if w := ansi.StringWidthWc(got); w > n || strings.ContainsRune(got, '\n') {
			t.Fatalf("Line(%q, %d) = %q of %d cells", s, n, got, w)
		}
	})
}

// hostile generates text from the parts of attacks.
func hostile() *rapid.Generator[string] {
	parts := []string{
		"\x1b", "\x1b[", "\x1b]", "\x1bP", "\x1b_", "\x1bk", "\x1b\\", "[", "]", "P", "\\", "\x07", "\x18",
		"\u009b", "\u009d", "\u0090", "\u009c", "\u0085", "\x9b", "\xe4", "\xb8", "52;c;", "31m", "2J", ";", "?",
		"\r", "\n", "\r\n", "\t", "\b", "\x00", "\x7f", "\u2028",
		"\u200d", "\u200c", "\u200b", "\ufeff", "\u202e", "\u2066", "\U000e0041", "\u00ad", "\u3164",
		"\u0301", "\ufe0f", "\U000e0100", "🏽", "👩", "🚀", "❤", "🇩", "क", "्", "ष", "م", "خ", "第", "e", "a ", "hello", "<U+202E>", "◌",
	}
	return rapid.Custom(func(t *rapid.T) string {
		picks := rapid.SliceOfN(rapid.SampledFrom(parts), 0, 30).Draw(t, "parts")
		return strings.Join(picks, "") + rapid.StringN(0, 8, -1).Draw(t, "any")
	})
}

func isClean(s string) (rune, bool) {
	if !utf8.ValidString(s) {
		return utf8.RuneError, false
	}
	for _, r := range s {
		if r != '\n' && unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r >= 0xe0000 && r <= 0xe007f {
			return r, false
		}
	}
	return 0, true
}

// check checks the properties of any text, cut anywhere, with any line limit.
func check(t interface {
	Helper()
	Fatalf(string, ...any)
}, s string, cuts []int, limit int,
) {
	t.Helper()
	clean := func(s string, cuts []int) string {
		c := Cleaner{w: writer{limit: limit}}
		var out strings.Builder
		last := 0
		for _, cut := range cuts {
			if cut > last && cut < len(s) {
				out.WriteString(c.Write(s[last:cut]))
				last = cut
			}
		}
		out.WriteString(c.Write(s[last:]))
		return out.String() + c.Close()
	}
	whole := clean(s, nil)
	if r, ok := isClean(whole); !ok {
		t.Fatalf("%q became %q, which holds %U", s, whole, r)
	}
	if again := clean(whole, nil); again != whole {
		t.Fatalf("%q became %q, and that became %q", s, whole, again)
	}
	if pieces := clean(s, cuts); pieces != whole {
		t.Fatalf("%q cut at %v became %q, whole %q", s, cuts, pieces, whole)
	}
	for line := range strings.SplitSeq(whole, "\n") {
		if limit > 0 && len(line) > limit {
			t.Fatalf("%q has a line of %d bytes, limit %d", whole, len(line), limit)
		}
	}
	if limit == 0 && Text(s) != whole {
		t.Fatalf("Text(%q) is %q, a Cleaner makes %q", s, Text(s), whole)
	}
}

func TestTextInAnyPiecesIsCleanedTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := hostile().Draw(t, "s")
		cuts := make([]int, 0, len(s))
		for i := 1; i < len(s); i++ {
			if rapid.Bool().Draw(t, "cut") {
				cuts = append(cuts, i)
			}
		}
		limit := rapid.SampledFrom([]int{0, 12, 17, 40}).Draw(t, "limit")
		check(t, s, cuts, limit)
	})
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b]52;c;aGk=\x07b", 3)
	f.Add("👩\u200d🚀\u202e\x1b[31m\u009b", 1)
	f.Add("e\u0301\u0301\r\n\tक्\u200dष", 2)
	f.Fuzz(func(t *testing.T, s string, step int) {
		var cuts []int
		for i := max(1, step%7); i < len(s); i += max(1, step%7) {
			cuts = append(cuts, i)
		}
		check(t, s, cuts, 0)
		check(t, s, cuts, 16)
	})
}

func BenchmarkText(b *testing.B) {
	for name, s := range map[string]string{
		"ascii":    strings.Repeat("the quick brown fox jumps over the lazy dog\n", 20000),
		"tabs":     strings.Repeat("\tif err != nil {\n\t\treturn err\n\t}\n", 20000),
		"chinese":  strings.Repeat("第七章需要来源。", 20000),
		"coloured": strings.Repeat("\x1b[31mred\x1b[0m and \x1b[1mbold\x1b[m\n", 20000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Text(s)
			}
		})
	}
}

func TestVisibleTextHidesNothing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain\n\tindented":          "plain\n    indented",
		"\x1b[2Jred\x07\r\n":         `\x1b[2Jred\x07\r` + "\n",
		"a\u202eb\u200dc\u00add\x80": `a\u202eb\u200dc\u00add\x80`,
		"\u0085\u2028e":              `\x85\u2028e`,
		"第二版":                        "第二版",
	} {
		if got := Visible(text); got != want {
			t.Errorf("Visible(%q) = %q, want %q", text, got, want)
		}
		if got := Text(Visible(text)); got != Visible(text) {
			t.Errorf("Text(Visible(%q)) = %q, want the same", text, got)
		}
	}
}

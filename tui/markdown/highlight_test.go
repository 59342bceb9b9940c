package markdown

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/highlight"
)

// languages have a line each, with the kinds that it has.
var languages = []struct {
	name, line string
	kinds      []highlight.Kind
}{
	{"go", `func main() { return "x" } // why`, []highlight.Kind{highlight.Keyword, highlight.Name, highlight.Literal, highlight.Comment}},
	{"python", `def f(): return 'x' # why`, []highlight.Kind{highlight.Keyword, highlight.Name, highlight.Literal, highlight.Comment}},
	{"javascript", `const x = "y"; // why`, []highlight.Kind{highlight.Keyword, highlight.Literal, highlight.Comment}},
	{"typescript", `interface A { b: string } // why`, []highlight.Kind{highlight.Keyword, highlight.Comment}},
	{"rust", `fn main() { let x = 1; } // why`, []highlight.Kind{highlight.Keyword, highlight.Name, highlight.Literal, highlight.Comment}},
	{"c", `static int x = 1; /* why */`, []highlight.Kind{highlight.Keyword, highlight.Literal, highlight.Comment}},
	{"cpp", `class A { bool b = true; }; // why`, []highlight.Kind{highlight.Keyword, highlight.Name, highlight.Comment}},
	{"java", `public class A { String x = "y"; } // why`, []highlight.Kind{highlight.Keyword, highlight.Name, highlight.Literal, highlight.Comment}},
	{"bash", `if true; then echo "x"; fi # why`, []highlight.Kind{highlight.Keyword, highlight.Literal, highlight.Comment}},
	{"sql", `SELECT 1 FROM t -- why`, []highlight.Kind{highlight.Keyword, highlight.Literal, highlight.Comment}},
	{"json", `{"key": "value", "n": 1, "on": true}`, []highlight.Kind{highlight.Name, highlight.Literal, highlight.Keyword}},
	{"yaml", `key: "value" # why`, []highlight.Kind{highlight.Name, highlight.Literal, highlight.Comment}},
	{"toml", `key = "value" # why`, []highlight.Kind{highlight.Literal, highlight.Comment}},
	{"html", `<a href="x">y</a><!-- why -->`, []highlight.Kind{highlight.Name, highlight.Literal, highlight.Comment}},
	{"css", `a { color: #fff; } /* why */`, []highlight.Kind{highlight.Literal, highlight.Comment}},
	{"ruby", `def f; "x"; end # why`, []highlight.Kind{highlight.Keyword, highlight.Name, highlight.Literal, highlight.Comment}},
	{"diff", `+added`, []highlight.Kind{highlight.Added}},
}

func TestC73CodeIsHighlightedInEachTheme(t *testing.T) {
	t.Parallel()
	for _, name := range append(themes.Names(), "auto dark", "auto light") {
		theme, err := themes.ByName(name)
		switch name {
		case "auto dark":
			theme, err = themes.Auto(color.Black), nil
		case "auto light":
			theme, err = themes.Auto(color.White), nil
		}
		if err != nil {
			t.Fatal(err)
		}
		look := NewLook(theme, cells.ByCodePoint, false)
		for _, c := range languages {
			rows := Render("```"+c.name+"\n"+c.line+"\n```", 100, look)
			drawn := rows[len(rows)-1].Drawn()
			if got := ansi.Strip(drawn); got != ansi.Strip(rows[len(rows)-1].Text) || !strings.HasSuffix(strings.TrimRight(got, " "), c.line) {
				t.Fatalf("%s became %q", c.name, got)
			}
			for _, kind := range c.kinds {
				if sign := strings.SplitAfter(look.code[kind].Draw("x"), "m")[0]; !strings.Contains(drawn, sign) {
					t.Errorf("%s in %s: no part is drawn as kind %d: %q", c.name, name, kind, drawn)
				}
			}
		}
		ground := theme.Background
		if ground == nil {
			ground = map[string]color.Color{"auto dark": color.Black, "auto light": color.White}[name]
		}
		for _, role := range []color.Color{theme.Text, theme.Accent, theme.Code, theme.Muted, theme.Heading, theme.Success, theme.Danger} {
			if got := themes.Contrast(role, ground); got < themes.Readable {
				t.Errorf("%s: %v on %v has a contrast of %.2f", name, role, ground, got)
			}
		}
	}
}

// Headings, list signs, strong text and text are drawn in ways of their own.
func TestHeadingsListsAndStrongTextDiffer(t *testing.T) {
	t.Parallel()
	for _, theme := range []themes.Theme{themes.Auto(color.Black), themes.Plain()} {
		look := NewLook(theme, cells.ByCodePoint, false)
		seen := map[string]string{}
		for name, source := range map[string]string{"heading": "# word", "strong": "**word**", "text": "word", "emphasis": "*word*", "list": "- word", "code": "`word`"} {
			row := Render(source, 40, look)[0].Drawn()
			if other := seen[row]; other != "" && !(theme.Plain && (name == "heading" || other == "heading" || name == "code" || other == "code")) {
				t.Errorf("%s and %s are both %q", name, other, row)
			}
			seen[row] = name
		}
	}
}

// A comment goes over lines, also where the block is read in parts, and while it is written.
func TestACommentGoesOverTheLinesOfAStream(t *testing.T) {
	t.Parallel()
	look := NewLook(themes.Auto(color.Black), cells.ByCodePoint, false)
	comment := strings.SplitAfter(look.code[highlight.Comment].Draw("x"), "m")[0]
	s := NewStream(look)
	s.Writing(true)
	s.Append("```go\nx := 1\n" + strings.Repeat("y := 2\n", chunkLines-3) + "/* it\n")
	for i := range 5 {
		s.Append(fmt.Sprintf("goes on %d", i))
		s.Rows(60)
		s.Append("\n")
	}
	s.Append("*/\nreturn\n```\n")
	rows := slices.Clone(s.Rows(60))
	for _, row := range rows {
		if text := ansi.Strip(row.Text); strings.Contains(text, "goes on") != strings.Contains(row.Drawn(), comment+"goes on") {
			t.Errorf("%q is drawn as %q", text, row.Drawn())
		}
		if ansi.Strip(row.Drawn()) != ansi.Strip(row.Text) {
			t.Errorf("%q became %q", row.Text, row.Drawn())
		}
	}
	if last := rows[len(rows)-1].Drawn(); !strings.Contains(last, look.code[highlight.Keyword].Draw("return")) {
		t.Errorf("the code behind the comment is drawn as %q", last)
	}
}

// Of a long block only what is drawn is read.
func TestALongBlockIsReadWhereItIsDrawn(t *testing.T) {
	t.Parallel()
	look := NewLook(themes.Auto(color.Black), cells.ByCodePoint, false)
	rows := Render("```go\n"+strings.Repeat("return \"x\" // and so on\n", 5000)+"```", 80, look)
	for i := range 40 {
		rows[2500+i].Drawn()
	}
	read := map[*chunk]bool{}
	for _, row := range rows {
		if row.code != nil && row.code.chunk.spans != nil {
			read[row.code.chunk] = true
		}
	}
	if len(rows) < 5000 || len(read) == 0 || len(read) > 4 {
		t.Errorf("of %d rows, 40 drawn, %d chunks of %d lines were read", len(rows), len(read), chunkLines)
	}
}

func BenchmarkAFrameOfStreamingCode(b *testing.B) {
	look := NewLook(themes.Auto(color.Black), cells.ByCodePoint, false)
	s := NewStream(look)
	s.Writing(true)
	s.Append("```go\n")
	for b.Loop() {
		s.Append("\treturn fmt.Errorf(\"open %s: %w\", path, err) // and so on\n")
		rows := s.Rows(100)
		for i := max(len(rows)-40, 0); i < len(rows); i++ {
			rows[i].Drawn()
		}
	}
}

func TestVeryLongLinesAreLeftPlain(t *testing.T) {
	t.Parallel()
	look := NewLook(themes.Auto(color.Black), cells.ByCodePoint, false)
	for n, want := range map[int]bool{1: true, chunkBytes: false} {
		rows := Render("```json\n"+strings.Repeat("[true] ", n)+"\n```", 40, look)
		if got := strings.Contains(rows[1].Drawn(), look.code[highlight.Keyword].Draw("true")); got != want {
			t.Errorf("%d words: highlighted is %t: %q", n, got, rows[1].Drawn())
		}
	}
}

package markdown

import (
	"flag"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/themes"
	"society-tui/tui/cells"
)

var update = flag.Bool("update", false, "write down what the goldens now show")

const sample = `# Problems so far

I split the work: **research-lead** checks facts, *writer-lead* checks prose.
See [the style guide](https://example.org/style) or https://example.org/a_b, and ` + "`go test ./...`" + `.

| chapter | problem | source |
|--------:|---------|:------:|
| 2 | date is 1911, text says **1912** | web-1 |
| 5 | quote is not in the cited paper, and the page number is of another edition | web-2 |
| 7 | 引文来自第二版，而非第一版。 | web-3 |

## What comes next

1. Ask the reviewers
   - chapters 1–6
   - chapters 7–12, with a much longer explanation that does not fit on one row of a narrow pane
     1. first half
10. Collect

- [ ] one open, ~~crossed out~~
* another bullet with ***both*** and snake_case_name and 2 * 3 * 4

> A quote from the preface
> that goes on.
>
> - with a list

` + "```go" + `
func main() {
    fmt.Println("第七章 needs a source")  // and a long comment that runs over the edge of the pane
}
` + "```" + `

---
第七章需要一个来源，“第二版”的引文（见脚注）与第一版不同；请核对：页码、年份、作者。

Next I will ask the reviewers to`

// sameRows compares rows, but not where the code in them is found.
func sameRows(a, b []Row) bool {
	return slices.EqualFunc(a, b, func(a, b Row) bool {
		a.code, b.code = nil, nil
		return a == b
	})
}

func plain(rows []Row) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.TrimRight(ansi.Strip(r.Text), " ") + "\n")
	}
	return b.String()
}

func TestSampleMatchesItsGoldens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		width int
		ascii bool
	}{{112, false}, {72, false}, {58, false}, {30, false}, {58, true}, {12, false}} {
		name := strconv.Itoa(c.width)
		if c.ascii {
			name += "-ascii"
		}
		got := plain(Render(sample, c.width, NewLook(themes.Plain(), cells.ByCodePoint, c.ascii)))
		file := filepath.Join("testdata", "sample-"+name+".golden")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("at %s it is now\n%s", name, got)
		}
	}
}

func TestStylesAreThoseOfTheText(t *testing.T) {
	t.Parallel()
	look := NewLook(themes.Plain(), cells.ByCodePoint, false)
	for in, want := range map[string]string{
		"a **b** c":            "a \x1b[1mb\x1b[m c",
		"*i* and _j_":          "\x1b[3mi\x1b[m and \x1b[3mj\x1b[m",
		"***x***":              "\x1b[1;3mx\x1b[m",
		"**a *b***":            "\x1b[1ma \x1b[m\x1b[1;3mb\x1b[m",
		"~~no~~":               "\x1b[9mno\x1b[m",
		"snake_case_name":      "snake_case_name",
		"2 * 3 * 4":            "2 * 3 * 4",
		"**open":               "**open",
		`\*not\* \x`:           `*not* \x`,
		"`**code**`":           "**code**",
		"``a`b``":              "a`b",
		"[a](http://b)":        "\x1b[4ma\x1b[m (http://b)",
		"[http://b](http://b)": "\x1b[4mhttp://b\x1b[m",
		"![pic](x.png)":        "\x1b[4mpic\x1b[m (x.png)",
		"(http://a/b).":        "(\x1b[4mhttp://a/b\x1b[m).",
		"[not a link] (x)":     "[not a link] (x)",
		"# Title #":            "\x1b[1mTitle\x1b[m",
		"#hashtag":             "#hashtag",
		"<b>html</b>":          "<b>html</b>",
	} {
		rows := Render(in, 80, look)
		if len(rows) != 1 || rows[0].Text != want {
			t.Errorf("%q became %+v, want %q", in, rows, want)
		}
	}
}

func TestEmphasisThatIsBeingWrittenIsDrawnBeforeItEnds(t *testing.T) {
	t.Parallel()
	look := NewLook(themes.Plain(), cells.ByCodePoint, false)
	for in, want := range map[string]string{
		"• **no":        "• \x1b[1mno\x1b[m",
		"- a **":        "• a",
		"- a **no*":     "• a \x1b[1mno\x1b[m",
		"a **no** b":    "a \x1b[1mno\x1b[m b",
		"a **no** **b ": "a \x1b[1mno\x1b[m \x1b[1mb\x1b[m",
		"run `go te":    "run go te",
		"2 * 3":         "2 * 3",
		"2*3":           "2*3",
		"a _no":         "a \x1b[3mno\x1b[m",
		"a (*no":        "a (\x1b[3mno\x1b[m",
		`\**x`:          `**x`,
		"***no":         "\x1b[1;3mno\x1b[m",
		"a __no":        "a \x1b[1mno\x1b[m",
		"a ~~no~":       "a \x1b[9mno\x1b[m",
		"**run `go":     "\x1b[1mrun \x1b[m\x1b[1mgo\x1b[m",
		"~~a **b":       "\x1b[9ma \x1b[m\x1b[1;9mb\x1b[m",
		"snake_":        "snake_",
	} {
		s := NewStream(look)
		s.Append(in)
		s.Writing(true)
		rows := s.Rows(80)
		if len(rows) != 1 || strings.TrimRight(rows[0].Text, " ") != want {
			t.Errorf("%q is drawn as %+v, want %q", in, rows, want)
		}
		s.Writing(false)
		if got, whole := s.Rows(80), Render(in, 80, look); !sameRows(got, whole) {
			t.Errorf("%q at last is %+v, want %+v", in, got, whole)
		}
	}
	for _, text := range []string{"**bold** and `code` then ~~gone~~", "***all*** of __it__", "**run `go test` now**", "~~a **b** c~~", "第**七**章", "_one_ and *two* (_three_)", "**_both_**"} {
		for n := range text {
			s := NewStream(look)
			s.Writing(true)
			s.Append(text[:n])
			if got := plain(s.Rows(80)); n > 0 && strings.ContainsAny(got, "*_~`") {
				t.Errorf("%q shows signs: %q", text[:n], got)
			}
		}
	}
	// Signs inside a code block are not emphasis.
	s := NewStream(look)
	s.Writing(true)
	s.Append("```\na **b")
	if got := plain(s.Rows(80)); got != "│ a **b\n" {
		t.Errorf("code is drawn as %q", got)
	}
}

func TestAHeadingThatIsBeingWrittenShowsNoSigns(t *testing.T) {
	t.Parallel()
	look := NewLook(themes.Plain(), cells.ByCodePoint, false)
	for _, text := range []string{"# One", "some text\n\n###  Three", "> ## Two", "- # One", "1. ###### Six", "## [a](b) and *c*"} {
		for n := range text {
			s := NewStream(look)
			s.Writing(true)
			s.Append(text[:n])
			if got := plain(s.Rows(80)); strings.Contains(got, "#") {
				t.Errorf("%q shows signs: %q", text[:n], got)
			}
		}
	}
	s := NewStream(look)
	s.Append("###")
	if got := plain(s.Rows(80)); got != "###\n" {
		t.Errorf("at last it is %q", got)
	}
}

func TestNoEmojiIsBrokenWhereARowHasRoomForIt(t *testing.T) {
	t.Parallel()
	const family = "👨\u200d👩\u200d👧\u200d👦"
	rapid.Check(t, func(t *rapid.T) {
		before := "x" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"word", " ", "第", "👍🏽", "(", "**"}), 0, 12).Draw(t, "before"), "")
		width := rapid.IntRange(8, 30).Draw(t, "width")
		for _, m := range []cells.Measure{cells.ByCodePoint, cells.ByCluster} {
			look := NewLook(themes.Plain(), m, false)
			for _, rows := range [][]Row{Render(before+family+"第，", width, look), Plain(before+family+"第，", width, look)} {
				if !strings.Contains(plain(rows), family) {
					t.Fatalf("%q in %d cells by %d is\n%s", before, width, m, plain(rows))
				}
			}
		}
	})
}

func TestALinkNeverHidesWhereItLeads(t *testing.T) {
	t.Parallel()
	got := plain(Render("[https://good.example](https://evil.example)", 80, NewLook(themes.Plain(), cells.ByCodePoint, false)))
	if !strings.Contains(got, "https://evil.example") {
		t.Errorf("%q hides the address", got)
	}
}

func TestNoRowBeginsWithAClosingSign(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("第七章，需要（来源）。", 20)
	for width := 8; width < 40; width++ { // narrower rows cannot hold a word with its signs
		for _, r := range Render(text, width, NewLook(themes.Plain(), cells.ByCodePoint, false)) {
			row := []rune(ansi.Strip(r.Text))
			if len(row) > 0 && (closer(row[0]) || opener(row[len(row)-1])) {
				t.Fatalf("at %d there is a row %q", width, string(row))
			}
		}
	}
}

// written generates Markdown, valid and broken.
func written() *rapid.Generator[string] {
	parts := []string{
		"\n", "\n", "\n\n", "# ", "## h\n", "- ", "  - ", "    1. ", "10) ", "> ", ">> ", "```go\n", "```\n", "~~~\n", "    code\n",
		"| a | b |\n", "|---|:-:|\n", "| 1 | two words |\n", "|", "---\n", "***", "**", "*", "_", "~~", "`", "``", "[", "](http://x)", "\\",
		"https://example.org/x ", "word ", "another ", "averyverylongwordwithoutanyplacetobreak", "第七章，", "（二）", "👩\u200d🚀", "e\u0301", " ", "   ",
	}
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 60).Draw(t, "parts"), "")
	})
}

func TestStreamAlwaysEqualsRender(t *testing.T) {
	t.Parallel()
	look := NewLook(themes.Auto(color.Black), cells.ByCodePoint, false)
	rapid.Check(t, func(t *rapid.T) {
		text := written().Draw(t, "text")
		if rapid.IntRange(0, 20).Draw(t, "long") == 0 {
			text += strings.Repeat("on and on ", 2*pieceLimit/10) + text
		}
		width := rapid.IntRange(1, 50).Draw(t, "width")
		s := NewStream(look)
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			s.Append(rest[:n])
			rest = rest[n:]
			if rapid.IntRange(0, 4).Draw(t, "resize") == 0 {
				s.Rows(rapid.IntRange(1, 50).Draw(t, "other"))
			}
			want := Render(s.Text(), width, look)
			if got := s.Rows(width); !sameRows(got, want) {
				t.Fatalf("after %q the stream shows\n%s\nthe whole is\n%s", s.Text(), plain(got), plain(want))
			}
		}
		for _, r := range s.Rows(width) {
			if w := ansi.StringWidthWc(r.Text); w != r.Cells || w > width {
				t.Fatalf("%q says %d and is %d cells, width %d", r.Text, r.Cells, w, width)
			}
		}
	})
}

func TestMarkdownKeepsAllText(t *testing.T) {
	t.Parallel()
	look := NewLook(themes.Plain(), cells.ByCodePoint, false)
	rapid.Check(t, func(t *rapid.T) {
		text := written().Draw(t, "text")
		width := rapid.IntRange(24, 90).Draw(t, "width")
		letters := func(s string) string {
			return strings.Map(func(r rune) rune {
				if strings.ContainsRune("averyowdithnplcobk第七章二", r) {
					return r
				}
				return -1
			}, s)
		}
		want := letters(text)
		got := letters(strings.ReplaceAll(plain(Render(text, width, look)), "╭ go", ""))
		// A table drops excess cells of a row, and repeats the column heads when it is
		// drawn as a list.
		if !strings.Contains(text, "|") && strings.ReplaceAll(got, "go", "") != want && !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
			t.Fatalf("%q\nshows %q, want %q", text, got, want)
		}
	})
}

func TestATableFitsAnyWidth(t *testing.T) {
	t.Parallel()
	text := "| a | long heading here | 第三 |\n|---|---|--:|\n" + strings.Repeat("| word word | another cell with words | 42 |\n", 2*tableLimit)
	for width := 1; width < 80; width++ {
		for _, r := range Render(text, width, NewLook(themes.Plain(), cells.ByCodePoint, false)) {
			if ansi.StringWidthWc(r.Text) > width {
				t.Fatalf("at %d: %q", width, r.Text)
			}
		}
	}
}

func TestCodeIsFoundAsItWasWritten(t *testing.T) {
	t.Parallel()
	text := "a\n```go\nfunc f() {\n\n    x()\n}\n```\n- item\n  ```\n  two\n  ```\n~~~\nopen\n| a |\n|---|"
	want := []string{"func f() {\n\n    x()\n}\n", "two\n", "open\n| a |\n|---|\n"}
	if got := Code(text); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	blocks := map[int]bool{}
	for _, r := range Render(text, 40, NewLook(themes.Plain(), cells.ByCodePoint, false)) {
		blocks[r.Block] = true
	}
	for n := range len(want) + 1 {
		if !blocks[n] {
			t.Errorf("no row belongs to block %d", n)
		}
	}
}

func TestHostileLinesCostNoMoreThanTheirLength(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	for name, part := range map[string]string{
		"stars": "*a ", "brackets": "[", "links": "[a](", "backquotes": "`a``", "quotes": ">", "bullets": "- ", "pipes": "|",
		"one word": "ы", "marks": "e\u0301\u0301", "underscores": "_a", "nested": "**a *b ", "hashes": "# ", "tilde": "~~a ", "backslash": "\\",
	} {
		text := strings.Repeat(part, size/len(part))
		began := time.Now()
		Render(text, 80, NewLook(themes.Plain(), cells.ByCodePoint, false))
		// This guards against quadratic time; it is not a measurement.
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: a megabyte took %v", name, took)
		} else {
			t.Logf("%s: %v", name, took)
		}
	}
}

func FuzzStream(f *testing.F) {
	f.Add("# a\n- *b* `c`\n> d\n```e\nf", 20, 7)
	f.Add("| a |\n|-|\n|b", 3, 1)
	look := NewLook(themes.Plain(), cells.ByCodePoint, false)
	f.Fuzz(func(t *testing.T, text string, width, step int) {
		text = strings.ToValidUTF8(strings.Map(func(r rune) rune {
			if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 {
				return -1
			}
			return r
		}, text), "?")
		text = text[:min(len(text), 1000)] // each step draws an unfinished line again
		text = strings.ToValidUTF8(text, "?")
		width, step = 1+(width&0x7f), 1+(step&0x1f)
		s := NewStream(look)
		for rest := text; rest != ""; {
			n := min(step, len(rest))
			s.Append(rest[:n])
			rest = rest[n:]
			s.Rows(width)
		}
		if !sameRows(s.Rows(width), Render(text, width, look)) {
			t.Fatalf("%q in steps of %d differs", text, step)
		}
		for _, r := range s.Rows(width) {
			if r.Cells > width {
				t.Fatalf("%q is wider than %d", r.Text, width)
			}
		}
	})
}

func BenchmarkRender(b *testing.B) {
	look := NewLook(themes.Auto(color.Black), cells.ByCodePoint, false)
	b.SetBytes(int64(len(sample)))
	for b.Loop() {
		Render(sample, 110, look)
	}
}

// One frame of a long streaming answer: a few more words, then its rows.
func BenchmarkStreamFrame(b *testing.B) {
	look := NewLook(themes.Auto(color.Black), cells.ByCodePoint, false)
	for _, size := range []int{10, 1000} {
		b.Run(strconv.Itoa(size*len(sample)>>10)+"KiB", func(b *testing.B) {
			s := NewStream(look)
			s.Append(strings.Repeat(sample+"\n\n", size))
			s.Rows(110)
			n := 0
			for b.Loop() {
				s.Append("and some words ")
				if n++; n%20 == 0 {
					s.Append("\n")
				}
				s.Rows(110)
			}
		})
	}
}

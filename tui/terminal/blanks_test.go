package terminal

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/hinshun/vt10x"
	"pgregory.net/rapid"
)

// drawn returns the library's output for rows on an empty screen, and then for
// others.
func drawn(width int, screens ...[]string) string {
	var out bytes.Buffer
	r := uv.NewTerminalRenderer(&out, []string{"TERM=screen-256color"})
	r.SetColorProfile(colorprofile.ANSI256)
	r.SetFullscreen(true)
	r.SetRelativeCursor(false)
	r.Erase()
	for _, rows := range screens {
		buffer := uv.NewScreenBuffer(width, len(rows))
		uv.NewStyledString(strings.Join(rows, "\n")).Draw(buffer, buffer.Bounds())
		r.Render(buffer.RenderBuffer)
		_ = r.Flush()
	}
	return out.String()
}

// erases matches sequences that erase cells.
var erases = regexp.MustCompile(`\x1b\[[0-9]*[JKX]`)

const (
	paintedWidth = 40
	painted      = "\x1b[38;5;15;48;5;16m"
)

// paintedRow is a text on a coloured background.
func paintedRow(text string) string {
	return painted + text + strings.Repeat(" ", paintedWidth-ansi.StringWidth(text)) + ansi.ResetStyle
}

// checkPainted draws rows on an empty screen and then others, with WriteBlanks,
// and fails if a cell has no colour in a terminal that erases in its default
// background.
func checkPainted(t rapid.TB, screens ...[]string) {
	t.Helper()
	for _, rows := range screens {
		for y := range rows {
			was := ansi.Strip(rows[y])
			rows[y] = WriteBlanks(rows[y])
			if ansi.Strip(rows[y]) != was {
				t.Fatalf("%q became %q", was, ansi.Strip(rows[y]))
			}
		}
	}
	plain := vt10x.New(vt10x.WithSize(paintedWidth, len(screens[0])))
	text := erases.ReplaceAllString(drawn(paintedWidth, screens...), "\x1b7\x1b[m$0\x1b8")
	if _, err := plain.Write([]byte(strings.ReplaceAll(text, "\n", "\x1bD"))); err != nil {
		t.Fatal(err)
	}
	for y := range screens[0] {
		for x := range paintedWidth {
			if plain.Cell(x, y).BG != 16 {
				t.Fatalf("cell %d,%d is not painted by %q", x, y, text)
			}
		}
	}
}

// Property: every blank is coloured in a terminal that erases without colour,
// and the text stays the same.
func TestBlanksArePaintedWhereErasingHasNoColour(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		row := rapid.Custom(func(t *rapid.T) string {
			words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "bc", " ", "  ", "        ", ansi.ResetStyle + painted}), 0, 12).Draw(t, "words")
			return paintedRow(ansi.Truncate(strings.Join(words, ""), paintedWidth, ""))
		})
		var screens [][]string
		for range 2 {
			screens = append(screens, rapid.SliceOfN(row, 5, 5).Draw(t, "rows"))
		}
		checkPainted(t, screens...)
	})
}

// A few blanks in one style and a few in the next add up to a run that is
// erased.
func TestFewBlanksInSeveralStylesAreColoured(t *testing.T) {
	t.Parallel()
	const other = ansi.ResetStyle + painted
	checkPainted(t, []string{paintedRow("")}, []string{paintedRow(" " + other + "  " + other + "  a")})
}

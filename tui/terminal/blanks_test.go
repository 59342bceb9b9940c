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

// drawn is what the library writes for rows on an empty screen, and then for others.
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

// erases matches what erases cells.
var erases = regexp.MustCompile(`\x1b\[[0-9]*[JKX]`)

// The property: every blank is painted in a terminal that erases without colour, and no text is
// another.
func TestBlanksArePaintedWhereErasingHasNoColour(t *testing.T) {
	t.Parallel()
	const width, ground = 40, "\x1b[38;5;15;48;5;16m"
	rapid.Check(t, func(t *rapid.T) {
		row := rapid.Custom(func(t *rapid.T) string {
			words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "bc", " ", "  ", "        ", ansi.ResetStyle + ground}), 0, 12).Draw(t, "words")
			text := ansi.Truncate(strings.Join(words, ""), width, "")
			return ground + text + strings.Repeat(" ", width-ansi.StringWidth(text)) + ansi.ResetStyle
		})
		var screens [][]string
		for range 2 {
			screens = append(screens, rapid.SliceOfN(row, 5, 5).Draw(t, "rows"))
		}
		for _, rows := range screens {
			for y := range rows {
				was := ansi.Strip(rows[y])
				rows[y] = WriteBlanks(rows[y])
				if ansi.Strip(rows[y]) != was {
					t.Fatalf("%q became %q", was, ansi.Strip(rows[y]))
				}
			}
		}
		plain := vt10x.New(vt10x.WithSize(width, 5))
		// A terminal that erases in its own background.
		text := erases.ReplaceAllString(drawn(width, screens...), "\x1b7\x1b[m$0\x1b8")
		if _, err := plain.Write([]byte(strings.ReplaceAll(text, "\n", "\x1bD"))); err != nil {
			t.Fatal(err)
		}
		for y := range 5 {
			for x := range width {
				if plain.Cell(x, y).BG != 16 {
					t.Fatalf("cell %d,%d is not painted by %q", x, y, text)
				}
			}
		}
	})
}

package screentest

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"unicode/utf8"
)

// CellWidth is the width of a cell in pixels: that of most fixed fonts at this
// size.
const CellWidth = 8.4

// Other sizes in pixels, and the default colours.
const (
	cellHeight = 16 // lines of neighbouring rows meet
	letterSize = 14
	baseline   = 13 // below the top of a cell
	ownGround  = "#14161b"
	ownLetters = "#e6e6e6"
)

// Picture returns the screen as SVG. Each run of letters is stretched to its
// cells, so that it looks the same with any fixed font.
func (e *Emulator) Picture() []byte {
	rows := e.Inks()
	width, height := float64(len(rows[0]))*CellWidth, len(rows)*cellHeight
	ground := rows[0][0].Back
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.1f %d" width="%.0f" height="%d">`+"\n", width, height, width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", hex(ground, ownGround))
	fmt.Fprintf(&b, `<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="%d">`+"\n", letterSize)
	for y, row := range rows {
		for _, r := range runs(row, func(a, b Ink) bool { return a.Back == b.Back }) {
			if back := row[r.from].Back; back != ground {
				fmt.Fprintf(&b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n",
					float64(r.from)*CellWidth, y*cellHeight, float64(r.to-r.from)*CellWidth, cellHeight, hex(back, ownGround))
			}
		}
		for _, r := range runs(row, alike) {
			r.letters(&b, row, y)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

// A run is the cells of a row that are drawn together.
type run struct{ from, to int }

// runs splits a row between cells that do not go together.
func runs(row []Ink, together func(a, b Ink) bool) []run {
	var all []run
	for x := range row {
		if x > 0 && together(row[x-1], row[x]) {
			all[len(all)-1].to++
		} else {
			all = append(all, run{x, x + 1})
		}
	}
	return all
}

// alike reports whether two cells can be one text. A wide character is a run of
// its own, because fonts disagree on its width.
func alike(a, b Ink) bool {
	return a.Fore == b.Fore && a.Bold == b.Bold && a.Wide == b.Wide && (!b.Wide || b.Char == 0)
}

// letters draws the text of a run.
func (r run) letters(b *bytes.Buffer, row []Ink, y int) {
	for r.from < r.to && row[r.from].Char == 0 {
		r.from++
	}
	for r.to > r.from && row[r.to-1].Char == 0 && !row[r.to-1].Wide {
		r.to--
	}
	if r.from == r.to {
		return
	}
	var text []byte
	for _, ink := range row[r.from:r.to] {
		switch {
		case ink.Char != 0:
			text = utf8.AppendRune(text, ink.Char)
		case !ink.Wide:
			text = append(text, ' ')
		}
	}
	weight := ""
	if row[r.from].Bold {
		weight = ` font-weight="bold"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs" fill="%s"%s>`,
		float64(r.from)*CellWidth, y*cellHeight+baseline, float64(r.to-r.from)*CellWidth, hex(row[r.from].Fore, ownLetters), weight)
	text = bytes.ReplaceAll(text, []byte(" "), []byte("\u00a0")) // browsers make one of several plain ones, whatever xml:space says
	_ = xml.EscapeText(b, text)                                  // writes to a buffer do not fail
	b.WriteString("</text>\n")
}

// hex returns a colour for SVG, own for the default.
func hex(c color.Color, own string) string {
	if c == nil {
		return own
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

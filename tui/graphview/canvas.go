package graphview

import (
	"strings"

	"society-tui/themes"
	"society-tui/tui/symbols"
)

// The sides of a cell that a line reaches.
const (
	north = 1 << iota
	south
	west
	east
)

// lines are the box drawing characters by the sides they reach.
var lines = []rune(" ╵╷│╴┘┐┤╶└┌├─┴┬┼")

// A canvas is a grid of cells. Drawing outside of it has no effect.
type canvas struct {
	width int
	rows  [][]cell
	set   symbols.Set
}

// A cell holds a character, or the sides that a line reaches.
type cell struct {
	text  string // "" for blank
	sides int
	net   int // the net of the line
	taken bool
	style *themes.Pen
}

func newCanvas(width, height int, set symbols.Set) *canvas {
	c := &canvas{width: width, rows: make([][]cell, height), set: set}
	for i := range c.rows {
		c.rows[i] = make([]cell, width)
	}
	return c
}

func (c *canvas) at(x, y int) *cell {
	if y < 0 || y >= len(c.rows) || x < 0 || x >= c.width {
		return &cell{}
	}
	return &c.rows[y][x]
}

// write puts a clean text into at most w cells.
func (c *canvas) write(x, y, w int, s string, style *themes.Pen, tail string) {
	s = c.set.Cut(s, min(w, c.width-x), tail)
	for s != "" {
		sign, wide := c.set.First(s)
		s = s[len(sign):]
		if wide == 0 {
			continue
		}
		*c.at(x, y) = cell{text: sign, taken: true, style: style}
		for i := 1; i < wide; i++ {
			*c.at(x+i, y) = cell{taken: true}
		}
		x += wide
	}
}

// line draws a line through a cell. Where nets cross, the vertical line passes
// over the other, so that they do not seem to join.
func (c *canvas) line(x, y, sides, net int, style *themes.Pen) {
	at := c.at(x, y)
	switch {
	case at.taken:
		return
	case at.sides == 0 || at.net == net:
	case at.sides == north|south && sides == west|east:
		return
	case at.sides == west|east && sides == north|south:
		at.sides = 0
	}
	at.sides, at.net, at.style = at.sides|sides, net, style
}

// sign returns the character of a line.
func (c *canvas) sign(sides int) string {
	switch {
	case !c.set.ASCII:
		return string(lines[sides])
	case sides == west|east || sides == west || sides == east:
		return "-"
	case sides&(west|east) == 0:
		return "|"
	}
	return "+"
}

// strings returns the rows, each exactly as wide as the canvas.
func (c *canvas) strings() []string {
	rows := make([]string, len(c.rows))
	for y, row := range c.rows {
		var b, run strings.Builder
		var style *themes.Pen
		flush := func() {
			if style != nil {
				b.WriteString(style.Draw(run.String()))
			} else {
				b.WriteString(run.String())
			}
			run.Reset()
		}
		for x := range row {
			at := &row[x]
			if at.taken && at.text == "" {
				continue // second half of a wide character
			}
			text, with := " ", at.style
			switch {
			case at.taken:
				text = at.text
			case at.sides != 0:
				text = c.sign(at.sides)
			default:
				with = nil
			}
			if with != style {
				flush()
				style = with
			}
			run.WriteString(text)
		}
		flush()
		rows[y] = c.set.Fit(b.String(), c.width, "")
	}
	return rows
}

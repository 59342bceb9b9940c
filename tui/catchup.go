package tui

import (
	"math"
	"slices"
	"strings"

	"society-tui/tui/background"
	"society-tui/tui/terminal"
)

// A pacer draws no more than the line to the terminal takes: what the user does at once,
// the rest when the line is free, and on a slow line a few rows at a time.
type pacer struct {
	line   *terminal.Line // nil: as fast as one likes
	urgent bool           // what is to be drawn shows what the user did
	rows   catchUp
	// closing is set when the screen is about to be erased: nothing more is drawn.
	closing bool
	again   background.AlarmClock // looks whether something can be drawn that could not be
}

// A catchUp brings the rows of the screen up to date a few at a time.
type catchUp struct {
	drawn  []string
	wanted []string
	next   int // where it goes on
	behind bool
}

// left reports whether rows are not drawn as wanted.
func (c *catchUp) left() bool { return c.behind }

// blank takes it that the screen is empty and of that size, and returns its rows.
func (c *catchUp) blank(w, h int) []string {
	c.drawn = slices.Repeat([]string{strings.Repeat(" ", max(w, 0))}, max(h, 0))
	return c.drawn
}

// draw returns the rows with as many of them as wanted as so many bytes are enough for, at
// least one: the first, then those whose turn it is. It returns how many bytes they take.
func (c *catchUp) draw(wanted []string, most, first int) (rows []string, bytes int) {
	c.wanted, c.behind = wanted, false
	if most == math.MaxInt {
		c.drawn = wanted
		return wanted, 0
	}
	rows = make([]string, len(wanted))
	copy(rows, c.drawn)
	begin := c.next
	for i := -1; i < len(rows); i++ {
		y := first
		if i >= 0 {
			y = (begin + i) % len(rows)
		}
		if y < 0 || y >= len(rows) || rows[y] == wanted[y] {
			continue
		}
		n := changed(rows[y], wanted[y])
		if bytes > 0 && bytes+n > most {
			c.behind, c.next = true, y
			break
		}
		rows[y] = wanted[y]
		bytes += n
	}
	c.drawn = rows
	return rows, bytes
}

// changed returns how many bytes of a row are others than before, about as many as are
// written for it.
func changed(before, now string) int {
	for before != "" && now != "" && before[0] == now[0] {
		before, now = before[1:], now[1:]
	}
	for before != "" && now != "" && before[len(before)-1] == now[len(now)-1] {
		before, now = before[:len(before)-1], now[:len(now)-1]
	}
	const moving = 8 // the cursor there
	return max(len(before), len(now)) + moving
}

package tui

import (
	"math"
	"slices"
	"strings"

	"society-tui/tui/background"
	"society-tui/tui/terminal"
)

// A pacer limits drawing to the speed of the line: the user's input shows at
// once, the rest when the line is free, and on a slow line a few rows at a
// time.
type pacer struct {
	line   *terminal.Line // nil is infinitely fast
	urgent bool           // the next frame shows the user's input
	rows   catchUp
	// closing is set when the screen is about to be erased, so that nothing more is
	// drawn.
	closing bool
	again   background.AlarmClock // retries deferred drawing
}

// A catchUp updates the rows of the screen in steps.
type catchUp struct {
	drawn  []string
	wanted []string
	next   int // the row to continue at
	behind bool
}

// left reports whether rows are outdated.
func (c *catchUp) left() bool { return c.behind }

// blank resets it to an empty screen of that size, and returns its rows.
func (c *catchUp) blank(w, h int) []string {
	c.drawn = slices.Repeat([]string{strings.Repeat(" ", max(w, 0))}, max(h, 0))
	return c.drawn
}

// draw updates as many rows as fit into most bytes, but at least one: row
// first, then the others in turn. It returns the rows and the bytes used.
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

// changed estimates how many bytes the renderer writes to change a row.
func changed(before, now string) int {
	for before != "" && now != "" && before[0] == now[0] {
		before, now = before[1:], now[1:]
	}
	for before != "" && now != "" && before[len(before)-1] == now[len(now)-1] {
		before, now = before[:len(before)-1], now[:len(now)-1]
	}
	const moving = 8 // moving the cursor there
	return max(len(before), len(now)) + moving
}

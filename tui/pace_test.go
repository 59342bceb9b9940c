package tui

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Property: each piece updates the first row and at least one, fits its limit
// unless it is a single row, and as many pieces as rows update all of them.
func TestSlowTerminalIsUpdatedRowByRow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const height = 8
		row := rapid.Custom(func(t *rapid.T) string {
			return strings.Repeat(rapid.StringN(1, 3, -1).Draw(t, "row"), rapid.IntRange(0, 10).Draw(t, "times"))
		})
		screen := rapid.SliceOfN(row, height, height)
		var c catchUp
		if rapid.Bool().Draw(t, "drawn before") {
			c.draw(screen.Draw(t, "before"), math.MaxInt, -1)
		}
		for range rapid.IntRange(1, 4).Draw(t, "screens") {
			if rapid.Bool().Draw(t, "drawn over") {
				c.blank(3, height)
			}
			wanted := screen.Draw(t, "wanted")
			most, first := rapid.IntRange(1, 60).Draw(t, "most"), rapid.IntRange(-1, height).Draw(t, "first")
			for pieces := 1; ; pieces++ {
				before := slices.Clone(c.drawn)
				rows, bytes := c.draw(wanted, most, first)
				if first >= 0 && first < height && rows[first] != wanted[first] {
					t.Fatalf("the first row is left behind")
				}
				fresh := 0
				for y := range rows {
					if len(before) == 0 && rows[y] != "" || len(before) > 0 && rows[y] != before[y] {
						fresh++
					}
				}
				if bytes > most && fresh > 1 {
					t.Fatalf("%d rows have %d bytes, of %d", fresh, bytes, most)
				}
				if c.left() != !slices.Equal(rows, wanted) {
					t.Fatalf("rows are left: %v; they are %q of %q", c.left(), rows, wanted)
				}
				if !c.left() {
					break
				}
				if fresh == 0 || pieces > height {
					t.Fatalf("%d rows in the %d. piece", fresh, pieces)
				}
			}
		}
	})
}

func TestOnlyChangesInARowAreCounted(t *testing.T) {
	t.Parallel()
	row := strings.Repeat("some words ", 20)
	for now, most := range map[string]int{row[:100] + "x" + row[101:]: 20, row: 10, "": 300} {
		if n := changed(row, now); n > most || n < min(most, 8) {
			t.Errorf("%s: %d bytes, at most %d", fmt.Sprintf("%.20q", now), n, most)
		}
	}
}

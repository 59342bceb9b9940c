package transcript_test

import (
	"strings"
	"testing"

	stored "society-tui/runtime/conversation"
)

// What the user wrote is folded like any other long text, however long it is.
func TestC66AnOwnPasteShowsSixRowsUntilUnfolded(t *testing.T) {
	t.Parallel()
	for name, paste := range map[string]string{
		"lines":    strings.Repeat("a line of a long paste\n", 1<<20/23),
		"one line": strings.Repeat("word ", 1<<20/5),
		"Chinese":  strings.Repeat("粘贴", 1<<20/6),
		"blank":    strings.Repeat("\n", 1<<16) + strings.Repeat(" ", 1<<16),
		"eleven":   "1\n2\n3\n4\n5\n6\n7\n8\n9\n10",
	} {
		paste += "\nWhat is wrong here?\n\n"
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := opened(plainly(), &shelf{entries: []stored.Entry{
				{Slot: 0, Kind: stored.Inbound, At: at(2, 11), From: "user", To: "root", Type: "general", Body: paste},
				{Slot: 1, Kind: stored.Answer, At: at(2, 12), Text: "the answer"},
			}})
			r.Focus(true)
			own := func() (n int) {
				t.Helper()
				r.Top()
				for _, row := range strings.Split(text(r.Rows(72, 40)), "\n")[1:] {
					if strings.Trim(row, " │▏") == "" {
						return n
					}
					n++
				}
				return n
			}
			if n := own(); n > 6 {
				t.Errorf("%d rows are shown:\n%s", n, text(r.Rows(72, 40)))
			}
			shows(t, r.Rows(72, 40), "+", "What is wrong here?")
			if name == "eleven" {
				shows(t, r.Rows(72, 40), "▌ 3", "+7 lines")
				hides(t, r.Rows(72, 40), "▌ 4")
			}
			r.Top()
			r.Toggle()
			if n := own(); n < 7 {
				t.Errorf("%d rows are shown when it is unfolded:\n%s", n, text(r.Rows(72, 40)))
			}
			r.Toggle()
			r.Toggle()
			if n := own(); n > 6 {
				t.Errorf("%d rows are shown after it was folded:\n%s", n, text(r.Rows(72, 40)))
			}
		})
	}
	short := opened(plainly(), &shelf{entries: []stored.Entry{{Slot: 0, Kind: stored.Inbound, At: at(2, 11), From: "user", To: "root", Type: "general", Body: "1\n2\n3\n4\n5\n6\n7\n8\n9\nten"}}})
	shows(t, short.Rows(72, 40), "ten")
	hides(t, short.Rows(72, 40), "+")
}

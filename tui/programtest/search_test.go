package programtest

import (
	"testing"

	"society-tui/runtime/tables/tablestest"
)

// In the built program the search reaches the first entry of a conversation
// whose beginning is not loaded.
func TestSearchReachesTheBeginningOfALongConversation(t *testing.T) {
	t.Parallel()
	const (
		said = 1500 // entries, far more than are loaded
		each = 40   // matches in each
	)
	h := newHome(t)
	h.settled(tablestest.Settlement{Agents: 1, Said: said})
	x := h.open(100, 30).opened()
	x.sees("following", "word word")
	x.write("/search WORD")
	x.press("enter")
	x.sees("No match")
	x.press("/")
	x.write("word")
	x.press("enter")
	x.sees("1 of 60,000")
	x.press("N")
	x.sees("60,000 of 60,000", "0%")
	x.press("n")
	x.sees(" 1 of 60,000")
	x.press("esc")
	x.until("the end", func(rows []string) bool { return !stands(rows, "60,000") && stands(rows, "following") })
	x.quit()
}

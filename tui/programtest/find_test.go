package programtest

import (
	"os"
	"testing"
	"time"

	"society-tui/runtime/tables/tablestest"
)

// The built program searches all conversations while it is used: closing the
// list and typing have an immediate effect. With SOCIETY_LONG=1 there are
// 100,000 messages.
func TestAllConversationsAreSearchedInTheBackground(t *testing.T) {
	t.Parallel()
	agents, said, all := 20, 500, "10,0"
	if os.Getenv("SOCIETY_LONG") != "" {
		agents, said, all = 100, 1000, "100,0"
	}
	h := newHome(t)
	h.settled(tablestest.Settlement{Agents: agents, Said: said})
	x := h.open(100, 30).opened()
	x.write("/find nowhere to be found")
	begun := time.Now()
	x.press("enter", "ctrl+f")
	x.sees("in all conversations")
	x.press("esc")
	x.until("the list closed", func(rows []string) bool { return !stands(rows, "in all conversations") })
	x.sees("enter send") // back in the composer
	x.write("typed at once")
	x.sees("typed at once")
	t.Logf("begun, closed and typed after %v", time.Since(begun).Round(time.Millisecond))
	x.press("ctrl+c")
	x.write("/find word")
	begun = time.Now()
	x.press("enter", "ctrl+f")
	x.sees("“word” in all conversations: "+all, "the newest 500")
	t.Logf("%d messages searched after %v", agents*said, time.Since(begun).Round(time.Millisecond))
	x.press("enter")
	x.sees("/word", " of ", " in this conversation")
	x.quit()
}

package programtest

import (
	"os"
	"testing"
	"time"

	"society-tui/runtime/tables/tablestest"
)

// An idle society writes nothing, uses almost no processor time and does not
// grow: what remains is the library's ticker at sixty frames a second. The
// share is only checked with SOCIETY_LONG=1, on an idle machine.
func TestIdleSocietyUsesNoResources(t *testing.T) {
	t.Parallel()
	rest := 2 * time.Second
	if os.Getenv("SOCIETY_LONG") != "" {
		rest = time.Minute
	}
	h := newHome(t)
	h.settled(tablestest.Settlement{Agents: 200, Said: 20, Children: true})
	x := h.open(160, 45)
	x.sees("to: root")
	for before := -1; before != len(x.written()); <-time.After(3 * time.Second) {
		before = len(x.written()) // until the notices of the start are gone
	}
	wrote, worked, own := len(x.written()), x.worked(), x.memory().own
	<-time.After(rest)
	wrote, worked, own = len(x.written())-wrote, x.worked()-worked, x.memory().own-own
	t.Logf("in %v at rest: %d bytes written, %v worked, %+d kB", rest, wrote, worked, own>>10)
	if wrote > 0 {
		t.Errorf("%d bytes were written", wrote)
	}
	if own > 4<<20 {
		t.Errorf("it has grown by %d bytes", own)
	}
	if rest == time.Minute && worked > rest/100 {
		t.Errorf("it has worked %v of %v", worked, rest)
	}
	x.quit()
}

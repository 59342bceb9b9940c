package programtest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/tables/tablestest"
)

// TestFigures measures what a person feels, and prints it. It takes its time and
// needs a quiet machine, so it measures only with SOCIETY_LONG=1; otherwise it
// looks that there is something to measure.
func TestFigures(t *testing.T) {
	h := newHome(t, "[model]", slow)
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("size of the binary: %.1f MB", float64(info.Size())/1e6)

	starts, keys, rest, agents := 3, 50, time.Second, 200 // keys in rounds of 50
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Parallel()
	} else {
		starts, keys, rest, agents = 20, 300, 10*time.Second, 5000
	}
	first := func(h *home) (frames []time.Duration) {
		for range starts {
			began := time.Now()
			x := h.open(200, 50)
			x.sees("to: root")
			frames = append(frames, time.Since(began))
			x.signal(os.Kill)
			x.ends()
		}
		return frames
	}
	print := func(what string, all []time.Duration) time.Duration {
		slices.Sort(all)
		p95 := all[len(all)*95/100]
		t.Logf("%s: median %v, 95 %% within %v, most %v", what, all[len(all)/2].Round(100*time.Microsecond), p95.Round(100*time.Microsecond), all[len(all)-1].Round(100*time.Microsecond))
		return p95
	}
	if p95 := print("first frame after exec", first(h)); p95 > patience/10 {
		t.Errorf("the first frame takes %v", p95)
	}
	large := newHome(t, "[model]", slow)
	large.settled(tablestest.Settlement{Agents: agents, Said: 20, Children: true})
	if p95 := print(fmt.Sprintf("the same with %d agents and %d messages", agents, 20*agents), first(large)); p95 > patience/10 {
		t.Errorf("the first frame of a large society takes %v", p95)
	}

	x := h.open(200, 50).opened()
	var changes []time.Duration
	for i := range keys {
		began := time.Now()
		x.press("x")
		x.sees("│ " + strings.Repeat("x", i%50+1) + " ")
		changes = append(changes, time.Since(began))
		if i%50 == 49 {
			x.press("ctrl+c")
			x.sees("Tell root what you want,")
		}
	}
	print("key to changed frame", changes)

	x.until("no notice", func(rows []string) bool { return strings.TrimSpace(rows[len(rows)-2]) == "" })
	before := len(x.written())
	<-time.After(rest)
	idle := x.written()[before:]
	t.Logf("bytes written in %v at rest: %d %q", rest, len(idle), idle)
	if len(idle) > 0 {
		t.Errorf("a society at rest draws")
	}
	x.quit()
}

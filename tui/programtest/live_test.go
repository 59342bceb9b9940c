package programtest

import (
	"cmp"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/society/societytest"
	"society-tui/runtime/tables"
	"society-tui/runtime/tables/tablestest"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// many is how many agents are stopped while the user types.
const many = 10_000

// crowded puts a society of so many thinking agents into a home.
func (h *home) crowded(agents int) {
	h.t.Helper()
	s, events, err := societytest.Crowd(agents)
	if err != nil {
		h.t.Fatal(err)
	}
	h.filled(func(store storage.Store) error {
		return store.Update(func(tx storage.Tx) error { return tables.Record(tx, s, events, s.TakeChanged()) })
	})
}

// settled puts an idle society into a home.
func (h *home) settled(s tablestest.Settlement) { h.t.Helper(); h.filled(s.Fill) }

// filled fills the store of a home.
func (h *home) filled(fill func(storage.Store) error) {
	h.t.Helper()
	path := h.path("data/society-tui/society.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	store, err := boltdb.Open(path)
	if err != nil {
		h.t.Fatal(err)
	}
	if err := cmp.Or(fill(store), store.Close()); err != nil {
		h.t.Fatal(err)
	}
}

// The screen stays live while ten thousand agents are stopped: a key every 20
// ms shows within 50 ms. A thousand agents, the limit of the settings, have a
// model call; the others are queued. It takes half a minute and an idle
// machine, so it runs in full, with the limits, only with SOCIETY_LONG=1.
func TestS001P7TheScreenStaysLiveWhileTenThousandAgentsAreStopped(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("SOCIETY_LONG=1 plays it")
	}
	for name, hand := range map[string]hand{
		"typing in the composer": {pane: "alt+3", key: func(int) string { return "x" }, shown: typed},
		"moving in the tree":     {pane: "alt+1", key: upAndDown, shown: moved},
	} {
		t.Run(name, func(t *testing.T) { stopMany(t, hand) })
	}
}

func stopMany(t *testing.T, hand hand) {
	const calls, keys = 1_000, 160 // so many end where they began
	if _, err := built(); err != nil {
		t.Fatal(err)
	}
	server := &talker{pace: time.Second}
	endpoint := httptest.NewServer(server)
	t.Cleanup(endpoint.Close) // after the program has ended
	h := newHome(t, "[limits]", fmt.Sprintf("agents = %d", many), fmt.Sprintf("model_calls = %d", calls))
	h.env = append(h.env, "OPENAI_BASE_URL="+endpoint.URL+"/v1", "SOCIETY_MODEL=talker")
	h.crowded(many)
	begun := time.Now()
	x := h.open(200, 50)
	x.sees("to: root")
	t.Logf("its first frame after %v", time.Since(begun).Round(time.Millisecond))
	for server.open.Load() < calls {
		time.Sleep(10 * time.Millisecond)
	}
	t.Logf("all calls are open after %v", time.Since(begun).Round(time.Millisecond))
	if hand.pane == "alt+1" {
		x.press("alt+1")
		x.until("the cursor at root", func(rows []string) bool { return shows(rows, "▌", " root ") && stands(rows, "enter talk") })
	}
	printed(t, "key to changed frame, all at work", x.follows(hand, keys))

	x.press("ctrl+x", "s")
	x.sees("Stop root?", fmt.Sprintf("Stops %d agents", many))
	begun = x.confirms()
	p95 := printed(t, "key to changed frame, all being stopped", x.follows(hand, keys))
	x.sees("■10,000")
	t.Logf("all are shown as stopped within %v", time.Since(begun).Round(time.Millisecond))
	if p95 > 50*time.Millisecond {
		t.Errorf("a key shows after %v", p95)
	}
	if n := server.open.Load(); n != 0 {
		t.Errorf("%d calls are open after the stop", n)
	}
	if n := server.begun.Load(); n != calls {
		t.Errorf("%d calls were begun by those who were being stopped", n-calls)
	}
	x.signal(os.Kill)
	x.ends()
}

// A hand presses one key after the other.
type hand struct {
	pane  string
	every time.Duration // interval of the keys; 0 is 20 ms
	key   func(i int) string
	// shown returns how many keys the screen shows, given how many it showed
	// before.
	shown func(rows []string, before int) int
}

func typed(rows []string, before int) int {
	for _, row := range rows {
		if rest, ok := strings.CutPrefix(row, "> "); ok && strings.HasPrefix(rest, "x") {
			return len(rest) - len(strings.TrimLeft(rest, "x"))
		}
	}
	return before
}

// upAndDown moves the cursor between the first lines of the tree.
func upAndDown(i int) string {
	if i/20%2 == 0 {
		return "j"
	}
	return "k"
}

func moved(rows []string, before int) int {
	const root = 3 // its row, below the header, the title and the user's line
	at := 2 + slices.IndexFunc(rows[2:], func(row string) bool { return strings.HasPrefix(row, "▌") })
	for n, line := 0, 0; n < before+30; n++ {
		if n >= before && line == at-root {
			return n
		}
		if upAndDown(n) == "j" {
			line++
		} else {
			line--
		}
	}
	return before
}

// follows presses keys one after the other, and returns how long each took to
// show.
func (x *terminal) follows(hand hand, keys int) []time.Duration {
	x.t.Helper()
	pressed := make([]time.Time, keys)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(cmp.Or(hand.every, 20*time.Millisecond))
		defer tick.Stop()
		for i := range keys {
			<-tick.C
			x.mu.Lock()
			pressed[i] = time.Now()
			x.mu.Unlock()
			x.write(hand.key(i))
		}
	}()
	var took []time.Duration
	x.wait("the keys", func() bool {
		for shown := min(hand.shown(x.screen.Rows(), len(took)), keys); len(took) < shown && !pressed[len(took)].IsZero(); {
			took = append(took, time.Since(pressed[len(took)]))
		}
		return len(took) == keys
	})
	<-done
	if hand.pane != "alt+1" {
		x.press("ctrl+c") // clears the composer
		x.until("an empty composer", func(rows []string) bool { return typed(rows, 0) == 0 })
	}
	return took
}

func printed(t *testing.T, what string, all []time.Duration) time.Duration {
	t.Helper()
	slices.Sort(all)
	p95 := all[len(all)*95/100]
	round := func(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
	t.Logf("%s: least %v, median %v, 95 %% within %v, most %v", what, round(all[0]), round(all[len(all)/2]), round(p95), round(all[len(all)-1]))
	return p95
}

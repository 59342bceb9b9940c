package programtest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// The user has folded an agent, selected another, scrolled back in a
// conversation, and begun drafts to two; answers are unread. After leaving, or
// a kill once that is saved, the next start shows the same screen.
func TestRestartRestoresTheScreen(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]os.Signal{"left": syscall.SIGTERM, "killed": os.Kill} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, x := arranged(t)
			before := x.sees("to: lead-1")
			for sig == os.Kill && !strings.Contains(home.keeps("draft/lead-1"), last) {
				time.Sleep(20 * time.Millisecond)
			}
			x.signal(sig)
			x.ends()

			again := home.open(160, 45)
			again.until("as it was:\n"+strings.Join(lasting(before), "\n"), func(rows []string) bool {
				return slices.Equal(lasting(rows), lasting(before))
			})
			again.press("alt+up")
			again.sees("to: root", first)
			again.signal(syscall.SIGTERM)
			again.ends()
		})
	}
}

// The user's drafts when the program ends.
const first, last = "for root, unfinished", "for lead-1, unfinished"

// arranged returns an idle society with an arranged screen.
func arranged(t *testing.T) (*home, *terminal) {
	t.Helper()
	gate := make(chan struct{})
	c := reporters(t, gate)
	x := c.open(160, 45)
	x.write(first)
	x.goesTo("lead-2")
	x.press("enter")
	x.sees("to: lead-2")
	close(gate)
	x.until("all at rest and root's answer unread", func(rows []string) bool {
		return shows(rows, " you ", "•") && shows(rows, " root ", "•") && !slices.ContainsFunc(crew, func(agent string) bool {
			return !strings.Contains("·✓", state(rows, agent))
		})
	})
	c.sound()

	x.goesTo("lead-1")
	x.press("left")
	x.until("lead-1 folded", func(rows []string) bool { return !shows(rows, "worker-1") })
	x.press("enter")
	x.sees("to: lead-1")
	x.press("alt+2", "g")
	x.sees("found thing number 0 ")
	x.press("pgdown")
	x.until("a place in the middle", func(rows []string) bool {
		return stands(rows, "found thing number") && !stands(rows, "found thing number 0 ")
	})
	x.goesTo("lead-2")
	x.press("esc")
	x.sees("enter send")
	x.write(last)
	x.sees(last)
	return c.home, x
}

// keeps returns what is saved under a name, if the program is killed now.
func (h *home) keeps(name string) string {
	h.t.Helper()
	copied := h.path("copy.db")
	if err := os.WriteFile(copied, []byte(h.read("data/society-tui/society.db")), 0o600); err != nil {
		h.t.Fatal(err)
	}
	store, err := boltdb.Open(copied)
	if err != nil {
		return "" // it was being written
	}
	defer store.Close()
	var value []byte
	_ = store.View(func(tx storage.Tx) (err error) {
		value, err = tables.Kept(tx, name)
		return err
	})
	return string(value)
}

var crew = []string{"root", "lead-1", "lead-2", "worker-1", "worker-2"}

// reporters is a cast of root, two leads and two workers of the first, who have
// all reported some time after the gate opened. The first lead says much.
func reporters(t *testing.T, gate <-chan struct{}) *cast {
	t.Helper()
	var long strings.Builder
	for i := range 200 {
		fmt.Fprintf(&long, "- found thing number %d of them\n", i)
	}
	c := newCast(t)
	c.plays("root", llmtest.CallTools(spawn("lead", 2)...))
	c.plays("lead-1", llmtest.SayAndCall(long.String(), spawn("worker", 2)...))
	for _, agent := range crew {
		// How often an agent is called depends on which reports arrive together.
		report := llmtest.When(gate, llmtest.Say("That is what there is to say."))
		c.plays(agent, slices.Repeat([]llmtest.Answer{report}, 20)...)
	}
	return c
}

// lasting returns what a restart restores: the tree, the conversation and the
// composer.
func lasting(rows []string) (all []string) {
	agents, said := panes(rows)
	return slices.Concat(agents, said, rows[len(rows)-4:len(rows)-2])
}

package tui_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui"
)

// A thousand agents wait for a yes, each for a file of its own: the time from a key to its
// frame, in the tree and in the list of requests, and of a frame in which requests end. It
// needs an idle machine, so the limit only holds with SOCIETY_LONG=1.
func TestAThousandRequestsAreDrawnInTime(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("SOCIETY_LONG=1 measures it")
	}
	const agents = 1000
	c := newCrowd(t, agents+1)
	for i := range agents {
		asksToEdit(c.f, society.AgentID(fmt.Sprint("web-", i)), uint64(i+1), fmt.Sprintf("folder-%d/file-%d.go", i%50, i))
	}
	told := c.draws(tui.Frame(c.changes()))
	t.Logf("the frame that shows %d new requests: %s", agents, told)
	held := func(what string, draw func(i int) time.Duration) {
		var took []time.Duration
		for i := range 200 {
			took = append(took, draw(i))
		}
		slices.Sort(took)
		at := took[len(took)*95/100]
		t.Logf("%s: median %v, 95 %% within %v, most %v", what, took[len(took)/2], at, took[len(took)-1])
		if at > 50*time.Millisecond {
			t.Errorf("%s takes %v, more than 50ms", what, at)
		}
	}
	c.draws(key("alt+1"))
	for _, name := range []string{"down", "pgdown", "g"} {
		held(name+" in the tree", func(int) time.Duration { return c.draws(key(name)) })
	}
	held("the list of requests", func(int) time.Duration {
		took := c.draws(key("alt+a"))
		c.draws(key("esc"))
		return took
	})
	c.draws(key("alt+a"))
	if shown := ansi.Strip(c.model.View().Content); strings.Count(shown, "edit folder-") < 10 {
		t.Errorf("the requests are not listed:\n%s", shown)
	}
	for _, name := range []string{"down", "up", "pgdown"} {
		held(name+" in the list of requests", func(int) time.Duration { return c.draws(key(name)) })
	}
	held("a frame in which a request ends", func(i int) time.Duration {
		endsAsking(c.f, society.AgentID(fmt.Sprint("web-", i)), uint64(i+1), society.Allowed)
		return c.draws(tui.Frame(c.changes()))
	})
	c.f.Tell(func(ch *api.Changes) {
		for i := 200; i < agents; i++ {
			ch.Ended = append(ch.Ended, api.ApprovalEnd{ID: uint64(i + 1), Agent: society.AgentID(fmt.Sprint("web-", i)), Tool: "edit", Outcome: society.Allowed})
		}
	})
	t.Logf("the frame after a rule has ended 800: %s", c.draws(tui.Frame(c.changes())))
}

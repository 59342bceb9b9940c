package tui_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/feature/sessions/sessionstest"
	"society-tui/tui/screentest"
)

// onScreen runs a test in a bubble, with a screen and a fake society.
func onScreen(t *testing.T, width, height int, script func(*testing.T, *screentest.Screen, *fakeSociety)) {
	t.Helper()
	onScreenWith(t, width, height, func(*tui.Config) {}, script)
}

// onScreenWith is onScreen with other settings.
func onScreenWith(t *testing.T, width, height int, change func(*tui.Config), script func(*testing.T, *screentest.Screen, *fakeSociety)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		cfg := config(f)
		change(&cfg)
		script(t, screentest.Drive(t, width, height, cfg), f)
	})
}

// still turns spinners off: in a test over much time or many keys, most frames
// would show nothing else.
func still(cfg *tui.Config) { cfg.Still = true }

// sampled reports whether the i-th of many cases is tried: under the race detector one in
// six, because drawing has one goroutine.
func sampled(i int) bool { return !propertytest.Raced || i%6 == 0 }

func config(f *fakeSociety) tui.Config {
	return tui.Config{
		Society: f, Watcher: f, Theme: "dark", Session: "~/book", Sessions: sessionstest.New(),
		Examples: []string{"Summarise this text.", "Compare two plans.", "Outline a talk."},
	}
}

func TestScreenShowsTheSociety(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("web-1", society.Root, "web")
		f.set("web-1", func(r *api.Row) { r.State = society.WaitingLLM })
		s.Idle()
		s.Shows("root", "web-1")
	})
}

// The screen reads the end of a long conversation at its start, not all of it.
func TestAtFirstTheEndOfALongConversationIsRead(t *testing.T) {
	const said = 5000
	long := func(c *tui.Config) {
		f := fakeOf(c)
		f.Rows[society.Root].Next = said
		for i := range uint64(said) {
			f.Said[society.Root] = append(f.Said[society.Root], conversation.Entry{Slot: i, Kind: conversation.Answer, From: "root", Text: fmt.Sprint("answer ", i)})
		}
	}
	onScreenWith(t, 100, 30, long, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Idle()
		s.Shows("answer 4999")
		f.Mu.Lock()
		defer f.Mu.Unlock()
		if f.entries > 1000 {
			t.Errorf("it read %d entries of %d", f.entries, said)
		}
	})
}

package tui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// attached makes a screen one whose society runs elsewhere.
func attached(cfg *tui.Config) { cfg.Attached, cfg.Sessions, cfg.Enter = "book", nil, nil }

func TestAnAttachedScreenSaysWhereAndHowMany(t *testing.T) {
	for _, size := range []struct {
		width, height int
		sees          string
	}{{160, 45, "attached to book · 2 screens"}, {100, 30, "attached to book · 2 screens"}, {60, 20, "attached · 2 screens"}} {
		t.Run(fmt.Sprint(size.width), func(t *testing.T) {
			onScreenWith(t, size.width, size.height, attached, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
				f.Tell(func(c *api.Changes) { c.Screens = 2 })
				s.Idle().Shows(size.sees, "Attached to book · closing this screen ends nothing")
				f.Tell(func(c *api.Changes) { c.Screens = 1 })
				s.Idle().Shows("attached").Hides("2 screens")
				f.Tell(func(c *api.Changes) { c.Disconnected = true })
				s.Idle().Shows("NOT CONNECTED").Hides("saved", "demo ok")
				f.Tell(func(c *api.Changes) { c.Disconnected = false })
				s.Idle().Shows("attached").Hides("NOT CONNECTED")
			})
		})
	}
}

// While the connection is cut nothing is sent and nothing is lost; what was there can be
// read.
func TestWhileTheConnectionIsCutTextsStay(t *testing.T) {
	onScreenWith(t, 120, 30, attached, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.Tell(func(c *api.Changes) { c.Disconnected = true })
		f.fail("Keep", api.ErrDisconnected)
		s.Idle().Shows("Connection to book lost", "NOT CONNECTED", "web-2")
		s.Type("are you there?").Press("enter").Shows("Not connected · nothing was sent", "> are you there?")
		s.Press("ctrl+x", "enter").Shows("Not connected", "> are you there?")
		s.Press("alt+1", "home", "down", "s").Shows("Not connected").Hides("Stop root?")
		s.Press("esc").Press("esc").Press("esc")
		asked(t, f)
		s.Pass(10 * time.Second).Hides("Cannot save")
		f.fail("Keep", nil)
		f.Tell(func(c *api.Changes) { c.Disconnected = false })
		s.Idle().Shows("Connected to book again").Hides("NOT CONNECTED")
		if s.Pass(10 * time.Second); !strings.Contains(string(f.Values["draft/root"]), "are you there?") {
			t.Errorf("the draft is kept as %q", f.Values["draft/root"])
		}
		s.Press("enter")
		asked(t, f, society.Send{To: society.Root, Text: "are you there?"})
	})
}

// Leaving an attached screen leaves the society alone, unless the user ends that.
func TestAnAttachedScreenClosesAlone(t *testing.T) {
	for _, answer := range []struct {
		keys []string
		want tui.Leaving
	}{
		{[]string{"ctrl+c", "ctrl+c"}, tui.Leaving{}},
		{[]string{"ctrl+c", "y"}, tui.Leaving{}},
		{[]string{"ctrl+c", "enter"}, tui.Leaving{}}, // the agents go on, so nothing is lost
		{[]string{"ctrl+c", "e"}, tui.Leaving{End: true}},
	} {
		t.Run(answer.keys[1], func(t *testing.T) {
			var how []tui.Leaving
			leaves := func(cfg *tui.Config) {
				attached(cfg)
				cfg.Leave = func(_ context.Context, l tui.Leaving) error {
					how = append(how, l)
					return nil
				}
			}
			onScreenWith(t, 100, 30, leaves, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				s.Idle().Type("/sessions").Press("enter").Shows("This screen is attached; society-tui attach --session NAME")
				s.Press(answer.keys[0]).Shows("Close this screen?", "4 agents are working", "its agents continue", "Close the screen", "End the society").Hides("pause all")
				s.Press(answer.keys[1])
				if result, err := s.Ended(); err != nil || result.Leaving != answer.want || len(how) != 1 || how[0] != answer.want {
					t.Errorf("%v: ended with %+v, %v and left with %+v, want %+v", answer.keys, result, err, how, answer.want)
				}
			})
		})
	}
}

// Without a connection it is not known what closing the screen leaves.
func TestClosingWithoutAConnectionPromisesNothing(t *testing.T) {
	onScreenWith(t, 60, 20, attached, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Press("ctrl+c").Shows("its agents continue", "4 agents are working")
		f.Tell(func(c *api.Changes) { c.Disconnected = true })
		s.Idle().Shows("it is not known whether", "copy it first, or wait").Hides("its agents continue", "agents are working", "End the society")
		s.Press("esc").Shows("NOT CONNECTED")
		f.Tell(func(c *api.Changes) { c.Disconnected = false })
		s.Idle().Press("ctrl+c").Shows("its agents continue").Hides("not known")
	})
}

func TestClosingQuestionCountsProcessesThatEndWithTheSociety(t *testing.T) {
	onScreenWith(t, 100, 30, attached, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *api.Row) { r.Processes = []api.Process{{ID: "p1", Command: "npm run dev"}} })
		s.Idle().Press("ctrl+c").Shows("If you end the society: 1 background process ends (web-1).", "the society stays open")
	})
}

func TestAnAttachedScreenNeedsNoDetaching(t *testing.T) {
	onScreenWith(t, 60, 20, func(cfg *tui.Config) {
		attached(cfg)
		cfg.Leave = func(ctx context.Context, _ tui.Leaving) error {
			select {
			case <-time.After(time.Minute): // the bubble's clock
			case <-ctx.Done():
			}
			return nil
		}
	}, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Type("/detach").Press("enter").Shows("The agents go on without this screen; /quit closes it").Hides("✗", "✘")
		s.Press("ctrl+c", "y").Shows("Closing the screen…").Hides("Finishing", "the file")
	})
}

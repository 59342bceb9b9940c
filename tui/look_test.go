package tui_test

import (
	"fmt"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

func looks(cfg *tui.Config) { cfg.Look, cfg.Still = true, true }

func TestAScreenThatOnlyLooksSaysSo(t *testing.T) {
	for _, size := range []struct{ width, height int }{{160, 45}, {100, 30}, {60, 20}} {
		t.Run(fmt.Sprint(size.width), func(t *testing.T) {
			onScreenWith(t, size.width, size.height, looks, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				f.set(society.Root, func(r *api.Row) { r.Unread, r.Report = 2, true })
				f.Mu.Lock()
				f.Values["draft/root"] = []byte(`{"text":"not for the eyes of others"}`)
				f.Mu.Unlock()
				f.Tell(func(c *api.Changes) {
					c.Kept = map[string]api.Revision{"draft/root": api.RevisionOf(f.Values["draft/root"])}
				})
				s.Pass(saved).Hides("not for the eyes").Shows("look only", "This screen only looks")
				s.Type("h").Shows("This screen only looks", "attach without --look").Hides("> h").Press("pgup").Type("/to w").Shows("> /to w").Press("ctrl+u").Pass(saved)
				if did := f.all(); len(did) > 0 || f.count() > 0 {
					t.Errorf("the society was asked for %v, and %d values were kept", did, f.count())
				}
			})
		})
	}
}

// Commands that change the society are blocked with the reason, before anything is asked;
// the others work.
func TestAScreenThatOnlyLooksChangesNothing(t *testing.T) {
	onScreenWith(t, 160, 45, looks, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *api.Row) { r.Asks, r.Question, r.Replies = true, "Which?", []string{"this", "that"} })
		f.set(society.Root, busy)
		const why = "This screen only looks · attach without --look"
		for _, keys := range [][]string{{"alt+1", "down", "s"}, {"alt+1", "T"}, {"alt+1", "i"}, {"ctrl+x", "p"}, {"ctrl+x", "t"}, {"ctrl+x", "e"}, {"alt+r", "e"}, {"alt+r", "n"}, {"alt+r", "m"}} {
			s.Press("esc", "esc", "esc").Pass(saved)
			s.Press(keys...).Shows(why).Hides("Terminate ", "Stops ", "Edit prompt").Press("esc", "esc")
		}
		s.Pass(4 * saved)
		for _, written := range []string{"/stop web-1", "/pause", "/resume", "/terminate web-2", "/spawn", "/template", "/graph", "/name x", "/new go"} {
			s.Press("esc").Type(written).Press("esc", "enter").Shows("This screen only looks", written).Press("ctrl+u")
		}
		s.Press("alt+1", "up", "up", "up", "down", "enter").Shows("to: root").Press("ctrl+b")
		s.Type("/theme ash").Press("esc", "enter").Hides("This screen only looks ·").Press("f1").Shows("Help").Press("esc")
		if did := f.all(); len(did) > 0 || f.count() > 0 {
			t.Errorf("the society was asked for %v, and %d values were kept", did, f.count())
		}
	})
}

// Every command that is run as it is blocks, or leaves the society alone.
func TestNoCommandGetsPastAScreenThatOnlyLooks(t *testing.T) {
	onScreenWith(t, 120, 40, looks, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *api.Row) { r.Error = "no route" })
		for _, b := range tui.Bindings("") {
			if b.Name == "quit" || b.Name == "suspend" || b.Name == "editor" {
				continue
			}
			for _, key := range b.Keys {
				if b.Place == "verbs" {
					s.Press("ctrl+x")
				}
				s.Press(key, "y", "enter", "esc", "esc", "esc")
			}
		}
		if !s.Running() {
			t.Fatal("the screen has ended")
		}
		if did := f.all(); len(did) > 0 || f.count() > 0 {
			t.Errorf("the society was asked for %v, and %d values were kept", did, f.count())
		}
	})
}

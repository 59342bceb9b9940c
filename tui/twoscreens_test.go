package tui_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/composer"
	"society-tui/tui/screentest"
)

// onTwoScreens runs a script on two screens of one society, of different sizes.
func onTwoScreens(t *testing.T, change func(*tui.Config), script func(t *testing.T, wide, small *screentest.Screen, f *fakeSociety)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		cfg := config(f)
		change(&cfg)
		wide := screentest.Drive(t, 160, 45, cfg)
		script(t, wide, secondScreen(t, 60, 20, cfg), f)
	})
}

// secondScreen shows the society of a configuration on one more screen.
func secondScreen(t screentest.T, width, height int, cfg tui.Config) *screentest.Screen {
	w := fakeOf(&cfg).Watch()
	t.Cleanup(w.Close)
	cfg.Watcher, cfg.Machine = w, "laptop"
	return screentest.Drive(t, width, height, cfg)
}

// saved is how long it takes until another screen shows what was written on one.
const saved = 1500 * time.Millisecond

func TestTwoScreensDrawForTheirOwnTerminals(t *testing.T) {
	onTwoScreens(t, still, func(t *testing.T, wide, small *screentest.Screen, f *fakeSociety) {
		f.spawn("web-1", society.Root, "web")
		wide.Idle().Press("alt+3").Shows("Agents 2", "role     planner", "web-1").Press("alt+3")
		small.Idle().Hides("role     planner").Shows("to: root")
		if w, s := len([]rune(wide.Rows()[0])), len([]rune(small.Rows()[0])); w <= 100 || s > 60 {
			t.Errorf("the first rows have %d and %d cells", w, s)
		}
		small.Resize(40, 12)
		wide.Idle().Press("alt+3").Shows("role     planner").Press("alt+3")
	})
}

func TestADraftAppearsWhereNothingElseIsWritten(t *testing.T) {
	onTwoScreens(t, still, func(_ *testing.T, wide, small *screentest.Screen, _ *fakeSociety) {
		wide.Type("half a sen").Pass(saved)
		small.Shows("> half a sen").Type("tence").Pass(saved)
		wide.Shows("> half a sentence").Hides("other text")
		small.Hides("other text")
		wide.Press("ctrl+a").Type("Here: ").Pass(saved)
		small.Shows("> Here: half a sentence").Press("enter").Pass(saved)
		wide.Shows("you → root").Hides("> Here:")
		wide.Press("up").Shows("> Here: half a sentence") // the history is shared
	})
}

// What is written on two screens at once is lost on neither.
func TestADraftThatIsWrittenToOnTwoScreensIsOffered(t *testing.T) {
	onTwoScreens(t, still, func(t *testing.T, wide, small *screentest.Screen, f *fakeSociety) {
		f.fail("Keep", &society.Refusal{Code: society.StoreUnavailable})
		wide.Type("from the desk").Idle()
		small.Type("from the train").Idle()
		f.fail("Keep", nil)
		wide.Press("left", "right").Pass(saved)
		small.Press("left", "right").Pass(saved)
		wide.Shows("> from the desk").Hides("other text")
		small.Shows("> from the train", "other text: ctrl+x o")
		if got := string(f.value("draft/root")); !strings.Contains(got, "from the desk") {
			t.Fatalf("stored is %s", got)
		}
		small.Type(" again").Pass(saved)
		if got := string(f.value("history")); !strings.Contains(got, "from the train again") {
			t.Errorf("the text of a screen that may be killed is in no store: %s", got)
		}
		small.Press("ctrl+x", "o").Shows("Two texts to root", "from the train again", "from the desk", "Keep mine")
		small.Press("esc").Shows("> from the train again", "other text")
		small.Press("ctrl+x", "o", "y").Shows("Kept the text here").Hides("other text").Pass(saved)
		wide.Shows("> from the train again").Hides("other text").Press("ctrl+u").Pass(saved)
		small.Hides("train again")
		wide.Type("desk").Press("ctrl+r").Shows("> from the desk")
	})
}

func TestTheOtherTextIsTakenAndTheOwnOneIsInTheHistory(t *testing.T) {
	onTwoScreens(t, still, func(_ *testing.T, wide, small *screentest.Screen, f *fakeSociety) {
		f.fail("Keep", &society.Refusal{Code: society.StoreUnavailable})
		wide.Type("from the desk").Idle()
		small.Type("from the train").Idle()
		f.fail("Keep", nil)
		wide.Press("left", "right").Pass(saved)
		small.Shows("Another screen wrote to root, too · ctrl+x o compares").Press("left", "right").Pass(saved)
		small.Press("ctrl+x", "o").Shows("Two texts")
		wide.Type("!").Pass(saved) // while the question stands
		small.Shows("from the desk!").Press("o").Shows("> from the desk!", "Took the other text").Pass(saved)
		small.Press("up").Shows("> from the train").Press("down").Shows("> from the desk!")
		wide.Shows("> from the desk!")
	})
}

// A text that was sent makes room for the one that was offered.
func TestTheOtherTextComesWhenTheOwnOneWasSent(t *testing.T) {
	onTwoScreens(t, still, func(t *testing.T, wide, small *screentest.Screen, f *fakeSociety) {
		f.fail("Keep", &society.Refusal{Code: society.StoreUnavailable})
		wide.Type("from the desk").Idle()
		small.Type("from the train").Idle()
		f.fail("Keep", nil)
		wide.Press("left", "right").Pass(saved)
		small.Press("left", "right").Pass(saved)
		small.Shows("other text").Press("enter").Pass(saved).Shows("> from the desk").Hides("other text")
		wide.Shows("> from the desk").Hides("other text")
		if got := string(f.value("draft/root")); !strings.Contains(got, "from the desk") {
			t.Errorf("stored is %s", got)
		}
	})
}

// What was read on a screen with the focus is read on all; one without marks nothing.
func TestReadOnOneScreenIsReadOnAll(t *testing.T) {
	onTwoScreens(t, still, func(t *testing.T, wide, small *screentest.Screen, f *fakeSociety) {
		f.spawn("web-1", society.Root, "web")
		wide.Focus(false)
		small.Focus(false)
		f.set("web-1", func(r *api.Row) { r.Unread = 3 })
		wide.Idle().Shows("•3")
		small.Press("alt+1").Shows("•3").Press("down", "enter").Pass(saved)
		wide.Shows("•3")
		small.Focus(true).Pass(saved)
		wide.Hides("•3")
		small.Press("alt+1").Hides("•3")
	})
}

// What is open and folded is each machine's own, and begins as a copy.
func TestTheViewIsOfTheMachine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		family(f)
		cfg := config(f)
		wide := screentest.Drive(t, 160, 45, cfg)
		wide.Press("alt+1", "down", "enter").Shows("to: lead-1").Pass(saved)
		small := secondScreen(t, 100, 30, cfg)
		small.Shows("to: lead-1").Press("alt+up").Shows("to: root").Pass(saved)
		wide.Shows("to: lead-1")
		f.Mu.Lock()
		here, there := string(f.Values["view"]), string(f.Values["view@laptop"])
		f.Mu.Unlock()
		if !strings.Contains(here, `"open":"lead-1"`) || strings.Contains(there, `"open":"lead-1"`) {
			t.Errorf("kept are %s and %s", here, there)
		}
		secondScreen(t, 100, 30, cfg).Shows("to: root")
	})
}

// Of machines that came once, the view is forgotten.
func TestTheViewsOfFewMachinesAreKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		cfg := config(f)
		for i := range 12 {
			w := f.Watch()
			cfg.Watcher, cfg.Machine = w, "machine-"+string(rune('a'+i))
			s := screentest.Drive(t, 60, 20, cfg)
			s.Press("ctrl+b").Pass(saved)
			w.Close()
		}
		f.Mu.Lock()
		defer f.Mu.Unlock()
		views := 0
		for key := range f.Values {
			if strings.HasPrefix(key, "view@") {
				views++
			}
		}
		if views != 8 || f.Values["view@machine-l"] == nil || f.Values["view@machine-a"] != nil {
			t.Errorf("the views of %d machines are kept: %v", views, string(f.Values["view/machines"]))
		}
	})
}

// Whatever is written on two screens, in whatever pace, is in the composer, in the history
// or sent; and once the user has chosen where texts differ, both screens show the same.
func TestNoTextIsLostOnTwoScreens(t *testing.T) {
	t.Parallel()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		if n++; !sampled(n) {
			return
		}
		type step struct {
			screen int
			sends  bool
			pause  time.Duration
		}
		steps := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) step {
			return step{
				rapid.IntRange(0, 1).Draw(rt, "screen"), rapid.IntRange(0, 7).Draw(rt, "sends") == 0,
				rapid.SampledFrom([]time.Duration{0, 10 * time.Millisecond, 300 * time.Millisecond, 1100 * time.Millisecond, 2 * time.Second}).Draw(rt, "pause"),
			}
		}), 1, 14).Draw(rt, "steps")
		choice := rapid.SampledFrom([]string{"y", "o"}).Draw(rt, "choice")
		var broken string
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			cfg := config(f)
			cfg.Still = true
			screens := []*screentest.Screen{screentest.Drive(t, 100, 20, cfg), secondScreen(t, 60, 20, cfg)}
			var typed []string
			for i, step := range steps {
				s := screens[step.screen]
				if step.sends {
					s.Press("enter")
				} else {
					typed = append(typed, fmt.Sprintf("%c%d.", "ab"[step.screen], i))
					s.Type(typed[len(typed)-1])
				}
				s.Pass(step.pause)
			}
			for range 3 { // what is kept of one may be offered on the other
				for _, s := range screens {
					s.Pass(2 * saved)
					if strings.Contains(s.String(), "other text") {
						s.Press("ctrl+x", "o").Shows("Two texts").Press(choice).Pass(2 * saved)
					}
				}
			}
			said := string(f.value("draft/root")) + string(f.value("history"))
			for _, cmd := range f.commands() {
				if sent, ok := cmd.(society.Send); ok {
					said += sent.Text
				}
			}
			for _, token := range typed {
				if !strings.Contains(said, token) {
					broken = fmt.Sprintf("%s is lost of %v, kept and sent are %s", token, typed, said)
				}
			}
			stored, err := composer.TextOf(f.value("draft/root"))
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range screens {
				if text := s.String(); strings.Contains(text, "other text") || !strings.Contains(text, stored) {
					broken = fmt.Sprintf("screen %d does not show %q, which is stored:\n%s", i, stored, text)
				}
			}
		})
		if broken != "" {
			rt.Fatal(broken)
		}
	})
}

// A question stands on all screens, also on those that come late. The first answer counts;
// the others are told, and keep what is written on them.
func TestAQuestionIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		family(f)
		cfg := config(f)
		cfg.Still = true
		wide := screentest.Drive(t, 160, 45, cfg)
		f.set("web-1", func(r *api.Row) { r.Asks, r.Question, r.Replies = true, "Which?", []string{"this", "that"} })
		wide.Idle().Press("ctrl+n").Shows("to: web-1 (answers its question)", "1 this", "2 that")
		small := secondScreen(t, 60, 20, cfg)
		small.Press("ctrl+n").Shows("answers its question", "1 this").Type("I would say").Idle()
		wide.Press("alt+2", "1", "enter")
		f.set("web-1", func(r *api.Row) { r.Asks, r.Question, r.Replies, r.State = false, "", nil, society.WaitingLLM })
		small.Idle().Shows("The question of web-1 is answered", "> I would say").Hides("answers its question", "1 this")
		wide.Hides("is answered").Pass(saved)
		small.Shows("> I would say")
	})
}

// A confirmation that stands on two screens closes on the other with what was done.
func TestAConfirmationIsGivenOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string
		asks string
		yes  string
		says string
	}{
		{"terminate", []string{"T"}, "Terminate web-1?", "y", "web-1 no longer exists"},
		{"stop", []string{"s"}, "Stop lead-1", "y", "already stopped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onTwoScreens(t, still, func(t *testing.T, wide, small *screentest.Screen, f *fakeSociety) {
				family(f)
				f.set("lead-1", busy)
				f.set("web-1", busy)
				small.Idle().Type("half a").Pass(saved)
				wide.Press("alt+1", "down")
				small.Press("alt+1", "down")
				if c.name == "terminate" {
					wide.Press("down")
					small.Press("down")
				}
				wide.Press(c.keys...).Shows(c.asks)
				small.Press(c.keys...).Shows(c.asks)
				f.forget()
				wide.Pass(finalReaction).Press(c.yes)
				small.Idle().Hides(c.asks).Shows(c.says).Press("esc", "esc").Shows("half a")
				if n := len(f.commands()); n != 1 {
					t.Errorf("the society was asked %d times", n)
				}
			})
		})
	}
}

func TestAResumedAgentNeedsNoQuestion(t *testing.T) {
	onTwoScreens(t, still, func(_ *testing.T, wide, small *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("lead-1", func(r *api.Row) { r.State = society.Stopped })
		small.Idle().Type("/to lead-1").Press("enter").Type("go on").Press("enter").Shows("lead-1 is stopped")
		wide.Press("alt+1", "down", "r").Idle()
		f.set("lead-1", func(r *api.Row) { r.State = society.Idle })
		small.Idle().Shows("lead-1 was resumed", "> go on").Hides("Resume and send")
	})
}

// A prompt that was opened on two screens is not overwritten unasked.
func TestAPromptThatAnotherScreenHasChangedIsNotOverwrittenUnasked(t *testing.T) {
	onTwoScreens(t, still, func(t *testing.T, wide, small *screentest.Screen, f *fakeSociety) {
		f.Holds.Roles = []api.Role{{Role: society.Role{ID: "planner", Name: "planner", Prompt: "You plan."}}}
		wide.Press("alt+r", "e").Shows("You plan.").Type(" At the desk.")
		small.Press("alt+r", "e").Shows("You plan.").Type(" On the train.")
		wide.Press("ctrl+s").Idle()
		f.Mu.Lock()
		f.Holds.Roles[0].Prompt = "You plan. At the desk."
		f.Mu.Unlock()
		f.forget()
		small.Press("ctrl+s").Shows("The prompt of planner has changed", "At the desk.")
		if did := f.commands(); len(did) > 0 {
			t.Errorf("it was saved by %v", did)
		}
		small.Press("esc").Shows("You plan. On the train.").Press("ctrl+s").Idle()
		if did := f.commands(); len(did) != 1 || did[0].(society.EditRole).Prompt != "You plan. On the train." { //nolint:forcetypeassert // a failure either way
			t.Errorf("after it was shown it was saved by %v", did)
		}
	})
}

// What was written while the connection was cut is kept when it is back, or offered.
func TestADraftThatWasWrittenDuringACutIsKeptAfterwards(t *testing.T) {
	onTwoScreens(t, still, func(t *testing.T, wide, small *screentest.Screen, f *fakeSociety) {
		f.fail("Keep", api.ErrDisconnected)
		f.Tell(func(c *api.Changes) { c.Disconnected = true })
		wide.Type("written during the cut").Pass(3 * saved).Hides("Cannot save")
		f.fail("Keep", nil)
		f.Tell(func(c *api.Changes) { c.Disconnected = false })
		f.restart() // a connection begins with everything
		wide.Pass(2 * saved)
		small.Shows("> written during the cut")
		if got := string(f.value("draft/root")); !strings.Contains(got, "during the cut") {
			t.Errorf("stored is %s", got)
		}
	})
}

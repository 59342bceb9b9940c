package tui_test

import (
	"slices"
	"testing"
	"time"

	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// armedFor is how long ctrl+x and a first esc wait.
const armedFor = 2 * time.Second

func busy(r *runtime.Row) { r.State = society.WaitingLLM }

// family is root with a child that has two children, all at work.
func family(f *fakeSociety) {
	f.spawn("lead-1", society.Root, "lead")
	f.spawn("web-1", "lead-1", "researcher")
	f.spawn("web-2", "lead-1", "researcher")
	for _, id := range []society.AgentID{society.Root, "lead-1", "web-1", "web-2"} {
		f.set(id, busy)
	}
}

// asked fails the test if the society was not asked exactly this.
func asked(t *testing.T, f *fakeSociety, want ...society.Command) {
	t.Helper()
	got := f.commands()
	if len(got) != len(want) {
		t.Fatalf("asked %+v, want %+v", got, want)
	}
	for _, w := range want { // several at once come in any order
		if !slices.ContainsFunc(got, func(g society.Command) bool { return same(g, w) }) {
			t.Fatalf("asked %+v, want %+v", got, w)
		}
	}
	f.forget()
}

// same compares commands that hold no maps.
func same(a, b society.Command) bool {
	switch a := a.(type) {
	case society.Stop:
		b, ok := b.(society.Stop)
		return ok && a.Agent == b.Agent
	default:
		return a == b
	}
}

// S: the screen's check 35.
func TestInterruptingInTheTreeTouchesTheSelectedAgentOnly(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "i")
		asked(t, f, society.Interrupt{Agent: "lead-1"})
		s.Shows("interrupted lead-1 · paused, 0 waiting · ctrl+x r resumes, or write to it")
		s.Row("lead-1")
		for id, want := range map[society.AgentID]society.Status{"lead-1": society.Idle, "web-1": society.WaitingLLM, "root": society.WaitingLLM} {
			if got := f.rows[id].State; got != want {
				t.Errorf("%s is %s, want %s", id, got, want)
			}
		}
	})
}

func TestEscEscInterruptsTheRecipientAndKeepsTheDraft(t *testing.T) {
	for _, keys := range [][]string{{"esc", "esc"}, {"alt+esc"}} {
		t.Run(keys[0], func(t *testing.T) {
			onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				s.Type("wait, I meant")
				s.Press(keys...)
				asked(t, f, society.Interrupt{Agent: society.Root})
				s.Shows("wait, I meant", "interrupted root")
			})
		})
	}
}

func TestOneEscArmsForTwoSecondsAndTouchesNoAgent(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("esc").Shows("esc again to interrupt root")
		s.Pass(armedFor).Hides("esc again")
		s.Press("esc")
		s.Press("x", "esc") // a key between them: it was not meant
		asked(t, f)
	})
}

// S: the screen's check 36.
func TestEscClosesOneThingAtATimeAndNeverTouchesAnAgent(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "space", "/").Type("web").Press("enter")
		s.Press("f1").Shows("Keys")
		s.Press("esc").Hides("after ctrl+x").Shows("/web")
		s.Press("esc").Hides("/web").Shows("1 marked")
		s.Press("esc").Hides("1 marked")
		s.Press("esc") // leaves the tree
		s.Type("/st").Shows("/stop")
		s.Press("esc").Hides("/stop")
		asked(t, f)
	})
}

func TestPrefixOffersTheVerbsWithTheirTargetWhereverThePersonIs(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("ctrl+x").Shows("i interrupt root", "s stop").Hides("t terminate") // root stays
		s.Pass(armedFor).Hides("i interrupt root")
		s.Press("i") // too late: it is text
		asked(t, f)
		s.Press("ctrl+x", "i")
		asked(t, f, society.Interrupt{Agent: society.Root})
		s.Press("alt+1", "down", "ctrl+x").Shows("i interrupt lead-1", "s stop", "t terminate")
		s.Press("esc", "i")
		asked(t, f, society.Interrupt{Agent: "lead-1"})
	})
}

// S: the screen's check 37.
func TestStoppingASubtreeAsksWithItsCountsAndSaysWhatHappened(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *runtime.Row) { r.Waiting = 2 })
		s.Press("alt+1", "down", "s")
		s.Shows("Stop lead-1?", "Stops agents: 3", "waiting messages: 2", "web-2")
		asked(t, f)
		s.Press("enter").Hides("Stop lead-1?")
		asked(t, f) // enter is Cancel
		s.Press("s", "y")
		asked(t, f, society.Stop{Agent: "lead-1"})
		s.Shows("stopped agents: 3, messages dropped: 2 · resume: ctrl+x r")
		s.Shows("s resume").Press("s") // what is stopped is resumed
		asked(t, f, society.Resume{Agent: "lead-1"})
		s.Shows("resumed agents: 3")
	})
}

func TestStoppingOneAgentThatLosesNothingDoesNotAsk(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "s")
		asked(t, f, society.Stop{Agent: "web-1"})
		s.Shows("stopped agents: 1, messages dropped: 0")
	})
}

// S: the screen's check 38.
func TestTerminatingAlwaysAsksAndEnterIsCancel(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "T").Shows("Terminate web-1?")
		s.Press("enter")
		asked(t, f)
		s.Press("T", "y")
		asked(t, f, society.Terminate{Agent: "web-1", By: society.User})
		s.Shows("terminated agents: 1").Hides("web-1 ")
	})
}

func TestTerminatingMoreThanTenAgentsNeedsTheirNumber(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("lead-1", society.Root, "lead")
		for i := range 11 {
			f.spawn(society.AgentID("web-"+string(rune('a'+i))), "lead-1", "researcher")
		}
		s.Press("alt+1", "down", "T").Shows("Ends agents: 12", "Type the number")
		s.Press("y", "right", "enter") // off until the number matches
		asked(t, f)
		s.Type("1").Press("y")
		asked(t, f)
		s.Type("2").Press("enter")
		asked(t, f, society.Terminate{Agent: "lead-1", By: society.User})
	})
}

func TestRootAndThePersonAreNotTerminated(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Press("alt+1", "T").Shows("root cannot be terminated")
		s.Press("up", "T").Shows("this is you")
		asked(t, f)
	})
}

// S: the screen's check 41.
func TestVerbsTakeAllMarkedAgentsOnceEach(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.spawn("solo-1", society.Root, "solo")
		f.set("solo-1", busy)
		s.Press("alt+1", "down", "space", "space") // lead-1 and web-1 below it
		s.Press("G", "space")                      // solo-1
		s.Press("s").Shows("Stop 2 marked agents?", "Stops agents: 4", "solo-1")
		s.Press("y")
		asked(t, f, society.Stop{Agent: "lead-1"}, society.Stop{Agent: "solo-1"})
	})
}

// S: the screen's check 39.
func TestAVerbGivenTwiceHasOneEffectAndAClearMessage(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		hold := make(chan struct{})
		f.hold(hold)
		s.Press("alt+1", "down", "down", "s").Shows("stopping web-1…")
		s.Press("s").Shows("web-1: the last command is still being carried out")
		f.hold(nil)
		close(hold)
		s.Idle()
		asked(t, f, society.Stop{Agent: "web-1"})
	})
}

func TestAVerbForAnAgentThatHasJustEndedSaysSo(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down")
		f.refuseAll(&society.Refusal{Code: society.AgentNotFound, Agent: "web-1"})
		s.Press("i").Shows("there is no agent web-1")
		if slices.ContainsFunc(s.Rows(), func(row string) bool { return len(row) > 0 && row[0] == '[' }) {
			t.Error("a dialog opened")
		}
	})
}

func TestACancelledQuestionLeavesTheMarks(t *testing.T) {
	onScreen(t, 120, 36, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "space", "down", "space", "T")
		s.Shows("Terminate 2")
		s.Press("esc", "T")
		s.Shows("Terminate 2")
	})
}

func TestAStopCountsOnlyThoseThatItStops(t *testing.T) {
	onScreen(t, 120, 36, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *runtime.Row) { r.State = society.Stopped })
		s.Press("ctrl+x", "s")
		s.Shows("Stop 3")
	})
}

package tui_test

import (
	"testing"

	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

func TestHintsNameOnlyWhatTheSelectedRowCanDo(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down").Shows("i interrupt", "s stop", "T terminate")
		s.Press("home").Hides("i interrupt", "s stop", "T terminate").Shows("enter talk")
		f.set("lead-1", func(r *runtime.Row) { r.State = society.Stopped })
		s.Press("down", "down").Shows("s resume", "T terminate").Hides("i interrupt", "s stop")
		s.Press("up").Shows("i interrupt", "s stop").Hides("T terminate") // root stays
	})
}

func TestHintsAreThoseOfWhatHasTheKeys(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "/").Shows("enter keep the filter", "esc show all").Hides("i interrupt")
		s.Press("f1").Shows("Keys", "esc close").Hides("keep the filter")
		s.Press("esc", "esc", "s").Shows("Stop lead-1?", "esc cancel").Hides("i interrupt")
		s.Press("f1").Shows("Keys").Press("esc").Shows("Stop lead-1?").Press("esc")
		s.Press("alt+2").Hides("end follow") // it does
		s.Press("alt+1", "home", "enter", "ctrl+x").Hides("i interrupt", "s stop")
	})
}

func TestAStoppedRecipientIsOfferedToBeResumed(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.set(society.Root, func(r *runtime.Row) { r.State = society.Stopped })
		s.Idle().Shows("ctrl+x r resume").Press("ctrl+x").Shows("r resume root", "esc cancel").Hides("i interrupt", "s stop")
	})
}

func TestTheModeOfANewTaskIsSeenUntilItIsUsedOrTakenBack(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("/new").Press("enter").Shows("to: root · new task", "esc takes that back")
		s.Press("esc").Hides("· new task").Shows("goes on with the present task")
		s.Type("/new").Press("enter").Type("begin").Press("enter").Hides("· new task")
		asked(t, f, society.Send{To: society.Root, Text: "begin", NewTask: true})
	})
}

func TestKeysThatFindNothingToDoSaySo(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("lead-1", society.Root, "lead")
		s.Press("alt+1", "-").Shows("nothing to collapse: root stays open")
		s.Press("*").Shows("nothing is collapsed below it")
		f.spawn("web-1", "lead-1", "researcher")
		s.Idle().Press("-").Hides("web-1 ").Press("home", "*").Shows("web-1 ")
		s.Press("f").Shows("f goes on: all agents", "esc shows all").Press("esc").Shows("lead-1 ")
		s.Press("home", "down", "R").Shows("root has not failed: there is nothing to try again")
		asked(t, f)
		s.Press("space").Shows("marked agents: 1 · i s T are for all of them")
	})
}

package tui_test

import (
	"testing"

	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

func TestThePaletteFindsAndDoesWhatIsTyped(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("ctrl+p").Shows("What can be done · root", "enter do it", "ctrl+x s  /stop")
		s.Type("help").Shows("this help").Press("enter").Shows("Keys").Press("esc")
		s.Press("ctrl+p").Type("/pause").Press("enter").Hides("What can be done")
		asked(t, f, society.PauseAgent{Agent: society.Root})
	})
}

func TestThePaletteSaysWhyAnActCannotBeDoneNow(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("ctrl+p").Type("terminate it").Shows("terminate it and all below it  root stays")
		s.Press("enter").Shows("What can be done", "root stays").Press("esc").Shows("What can be done").Press("esc").Hides("What can be done")
		asked(t, f)
		f.set(society.Root, func(r *runtime.Row) { r.State = society.Idle })
		s.Idle().Press("ctrl+p").Type("/interrupt").Shows("root is not at work")
	})
}

// The same list in every pane, for whom the verbs are there.
func TestThePaletteIsForTheAgentAtHand(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "ctrl+p").Shows("What can be done · lead-1").Type("/pause").Press("enter")
		asked(t, f, society.PauseAgent{Agent: "lead-1"})
	})
}

func TestACommandThatNeedsMoreWordsIsWrittenByThePalette(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("a draft").Press("ctrl+p").Type("/to").Press("enter").Shows("│ /to ", "ctrl+y brings it back")
		s.Type("lead-1").Press("enter").Shows("to: lead-1")
	})
}

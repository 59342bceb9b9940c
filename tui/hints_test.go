package tui_test

import (
	"fmt"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

func TestHintsNameOnlyCommandsForTheSelectedRow(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down").Shows("i interrupt", "s stop", "T terminate")
		s.Press("home").Hides("i interrupt", "s stop", "T terminate").Shows("enter talk")
		f.set("lead-1", func(r *api.Row) { r.State = society.Stopped })
		s.Press("down", "down").Shows("s resume", "T terminate").Hides("i interrupt", "s stop")
		s.Press("up").Shows("i interrupt", "s stop").Hides("T terminate") // root cannot be terminated
	})
}

func TestHintsAreThoseOfTheFocus(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "/").Shows("enter keep the filter", "esc show all").Hides("i interrupt")
		s.Press("f1").Shows("Anywhere", "esc close").Hides("keep the filter")
		s.Press("esc", "esc", "s").Shows("Stop lead-1?", "esc cancel").Hides("i interrupt")
		s.Press("f1").Shows("Anywhere").Press("esc").Shows("Stop lead-1?").Press("esc")
		s.Press("alt+2").Hides("end follow") // it follows already
		s.Press("alt+1", "home", "enter", "ctrl+x").Hides("i interrupt", "s stop")
	})
}

// A zoomed pane names the key that shows the others, if they would fit.
func TestAZoomedPaneNamesTheKeyThatEndsIt(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Press("alt+1").Hides("all panes").Press("z").Shows("z all panes").Press("esc").Hides("all panes")
		s.Press("alt+1").Shows("z all panes").Resize(60, 20).Hides("all panes").Resize(100, 30).Press("z").Hides("all panes")
	})
}

func TestAClickOnTheNumberOfTheTabOpensTheNext(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+3").Click(s.Find("1/6")).Shows("2/6").Click(s.Find("2/6")).Shows("3/6")
	})
}

func TestAClickOnACommandInTheHintsWritesIt(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set(society.Root, func(r *api.Row) {
			r.State, r.Paused, r.HeldBy = society.Idle, society.OverBudget, society.BudgetScope{Task: "t1"}
		})
		s.Idle().Shows("to: root (its budget is spent, so a message waits: /budget task)", "/budget task raise")
		s.Click(s.Find("/budget task raise")).Shows("> /budget task")
	})
}

func TestAClickOnAWordOfATitleDoesWhatItsKeyDoes(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		long(f)
		s.Idle().Press("alt+1", "o", "alt+2")
		order, y := s.Find("o:")
		s.Click(order+2, y).Hides("o:activity").Shows("o:state", "f:all").Click(s.Find("f:all")).Shows("f:problems")
		s.Press("alt+2").Click(s.Find("short")).Hides("short").Press("g").Hides("following")
		s.Click(s.Find("0%")).Shows("following")
	})
}

// "/" is a key, too.
func TestAClickOnTheHintOfTheFilterFilters(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Press("alt+1").Click(s.Find("/ filter")).Type("web-1").Shows("enter keep").Hides("> /", "web-2")
	})
}

func TestAStoppedRecipientIsOfferedToBeResumed(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.set(society.Root, func(r *api.Row) { r.State = society.Stopped })
		s.Idle().Shows("ctrl+x r resume").Press("ctrl+x").Shows("r resume root", "esc cancel").Hides("i interrupt", "s stop")
	})
}

// A stopped recipient refuses texts, a paused one accepts them: the composer
// tells which.
func TestTheBoxSaysWhetherTheRecipientIsStoppedOrPaused(t *testing.T) {
	onScreen(t, 60, 20, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.set(society.Root, func(r *api.Row) { r.State = society.Stopped })
		s.Idle().Shows("to: root (stopped: takes no messages)")
		f.set(society.Root, func(r *api.Row) { r.State, r.Paused = society.Idle, society.AskedToPause })
		s.Idle().Shows("to: root (paused: a message resumes it)")
	})
}

// The prefix names all verbs with an effect, also for an idle agent.
func TestPrefixListsEveryCommandWithAnEffect(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Press("ctrl+x").Shows("s stop root", "p pause", "esc cancel").Hides("i interrupt", "r resume").Press("esc")
		f.set(society.Root, func(r *api.Row) { r.Paused = society.AskedToPause })
		s.Idle().Press("ctrl+x").Shows("r resume").Hides("p pause")
	})
}

// At 80 columns the row names the model and that all is saved, unless the user
// has just asked for hints.
func TestStatusRowShowsGoodHealthAt80Columns(t *testing.T) {
	onScreen(t, 80, 24, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Shows("esc esc interrupt", "alt+3 inspector", "demo ok", "saved", "F1 help")
		s.Press("ctrl+x").Shows("i interrupt root", "s stop", "p pause", "esc cancel").Hides("saved").Press("esc")
		s.Press("alt+1").Shows("demo ok", "saved")
	})
}

// A letter in a pane is a command. An unbound one shows a notice that points to
// the composer.
func TestUnboundLetterPointsToTheComposer(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		for _, pane := range []string{"alt+1", "alt+2", "alt+3"} {
			s.Press(pane, "a").Shows("a has no effect here", "esc goes to the composer", "> Tell root").Press("esc")
		}
		s.Type("a").Shows("> a").Hides("does nothing")
	})
}

// What comes from an input method is no key of a pane: it is text, as a paste is.
func TestTextThatIsNotASCIIGoesToTheComposer(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		for _, pane := range []string{"alt+1", "alt+2", "alt+3"} {
			s.Press(pane).Type("群岛，x").Shows("> 群岛，x").Hides("has no effect here").Press("ctrl+c")
			s.Press(pane).Paste("群岛").Shows("> 群岛").Press("ctrl+c")
		}
	})
}

func TestNewTaskModeIsShownUntilUsedOrCancelled(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("/new").Press("enter").Shows("to: root · new task", "esc undoes that")
		s.Press("esc").Hides("· new task").Shows("continues the task")
		s.Type("/new").Press("enter").Type("begin").Press("enter").Hides("· new task")
		asked(t, f, society.Send{To: society.Root, Text: "begin", NewTask: true})
	})
}

func TestKeysWithoutEffectSaySo(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("lead-1", society.Root, "lead")
		s.Press("alt+1", "-").Shows("Nothing to collapse: root stays open")
		s.Press("*").Shows("Nothing is collapsed below it")
		f.spawn("web-1", "lead-1", "web")
		s.Idle().Press("-").Hides("web-1 ").Press("home", "*").Shows("web-1 ")
		s.Press("f").Shows("f switches between all agents", "esc shows all").Press("esc").Shows("lead-1 ")
		s.Press("home", "down", "R").Shows("root has not failed; nothing to retry")
		asked(t, f)
		s.Press("space").Shows("1 marked agent · enter writes to all of them, i s T are for all")
	})
}

// The palette's key is shown in every pane at every size, unless the key means
// something else there.
func TestEveryPaneNamesThePalettesKey(t *testing.T) {
	for _, size := range [][2]int{{160, 45}, {100, 30}, {80, 24}, {60, 20}} {
		t.Run(fmt.Sprint(size[0]), func(t *testing.T) {
			onScreen(t, size[0], size[1], func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				f.set("web-2", func(r *api.Row) { r.Asks = true })
				s.Idle().Shows("ctrl+p more", "F1 help", "ctrl+n next ? (1)")
				for _, pane := range []string{"alt+1", "alt+2", "alt+3"} {
					s.Press(pane).Shows("ctrl+p more", "? help")
				}
				s.Press("alt+1", "/").Hides("ctrl+p more").Press("esc").Shows("ctrl+p more")
				s.Press("ctrl+p").Shows("Command palette").Hides("ctrl+p more").Press("esc", "?").Hides("ctrl+p more").Press("esc").Shows("ctrl+p more")
			})
		})
	}
}

// The key that leads to who needs the user is not offered where only the open agent does, whose
// question the composer answers. A request for a yes needs its dialog.
func TestTheKeyToWhoNeedsTheUserIsLeftOutWhereItsQuestionIsAnswered(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set(society.Root, func(r *api.Row) { r.Asks = true })
		s.Idle().Hides("ctrl+n next ?").Press("alt+2").Hides("ctrl+n next ?").Press("alt+1").Shows("ctrl+n next ? (1)").Press("esc")
		f.set("web-2", func(r *api.Row) { r.Asks = true })
		s.Idle().Shows("ctrl+n next ? (2)")
		f.set(society.Root, func(r *api.Row) { r.Asks = false })
		s.Idle().Shows("ctrl+n next ? (1)")
		f.set("web-2", func(r *api.Row) { r.Asks = false })
		f.set(society.Root, func(r *api.Row) { r.Asks, r.Approvals = true, 1 })
		s.Idle().Shows("ctrl+n next ? (1)")
	})
}

func TestAClickOnAHintDoesWhatItsKeyDoes(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		click := func(hint string) *screentest.Screen {
			x, y := s.Idle().Find(hint)
			return s.Click(x+1, y)
		}
		click("ctrl+p more").Shows("Command palette")
		click("esc close").Hides("Command palette")
		click("F1 help").Shows("Help").Press("esc")
		click("esc esc interrupt").Shows("Interrupt")
		asked(t, f, society.Interrupt{Agent: society.Root})
	})
}

// In a narrow row the key that sends a draft comes before those that have nothing to do with it.
func TestANarrowRowNamesTheKeyThatSendsADraft(t *testing.T) {
	for lang, w := range map[protocol.Lang]struct{ draft, tab, inspector, send, next string }{
		protocol.English: {"hello", "tab agents", "alt+3 inspector", "enter send", "ctrl+n next ? (1)"},
		protocol.Chinese: {"你好", "tab 智能体", "alt+3 详情", "enter 发送", "ctrl+n 下一个 ?（1）"},
	} {
		t.Run(string(lang), func(t *testing.T) {
			onScreenWith(t, 60, 20, func(c *tui.Config) { c.Lang = lang }, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
				s.Idle().Shows(w.tab + " · " + w.inspector).Hides(w.send)
				s.Type(w.draft).Shows(w.tab + " · " + w.send).Press("ctrl+u").Shows(w.inspector)
				family(f)
				f.set("web-2", func(r *api.Row) { r.Asks = true })
				s.Idle().Shows(w.next).Type(w.draft).Shows(w.tab + " · " + w.send)
			})
		})
	}
}

// The key that goes to the conversation and the one that writes to the agent have different words.
func TestTheTreeNamesTheConversationAndTheAgentDifferently(t *testing.T) {
	for lang, w := range map[protocol.Lang]struct {
		width int
		hints string
	}{
		protocol.English: {76, "tab conversation · alt+3 inspector · enter talk"},
		protocol.Chinese: {60, "tab 对话 · alt+3 详情 · enter 交谈"},
	} {
		t.Run(string(lang), func(t *testing.T) {
			onScreenWith(t, w.width, 20, func(c *tui.Config) { c.Lang = lang }, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
				s.Idle().Press("alt+1").Shows(w.hints)
			})
		})
	}
}

package tui_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// armedFor is how long a first esc waits.
const armedFor = 2 * time.Second

const (
	// reaction is how long a repeated key counts as the same press.
	reaction = 400 * time.Millisecond
	// finalReaction is how long no letter answers what cannot be undone.
	finalReaction = time.Second
)

func busy(r *api.Row) { r.State = society.WaitingLLM }

// family is root with a child that has two children, all at work.
func family(f *fakeSociety) {
	f.spawn("lead-1", society.Root, "lead")
	f.spawn("web-1", "lead-1", "web")
	f.spawn("web-2", "lead-1", "web")
	for _, id := range []society.AgentID{society.Root, "lead-1", "web-1", "web-2"} {
		f.set(id, busy)
	}
}

// asked fails the test unless exactly these commands were sent.
func asked(t *testing.T, f *fakeSociety, want ...society.Command) {
	t.Helper()
	got := f.commands()
	if len(got) != len(want) {
		t.Fatalf("asked %+v, want %+v", got, want)
	}
	for _, w := range want { // parallel ones may come in any order
		if !slices.ContainsFunc(got, func(g society.Command) bool { return same(g, w) }) {
			t.Fatalf("asked %+v, want %+v", got, w)
		}
	}
	f.forget()
}

// same compares commands without maps.
func same(a, b society.Command) bool {
	switch a := a.(type) {
	case society.Stop:
		b, ok := b.(society.Stop)
		return ok && a.Agent == b.Agent
	default:
		return reflect.DeepEqual(a, b)
	}
}

func TestInterruptInTheTreeAffectsTheSelectedAgentOnly(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "i")
		asked(t, f, society.Interrupt{Agent: "lead-1"})
		s.Shows("Interrupted lead-1 · paused · ctrl+x r resumes, or write to it")
		s.Row("lead-1")
		for id, want := range map[society.AgentID]society.Status{"lead-1": society.Idle, "web-1": society.WaitingLLM, "root": society.WaitingLLM} {
			if got := f.Rows[id].State; got != want {
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
				s.Shows("wait, I meant", "Interrupted root")
			})
		})
	}
}

// Where one row holds no more, the notice names what the composer does not.
func TestEscEscOffersToEditAndSendAgain(t *testing.T) {
	for width, want := range map[int]string{
		100: "ctrl+x r resumes, or write to it · /rewind edits and sends again", 80: "ctrl+x r resumes · /rewind edits and sends again", 70: "ctrl+x r resumes, or write to it",
	} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			onScreen(t, width, 24, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				s.Press("esc", "esc").Idle()
				s.Shows("Interrupted root · paused · " + want)
				if !strings.Contains(want, "/rewind") {
					s.Hides("/rewind")
				}
			})
		})
	}
}

func TestOneEscArmsForTwoSecondsAndChangesNoAgent(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("esc").Shows("esc again to interrupt root")
		s.Pass(armedFor).Hides("esc again")
		s.Press("esc")
		s.Press("x", "esc") // a key in between: it was not meant
		asked(t, f)
	})
}

// A second esc would have no effect: what can be stopped is below.
func TestEscOnAWaitingAgentNamesTheStopCommand(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set(society.Root, func(r *api.Row) {
			r.State, r.WaitsOn = society.Idle, []society.AgentID{"lead-1"}
		})
		s.Press("esc").Shows("root is waiting for lead-1 and runs nothing itself · ctrl+x s stops it and its subtree")
		s.Press("esc")
		asked(t, f)
	})
}

// Nothing ticks while no agent works, so a wait is told by what stays true.
func TestAWaitForThePersonShowsWhenItBegan(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("lead-1", society.Root, "lead")
		f.spawn("web-1", "lead-1", "web")
		began := time.Now()
		f.set("lead-1", func(r *api.Row) { r.State, r.WaitsOn, r.Since = society.Idle, []society.AgentID{"web-1"}, began })
		f.set("web-1", busy)
		s.Press("alt+1", "down", "enter").Pass(5 * time.Second).Shows("◌ waiting for web-1 · 5s")
		f.set("web-1", func(r *api.Row) { r.State, r.Asks = society.Idle, true })
		s.Idle().Shows("◌ waiting for web-1 · since " + began.Local().Format("15:04:05"))
	})
}

// The key that helps stays whole beside a reason that has to be cut.
func TestNoticeIsCutBeforeItsKey(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set(society.Root, func(r *api.Row) {
			r.State, r.WaitsOn = society.Idle, []society.AgentID{"lead-1", "web-1", "web-2", "draft-1"}
		})
		s.Press("esc").Shows("root is waiting for lead-1, web-1, web-2,… · ctrl+x s stops it and its subtree · alt+m all of it")
	})
}

// The compression of a context is ended as work is.
func TestEscTwiceEndsACompression(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set(society.Root, func(r *api.Row) { r.State, r.Compressing = society.Idle, true })
		s.Press("esc").Shows("esc again").Press("esc").Idle()
		asked(t, f, society.Interrupt{Agent: society.Root})
	})
}

// Without a name the command tells which model the agent uses, and where others are.
func TestModelWithoutANameTellsTheModel(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set(society.Root, func(r *api.Row) { r.Model = "gpt-x" })
		s.Type("/model").Press("enter").Shows("root uses gpt-x · /models, /setup: another")
		f.Holds.Models = []api.Model{{Name: "gpt-x"}, {Name: "gpt-y"}}
		s.Type("/model").Press("enter").Shows("root uses gpt-x · /model and a name give it another, /models lists them")
		asked(t, f)
	})
}

// The offline model has a name in each language, also in notices.
func TestTheOfflineModelIsNamedInTheLanguageOfTheScreen(t *testing.T) {
	chinese := func(cfg *tui.Config) { cfg.Lang = protocol.Chinese }
	onScreenWith(t, 100, 30, chinese, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set(society.Root, func(r *api.Row) { r.Model = "offline demo model" })
		f.Holds.Models = []api.Model{{Name: "gpt-x"}, {Name: "offline demo model"}}
		s.Type("/model").Press("enter").Shows("root 正在使用 离线演示模型").Hides("offline demo model")
		s.Type("/models").Press("enter", "down", "enter", "u").Shows("离线演示模型").Hides("offline demo model")
	})
}

// A notice about a state disappears with the state.
func TestNoticeAboutAStateEndsWithIt(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "ctrl+x", "p").Shows("web-1 will pause after the current step")
		f.set("web-1", func(r *api.Row) { r.State = society.Idle })
		s.Idle().Hides("asked web-1 to rest").Shows("Paused web-1 · ctrl+x r resumes, or write to it")
		f.set("web-1", func(r *api.Row) { r.State, r.Paused = society.WaitingLLM, "" })
		s.Idle().Pass(reaction).Press("i").Shows("Interrupted web-1 · paused")
		f.set("web-1", func(r *api.Row) { r.State, r.Paused = society.WaitingLLM, "" })
		s.Idle().Hides("Interrupted web-1 · paused")
		f.set(society.Root, func(r *api.Row) { r.State, r.WaitsOn = society.Idle, []society.AgentID{"lead-1"} })
		s.Press("alt+2", "esc", "esc").Shows("root is waiting for lead-1 and runs nothing itself")
		f.set(society.Root, func(r *api.Row) { r.WaitsOn = nil }) // it was answered, and is idle
		s.Idle().Hides("root waits for lead-1: nothing")
		f.set(society.Root, func(r *api.Row) { r.WaitsOn = []society.AgentID{"lead-1"} })
		s.Idle().Press("esc").Shows("root is waiting for lead-1 and runs nothing itself")
		f.set(society.Root, func(r *api.Row) { r.State, r.WaitsOn = society.WaitingLLM, nil })
		s.Idle().Hides("root waits for lead-1: nothing")
	})
}

func TestErrorOutlivesItsState(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.alter = func(society.Reply) society.Reply { return society.Interruption{Was: true, Unsaved: true} }
		s.Press("alt+1", "down", "down", "i").Shows("✗ Interrupted web-1 · paused")
		f.set("web-1", func(r *api.Row) { r.State, r.Paused = society.WaitingLLM, "" })
		s.Pass(time.Minute).Shows("✗ Interrupted web-1 · paused")
		s.Press("up").Pass(time.Minute).Hides("Interrupted web-1")
	})
}

func TestEscClosesOneThingAtATimeAndChangesNoAgent(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "space", "/").Type("web").Press("enter")
		s.Press("f1").Shows("Anywhere")
		s.Press("esc").Hides("after ctrl+x").Shows("/web")
		s.Press("esc").Hides("/web").Shows("1 marked  f:all")
		s.Press("esc").Hides("1 marked  f:all")
		s.Press("esc") // leaves the tree
		s.Type("/st").Shows("/stop")
		s.Press("esc").Hides("/stop")
		asked(t, f)
	})
}

func TestPrefixOffersAgentCommandsInEveryPane(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("ctrl+x").Shows("i interrupt root", "s stop").Hides("t terminate") // root cannot be terminated
		s.Press("esc").Hides("i interrupt root")
		asked(t, f)
		s.Press("ctrl+x").Pass(10 * armedFor).Shows("i interrupt root").Press("i") // it has been read first
		asked(t, f, society.Interrupt{Agent: society.Root})
		s.Press("alt+1", "down", "ctrl+x").Shows("i interrupt lead-1", "s stop", "t terminate")
		s.Press("esc", "i")
		asked(t, f, society.Interrupt{Agent: "lead-1"})
	})
}

func TestStopOfASubtreeAsksWithCountsAndReportsTheOutcome(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *api.Row) { r.Waiting = 2 })
		s.Press("alt+1", "down", "s")
		s.Shows("Stop lead-1?", "Stops 3 agents (2 in the subtree).", "2 unread messages", "web-2")
		asked(t, f)
		s.Press("enter").Hides("Stop lead-1?")
		asked(t, f) // enter is Cancel
		s.Press("s").Pass(finalReaction).Press("y")
		asked(t, f, society.Stop{Agent: "lead-1"})
		s.Shows("Stopped 3 agents, dropped 2 messages · ctrl+x r resumes")
		s.Shows("s resume").Press("s") // a stopped agent is resumed
		asked(t, f, society.Resume{Agent: "lead-1"})
		s.Shows("Resumed 3 agents: write to lead-1 to go on · what was cut off is gone")
	})
}

func TestOneAgentThatIsResumedWaitsAlone(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-2", func(r *api.Row) { r.State = society.Stopped })
		s.Idle().Type("/resume web-2").Press("enter").Shows("Resumed 1 agent: write to web-2 to go on")
	})
}

func TestResumeNamesOnlyThoseThatWaitForTheUser(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("lead-1", func(r *api.Row) { r.Paused = society.Interrupted })
		f.set("web-2", func(r *api.Row) { r.State = society.Stopped })
		s.Press("alt+1", "down", "ctrl+x", "r")
		asked(t, f, society.Resume{Agent: "lead-1"})
		s.Shows("(lead-1, web-2) · web-2 waits for your message")
	})
}

func TestStoppingOneAgentThatLosesNothingDoesNotAsk(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "s")
		asked(t, f, society.Stop{Agent: "web-1"})
		s.Shows("Stopped 1 agent")
	})
}

// A stop does not tell agents that wait for the stopped one (S001 P5), so the
// user is told.
func TestStopNamesAgentsWhoseWaitEnded(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("lead-1", func(r *api.Row) {
			r.State, r.WaitsOn = society.Idle, []society.AgentID{"web-1"}
		})
		s.Press("alt+1", "down", "down", "s")
		s.Shows("Stopped 1 agent · lead-1 was waiting for this; write to it yourself")
		s.Press("up", "s").Pass(finalReaction).Press("y").Hides("waited for that")
	})
}

// Agents that would wait in vain are named before as well as after.
func TestStopAndTerminationQuestionsNameWaitingAgents(t *testing.T) {
	for key, after := range map[string]string{"s": "Stopped 3 agents", "T": "Terminated 3 agents (lead-1, web-1, web-2)"} {
		t.Run(key, func(t *testing.T) {
			onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				f.set(society.Root, func(r *api.Row) {
					r.State, r.WaitsOn = society.Idle, []society.AgentID{"lead-1"}
				})
				f.set("lead-1", func(r *api.Row) { // it is one of the stopped agents
					r.State, r.WaitsOn = society.Idle, []society.AgentID{"web-1"}
				})
				s.Press("alt+1", "down", key).Shows("root waits for this and will not be told.").Hides("root, lead-1", "Lost: ")
				s.Pass(finalReaction).Press("y").Shows(after + " · root was waiting for this; write to it yourself")
			})
		})
	}
}

// Delayed messages are dropped with the others, and counted once each.
func TestStopQuestionCountsEveryDroppedMessage(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *api.Row) { r.Waiting, r.Delayed, r.Later = 1, 2, []society.AgentID{"web-2", society.Root} })
		f.set("web-2", func(r *api.Row) { r.Delayed = 1 })
		s.Press("alt+1", "down", "down", "s").Shows("Stop web-1?", "Lost: 5 unread messages.").Press("esc")
		s.Press("up", "s").Shows("Stop lead-1?", "Lost: 5 unread messages.").Press("esc")
		s.Press("T").Shows("Lost: 5 unread messages.")
	})
}

// A message that is read during the question, or just before the stop, is
// reported as not dropped.
func TestMessageReadMeanwhileIsNotCountedAsDropped(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *api.Row) { r.Waiting = 2 })
		s.Press("alt+1", "down", "down", "s").Shows("Lost: 2 unread messages.").Hides("read since")
		f.set("web-1", func(r *api.Row) { r.Waiting = 1 })
		s.Idle().Shows("Lost: 1 unread message.", "1 message was read since this was asked.")
		f.Rows["web-1"].Waiting = 0 // before the next frame
		s.Pass(finalReaction).Press("y").Shows("Stopped 1 agent · 1 message was already read")
	})
}

func TestTerminationAlwaysAsksAndEnterCancels(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "T").Shows("Terminate web-1?")
		s.Press("enter")
		asked(t, f)
		s.Press("T").Pass(finalReaction).Press("y")
		asked(t, f, society.Terminate{Agent: "web-1", By: society.User})
		s.Shows("Terminated 1 agent").Hides("web-1 ")
	})
}

// A text that is typed while the tree has the keys may begin with the key of a verb: no letter of
// it answers the question.
func TestNoTextAnswersAQuestionAboutALoss(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.Say("lead-1", conversation.Entry{Kind: conversation.Inbound, From: "user", To: "lead-1", Body: "more"})
		s.Press("alt+1", "down", "down")
		for _, text := range []string{"Ty", "Typical", "Try yes", "T y", "Tell everybody, anyway"} {
			for _, c := range text {
				s.Type(string(c)).Pass(reaction / 2)
			}
			asked(t, f)
			s.Shows("Terminate web-1?", "then press n/y or esc").Press("esc").Pass(time.Second)
		}
		s.Press("T").Pass(reaction).Press("n").Hides("Terminate web-1?")
		s.Press("T").Pass(finalReaction).Press("?").Shows("Help").Press("esc").Shows("Terminate web-1?").Press("y")
		asked(t, f, society.Terminate{Agent: "web-1", By: society.User})
	})
}

func TestTerminatingMoreThanTenAgentsNeedsTheirNumber(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("lead-1", society.Root, "lead")
		for i := range 11 {
			f.spawn(society.AgentID("web-"+string(rune('a'+i))), "lead-1", "researcher")
		}
		s.Press("alt+1", "down", "T").Shows("Terminates 12 agents", "Type the number").Pass(finalReaction)
		s.Press("y", "right", "enter") // off until the number matches
		asked(t, f)
		s.Type("1").Press("y")
		asked(t, f)
		s.Type("2").Press("enter")
		asked(t, f, society.Terminate{Agent: "lead-1", By: society.User})
	})
}

func TestRootAndTheUserCannotBeTerminated(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Press("alt+1", "T").Shows("root cannot be terminated")
		f.set(society.Root, func(r *api.Row) { r.State = society.Stopped })
		s.Pass(2 * time.Second).Press("T").Shows("root cannot be terminated · ctrl+x r resumes")
		s.Press("up", "T").Shows("This is you")
		asked(t, f)
	})
}

func TestCommandsApplyToAllMarkedAgentsOnce(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.spawn("solo-1", society.Root, "solo")
		f.set("solo-1", busy)
		s.Press("alt+1", "down", "space", "space") // lead-1 and web-1 below it
		s.Press("G", "space")                      // solo-1
		s.Press("s").Shows("Stop 3 marked agents?", "Stops 4 agents (1 in the subtree).", "solo-1")
		s.Press("y")
		asked(t, f, society.Stop{Agent: "lead-1"}, society.Stop{Agent: "solo-1"})
	})
}

func TestRepeatedCommandHasOneEffectAndAClearNotice(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		hold := make(chan struct{})
		f.hold(hold)
		s.Press("alt+1", "down", "down", "s").Shows("Stopping web-1…")
		s.Press("s").Shows("Stopping web-1…") // the same press
		s.Pass(reaction).Press("s").Shows("web-1: the previous command is still running")
		f.hold(nil)
		close(hold)
		s.Idle()
		asked(t, f, society.Stop{Agent: "web-1"})
	})
}

func TestCommandForAnEndedAgentSaysSo(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down")
		f.refuseAll(&society.Refusal{Code: society.AgentNotFound, Agent: "web-1"})
		s.Press("i").Shows("web-1 no longer exists").Hides("esc cancel")
	})
}

func TestAResumeThatASpentBudgetRefusesNamesWhatRaisesIt(t *testing.T) {
	onScreen(t, 80, 24, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		of := society.BudgetScope{Task: "01M8Q8JBCMPX0000000000000"}
		f.set(society.Root, func(r *api.Row) { r.State, r.Paused, r.HeldBy = society.Idle, society.OverBudget, of })
		f.refuseAll(&society.Refusal{Code: society.LimitReached, Agent: society.Root, Why: protocol.Because(protocol.BudgetSpent, of)})
		s.Idle().Press("ctrl+x", "r").Shows("Budget spent · raise it: /budget task AMOUNT").Hides("01M8")
	})
}

func TestACancelledQuestionLeavesTheMarks(t *testing.T) {
	onScreen(t, 120, 36, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "space", "down", "space", "T")
		s.Shows("Terminate 2 agents")
		s.Press("esc", "T")
		s.Shows("Terminate 2 agents")
	})
}

func TestAStopCountsOnlyThoseThatItStops(t *testing.T) {
	onScreen(t, 120, 36, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *api.Row) { r.State = society.Stopped })
		s.Press("ctrl+x", "s")
		s.Shows("Stop 3 agents")
	})
}

func TestDoublePressDoesNotUndoTheCommand(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "s", "s", "s")
		asked(t, f, society.Stop{Agent: "web-1"}) // and is not resumed
		s.Shows("Stopped 1 agent").Pass(reaction).Press("s")
		asked(t, f, society.Resume{Agent: "web-1"})
	})
}

func TestSecondPressDoesNotHitTheNewSelection(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "space") // web-1; web-2 is selected now
		s.Press("i", "i")                         // the first key has cleared the marks
		asked(t, f, society.Interrupt{Agent: "web-1"})
		s.Shows("Interrupted web-1 · paused").Press("enter").Shows("Interrupted web-1 · paused") // opening an agent covers no notice
		s.Pass(reaction).Press("alt+1", "home", "down", "down", "down", "down", "i")
		asked(t, f, society.Interrupt{Agent: "web-2"})
	})
}

func TestRepeatedAnswerKeyDoesNotReachThePanes(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.Say("web-2", conversation.Entry{Kind: conversation.Answer, From: "web-2", Text: "an answer"})
		s.Press("alt+1", "down", "down", "T").Pass(finalReaction).Press("y", "y") // y copies, in the tree
		asked(t, f, society.Terminate{Agent: "web-1", By: society.User})
		if got := s.Copied(); len(got) > 0 {
			t.Errorf("copied %q", got)
		}
		s.Shows("Terminated 1 agent")
		s.Press("home", "down", "enter").Type("a draft").Press("ctrl+x", "s", "enter", "enter") // it loses nothing
		asked(t, f, society.Stop{Agent: society.Root})                                          // and nothing was sent
		s.Shows("a draft")
	})
}

// Only aborted or failed turns are retried; others are reported as resumed, or
// with a hint.
func TestRetryNamesAgentsThatWereNotRetried(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("/retry").Press("enter").Shows("root has not failed; nothing to retry").Hides("write to it to continue")
		f.set(society.Root, func(r *api.Row) { r.State = society.Idle })
		s.Press("alt+1", "R").Shows("root has not failed; nothing to retry · write to it to continue").Press("alt+2", "esc")
		f.set(society.Root, func(r *api.Row) { r.State, r.Paused = society.Idle, society.AskedToPause })
		s.Type("/retry").Press("enter").Shows("Resumed 1 agent, nothing to retry · write to it to continue").Hides("tried again")
		f.set("lead-1", func(r *api.Row) { r.State, r.Error = society.Idle, "500" })
		f.set("web-1", func(r *api.Row) { r.State = society.Stopped })
		s.Type("/retry").Press("enter").Shows("Retrying 1 agent (lead-1) · Resumed 1 agent, nothing to retry (web-1)")
	})
}

func TestSeveralAgentsUseThePlural(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		for _, id := range []society.AgentID{"web-1", "web-2"} {
			f.set(id, func(r *api.Row) { r.State = society.Idle })
		}
		s.Press("alt+1", "down", "down", "space", "space", "R").Shows("web-1, web-2 have not failed; nothing to retry")
		s.Pass(reaction).Press("i").Shows(" are not working; nothing to interrupt")
	})
}

func TestInterruptTakesEveryMarkedAgentAlsoThoseBelowOthers(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-2", func(r *api.Row) { r.State = society.Idle })
		s.Press("alt+1", "down", "space", "space", "space", "i") // lead-1, web-1, web-2
		asked(t, f, society.Interrupt{Agent: "lead-1"}, society.Interrupt{Agent: "web-1"}, society.Interrupt{Agent: "web-2"})
		s.Row("Interrupted")
		s.Shows("web-2 is not working; nothing to interrupt")
		if row := s.Row("· paused"); !strings.Contains(row, "lead-1") || !strings.Contains(row, "web-1") {
			t.Errorf("it says %q", row)
		}
	})
}

func TestOpenQuestionUpdatesItsCounts(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "s").Shows("Stops 3 agents").Hides("when this was asked", "waiting messages")
		f.spawn("web-3", "lead-1", "web")
		f.set("web-1", func(r *api.Row) { r.Waiting = 2 })
		f.stream("web-2", "half an ans")
		s.Idle().Shows("Stops 4 agents", "web-3", "Stop 4 agents", "There were 3 agents when this was asked.", "1 unfinished answer, 2 unread messages")
		s.Pass(finalReaction).Press("y").Shows("Stopped 4 agents, dropped 2 messages")
		asked(t, f, society.Stop{Agent: "lead-1"})
	})
}

func TestAQuestionThatGrowsBeyondTenAgentsNeedsTheirNumber(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("lead-1", society.Root, "lead")
		for i := range 9 {
			f.spawn(society.AgentID("web-"+string(rune('a'+i))), "lead-1", "researcher")
		}
		s.Press("alt+1", "down", "T", "right").Shows("Terminates 10 agents")
		f.spawn("web-z", "lead-1", "researcher")
		s.Idle().Shows("Terminates 11 agents", "Type the number", "If more keep coming")
		s.Press("y", "enter") // both were meant for ten: enter is Cancel again
		asked(t, f)
		s.Hides("Ends agents").Pass(reaction).Press("T").Type("11")
		f.spawn("web-y", "lead-1", "researcher")
		s.Idle().Press("enter").Shows("11 is not 12")
		asked(t, f)
		s.Press("backspace").Type("2").Press("enter").Shows("Terminated 12 agents")
		asked(t, f, society.Terminate{Agent: "lead-1", By: society.User})
	})
}

func TestAQuestionAboutAnAgentThatEndsMeanwhileGoesAndSaysSo(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "T").Shows("Terminate web-1?")
		f.end(t, "web-1")
		s.Idle().Hides("Terminate web-1?").Shows("web-1 no longer exists")
		s.Type("yTi").Press("enter").Shows("web-1 no longer exists") // meant for the question
		asked(t, f)
		if len(s.Copied()) > 0 {
			t.Errorf("copied is %q, want nothing", s.Copied())
		}
		s.Pass(reaction).Press("T").Shows("Terminate web-2?")
	})
}

func TestAQuestionAboutSeveralGoesOnWithThoseThatAreLeft(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "space", "space", "T").Shows("Terminate 2 marked agents?", "Terminates 2 agents and")
		f.end(t, "web-1")
		s.Idle().Shows("Terminate web-2?", "Terminates 1 agent").Pass(finalReaction).Press("y").Shows("Terminated 1 agent")
		asked(t, f, society.Terminate{Agent: "web-2", By: society.User})
	})
}

func TestAQuestionWithNothingLeftToStopGoes(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "s")
		for _, id := range []society.AgentID{"lead-1", "web-1", "web-2"} {
			f.set(id, func(r *api.Row) { r.State = society.Stopped })
		}
		s.Idle().Hides("Stop lead-1?").Shows("lead-1 is already stopped")
		asked(t, f)
	})
}

func TestQuitDialogUpdatesItsCounts(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Press("ctrl+c").Shows("4 agents are working")
		f.set("web-1", func(r *api.Row) { r.State = society.Idle })
		s.Idle().Shows("3 agents are working")
		for _, id := range []society.AgentID{society.Root, "lead-1", "web-2"} {
			f.set(id, func(r *api.Row) { r.State = society.Idle })
		}
		s.Idle().Shows("No agents are working.").Hides("Quit and pause all")
	})
}

// The target of a key ends just before it is pressed.
func TestKeyDoesNotHitTheSuccessorOfARemovedAgent(t *testing.T) {
	for name, c := range map[string]struct{ before, after []string }{
		"in the tree":        {[]string{"alt+1", "down", "down"}, []string{"i"}},
		"a marked agent":     {[]string{"alt+1", "down", "down", "space"}, []string{"i"}},
		"a stop in the tree": {[]string{"alt+1", "down", "down"}, []string{"s"}},
		"behind ctrl+x":      {[]string{"alt+1", "down", "down", "enter", "ctrl+x"}, []string{"i"}},
		"after ctrl+x":       {[]string{"alt+1", "down", "down", "enter"}, []string{"ctrl+x", "s"}},
		"the second esc":     {[]string{"alt+1", "down", "down", "enter", "esc"}, []string{"esc"}},
	} {
		t.Run(name, func(t *testing.T) {
			onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				s.Press(c.before...)
				f.end(t, "web-1")
				s.Idle().Hides("again to interrupt").Press(c.after...).Hides("Stop lead-1?")
				asked(t, f)
				if name != "the second esc" {
					s.Shows("web-1 no longer exists")
				}
				s.Pass(armedFor).Press("alt+1", "i") // a new selection is deliberate
				if got := f.commands(); len(got) != 1 {
					t.Errorf("asked %+v", got)
				}
			})
		})
	}
}

func TestSecondEscDoesNotHitAnAgentOpenedMeanwhile(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("esc").Shows("esc again to interrupt root")
		x, y := s.Find("web-1")
		s.Double(x, y).Shows("to: web-1").Hides("again to interrupt")
		s.Press("esc")
		asked(t, f)
	})
}

func TestMixedOutcomesAreBothReported(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.refuse = func(c society.Command) error {
			if i, ok := c.(society.Interrupt); ok && i.Agent == "web-2" {
				return &society.Refusal{Code: society.AgentStopped, Agent: "web-2"}
			}
			return nil
		}
		f.set("web-2", func(r *api.Row) { r.State = society.Stopped })
		s.Press("alt+1", "down", "down", "space", "space", "i")
		s.Shows("Interrupted web-1 · paused · web-2 is already stopped")
	})
}

func TestRefusedCommandsExplainTheReason(t *testing.T) {
	for _, c := range []struct {
		state society.Status
		key   string
		says  string
	}{
		{society.Stopped, "i", "web-1 is already stopped · ctrl+x r resumes"},
		{society.Stopping, "i", "web-1 is already stopped"},
		{society.Stopping, "s", "web-1 is still stopping · try again in a moment"},
		{society.Terminating, "i", "web-1 is being terminated and takes no commands"},
	} {
		t.Run(string(c.state)+" "+c.key, func(t *testing.T) {
			onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				f.set("web-1", func(r *api.Row) { r.State = c.state })
				s.Press("alt+1", "down", "down", c.key).Shows(c.says)
			})
		})
	}
}

func TestAnAgentThatWasStoppedBeforeIsNotCountedAgain(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("lead-1", func(r *api.Row) { r.State = society.Stopped })
		s.Press("alt+1", "down", "enter", "ctrl+x", "s").Shows("Stops 2 agents").Press("y")
		s.Shows("Stopped 2 agents")
	})
}

func TestUnendedWorkAndUnsavedCommandsAreReported(t *testing.T) {
	late := []society.AgentID{"web-1"}
	for name, c := range map[string]struct {
		keys  []string
		alter func(society.Reply) society.Reply
		says  []string
	}{
		"abandoned by a stop": {[]string{"s", "y"}, func(r society.Reply) society.Reply {
			s := r.(society.StopResult)
			s.Abandoned = late
			return s
		}, []string{"Stopped 3 agents · Did not stop in time; results are ignored: web-1 · ctrl+x r resumes"}},
		"abandoned by a termination": {[]string{"T", "y"}, func(r society.Reply) society.Reply {
			s := r.(society.TerminateResult)
			s.Abandoned = late
			return s
		}, []string{"Terminated 3 agents (lead-1, web-1, web-2) · Did not stop in time; results are ignored: web-1"}},
		"an unsaved stop": {[]string{"s", "y"}, func(r society.Reply) society.Reply {
			s := r.(society.StopResult)
			s.Unsaved = true
			return s
		}, []string{"Stopped 3 agents · not saved yet; saved first when the disk works again"}},
		"an unsaved termination": {[]string{"T", "y"}, func(r society.Reply) society.Reply {
			s := r.(society.TerminateResult)
			s.Unsaved = true
			return s
		}, []string{"Terminated 3 agents (lead-1, web-1, web-2) · not saved yet"}},
		"an unsaved interrupt": {[]string{"i"}, func(r society.Reply) society.Reply {
			s := r.(society.Interruption)
			s.Unsaved = true
			return s
		}, []string{"Interrupted lead-1 · paused · not saved yet"}},
	} {
		t.Run(name, func(t *testing.T) {
			onScreenWith(t, 160, 45, still, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				f.alter = c.alter
				s.Press("alt+1", "down").Press(c.keys[0]).Pass(finalReaction).Press(c.keys[1:]...)
				s.Pass(time.Minute).Shows(c.says...) // it stays until it was seen
			})
		})
	}
}

func TestDrainIsShownAndItsOutcomeNotified(t *testing.T) {
	for _, lang := range []struct {
		lang             protocol.Lang
		row, told, event string
	}{
		{protocol.English, "draining 2", "lead-1 was ended by its parent, ended 3 agents, dropped 2 messages", "ended 3, cut 2"},
		{protocol.Chinese, "收尾中 2", "lead-1 已由其上级终止，共 3 个智能体，丢弃 2 条消息", "结束 3，丢弃 2"},
	} {
		t.Run(string(lang.lang), func(t *testing.T) {
			onScreenWith(t, 160, 45, func(c *tui.Config) { c.Lang, c.Still = lang.lang, true }, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				f.set("lead-1", func(r *api.Row) { r.Draining, r.Waiting = true, 2 })
				s.Idle().Press("alt+3")
				_, y := s.Find("▽ lead-1")
				if row := s.Rows()[y+1]; !strings.Contains(row, lang.row) {
					t.Errorf("its row says %q", row)
				}
				f.end(t, "lead-1")
				f.Tell(func(c *api.Changes) {
					c.Log = append(c.Log, api.TimelineEvent{Seq: 1, At: time.Now(), Agent: "lead-1", Kind: "drained", Text: "ended 3, cut off 2"})
				})
				s.Pass(time.Minute).Shows(lang.told, lang.event)
			})
		})
	}
}

// /undo says that it brings no terminated agent back.
func TestUndoTellsThatATerminatedAgentStaysGone(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("/undo").Press("enter").Shows("root changed no file that can be undone").Hides("cannot be brought back")
		s.Press("alt+1", "down", "down", "T").Pass(finalReaction).Press("y").Press("esc").Type("/undo").Press("enter").Shows("a terminated agent cannot be brought back (/backup or /export before)")
	})
}

// A removed agent keeps its name in notices.
func TestTerminatedAgentKeepsItsNameInNotices(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *api.Row) { r.Name = "Ada" })
		s.Idle().Press("alt+1", "down", "down", "T").Pass(finalReaction).Press("y").Shows("Terminated 1 agent (Ada (web-1))")
	})
}

func TestTerminationOutcomeStaysWhenAnotherAgentOpens(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "enter").Type("a draft").Press("ctrl+x", "t").Pass(finalReaction).Press("y")
		s.Shows("to: lead-1", "> a draft", "Terminated 1 agent (web-1) · your text is kept")
	})
}

// Two verbs at once: the first outcome arrives after the second.
func TestLaterOutcomeIsNotCoveredByAnEarlierOne(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		hold := make(chan struct{})
		f.hold(hold)
		s.Press("alt+1", "down", "down", "s").Shows("Stopping web-1…")
		f.hold(nil)
		s.Press("T").Pass(finalReaction).Press("y").Shows("Terminated 1 agent")
		close(hold)
		s.Idle().Shows("Terminated 1 agent").Hides("gone already", "stopped")
	})
}

func TestMarkedDescendantIsTerminatedOnce(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "space", "space", "T").Shows("Terminate 2 marked agents?", "Terminates 3 agents").Pass(finalReaction).Press("y")
		asked(t, f, society.Terminate{Agent: "lead-1", By: society.User})
		s.Shows("Terminated 3 agents")
	})
}

func TestAgentsTerminatedMeanwhileCauseNoWarning(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		hold := make(chan struct{})
		f.hold(hold)
		s.Press("alt+1", "down", "down", "space", "space", "i")
		f.hold(nil)
		s.Press("T").Pass(finalReaction).Press("y").Shows("Terminated 1 agent") // web-2, which was selected
		close(hold)
		s.Idle().Shows("Interrupted web-1 · paused").Hides("gone already")
	})
}

func TestAgentThatEndsAfterARefusedTerminationIsNoticed(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.refuseAll(&society.Refusal{Code: society.StoreUnavailable})
		s.Press("alt+1", "down", "down", "enter", "ctrl+x", "t").Pass(finalReaction).Press("y").Shows("Cannot save")
		f.end(t, "web-1")
		s.Press("left").Shows("web-1 no longer exists")
	})
}

func TestResumeAsksNowWhoeverWaitsToAsk(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *api.Row) {
			r.State, r.Retry = society.WaitingLLM, &api.Retry{At: time.Now().Add(5 * time.Minute), Model: "big", Cause: api.WaitsForEndpoint}
		})
		s.Type("/messages web-1").Press("enter").Shows("/retry asks now").Press("ctrl+x", "r")
		asked(t, f, society.Resume{Agent: "web-1", Now: true})
		f.set("web-1", func(r *api.Row) { r.Paused = society.Interrupted })
		s.Pass(reaction).Press("ctrl+x", "r")
		asked(t, f, society.Resume{Agent: "web-1"}) // the pause is meant, and the endpoint left alone
	})
}

package tui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/action"
	"society-tui/tui/dialog"
	"society-tui/tui/screentest"
)

func send(to society.AgentID, text string) society.Send { return society.Send{To: to, Text: text} }

func TestEnterSendsOnceAndEmptiesTheComposer(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("Review the chapters").Press("enter", "enter")
		asked(t, f, send(society.Root, "Review the chapters"))
		s.Shows("Review the chapters") // in the conversation
		x, y, shown := s.Cursor()
		if row := s.Rows()[y]; !shown || !strings.Contains(row, "Write to root") || x != 2 {
			t.Errorf("the cursor is at %d,%d: %q", x, y, row)
		}
	})
}

func TestEveryNewlineKeyBreaksTheLine(t *testing.T) {
	for _, key := range []string{"shift+enter", "shift+enter/xterm", "alt+enter", "ctrl+j"} {
		t.Run(key, func(t *testing.T) {
			onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				s.Type("one").Press(key).Type("two").Press("enter")
				asked(t, f, send(society.Root, "one\ntwo"))
			})
		})
	}
	t.Run("backslash", func(t *testing.T) {
		onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
			s.Type(`one\`).Press("enter").Type("two").Press("enter")
			asked(t, f, send(society.Root, "one\ntwo"))
		})
	})
}

func TestEachAgentHasItsDraftAndTheBorderNamesTheRecipient(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("for root")
		s.Press("alt+1", "down", "enter").Shows("to: lead-1").Hides("for root")
		s.Type("for lead")
		s.Press("alt+left").Shows("to: root", "for root").Hides("for lead")
		s.Press("alt+1", "down", "enter").Shows("for lead")
	})
}

func TestMessageToABusyAgentCanBeWithdrawn(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("add the page numbers").Press("enter").Shows("1 unread")
		f.forget()
		s.Press("ctrl+x", "e").Shows("> add the page numbers").Hides("1 unread")
		asked(t, f, society.DropWaiting{Agent: society.Root})
		s.Press("enter").Shows("1 unread")
		s.Type("a draft").Press("ctrl+x", "backspace").Shows("> a draft").Hides("> add the page numbers", "1 unread")
		s.Press("ctrl+y").Shows("a draftadd the page numbers")
	})
}

func TestLongTextIsReportedAsSentInPart(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		half := strings.Repeat("word ", 12_000) // a longer one is a file
		s.Paste(half).Paste(half).Shows("120.0 kB: sent in part; the model can read on").Press("enter").Hides("in part")
		s.Paste(strings.Repeat("word ", 2_000)).Hides("in part").Press("enter")
		f.set(society.Root, func(r *api.Row) { r.Window = 2_000 })
		s.Paste(strings.Repeat("word ", 2_000)).Shows("10.0 kB: sent in part; the model can read on")
	})
}

// A text that is too large is reported before it is sent, and kept after it was
// refused.
func TestTooLargeTextIsRefusedAndKept(t *testing.T) {
	if !sampled(1) {
		t.Skip("one text of 17 MB is read by one goroutine")
	}
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.refuseAll(&society.Refusal{Code: society.TooLarge, Agent: society.Root, Why: protocol.Because(protocol.MessageTooLarge, 17000000, 16<<20)})
		s.Paste(strings.Repeat("word ", 3_400_000)).Shows("17.0 MB: too large, at most 16.8 MB")
		s.Press("enter").Idle().Shows("Too large: the message has 17000000…", "your text is kept; choose a recipient", "[pasted 17.0 MB", "17.0 MB: too large")
	})
}

// What can be taken back is offered by the prefix, also on a narrow screen.
func TestThePrefixOffersToTakeAnUnreadMessageBack(t *testing.T) {
	onScreen(t, 60, 20, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("ctrl+x").Shows("s stop").Hides("take back").Press("esc")
		s.Type("add the page numbers").Press("enter").Shows("○ unread").Idle()
		s.Press("ctrl+x").Shows("s stop", "backspace take back").Press("esc")
		s.Resize(140, 30)
		s.Press("ctrl+x").Shows("backspace take back", "e edit waiting", "p pause")
		for _, sought := range []string{"take back", "cancel message", "unread"} {
			s.Press("esc", "f1").Type(sought).Shows("Withdraw your last unread message").Press("esc")
		}
	})
}

// The user's texts are theirs: a stop counts them, and must not discard them.
func TestDroppedTextStaysVisibleAndCanBeTakenBack(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("add the page numbers").Press("enter").Shows("1 unread")
		s.Press("ctrl+x", "s").Pass(reaction).Press("y").Shows("dropped 1 message", "add the page numbers", "■ dropped, unread: ctrl+x e takes it back")
		f.forget()
		s.Press("ctrl+x").Shows("e edit waiting")
		s.Press("e").Shows("> add the page numbers", "The dropped message is in the composer", "■ dropped, unread")
		asked(t, f)
	})
}

func TestTextToAStoppedAgentIsKeptWithAnOfferToResume(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.set(society.Root, func(r *api.Row) { r.State = society.Stopped })
		s.Type("go on please").Press("enter").Shows("root is stopped", "Resume and send", "go on please")
		asked(t, f)
		s.Press("esc").Hides("root is stopped").Shows("go on please")
		asked(t, f)
		s.Pass(reaction).Press("enter", "enter").Hides("> go on please") // what was asked for loses nothing
		asked(t, f, society.Send{To: society.Root, Text: "go on please", Resume: true})
	})
}

func TestARefusedTextIsInTheComposerAgainWithTheReason(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.refuseAll(&society.Refusal{Code: society.MailboxFull, Agent: society.Root})
		s.Type("one more").Press("enter")
		s.Shows("> one more", "root has too many unread messages")
		s.Press("left").Hides("too many messages") // an error stays until a key
	})
}

func TestTextToARemovedAgentIsKept(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "enter").Type("are you there?")
		if _, err := f.Do(t.Context(), society.Terminate{Agent: "web-1"}); err != nil {
			t.Fatal(err)
		}
		s.Idle().Shows("to: lead-1", "are you there?", "web-1 no longer exists")
	})
}

func TestInterruptAndSendContinuesWithTheText(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("ctrl+x", "enter").Shows("Nothing to send yet")
		s.Type("stop reading, write").Press("ctrl+x", "enter")
		asked(t, f, society.Interrupt{Agent: society.Root, Text: "stop reading, write"})
	})
}

func TestSlashCommandsDoTheSameAsKeys(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("/interrupt").Press("enter")
		asked(t, f, society.Interrupt{Agent: society.Root})
		s.Type("/stop web-1").Press("enter")
		asked(t, f, society.Stop{Agent: "web-1"})
		s.Type("/resume web-1").Press("enter")
		asked(t, f, society.Resume{Agent: "web-1"})
		s.Type("/terminate web-1").Press("enter").Shows("Terminate web-1?").Press("esc")
		s.Type("/to web-2").Press("enter").Shows("to: web-2")
		s.Type("/new a fresh start").Press("enter")
		asked(t, f, society.Send{To: "web-2", Text: "a fresh start", NewTask: true})
		s.Type("/filter web").Press("enter").Shows("/web")
		s.Press("esc", "esc").Type("/keys").Press("enter").Shows("Next pane")
	})
}

func TestUnknownCommandIsRefusedWithSuggestions(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("/stpo web-1").Press("enter").Shows("Unknown command /stpo", "did you mean /to /stop?", "> /stpo web-1")
		asked(t, f)
		// It stays a command until it is cleared: words after it go to no agent, and another
		// command takes its place.
		s.Shows("not run; ctrl+c clears it").Type(" hello").Hides("not run").Shows("> /stpo web-1 hello")
		s.Press("enter").Shows("Unknown command /stpo", "not run")
		asked(t, f)
		s.Press("ctrl+u").Type("hello").Hides("stpo").Shows("> hello").Press("enter")
		asked(t, f, send(society.Root, "hello"))
		s.Type("/stpo web-1").Press("enter", "backspace").Hides("not run").Type("2").Shows("> /stpo web-2")
		s.Press("ctrl+c").Type("/stopp").Press("enter").Paste("from elsewhere").Shows("> /stopp from elsewhere")
		s.Press("ctrl+c").Type("/stopp").Press("enter").Type("task").Shows("> /stopp task")
		s.Press("ctrl+c").Type("/stopp").Press("enter").Type("/stop web-1").Hides("stopp").Shows("> /stop web-1")
		s.Press("ctrl+c").Type("/stopp").Press("enter", "enter").Shows("Unknown command /stopp", "A space before the / sends it as text", "not run")
		s.Press("ctrl+c").Type("/keya").Press("enter").Shows("Unknown command /keya").Hides("/keys")
		for _, word := range []string{"/frobnicate", "/frob_2"} {
			s.Press("ctrl+c").Type(word).Press("enter").Shows("Unknown command "+word, "/ lists all commands; a space before it sends it as text", "> "+word)
		}
		for _, word := range []string{"/stats/统计", "/settings/stats"} {
			s.Press("ctrl+c").Type(word).Press("enter").Shows("Unknown command "+word, "a space before it sends it as text", "> "+word)
		}
		s.Press("ctrl+c").Type("/Stop web-1").Press("enter").Shows("Unknown command /Stop", "did you mean /stop web-1?")
		asked(t, f)
		for _, text := range []string{":q", ":wq", ":quit"} {
			s.Press("ctrl+c").Type(text).Press("enter").Shows("Unknown command "+text, "did you mean /quit? A space before the : sends it as text", "> "+text)
		}
		for _, text := range []string{":w", ":w!"} {
			s.Press("ctrl+c").Type(text).Press("enter").Shows("Unknown command "+text, "everything is saved by itself, /quit leaves", "> "+text)
		}
		s.Press("ctrl+c").Type("!ls -la").Press("enter", "enter").Shows("Unknown command !ls", "tell an agent what to run. A space before the ! sends it", "> !ls -la")
		asked(t, f)
		s.Press("ctrl+c")
		for _, text := range []string{" :w", " !ls -la", "! stop", "!!", ":w is for vim"} {
			s.Type(text).Press("enter")
			asked(t, f, send(society.Root, text))
		}
		s.Type(" /stopp the plan").Press("enter")
		asked(t, f, send(society.Root, " /stopp the plan"))
		for _, text := range []string{" /frobnicate", "/usr/bin", "/home/a", "/.vimrc", "/frobnicate the plan", "/zzz\nis a file", "/stoppage of work"} {
			s.Paste(text).Press("enter")
			asked(t, f, send(society.Root, text))
		}
		s.Type("/usr/bin/env is a path").Press("enter")
		asked(t, f, send(society.Root, "/usr/bin/env is a path"))
	})
}

func TestTabCompletesCommandsAndNames(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("/term").Shows("Terminate agent and subtree").Press("tab").Shows("> /terminate")
		s.Type("we").Press("tab").Shows("> /terminate web-")
		s.Type("2").Press("enter").Shows("Terminate web-2?")
	})
}

func TestLargePasteArrivesWholeAndSendsNothing(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		text := strings.Repeat("a line of a long text\n", 100_000) // 2.2 MB
		s.Paste(text).Shows("[pasted 2.2 MB")
		asked(t, f)
		s.Press("enter")
		asked(t, f, attachedTo(society.Root, "[pasted-1.txt]", society.Attachment{Name: "pasted-1.txt", Data: []byte(text)}))
		s.Press("up").Shows("[pasted 2.2 MB, 100,000 lines: attached as a file]").Press("ctrl+c")
		s.Paste(text).Shows("[pasted 2.2 MB", "2.2 MB: attached").Press("backspace").Hides("attached as a file").Type("short").Press("enter")
		asked(t, f, send(society.Root, "short"))
	})
}

func TestCtrlCClearsTheTextAndCtrlYRestoresIt(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("a long thought").Press("ctrl+c").Hides("a long thought").Shows("ctrl+y restores it")
		s.Type("a").Hides("ctrl+y restores it").Press("ctrl+y").Shows("a long thought")
	})
}

func TestAClickTakesAnExample(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Click(s.Find("see each of them at work")).Hides("> Summarise")
		s.Click(s.Find("Compare two plans.")).Shows("> Compare two plans.")
		s.Click(s.Find("- Outline a talk.")).Shows("> Outline a talk.").Hides("> Compare") // nobody has touched it
		s.Type(" Soon").Click(s.Find("- Compare two plans.")).Shows("> Outline a talk. Soon")
	})
}

func TestFirstRunOffersAListOfExamples(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Shows("offline demo model", "/models", "down goes to the examples, enter takes one", "- Summarise this text.", "- Outline a talk.", "down examples")
		s.Press("down").Shows("▸ Summarise this text.", "enter choose", "esc close").Press("down", "down", "down").Shows("▸ Outline a talk.")
		s.Press("up", "enter").Shows("> Compare two plans.").Hides("▸")
		asked(t, f)
		s.Press("down").Shows("▸ Outline a talk.", "enter choose").Press("up", "up", "enter").Shows("> Summarise this text.")
		asked(t, f)
		s.Press("ctrl+c", "down", "esc").Hides("▸").Press("down", "up").Hides("▸")
		s.Press("down").Type("1 more").Hides("▸").Shows("> 1 more")
		s.Press("ctrl+c", "down", "down", "enter", "enter")
		asked(t, f, send(society.Root, "Compare two plans."))
		s.Hides("Outline a talk.").Press("down").Hides("▸")
	})
}

// The small screen has room for all of it, too.
func TestTheWelcomeTellsThatAgentsSeeNoFiles(t *testing.T) {
	const says = "Agents see no files yet. To share this folder: /workspace."
	for _, own := range []bool{true, false} {
		t.Run(fmt.Sprint(own), func(t *testing.T) {
			onScreenWith(t, 60, 20, func(c *tui.Config) {
				c.Workspace, c.Examples = action.Workspace{Dir: "/work", Own: own}, slices.Repeat([]string{strings.Repeat("much ", 15)}, 3)
			}, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
				s.Shows("Or begin with a team from a template: /template")
				if own {
					s.Shows(says)
				} else {
					s.Hides(says)
				}
			})
		})
	}
}

// Commands and addressed texts keep their meaning.
func TestFirstTextIsSentAsTyped(t *testing.T) {
	firsts := firstMessages()
	if len(firsts) < 200 {
		t.Fatalf("%d messages", len(firsts))
	}
	for _, size := range [][2]int{{100, 30}, {60, 20}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			onScreenWith(t, size[0], size[1], still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				for i, text := range firsts {
					if !sampled(i) {
						continue
					}
					s.Shows("- Summarise this text.").Type(text).Press("enter")
					asked(t, f, send(society.Root, text))
					f.set(society.Root, func(r *api.Row) { r.Next, r.State = 0, society.Idle }) // no messages: the first screen again
					s.Idle()
				}
			})
		})
	}
}

// firstMessages are texts that begin with a digit, a slash, an @ or a quote.
func firstMessages() []string {
	var all []string
	rest := []string{
		"names for a cat", "个名字", "% of our budget, where does it go?", ". Mai: was ist offen?", " people come to dinner", "/2 of the cake is gone",
		"-hour walk near Bath", ":30 train or the bus?", " x 4 metres: how much paint?", "th birthday of my aunt", "人的聚餐", ", then the rest", " kg",
	}
	for n := range 11 {
		for _, r := range rest {
			all = append(all, fmt.Sprint(n)+[]string{" ", ""}[n%2]+r)
		}
	}
	for _, path := range []string{"etc/hosts", "usr/bin/env", "tmp/", "home/me/notes.txt", "dev/null", "var/log", "x1", "api/v1/users", "zh-CN", "50", "/ comment", " alone", "*", "Users/me", "42nd street", "etc", "usr", "Volumes", "stoppage"} {
		all = append(all, "/"+path+" is what I ask about", "/"+path+"，这是什么？")
	}
	for _, name := range []string{"home", "5 pm", " 5 pm", "media screen", "everybody", "Override", "me@example.org", "你", "12:30", "@", "root-1", "reot", "web-7"} {
		all = append(all, "@"+name+" what do you make of it?", "@"+name+" 怎么办")
	}
	for _, quote := range []string{`"`, "'", "“", "「", "‘", "`", "«", "```"} {
		all = append(all, quote+"To be or not to be"+quote+" who says so?", quote+"学而时习之"+quote+"出自哪里", quote+"1"+quote, quote)
	}
	return all
}

func TestCtrlNVisitsAgentsThatNeedTheUserOldestFirst(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "-")
		f.set("web-2", func(r *api.Row) { r.State, r.Asks = society.Idle, true })
		s.Pass(1e9)
		f.set("web-1", func(r *api.Row) { r.State, r.Error = society.Idle, "LLM error" })
		s.Idle().Shows("next ? (2)")
		s.Press("ctrl+n").Shows("to: web-2 (answers its question)")
		s.Press("ctrl+n").Shows("to: web-1")
		s.Press("ctrl+n").Shows("to: web-2")
		s.Press("alt+n").Shows("to: web-1")
		s.Press("alt+up").Shows("to: lead-1")
	})
}

func TestCtrlNSaysThatTheOnlyAgentInNeedIsOpen(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-2", func(r *api.Row) { r.State, r.Asks = society.Idle, true })
		s.Idle().Press("ctrl+n").Shows("to: web-2").Hides("and is open")
		s.Press("ctrl+n").Shows("to: web-2", "Only web-2 needs you")
		f.set("web-1", func(r *api.Row) { r.State, r.Asks = society.Idle, true })
		s.Idle().Press("ctrl+n").Shows("to: web-1")
	})
}

func TestTerminalCursorIsInTheComposer(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Type("第七章 e\u0301")
		_, row := s.Find("第七章")
		if x, y, shown := s.Cursor(); !shown || y != row || x != 2+8 {
			t.Errorf("the cursor is at %d,%d (shown: %v), the text in row %d", x, y, shown, row)
		}
		s.Press("left", "left")
		if x, _, _ := s.Cursor(); x != 2+6 {
			t.Errorf("the cursor is at column %d", x)
		}
		s.Press("alt+1")
		if _, _, shown := s.Cursor(); shown {
			t.Errorf("the cursor is shown where nothing is written:\n%s", s)
		}
		s.Press("/").Type("web")
		if x, y, shown := s.Cursor(); !shown || y != 1 || x != 2+len("web") {
			t.Errorf("in the filter the cursor is at %d,%d (shown: %v)", x, y, shown)
		}
	})
}

func TestTextIsNotSentToTheSuccessorOfARemovedRecipient(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "enter").Type("are you there?")
		f.end(t, "web-1")
		s.Idle().Press("enter").Shows("web-1 no longer exists · your text is kept", "to: lead-1", "> are you there?")
		asked(t, f)
		s.Pass(reaction).Press("enter")
		asked(t, f, send("lead-1", "are you there?"))
	})
}

func TestARefusalThatComesAfterItsRecipientHasGoneKeepsTheText(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "enter").Type("are you there?")
		hold := make(chan struct{})
		f.hold(hold)
		s.Press("enter").Hides("> are you there?")
		f.end(t, "web-1")
		s.Idle()
		f.hold(nil)
		close(hold)
		s.Idle().Shows("web-1 no longer exists · your text is kept", "to: lead-1", "> are you there?")
	})
}

// An ending agent accepts no messages and cannot be resumed.
func TestWritingToAnAgentThatIsBeingEndedKeepsTheTextAndOffersNothing(t *testing.T) {
	for name, change := range map[string]func(*api.Row){
		"draining":    func(r *api.Row) { r.Draining = true },
		"terminating": func(r *api.Row) { r.State = society.Terminating },
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				f.set("web-1", change)
				s.Press("alt+1", "down", "down", "enter").Type("one more thing").Press("enter")
				s.Shows("> one more thing", "web-1 is being terminated and takes no commands · your text is kept").Hides("Resume and send")
			})
		})
	}
}

func TestAnAgentThatIsStoppedWhileATextIsOnItsWayOffersToResume(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "enter").Type("one more thing")
		hold := make(chan struct{})
		f.hold(hold)
		s.Press("enter")
		f.set("web-1", func(r *api.Row) { r.State = society.Stopped })
		s.Type("and")
		f.hold(nil)
		close(hold)
		s.Idle().Shows("web-1 is stopped", "Resume and send", "> one more thing", "  and")
		f.forget()
		s.Press("y") // too early: meant for the text
		asked(t, f)
		s.Pass(dialog.Pause).Press("y").Hides("> one more thing").Shows("> and")
		asked(t, f, society.Send{To: "web-1", Text: "one more thing", Resume: true})
	})
}

func TestResumeAndSendToAnAgentThatIsStillStoppingKeepsTheText(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *api.Row) { r.State = society.Stopping })
		s.Press("alt+1", "down", "down", "enter").Type("go on").Press("enter").Shows("Resume and send")
		s.Pass(reaction).Press("y").Shows("web-1 is still stopping · try again in a moment", "> go on")
	})
}

func TestInterruptAndSendToAStoppedAgentOffersToResume(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.set(society.Root, func(r *api.Row) { r.State = society.Stopped })
		s.Type("go on please").Press("ctrl+x", "enter").Shows("root is stopped", "Resume and send", "> go on please")
		f.forget()
		s.Pass(reaction).Press("y")
		asked(t, f, society.Send{To: society.Root, Text: "go on please", Resume: true})
		f.set(society.Root, func(r *api.Row) { r.State = society.Stopped })
		s.Type("/interrupt and now this").Press("enter").Shows("Resume and send", "> and now this")
	})
}

func TestRefusedTextReturnsToItsOwnDraft(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down", "enter").Type("one more thing")
		hold := make(chan struct{})
		f.hold(hold)
		s.Press("enter")
		f.set("web-1", func(r *api.Row) { r.State = society.Stopped })
		s.Press("alt+left").Shows("to: root")
		f.hold(nil)
		close(hold)
		s.Idle().Shows("web-1 is stopped and takes no messages").Hides("Resume and send", "> one more thing")
		s.Press("alt+1", "home", "down", "down", "down", "enter").Shows("to: web-1", "> one more thing")
	})
}

// Text typed right after a key that moves the focus goes to the new focus.
func TestTextTypedFastAfterEnterRunsNoCommand(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down").Type("\ris this so?").Shows("to: web-1", "> is this so?")
		asked(t, f)
		s.Press("ctrl+u").Type("/to web-2\r\risn't it?").Shows("to: web-2", "> isn't it?")
		asked(t, f)
	})
}

func TestSavingErrorDisappearsOnceSavingWorks(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.refuseAll(&society.Refusal{Code: society.StoreUnavailable})
		f.Tell(func(c *api.Changes) { c.Unsaved = "file too large" })
		s.Idle().Shows("Saving failed: file too large").Type("hello").Press("enter").Shows("Cannot save", "> hello")
		f.Tell(func(c *api.Changes) { c.Unsaved = "" })
		s.Idle().Shows("Saving works again").Hides("nothing can be saved")
		f.refuseAll(&society.Refusal{Code: society.MailboxFull, Agent: society.Root})
		f.Tell(func(c *api.Changes) { c.Unsaved = "file too large" })
		s.Idle().Press("enter").Shows("too many unread messages")
		f.Tell(func(c *api.Changes) { c.Unsaved = "" })
		s.Idle().Shows("too many unread messages") // still true
	})
}

func TestPauseNoticeDisappearsWhenATextResumes(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("esc", "esc").Shows("Interrupted root · paused")
		s.Type("go on").Press("enter").Hides("Interrupted root · paused")
	})
}

package tui_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

func TestSpawnedAgentAppearsBelowItsParent(t *testing.T) {
	onScreen(t, 160, 60, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		parent := society.Root
		for i := range 50 {
			id := society.AgentID(fmt.Sprintf("deep-%d", i))
			f.spawn(id, parent, "deep")
			f.set(id, func(r *api.Row) { r.State, r.Doing = society.WaitingLLM, "digs" })
			parent = id
		}
		s.Pass(100*time.Millisecond).Shows("deep-0 ", "Agents 51")
		s.Press("alt+1", "G").Shows("deep-49 digs")
	})
}

func TestTheParentOfTheInboxIsRoot(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Press("alt+1", "up", "enter").Shows("messages to yourself go to root").Press("alt+up").Shows("to: root").Hides("messages to yourself", "This is the top")
		s.Press("alt+up").Shows("This is the top")
	})
}

func TestSelectionStaysOnItsAgentDuringChanges(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "down")
		f.spawn("new-1", "lead-1", "new")
		f.spawn("new-2", society.Root, "new")
		if _, err := f.Do(t.Context(), society.Terminate{Agent: "web-2"}); err != nil {
			t.Fatal(err)
		}
		f.forget()
		s.Idle().Press("i")
		asked(t, f, society.Interrupt{Agent: "web-1"})
	})
}

// What is typed behind a click is for the clicked agent: letters are keys in the tree.
func TestATextBehindAClickIsForTheClickedAgent(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle()
		for _, agent := range []string{"lead-1", "web-1"} {
			x, y := s.Find(agent)
			s.Click(x, y).Type("Type-C y T s 比较").Shows("to: "+agent, "> Type-C y T s 比较").Hides("Terminate").Press("ctrl+c")
		}
	})
}

func TestAClickTalksAndTheWheelScrolls(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		for i := range 60 {
			f.Say(society.Root, conversation.Entry{Kind: conversation.Inbound, From: "user", To: "root", Body: fmt.Sprintf("message %d", i)})
		}
		s.Idle().Shows("message 59")
		x, y := s.Find("web-1")
		s.Double(x, y).Shows("to: web-1").Hides("enter talk")
		s.Pass(time.Second).Click(x, y).Hides("enter talk").Type("Ty").Shows("> Ty").Press("ctrl+c") // also on the open one
		s.Click(s.Find("Agents")).Shows("enter talk").Pass(time.Second).Click(x, y).Hides("enter talk")
		s.Click(s.Find("lead-1 ›")).Shows("to: lead-1").Click(s.Find("root ›")).Shows("message 59", "to: root")

		s.Wheel(60, 10, -5).Hides("message 59")
		s.Wheel(60, 10, 20).Shows("message 59")
		s.Type("a draft").Wheel(10, 26, -3).Shows("a draft") // over the composer: no effect
	})
}

func TestTheDividerCanBeDragged(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		x, y := s.Find("│ root")
		s.Drag(x, y+3, x+10, y+3)
		if moved, _ := s.Find("│ root"); moved != x+10 {
			t.Errorf("the divider is at %d, was at %d", moved, x)
		}
		s.Press("alt+1", ">")
		if moved, _ := s.Find("│ root"); moved != x+12 {
			t.Errorf("the divider is at %d, was at %d", moved, x+10)
		}
	})
}

func TestMouseCanBeReleased(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Raw()
		s.Type("/mouse off").Press("enter").Shows("Mouse off")
		if raw := s.Raw(); !strings.Contains(raw, "\x1b[?1002l") || !strings.Contains(raw, "\x1b[?1007l") {
			t.Errorf("the mouse is not released: %q", raw)
		}
		s.Press("alt+1", "m").Shows("Mouse on")
		if raw := s.Raw(); !strings.Contains(raw, "\x1b[?1002h") {
			t.Errorf("the mouse is not taken: %q", raw)
		}
	})
}

// /copy prefers answers over notes, and copies an unfinished answer as it is.
func TestTheAnswerIsCopied(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		copies := func(says, want string) {
			t.Helper()
			s.Type("/copy").Press("enter").Idle().Shows(says)
			all := s.Copied()
			if got, err := base64.StdEncoding.DecodeString(all[len(all)-1]); err != nil || string(got) != want {
				t.Errorf("copied %q, not %q", got, want)
			}
		}
		f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, From: "root", To: "user", Text: "At work: web-1."})
		f.Messages = []api.InboxMessage{{Seq: 1, From: society.Root, At: time.Now(), Body: "At work: web-1.", Note: true}}
		s.Idle()
		copies("“At work: web-1.”", "At work: web-1.")
		time.Sleep(time.Second)
		f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, From: "root", To: "user", Text: "## The **answer**\n- is `42`"})
		time.Sleep(time.Second)
		f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, From: "root", To: "user", Text: "At work: web-2."})
		f.Messages = append(f.Messages, api.InboxMessage{Seq: 2, From: society.Root, At: time.Now(), Body: "At work: web-2.", Note: true})
		s.Idle()
		copies("Copied: “The answer - is 42”", "## The **answer**\n- is `42`")
		f.stream(society.Root, "Now I **think")
		s.Idle()
		copies("Copied what is written so far: “Now I **think”", "Now I **think")
	})
}

func TestCopiedTextReachesTheClipboard(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.Say("web-1", conversation.Entry{Kind: conversation.Answer, From: "web-1", Text: "the second edition"})
		s.Press("alt+1", "down", "down", "c").Shows("Copied: “web-1”", "/help clipboard")
		s.Press("y").Idle().Shows("Copied: “the second edition”")
		var got []string
		for _, c := range s.Copied() {
			b, err := base64.StdEncoding.DecodeString(c)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(b))
		}
		if fmt.Sprint(got) != "[web-1 the second edition]" {
			t.Errorf("the clipboard got %q", got)
		}
	})
}

func TestNewTextDoesNotMoveVisibleRows(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		for i := range 60 {
			f.Say(society.Root, conversation.Entry{Kind: conversation.Inbound, From: "user", To: "root", Body: fmt.Sprintf("message %d", i)})
		}
		f.set(society.Root, busy)
		f.stream(society.Root, "so far")
		s.Idle().Shows("so far", "following")
		s.Press("alt+2", "pgup", "pgup")
		chat := func() string {
			var b strings.Builder
			for _, row := range s.Rows()[2:18] {
				_, text, _ := strings.Cut(row, "│")
				b.WriteString(text + "\n")
			}
			return b.String()
		}
		before := chat()
		for i := range 20 {
			f.stream(society.Root, "so far"+strings.Repeat(" and on", i))
			s.Idle()
		}
		if got := chat(); got != before {
			t.Errorf("the rows moved:\n%s\n\n%s", before, got)
		}
		s.Hides("following").Press("end").Shows("following", "and on")
	})
}

func TestAQuickReplyGoesIntoTheComposer(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.set(society.Root, func(r *api.Row) { r.Asks, r.Replies = true, []string{"first edition", "second edition"} })
		s.Press("alt+2", "2").Shows("> 2")
		asked(t, f)
		s.Press("enter")
		asked(t, f, send(society.Root, "second edition"))
	})
}

func TestWindowTitleHoldsNoForeignText(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		if got := s.Title(); got != "society" {
			t.Errorf("the title is %q", got)
		}
		family(f)
		f.set("web-1", func(r *api.Row) { r.State, r.Asks, r.Role = society.Idle, true, "\x1b]0;evil\a" })
		s.Idle()
		if got := s.Title(); got != "society: ?1 ⠹3" {
			t.Errorf("the title is %q", got)
		}
	})
}

func TestOpenConversationIsMarkedSeenOnceAndOnlyWithFocus(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		seen := func() (n int) {
			for _, c := range f.all() {
				if _, ok := c.(society.Seen); ok {
					n++
				}
			}
			return n
		}
		s.Focus(false)
		f.set(society.Root, func(r *api.Row) { r.Unread = 2 })
		if s.Pass(time.Second); seen() != 0 {
			t.Errorf("%d were seen while the window has no focus, want 0", seen())
		}
		if s.Focus(true).Pass(time.Second); seen() != 1 {
			t.Errorf("told %d times", seen())
		}
		f.refuseAll(&society.Refusal{Code: society.StoreUnavailable})
		f.set(society.Root, func(r *api.Row) { r.Unread = 1 })
		if s.Pass(time.Minute); seen() != 2 {
			t.Errorf("a refused one is told %d times", seen()-1)
		}
		s.Hides("nothing can be saved")
	})
}

func TestStatusRowShowsSavingErrorsUntilSavingWorks(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.Tell(func(c *api.Changes) { c.Unsaved = "disk full" })
		s.Idle().Shows("NOT SAVED: disk full", "Saving failed: disk full").Hides("· saved")
		s.Press("left").Shows("NOT SAVED: disk full")
		f.refuseAll(&society.Refusal{Code: society.StoreUnavailable})
		s.Type("hello").Press("enter").Shows("Cannot save", "> hello")
		f.Tell(func(c *api.Changes) { c.Unsaved = "" })
		s.Press("left").Shows("saved", "Saving works again").Hides("NOT SAVED")
	})
}

func TestFailureElsewhereIsNotifiedWithItsKey(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *api.Row) { r.State, r.Error = society.Idle, "LLM error (500)" })
		f.Tell(func(c *api.Changes) {
			c.Log = []api.TimelineEvent{{Seq: 1, At: time.Now(), Agent: "web-1", Kind: "failed"}}
		})
		s.Idle().Shows("web-1: LLM error (500) · ctrl+n goes there")
		s.Press("ctrl+n").Hides("ctrl+n goes there").Shows("to: web-1")
		s.Press("alt+1", "R")
		asked(t, f, society.Resume{Agent: "web-1", Now: true})
	})
}

func TestAFailureSaysItsNextStepWhereverItStands(t *testing.T) {
	onScreen(t, 80, 24, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-1", func(r *api.Row) {
			r.State, r.Error, r.ErrorClass = society.Idle, "Incorrect API key provided", "auth"
		})
		f.Tell(func(c *api.Changes) {
			c.Log = []api.TimelineEvent{{Seq: 1, At: time.Now(), Agent: "web-1", Kind: "failed"}}
		})
		s.Idle().Shows("web-1: Incorrect API key provided · Key refused, enter another: /models")
		s.Press("ctrl+n").Hides("web-1: Incorrect").Shows("Key refused, enter another: /models")
		s.Resize(60, 20).Shows("enter another: /models", "then ctrl+x r").Resize(80, 24)
		s.Press("alt+1", "w").Shows("What to do", "Enter another with /models; it works at")
	})
}

func TestLongNoticeOpensInADialogThatIgnoresStrayKeys(t *testing.T) {
	onScreenWith(t, 100, 30, func(c *tui.Config) {
		c.Notice = strings.Repeat("What was stored is damaged. It was moved aside. ", 4)
	}, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Shows("Before you begin", "It was moved aside.").Press("enter").Shows("Before you begin")
		s.Pass(time.Second).Press("enter").Hides("Before you begin")
	})
}

func TestRedrawAndSuspendKeepTheScreen(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Type("a draft")
		before := s.String()
		s.Raw()
		s.Press("ctrl+l")
		if s.String() != before || len(s.Raw()) < 1000 {
			t.Errorf("the screen is not drawn anew:\n%s", s)
		}
	})
}

func TestNoForeignControlSequenceReachesTheTerminal(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		evil := "\x1b]52;c;ZXZpbA==\a\x1b[2J\x1b[6n\u009b31mevil\x1bc"
		f.spawn("evil-1", society.Root, evil)
		f.set("evil-1", func(r *api.Row) {
			r.State, r.Doing, r.Tool, r.Error, r.Name = society.Processing, evil, evil, evil, evil
			r.Asks, r.Replies = true, []string{evil}
		})
		f.Say("evil-1", conversation.Entry{Kind: conversation.Answer, From: evil, Text: evil, Reasoning: evil, Calls: []conversation.Call{{ID: evil, Name: evil, Arguments: evil}}})
		f.stream("evil-1", evil)
		f.Tell(func(c *api.Changes) { c.Model, c.Health, c.Unsaved = evil, map[string]string{evil: evil}, evil })
		s.Raw()
		s.Press("alt+1", "down", "enter").Paste(evil).Press("alt+3", "2", "3", "ctrl+x", "esc", "f1", "esc")
		raw := s.Raw()
		for _, bad := range []string{"\x1b]52", "\x1b[2J", "\x1b[6n", "\u009b", "\x1bc"} {
			if strings.Contains(raw, bad) {
				at := strings.Index(raw, bad)
				t.Errorf("%q reached the terminal: %q", bad, raw[max(at-60, 0):min(at+20, len(raw))])
			}
		}
		if len(s.Copied()) != 0 {
			t.Errorf("copied is %q, want nothing", s.Copied())
		}
	})
}

// A notch of the wheel moves in a list as an arrow key does, and not in the
// pane beneath.
func TestTheWheelGoesThroughAList(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Press("ctrl+p")
		first := s.String()
		third := s.Press("down", "down").String()
		s.Press("up", "up")
		if now := s.Wheel(50, 10, 2).String(); now != third || now == first {
			t.Errorf("two notches down lead elsewhere than two arrow keys:\n%s", now)
		}
		if now := s.Wheel(50, 10, -2).String(); now != first {
			t.Errorf("two notches up do not lead back:\n%s", now)
		}
	})
}

// What is typed in a row where letters are keys goes to the composer as a whole, once a letter of
// it is no key there, or it is a word. A single letter is refused, and keys that are pressed with
// pauses are keys.
func TestTextTypedIntoAPaneGoesToTheComposer(t *testing.T) {
	for _, pane := range []string{"alt+1", "alt+2"} {
		t.Run(pane, func(t *testing.T) {
			onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				for _, text := range []string{"add the page numbers", "Check it", "10 names for a cat", "Type-C and so on", "copy this", "e-mail 发给我", "v2 版", "12 个人", "Excel 能做吗", "EMS 寄送", "sop 文件", "（见附件）", "ｃｏｐｙ　ｔｈｉｓ"} {
					s.Press(pane).Pass(time.Second)
					for _, c := range text {
						s.Type(string(c)).Pass(100 * time.Millisecond)
					}
					s.Shows("> " + text).Press("ctrl+c")
				}
				s.Press(pane).Pass(time.Second).Type("a").Shows("a has no effect here").Pass(time.Second).Type("j").Hides("> a")
			})
		})
	}
}

// A letter that opens a report and one that scrolls it are no text, however fast.
func TestADialogThatALetterOpensIsScrolledAtOnce(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Press("alt+1", "down").Pass(time.Second).Press("w", "j", "k", "G").Shows("Details of lead-1").Hides("> w")
	})
}

// The row that stands for hidden ones shows them at a click.
func TestAClickOnHiddenRowsShowsThem(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		var text strings.Builder
		for i := range 15 {
			fmt.Fprintf(&text, "row %d of my text\n\n", i)
		}
		f.Say(society.Root, conversation.Entry{Kind: conversation.Inbound, From: "user", To: "root", Body: text.String()})
		s.Idle().Hides("row 8 of").Click(s.Find(" lines")).Shows("row 8 of")
	})
}

// A letter in full width is its key where letters are keys, and text where text is written.
func TestAFullWidthLetterIsItsKey(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Press("alt+1", "down").Pass(time.Second).Type("ｗ").Shows("Details of lead-1").Press("esc").Pass(time.Second)
		s.Type("？").Shows("search").Press("esc").Pass(time.Second)
		s.Type("／ｗｅｂ").Shows("/ｗｅｂ").Press("esc").Pass(time.Second)
		s.Press("alt+1", "ctrl+x").Type("ｓ").Shows("Stop 3 agents").Type("ｙ").Shows("Stopped 3 agents")
		asked(t, f, society.Stop{Agent: "lead-1"})
		s.Pass(time.Second).Type("Ｔ").Shows("Terminate").Type("ｙ").Pass(time.Second).Shows("Terminate")
		asked(t, f) // as fast as y would not
		s.Press("esc", "alt+3").Type("ｙ？").Shows("> ｙ？")
	})
}

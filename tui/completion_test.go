package tui_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

func TestASlashIsNeverSentToAnAgent(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("/").Shows("▸/new", "1/", "enter choose").Press("enter").Shows("> /new")
		s.Press("ctrl+c").Type("/").Press("esc", "enter").Shows("Unknown command /", "> /")
		asked(t, f)
	})
}

func TestCompletionListIsNavigatedAndChosenFrom(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("/").Hides("/quit").Press("up").Shows("▸/quit")
		if count := regexp.MustCompile(`(\d+)/(\d+)`).FindStringSubmatch(s.String()); len(count) < 3 || count[1] != count[2] {
			t.Errorf("the last of all is not told: %v\n%s", count, s)
		}
		s.Press("enter").Shows("Quit?").Press("esc") // it takes no arguments
		s.Type("/").Press("down", "down", "down", "enter").Shows("> /stop", " /stop lead-1")
		s.Press("down", "down", "tab").Shows("> /stop lead-1")
		s.Press("enter").Shows("Stop lead-1?").Press("esc")
		s.Type("/theme li").Press("enter").Shows("Theme light")
		s.Type("/stop ").Press("enter").Shows("Stop root?") // the agent is optional
		asked(t, f)
	})
}

// A click in the list takes a candidate as enter does; what lies behind gets none.
func TestACandidateIsClicked(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("/st")
		x, y := s.Find("/stats")
		_, first := s.Find("▸/st")
		s.Click(x, first-1).Shows("▸/st", "> /st").Click(x+2, y).Shows("Statistics").Hides("> /st").Press("esc")
		s.Idle().Type("/to ")
		x, y = s.Find("/to web-1")
		s.Click(x, y).Shows("to: web-1")
		asked(t, f)
	})
}

// A command whose other name begins as written stands before one that only has a word like it.
func TestTheBeginningOfAnAliasStandsBeforeOtherWords(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Type("/exi").Shows("▸/quit", " /detach")
		s.Press("ctrl+c").Type("/sear").Shows("▸/find")
	})
}

// Choosing a command shows the arguments that it needs.
func TestAChosenCommandTellsItsUsage(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		for _, typed := range []string{"/改名", "/nam"} {
			s.Type(typed).Press("enter").Shows("> /name", "/name [text] · Name the agent").Type("Ada").Shows("> /name Ada").Press("ctrl+c")
		}
		s.Type("/sto").Press("enter").Shows("> /stop").Hides("/stop [")
		asked(t, f)
	})
}

func TestTheHistoryIsWalkedPastCommands(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("first").Press("enter").Type("/mouse on").Press("enter")
		s.Press("up").Shows("> /mouse on").Press("up").Shows("> first")
	})
}

func TestAnAtSignSwitchesTheRecipient(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("@we").Shows("▸@web-1").Press("down", "enter").Shows("> @web-2").Press("enter").Shows("to: web-2")
		s.Type("@lead-1 check chapter 7").Press("enter").Shows("to: lead-1")
		asked(t, f, send("lead-1", "check chapter 7"))
		s.Type("@lede-1 go on").Press("enter") // it gets this anyway
		asked(t, f, send("lead-1", "@lede-1 go on"))
		s.Type("@root").Press("esc", "enter").Shows("to: root").Type("@lede-1 go on").Press("enter").Shows("No agent or file is called lede-1", "did you mean @lead-1?", "> @lede-1 go on")
		asked(t, f)
		s.Press("home").Type(" ").Press("enter")
		asked(t, f, send("root", " @lede-1 go on"))
		s.Type("@nobody hi").Press("enter").Shows("No agent or file is called nobody, so it went to root")
		asked(t, f, send("root", "@nobody hi"))
	})
}

// An agent is found by any word of its name and its role, and by any part of a Chinese one.
func TestAnAgentIsAddressedByAWordOfItsName(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("lead-1", func(r *api.Row) { r.Name = "Bug Hunter" })
		f.set("web-2", func(r *api.Row) { r.Name, r.Role = "王小明", "Page Hunter" })
		f.Holds.Files = map[string][]byte{"page": []byte("x")}
		for typed, id := range map[string]string{"@bu": "lead-1", "@Bug": "lead-1", "@小明": "web-2", "@pag": "web-2"} {
			s.Type(typed).Shows("▸@" + id).Press("enter").Shows("> @" + id).Press("ctrl+u").Hides("> @")
		}
		for _, typed := range []string{"@bug, hello", "@Bug Hunter hello", "@bug hunter: hello", "@BUG   hello"} {
			s.Type(typed).Press("enter").Shows("to: Bug Hunter")
			asked(t, f, send("lead-1", "hello"))
			s.Type("@root").Press("esc", "enter").Shows("to: root")
		}
		s.Type("@小明 你好").Press("enter").Shows("to: 王小明")
		asked(t, f, send("web-2", "你好"))
		s.Type("@hunter hello").Press("enter").Shows("Several agents are called hunter", "did you mean @lead-1 or @web-2? A space before the @ sends it as text", "> @hunter hello")
		asked(t, f)
		s.Press("ctrl+c").Type("@page hello").Press("enter") // a file
		asked(t, f, society.Send{To: "web-2", Text: "@page hello", Attachments: []society.Attachment{{Name: "page", Data: []byte("x")}}})
		s.Hides("No agent or file")
		s.Type("@led-1, go on").Press("enter").Shows("No agent or file is called led-1 · did you mean @lead-1? A space before the @ sends it as text", "> @led-1, go on")
		asked(t, f)
		f.Holds.Files["led-1"] = []byte("y")
		s.Press("enter")
		asked(t, f, society.Send{To: "web-2", Text: "@led-1, go on", Attachments: []society.Attachment{{Name: "led-1", Data: []byte("y")}}})
	})
}

// An unknown name suggests agents by prefix, by role, or by a typo.
func TestUnknownNameSuggestsSimilarOnes(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-2", func(r *api.Row) { r.Name = "Ada" })
		for typed, says := range map[string]string{
			"/to web":      "No agent named web · did you mean web-1, Ada (web-2)?",
			"/stop webs":   "No agent named webs · did you mean web-1, Ada (web-2)?",
			"/retry wep-1": "No agent named wep-1 · did you mean web-1?",
			"/to @leda-1":  "No agent named leda-1 · did you mean lead-1?",
			"/to xyz-1":    "No agent named xyz-1 · /agents lists them",
		} {
			s.Type(typed).Press("esc", "enter").Shows(says, "> "+typed)
			if typed == "/to xyz-1" {
				s.Hides("perhaps")
			}
			s.Press("esc", "ctrl+c").Hides("> " + typed)
		}
		asked(t, f)
	})
}

// An agent named by its role keeps its id, which models and exports use: both
// find it, and the inspector shows both.
func TestAgentNamedByItsRoleIsAlsoFoundByID(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("agent-1", society.Root, "编辑")
		for _, typed := range []string{"/stop 编", "/stop agent", "@编", "@ag"} {
			s.Type(typed).Shows("agent-1 ", "编辑-1").Press("enter").Shows("> ", "agent-1").Press("ctrl+c")
		}
		s.Type("/to 编辑-1").Press("esc", "enter").Shows("to: 编辑-1")
		s.Press("alt+3").Row("│ 编辑-1                     agent-1")
		s.Press("alt+3")
		s.Type("/to root").Press("esc", "enter").Shows("to: root").Type("/to agent-1").Press("esc", "enter").Shows("to: 编辑-1")
	})
}

func TestEnterOnAnAgentOfTheListWritesToItAtOnce(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("/to ").Press("down", "down", "enter").Shows("to: lead-1").Hides("> /to")
		s.Type("/to we").Press("enter").Shows("to: web-1").Hides("> /to")
		s.Type("/to ro").Press("tab").Shows("> /to root").Press("enter").Shows("to: root")
		asked(t, f)
	})
}

func TestEnterRunsACommandThatNamesItsAgentInFull(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("agent-1", society.Root, "编辑")
		for _, name := range []string{"编辑-1", "agent-1"} {
			s.Type("/to root").Press("esc", "enter").Shows("to: root")
			s.Type("/to " + name).Press("enter").Shows("to: 编辑-1")
		}
	})
}

func TestFilteringByACommandLeavesTheKeysInTheComposer(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("/filter web").Press("enter").Shows("agents that match web", "esc shows all")
		s.Type("hello").Shows("> hello").Press("esc").Hides("/web")
		asked(t, f)
	})
}

// Each refused command returns to the composer.
func TestCommandsRefuseExcessArgumentsAndKeepTheText(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		for typed, says := range map[string]string{
			"/mouse x":          "/mouse takes one of: on, off",
			"/theme blue":       "No theme named blue",
			"/to":               "/to needs the name of an agent",
			"/to nobody-1":      "No agent named nobody-1",
			"/stop nobody-1":    "No agent named nobody-1",
			"/resume nobody-1":  "No agent named nobody-1",
			"/retry nobody-1":   "No agent named nobody-1",
			"/terminate root":   "root cannot be terminated",
			"/interrupts":       "Unknown command /interrupts",
			"/quit now":         "/quit takes no text",
			"/agents x":         "/agents takes no text",
			"/diff nobody-1":    "No agent named nobody-1",
			"/diff 99":          "There is no change #99",
			"/undo 99":          "There is no change #99",
			"/template nosuch":  "nosuch was not added",
			"/template no.toml": "no.toml was not added",
		} {
			s.Type(typed).Press("enter").Shows(says, "> "+typed)
			s.Press("esc", "ctrl+c").Hides("> " + typed)
		}
		asked(t, f)
		s.Type("/retry").Press("enter").Shows("root has not failed").Hides("> /retry")
	})
}

// The alias of a command, or its beginning, shows the command; enter runs it as it is.
func TestAnAliasShowsItsCommand(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		for typed, c := range map[string]string{
			"/exit": "/quit", "/clear": "/new", "/compact": "/compress", "/cost": "/stats", "/costs": "/stats", "/config": "/settings", "/search": "/find",
			"/compac": "/compress", "/clea": "/new", "/usag": "/stats",
		} {
			s.Type(typed).Shows("▸" + c).Press("ctrl+u").Hides("▸")
		}
		s.Type("/exit").Press("tab").Shows("> /quit").Press("ctrl+u")
		s.Type("/ex").Shows("▸/export").Hides("/quit").Press("ctrl+u")
		s.Type("/clear").Press("enter").Hides("> /")
		asked(t, f)
	})
}

// A completed word has its blank: one that is typed behind it does not come twice, a second one does.
func TestABlankBehindACompletedWordIsNotDoubled(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.Holds.Files = map[string][]byte{"main.go": []byte("x")}
		s.Type("see @mai").Shows("▸@main.go").Press("tab").Type(" well").Shows("> see @main.go well").Press("ctrl+u")
		s.Type("see @mai").Shows("▸@main.go").Press("enter").Type("  well").Shows("> see @main.go  well").Press("ctrl+u")
		s.Type("@lea").Press("tab").Type(" go on").Shows("> @lead-1 go on").Press("ctrl+u")
		s.Type("see @mai").Shows("▸@main.go").Press("tab", "left", "right").Type(" well").Shows("> see @main.go  well").Press("ctrl+u")
		s.Type("/res").Press("tab").Type(" le").Shows("▸/resume lead-1").Press("ctrl+u")
		asked(t, f)
	})
}

func TestTabCyclesThroughCompletions(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("/te").Press("tab").Shows("> /terminate", "▸/terminate", " /template")
		s.Press("tab").Shows("> /template", "▸/template", " /terminate")
		s.Press("tab").Shows("> /terminate").Press("ctrl+c")
		s.Type("/t").Press("tab").Press("down", "tab").Shows("> /terminate").Press("ctrl+c") // /to is first
		s.Type("/res").Press("tab").Shows("> /resume").Hides("▸/resume")
		asked(t, f)
	})
}

func TestEndFollowsFromTheComposerToo(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		for i := range 60 {
			f.Say(society.Root, conversation.Entry{Kind: conversation.Inbound, From: "user", To: "root", Body: fmt.Sprintf("message %d", i)})
		}
		s.Idle().Press("pgup").Hides("message 59").Press("end").Shows("message 59")
		s.Type("a draft").Press("pgup", "home", "end").Hides("message 59").Press("end").Shows("message 59")
	})
}

func TestTheComposerGrowsWithItsText(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		_, before := s.Find("to: root")
		s.Type("one").Press("ctrl+j").Type("two").Press("ctrl+j").Type("three").Press("ctrl+j").Type("four").Press("ctrl+j").Type("five")
		s.Shows("> one", "  five")
		if _, y := s.Find("to: root"); y != before-4 {
			s.Shows(fmt.Sprintf("the composer at row %d", before-4))
		}
		s.Press("ctrl+c")
		if _, y := s.Find("to: root"); y != before {
			s.Shows(fmt.Sprintf("the composer at row %d", before))
		}
		for range 20 {
			s.Press("ctrl+j")
		}
		if _, y := s.Find("to: root"); y != before-13 { // not more than a third of the screen
			s.Shows(fmt.Sprintf("the composer at row %d", before-13))
		}
	})
}

func TestTheNumberOfAQuickReplySendsIt(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.set(society.Root, func(r *api.Row) { r.Asks, r.Replies = true, []string{"first edition", "second edition"} })
		s.Idle().Shows("1-2 enter quick reply").Type("2").Press("enter")
		asked(t, f, send(society.Root, "second edition"))
		f.set(society.Root, func(r *api.Row) { r.State, r.Asks, r.Replies = society.Idle, false, nil })
		s.Type("2").Press("enter")
		asked(t, f, send(society.Root, "2"))
	})
}

// Another digit replaces the number of a quick reply, unless it names none or follows at once, as in
// a number.
func TestAnotherDigitReplacesAQuickReply(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.set(society.Root, func(r *api.Row) { r.Asks, r.Replies = true, []string{"red", "green", "version 2"} })
		s.Idle().Type("2").Pass(time.Second).Type("3").Shows("> 3").Hides("> 23").Pass(time.Second).Type("4").Shows("> 34").Press("ctrl+u")
		for _, text := range []string{"12 people", "23", "1234", "1x2", " 23"} {
			s.Pass(time.Second)
			for _, c := range text {
				s.Type(string(c)).Pass(200 * time.Millisecond)
			}
			s.Shows("> " + text).Press("ctrl+u")
		}
		s.Pass(time.Second).Type("１").Pass(time.Second).Type("２").Shows("> ２").Hides("１").Press("enter") // full width, as an input method writes them
		asked(t, f, send(society.Root, "green"))
		f.set(society.Root, func(r *api.Row) { r.Asks, r.Replies = true, []string{"red", "green", "version 2"} })
		s.Idle().Press("alt+2", "2").Shows("> 2").Pass(time.Second).Type("3").Shows("> 3").Press("enter")
		asked(t, f, send(society.Root, "version 2"))
	})
}

// As its number does, a click writes the reply, which enter sends.
func TestAClickTakesAQuickReply(t *testing.T) {
	onScreen(t, 60, 20, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.set(society.Root, func(r *api.Row) {
			r.Asks, r.Replies = true, []string{"first edition", "second edition of the whole book, with notes"}
		})
		for i, reply := range []string{"first edition", "second edition of the whole book, with notes"} {
			x, y := s.Idle().Find(fmt.Sprintf("  %d %s", i+1, reply))
			s.Click(x+3, y).Shows("> "+reply).Click(x+5, y)
			s.Press("ctrl+u").Hides("> " + reply)
		}
		x, y := s.Find("  1 first")
		s.Click(x+30, y).Hides("> first") // beside it
		x, y = s.Find("  1 first")
		s.Click(x+6, y).Press("enter")
		asked(t, f, send(society.Root, "first edition"))
	})
}

func TestInterruptAndSendClaimsNoInterruptOfAnIdleAgent(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Type("go on").Press("ctrl+x", "enter").Shows("Sent to root").Hides("Interrupted root")
	})
}

func TestResumeAndSendNamesTheResumedAgents(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("lead-1", society.Root, "lead")
		for _, id := range []society.AgentID{society.Root, "lead-1"} {
			f.set(id, func(r *api.Row) { r.State = society.Stopped })
		}
		s.Type("go on").Press("enter", "y").Shows("Resumed 2 agents and sent to root")
	})
}

func TestStopCountsDiscardedDrafts(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.stream("web-1", "half of it")
		f.set("web-2", func(r *api.Row) { r.State, r.Running = society.Processing, []string{"c1"} })
		s.Press("alt+1", "down", "s").Shows("Lost: 1 unfinished answer, 1 running tool call.").Press("esc")
		asked(t, f)
	})
}

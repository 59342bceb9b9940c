package tui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	talk "society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

func TestPaletteFindsAndRunsCommands(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Press("ctrl+p").Shows("Command palette · root", "enter run", "ctrl+x i  /interrupt")
		s.Type("help").Shows("▸ Help").Press("enter").Shows("Anywhere").Press("esc")
		s.Press("ctrl+p").Type("/pause").Press("enter").Hides("Command palette")
		asked(t, f, society.PauseAgent{Agent: society.Root})
	})
}

// Without a search enter changes no agent, and costly commands ask as their
// keys do.
func TestPaletteEndsNothingWithoutAsking(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("ctrl+p", "enter").Shows("Write a request to root").Press("esc")
		s.Press("ctrl+p").Type("/stop").Press("enter").Shows("Stop root").Press("esc")
		s.Press("ctrl+p").Type("quit").Press("enter").Shows("Quit?").Press("esc")
		asked(t, f)
	})
}

// A screen this tall shows the whole palette.
func TestThePaletteListsAllThatCanBeDone(t *testing.T) {
	t.Parallel()
	for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		synctest.Test(t, func(t *testing.T) {
			cfg := config(newFake())
			cfg.Still, cfg.Lang = true, lang
			s := screentest.Drive(t, 100, 150, cfg)
			s.Press("ctrl+p").Idle()
			compare(t, "palette-all-"+string(lang), s.String())
		})
	}
}

// The first esc clears the search, as its hint says; the second closes.
func TestEscInTheSearchDoesAsItsHintSays(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		for _, list := range []string{"ctrl+p", "ctrl+t"} {
			s.Press(list).Shows("esc close").Type("th").Shows("esc show all").Hides("esc close")
			s.Press("esc").Shows("esc close").Hides("esc show all")
			s.Press("esc").Hides("esc close")
		}
	})
}

// A command's written form is found first, and commands without effect come
// last.
func TestThePaletteMarksTheCommandThatIsTyped(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		for word, row := range map[string]string{"theme": "/theme", "copy": "Copy the last answer", "export": "/export", "backup": "/backup", "retry": "/retry"} {
			s.Press("ctrl+p").Type(word)
			if at := slices.IndexFunc(strings.Split(s.String(), "\n"), func(l string) bool { return strings.Contains(l, "▸ ") && strings.Contains(l, row) }); at < 0 {
				t.Errorf("%q does not mark %q on\n%s", word, row, s)
			}
			s.Press("alt+esc")
		}
	})
}

// Other words lead to a command, in both languages.
func TestPaletteFindsCommandsByOtherWords(t *testing.T) {
	for lang, called := range map[protocol.Lang]map[string]string{
		protocol.English: {
			"spend": "/stats", "cost": "/stats", "money": "/stats", "undo": "ctrl+y", "sound": "/settings", "bell": "/settings", "language": "/settings",
			"colour": "/theme", "kill": "/terminate", "delete": "/terminate", "abort": "/interrupt", "cancel": "/interrupt", "history": "ctrl+t", "past": "/sessions",
			"save": "/backup", "exit": "/quit", "close": "/quit", "provider": "/models", "key": "/models", "model": "/models",
			"语言": "/settings", "货币": "/settings", "currency": "/settings", "中文": "/settings", "收件箱": "/inbox", "inbox": "/inbox",
		},
		protocol.Chinese: {"费用": "/stats", "费用 预算": "/budget", "暂停": "/pause", "语言": "/settings", "删除": "/terminate", "打断": "/interrupt", "历史": "ctrl+t", "撤销": "ctrl+y", "密钥": "/models", "kill": "/terminate", "离开": "/quit", "预算": "/budget", "收件箱": "/inbox", "language": "/settings"},
	} {
		t.Run(string(lang), func(t *testing.T) {
			onScreenWith(t, 100, 30, func(c *tui.Config) { c.Lang = lang }, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				for word, way := range called {
					s.Press("ctrl+p").Type(word)
					if _, y := s.Find("› " + word); !strings.Contains(strings.Join(s.Rows()[y+1:], "\n"), way+" ") {
						t.Errorf("%q does not find %s:\n%s", word, way, s)
					}
					s.Press("esc", "esc")
				}
			})
		})
	}
}

// A setting that the palette finds is the one at which the list of settings opens.
func TestThePaletteOpensTheSettingThatItFinds(t *testing.T) {
	for lang, called := range map[protocol.Lang]map[string]string{
		protocol.English: {"currency": "Currency", "language": "Language", "yuan": "Currency", "人民币": "Currency", "语言": "Language", "bell": "Notifications", "queue": "Unread messages at most"},
		protocol.Chinese: {"货币": "货币", "人民币": "货币", "语言": "语言", "currency": "货币", "language": "语言", "铃声": "通知", "未读消息上限": "未读消息上限"},
	} {
		t.Run(string(lang), func(t *testing.T) {
			onScreenWith(t, 100, 30, func(c *tui.Config) {
				c.Lang = lang
				for _, key := range []string{"theme", "lang", "notify", "currency", "session", "model.price", "limits.queue"} {
					c.Settings = append(c.Settings, tui.Setting{Key: key, Value: "1", From: "default"})
				}
			}, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				for word, title := range called {
					s.Press("ctrl+p").Type(word).Press("enter").Shows("▸ " + title + "  ").Press("esc")
				}
				for word, way := range map[string]string{"money": "/settings currency", "session": "/sessions", "model": "/models"} {
					s.Press("ctrl+p").Type(word).Shows(way).Press("esc", "esc")
				}
				s.Press("ctrl+p").Type("model.price").Hides("/settings model.price").Press("esc", "esc")
			})
		})
	}
}

// A click takes a row as enter does, and the second one of two does nothing more.
func TestAClickTakesARowOfAList(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Press("ctrl+p").Type("settings").Shows("Command palette")
		s.Double(s.Find("/settings")).Shows("Settings in effect").Hides("Command palette") // not closed by a click beside it
		s.Pass(time.Second).Click(s.Find("Mouse  mouse")).Shows("Mouse off", "Settings in effect")
	})
}

func TestAClickSelectsWhereTheRowIsPreviewed(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Type("/theme").Press("enter").Shows("▸ dark")
		s.Click(s.Find("lagoon")).Shows("▸ lagoon", "Themes").Pass(time.Second).Double(s.Find("ember")).Shows("Theme ember").Hides("Themes")
	})
}

func TestPaletteExplainsBlockedCommands(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("ctrl+p").Type("terminate ag").Shows("Terminate agent and subtree  root cannot be")
		s.Press("enter").Shows("Command palette", "root cannot be").Press("esc").Shows("Command palette").Press("esc").Hides("Command palette")
		asked(t, f)
		f.set(society.Root, func(r *api.Row) { r.State = society.Idle })
		s.Idle().Press("ctrl+p").Type("/interrupt").Shows("root is not working")
	})
}

// A command of lists names the key of its list.
func TestThePaletteNamesTheListInWhichAKeyWorks(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		for title, keys := range map[string]string{"Delete session…": "alt+s D", "Rename session…": "alt+s r", "Export artifact…": "alt+e x", "Restart the MCP server": "alt+x R", "Group changes": "alt+c s", "Edit the role's prompt…": "alt+r e"} {
			s.Press("ctrl+p").Type(title).Shows(keys).Press("esc", "esc")
		}
	})
}

// What works in a list opens that.
func TestThePaletteOpensTheListInWhichAKeyWorks(t *testing.T) {
	onScreenWith(t, 100, 30, func(c *tui.Config) { c.Lang = protocol.Chinese }, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("ctrl+p").Type("重命名").Shows("▸ 重命名智能体").Press("esc", "esc")
		s.Press("ctrl+p").Type("导出产出").Hides("仅在列表中").Press("enter").Hides("命令面板").Shows("产出").Press("esc")
		s.Type("/inbox").Press("enter").Shows("你（收件箱）")
	})
}

// The palette lists the same in every pane, for its targets.
func TestThePaletteIsForTheAgentAtHand(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "down", "ctrl+p").Shows("Command palette · lead-1").Type("/pause").Press("enter")
		asked(t, f, society.PauseAgent{Agent: "lead-1"})
	})
}

func TestACommandThatNeedsMoreWordsIsWrittenByThePalette(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("a draft").Press("ctrl+p").Type("/to").Press("enter").Shows("> /to", "ctrl+y restores it")
		s.Type("lead-1").Press("enter").Shows("to: lead-1")
	})
}

// A rebinding changes the key, the hints, the help, the palette and the texts
// that name keys.
func TestReboundKeyIsShownEverywhere(t *testing.T) {
	onScreenWith(t, 160, 45, func(cfg *tui.Config) {
		cfg.Keys = map[string][]string{"palette": {"alt+p"}, "verbs_follow": {"alt+v"}, "verbs.pause": {"z"}, "tree.stop_or_resume": {"x"}, "help": {"alt+h", "H"}, "tree.show": {"F"}, "tree.pin": {"P"}, "tree.order": {"O"}, "list.graph": {"alt+g"}, "conversation.follow": {"E"}, "composer.bring_back": {"alt+b"}, "roles": {"alt+o"}, "pinned": {"alt+k"}, "composer.send": {"ctrl+s"}}
	}, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Shows("alt+v stop/terminate", "alt+h help").Hides("ctrl+x")
		s.Press("alt+p").Type("/pause").Shows("alt+v z  /pause").Press("enter")
		asked(t, f, society.PauseAgent{Agent: society.Root})
		s.Shows("alt+v r resumes")
		s.Press("ctrl+p", "ctrl+x").Hides("Command palette", "i interrupt")
		s.Press("alt+v").Shows("r resume").Press("esc")
		s.Press("esc").Type("gone").Press("ctrl+c").Shows("alt+b restores it")
		s.Press("alt+1", "F").Shows("F switches between all agents", "F:problems").Press("F", "F").Idle().Shows("Ended agents").Press("esc", "O").Shows("O:activity").Press("O", "O", "O")
		s.Press("space").Shows("i x T are for all").Press("esc", "K").Shows("alt+h lists the keys")
		s.Press("alt+3", "5").Shows("alt+o, then alt+g").Press("1", "esc")
		s.Press("alt+1", "down", "P").Shows(" to alt+k").Press("P", "up")
		s.Press("alt+1", "down").Shows("x stop").Press("alt+h", "home").Shows("press ctrl+s", "Anywhere", "alt+p", "alt+v").Hides("ctrl+p")
	})
}

// Every binding in the help has an effect where it says: on the screen, the
// society, or the terminal.
func TestEveryBindingInTheHelpWorksInItsScope(t *testing.T) {
	n := 0
	for _, b := range tui.Bindings(protocol.English) {
		if b.Name == "suspend" {
			continue // no shell can continue the program here
		}
		for _, key := range b.Keys {
			if n++; !sampled(n) {
				continue
			}
			t.Run(b.Name+" "+key, func(t *testing.T) {
				onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
					ready(t, s, f, b)
					if b.Name == "inspector.tab" && key == "1" {
						s.Press("2")
					}
					if b.Place != "verbs" && worked(s, f, "alt+j") {
						t.Fatalf("the screen moves by itself:\n%s", s)
					}
					if !worked(s, f, key) {
						t.Errorf("nothing has happened on\n%s", s)
					}
				})
			})
		}
	}
}

// worked reports whether a key had an effect.
func worked(s *screentest.Screen, f *fakeSociety, key string) bool {
	f.forget()
	before, written := s.String(), s.Written()
	x, y, _ := s.Cursor()
	s.Press(key).Idle()
	toX, toY, _ := s.Cursor()
	return s.String() != before || len(f.commands()) > 0 || s.Written() != written || x != toX || y != toY
}

// ready prepares a state in which a binding has an effect, and focuses its
// scope.
func ready(t *testing.T, s *screentest.Screen, f *fakeSociety, b tui.Binding) {
	t.Helper()
	family(f)
	for _, id := range []society.AgentID{society.Root, "lead-1", "web-1", "web-2"} {
		f.set(id, func(r *api.Row) { r.State = society.Idle }) // else the screen animates
	}
	for i := range 60 {
		f.spawn(society.AgentID(fmt.Sprintf("many-%d", i)), "web-1", "reader")
	}
	for range 30 {
		f.Say(society.Root, talk.Entry{Kind: talk.Inbound, From: "user", To: "root", Body: "you said", Text: "you said"})
		f.Say(society.Root, talk.Entry{Kind: talk.Answer, From: string(society.Root), Text: "one\n\n```\ncode\n```\n\ntwo"})
	}
	f.set(society.Root, func(r *api.Row) {
		r.Asks, r.Replies, r.Waiting = true, []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}, 1
	})
	f.set("web-2", func(r *api.Row) { r.State, r.Error = society.Idle, "broken" })
	for _, name := range []string{"writer", "reader", "planner", "checker", "editor"} {
		f.Holds.Roles = append(f.Holds.Roles, api.Role{Role: society.Role{ID: society.RoleID(name), Name: name, Prompt: "You write."}})
	}
	s.Idle()
	switch b.Place {
	case "":
		prepareAnywhere(s, b)
	case "tree":
		s.Press("alt+1", "home", "down", "down", "left", "left") // lead-1 is folded
		if b.Name == "tree.expand" || b.Name == "tree.expand_all" {
			break
		}
		s.Press("right", "right", "right", "down", "down")
	case "conversation":
		s.Press("alt+2", "home", "pgdown", "pgdown")
	case "inspector":
		s.Resize(100, 16).Press("alt+3", "2", "1").Idle().Press("down")
	case "composer":
		prepareComposer(s, b)
	case "board":
		s.Press("f2", "1", "home", "pgdown")
	case "list":
		if strings.HasSuffix(b.Name, "_session") {
			s.Press("alt+s").Idle().Press("down")
			break
		}
		if b.Name == "list.open_outside" || b.Name == "list.export_artifact" {
			f.Holds.Artifacts = []api.Artifact{{Artifact: society.Artifact{ID: "a1", Name: "report.md", Version: 1}}}
			f.Holds.Contents = map[society.ArtifactID][][]byte{"a1": {[]byte("text")}}
			s.Type("/artifacts").Press("enter").Idle()
			break
		}
		if strings.HasSuffix(b.Name, "_rule") {
			f.Holds.Policy.Rules = []approval.Rule{{ID: 1, Tool: "edit", Do: approval.Allow}}
			s.Press("alt+t").Idle().Press("down")
			break
		}
		if b.Name == "list.undo_changes" || b.Name == "list.group_changes" {
			f.Holds.FileChanges = []api.FileChange{{FileChange: society.FileChange{N: 1, Agent: "web-1", Call: "c", Tool: "edit", Path: "a.go", Added: 1}}}
			s.Press("alt+c").Idle()
			break
		}
		if strings.HasSuffix(b.Name, "_server") {
			f.Holds.Servers = []api.Server{{Name: "docs", Command: []string{"npx"}, State: api.ServerReady}}
			s.Press("alt+x").Idle()
			break
		}
		s.Press("alt+r").Idle().Press("down", "down")
	case "prompt":
		s.Press("alt+r").Idle().Press("n").Press("enter").Type("one").Press("enter").Type("two three").Press("ctrl+w", "enter", "up")
	case "verbs":
		f.set(society.Root, busy)
		s.Type("text").Press("ctrl+x")
	}
}

func prepareAnywhere(s *screentest.Screen, b tui.Binding) {
	switch b.Name {
	case "help", "zoom", "narrower", "wider", "mouse", "escape", "escape_twice":
		s.Press("alt+1") // not in a text field
	case "to_tree", "parent", "back", "to_conversation", "to_inspector":
		s.Press("alt+1", "down", "enter")
	}
}

func prepareComposer(s *screentest.Screen, b tui.Binding) {
	switch b.Name {
	case "composer.bring_back":
		s.Type("text").Press("ctrl+c")
	case "composer.page_down":
		s.Press("pgup", "pgup")
	case "composer.follow":
		s.Press("pgup", "pgup")
	default:
		s.Type("one").Press("enter").Idle().Type("two").Press("shift+enter", "up", "down", "up").Type("x")
	}
}

// What was run from the palette is at its top after a restart, too.
func TestThePaletteKeepsWhatWasUsedLast(t *testing.T) {
	onScreenTwice(t, 100, 30, func(s *screentest.Screen, _ *fakeSociety) {
		s.Press("ctrl+p").Hides("Last used").Type("statistics").Press("enter").Idle().Shows("The society").Press("esc").Pass(2 * time.Second)
	}, func(s *screentest.Screen) { s.Press("ctrl+p").Shows("Last used") })
}

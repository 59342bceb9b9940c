package plain_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/session"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/feature/logs"
	"society-tui/tui/feature/sessions/sessionstest"
	"society-tui/tui/feature/settings"
)

// both runs a script in each language; said returns the text in that language.
func both(t *testing.T, cfg tui.Config, with func(*apitest.Society), does func(p *person, said func(en, zh string) string)) {
	t.Helper()
	for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		cfg.Lang = lang
		leadWith(t, cfg, with, func(p *person) {
			p.news()
			does(p, func(en, zh string) string {
				if lang == protocol.Chinese {
					return zh
				}
				return en
			})
		})
	}
}

func TestFindPrintsTheNewestPlacesOfAllConversations(t *testing.T) {
	t.Parallel()
	both(t, tui.Config{}, func(f *apitest.Society) {
		f.Put(api.Row{ID: "web-1", Parent: society.Root, Role: "web", State: society.Idle, Depth: 1, Order: 1})
		for range 30 {
			f.Say("web-1", conversation.Entry{Kind: conversation.Answer, From: "web-1", Text: "filler"})
		}
		f.Say("web-1", conversation.Entry{Kind: conversation.Inbound, From: "root", To: "web-1", Type: "general", Body: "Where is the old\x1b[2J harbour?"})
	}, func(p *person, said func(en, zh string) string) {
		p.writes("/find harbour")
		p.hears(said("“harbour” in all conversations: 1 match.", "所有对话中的“harbour”：1 处。"), said("root to web-1: Where is the old", "root 对 web-1：Where is the old"), "harbour?\n")
		p.writes("/find filler")
		told := p.news()
		if n := strings.Count(told, "  filler\n") + strings.Count(told, ": filler\n") + strings.Count(told, "：filler\n"); n != 20 || !strings.Contains(told, said("30 matches, the newest 20.", "30 处，列出最新的 20 处。")) {
			p.t.Errorf("%d of 30 places are printed, want 20:\n%s", n, told)
		}
		p.writes("/find", "/find lighthouse")
		p.hears(said("Write /find with the text", "请输入 /find"), said("“lighthouse” in all conversations: 0 matches.", "“lighthouse”：0 处。"))
		p.f.Call = func(context.Context, string) error { return errors.New("the disk is gone") }
		p.writes("/find harbour")
		p.hears("the disk is gone")
	})
}

func TestStatsTellsOfAgentsModelsAndTasksInWords(t *testing.T) {
	t.Parallel()
	both(t, tui.Config{StoreSize: func(context.Context) (int64, error) { return 4096, nil }}, func(f *apitest.Society) {
		f.Put(api.Row{ID: society.Root, Parent: society.User, Role: "planner", State: society.Idle, Usage: society.Usage{Input: 1200, Output: 80, Cost: 2_000_000}})
		f.Put(api.Row{ID: "web-1", Parent: society.Root, Role: "web", State: society.Idle, Depth: 1, Order: 1, Usage: society.Usage{Input: 700, Output: 30}})
		f.Holds.Figures = api.Figures{
			Made: 2, Messages: 5, Tasks: map[society.TaskID]api.TaskFigures{"t1": {Text: "count the\x1b[2J boats", Begun: time.Now()}},
			Spent: []api.Spent{{Model: "glm", Task: "t1", Day: "2026-11-28", Calls: 3, Usage: society.Usage{Input: 1200, Output: 80, Cost: 2_000_000}}},
		}
	}, func(p *person, said func(en, zh string) string) {
		p.writes("/stats")
		told := p.news()
		for _, want := range []string{
			said("The society.", "整个团队。"), said("  agents: 2, idle 2.", "  智能体：2，空闲 2。"), said("  messages sent: 5.", "  发送的消息：5。"), said("  store: 4.1 kB", "  存储：4.1 kB"),
			said("By model.", "按模型。"), said("  glm: in 1.2k out 80, ", "  glm：入 1.2k 出 80，"), said("3 calls.", "3 次调用。"), said("By task", "按任务"), "count the",
			said("  web-1: in 700 out 30", "  web-1：入 700 出 30"),
		} {
			if !strings.Contains(told, want) {
				p.t.Errorf("%q is not in\n%s", want, told)
			}
		}
	})
}

func TestSpawnCreatesAnAgentOfAListedRole(t *testing.T) {
	t.Parallel()
	both(t, tui.Config{}, func(f *apitest.Society) {
		f.Holds.Roles = []api.Role{
			{Role: society.Role{ID: "r1", Name: "Fact checker", Prompt: "Check\x1b[2J each figure.\nThen more.", CreatedBy: society.User, Model: "glm"}},
			{Role: society.Role{ID: "r2", Name: "Fact", CreatedBy: society.Root}, Agents: 2},
		}
		f.Answer = func(cmd society.Command) (society.Reply, error) {
			if s, ok := cmd.(society.Spawn); ok {
				return society.Spawned{Agent: "fact-1", Message: society.MessageID(s.Text)}, nil
			}
			return plainReply(cmd), nil
		}
	}, func(p *person, said func(en, zh string) string) {
		p.writes("/roles")
		p.hears(said("Fact checker: r1, no agents, made by you, model: glm.\n  Check", "Fact checker：r1，没有智能体，由你创建，模型：glm。\n  Check"), said("Fact: r2, 2 agents, made by root.", "Fact：r2，2 个智能体，由 root 创建。"), "/spawn")
		p.writes("/spawn fact checker count boats", "/spawn r2")
		p.asked(society.Spawn{Parent: society.Root, Role: "r1", Text: "count boats"}, society.Spawn{Parent: society.Root, Role: "r2"})
		p.hears(said("Created Fact-1 under root.", "已创建 Fact-1，在 root 之下。"), said("Write to it to start it.", "写一条消息让它开始。"))
		p.writes("/spawn", "/spawn nobody here")
		p.hears(said("/spawn needs the name of a role. /roles lists them.", "/spawn 需要角色的名称。/roles 列出角色。"), said("No role named nobody. /roles lists them.", "没有名为 nobody 的角色。"))
		p.asked()
	})
}

func TestSessionsAreListedWithHowToOpenOne(t *testing.T) {
	t.Parallel()
	store := sessionstest.New()
	store.Damage("old", session.Problem{Why: session.Damaged})
	both(t, tui.Config{Session: "society", Sessions: store}, func(*apitest.Society) {}, func(p *person, said func(en, zh string) string) {
		p.writes("/sessions")
		p.hears(said("society: open here, 4 agents, ", "society：已在此打开，4 个智能体，"), "1999-12-24", "  Review the chapters.", "book", said("3 agents", "3 个智能体"), "edition say?", "old", said("damaged", "已损坏"), "society-tui --session")
	})
	both(t, tui.Config{Attached: "host"}, func(*apitest.Society) {}, func(p *person, said func(en, zh string) string) {
		p.writes("/sessions")
		p.hears("society-tui attach --session")
	})
}

func TestSettingsAreListedExplainedAndChanged(t *testing.T) {
	t.Parallel()
	shown := []tui.Setting{
		{Key: "data", Value: "/data\x1b[2J", From: "flag --data", Fixed: true},
		{Key: "model.name", Value: `""`, From: "default", Fixed: true},
		{Key: "notify", Value: `"away"`, From: "default", OneOf: []string{"away", "off", ""}, Text: "away"},
		{Key: "limits.day_cost", Value: "0", From: "default", Text: "0"},
	}
	wrong := errors.New("must be away or off.")
	changes := func(_ context.Context, key, text string) (settings.Changed, error) {
		switch text {
		case "never":
			return settings.Changed{}, wrong
		case "off":
			return settings.Changed{Unwritten: errors.New("read-only file system"), Lines: "notify = \"off\"\n"}, nil
		}
		after := []tui.Setting{shown[0], shown[3], {Key: key, Value: `"` + text + `"`, From: "/etc/config.toml:9", Text: text}}
		return settings.Changed{Settings: after, Overridden: "--notify"}, nil
	}
	both(t, tui.Config{Settings: shown, ChangeSetting: changes}, func(f *apitest.Society) {
		f.Tell(func(c *api.Changes) { c.Currency = "$" })
	}, func(p *person, said func(en, zh string) string) {
		p.writes("/settings")
		p.hears(said(`notify = "away"; default`, `notify = "away"；default`), "data = /data", "flag --data", "/settings")
		p.writes("/settings notify", "/settings nothing", "/settings data /tmp", "/settings model.name glm")
		p.hears(`notify = "away"`, said(`It may be away, off`, `可以是：away`), `""`, said("No setting named nothing", "没有名为 nothing 的设置"), said("Data: read at the start.", "数据在启动时读取。"), "/models", "/setup")
		p.writes("/settings notify never", "/settings notify off")
		p.hears(said("notify: must be away or off.", "notify：must be away or off。"), "read-only file system", said("Put this into the settings file:\n  notify", "请把以下内容写入设置文件：\n  notify"))
		p.writes("/settings notify always", "/settings")
		p.hears(said("Notifications: always from the next start on. At the next start --notify decides about it.", "从下次启动起，通知是 always。下次启动时由 --notify 决定。"), `notify = "always"`, "/etc/config.toml:9")
		p.writes(`/settings notify ""`)
		p.hears(said("Notifications: empty from the next start on.", "从下次启动起，通知是 空。"))
		p.writes("/settings limits.day_cost $20", "/settings limits.day_cost 20元")
		p.hears(said("Budget of a day: 20 from", "每日预算是 20"), said("/settings currency changes that for the next start.", "可用 /settings currency 更改，下次启动生效。"))
	})
	later := func(context.Context) ([]tui.Setting, error) {
		return []tui.Setting{{Key: "model.name", Value: `"glm"`, From: "/etc/config.toml:7"}}, nil
	}
	both(t, tui.Config{Settings: shown, ReadSettings: later}, func(*apitest.Society) {}, func(p *person, _ func(en, zh string) string) {
		p.writes("/settings")
		p.hears(`model.name = "glm"`, "/etc/config.toml:7")
	})
	both(t, tui.Config{Settings: shown}, func(*apitest.Society) {}, func(p *person, said func(en, zh string) string) {
		p.writes("/settings notify off")
		p.hears(said("Notifications: read at the start.", "通知在启动时读取。"))
	})
}

func TestTemplatesAreListedAndTheirTeamAdded(t *testing.T) {
	t.Parallel()
	both(t, tui.Config{Spoken: protocol.English}, func(f *apitest.Society) {
		before := 0
		f.Answer = func(cmd society.Command) (society.Reply, error) {
			add, ok := cmd.(society.AddTeam)
			if !ok {
				return plainReply(cmd), nil
			}
			if add.Once && before > 0 {
				return society.AddTeamResult{Before: before}, nil
			}
			before++
			return society.AddTeamResult{Agents: []society.AgentID{"lead-1"}}, nil
		}
	}, func(p *person, said func(en, zh string) string) {
		p.writes("/template")
		listed := p.news()
		name, _, ok := strings.Cut(listed, said(": ", "："))
		if !ok || !strings.Contains(listed, said("built in; ", "内置；")) {
			p.t.Fatalf("the templates are not listed:\n%s", listed)
		}
		p.writes("/template " + name)
		p.hears(said("Added "+name+": 1 agent. Tell root what you want.", "已添加 "+name+"：1 个智能体。"))
		p.writes("/template "+name, "no", "/template "+name, "yes")
		p.hears(said("Add "+name+" again?", "再次添加 "+name+"？"), said("Nothing was done.", "未执行任何操作。"), said("Add "+name+" again?", "再次添加 "+name+"？"), said("Added "+name, "已添加 "+name))
		p.writes("/template nosuch")
		p.hears("nosuch", said("Nothing of it was created.", "没有创建其中任何部分。"))
	})
}

func TestGraphPrintsStepsAndChoosesOne(t *testing.T) {
	t.Parallel()
	both(t, tui.Config{}, func(f *apitest.Society) {
		f.Put(api.Row{ID: society.Root, Parent: society.User, Role: "planner", RoleID: "r1", State: society.Idle})
		f.Put(api.Row{ID: "web-1", Parent: society.Root, Role: "web", State: society.Idle, Depth: 1, Order: 1})
		f.Holds.Graphs = []api.Graph{{Name: "review"}}
		f.Holds.Definitions = map[graph.Version]graph.Definition{"v1": {
			Name: "review", Nodes: []graph.Node{{Key: "draft", Title: "Draft\x1b[2J it"}, {Key: "check", Title: "Check"}},
			Edges: []graph.Edge{{From: "draft", To: "check"}}, Entries: []string{"draft"}, EndNodes: []string{"check"},
		}}
		f.Holds.Profiles = map[society.AgentID]api.Profile{"web-1": {Graph: "v1", Run: begun(t, f.Holds.Definitions["v1"])}}
		f.Answer = func(cmd society.Command) (society.Reply, error) {
			if _, ok := cmd.(society.ChooseGraph); ok {
				return society.RoleChange{Changed: true, Agents: 1}, nil
			}
			return plainReply(cmd), nil
		}
	}, func(p *person, said func(en, zh string) string) {
		p.writes("/graph")
		p.hears(said("root:\n", "root：\n"), said("Its role has no graph", "此角色没有图"), "none", "review")
		p.writes("/graph web-1", "/graph review", "/graph none", "/graph nothing")
		p.hears(said("web-1:\n", "web-1：\n"), said("  review, node 2 of 50.", "  review，第 2 个节点"), said("  paused before Check.", "  停在 Check 之前。"), said("    Draft it, done.", "    Draft it，完成。"), said("Path.", "路径。"), said("Draft it, done, 2.0s.", "Draft it，完成，2.0s。"), said("planner now uses review. Turns in progress fail", "planner 现在使用：review。"), said("planner now uses a single step", "planner 现在使用：单步"), said("No agent named nothing", "没有名为 nothing 的智能体"))
		p.asked(society.ChooseGraph{Role: "r1", Graph: "review"}, society.ChooseGraph{Role: "r1"})
	})
}

// begun returns a run whose first node was executed.
func begun(t *testing.T, d graph.Definition) *graph.Run {
	t.Helper()
	g, err := graph.Compile(d, graph.Funcs{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := graph.NewRun(g, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := run.Done(run.Next()[0], graph.Result{At: time.Now().Add(2 * time.Second)}); err != nil {
		t.Fatal(err)
	}
	return run
}

func TestLogPrintsItsLastLines(t *testing.T) {
	t.Parallel()
	read := func(_ context.Context, all bool) ([]logs.Line, error) {
		lines := []logs.Line{{Level: "INFO", Text: "opened\x1b[2J", With: "file=a", Run: "77"}}
		for range 20 {
			lines = append(lines, logs.Line{Level: "WARN", Text: "slow"})
		}
		if all {
			return lines[:1], nil
		}
		return lines, nil
	}
	both(t, tui.Config{LogFile: "/logs/today", Log: read}, func(*apitest.Society) {}, func(p *person, said func(en, zh string) string) {
		p.writes("/log")
		if told := p.news(); strings.Count(told, said("WARN  slow", "警告  slow")) != 20 || strings.Contains(told, "opened") || !strings.Contains(told, "/logs/today") {
			p.t.Errorf("the last 20 lines are not told:\n%s", told)
		}
		p.writes("/log all")
		p.hears(said("Log of all runs", "全部运行的日志"), said("INFO  opened", "信息  opened"), "run=77 file=a")
	})
	both(t, tui.Config{}, func(*apitest.Society) {}, func(p *person, said func(en, zh string) string) {
		p.writes("/log")
		p.hears(said("No log.", "没有日志。"))
	})
}

func TestACommandThatNeedsTheScreenTellsWhatToDoInstead(t *testing.T) {
	t.Parallel()
	both(t, tui.Config{}, func(*apitest.Society) {}, func(p *person, said func(en, zh string) string) {
		p.writes("/copy", "/filter s:error", "/mouse off", "/theme lagoon")
		p.hears("/export", "/board state", said("belongs to your terminal.", "由终端使用。"), "/settings theme")
		p.asked()
	})
}

package tui_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// Roles returns the roles that a test has set.
func (f *fakeSociety) Roles(context.Context) ([]api.Role, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return append([]api.Role(nil), f.Holds.Roles...), nil
}

func (f *fakeSociety) makeRole(c society.MakeRole) (society.RoleChange, error) {
	if why := protocol.CheckRoleName(c.Name); why != nil {
		return society.RoleChange{}, &society.Refusal{Code: society.InvalidArguments, Why: why}
	}
	id := society.RoleID("role-" + protocol.Slug(c.Name))
	f.Holds.Roles = append(f.Holds.Roles, api.Role{Role: society.Role{ID: id, Name: c.Name, Prompt: c.Prompt, CreatedBy: society.User}})
	return society.RoleChange{Role: id, Changed: true}, nil
}

func (f *fakeSociety) editRole(c society.EditRole) (society.RoleChange, error) {
	for i := range f.Holds.Roles {
		if r := &f.Holds.Roles[i]; r.ID == c.Role {
			change := society.RoleChange{Role: c.Role, Changed: r.Prompt != c.Prompt, Agents: r.Agents}
			r.Prompt = c.Prompt
			return change, nil
		}
	}
	return society.RoleChange{}, &society.Refusal{Code: society.InvalidArguments, Why: protocol.Because(protocol.UnknownRole, "such")}
}

func (f *fakeSociety) chooseModel(c society.ChooseModel) (society.RoleChange, error) {
	for i := range f.Holds.Roles {
		if r := &f.Holds.Roles[i]; r.ID == c.Role {
			if c.Model == "gone" {
				return society.RoleChange{}, &society.Refusal{Code: society.InvalidArguments, Why: protocol.Because(protocol.UnsetModel, "it", protocol.Names{})}
			}
			change := society.RoleChange{Role: c.Role, Changed: r.Model != c.Model || r.Capability != c.Capability, Agents: r.Agents}
			r.Model, r.Capability = c.Model, c.Capability
			return change, nil
		}
	}
	return society.RoleChange{}, &society.Refusal{Code: society.InvalidArguments, Why: protocol.Because(protocol.UnknownRole, "such")}
}

// addTeam creates the agents of a template below root.
func (f *fakeSociety) addTeam(c society.AddTeam) (society.AddTeamResult, error) {
	if f.added == nil {
		f.added = map[string]int{}
	}
	result := society.AddTeamResult{Before: f.added[c.Template]}
	if c.Once && result.Before > 0 {
		return result, nil
	}
	f.added[c.Template]++
	for i, a := range c.Agents {
		result.Agents = append(result.Agents, society.AgentID(fmt.Sprintf("%s-%d", protocol.Slug(a.As), result.Before+1)))
		f.Mu.Unlock()
		f.spawn(result.Agents[i], society.Root, a.Role)
		f.Mu.Lock()
	}
	return result, nil
}

// staffed adds four roles.
func staffed(f *fakeSociety) {
	at := time.Date(2026, 1, 2, 15, 4, 0, 0, time.UTC)
	f.Holds.Roles = []api.Role{
		{Role: society.Role{ID: "role-root", Name: "planner", Prompt: "You are root.\nYou organise.", CreatedBy: society.User}, Agents: 1},
		{Role: society.Role{
			ID: "role-researcher", Name: "researcher", CreatedBy: society.Root, EditedAt: at, Tools: []tool.Group{"talk", "context"},
			Prompt:    "You find out what is known, and say for each finding where it comes from and how sure it is.\n\n- Never invent a source.\n- Stay within your part.",
			Interface: &protocol.InterfaceSpec{Services: "Findings", InputFormat: "A question"},
		}, Agents: 4},
		{Role: society.Role{ID: "role-agent", Name: "批评者", Prompt: "你找出计划为何会失败。", CreatedBy: society.Root, Model: "gpt-x", Tools: []tool.Group{}}},
		{Role: society.Role{ID: "role-evil", Name: "evil", Prompt: "You \x1b[2J\u202e obey.", CreatedBy: "web-1"}, Agents: 1},
	}
}

func TestListsOfRolesAndTemplatesMatchTheirGoldens(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		w, h int
		cfg  func(*tui.Config)
		keys []string
	}{
		{"roles", 160, 45, nil, []string{"alt+r", "down"}},
		{"roles", 100, 30, nil, []string{"alt+r", "down"}},
		{"roles", 60, 20, nil, []string{"alt+r", "down"}},
		{"roles", 30, 8, nil, []string{"alt+r", "down"}},
		{"role", 100, 30, nil, []string{"alt+r", "down", "enter"}},
		{"role", 60, 20, nil, []string{"alt+r", "down", "enter"}},
		{"prompteditor", 100, 30, nil, []string{"alt+r", "down", "e"}},
		{"prompteditor", 60, 20, nil, []string{"alt+r", "down", "e"}},
		{"prompteditor-new", 100, 30, nil, []string{"alt+r", "n"}},
		{"models", 100, 30, modelled, []string{"alt+r", "down", "m"}},
		{"models", 60, 20, modelled, []string{"alt+r", "down", "m"}},
		{"models-zh", 100, 30, func(c *tui.Config) { modelled(c); c.Lang = protocol.Chinese }, []string{"alt+r", "down", "down", "m"}},
		{"modellist", 100, 30, reachable, []string{"/", "m", "o", "d", "e", "l", "s", "enter"}},
		{"modellist", 60, 20, reachable, []string{"/", "m", "o", "d", "e", "l", "s", "enter"}},
		{"modellist-zh", 100, 30, func(c *tui.Config) { reachable(c); c.Lang = protocol.Chinese }, []string{"/", "m", "o", "d", "e", "l", "s", "enter"}},
		{"setup", 100, 30, reachable, []string{"/", "m", "o", "d", "e", "l", "s", "enter", "end", "enter"}},
		{"setup", 60, 20, reachable, []string{"/", "m", "o", "d", "e", "l", "s", "enter", "end", "enter"}},
		{"setup-zh", 100, 30, func(c *tui.Config) { reachable(c); c.Lang = protocol.Chinese }, []string{"/", "m", "o", "d", "e", "l", "s", "enter", "end", "enter"}},
		{"templates", 160, 45, nil, []string{"/", "t", "e", "m", "p", "l", "a", "t", "e", "enter"}},
		{"templates", 100, 30, nil, []string{"/", "t", "e", "m", "p", "l", "a", "t", "e", "enter"}},
		{"templates", 60, 20, nil, []string{"/", "t", "e", "m", "p", "l", "a", "t", "e", "enter"}},
		{"roles-zh", 100, 30, func(c *tui.Config) { c.Lang = protocol.Chinese }, []string{"alt+r", "down"}},
		{"templates-zh", 100, 30, func(c *tui.Config) { c.Lang, c.Spoken = protocol.Chinese, protocol.Chinese }, []string{"/", "t", "e", "m", "p", "l", "a", "t", "e", "enter"}},
		{"roles-plain", 100, 30, func(c *tui.Config) { c.Plain, c.ASCII = true, true }, []string{"alt+r", "down"}},
	} {
		t.Run(fmt.Sprintf("%s-%dx%d", tt.name, tt.w, tt.h), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				book(f)
				staffed(f)
				cfg := config(f)
				cfg.Still, cfg.Environ = true, []string{}
				if tt.cfg != nil {
					tt.cfg(&cfg)
				}
				s := screentest.Drive(t, tt.w, tt.h, cfg)
				s.Press(tt.keys...)
				if tt.w != 100 {
					if !strings.HasPrefix(tt.name, "prompteditor") { // it covers the screen
						framed(t, s)
					}
					return
				}
				golden(t, fmt.Sprintf("%s-%dx%d", tt.name, tt.w, tt.h), s.String())
			})
		})
	}
}

// modelled sets three models up, one with a hostile name.
func modelled(c *tui.Config) {
	fakeOf(c).Holds.Models = []api.Model{
		{Name: "demo", Window: 128_000, Capabilities: []string{"reasoning"}},
		{Name: "small", Window: 16_000, Capabilities: []string{"fast", "cheap"}},
		{Name: "evil\x1b[2J", Capabilities: []string{"fast"}},
	}
}

func TestARoleIsGivenAnotherModel(t *testing.T) {
	onScreenWith(t, 100, 30, modelled, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		staffed(f)
		asks := func(want string) {
			t.Helper()
			if r := f.Holds.Roles[1]; r.Model+"/"+r.Capability != want {
				t.Errorf("it asks for %s/%s, not %s", r.Model, r.Capability, want)
			}
		}
		s.Press("alt+r", "down", "m").Shows("Model of researcher", "▸ the default", "current", "context of 128k tokens", "any: fast", "now: small")
		s.Press("down", "down", "enter").Shows("researcher now uses small", "▸ researcher", "model: small")
		asks("small/")
		s.Press("m").Shows("▸ small").Press("enter").Shows("researcher already uses small")
		s.Press("m", "esc").Shows("▸ researcher", "model: small").Hides("Model of researcher")
		s.Press("enter").Shows("model: small", "[ Model ]").Press("m", "end", "enter").Shows("model: any: cheap")
		asks("/cheap")
		s.Press("m", "home", "enter").Shows("researcher now uses the default").Hides("model: any")
		asks("/")
		// A missing model is listed, but cannot be chosen.
		s.Press("down", "m").Shows("Model of 批评者", "gpt-x", "current", "not set up").Press("esc", "esc").Hides("Roles")
	})
}

// The model of an agent is shown in the inspector, also one that is not set up.
func TestModelOfAnAgentIsShown(t *testing.T) {
	stranded := []api.MissingModel{{Role: "critic", Model: "gpt\x1b[2J-9"}}
	onScreenWith(t, 160, 45, func(c *tui.Config) { fakeOf(c).Holds.Missing = stranded }, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Shows("Role critic needs model gpt", "-9, which is not set up", "alt+r, then m: choose another")
		f.spawn("critic-1", society.Root, "critic")
		f.set("critic-1", func(r *api.Row) { r.Model, r.Stranded = "gpt-9", true })
		f.spawn("writer-1", society.Root, "writer")
		f.set("writer-1", func(r *api.Row) { r.Model = "small" })
		f.Tell(func(c *api.Changes) { c.Health = map[string]string{"demo": "ok", "small": "429 wait 4s"} })
		s.Pass(time.Second).Shows("demo ok")
		s.Type("/to critic-1").Press("enter", "enter").Pass(time.Second).Shows("gpt-9 not set up").Press("alt+3").Shows("gpt-9 · not set up").Press("alt+3")
		s.Type("/to writer-1").Press("enter", "enter").Pass(time.Second).Shows("small 429 wait 4s")
	})
}

// Missing models of nodes are reported at the start, all at once.
func TestMissingModelsOfNodesAreReported(t *testing.T) {
	stranded := []api.MissingModel{{Graph: "twice", Node: "write", Model: "big\x1b[2J"}, {Graph: "twice", Node: "deep/read", Tool: "fly"}}
	onScreenWith(t, 160, 45, func(c *tui.Config) { fakeOf(c).Holds.Missing = stranded }, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Shows("Step write of graph twice needs model big", "Step deep/read of graph twice names tool fly", "/models: set it up").Hides("alt+r, then")
	})
}

// So is a missing graph of a role.
func TestMissingGraphIsReportedAtTheStart(t *testing.T) {
	lost := []api.MissingModel{{Role: "writer", Graph: "twice"}}
	onScreenWith(t, 160, 45, func(c *tui.Config) { fakeOf(c).Holds.Missing = lost }, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Shows("Role writer still uses graph twice, which is no longer in the settings", "alt+r, then w: choose another")
	})
}

// plainly removes the user's editor.
func plainly(c *tui.Config) { c.Environ = []string{} }

func TestRoleIsEditedInThePromptEditorAndItsAgentsAreCounted(t *testing.T) {
	onScreenWith(t, 100, 30, plainly, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		staffed(f)
		s.Press("alt+r").Shows("Roles", "researcher", "4 agents", "made by root", "built in", "no agents")
		s.Press("down", "e").Shows("Prompt of researcher", "Never invent a source")
		s.Press("home").Type("Be quick. ").Press("esc").Shows("Discard changes?")
		s.Press("enter").Shows("Be quick. - Stay within your part.")
		s.Press("ctrl+s").Shows("Saved the prompt of researcher; its 4 agents use it from their next request", "▸ researcher")
		if got := f.Holds.Roles[1].Prompt; !strings.HasPrefix(got, "You find out") || !strings.HasSuffix(got, "\nBe quick. - Stay within your part.") {
			t.Errorf("%q", got)
		}
		s.Press("e", "ctrl+s").Shows("The prompt of researcher is unchanged")
		s.Press("e").Type("x").Press("esc", "y").Hides("Prompt of researcher").Shows("Roles")
		s.Press("up", "e").Type(" Well.").Press("ctrl+s").Shows("Saved the prompt of planner; its agent uses it")
		s.Press("e")
		for range 4 {
			s.Press("ctrl+u", "backspace")
		}
		s.Press("ctrl+s").Shows("A role needs a prompt", "Prompt of planner")
		s.Press("esc", "y", "esc").Hides("Roles").Type("hello").Shows("> hello")
	})
}

func TestARoleIsMadeAndARefusalKeepsTheText(t *testing.T) {
	onScreenWith(t, 100, 30, plainly, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		staffed(f)
		s.Type("/roles").Press("enter", "n").Shows("New role", "Proofreader")
		s.Type("user").Press("ctrl+s").Shows("A role needs a prompt")
		s.Press("enter").Type("You read.").Press("ctrl+s").Shows("mistaken", "You read.")
		s.Press("up", "home", "ctrl+k").Type("Reader").Press("ctrl+s")
		s.Shows("Created role Reader", "▸ Reader")
		if got := f.Holds.Roles[len(f.Holds.Roles)-1]; got.Name != "Reader" || got.Prompt != "You read." {
			t.Errorf("%+v", got)
		}
		s.Press("n").Paste("Pasted\nYou paste.").Press("ctrl+s").Shows("Created role Pasted")
	})
}

func TestARoleIsViewedInFullAndEditedFromThere(t *testing.T) {
	onScreenWith(t, 100, 30, plainly, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		staffed(f)
		s.Press("alt+r", "end", "up", "up", "enter")
		s.Shows("Role researcher", "tools: talk, context, read", "edited by you:", "2026-01-02", "- Stay within your part.", "How to ask it", "A question")
		s.Press("q").Hides("Role researcher").Press("down", "enter").Shows("Role 批评者", "tools: read", "model: gpt-x")
		s.Press("e").Shows("Prompt of 批评者").Press("esc", "down", "enter").Shows("Role evil", "obey.")
		s.Press("esc", "esc").Hides("Roles")
	})
}

func TestATeamIsAddedFromTheListOfTemplatesOrByName(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Shows("/template")
		s.Type("/tem").Press("enter").Type("pl").Shows("/template plan Plan and critique").Press("enter", "enter").Pass(time.Second)
		s.Shows("Added plan: 2 agents", "tell root what you want", "Waiting below root: Planner-1, Critic-1")
		s.Type("/template").Press("enter").Shows("Templates", "research", "debate", "built in")
		s.Press("down", "enter").Shows("Add plan again?").Press("enter").Hides("Add plan again?").Shows("Templates").Pass(time.Second)
		s.Press("enter", "y").Pass(time.Second).Shows("Added plan: 2 agents").Hides("Templates")
		s.Type("/template nobody").Press("enter").Shows("nobody was not added", `there is no template "nobody"`, "Nothing of it was created")
		s.Press("enter").Hides("not added")
		if n := len(f.Rows); n != 5 {
			t.Errorf("%d agents", n)
		}
	})
}

// The names of templates are English words; what completes them says what they are.
func TestTheNamesOfTemplatesAreCompletedWithTheirTitles(t *testing.T) {
	onScreenWith(t, 60, 20, func(c *tui.Config) { c.Lang, c.Spoken = protocol.Chinese, protocol.Chinese }, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Type("/template ").Shows("/template research 研究与报告", "/template debate   辩论与决定").Hides("负责人")
	})
}

// A quick esc esc arrives as one key.
func TestAQuickEscEscClosesAList(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		for _, list := range []string{"/roles", "/template"} {
			s.Type(list).Press("enter").Shows("esc close")
			s.Press("alt+esc").Hides("esc close")
		}
		asked(t, f)
	})
}

// Around a large overlay no pieces of frames are left.
func TestLargeOverlaysLeaveNoPiecesOfPanes(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Press("f1").Hides("Agents 1")
		for _, row := range s.Rows()[1:28] {
			if row != "" && !strings.HasPrefix(row, "  ") {
				t.Errorf("a piece is left in %q", row)
			}
		}
	})
}

func TestContinuingAgentsAreReportedAfterARestart(t *testing.T) {
	for want, before := range map[string]api.StartReport{
		"3 agents continue their work": {AtWork: 3},

		"3 agents continue their work · 2 paused · 1 stopped · ctrl+x r resumes": {AtWork: 3, Paused: 2, Stopped: 1},

		" 4 stopped · ctrl+x r resumes": {Stopped: 4},
	} {
		t.Run(want, func(t *testing.T) {
			onScreenWith(t, 100, 30, func(c *tui.Config) { c.Started = before }, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
				s.Shows(want)
			})
		})
	}
}

func TestTeamOfTheCommandLineIsReported(t *testing.T) {
	for name, c := range map[string]struct {
		outcome tui.FirstTeam
		shows   []string
	}{
		"added":  {tui.FirstTeam{Template: "plan", Result: society.AddTeamResult{Agents: []society.AgentID{"planner-1"}}}, []string{"Added plan: 1 agent"}},
		"before": {tui.FirstTeam{Template: "plan", Result: society.AddTeamResult{Before: 1}}, []string{"already added to this society", "/template plan adds it again"}},
		"refused": {tui.FirstTeam{Template: "plan", Err: &society.Refusal{
			Code: society.InvalidArguments, Why: protocol.Because(protocol.TemplateRefused, "plan", "all this"), Mistakes: society.Mistakes{
				{Where: "roles[0].model", Why: errors.New(`the model "gpt-x" is not set up`)}, {Why: errors.New("it would make 300 agents alive")},
			},
		}}, []string{"plan was not added", "is not set up", "it would make 300 agents"}},
	} {
		t.Run(name, func(t *testing.T) {
			onScreenWith(t, 130, 30, func(cfg *tui.Config) { cfg.FirstTeam = &c.outcome }, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
				s.Shows(c.shows...)
			})
		})
	}
}

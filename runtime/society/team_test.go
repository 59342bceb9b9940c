package society

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/org"
)

// anyTemplate draws a template without a mistake: up to four roles, and up to
// eight agents at random places below root, in random order.
func anyTemplate(t *rapid.T) AddTeam {
	p := AddTeam{Template: rapid.SampledFrom([]string{"research", "debate"}).Draw(t, "template")}
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"worker", "Critic", "批评者", "Go programmer", "agent", "审阅"}), 1, 4, rapid.ID[string]).Draw(t, "roles")
	for _, name := range names {
		r := TeamRole{Name: name, Prompt: rapid.SampledFrom([]string{"Work.", "Work otherwise."}).Draw(t, "prompt")}
		if rapid.Bool().Draw(t, "interface") {
			r.Interface = &protocol.InterfaceSpec{Services: "works"}
		}
		r.Tools = rapid.SampledFrom([][]tool.Group{nil, {}, {org.Talk}, {org.Organisation}, {org.Context, org.Organise}}).Draw(t, "tools")
		p.Roles = append(p.Roles, r)
	}
	n := rapid.IntRange(0, 8).Draw(t, "agents")
	as := []string{string(Root)}
	depth := map[string]int{}
	for i := range n {
		name := fmt.Sprintf("a%d", i)
		shallow := slices.DeleteFunc(slices.Clone(as), func(as string) bool { return depth[as] >= 3 })
		parent := rapid.SampledFrom(shallow).Draw(t, "parent")
		depth[name] = depth[parent] + 1
		as = append(as, name)
		if parent == string(Root) && rapid.Bool().Draw(t, "unsaid") {
			parent = ""
		}
		p.Agents = append(p.Agents, TeamAgent{As: name, Role: rapid.SampledFrom(names).Draw(t, "role"), Parent: parent})
	}
	for i := range p.Agents {
		task := brief()
		task["objective"] = fmt.Sprintf("do part %d\nof it", i)
		var with []object
		for _, other := range rapid.SliceOfNDistinct(rapid.SampledFrom(as), 0, 2, rapid.ID[string]).Draw(t, "collaborators") {
			with = append(with, object{"agentId": other, "description": "ask it"})
		}
		if with != nil {
			task["collaborators"] = with
		}
		p.Agents[i].Brief = raw(task)
	}
	p.Agents = rapid.Permutation(p.Agents).Draw(t, "order")
	return p
}

func raw(v any) json.RawMessage { return json.RawMessage(payloadOf(v)) }

// roomy are limits that no drawn template reaches.
func roomy() Limits {
	l := DefaultLimits()
	l.SpawnsPerMinute = 6
	return l
}

// An added team waits for its parent, which knows it and what it is for; the
// society holds its invariants, and its records make it again.
func TestAddTeamAddsAllOrNothingAndItsAgentsWait(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, roomy())
		if rapid.Bool().Draw(t, "in company") {
			w = peopled(t, roomy())
		}
		for range rapid.IntRange(1, 2).Draw(t, "times") {
			p := anyTemplate(t)
			before, owed, spawned := w.s.Agents(), w.s.Owed(), len(w.s.spawned)
			added := w.must(p).(AddTeamResult)
			if got := w.s.Agents(); !slices.Equal(got, append(before, added.Agents...)) {
				t.Fatalf("there were %v, added are %v, now there are %v", before, added.Agents, got)
			}
			if len(added.Agents) != len(p.Agents) || len(added.Made)+len(added.Reused) != len(p.Roles) {
				t.Fatalf("%+v of %+v", added, p)
			}
			if !reflect.DeepEqual(w.s.Owed(), owed) || len(w.s.spawned) != spawned {
				t.Fatalf("something began, or counts as spawned")
			}
			w.stands(p, added)
		}
		named := map[string]AgentID{}
		for _, id := range w.s.Agents() {
			name := w.s.ScreenName(id)
			if other, doubled := named[name]; doubled {
				t.Fatalf("%s and %s are both called %q", other, id, name)
			}
			named[name] = id
		}
		numbers := w.s.Numbers()
		w.load()
		if !reflect.DeepEqual(w.s.Numbers(), numbers) {
			t.Fatalf("stored are %+v, not %+v", w.s.Numbers(), numbers)
		}
		if problem := Check(w.s); problem != nil {
			t.Fatalf("%v", problem)
		}
	})
}

// stands checks that each agent of a template is as the template says.
func (w *world) stands(p AddTeam, added AddTeamResult) {
	w.t.Helper()
	made := map[string]AgentMade{} // by the objective, which is each one's own
	for _, e := range w.last {
		if e, ok := e.(AgentMade); ok {
			made[e.Brief.Objective] = e
		}
	}
	ids := map[string]AgentID{string(Root): Root, "": Root}
	for _, a := range p.Agents {
		ids[a.As] = made[objective(a)].Agent.ID
	}
	for _, a := range p.Agents {
		at := w.agent(ids[a.As])
		parent := ids[a.Parent]
		switch {
		case at.Parent != parent || at.Depth != w.agent(parent).Depth+1 || at.Status != Idle || at.Turn != nil || at.Template != p.Template:
			w.t.Fatalf("%s under %s: %+v", a.As, parent, at)
		case w.s.RoleName(at.ID) != a.Role:
			w.t.Fatalf("%s has the role %s", a.As, w.s.RoleName(at.ID))
		case at.Contacts.Of(parent).Source != protocol.Parent:
			w.t.Fatalf("%s knows %v", a.As, at.Contacts)
		}
		child := w.agent(parent).Contacts.Of(at.ID)
		if want := strings.ReplaceAll(objective(a), "\n", " "); child.Description != want || child.Source != protocol.Child {
			w.t.Fatalf("%s knows %s as %+v", parent, at.ID, child)
		}
		for _, c := range made[objective(a)].Brief.Collaborators {
			other := AgentID(c.AgentID)
			if known := at.Contacts.Knows(other); !known && other != at.ID {
				w.t.Fatalf("%s does not know %s", at.ID, other)
			}
			if w.s.Agent(other) == nil {
				w.t.Fatalf("the brief of %s names %s", at.ID, other)
			}
		}
	}
	if len(added.Agents) > 0 && !slices.IsSortedFunc(added.Agents, func(a, b AgentID) int {
		return w.agent(a).Depth - w.agent(b).Depth
	}) {
		w.t.Fatalf("parents do not come first: %v", added.Agents)
	}
}

func objective(a TeamAgent) string {
	b, _ := protocol.ParseBrief(protocol.English, a.Brief, nil)
	return b.Objective
}

// A spoiler makes a mistake in a template that has at least two roles and agents, and
// returns the expected text.
var spoilers = []struct {
	spoil func(p *AddTeam)
	says  string
}{
	{func(p *AddTeam) { p.Template = "" }, "no name"},
	{func(p *AddTeam) { p.Roles[0].Name = "user" }, `"user"`},
	{func(p *AddTeam) { p.Roles = append(p.Roles, p.Roles[1]) }, "called"},
	{func(p *AddTeam) { p.Roles[1].Prompt = " \n" }, "roles[1].prompt"},
	{func(p *AddTeam) { p.Roles[1].Tools = []tool.Group{"teleport"} }, `"teleport"`},
	{func(p *AddTeam) { p.Roles[1].Model = "gpt-x" }, `"gpt-x" is not set up`},
	{func(p *AddTeam) { p.Agents[0].Role = "nobody's" }, `no role "nobody's"`},
	{func(p *AddTeam) { p.Agents[1].As = p.Agents[0].As }, "is called"},
	{func(p *AddTeam) { p.Agents[0].As = "root" }, `"root"`},
	{func(p *AddTeam) { p.Agents[0].Parent = "nobody" }, `no agent "nobody"`},
	{func(p *AddTeam) { p.Agents[1].Parent = p.Agents[1].As }, "below itself"},
	{func(p *AddTeam) { p.Agents[0].Brief = raw(object{"objective": 7}) }, "inputs, outputs"},
	{func(p *AddTeam) { p.Agents[1].Brief = nil }, "objective, constraints"},
	{func(p *AddTeam) {
		task := brief()
		task["collaborators"] = []object{{"agentId": "stranger"}}
		p.Agents[1].Brief = raw(task)
	}, `"stranger"`},
}

// Every mistake is named at once, and of a refused template nothing remains.
func TestARefusedTemplateNamesEveryMistakeAndLeavesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, roomy())
		if rapid.Bool().Draw(t, "in company") {
			w = peopled(t, roomy())
		}
		p := anyTemplate(t)
		for len(p.Roles) < 2 {
			p.Roles = append(p.Roles, TeamRole{Name: "another", Prompt: "Work."})
		}
		for len(p.Agents) < 2 {
			p.Agents = append(p.Agents, TeamAgent{As: fmt.Sprintf("b%d", len(p.Agents)), Role: p.Roles[1].Name, Brief: raw(brief())})
		}
		which := rapid.IntRange(0, len(spoilers)-1).Draw(t, "spoiler")
		spoilers[which].spoil(&p)
		also := ""
		if rapid.Bool().Draw(t, "two") && len(p.Roles) > 0 {
			p.Roles[len(p.Roles)-1].Prompt, also = "", ".prompt"
		}
		before, at := encoded(t, w.records()), len(w.s.Roles())
		_, err := w.try(p)
		r, ok := err.(*Refusal)
		if !ok || r.Code != InvalidArguments || !strings.Contains(r.Error(), spoilers[which].says) || !strings.Contains(r.Error(), also) {
			t.Fatalf("%v does not say %q", err, spoilers[which].says)
		}
		if encoded(t, w.records()) != before || len(w.s.Roles()) != at {
			t.Fatalf("something remains")
		}
	})
}

func TestACircleOfParentsIsNamedOnce(t *testing.T) {
	t.Parallel()
	p := AddTeam{Template: "x", Roles: []TeamRole{{Name: "worker", Prompt: "Work."}}}
	for _, a := range [][2]string{{"a", "c"}, {"b", "a"}, {"c", "b"}, {"d", "a"}, {"e", "e"}} {
		p.Agents = append(p.Agents, TeamAgent{As: a[0], Role: "worker", Parent: a[1], Brief: raw(brief())})
	}
	got := p.Mistakes(nil, nil)
	want := "agents[0].parent: an agent cannot be below itself: a < c < b < a; agents[4].parent: an agent cannot be below itself: e < e"
	if got.In(protocol.English) != want {
		t.Errorf("Mistakes = %s, want %s", got.In(protocol.English), want)
	}
}

func TestAddTeamHoldsAllCapsButSpawnsInAMinute(t *testing.T) {
	t.Parallel()
	chain := AddTeam{Template: "x", Roles: []TeamRole{{Name: "worker", Prompt: "Work."}}}
	for i := range 4 {
		parent := ""
		if i > 0 {
			parent = fmt.Sprintf("a%d", i-1)
		}
		chain.Agents = append(chain.Agents, TeamAgent{As: fmt.Sprintf("a%d", i), Role: "worker", Parent: parent, Brief: raw(brief())})
	}
	flat := AddTeam{Template: "y", Roles: chain.Roles}
	for _, a := range chain.Agents {
		a.Parent = ""
		flat.Agents = append(flat.Agents, a)
	}
	for name, c := range map[string]struct {
		p    AddTeam
		set  func(*Limits)
		says string
	}{
		"agents":      {chain, func(l *Limits) { l.Agents = 4 }, "limits.agents"},
		"depth":       {chain, func(l *Limits) { l.Depth = 3 }, "limits.depth"},
		"children":    {flat, func(l *Limits) { l.Children = 3 }, "limits.children"},
		"just fits":   {chain, func(l *Limits) { l.Agents, l.Depth, l.Children, l.SpawnsPerMinute = 5, 4, 1, 1 }, ""},
		"fits beside": {flat, func(l *Limits) { l.Agents, l.Depth, l.Children, l.SpawnsPerMinute = 5, 1, 4, 1 }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := DefaultLimits()
			c.set(&l)
			w := newWorld(t, l)
			_, err := w.try(c.p)
			switch {
			case c.says == "" && err != nil, c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("%v", err)
			case c.says == "":
				w.load() // a restart counts none of them as spawned either
				if len(w.s.spawned) != 0 {
					t.Errorf("%d count as spawned", len(w.s.spawned))
				}
			}
		})
	}
}

func TestAddTeamWithOnceAddsATemplateOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	p := AddTeam{Template: "pair", Once: true, Roles: []TeamRole{{Name: "Critic", Prompt: "Find what is wrong."}}}
	p.Agents = []TeamAgent{{Role: "Critic", Brief: raw(brief())}}
	first := w.must(p).(AddTeamResult)
	w.load()
	if again := w.must(p).(AddTeamResult); again.Before != 1 || again.Agents != nil || len(w.last) != 0 {
		t.Errorf("%+v", again)
	}
	w.must(Terminate{Agent: "critic-1", By: User})
	w.halted()
	w.load()
	if again := w.must(p).(AddTeamResult); again.Before != 1 || again.Agents != nil {
		t.Errorf("what the person ended came back: %+v", again)
	}
	p.Once = false
	second := w.must(p).(AddTeamResult)
	if !slices.Equal(second.Agents, []AgentID{"critic-2"}) || !slices.Equal(second.Reused, first.Made) || second.Made != nil {
		t.Errorf("%+v after %+v", second, first)
	}
	p.Roles[0].Prompt = "Praise."
	third := w.must(p).(AddTeamResult)
	if !slices.Equal(third.Made, []RoleID{"role-critic-2"}) || w.s.Numbers().Teams["pair"] != 3 {
		t.Errorf("%+v", third)
	}
	if made := w.s.Role("role-critic-2"); made.Template != "pair" || !strings.Contains((&decision{s: w.s, at: w.at}).listRoles(), `"template":"pair"`) {
		t.Errorf("%+v does not say what it is from", made)
	}
	if got, want := w.s.Role("role-critic").Prompt, "Find what is wrong."; got != want {
		t.Errorf("the prompt of the role that was there is %q, want %q", got, want)
	}
}

// An agent of a team works as a spawned one does once its parent gives it a task.
func TestAgentOfATeamBeginsWhenItsParentSendsATask(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.must(AddTeam{
		Template: "pair", Roles: []TeamRole{{Name: "Critic", Prompt: "Find what is wrong."}},
		Agents: []TeamAgent{{Role: "Critic", Brief: raw(brief())}},
	})
	w.send(Root, "criticise this")
	look := w.call("get_org", object{})
	tell := w.tells("critic-1", "task_assignment", object{"taskBrief": brief()})
	w.calling(Root, look, tell)
	if got := w.answer(Root, tell); got["ok"] != true || got["contactKnown"] != true {
		t.Errorf("%v", got)
	}
	if got := w.result(Root, look).Text; !strings.Contains(got, `"doing":"look at it"`) {
		t.Errorf("get_org says %s", got)
	}
	w.says(Root, "critic-1 is at it")
	w.says("critic-1", "it is all wrong")
	w.says(Root, "the critic says that it is all wrong")
	if n := len(w.inbox); n == 0 || !strings.Contains(w.inbox[n-1].Body, "all wrong") {
		t.Errorf("%+v", w.inbox)
	}
}

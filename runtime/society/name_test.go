package society

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Property: an agent has a number on the screen once another of its role was made, ended or
// not, and keeps it, over restarts too. Its name is that of no other agent.
func TestANumberFollowsTheNameOnceARoleHasHadASecondAgent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := peopled(t, small())
		made, numbered := map[string]map[AgentID]bool{}, map[AgentID]bool{}
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				if ids := w.s.Agents(); len(ids) > 1 {
					w.must(Terminate{Agent: rapid.SampledFrom(ids[1:]).Draw(t, "ended"), By: User})
				}
			case 1:
				w.load()
			default:
				_, _ = w.try(w.anySpawn(t)) // the caps may refuse it
			}
			names := map[string]AgentID{}
			for _, id := range w.s.Agents() {
				role := w.s.RoleName(id)
				if made[role] == nil {
					made[role] = map[AgentID]bool{}
				}
				made[role][id] = true
			}
			for _, id := range w.s.Agents() {
				role, name := w.s.RoleName(id), w.s.ScreenName(id)
				want := role
				if id != Root && len(made[role]) > 1 {
					want += string(id[strings.LastIndex(string(id), "-"):])
				}
				switch {
				case id == Root:
					want = "root"
				case numbered[id] && name == role:
					t.Fatalf("%s has lost its number", id)
				case names[name] != "":
					t.Fatalf("%s and %s are both %q", id, names[name], name)
				}
				if names[name], numbered[id] = id, name != role; name != want {
					t.Fatalf("%s is %q, want %q", id, name, want)
				}
			}
		}
	})
}

// The row of the first agent is published again when the second is made.
func TestTheFirstOfARoleChangesWithTheSecond(t *testing.T) {
	t.Parallel()
	w := organised(t)
	role := w.must(MakeRole{Name: "fact checker", Prompt: "Check."}).(RoleChange).Role
	first := w.must(Spawn{Parent: Root, Role: role}).(Spawned)
	if name := w.s.ScreenName(first.Agent); name != "fact checker" || !first.Sole {
		t.Errorf("the first is %q, alone %t", name, first.Sole)
	}
	w.s.TakeChanged()
	second := w.must(Spawn{Parent: Root, Role: role}).(Spawned)
	if !slices.Contains(w.s.TakeChanged().Agents, first.Agent) {
		t.Errorf("%s did not change", first.Agent)
	}
	w.must(Terminate{Agent: second.Agent, By: User})
	w.load()
	if name := w.s.ScreenName(first.Agent); name != "fact checker-1" || second.Sole {
		t.Errorf("with the second, that has ended, the first is %q", name)
	}
}

func TestACopyLeavesTheNameOfItsAgent(t *testing.T) {
	t.Parallel()
	w := organised(t)
	role := w.must(MakeRole{Name: "fact checker", Prompt: "Check."}).(RoleChange).Role
	first := w.must(Spawn{Parent: Root, Role: role}).(Spawned).Agent
	copied := w.must(Fork{Agent: first}).(Forked).Agent
	names := func(want string) {
		t.Helper()
		if got := w.s.ScreenName(first) + ", " + w.s.ScreenName(copied); got != want {
			t.Errorf("they are called %s, want %s", got, want)
		}
	}
	names("fact checker, fact checker-2")
	w.load()
	names("fact checker, fact checker-2")
	w.must(Terminate{Agent: first, By: User})
	w.must(Terminate{Agent: copied, By: User})
	w.load()
	names("fact checker, fact checker-2")
	w.must(Spawn{Parent: Root, Role: role})
	names("fact checker-1, fact checker-2")
}

// What models are told as the name of an agent is what the user reads, or its role's name where
// that is the same.
func TestModelsAreToldTheNamesOnTheScreen(t *testing.T) {
	t.Parallel()
	w := organised(t)
	role := w.must(MakeRole{Name: "审阅者", Prompt: "Check."}).(RoleChange).Role
	first := w.must(Spawn{Parent: Root, Role: role}).(Spawned).Agent
	told := func(want string) {
		t.Helper()
		var org struct {
			Agents []struct{ ID, Name string }
		}
		if err := json.Unmarshal([]byte((&decision{s: w.s, at: w.at}).listAgents()), &org); err != nil {
			t.Fatal(err)
		}
		for _, a := range org.Agents {
			if a.ID == string(first) && a.Name != want {
				t.Errorf("get_org names it %q, want %q", a.Name, want)
			}
		}
		for _, c := range w.s.ListContacts(Root) {
			if c.ID == string(first) && c.Name != want {
				t.Errorf("the contacts name it %q, want %q", c.Name, want)
			}
		}
	}
	told("")
	for _, step := range []struct {
		does Command
		want string
	}{
		{Spawn{Parent: Root, Role: role}, "审阅者-1"},
		{Rename{Agent: first, Name: "阿明"}, "阿明（审阅者-1）"},
		{Rename{Agent: first, Name: "Anna"}, "Anna (审阅者-1)"},
		{Rename{Agent: first}, "审阅者-1"},
	} {
		before := w.s.Names()
		w.must(step.does)
		if w.s.Names() == before {
			t.Errorf("%+v is no change of names", step.does)
		}
		told(step.want)
	}
}

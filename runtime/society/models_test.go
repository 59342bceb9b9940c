package society

import (
	"cmp"
	"strings"
	"testing"

	"society-tui/runtime/tool/org"
)

// What a role asks for must be there when it is made or changed, by whomever, and
// what is refused leaves nothing.
func TestARoleAsksForAModelThatThereIs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		model, capability string
		want              string // "" for accepted
		chosen            string // what the person is told, if that differs
	}{
		"neither":        {},
		"a model":        {model: "small"},
		"a capability":   {capability: "fast"},
		"no model":       {model: "gone", want: `the model "gone" is not set up (there is big, small); set it up, or leave model out`, chosen: `the model "gone" is not set up (there is big, small); /models sets it up`},
		"one that waits": {model: "later", want: `the model "later" is set up, but waits until /models makes it the default: the offline model answers for all`},
		"no capability":  {capability: "reasoning", want: `has the capability "reasoning" (there is fast)`},
		"both":           {model: "small", capability: "fast", want: "a model or a capability, not both"},
		"the other sort": {model: "fast", want: `the model "fast" is not set up`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, DefaultLimits())
			w.s.SetModels([]string{"big", "small"}, []string{"fast"})
			w.s.SetWaiting(func(model string) bool { return model == "later" })
			holds := func(who, said, want string) {
				t.Helper()
				if want == "" && said != "" || !strings.Contains(said, want) {
					t.Errorf("%s: got %q, want …%s…", who, said, want)
				}
			}
			asked := func(id RoleID) {
				t.Helper()
				r := w.s.Role(id)
				if (r == nil) != (c.want != "") || r != nil && (r.Model != c.model || r.Capability != c.capability) {
					t.Errorf("%s is %+v", id, r)
				}
			}
			root := w.s.Agent(Root).Role
			_, err := w.try(ChooseModel{Role: root, Model: c.model, Capability: c.capability})
			holds("the person", text(err), cmp.Or(c.chosen, c.want))
			if r := w.s.Role(root); c.want == "" && (r.Model != c.model || r.Capability != c.capability) || c.want != "" && r.Model+r.Capability != "" {
				t.Errorf("root's role asks for %q%q", r.Model, r.Capability)
			}
			_, err = w.try(AddTeam{Template: "t", Roles: []TeamRole{{Name: "planted", Prompt: "Work.", Model: c.model, Capability: c.capability}}})
			holds("a template", text(err), c.want)
			asked("role-planted")
			w.send(Root, "make one")
			call := w.call(org.CreateRole, object{"name": "made", "rolePrompt": "Work.", "model": c.model, "capability": c.capability})
			w.calling(Root, call)
			said, _ := w.answer(Root, call)["message"].(string)
			holds("an agent", said, c.want)
			asked("role-made")
		})
	}
	w := newWorld(t, DefaultLimits())
	w.refused(ChooseModel{Role: "role-nobody"}, InvalidArguments)
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// What a role asks for is stored, shown to agents, and the same is no change.
func TestWhatARoleAsksForIsKeptAndShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.s.SetModels([]string{"big", "small"}, []string{"fast"})
	root := w.s.Agent(Root).Role
	for i, c := range []struct {
		ask     ChooseModel
		changed bool
	}{
		{ChooseModel{Role: root}, false},
		{ChooseModel{Role: root, Model: "small"}, true},
		{ChooseModel{Role: root, Model: "small"}, false},
		{ChooseModel{Role: root, Capability: "fast"}, true},
	} {
		if got := w.must(c.ask).(RoleChange); got.Changed != c.changed || got.Agents != 1 {
			t.Errorf("%d: %+v", i, got)
		}
	}
	w.load()
	if r := w.s.Role(root); r.Model != "" || r.Capability != "fast" {
		t.Errorf("stored is %+v", r)
	}
	w.send(Root, "who is there?")
	call := w.call(org.ListRoles, object{})
	w.calling(Root, call)
	if said := w.result(Root, call).Text; !strings.Contains(said, `"capability":"fast"`) {
		t.Errorf("agents are told %s", said)
	}
}

// The model of a single agent beats that of its role, is stored, and leaves with "".
func TestOneAgentAsksForAModelOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.s.SetModels([]string{"big", "small"}, []string{"fast"})
	w.must(ChooseModel{Role: w.s.Agent(Root).Role, Model: "big"})
	wants := func(want string) {
		t.Helper()
		w.load()
		w.s.SetModels([]string{"big", "small"}, []string{"fast"})
		if model, capability := w.s.Wants(w.s.Agent(Root), nil); model != want || capability != "" {
			t.Errorf("Wants() = %q, %q, want %q", model, capability, want)
		}
	}
	for _, c := range []struct {
		ask  AssignModel
		want ModelAssigned
		uses string
	}{
		{AssignModel{Agent: Root}, ModelAssigned{Model: "big"}, "big"},
		{AssignModel{Agent: Root, Model: "small"}, ModelAssigned{Model: "small", Changed: true}, "small"},
		{AssignModel{Agent: Root, Model: "small"}, ModelAssigned{Model: "small"}, "small"},
		{AssignModel{Agent: Root}, ModelAssigned{Model: "big", Changed: true}, "big"},
	} {
		if got := w.must(c.ask).(ModelAssigned); got != c.want {
			t.Errorf("%+v: got %+v, want %+v", c.ask, got, c.want)
		}
		wants(c.uses)
	}
	w.refused(AssignModel{Agent: Root, Model: "gone"}, InvalidArguments)
	w.refused(AssignModel{Agent: "nobody", Model: "small"}, AgentNotFound)
	wants("big")
}

// Who asks for the default names no model, and so follows none.
func TestOnlyWhoNamesAModelFollowsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.s.SetModels([]string{"big", "small"}, nil)
	for _, c := range []struct {
		rename     RenameModel
		role, mine string
	}{
		{RenameModel{Now: "small"}, "", ""},
		{RenameModel{Before: "big", Now: "small"}, "", ""},
		{RenameModel{Before: "big", Now: "small"}, "small", "small"},
		{RenameModel{Before: "small"}, "", ""},
	} {
		if c.role != "" {
			w.must(ChooseModel{Role: w.s.Agent(Root).Role, Model: "big"})
			w.must(AssignModel{Agent: Root, Model: "big"})
		}
		w.must(c.rename)
		w.load()
		w.s.SetModels([]string{"big", "small"}, nil)
		a := w.s.Agent(Root)
		if role := w.s.Role(a.Role); role.Model != c.role || a.Model != c.mine {
			t.Errorf("after %+v the role asks for %q, the agent for %q", c.rename, role.Model, a.Model)
		}
	}
}

package society

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/org"
)

func TestOnlyTheUserEditsAPromptAndItHoldsForAllAgentsOfTheRole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		role := rapid.SampledFrom(w.s.Roles()).Draw(t, "role") // root's too
		before := *role
		prompt := rapid.SampledFrom([]string{"Work.", "Work better.", "", " \n\t"}).Draw(t, "prompt")
		reply, err := w.try(EditRole{Role: role.ID, Prompt: prompt})
		now := w.s.Role(role.ID)
		switch {
		case strings.TrimSpace(prompt) == "":
			if err == nil || now.Prompt != before.Prompt {
				t.Fatalf("an empty prompt was taken: %v", err)
			}
		case err != nil:
			t.Fatalf("%v", err)
		default:
			c := reply.(RoleChange)
			if c.Changed != (before.Prompt != prompt) || c.Agents != w.s.AgentsOf(role.ID) || now.Prompt != prompt {
				t.Fatalf("%+v, and now it is %+v", c, now)
			}
			at := before.EditedAt
			if c.Changed {
				at = w.at
			}
			if !now.EditedAt.Equal(at) || now.Name != before.Name || now.Order != before.Order {
				t.Fatalf("%+v was %+v", now, before)
			}
		}
		w.refused(EditRole{Role: "role-nobody", Prompt: "Work."}, InvalidArguments)
		w.load()
		if got := w.s.Role(role.ID); got.Prompt != now.Prompt {
			t.Fatalf("stored is %q, not %q", got.Prompt, now.Prompt)
		}
	})
}

// No tool leads to an edit: whatever agents do, prompts stay.
func TestNothingThatAgentsDoChangesARole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := peopled(t, small())
		for range rapid.IntRange(5, 40).Draw(t, "steps") {
			was := map[RoleID]string{}
			for _, r := range w.s.Roles() {
				was[r.ID] = r.Prompt
			}
			w.step(t)
			for id, prompt := range was {
				if w.s.Role(id) == nil || w.s.Role(id).Prompt != prompt {
					t.Fatalf("%s was changed", id)
				}
			}
		}
	})
}

func TestTheUserMakesARoleAndAgentsReuseIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	made := w.must(MakeRole{Name: "Proof reader", Prompt: "Find each slip."}).(RoleChange)
	if r := w.s.Role("role-proofreader"); made.Role != "role-proofreader" || r == nil || r.CreatedBy != User {
		t.Fatalf("%+v", made)
	}
	for _, bad := range []MakeRole{
		{Name: "user", Prompt: "x"},
		{Name: "", Prompt: "x"},
		{Name: "fine", Prompt: " "},
		{Name: "fine", Prompt: "x", Tools: []tool.Group{"teleport"}},
		{Name: "fine", Prompt: strings.Repeat("x", w.s.limits.MessageBytes+1)},
	} {
		if _, err := w.try(bad); err == nil {
			t.Errorf("%q was made", bad.Name)
		}
	}
	w.send(Root, "read this")
	find := w.call("find_role", object{"query": "proof"})
	w.calling(Root, find)
	found := w.answer(Root, find)["roles"].([]any)
	if len(found) != 1 {
		t.Fatalf("%v", found)
	}
	w.spawns(Root, RoleID(found[0].(object)["roleId"].(string)), brief())
	if w.made() == nil || w.made().Agent.Role != "role-proofreader" || len(w.s.Roles()) != 2 {
		t.Errorf("%v", w.last)
	}
}

// What a role was not given is refused by the rules, whatever the model was offered, and
// the history stays legal (mirror checks that).
func TestACallOfAToolThatTheRoleWasNotGivenIsRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, DefaultLimits())
		w.s.SetGroups(map[string]tool.Group{"look": "files", "write": "files"})
		all := w.s.Groups()
		given := rapid.SliceOfDistinct(rapid.SampledFrom(all), rapid.ID[tool.Group]).Draw(t, "given")
		w.must(AddTeam{
			Template: "x", Roles: []TeamRole{{Name: "worker", Prompt: "Work.", Tools: append([]tool.Group{}, given...)}},
			Agents: []TeamAgent{{Role: "worker", Brief: raw(brief())}},
		})
		w.send("worker-1", "go on")
		for _, c := range []struct {
			name  string
			group tool.Group
			args  object
		}{
			{"create_role", org.Organise, object{"name": "helper", "rolePrompt": "Help."}},
			{"spawn_agent", org.Organise, object{"roleId": "role-worker", "taskBrief": brief()}},
			{"send_message", org.Talk, object{"to": "user", "payload": "hello"}},
			{"get_org", org.Talk, object{}},
			{"context_status", org.Context, object{}},
			{"look", "files", object{}},
			{"read", tool.Read, object{"path": "message:x"}},
		} {
			call := w.call(c.name, c.args)
			agents := len(w.s.Agents())
			w.calling("worker-1", call)
			may := slices.Contains(given, c.group) || c.group == tool.Read // which every role has
			if may != w.s.mayUse("worker-1", c.name) {
				t.Fatalf("%s with %v: %t", c.name, given, !may)
			}
			if may && w.agent("worker-1").Open[0].Kind == ActStep {
				w.acts("worker-1", "{}")
			}
			e := w.result("worker-1", call)
			if (e.Outcome == conversation.Failed) == may || !may && !strings.Contains(e.Text, "may not use "+c.name) {
				t.Fatalf("%s with %v: %s", c.name, given, e.Text)
			}
			if !may && len(w.s.Agents()) != agents {
				t.Fatalf("%s had an effect", c.name)
			}
			w.thinks("worker-1") // and it goes on
		}
	})
}

func TestARoleCanBeGivenAnyGroupThatThereIs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		own    []tool.Group
		args   any // toolGroups, or an object with another name of it; nil to leave it out
		want   []tool.Group
		refuse string
	}{
		"all of all":            {nil, nil, nil, ""},
		"some of all":           {nil, []string{"context", "talk", "talk"}, []tool.Group{"talk", "context"}, ""},
		"a name for three":      {nil, []string{"organisation"}, []tool.Group{"organise", "talk", "context"}, ""},
		"none":                  {nil, []string{}, []tool.Group{}, ""},
		"nothing said":          {[]tool.Group{"organise", "talk"}, nil, nil, ""},
		"less than the creator": {[]tool.Group{"organise", "talk"}, []string{"talk"}, []tool.Group{"talk"}, ""},
		"more than the creator": {[]tool.Group{"organise", "talk"}, []string{"talk", "context"}, []tool.Group{"talk", "context"}, ""},
		"another name":          {nil, object{"tools": []string{"talk"}}, []tool.Group{"talk"}, ""},
		"what there is not":     {nil, []string{"shell"}, nil, `there is no group \"shell\"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, DefaultLimits())
			w.must(AddTeam{
				Template: "x", Roles: []TeamRole{{Name: "worker", Prompt: "Work.", Tools: c.own}},
				Agents: []TeamAgent{{Role: "worker", Brief: raw(brief())}},
			})
			w.send("worker-1", "go on")
			args := object{"name": "helper", "rolePrompt": "Help."}
			if named, ok := c.args.(object); ok {
				maps.Copy(args, named)
			} else if c.args != nil {
				args["toolGroups"] = c.args
			}
			call := w.call("create_role", args)
			w.calling("worker-1", call)
			if text := w.result("worker-1", call).Text; c.refuse != "" {
				if !strings.Contains(text, c.refuse) || w.s.Role("role-helper") != nil {
					t.Errorf("%s", text)
				}
				return
			}
			w.load() // nil and empty are told apart in the store too
			if got := w.s.Role("role-helper").Tools; (got == nil) != (c.want == nil) || !slices.Equal(got, c.want) {
				t.Errorf("%#v, not %#v", got, c.want)
			}
		})
	}
}

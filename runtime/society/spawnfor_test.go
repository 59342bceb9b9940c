package society

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/protocol"
)

// Property: whatever the society is like, an agent of the user's is made whole, with its
// brief, its parent and their contacts, or nothing is.
func TestSpawnOfTheUserMakesTheWholeAgentOrNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		c := w.anySpawn(t)
		l := w.s.limits
		a := w.agent(c.Parent)
		task := a.Task
		if a.Turn != nil {
			task = a.Turn.Task
		}
		room := len(w.s.Agents()) < l.Agents && a.Depth < l.Depth && len(a.Children()) < l.Children
		fit := !a.Status.Ended() && a.Drain == ""
		before := encoded(t, w.records())
		reply, err := w.try(c)
		if err != nil {
			r, ok := err.(*Refusal)
			switch {
			case !ok, !fit && r.Code != AgentStopped, fit && r.Code != LimitReached, fit && room:
				t.Fatalf("%+v: %v", c, err)
			case encoded(t, w.records()) != before:
				t.Fatalf("the records are\n%s\nwant\n%s", encoded(t, w.records()), before)
			}
			return
		}
		if !fit || !room {
			t.Fatalf("%+v of %s is not refused", c, a.Status)
		}
		s := reply.(Spawned)
		made := w.agent(s.Agent)
		if made.Parent != c.Parent || made.Depth != a.Depth+1 || made.Role != c.Role || made.Doing == "" || made.Task != s.Task {
			t.Fatalf("%+v", made)
		}
		role := w.s.Role(c.Role)
		if p := made.Contacts.Of(c.Parent); p.Source != protocol.Parent {
			t.Fatalf("it knows its parent as %+v", p)
		}
		if k := w.agent(c.Parent).Contacts.Of(s.Agent); k.Source != protocol.Child || k.Role != role.Name || k.Description == "" {
			t.Fatalf("its parent knows it as %+v", k)
		}
		if c.Text == "" {
			if made.Turn != nil || made.Status != Idle || s.Message != "" || s.Task != "" {
				t.Fatalf("it does not wait: %+v", made)
			}
			return
		}
		if made.Paused == OverBudget { // that of its task, before it could begin
			if _, held := w.s.HeldBy(s.Agent, w.at); !held || made.Turn != nil || len(made.Mailbox) != 1 || s.Message == "" {
				t.Fatalf("it does not wait for its budget: %+v, %+v", made, s)
			}
			return
		}
		if made.Turn == nil || made.Status != WaitingLLM || len(made.Owes) != 1 || made.Owes[0] != User || s.Message == "" || task != "" && s.Task != task || w.s.Task(s.Task) == nil {
			t.Fatalf("it is not at work for the user: %+v, %+v", made, s)
		}
	})
}

func TestSpawnOfTheUserHoldsAllCapsButSpawnsInAMinute(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  func(*Limits)
		says string
	}{
		"agents":   {func(l *Limits) { l.Agents = 2 }, "limits.agents"},
		"depth":    {func(l *Limits) { l.Depth = 0 }, "limits.depth"},
		"children": {func(l *Limits) { l.Children = 1 }, "limits.children"},
		"minute":   {func(l *Limits) { l.SpawnsPerMinute = 1 }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := DefaultLimits()
			c.set(&l)
			w := newWorld(t, l)
			spawn := Spawn{Parent: Root, Role: "role-root", Text: "work"}
			_, err := w.try(spawn)
			if err == nil {
				_, err = w.try(spawn)
			}
			r, _ := err.(*Refusal)
			if c.says == "" && err != nil || c.says != "" && (r == nil || r.Code != LimitReached || !strings.Contains(r.Error(), c.says)) {
				t.Fatalf("%v", err)
			}
		})
	}
}

func TestASpawnWithoutItsRoleOrParentIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.refused(Spawn{Parent: Root, Role: "role-none", Text: "x"}, InvalidArguments)
	w.refused(Spawn{Parent: "nobody-1", Role: "role-root"}, AgentNotFound)
	w.refused(Spawn{Parent: User, Role: "role-root"}, InvalidRecipient)
	w.refused(Spawn{Parent: Root, Role: "role-root", Text: strings.Repeat("x", DefaultLimits().MessageBytes+1)}, TooLarge)
}

// A name that could be taken for somebody else's is refused.
func TestADisplayNameIsNobodyElsesAndCanBeTakenAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	first := w.must(Spawn{Parent: Root, Role: "role-root"}).(Spawned).Agent
	second := w.must(Spawn{Parent: Root, Role: "role-root"}).(Spawned).Agent
	for _, name := range []string{"root", "user", "R\u200boot", string(first), "a\nb", "x]", "\x1b[31mred", strings.Repeat("w", 65), " ada"} {
		w.refused(Rename{Agent: second, Name: name}, InvalidArguments)
	}
	_, err := w.try(Rename{Agent: second, Name: "👩\u200d👧"})
	if r, ok := errors.AsType[*Refusal](err); !ok || r.Why.Key != protocol.NameInvisible {
		t.Errorf("a name with a joiner in it is refused with %v", err)
	}
	w.refused(Rename{Agent: User, Name: "Ada"}, InvalidRecipient)
	for _, name := range []string{"Ada", "阿达", "", string(second)} {
		w.must(Rename{Agent: second, Name: name})
		if got := w.agent(second).Name; got != name {
			t.Errorf("it is called %q, not %q", got, name)
		}
	}
	w.must(Terminate{Agent: first, By: User})
	w.halted()
	w.refused(Rename{Agent: second, Name: string(first)}, InvalidArguments)
}

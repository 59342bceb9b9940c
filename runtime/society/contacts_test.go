package society

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/protocol"
)

// What an agent's contacts have in common with those of others is there once, however
// many there are, and after a restart too; what is said of one alone is its own
// (PERFORMANCE.md 10).
func TestWhatContactsHaveInCommonIsThereOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := organised(t)
		for range rapid.IntRange(1, 5).Draw(t, "children") {
			w.spawn(Root)
		}
		w.must(Spawn{Parent: Root, Role: "role-worker", Text: "described"})
		if rapid.Bool().Draw(t, "restarted") {
			w.load()
		}
		shared := map[bond]*bond{}
		for _, id := range w.s.Agents() {
			for _, c := range w.agent(id).Contacts {
				before, common := shared[*c.bond]
				if own := c.bond.description != ""; common && before != c.bond && !own || own && w.s.bonds[*c.bond] != nil {
					t.Fatalf("%s knows %s by a bond of its own, or all have it: %+v", id, c.id, *c.bond)
				}
				shared[*c.bond] = c.bond
			}
		}
	})
}

// What a brief alone says of a contact's interface is kept for nobody else: it would stay
// when the agent has long ended.
func TestWhatABriefSaysOfAnInterfaceGoesWithTheContact(t *testing.T) {
	w := organised(t)
	child := w.spawn(Root)
	for _, restarted := range []bool{false, true} {
		if restarted {
			w.load()
		}
		before := len(w.s.bonds)
		w.s.Apply(ContactAdded{Agent: Root, Contact: protocol.Contact{
			ID: string(child), Role: "worker", Source: protocol.Preset, InterfaceSpec: &protocol.InterfaceSpec{Services: "told once"},
		}})
		if got := w.agent(Root).Contacts.Of(child).InterfaceSpec; got == nil || got.Services != "told once" {
			t.Errorf("it is known by %+v", got)
		}
		if len(w.s.bonds) != before {
			t.Errorf("restarted %v: it is there for others too", restarted)
		}
	}
}

func TestCheckFindsWhomTheUserCannotKnow(t *testing.T) {
	w := organised(t)
	child := w.spawn(Root)
	w.send(child, "hello")
	if err := Check(w.s); err != nil {
		t.Fatal(err)
	}
	for name, wrong := range map[string]func(){
		"nobody": func() {
			w.s.addContact(User, protocol.Contact{ID: "ghost-1", Role: "ghost", Source: protocol.FirstMessage})
		},
		"no root": func() { w.s.userKnows = w.s.userKnows.without(Root) },
		"the user": func() {
			w.s.addContact(User, protocol.Contact{ID: string(User), Role: "user", Source: protocol.System})
		},
	} {
		was := slices.Clone(w.s.userKnows)
		if wrong(); Check(w.s) == nil {
			t.Errorf("%s: nothing is wrong with %+v", name, w.s.userKnows.All())
		}
		w.s.userKnows = was
	}
}

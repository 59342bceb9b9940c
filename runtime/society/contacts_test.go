package society

import (
	"slices"
	"testing"

	"society-tui/runtime/protocol"
)

func TestCheckFindsImpossibleContactsOfTheUser(t *testing.T) {
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
			t.Errorf("%s: nothing is wrong with %+v", name, w.s.userKnows)
		}
		w.s.userKnows = was
	}
}

package society

import (
	"testing"

	"pgregory.net/rapid"
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

package tree

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// A node is an agent in the tree, with the sums over its subtree.
type node struct {
	row    api.Row
	kind   symbols.Kind
	parent *node // nil for a root, and while the parent is not known
	kids   []*node

	// sum and use are over the whole subtree with the node itself; use counts
	// what agents that are gone had spent, too.
	sum symbols.Tally
	use society.Usage

	folded bool
	marked bool

	version uint64 // grows when what its line shows has changed
	weight  int64  // what the order looks at, as it was when that was made
	hay     string // what a filter's text is looked for in, lower case; "" until needed

	// Where it stands in the flattened tree. at holds only if the line there is
	// this node's.
	at    int
	depth int
	last  bool // no line of a sibling comes after it

	shown bool // it or one below it matches the filter
	drawn drawn
}

// own is what the agent alone has used, with that of its terminated children:
// they are in no other sum any more.
func own(row *api.Row) society.Usage { return row.Usage.Plus(row.Ended) }

func less(u, v society.Usage) society.Usage {
	return society.Usage{Input: u.Input - v.Input, Output: u.Output - v.Output}
}

// below counts the agents under n, without n.
func (n *node) below() symbols.Tally {
	t := n.sum
	t.Add(n.kind, -1)
	return t
}

// grow adds to the sums of n and all above it.
func (n *node) grow(sum *symbols.Tally, use society.Usage) {
	for p := n; p != nil; p = p.parent {
		p.sum.Plus(sum)
		p.use = p.use.Plus(use)
		p.version++
	}
}

// shrink takes away from the sums of n and all above it.
func (n *node) shrink(sum *symbols.Tally, use society.Usage) {
	for p := n; p != nil; p = p.parent {
		p.sum.Minus(sum)
		p.use = less(p.use, use)
		p.version++
	}
}

// update takes a new row of the same agent, under the same parent.
func (n *node) update(row *api.Row) {
	kind := symbols.Of(row)
	use := less(own(row), own(&n.row))
	if kind != n.kind || use != (society.Usage{}) {
		for p := n; p != nil; p = p.parent {
			p.sum.Add(n.kind, -1)
			p.sum.Add(kind, 1)
			p.use = p.use.Plus(use)
			p.version++
		}
	}
	n.row, n.kind, n.hay = *row, kind, ""
	n.version++
}

// place puts kid among n's kids in their order.
func place(kids []*node, kid *node) []*node {
	at, _ := slices.BinarySearchFunc(kids, kid, before)
	return slices.Insert(kids, at, kid)
}

func bySpawn(a, b *node) int {
	switch {
	case a.row.Order < b.row.Order:
		return -1
	case a.row.Order > b.row.Order:
		return 1
	}
	return strings.Compare(string(a.row.ID), string(b.row.ID))
}

// without takes kid out of kids.
func without(kids []*node, kid *node) []*node {
	if at := slices.Index(kids, kid); at >= 0 {
		return slices.Delete(kids, at, at+1)
	}
	return kids
}

// name is what the agent is called on the screen: what the person calls it with its
// id, which models and commands know it by, else its id. One whose role has no letter that an id can have is called by the role
// and the number of the id, which says nothing.
func (n *node) name() string {
	id := string(n.row.ID)
	if given := n.given(); given != "" {
		return given + " (" + id + ")"
	}
	number, nameless := strings.CutPrefix(id, protocol.Slug("")+"-")
	if !nameless || n.row.Role == "" || strings.ContainsFunc(n.row.Role, func(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }) {
		return id
	}
	return cells.ByCodePoint.Cut(n.row.Role, mostRole, "…") + "-" + number
}

// given is the name that the person gave, "" for none. Like name it is the same in every
// terminal.
func (n *node) given() string { return cells.ByCodePoint.Cut(n.row.Name, mostName, "…") }

// nameIn is the name where there is room for so many cells: without the id where that
// would be cut.
func (r *Model) nameIn(n *node, room int) string {
	name := n.name()
	if given := n.given(); given != "" && r.set.Width(name) > room {
		return given
	}
	return name
}

// mostName is how much of a name that the person gave stands before the id.
const mostName = 24

// mostRole is how much of a role's name stands in the name of an agent: what a
// narrow tree has room for, with the number.
const mostRole = 10

// haystack is what a filter's text is looked for in.
func (n *node) haystack() string {
	if n.hay == "" {
		n.hay = strings.ToLower(strings.Join([]string{string(n.row.ID), n.row.Name, n.row.Role, n.row.Doing, n.row.Tool, n.row.Error, n.row.Walk.Node}, "\x00"))
	}
	return n.hay
}

// age is how long the agent does what it does.
func (n *node) age(now time.Time) time.Duration {
	if n.row.Since.IsZero() {
		return 0
	}
	return now.Sub(n.row.Since)
}

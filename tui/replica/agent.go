package replica

import (
	"slices"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// An Agent is an agent's row with the sums over its subtree. Only its Society
// changes it.
type Agent struct {
	Row      api.Row
	Kind     symbols.Kind
	Parent   *Agent // nil for a root, and while the parent is unknown
	Children []*Agent

	// Sum and Usage cover the agent and its subtree. Usage includes removed agents.
	Sum   symbols.Tally
	Usage society.Usage

	// Version grows with each change of the agent or its sums.
	Version uint64

	weight   int64  // sort key, as of the last sort
	haystack string // cache of text
}

// Below counts the descendants.
func (a *Agent) Below() symbols.Tally {
	t := a.Sum
	t.Add(a.Kind, -1)
	return t
}

// age returns how long the agent has been in its state.
func (a *Agent) age(now time.Time) time.Duration {
	if a.Row.Since.IsZero() {
		return 0
	}
	return now.Sub(a.Row.Since)
}

// CompareSpawn orders agents by creation.
func CompareSpawn(a, b *Agent) int {
	switch {
	case a.Row.Order < b.Row.Order:
		return -1
	case a.Row.Order > b.Row.Order:
		return 1
	}
	return strings.Compare(string(a.Row.ID), string(b.Row.ID))
}

const mostGiven = 24 // longest display name before the other, in cells

// Name returns the agent's name on the screen: that of its role, with the number of its id once
// the role has had another agent, and before both its display name. Commands and models use
// the id.
func (a *Agent) Name() string {
	return society.FullName(a.GivenName(), society.ScreenName(a.Row.ID, a.Row.Role, a.Row.Sole))
}

// GivenName returns the display name, or "". Like Name it is the same in every
// terminal.
func (a *Agent) GivenName() string { return cells.ByCodePoint.Cut(a.Row.Name, mostGiven, "…") }

// text is what a Filter searches.
func (a *Agent) text() string {
	if a.haystack == "" {
		r, word := &a.Row, a.Kind.Word() // in both languages, as other words of a command
		a.haystack = strings.ToLower(strings.Join([]string{string(r.ID), r.Name, r.Role, r.Doing, r.Tool, r.Error, r.Walk.Node, word.EN, word.ZH}, "\x00"))
	}
	return a.haystack
}

// own returns the usage of the agent alone and of its removed children, which
// are in no other sum.
func own(row *api.Row) society.Usage { return row.Usage.Plus(row.Ended) }

func less(u, v society.Usage) society.Usage { return u.Minus(v) }

// grow adds to the sums of a and its ancestors.
func (a *Agent) grow(sum *symbols.Tally, usage society.Usage) {
	for p := a; p != nil; p = p.Parent {
		p.Sum.Plus(sum)
		p.Usage = p.Usage.Plus(usage)
		p.Version++
	}
}

// shrink subtracts from the sums of a and its ancestors.
func (a *Agent) shrink(sum *symbols.Tally, usage society.Usage) {
	for p := a; p != nil; p = p.Parent {
		p.Sum.Minus(sum)
		p.Usage = less(p.Usage, usage)
		p.Version++
	}
}

// update sets a new row with the same parent.
func (a *Agent) update(row *api.Row) {
	kind := symbols.Of(row)
	usage := less(own(row), own(&a.Row))
	if kind != a.Kind || usage != (society.Usage{}) {
		for p := a; p != nil; p = p.Parent {
			p.Sum.Add(a.Kind, -1)
			p.Sum.Add(kind, 1)
			p.Usage = p.Usage.Plus(usage)
			p.Version++
		}
	}
	a.Row, a.Kind, a.haystack = *row, kind, ""
	a.Version++
}

// insert inserts an agent among its siblings, in order.
func insert(siblings []*Agent, a *Agent) []*Agent {
	at, _ := slices.BinarySearchFunc(siblings, a, compare)
	return slices.Insert(siblings, at, a)
}

// without removes an agent from its siblings.
func without(siblings []*Agent, a *Agent) []*Agent {
	if at := slices.Index(siblings, a); at >= 0 {
		return slices.Delete(siblings, at, at+1)
	}
	return siblings
}

package graph

import (
	"fmt"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
)

// Code is the kind of a Mistake. The list is closed.
type Code string

// The kinds of mistakes.
const (
	NoName         Code = "no_name"
	NoNodes        Code = "no_nodes"
	NoEntry        Code = "no_entry"
	NoEnd          Code = "no_end"
	EmptyKey       Code = "empty_key"
	BadKey         Code = "bad_key"
	DuplicateKey   Code = "duplicate_key"
	UnknownNode    Code = "unknown_node"
	Unreachable    Code = "unreachable"
	NoWayToEnd     Code = "no_way_to_end"
	TwoDefaults    Code = "two_defaults"
	TwoFanOuts     Code = "two_fan_outs"
	EdgeFromEnd    Code = "edge_from_end"
	DuplicateEdge  Code = "duplicate_edge"
	BlankQuestion  Code = "blank_question"
	TwoConditions  Code = "two_conditions"
	MixedChoice    Code = "mixed_choice"
	UnknownRouting Code = "unknown_routing"
	UnknownFunc    Code = "unknown_func"
	DuplicateFunc  Code = "duplicate_func"
	NoBranches     Code = "no_branches"
	NoJoin         Code = "no_join"
	NoMerge        Code = "no_merge"
	BranchMissesIt Code = "branch_misses_join"
	BranchIsJoin   Code = "branch_is_join"
	BranchHasEnd   Code = "branch_has_end"
	BranchReturns  Code = "branch_returns"
	CrossedJoins   Code = "crossed_joins"
	BadLimit       Code = "bad_limit"
	TooLarge       Code = "too_large"
	BadSubGraph    Code = "bad_sub_graph"
)

// A Mistake is one thing that is wrong with a graph.
type Mistake struct {
	Code  Code
	Where string // the node that it is at, with the sub-graphs before it; "" for the graph itself
	Part  string // where it stands in the definition: "nodes[2]", "nodes[0].graph.edges[1]"; "" for the whole
	Why   error  // for whoever wrote the graph
}

// In returns the mistake in a language, with its node.
func (m Mistake) In(lang protocol.Lang) string {
	why := short(i18n.Error(lang, m.Why))
	if m.Where == "" {
		return why
	}
	return textAt.With(m.Where, why).In(lang)
}

// Error returns the mistake in English.
func (m Mistake) Error() string { return m.In(protocol.English) }

// Mistakes are all that is wrong with a graph, in the order of its parts.
type Mistakes []Mistake

func (m Mistakes) Error() string {
	const most = 50
	var lines []string
	for i := range m {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more", len(m)-most))
			break
		}
		lines = append(lines, m[i].Error())
	}
	return "the graph has mistakes:\n" + strings.Join(lines, "\n")
}

// Has reports whether a mistake of that kind is among them.
func (m Mistakes) Has(code Code) bool {
	for i := range m {
		if m[i].Code == code {
			return true
		}
	}
	return false
}

func (m *Mistakes) add(code Code, where, part string, why error) {
	*m = append(*m, Mistake{code, short(where), part, why})
}

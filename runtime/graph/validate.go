package graph

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"society-tui/runtime/i18n"
)

// Validate returns Mistakes, every one that is in the definition, or nil. The
// functions are those that it may name.
func (d *Definition) Validate(funcs Funcs) error {
	if all := d.mistakes(funcs); len(all) > 0 {
		return all
	}
	return nil
}

func (d *Definition) mistakes(funcs Funcs) Mistakes {
	v := validator{funcs: funcs}
	v.graph(d, "", "", 0)
	if v.nodes > mostNodes {
		v.found.add(TooLarge, "", "", textTooManyNodes.With(mostNodes))
	}
	return v.found
}

// A validator collects what is wrong with a definition and its sub-graphs.
type validator struct {
	funcs Funcs
	found Mistakes
	nodes int // seen, with those of sub-graphs
}

// A level is one definition that is being looked at.
type level struct {
	*validator
	def    *Definition
	prefix string          // of its keys
	path   string          // of its parts
	part   string          // that is being looked at; "" for the node that is
	nodes  map[string]bool // its keys
	next   map[string][]string
}

// graph checks the parts of a definition one by one, and then how they are connected.
func (v *validator) graph(d *Definition, prefix, path string, depth int) {
	l := level{validator: v, def: d, prefix: prefix, path: path, nodes: map[string]bool{}, next: map[string][]string{}}
	if strings.TrimSpace(d.Name) == "" {
		l.wrong(NoName, "", textNoName.With())
	}
	l.text("", "name", d.Name, 200)
	l.text("", "description", d.Description, longestText)
	l.limit("", "max_iterations", d.MaxIterations, mostIterations)
	l.span("", "timeout", d.Timeout)
	if d.Routing != "" && d.Routing != RouteEach && d.Routing != RouteChoice {
		l.field(UnknownRouting, "", "routing", textUnknownRouting.With(d.Routing, RouteEach, RouteChoice))
	}
	if len(d.Nodes) == 0 {
		l.wrong(NoNodes, "", textNoNodes.With())
	}
	if !l.modest() {
		return // looking further could take long, and would say nothing of use
	}
	for i := range d.Nodes {
		if v.nodes++; v.nodes > mostNodes {
			return // a definition that holds itself several times would take for ever
		}
		l.part = fmt.Sprintf("nodes[%d]", i)
		l.node(&d.Nodes[i], depth)
	}
	l.part = ""
	l.edges()
	l.fanOuts()
	entries := l.points(d.Entries, "entry_points", NoEntry, textEntry)
	ends := l.points(d.EndNodes, "end_points", NoEnd, textEnd)
	l.ways(entries, ends)
	l.branches()
}

// modest reports whether the lists of the definition have a size that can be looked at,
// and else that they have not.
func (l *level) modest() bool {
	d, was := l.def, len(l.found)
	size := func(key string, what i18n.Text, n, most int) {
		if n > most {
			l.wrong(TooLarge, key, textTooMany.With(n, what, most))
		}
	}
	size("", textNodes, len(d.Nodes), mostNodes)
	size("", textEdges, len(d.Edges), mostEdges)
	size("", textFanOuts, len(d.FanOuts), mostNodes)
	size("", textEntries, len(d.Entries), mostNodes)
	size("", textEnds, len(d.EndNodes), mostNodes)
	for i := range d.FanOuts {
		if i < mostNodes {
			size(d.FanOuts[i].From, textBranches, len(d.FanOuts[i].Branches), mostBranches)
		}
	}
	return len(l.found) == was
}

// wrong adds a mistake at the node with that key, "" for the graph itself.
func (l *level) wrong(code Code, key string, why error) {
	part := l.part
	if part == "" {
		if i := slices.IndexFunc(l.def.Nodes, func(n Node) bool { return n.Key == key }); i >= 0 && key != "" {
			part = fmt.Sprintf("nodes[%d]", i)
		}
	}
	l.found.add(code, strings.TrimSuffix(l.prefix+key, "/"), strings.TrimSuffix(l.path+part, "."), why)
}

// field adds a mistake in one field of what is being looked at.
func (l *level) field(code Code, key, what string, why error) {
	part := l.part
	l.part = strings.TrimPrefix(part+"."+what, ".")
	l.wrong(code, key, why)
	l.part = part
}

func (l *level) text(key, what, text string, most int) {
	if len(text) > most {
		l.field(TooLarge, key, what, textTooLong.With(what, len(text), most))
	}
}

func (l *level) limit(key, what string, n, most int) {
	if n < 0 || n > most {
		l.field(BadLimit, key, what, textLimit.With(what, n, most))
	}
}

func (l *level) span(key, what string, d Duration) {
	if d < 0 || d > Duration(longestTime) {
		text, _ := d.MarshalText() // cannot fail
		l.field(BadLimit, key, what, textSpan.With(what, text, longestTime))
	}
}

// node looks at one node, and at the graph in its place.
func (l *level) node(n *Node, depth int) {
	switch {
	case n.Key == "":
		l.wrong(EmptyKey, "", textEmptyKey.With())
	case !goodKey(n.Key):
		l.wrong(BadKey, n.Key, textBadKey.With(longestKey))
	case l.nodes[n.Key]:
		l.wrong(DuplicateKey, n.Key, textTwoKeys.With())
	}
	l.nodes[n.Key] = true
	l.text(n.Key, "title", n.Title, 200)
	l.text(n.Key, "prompt", n.Prompt, longestText)
	l.limit(n.Key, "retries", n.Retries, mostRetries)
	l.span(n.Key, "retry_wait", n.RetryWait)
	l.span(n.Key, "timeout", n.Timeout)
	if n.Graph == nil {
		if n.Entry != "" {
			l.wrong(BadSubGraph, n.Key, textEntryAlone.With())
		}
		return
	}
	if n.Prompt != "" || n.Model != "" || n.Tools != nil || n.Retries != 0 || n.RetryWait != 0 || n.Timeout != 0 {
		l.wrong(BadSubGraph, n.Key, textForNodes.With())
	}
	switch {
	case n.Entry == "" && len(n.Graph.Entries) > 1:
		l.wrong(BadSubGraph, n.Key, textNoEntryNamed.With())
	case n.Entry != "" && !slices.Contains(n.Graph.Entries, n.Entry):
		l.wrong(BadSubGraph, n.Key, textNoSuchEntry.With(n.Entry))
	}
	if depth+1 >= mostDepth {
		l.wrong(TooLarge, n.Key, textTooDeep.With(mostDepth-1))
		return
	}
	l.validator.graph(n.Graph, l.prefix+n.Key+"/", l.path+l.part+".graph.", depth+1)
}

// goodKey reports whether a key can stand in a path and on a screen.
func goodKey(key string) bool {
	return len(key) <= longestKey && utf8.ValidString(key) && strings.IndexFunc(key, func(r rune) bool {
		return r == '/' || r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r)
	}) < 0
}

// known reports whether there is such a node, and else that there is none.
func (l *level) known(at, key string, what any) bool {
	if l.nodes[key] && key != "" {
		return true
	}
	l.wrong(UnknownNode, at, textNoNode.With(what, key))
	return false
}

func (l *level) edges() {
	defaults, seen := map[string]int{}, map[Edge]bool{}
	asks, computes := map[string]bool{}, map[string]bool{}
	for i, e := range l.def.Edges {
		l.part = fmt.Sprintf("edges[%d]", i)
		if seen[e] {
			l.wrong(DuplicateEdge, e.From, textEdgeTwice.With(e.To))
			continue
		}
		seen[e] = true
		from, to := l.known("", e.From, textEdgeStart), l.known(e.From, e.To, textEdgeEnd)
		l.condition(e.From, e.Question, e.Func)
		asks[e.From] = asks[e.From] || e.Question != ""
		computes[e.From] = computes[e.From] || e.Func != ""
		if from && to {
			l.next[e.From] = append(l.next[e.From], e.To)
		}
		if from && slices.Contains(l.def.EndNodes, e.From) {
			l.wrong(EdgeFromEnd, e.From, textEdgeFromEnd.With(e.To))
		}
		if !e.Conditional() {
			defaults[e.From]++
		}
	}
	l.part = ""
	fans := map[string]int{}
	for _, f := range l.def.FanOuts {
		fans[f.From]++
	}
	for i := range l.def.Nodes {
		key := l.def.Nodes[i].Key
		if defaults[key] > 1 || defaults[key] > 0 && fans[key] > 0 {
			l.wrong(TwoDefaults, key, textTwoDefaults.With())
		}
		if fans[key] > 1 {
			l.wrong(TwoFanOuts, key, textTwoFanOuts.With())
		}
		if l.def.Routing == RouteChoice && asks[key] && computes[key] {
			l.wrong(MixedChoice, key, textMixedChoice.With(RouteChoice))
		}
	}
}

// condition looks at what an edge or a branch asks.
func (l *level) condition(at, question, name string) {
	if question != "" && strings.TrimSpace(question) == "" {
		l.wrong(BlankQuestion, at, textBlankQuestion.With())
	}
	l.text(at, "question", question, longestText)
	if question != "" && name != "" {
		l.wrong(TwoConditions, at, textTwoConditions.With())
	}
	if name != "" && l.funcs.Conditions[name] == nil {
		l.wrong(UnknownFunc, at, textNoCondition.With(name))
	}
}

func (l *level) fanOuts() {
	for i := range l.def.FanOuts {
		f := &l.def.FanOuts[i]
		l.part = fmt.Sprintf("fan_outs[%d]", i)
		from := l.known("", f.From, textFanOutStart)
		if from && slices.Contains(l.def.EndNodes, f.From) {
			l.wrong(EdgeFromEnd, f.From, textFanOutFromEnd.With())
		}
		if len(f.Branches) == 0 {
			l.wrong(NoBranches, f.From, textNoBranches.With())
		}
		if f.Join == "" {
			l.wrong(NoJoin, f.From, textNoJoin.With())
		} else {
			l.known(f.From, f.Join, textJoin)
		}
		switch {
		case f.Merge == "":
			l.wrong(NoMerge, f.From, textMergeUnsaid.With())
		case f.Merge != MergeAppend && f.Merge != MergeLast && f.Merge != MergeFunc:
			l.wrong(NoMerge, f.From, textUnknownMerge.With(f.Merge, MergeAppend, MergeLast, MergeFunc))
		case f.Merge == MergeFunc && l.funcs.Mergers[f.Func] == nil:
			l.wrong(UnknownFunc, f.From, textNoMerge.With(f.Func))
		case f.Merge != MergeFunc && f.Func != "":
			l.wrong(NoMerge, f.From, textMergeNamed.With(f.Func, f.Merge))
		}
		seen := map[string]bool{}
		for j, b := range f.Branches {
			l.part = fmt.Sprintf("fan_outs[%d].branches[%d]", i, j)
			if seen[b.To] {
				l.wrong(DuplicateEdge, f.From, textTwoBranches.With(b.To))
			}
			seen[b.To] = true
			l.condition(f.From, b.Question, b.Func)
			if l.known(f.From, b.To, textBranchStart) && from {
				l.next[f.From] = append(l.next[f.From], b.To)
			}
		}
	}
	l.part = ""
}

// points looks at entry or end points, and returns those that are nodes.
func (l *level) points(keys []string, list string, none Code, what i18n.Text) []string {
	if len(keys) == 0 {
		l.wrong(none, "", textLacks.With(what))
	}
	var good []string
	for i, key := range keys {
		l.part = fmt.Sprintf("%s[%d]", list, i)
		if slices.Contains(good, key) {
			l.wrong(DuplicateKey, key, textListedTwice.With(what))
		} else if l.known("", key, textThe.With(what)) {
			good = append(good, key)
		}
	}
	l.part = ""
	return good
}

// ways looks for nodes that nothing leads to, and for those that lead nowhere.
// Where entries or ends are missing altogether, that is said already.
func (l *level) ways(entries, ends []string) {
	reached := l.from(entries, "")
	back := map[string][]string{}
	for from, tos := range l.next {
		for _, to := range tos {
			back[to] = append(back[to], from)
		}
	}
	backward := level{next: back}
	leads := backward.from(ends, "")
	for i := range l.def.Nodes {
		key := l.def.Nodes[i].Key
		if len(entries) > 0 && !reached[key] {
			l.wrong(Unreachable, key, textUnreachable.With())
		}
		if len(ends) > 0 && !leads[key] {
			l.wrong(NoWayToEnd, key, textNoWayOut.With())
		}
	}
}

// from returns the nodes that can be reached from these, themselves included,
// without going through the node with the key but.
func (l *level) from(keys []string, but string) map[string]bool {
	seen := map[string]bool{}
	for todo := slices.Clone(keys); len(todo) > 0; {
		key := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[key] || but != "" && key == but {
			continue
		}
		seen[key] = true
		todo = append(todo, l.next[key]...)
	}
	return seen
}

// branches looks at what lies between each fan-out and its join.
func (l *level) branches() {
	within := make([]map[string]bool, len(l.def.FanOuts))
	for i, f := range l.def.FanOuts {
		l.part = fmt.Sprintf("fan_outs[%d]", i)
		var starts []string
		for _, b := range f.Branches {
			if !l.nodes[b.To] || !l.nodes[f.Join] {
				continue
			}
			starts = append(starts, b.To)
			if b.To == f.Join {
				l.wrong(BranchIsJoin, f.From, textBranchIsJoin.With(f.Join))
			} else if !l.from([]string{b.To}, "")[f.Join] {
				l.wrong(BranchMissesIt, f.From, textBranchMisses.With(b.To, f.Join))
			}
		}
		within[i] = l.from(starts, f.Join)
		if within[i][f.From] {
			l.wrong(BranchReturns, f.From, textBranchReturns.With(f.Join))
		}
		for _, end := range l.def.EndNodes {
			if within[i][end] {
				l.wrong(BranchHasEnd, f.From, textBranchHasEnd.With(end))
			}
		}
	}
	for i, outer := range l.def.FanOuts {
		for j, inner := range l.def.FanOuts {
			l.part = fmt.Sprintf("fan_outs[%d]", j)
			if i != j && within[i][inner.From] && (inner.Join == outer.Join || within[j][outer.Join]) {
				l.wrong(CrossedJoins, inner.From, textCrossedJoins.With(outer.From))
			}
		}
	}
}
